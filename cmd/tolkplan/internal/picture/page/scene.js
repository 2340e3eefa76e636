// What is drawn: the buffers of one arena of one plan, in columns, with what is asked of them.

/** Classes of lifetimes; the data say which. */
const classCount = 5;

/** Boxes a block of the index. */
const blockLength = 64;

class Scene {
  /** The buffers of an arena, sorted by first entry, then offset. A box is a number, its place in that order. */
  constructor(source, plan, arena) {
    this.source = source;
    this.plan = plan;
    this.arena = arena;
    this.size = Number(arena.size);
    this.bound = Number(arena.bound);
    this.peak = Number(arena.peak);
    this.fillColumns();
    this.fillExtent();
    this.fillIndex();
    this.fillLoad();
  }

  fillColumns() {
    const { first, end, need } = this.source.buffers;
    const { rows, offsets } = this.arena;
    const order = rows.map((_, i) => i);
    const firstOf = rows.map(row => Number(first[row]));
    const offsetOf = offsets.map(Number);
    order.sort((a, b) => firstOf[a] - firstOf[b] || offsetOf[a] - offsetOf[b] || a - b);
    this.count = order.length;
    this.rows = order.map(i => rows[i]);
    this.exactOffset = order.map(i => offsets[i]);
    this.first = Float64Array.from(order, i => firstOf[i]);
    this.end = Float64Array.from(order, i => Number(end[rows[i]]));
    this.low = Float64Array.from(order, i => offsetOf[i]);
    this.need = Float64Array.from(order, i => Number(need[rows[i]]));
    this.high = this.low.map((low, box) => low + this.need[box]);
  }

  fillExtent() {
    this.from = 0;
    this.to = Math.max(this.source.entries?.length ?? 0, 1);
    this.top = Math.max(this.size, this.bound, 1);
    for (let box = 0; box < this.count; box++) {
      this.from = Math.min(this.from, this.first[box]);
      this.to = Math.max(this.to, this.end[box]);
      this.top = Math.max(this.top, this.high[box]);
    }
    const longest = this.source.classes.map(one => Number(one.longest));
    this.classOf = Uint8Array.from(this.first, (first, box) => Math.min(firstAtLeast(longest, this.end[box] - first), classCount - 1));
  }

  /** The index is the last end of each block of boxes. They are in order of their first entry: what a block ends before is past is passed over whole. */
  fillIndex() {
    this.lastEnd = new Float64Array(Math.ceil(this.count / blockLength)).fill(-Infinity);
    for (let box = 0; box < this.count; box++) {
      const block = Math.floor(box / blockLength);
      this.lastEnd[block] = Math.max(this.lastEnd[block], this.end[box]);
    }
  }

  /** The load as steps: from entry stepAt[i] on it is stepLoad[i]. */
  fillLoad() {
    const byEnd = Float64Array.from(this.first, (_, box) => box).sort((a, b) => this.end[a] - this.end[b] || a - b);
    this.stepAt = [];
    this.stepLoad = [];
    let load = 0;
    for (let begun = 0, ended = 0; ended < this.count;) {
      const at = Math.min(begun < this.count ? this.first[begun] : Infinity, this.end[byEnd[ended]]);
      while (ended < this.count && this.end[byEnd[ended]] === at) load -= this.need[byEnd[ended++]];
      while (begun < this.count && this.first[begun] === at) load += this.need[begun++];
      this.stepAt.push(at);
      this.stepLoad.push(load);
    }
    this.peakLoad = this.stepLoad.reduce((a, b) => Math.max(a, b), 0);
  }

  /** Calls visit with each box that lives in some of the entries [from, to). */
  eachIn(from, to, visit) {
    const stop = firstAtLeast(this.first, to);
    for (let block = 0; block * blockLength < stop; block++) {
      if (this.lastEnd[block] <= from) continue;
      const end = Math.min((block + 1) * blockLength, stop);
      for (let box = block * blockLength; box < end; box++) if (this.end[box] > from) visit(box);
    }
  }

  /** The boxes live at an entry, largest first. */
  liveAt(entry) {
    const boxes = [];
    this.eachIn(entry, entry + Math.max(1, Math.abs(entry) * Number.EPSILON), box => boxes.push(box));
    return boxes.sort((a, b) => this.need[b] - this.need[a] || a - b);
  }

  /** The boxes that live in some entries of a box's lifetime, largest first. */
  sameTime(of) {
    const boxes = [];
    this.eachIn(this.first[of], this.end[of], box => box !== of && boxes.push(box));
    return boxes.sort((a, b) => this.need[b] - this.need[a] || a - b);
  }

  /** The boxes that have some of a box's bytes at another time, in order of time. */
  sameBytes(of) {
    const boxes = [];
    for (let box = 0; box < this.count; box++) {
      const apart = this.end[box] <= this.first[of] || this.first[box] >= this.end[of];
      if (apart && this.low[box] < this.high[of] && this.low[of] < this.high[box]) boxes.push(box);
    }
    return boxes;
  }

  loadAt(entry) {
    const at = firstAbove(this.stepAt, entry) - 1;
    return at < 0 ? 0 : this.stepLoad[at];
  }

  /** The box at a point, or the nearest within some entries and bytes of it, or -1. */
  boxAt(entry, byte, entriesNear, bytesNear) {
    let best = -1, least = 1;
    this.eachIn(entry - entriesNear, entry + entriesNear, box => {
      if (this.first[box] <= entry && entry < this.end[box] && this.low[box] <= byte && byte < this.high[box]) [best, least] = [box, -1];
      const aside = Math.max(this.first[box] - entry, entry - this.end[box], 0) / entriesNear;
      const over = Math.max(this.low[box] - byte, byte - this.high[box], 0) / bytesNear;
      const far = Math.max(aside, over);
      if (far < least) [best, least] = [box, far];
    });
    return best;
  }

  /** The box of the buffer with this number, or -1. */
  boxOf(id) {
    return this.rows.findIndex(row => this.source.buffers.id[row] === id);
  }

  id(box) { return this.source.buffers.id[this.rows[box]]; }
  name(box) { return this.source.buffers.name[this.rows[box]] || this.id(box) || "unnamed"; }
  held(box) { return this.source.buffers.held[this.rows[box]] === 1; }

  /** What the picture holds, with numbers that a browser would round as strings. */
  exact(box, column) { return this.source.buffers[column][this.rows[box]]; }

  entryName(entry) { return this.source.entries?.[entry] ?? ""; }
}

/** The first place of an ascending column with at least that value. */
function firstAtLeast(column, value) {
  return firstWhere(column, n => n >= value);
}

/** The first place of an ascending column with more than that value. */
function firstAbove(column, value) {
  return firstWhere(column, n => n > value);
}

function firstWhere(column, isPast) {
  let low = 0, high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(column[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
