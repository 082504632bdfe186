// Elements: names reach the page by textContent only, and geometry by SVG attributes.
const SVG = "http://www.w3.org/2000/svg";
const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (["value", "checked", "selected", "disabled"].includes(name) && !(node instanceof SVGElement)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
};
const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const picture = (width, height, label, ...children) =>
  svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, children);
const group = (attributes, ...children) => svg("g", attributes, children);
const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });
const bar = (x, y, width, height, kind) => svg("rect", { x, y, width: max(0, width), height: max(0, height), class: kind });
const dot = (cx, cy, r, kind) => svg("circle", { cx, cy, r, class: kind });
const diamond = (x, y, r, kind) => svg("path", { d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`, class: kind });
const label = (x, y, text, anchor = "start", kind = "") => svg("text", { x, y, "text-anchor": anchor, class: kind, text });
const tip = (text) => svg("title", { text });
const noted = (x, y, text) => label(x, y, text, "middle", "muted");
const aside = (text) => html("p", { class: "muted", text });
const heading = (text) => html("h3", { text });
const button = (attributes, ...children) => html("button", { type: "button", ...attributes }, children);
const pressed = (act) => (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } };
const path = (d, kind) => svg("path", { d, class: kind });
const polyline = (xy) => xy.map(([x, y], i) => (i ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");

const ruler = document.createElement("canvas").getContext("2d");
const textWidth = (text, bold) => { ruler.font = `${bold ? "600 " : ""}13px system-ui, sans-serif`; return ruler.measureText(text).width; };
// A name that fits into some pixels, whole in its tooltip; where it ends in a number, the number is kept.
const fit = (text, room, bold) => {
  if (textWidth(text, bold) <= room) return text;
  const tail = text.length > 8 && text.slice(-1) >= "0" && text.slice(-1) <= "9" ? text.slice(-4) : "";
  let head = text.slice(0, text.length - tail.length);
  while (head.length > 1 && textWidth(head + "…" + tail, bold) > room) head = head.slice(0, -1);
  return head.trimEnd() + "…" + tail;
};
const named = (x, y, text, anchor, kind, room) => {
  const shown = fit(text, room, kind && kind.includes("strong"));
  return svg("text", { x, y, "text-anchor": anchor, class: kind }, shown, shown !== text && tip(text));
};
const scale = (from, to, low, high) => { const f = (x) => low + ((x - from) / (to - from || 1)) * (high - low); f.invert = (y) => from + ((y - low) / (high - low || 1)) * (to - from); return f; };
const put = (place, ...children) => place.replaceChildren(...children.flat(Infinity).filter(Boolean));
const widthOf = (place) => max(260, floor(place.clientWidth || 600));
const legend = (...entries) => html("p", { class: "legend" }, entries.map(([kind, text]) => html("span", {}, html("i", { class: "mark " + kind, "aria-hidden": "true" }), text)));
const details = (summary, ...children) => html("details", {}, html("summary", { text: summary }), children);
const tableHtml = (caption, heads, rows) => html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
  html("table", {}, html("caption", { text: caption }), html("thead", {}, html("tr", {}, heads.map((h) => html("th", { scope: "col", text: h })))),
    html("tbody", {}, rows.map((row) => html("tr", {}, row.map((cell, i) => html(i ? "td" : "th", { scope: i ? null : "row", text: cell })))))));
