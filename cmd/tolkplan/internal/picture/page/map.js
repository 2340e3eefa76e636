// The map and what is shown of it: which plan and arena, which box is pointed at, pinned or found.

const byId = id => document.getElementById(id);

class MemoryMap {
  constructor(source) {
    this.source = source;
    this.scenes = new Map();
    this.planAt = smallest(source.plans.map(planRow));
    this.arenaAt = largest(source.plans[this.planAt].arenas.map(arenaRow));
    this.pinned = this.focused = -1;
    this.found = [];
    this.painter = new Painter(byId("canvas"));
    this.scene = this.sceneOf(this.planAt, this.arenaAt);
    this.view = new View(this.scene);
  }

  /** The scene of an arena of a plan; made when it is first asked for. */
  sceneOf(plan, arena) {
    const key = `${plan} ${arena}`;
    if (!this.scenes.has(key)) {
      const of = this.source.plans[plan];
      this.scenes.set(key, new Scene(this.source, of, of.arenas[arena] ?? emptyArena));
    }
    return this.scenes.get(key);
  }

  /** Shows an arena of a plan. What is pinned stays pinned if it is there too. */
  choose(plan, arena) {
    const id = this.pinned >= 0 ? this.scene.id(this.pinned) : null;
    [this.planAt, this.arenaAt] = [plan, arena];
    this.scene = this.sceneOf(plan, arena);
    this.view.show(this.scene);
    this.pinned = id === null ? -1 : this.scene.boxOf(id);
    this.focused = -1;
    this.search(this.query ?? "");
    this.showChoices();
    this.showAll();
    this.say(byId("summary").textContent);
  }

  showAll() {
    this.showSummary();
    this.showPeak();
    this.showPinned();
    this.showFocus();
    this.mark();
  }

  /** Takes the size of the map and the theme's colours, and draws. */
  resize() {
    const map = byId("map");
    this.painter.readColours(map);
    this.painter.fit(this.view, map.clientWidth, map.clientHeight, Math.min(window.devicePixelRatio || 1, 3));
    // A canvas that was resized is blank, and would be shown so.
    this.drawNow();
  }

  /** Draws when the next frame begins, once however often it is asked. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.drawNow();
    });
  }

  drawNow() {
    this.painter.paint(this.view, this.marks);
    this.placeOutline();
  }

  /** Works out how each box stands out, for what is pinned or found. */
  mark() {
    this.marks = null;
    if (this.pinned >= 0) {
      this.marks = new Uint8Array(this.scene.count).fill(faint);
      for (const box of this.scene.sameTime(this.pinned)) this.marks[box] = plain;
      for (const box of this.scene.sameBytes(this.pinned)) this.marks[box] = related;
      this.marks[this.pinned] = chosen;
    } else if (this.query) {
      this.marks = new Uint8Array(this.scene.count).fill(faint);
      for (const box of this.found) this.marks[box] = plain;
    }
    this.draw();
  }

  pin(box) {
    if (box === this.pinned) return;
    this.pinned = box;
    this.showPinned();
    this.placeOutline();
    this.mark();
    this.say(box < 0 ? "Nothing is pinned." : `Pinned. ${this.sentence(box)}`);
  }

  /** Pins a box chosen from a list, and brings it into view. */
  show(box) {
    this.pin(box);
    this.point(box);
    this.view.reveal(box, 6);
    this.draw();
  }

  /** Points at a box; says so if the keyboard did. */
  point(box, aloud = false) {
    if (aloud && box >= 0) this.say(this.sentence(box));
    if (box === this.focused) return;
    this.focused = box;
    this.showFocus();
  }

  say(text) { byId("spoken").textContent = text; }

  /** A box in words. */
  sentence(box) {
    const pairs = facts(this.scene, box).map(([what, much]) => `${what.toLowerCase()} ${much}`);
    return `${clipped(this.scene.name(box), 80)}: ${pairs.join("; ")}.`;
  }

  /** Finds the boxes whose name or number has some text, whatever its case, largest first. */
  search(query) {
    const { scene } = this;
    this.query = query.trim().toLowerCase();
    this.found = [];
    if (this.query) {
      for (let box = 0; box < scene.count; box++) {
        if (scene.name(box).toLowerCase().includes(this.query) || scene.id(box).toLowerCase() === this.query) this.found.push(box);
      }
      this.found.sort((a, b) => scene.need[b] - scene.need[a] || a - b);
    }
    this.showFound();
  }

  /** Shows the next of the boxes that were found. */
  nextFound(by) {
    const { found } = this;
    if (!found.length) return;
    const at = found.indexOf(this.pinned);
    this.show(found[at < 0 ? 0 : (at + by + found.length) % found.length]);
  }

  showFound() {
    byId("found").textContent = this.query ? `${grouped(this.found.length)} of ${grouped(this.scene.count)}` : "";
    const panel = byId("matches");
    panel.hidden = !this.query;
    if (!this.query) return;
    panel.replaceChildren(boxList(`Found ${grouped(this.found.length)}`, this.found.length ? "Largest first" : "No buffer has this in its name.", this.scene, this.found, box => this.show(box)));
  }

  showChoices() {
    const rows = this.source.plans.map(planRow);
    const arenas = this.source.plans[this.planAt].arenas.map(arenaRow);
    this.fillChoices("plans", rows, this.planAt, plan => this.choose(plan, this.arenaIn(plan)));
    this.fillChoices("arenas", arenas, this.arenaAt, arena => this.choose(this.planAt, arena));
    byId("arenas").hidden = !arenas.length || this.source.plans.every(plan => plan.arenas.length < 2);
  }

  /** The arena of a plan of the same name as the one that is shown. */
  arenaIn(plan) {
    const at = this.source.plans[plan].arenas.findIndex(arena => arena.name === this.scene.arena.name);
    return Math.max(at, 0);
  }

  fillChoices(id, rows, chosen, choose) {
    const group = byId(id);
    const most = rows.reduce((most, row) => Math.max(most, row.size, row.bound), 1);
    const hadFocus = group.contains(document.activeElement);
    group.replaceChildren(group.firstElementChild, ...rows.map((row, i) => choiceRow(id, i, row, most, i === chosen, choose)));
    if (hadFocus) group.querySelector("input:checked")?.focus();
  }

  showSummary() {
    const { scene } = this;
    const size = element("strong", {}, bytesText(scene.size));
    const rest = [aboveText({ size: scene.size, bound: scene.bound, optimal: scene.arena.optimal })];
    if (scene.arena.optimal || scene.size <= scene.bound) rest.push(`${count(scene.count, "buffer")}`);
    else rest[0] += ` of ${bytesText(scene.bound)}`, rest.push(count(scene.count, "buffer"));
    rest.push(count(scene.to - scene.from, "entry", "entries"));
    byId("summary").replaceChildren(element("bdi", {}, clipped(scene.arena.name, 60)), " ", size, ` · ${rest.join(" · ")}`);
  }

  showPeak() {
    const { scene } = this;
    const live = scene.count ? scene.liveAt(scene.peak) : [];
    const name = scene.entryName(scene.peak);
    const where = `Entry ${grouped(scene.arena.peak)}${name ? `, ${clipped(name, 60)}` : ""}: ${bytesText(scene.loadAt(scene.peak))} in ${count(live.length, "buffer")}, largest first`;
    byId("peak").replaceChildren(boxList("At the peak", scene.count ? where : "No buffers.", scene, live, box => this.show(box)));
  }

  showPinned() {
    const panel = byId("details"), { scene, pinned } = this;
    panel.hidden = pinned < 0;
    if (pinned < 0) return panel.replaceChildren();
    const close = element("button", { type: "button", className: "close", "aria-label": "Let go", onclick: () => this.pin(-1) }, "×");
    const time = scene.sameTime(pinned), bytes = scene.sameBytes(pinned);
    panel.replaceChildren(
      element("section", { className: "facts" }, element("h2", {}, element("bdi", {}, clipped(scene.name(pinned), 300))), close, factList(scene, pinned)),
      boxList("Live at the same time", `${count(time.length, "buffer")}, largest first`, scene, time, box => this.show(box)),
      boxList("In the same bytes", `${count(bytes.length, "buffer")} at other times, in order of time`, scene, bytes, box => this.show(box)));
  }

  /** Shows the outline and the facts of the box that is pointed at. */
  showFocus() {
    const tip = byId("tip"), { scene, focused } = this;
    if (focused >= 0) tip.replaceChildren(element("h2", {}, element("bdi", {}, clipped(scene.name(focused), 80))), factList(scene, focused));
    this.placeOutline();
  }

  placeOutline() {
    const outline = byId("outline"), tip = byId("tip"), { view, scene, focused } = this, { plot } = view;
    const inX = x => Math.min(Math.max(x, plot.left), plot.left + plot.width);
    const inY = y => Math.min(Math.max(y, plot.top), plot.top + plot.height);
    outline.hidden = focused < 0;
    // What is pinned has its facts beside the map.
    tip.hidden = focused < 0 || focused === this.pinned;
    if (focused < 0) return;
    const left = inX(view.x(scene.first[focused])), right = inX(view.x(scene.end[focused]));
    const top = inY(view.y(scene.high[focused])), bottom = inY(view.y(scene.low[focused]));
    outline.style.cssText = `left: ${left}px; top: ${top}px; width: ${Math.max(right - left, 2)}px; height: ${Math.max(bottom - top, 2)}px`;
    this.placeTip(this.pointer ?? { x: (left + right) / 2, y: (top + bottom) / 2 });
  }

  /** Puts the facts beside a point, on the side that has room. */
  placeTip({ x, y }) {
    const tip = byId("tip"), width = byId("map").clientWidth, height = byId("map").clientHeight;
    const left = x + 16 + tip.offsetWidth <= width ? x + 16 : Math.max(x - 16 - tip.offsetWidth, 0);
    const top = y + 16 + tip.offsetHeight <= height ? y + 16 : Math.max(Math.min(y - 16 - tip.offsetHeight, height - tip.offsetHeight), 0);
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** Says which entry and byte are under the pointer. */
  showReadout(x, y) {
    const { view, scene } = this, { plot } = view;
    const inside = x >= plot.left && x < plot.left + plot.width;
    const crosshair = byId("crosshair");
    crosshair.hidden = !inside;
    if (!inside) return byId("readout").replaceChildren();
    crosshair.style.cssText = `left: ${x}px; top: ${margin.top}px; height: ${plot.top + plot.height - margin.top}px`;
    const entry = Math.floor(view.entry(x)), name = scene.entryName(entry);
    const byte = y >= plot.top && y < plot.top + plot.height ? ` · byte ${grouped(Math.max(Math.floor(view.byte(y)), 0))}` : "";
    byId("readout").textContent = `entry ${grouped(entry)}${name ? ` ${clipped(name, 50)}` : ""} · load ${bytesText(scene.loadAt(entry))}${byte}`;
  }
}

/** Which row has the least size, the first of them. */
function smallest(rows) {
  return rows.reduce((best, row, i) => row.size < rows[best].size ? i : best, 0);
}

/** Which row has the greatest size, the first of them; 0 if there is none. */
function largest(rows) {
  return rows.reduce((best, row, i) => row.size > rows[best].size ? i : best, 0);
}

const emptyArena = { name: "", size: 0, bound: 0, peak: 0, optimal: false, rows: [], offsets: [] };

function planRow(plan) {
  const sum = field => plan.arenas.reduce((sum, arena) => sum + Number(arena[field]), 0);
  return { name: plan.name, size: sum("size"), bound: sum("bound"), optimal: plan.arenas.length > 0 && plan.arenas.every(arena => arena.optimal) };
}

function arenaRow({ name, size, bound, optimal }) {
  return { name, size: Number(size), bound: Number(bound), optimal };
}
