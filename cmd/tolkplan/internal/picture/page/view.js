// Which part of a scene is seen, and where it is on the screen.

class View {
  /** A view of all of a scene, on a plot of some pixels. */
  constructor(scene) {
    this.plot = { left: 0, top: 0, width: 1, height: 1 };
    this.show(scene);
  }

  /** Takes another scene. What is seen of the time stays, if that fits. */
  show(scene) {
    const before = this.scene;
    this.scene = scene;
    this.ceiling = scene.top * 1.04;
    const sameTime = before && before.from === scene.from && before.to === scene.to;
    if (!sameTime) [this.from, this.to] = [scene.from, scene.to];
    [this.low, this.high] = [0, this.ceiling];
  }

  showAll() {
    [this.from, this.to, this.low, this.high] = [this.scene.from, this.scene.to, 0, this.ceiling];
  }

  get isAll() {
    return this.from <= this.scene.from && this.to >= this.scene.to && this.low <= 0 && this.high >= this.ceiling;
  }

  x(entry) { return this.plot.left + (entry - this.from) / (this.to - this.from) * this.plot.width; }
  y(byte) { return this.plot.top + (1 - (byte - this.low) / (this.high - this.low)) * this.plot.height; }
  entry(x) { return this.from + (x - this.plot.left) / this.plot.width * (this.to - this.from); }
  byte(y) { return this.low + (1 - (y - this.plot.top) / this.plot.height) * (this.high - this.low); }

  get entriesPerPixel() { return (this.to - this.from) / this.plot.width; }
  get bytesPerPixel() { return (this.high - this.low) / this.plot.height; }

  /** Zooms by factors about a point, which stays where it is. More than 1 shows less. */
  zoom(entry, byte, inTime, inBytes) {
    const { from, to, low, high } = this;
    this.setTime(entry - (entry - from) / inTime, entry + (to - entry) / inTime);
    this.setBytes(byte - (byte - low) / inBytes, byte + (high - byte) / inBytes);
  }

  pan(entries, bytes) {
    this.setTime(this.from + entries, this.to + entries);
    this.setBytes(this.low + bytes, this.high + bytes);
  }

  setTime(from, to) {
    [this.from, this.to] = within(from, to, this.scene.from, this.scene.to, 1);
  }

  setBytes(low, high) {
    [this.low, this.high] = within(low, high, 0, this.ceiling, 16);
  }

  /** Makes a box seen: moves to it and, if that leaves it smaller than some pixels, zooms in. */
  reveal(box, pixels) {
    const { scene } = this;
    const length = scene.end[box] - scene.first[box], need = scene.need[box];
    const inTime = Math.max(1, pixels * this.entriesPerPixel / Math.max(length, 1e-9));
    const inBytes = need > 0 ? Math.max(1, pixels * this.bytesPerPixel / need) : 1;
    const outTime = Math.min(1, (this.to - this.from) / (length * 1.1)), outBytes = Math.min(1, (this.high - this.low) / (need * 1.1 || 1));
    const unseen = scene.first[box] < this.from || scene.end[box] > this.to || scene.low[box] < this.low || scene.high[box] > this.high;
    if (!unseen && inTime === 1 && inBytes === 1) return;
    this.zoomTo(box, (this.to - this.from) / (inTime * outTime), (this.high - this.low) / (inBytes * outBytes));
  }

  /** Puts a box in the middle of a view of some entries and bytes. */
  zoomTo(box, entries, bytes) {
    const { scene } = this;
    const entry = (scene.first[box] + scene.end[box]) / 2, byte = (scene.low[box] + scene.high[box]) / 2;
    this.setTime(entry - entries / 2, entry + entries / 2);
    this.setBytes(byte - bytes / 2, byte + bytes / 2);
  }
}

/** A span moved and shortened so that it lies in [least, most], and is no shorter than the shortest, or than what numbers can tell apart. */
function within(from, to, least, most, shortest) {
  const fine = Math.max(Math.abs(least), Math.abs(most)) * 1e-12;
  const length = Math.min(Math.max(to - from, Math.min(shortest, most - least), fine), most - least);
  from = Math.min(Math.max((from + to - length) / 2, least), most - length);
  return [from, from + length];
}

/** At most about count round numbers from low to high, and the step between them. */
function ticks(low, high, count, least) {
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, power * ([1, 2, 5].find(factor => power * factor >= rough) ?? 10));
  const at = [];
  for (let n = Math.ceil(low / step); n * step <= high && at.length <= 2 * count + 2; n++) at.push(n * step);
  return { at, step };
}
