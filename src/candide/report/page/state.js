// The state: what is known of a row and which class is asked about. It lives in the address.
const state = {};
let asked = facts.asked ?? null;
let chosenColumn = null;
const listeners = [];
const CLASS = "~class";

const encode = (c) => (c.levels ? c.levels[state[c.position]] : String(state[c.position]));
const decode = (c, text) => {
  if (c.kind === "outside") return text || undefined;
  if (!isDensity(c)) { const at = c.levels.indexOf(text); return at < 0 ? undefined : at; }
  const x = Number(text);
  return text !== "" && isFinite(x) ? x : undefined;
};
const write = () => {
  const parts = [...usable, ...rest].filter((c) => state[c.position] !== undefined).map((c) => [c.name, encode(c)]);
  if (asked !== facts.asked && asked !== null) parts.push([CLASS, classes[asked]]);
  const hash = parts.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
};
const read = () => {
  for (const key of Object.keys(state)) delete state[key];
  asked = facts.asked ?? null;
  for (const part of location.hash.slice(1).split("&")) {
    let name, text;
    try { [name, text] = part.split("=").map(decodeURIComponent); } catch { continue; }
    if (text === undefined) continue;
    if (name === CLASS) { const k = classes.indexOf(text); if (k >= 0) asked = k; continue; }
    const c = [...usable, ...rest].find((one) => one.name === name);
    const value = c && decode(c, text);
    if (value !== undefined) state[c.position] = value;
  }
};
// What has to be known before anything is drawn; a page that carries all of its columns knows it.
let reach = (then) => then();
const changed = () => { write(); reach(() => listeners.forEach((listener) => listener())); };
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
const worth = (c) => (c.alone ? c.alone.mean : c.silent ? -1 : 0);
const byWorth = [...usable].sort((x, y) => worth(y) - worth(x));
