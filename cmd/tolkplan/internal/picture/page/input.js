// Pointer, wheel and keys.

/** Pixels that a pointer may move between down and up for it to be a click. */
const clickSlack = 4;

function listenToPointer(map) {
  const area = byId("map"), down = new Map();
  let moved = 0, apart = 0;
  const at = event => {
    const box = area.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  area.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    area.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    moved = 0;
    apart = distance(down);
  });
  area.addEventListener("pointermove", event => {
    const now = at(event), before = down.get(event.pointerId);
    map.pointer = now;
    if (!before) return hover(map, now);
    down.set(event.pointerId, now);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (down.size > 1) apart = pinch(map, down, apart);
    else if (moved > clickSlack) drag(map, before, now);
  });
  area.addEventListener("pointerup", event => {
    if (!down.delete(event.pointerId) || moved > clickSlack) return;
    hover(map, at(event));
    map.pin(map.focused);
  });
  area.addEventListener("pointercancel", event => down.delete(event.pointerId));
  area.addEventListener("pointerleave", () => leave(map));
  area.addEventListener("dblclick", event => enter(map, boxUnder(map, at(event))));
  area.addEventListener("wheel", event => wheel(map, event, at(event)), { passive: false });
}

function boxUnder(map, { x, y }) {
  const { view } = map, { plot } = view;
  const inside = x >= plot.left && x < plot.left + plot.width && y >= plot.top && y < plot.top + plot.height;
  return inside ? map.scene.boxAt(view.entry(x), view.byte(y), 3 * view.entriesPerPixel, 3 * view.bytesPerPixel) : -1;
}

function hover(map, at) {
  map.pointer = at;
  map.point(boxUnder(map, at));
  if (map.focused >= 0) map.placeTip(at);
  map.showReadout(at.x, at.y);
}

function leave(map) {
  map.pointer = null;
  map.point(-1);
  map.showReadout(-1, -1);
}

function drag(map, before, now) {
  const { view } = map;
  view.pan((before.x - now.x) * view.entriesPerPixel, (now.y - before.y) * view.bytesPerPixel);
  map.draw();
}

function distance(down) {
  const [a, b] = down.values();
  return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}

/** Zooms as two fingers move apart; returns how far apart they are. */
function pinch(map, down, before) {
  const [a, b] = down.values(), apart = distance(down);
  const factor = before > 0 ? apart / before : 1;
  map.view.zoom(map.view.entry((a.x + b.x) / 2), map.view.byte((a.y + b.y) / 2), factor, factor);
  map.draw();
  return apart;
}

/** Zooms about the pointer: in time only with shift, in bytes only with alt; moves for a wheel that goes sideways. */
function wheel(map, event, at) {
  const { view } = map;
  const lines = event.deltaMode === 0 ? 1 : 16;
  // Browsers make a shifted wheel go sideways.
  const turn = (event.deltaY || (event.shiftKey ? event.deltaX : 0)) * lines;
  if (turn > 0 && view.isAll) return;
  event.preventDefault();
  if (turn === 0) {
    view.pan(event.deltaX * lines * view.entriesPerPixel, 0);
  } else {
    const factor = Math.exp(-turn * (event.ctrlKey ? 0.01 : 0.0018));
    view.zoom(view.entry(at.x), view.byte(at.y), event.altKey ? 1 : factor, event.shiftKey ? 1 : factor);
  }
  map.draw();
  hover(map, at);
}

/** Zooms to a box, so that it has a third of the map each way. */
function enter(map, box) {
  if (box < 0) return;
  const { scene, view } = map;
  view.zoomTo(box, 3 * (scene.end[box] - scene.first[box]), 3 * Math.max(scene.need[box], 16));
  map.draw();
}

function zoomBy(map, factor) {
  const { view, scene, focused } = map;
  const on = focused >= 0 ? focused : map.pinned;
  const middle = on >= 0
    ? [(scene.first[on] + scene.end[on]) / 2, (scene.low[on] + scene.high[on]) / 2]
    : [(view.from + view.to) / 2, (view.low + view.high) / 2];
  view.zoom(...middle, factor, factor);
  map.draw();
}

function showAll(map) {
  map.view.showAll();
  map.draw();
}

/** What keys do on the map. */
const keys = {
  ArrowLeft: map => go(map, box => beside(map.scene, box, -1)),
  ArrowRight: map => go(map, box => beside(map.scene, box, 1)),
  ArrowUp: map => go(map, box => over(map.scene, box, 1)),
  ArrowDown: map => go(map, box => over(map.scene, box, -1)),
  PageUp: map => go(map, box => box - 1),
  PageDown: map => go(map, box => box + 1),
  Home: map => go(map, () => 0),
  End: map => go(map, () => map.scene.count - 1),
  Enter: map => map.pin(map.focused),
  " ": map => map.pin(map.focused),
  Escape: map => map.pin(-1),
  "+": map => zoomBy(map, 1.5),
  "=": map => zoomBy(map, 1.5),
  "-": map => zoomBy(map, 1 / 1.5),
  0: showAll,
  "/": () => byId("search").focus(),
};

const shiftedKeys = {
  ArrowLeft: map => shift(map, -1, 0),
  ArrowRight: map => shift(map, 1, 0),
  ArrowUp: map => shift(map, 0, 1),
  ArrowDown: map => shift(map, 0, -1),
};

function listenToKeys(map) {
  byId("map").addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does = (event.shiftKey && shiftedKeys[event.key]) || keys[event.key];
    if (!does) return;
    event.preventDefault();
    map.pointer = null;
    does(map);
  });
  byId("map").addEventListener("blur", () => map.point(-1));
}

function shift(map, across, up) {
  const { view } = map;
  view.pan(across * (view.to - view.from) / 5, up * (view.high - view.low) / 5);
  map.draw();
}

/** Goes to the box that next gives, from the one that is pointed at or pinned; to the first one from none. */
function go(map, next) {
  const { scene, view } = map;
  if (!scene.count) return;
  const from = map.focused >= 0 ? map.focused : map.pinned;
  const box = from < 0 ? next(0) === scene.count - 1 ? scene.count - 1 : 0 : Math.min(Math.max(next(from), 0), scene.count - 1);
  map.point(box, true);
  view.reveal(box, 0);
  map.draw();
}

/** The nearest box in time that has some of a box's bytes, before or after it; else the one before or after it in order. */
function beside(scene, of, way) {
  const boxes = scene.sameBytes(of);
  const next = way > 0 ? boxes.find(box => scene.first[box] >= scene.end[of]) : boxes.reduce((best, box) => scene.end[box] <= scene.first[of] && (best === undefined || scene.end[box] >= scene.end[best]) ? box : best, undefined);
  return next ?? of + way;
}

/** The nearest box above or below that lives at the same time; itself if there is none. */
function over(scene, of, way) {
  let best = of, least = Infinity;
  for (const box of scene.sameTime(of)) {
    const far = way > 0 ? scene.low[box] - scene.high[of] : scene.low[of] - scene.high[box];
    if (far >= 0 && far < least) [best, least] = [box, far];
  }
  return best;
}

function listenToControls(map) {
  byId("zoom-in").onclick = () => zoomBy(map, 1.5);
  byId("zoom-out").onclick = () => zoomBy(map, 1 / 1.5);
  byId("zoom-all").onclick = () => showAll(map);
  const search = byId("search");
  search.addEventListener("input", () => {
    map.search(search.value);
    map.pin(-1);
    map.mark();
  });
  search.addEventListener("keydown", event => {
    if (event.key === "Enter") map.nextFound(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") byId("map").focus();
  });
}
