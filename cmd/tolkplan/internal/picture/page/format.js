// Numbers and names as people read them.

const units = ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

/** A count of bytes: "512 B", "79.10 MB". Units are of powers of 1000. */
function bytesText(n) {
  n = Number(n);
  if (Math.abs(n) < 1000) return `${n}\u00a0B`;
  let unit = 0;
  // 999.995 would be shown as 1000.00.
  for (n /= 1000; Math.abs(n) >= 999.995 && unit < units.length - 1; n /= 1000) unit++;
  return `${n.toFixed(2)}\u00a0${units[unit]}`;
}

/** A whole number with its thousands apart. Those that a number would round come as strings, and stay exact. */
function grouped(n) {
  return String(BigInt(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A tick of an axis of bytes whose ticks are step apart: all in the unit of the greatest, no more decimals than they need. */
function tickText(n, step, greatest) {
  let unit = -1, scale = 1;
  while (greatest / scale >= 1000 && unit < units.length - 1) {
    scale *= 1000;
    unit++;
  }
  const decimals = Math.max(0, Math.min(15, Math.ceil(-Math.log10(step / scale) - 1e-9)));
  return `${(n / scale).toFixed(decimals)} ${unit < 0 ? "B" : units[unit]}`;
}

function count(n, one, many = one + "s") {
  return n === 1 ? `1 ${one}` : `${grouped(n)} ${many}`;
}

function percentText(part, whole) {
  return `${(100 * part / whole).toFixed(1)}\u00a0%`;
}

/** Text short enough to show, on one line. Names come from files and may be of any length. */
function clipped(text, limit) {
  const short = text.length > 4 * limit ? text.slice(0, 4 * limit) : text;
  const letters = lettersOf(short);
  if (letters.length <= limit && short.length === text.length) return letters.join("");
  return letters.slice(0, limit - 1).join("") + "…";
}

/** Text short enough to show, without its middle: names often differ at their ends. */
function squeezed(text, limit) {
  if (text.length <= limit) return clipped(text, limit);
  const half = (limit - 1) / 2;
  const [start, end] = [lettersOf(text.slice(0, 2 * limit)), lettersOf(text.slice(-2 * limit))];
  return start.slice(0, Math.ceil(half)).join("") + "…" + end.slice(end.length - Math.floor(half)).join("");
}

/** The letters of a text, without what breaks lines or turns the text around it. */
function lettersOf(text) {
  return Array.from(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd"));
}
