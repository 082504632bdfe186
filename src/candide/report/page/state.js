// The state: what is known of a row and which class is asked about. It lives in the address.
const state = {};
let asked = facts.asked === null || facts.asked === undefined ? null : facts.asked;
let chosenColumn = null;
const listeners = [];
const CLASS = "~class";

const encode = (c) => (c.kind === "density" ? String(state[c.position]) : c.levels[state[c.position]]);
const decode = (c, text) => {
  if (c.kind !== "density") { const at = c.levels.indexOf(text); return at < 0 ? undefined : at; }
  const x = Number(text);
  return text !== "" && isFinite(x) ? x : undefined;
};
const write = () => {
  const parts = usable.filter((c) => state[c.position] !== undefined).map((c) => [c.name, encode(c)]);
  if (asked !== facts.asked && asked !== null) parts.push([CLASS, classes[asked]]);
  const hash = parts.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
};
const read = () => {
  for (const key of Object.keys(state)) delete state[key];
  asked = facts.asked === undefined ? null : facts.asked;
  for (const part of location.hash.slice(1).split("&")) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    let name, text;
    try { name = decodeURIComponent(part.slice(0, at)); text = decodeURIComponent(part.slice(at + 1)); } catch { continue; }
    if (name === CLASS) { const k = classes.indexOf(text); if (k >= 0) asked = k; continue; }
    const c = usable.find((one) => one.name === name);
    const value = c && decode(c, text);
    if (value !== undefined) state[c.position] = value;
  }
};
const changed = () => { write(); for (const listener of listeners) listener(); };
const set = (c, value) => { if (value === undefined) delete state[c.position]; else state[c.position] = value; changed(); };
const ask = (k) => { asked = k; changed(); };

// The class asked about and its strongest rival, for what is known.
const sides = (p) => {
  const order = p.map((_, k) => k).sort((x, y) => p[y] - p[x]);
  const a = asked === null ? order[0] : asked;
  return [a, order.find((k) => k !== a) ?? a];
};
const now = () => { const terms = known(state), p = posterior(terms), [a, r] = sides(p); return { terms, p, a, r }; };
// Columns by what they are worth, those that say nothing last.
const worth = (c) => (c.beyond && c.alone ? c.alone.mean : c.alone ? c.alone.mean : c.silent ? -1 : 0);
const byWorth = [...usable].sort((x, y) => worth(y) - worth(x));
