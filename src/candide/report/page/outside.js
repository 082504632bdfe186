// Columns that the page does not carry: the server is asked what their cells say, and the page adds it up.
let refusal = "", turn = 0;
const cellOf = (c) => {
  const text = state[c.position].trim();
  if (c.takes === "number") return isFinite(text.replace(MINUS, "-")) ? Number(text.replace(MINUS, "-")) : text;
  return c.takes === "boolean" && ["true", "false"].includes(text.toLowerCase()) ? text.toLowerCase() === "true" : text;
};
const heard = ({ columns: found, unseen = [] }) => found.map(({ column, cell, contributions }) => ({
  name: column, cell: String(cell) + (unseen.includes(column) ? " (never seen)" : ""), log: classes.map((label) => finite(contributions[label])),
}));
reach = (then) => {
  const given = rest.filter((c) => state[c.position] !== undefined), mine = ++turn;
  const settle = (terms, words) => { if (mine === turn) { outside = terms; refusal = words; then(); } };
  if (!given.length) { settle([], ""); return; }
  fetch("explain", { method: "POST", body: JSON.stringify(Object.fromEntries(given.map((c) => [c.name, cellOf(c)]))) })
    .then(async (reply) => { const told = await reply.json(); settle(reply.ok ? heard(told) : [], reply.ok ? "" : told.error); })
    .catch(() => settle([], "The server does not answer; what it would say of these columns is left out."));
};
const outsideField = (c, id) => {
  const change = () => set(c, box.value.trim() === "" ? undefined : box.value);
  const box = html(c.takes === "document" ? "textarea" : "input", { id, type: c.takes === "document" ? null : "text", placeholder: "?", inputmode: c.takes === "number" ? "decimal" : null, onchange: change });
  fields.set(c.position, () => {
    const text = state[c.position];
    box.className = text === undefined ? "unknown" : "";
    if (document.activeElement !== box || text === undefined) box.value = text === undefined ? "" : text;
  });
  return box;
};
