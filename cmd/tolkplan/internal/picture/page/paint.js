// Drawing a view of a scene on the canvas. Nothing here changes what is shown.

/** Measures of the figure, in CSS pixels. */
const margin = { left: 72, right: 22, top: 18, load: 58, gap: 14, axis: 38 };

/** How a box stands out. */
const plain = 0, faint = 1, chosen = 2, related = 3;

/** Shades of each class, which tell apart boxes that touch. */
const shades = 3;

/** Letters of a name that does not fit that are still worth to be shown. */
const leastName = 9;

/** Boxes of at least that many device pixels are drawn as shapes, with names; smaller ones as pixels of one image. */
const shapeArea = 4096;

class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  /** Sets the size of the canvas, and the plot of a view on it. */
  fit(view, width, height, density) {
    this.width = width;
    this.height = height;
    this.density = density;
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    const top = margin.top + margin.load + margin.gap;
    view.plot = { left: margin.left, top, width: Math.max(width - margin.left - margin.right, 1), height: Math.max(height - top - margin.axis, 1) };
  }

  /** Reads the colours, which depend on the theme, from the style sheet. */
  readColours(element) {
    const probe = element.appendChild(document.createElement("i"));
    const read = name => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const names = ["page", "free", "text", "quiet", "grid", "frame", "load", "accent", "on-accent"];
    this.colours = Object.fromEntries(names.map(name => [name, read(name)]));
    this.classes = Array.from({ length: classCount }, (_, i) => read(`c${i}`));
    this.onClasses = Array.from({ length: classCount }, (_, i) => read(`n${i}`));
    this.font = getComputedStyle(element).fontFamily;
    probe.remove();
    this.fillPalette();
  }

  /** Colours of classes by how a box stands out, as text and as the bytes of an image's pixel. */
  fillPalette() {
    const free = channels(this.colours.free);
    // Towards the colour of the names in them, so that no shade comes near the background.
    const full = this.classes.flatMap((colour, i) => [0, 0.08, 0.16].map(share => mixed(channels(colour), channels(this.onClasses[i]), share)));
    const faded = full.map(colour => mixed(colour, free, 0.82));
    this.palette = [full, faded, full.map(() => channels(this.colours.accent)), full];
    this.fills = this.palette.map(row => row.map(([r, g, b]) => `rgb(${r}, ${g}, ${b})`));
    this.pixels = this.palette.map(row => row.map(packed));
    this.specks = this.palette.map(row => row.map(colour => packed(mixed(colour, free, 0.45))));
    this.freePixel = packed(free);
  }

  /** Which of the colours of a mark a box has. */
  colourOf(scene, box) { return scene.classOf[box] * shades + box % shades; }

  /** Draws all. marks has how each box stands out, or is null. */
  paint(view, marks) {
    const { context } = this;
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.fillStyle = this.colours.page;
    context.fillRect(0, 0, this.width, this.height);
    context.lineWidth = 1;
    this.bytesAxis(view);
    this.boxes(view, marks);
    this.lines(view);
    this.load(view);
    this.entriesAxis(view);
  }

  text(text, x, y, align, colour, weight = 400, size = 11) {
    const { context } = this;
    context.font = `${weight} ${size}px ${this.font}`;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  /** A line of one pixel, whole or dashed. */
  line(x0, y0, x1, y1, colour, dash = [], width = 1) {
    const { context } = this;
    const sharp = n => Math.round(n) + 0.5;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(sharp(x0), sharp(y0));
    context.lineTo(sharp(x1), sharp(y1));
    context.stroke();
    context.setLineDash([]);
  }

  bytesAxis(view) {
    const { plot } = view;
    const { at, step } = ticks(view.low, view.high, plot.height / 52, 1);
    for (const byte of at) {
      const y = view.y(byte);
      this.line(plot.left - 4, y, plot.left, y, this.colours.frame);
      this.text(tickText(byte, step, view.high), plot.left - 8, y, "right", this.colours.quiet);
    }
  }

  entriesAxis(view) {
    const { plot, scene } = view;
    const bottom = plot.top + plot.height;
    const { at, step } = ticks(view.from, view.to, plot.width / 80, 1);
    const wide = plot.width * step / (view.to - view.from);
    this.line(plot.left, bottom, plot.left + plot.width, bottom, this.colours.frame);
    for (const entry of at) {
      // One entry wide, a number stands under the middle of its entry.
      const x = view.x(step === 1 ? entry + 0.5 : entry);
      if (x > plot.left + plot.width + 1) continue;
      this.line(view.x(entry), bottom, view.x(entry), bottom + 4, this.colours.frame);
      const half = 3.2 * grouped(entry).length;
      this.text(grouped(entry), Math.min(x, this.width - half), bottom + 13, "center", this.colours.quiet);
      const name = step === 1 && wide > 50 ? scene.entryName(entry) : "";
      if (name) this.text(clipped(name, Math.floor(wide / 6.5)), x, bottom + 27, "center", this.colours.quiet);
    }
    if (step !== 1 || !scene.source.entries?.length) this.text("entry", plot.left - 8, bottom + 13, "right", this.colours.quiet);
  }

  /** The load of each pixel's entries, as an area above the map, with its greatest and the lower bound. */
  load(view) {
    const { context, colours } = this, { plot, scene } = view;
    const bottom = margin.top + margin.load, greatest = Math.max(scene.peakLoad, scene.bound, 1);
    const height = load => load / greatest * margin.load;
    const loads = this.loadByPixel(view);
    context.fillStyle = colours.load;
    context.beginPath();
    context.moveTo(plot.left, bottom);
    loads.forEach((load, x) => {
      context.lineTo(plot.left + x, bottom - height(load));
      context.lineTo(plot.left + x + 1, bottom - height(load));
    });
    context.lineTo(plot.left + loads.length, bottom);
    context.fill();
    this.line(plot.left, bottom, plot.left + plot.width, bottom, colours.frame);
    const y = bottom - height(scene.bound);
    this.line(plot.left, y, plot.left + plot.width, y, colours.text, [4, 4]);
    if (scene.peakLoad) this.text(bytesText(scene.peakLoad), plot.left - 8, bottom - height(scene.peakLoad) + 4, "right", colours.quiet);
    this.text("load", plot.left - 8, bottom - 5, "right", colours.quiet);
    this.peak(view);
  }

  loadByPixel(view) {
    const { scene, plot } = view;
    const loads = new Float64Array(Math.floor(plot.width));
    const { stepAt, stepLoad } = scene;
    for (let i = Math.max(firstAbove(stepAt, view.from) - 1, 0); i < stepAt.length && stepAt[i] < view.to; i++) {
      const end = Math.min(view.x(stepAt[i + 1] ?? stepAt[i]) - plot.left, loads.length);
      for (let x = Math.max(Math.floor(view.x(stepAt[i]) - plot.left), 0); x < end; x++) loads[x] = Math.max(loads[x], stepLoad[i]);
    }
    return loads;
  }

  peak(view) {
    const { context, colours } = this, { plot, scene } = view;
    const bottom = plot.top + plot.height;
    const x = view.x(scene.peak + 0.5);
    if (!scene.count || x < plot.left || x > plot.left + plot.width) return;
    const [left, right] = [Math.max(view.x(scene.peak), plot.left), Math.min(view.x(scene.peak + 1), plot.left + plot.width)];
    if (right - left > 6) {
      context.globalAlpha = 0.16;
      context.fillStyle = colours.accent;
      context.fillRect(left, margin.top, right - left, bottom - margin.top);
      context.globalAlpha = 1;
    }
    // A band is enough where it is wide; a line would go through the names.
    this.line(x, margin.top - 4, x, right - left > 40 ? margin.top + margin.load : bottom + 4, colours.accent, [], 1.5);
    const label = `peak, entry ${grouped(scene.peak)}`;
    this.text(label, Math.min(Math.max(x, plot.left + 44), plot.left + plot.width - 44), margin.top - 11, "center", colours.accent, 600);
  }

  /** Marks the arena's size and the lower bound across the map. */
  lines(view) {
    const { colours } = this, { plot, scene } = view;
    const seen = byte => byte >= view.low && byte <= view.high;
    const right = plot.left + plot.width;
    const atBound = scene.bound >= scene.size;
    const sizeY = view.y(scene.size), boundY = view.y(scene.bound);
    if (seen(scene.size)) {
      this.line(plot.left, sizeY, right, sizeY, colours.text);
      this.caption(atBound ? "arena = lower bound" : "arena", right - 4, sizeY - 8);
    }
    if (atBound || !seen(scene.bound)) return;
    this.line(plot.left, boundY, right, boundY, colours.text, [5, 4]);
    this.caption(`lower bound ${bytesText(scene.bound)}`, right - 4, boundY - sizeY < 22 ? boundY + 10 : boundY - 8);
  }

  /** A word over the map, readable on whatever lies below it. */
  caption(text, x, y) {
    const { context, colours } = this;
    context.font = `500 11px ${this.font}`;
    const width = context.measureText(text).width;
    context.globalAlpha = 0.82;
    context.fillStyle = colours.page;
    context.fillRect(x - width - 3, y - 7, width + 6, 14);
    context.globalAlpha = 1;
    this.text(text, x, y, "right", colours.text, 500);
  }

  /** The boxes: small ones first, into an image, then large ones over it. */
  boxes(view, marks) {
    const { scene, plot } = view, { context, density } = this;
    const grid = new PixelGrid(view, density), image = this.newImage(view, grid);
    const shapes = [], specks = [];
    scene.eachIn(view.from, view.to, box => {
      if (scene.low[box] > view.high || scene.high[box] < view.low) return;
      const left = grid.column(scene.first[box]), right = grid.column(scene.end[box]);
      const top = grid.row(scene.high[box]), bottom = grid.row(scene.low[box]);
      if (left === right || top === bottom) specks.push(box);
      else if ((right - left) * (bottom - top) >= shapeArea) shapes.push(box);
      else this.fillPixels(image, left, right, top, bottom, this.pixels[marks?.[box] ?? plain][this.colourOf(scene, box)]);
    });
    image.done.fill(0);
    for (const box of specks) this.speck(image, grid, scene, box, this.specks[marks?.[box] ?? plain][this.colourOf(scene, box)]);
    context.putImageData(image.data, grid.left, grid.top);
    context.save();
    context.beginPath();
    context.rect(plot.left, plot.top, plot.width, plot.height);
    context.clip();
    for (const box of shapes) this.shape(view, grid, box, marks?.[box] ?? plain);
    context.restore();
  }

  /** An image of the plot: free bytes in the arena, nothing above it. */
  newImage(view, grid) {
    const { width, height } = grid;
    if (this.image?.width !== width || this.image?.height !== height) {
      const data = this.context.createImageData(width, height);
      this.image = { data, width, height, pixels: new Uint32Array(data.data.buffer), done: new Int32Array(height) };
    }
    const above = grid.row(view.scene.size) * width;
    this.image.pixels.fill(packed(channels(this.colours.page)), 0, above);
    this.image.pixels.fill(this.freePixel, above);
    return this.image;
  }

  /** Fills a box but for the gap to its neighbours. */
  fillPixels(image, left, right, top, bottom, colour) {
    const gap = Math.max(1, Math.round(this.density * 0.6));
    if (right - left > 3 * gap) right -= gap;
    if (bottom - top > 3 * gap) top += gap;
    for (let y = top; y < bottom; y++) image.pixels.fill(colour, y * image.width + left, y * image.width + right);
  }

  /**
   * Hints at a box that covers the middle of no pixel, where nothing else is. They come in the order of their left edges, so that in
   * each row what lies before the furthest right edge is done: a pixel is looked at once, however many share it.
   */
  speck(image, grid, scene, box, colour) {
    const { width, pixels, done } = image;
    const left = grid.column(scene.first[box]), top = grid.row(scene.high[box]);
    const end = Math.min(Math.max(grid.column(scene.end[box]), left + 1), width);
    const last = Math.min(Math.max(grid.row(scene.low[box]), top + 1), image.height);
    for (let y = top; y < last; y++) {
      for (let x = Math.max(left, done[y]); x < end; x++) {
        if (pixels[y * width + x] === this.freePixel) pixels[y * width + x] = colour;
      }
      done[y] = Math.max(done[y], end);
    }
  }

  shape(view, grid, box, mark) {
    const { context, density } = this, { scene } = view;
    const gap = Math.max(1, Math.round(density * 0.6)) / density;
    const left = (grid.left + grid.column(scene.first[box])) / density, top = (grid.top + grid.row(scene.high[box])) / density + gap;
    const width = (grid.left + grid.column(scene.end[box])) / density - gap - left, height = (grid.top + grid.row(scene.low[box])) / density - top;
    context.fillStyle = this.fills[mark][this.colourOf(scene, box)];
    context.fillRect(left, top, width, height);
    if (scene.held(box)) this.hatch(left, top, width, height, this.onClasses[scene.classOf[box]]);
    if (mark === related) this.dashed(left, top, width, height);
    if (width > 26 && height > 12) this.boxName(view, box, mark, left, top, width, height);
  }

  /** Marks what is held with lines across it. */
  hatch(left, top, width, height, colour) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.globalAlpha = 0.35;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = left - height; x < left + width; x += 7) {
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
    }
    context.stroke();
    context.restore();
  }

  dashed(left, top, width, height) {
    const { context } = this;
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    context.strokeRect(left + 1, top + 1, width - 2, height - 2);
    context.setLineDash([]);
  }

  boxName(view, box, mark, left, top, width, height) {
    const { scene } = view;
    const colour = mark === chosen ? this.colours["on-accent"] : mark === faint ? this.colours.quiet : this.onClasses[scene.classOf[box]];
    const size = bytesText(scene.need[box]);
    const room = Math.floor((width - 8) / 6.4), full = scene.name(box);
    const two = height > 30 && size.length <= room;
    if (full.length <= room || room >= leastName) this.text(squeezed(full, room), left + width / 2, top + height / 2 - (two ? 6 : 0), "center", colour, 500);
    if (two) this.text(size, left + width / 2, top + height / 2 + 8, "center", colour);
  }
}

/** The device pixels of a plot. An edge goes to the nearest, so that a box has the pixels whose middle it covers. */
class PixelGrid {
  constructor({ plot, from, to, low, high }, density) {
    this.left = Math.round(plot.left * density);
    this.top = Math.round(plot.top * density);
    this.width = Math.round(plot.width * density);
    this.height = Math.round(plot.height * density);
    this.from = from;
    this.high = high;
    this.perEntry = plot.width * density / (to - from);
    this.perByte = plot.height * density / (high - low);
  }

  column(entry) { return Math.min(Math.max(Math.round((entry - this.from) * this.perEntry), 0), this.width); }
  row(byte) { return Math.min(Math.max(Math.round((this.high - byte) * this.perByte), 0), this.height); }
}

/** The channels of a computed colour, "rgb(r, g, b)". */
function channels(colour) {
  return colour.match(/[\d.]+/g).slice(0, 3).map(Number);
}

/** A colour that is a share of the other one. */
function mixed(colour, other, share) {
  return colour.map((channel, i) => Math.round(channel * (1 - share) + other[i] * share));
}

/** A colour as the pixel of an image, whose bytes are red, green, blue and alpha. */
function packed([r, g, b]) {
  return new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0];
}
