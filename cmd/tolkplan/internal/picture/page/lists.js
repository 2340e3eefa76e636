// Lists of buffers, and the facts of one, beside the map.

/** Rows of a list that are shown; what is more is counted. */
const mostRows = 200;

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "style") made.style.cssText = value;
    else if (key.startsWith("data-") || key.startsWith("aria-")) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** A heading and boxes below it, each a button. choose is called with the box. */
function boxList(title, note, scene, boxes, choose) {
  const most = boxes.reduce((most, box) => Math.max(most, scene.need[box]), 1);
  const rows = boxes.slice(0, mostRows).map(box => element("li", {}, boxRow(scene, box, most, choose)));
  const list = element("ol", {}, ...rows);
  if (boxes.length > mostRows) list.append(element("li", { className: "more" }, `and ${grouped(boxes.length - mostRows)} more`));
  return element("section", { className: "list" }, element("h2", {}, title), element("p", { className: "note" }, note), list);
}

function boxRow(scene, box, most, choose) {
  const share = 100 * scene.need[box] / most;
  return element("button", { type: "button", "data-buffer": scene.id(box), onclick: () => choose(box) },
    element("span", { className: `swatch c${scene.classOf[box]}` }),
    element("bdi", { className: "name" }, clipped(scene.name(box), 80)),
    element("span", { className: "number" }, bytesText(scene.need[box])),
    element("span", { className: "bar", style: `--part: ${share.toFixed(1)}%` }));
}

/** The facts of a box, as pairs of what and how much. */
function facts(scene, box) {
  const bytes = scene.exact(box, "bytes"), need = scene.exact(box, "need");
  const first = scene.exact(box, "first"), end = scene.exact(box, "end");
  const length = Number(BigInt(end) - BigInt(first));
  const pairs = [
    ["Size", sized(need)],
    ["Lifetime", `${entrySpan(first, end)}, ${count(length, "entry", "entries")}`],
    ["Offset", sized(scene.exactOffset[box])],
  ];
  if (BigInt(bytes) !== BigInt(need)) pairs.splice(1, 0, ["Elements", sized(bytes)]);
  pairs.push(["Taken by", takersText(scene, box)]);
  if (scene.held(box)) pairs.push(["Held", "kept past the schedule, not planned"]);
  if (scene.name(box) !== scene.id(box)) pairs.push(["Number", clipped(scene.id(box), 80)]);
  return pairs;
}

/** A size in short and to the byte. */
function sized(n) {
  return Math.abs(Number(n)) < 1000 ? bytesText(n) : `${bytesText(n)} (${grouped(n)} B)`;
}

function entrySpan(first, end) {
  const last = BigInt(end) - 1n;
  return last <= BigInt(first) ? `entry ${grouped(first)}` : `entries ${grouped(first)} to ${grouped(last)}`;
}

/** The entries that take a box. */
function takersText(scene, box) {
  const takers = scene.exact(box, "takers");
  if (!takers) return "not known";
  if (!takers.length) return "no entry";
  const shown = takers.slice(0, 8).map(entry => {
    const name = scene.entryName(entry);
    return name ? `${grouped(entry)} ${clipped(name, 40)}` : grouped(entry);
  });
  return shown.join(", ") + (takers.length > 8 ? `, and ${grouped(takers.length - 8)} more` : "");
}

function factList(scene, box) {
  return element("dl", {}, ...facts(scene, box).map(([what, much]) => element("div", {}, element("dt", {}, what), element("dd", {}, element("bdi", {}, much)))));
}

/** One row of the plans or arenas to choose from: its name, its size as a bar against the largest, and the lower bound as a mark. */
function choiceRow(group, value, row, most, chosen, choose) {
  const input = element("input", { type: "radio", name: group, value: String(value), checked: chosen, onchange: () => choose(value) });
  const bar = element("span", { className: "bar", style: `--part: ${(100 * row.size / most).toFixed(2)}%; --bound: ${(100 * row.bound / most).toFixed(2)}%` });
  return element("label", { className: "choice" }, input,
    element("bdi", { className: "name" }, clipped(row.name || "unnamed", 60)),
    element("span", { className: "number" }, bytesText(row.size)),
    bar,
    element("span", { className: "above" }, aboveText(row)));
}

/** How far arenas are above their lower bound. */
function aboveText({ size, bound, optimal }) {
  if (optimal) return "the least possible";
  if (size < bound) return "below the lower bound: the plan has faults";
  if (size === bound) return "at the lower bound";
  return bound > 0 ? `${percentText(size - bound, bound)} above the lower bound` : "lower bound 0 B";
}
