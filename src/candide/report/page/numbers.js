// Numbers as a person reads them; the same rules as shares.py and report/numbers.py, with spaces that do not break.
const { min, max, abs, exp, sqrt, round, floor, hypot } = Math;
const POINTS = 10 / Math.LN2;
const total = (row) => row.reduce((a, b) => a + b, 0);
const MINUS = "\u2212";
const JOINT = "\u202f";
const PERCENT = JOINT + "%";

const chance = (p) => {
  const percent = 100 * p;
  if (percent < 0.1) return "<" + JOINT + "0.1" + PERCENT;
  if (percent > 99.9) return ">" + JOINT + "99.9" + PERCENT;
  return percent.toFixed(percent >= 10 && percent <= 90 ? 0 : 1) + PERCENT;
};
// Nearly all is not all, and next to nothing not nothing.
const share = (p, digits = 1) => {
  const percent = (100 * p).toFixed(digits);
  const least = 10 ** -digits;
  if (+percent === 100 && p < 1) return ">" + JOINT + (100 - least).toFixed(digits) + PERCENT;
  if (+percent === 0) return (p > 0 ? "<" + JOINT + least.toFixed(digits) : (0).toFixed(digits)) + PERCENT;
  return percent.replace("-", MINUS) + PERCENT;
};
const factor = (nats) => {
  const sign = nats < 0 ? "÷" : "×";
  if (!isFinite(nats)) return sign + "∞";
  const exponent = abs(nats) / Math.LN10;
  if (exponent >= 6) return sign + "10" + [...exponent.toFixed(0)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("");
  const by = exp(abs(nats));
  if (+by.toFixed(2) < 2) return by.toFixed(2) === "1.00" ? "×1" : sign + by.toFixed(2);
  return sign + (+by.toFixed(1) < 10 ? by.toFixed(1).replace(/\.0$/, "") : amount(round(by)));
};
const signed = (n) => (n > 0 ? "+" + amount(n) : n < 0 ? MINUS + amount(-n) : "0");
const points = (nats) => (isFinite(nats) ? signed(round(POINTS * nats)) : nats > 0 ? "+∞" : MINUS + "∞");
const amount = (n) => (Number.isInteger(n) ? n : +n.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 6 });
const nats = (x) => (x === null || x === undefined ? "–" : x.toFixed(3).replace("-", MINUS));
const short = (name, length = 22) => (name.length <= length ? name : name.slice(0, length - 1).trimEnd() + "…");
const plain = (x, digits = 4) => String(+x.toPrecision(digits)).replace("-", MINUS);
// A number of a column: of seconds the part of their date that tells it.
const told = (c, x, digits) => (c.clock ? new Date(1000 * x).toISOString().slice(...c.clock).replace("T", " ") : plain(x, digits) + (c.unit || ""));
const typed = (c, text) => (c.clock ? Date.parse((c.clock[0] ? "1970-01-01T" + text : text.replace(" ", "T") + "T00:00").slice(0, 16) + "Z") / 1000 : Number(text.replace(MINUS, "-")));

// Round numbers that cut an interval into about n parts.
const ticks = (low, high, n) => {
  const raw = (high - low) / max(n, 1);
  const power = 10 ** floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
  const out = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step) out.push(+x.toPrecision(12));
  return out;
};
