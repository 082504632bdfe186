// Nomogram: every column on one scale of points; the chosen values add up to the total, and to a chance.
const ROWS = 8;
let allRows = false;

const nomogramSection = (section) => {
  const place = section.querySelector(".body");
  const body = html("div", { class: "figure" }), folding = html("p", { class: "buttons" });
  put(place, body, folding);
  return () => nomogram(body, folding);
};

const nomogram = (place, folding) => {
  const { terms, a, r } = now(), width = widthOf(place), narrow = width < 560;
  const items = usable.filter((c) => c.speaks && !c.silent).map((c) => ({ c, ...evidence(c, a, r), by: strength(c, a, r) })).sort((x, y) => y.by - x.by);
  const shown = allRows ? items : items.slice(0, ROWS);
  for (const item of items.slice(ROWS)) if (!allRows && state[item.c.position] !== undefined) shown.push(item);
  const left = narrow ? 6 : min(160, width * 0.18), right = width - (narrow ? 6 : 96);
  const every = shown.flatMap(({ c, nats: e }) => { const mass = massOf(c); return e.map((x, v) => (mass[v] > 0.0005 || !isDensity(c) ? clamp(x) * POINTS : 0)); });
  const low = min(-10, ...every) - 6, high = max(10, ...every) + 6;
  const x = scale(low, high, left, right);
  const focused = document.activeElement?.dataset.column;
  const out = [], zero = x(0);
  const head = narrow ? 44 : 34;
  let y = head + 8;
  const axis = [narrow ? label(0, 12, "Points", "start", "strong") : [named(left - 12, 12, `odds of ${classes[a]}`, "end", "muted", left - 14), label(left - 12, 28, "Points", "end", "strong")], line(left, head, right, head, "axis")];
  for (const t of ticks(low, high, (right - left) / 60)) {
    axis.push(line(x(t), head - 5, x(t), head, "axis"), label(x(t), head - 8, signed(t), "middle"));
    if (t % 10 === 0 && (!narrow || x(t) > 64)) axis.push(noted(x(t), head - 24, factor(t / POINTS)));
  }
  for (const item of shown) {
    const row = isDensity(item.c) ? densityRow(item, x, y, left, right, narrow) : levelRow(item, x, y, left, right, narrow);
    const value = state[item.c.position];
    const text = value === undefined ? "unknown, 0 points" : `${cellName(item.c, value)}, ${points(pointsAt(item, value))} points`;
    const drawn = group({ class: "row", tabindex: 0, role: "slider", "data-column": item.c.position, "aria-label": item.c.name, "aria-valuetext": text,
      "aria-valuemin": 0, "aria-valuemax": cellsOf(item.c).length - 1, "aria-valuenow": value === undefined ? 0 : isDensity(item.c) ? nearest(item.c.grid, value) : value,
      onkeydown: (event) => rowKey(event, item.c), onpointerdown: (event) => drag(event, item, x, row) },
    svg("rect", { x: 0, y, width, height: row.height, class: "hit" }), row.nodes,
    narrow ? named(0, y + 14, item.c.name, "start", "strong", width - 60) : named(left - 12, y + row.middle + 4, item.c.name, "end", "strong", left - 14),
    label(width - (narrow ? 2 : 0), narrow ? y + 14 : y + row.middle + 4, value === undefined ? "?" : points(pointsAt(item, value)), "end", value === undefined ? "muted" : "strong"));
    out.push(drawn);
    y += row.height;
    out.push(line(0, y, width, y, "grid"));
  }
  const guide = line(zero, head, zero, y, "zero");
  // the total: what is known adds up, with the prior, to the chance
  const points_ = terms.reduce((s, t) => s + clamp(difference(t.log[a], t.log[r])), 0), start = clamp(prior[a] - prior[r]);
  const reach = max(60, abs(points_ * POINTS) + 10);
  const z = scale(-reach, reach, left, right), lift = narrow ? 18 : 0;
  const foot = [narrow ? label(0, y + 16, "Total points", "start", "strong") : label(left - 12, y + 38, "Total points", "end", "strong"), line(left, y + 34 + lift, right, y + 34 + lift, "axis")];
  for (const t of ticks(-reach, reach, (right - left) / 60)) foot.push(line(z(t), y + 34 + lift, z(t), y + 39 + lift, "axis"), label(z(t), y + 26 + lift, signed(t), "middle"));
  const chanceOf = K > 2 ? `Chance against ${classes[r]}` : `Chance of ${classes[a]}`;
  const base = y + 64 + (narrow ? 40 : 0);
  foot.push(narrow ? named(0, base - 16, chanceOf, "start", "strong", width) : named(left - 12, base + 4, chanceOf, "end", "strong", left - 14), line(left, base, right, base, "axis"));
  let room = -Infinity;
  for (const p of [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999]) {
    const here = z((logit(p) - start) * POINTS);
    if (here < left || here > right) continue;
    foot.push(line(here, base, here, base + 5, "axis"));
    if (here - room > 38) { foot.push(label(here, base + 19, p < 0.01 || p > 0.99 ? share(p, 1) : share(p, 0), "middle")); room = here; }
  }
  const at = z(clamp(points_, reach / POINTS) * POINTS);
  foot.push(line(at, y + 34 + lift, at, base, "ink"), dot(at, y + 34 + lift, 7, points_ >= 0 ? "asked" : "rival"), dot(at, base, 7, "ink"));
  if (!narrow) foot.push(label(width, y + 38, points(points_), "end", "strong"), label(width, base + 4, chance(logistic(start + points_)), "end", "strong"));
  put(place, K > 2 && aside(`${classes[a]} against ${classes[r]}, the likeliest other class: odds and chance are between these two.`),
    svg("svg", { width, height: base + 26, viewBox: `0 0 ${width} ${base + 26}`, role: "group", "aria-label": `Nomogram of ${classes[a]}` }, axis, guide, out, foot));
  put(folding, items.length > ROWS && button({ "aria-expanded": String(allRows), text: allRows ? `Show ${ROWS} columns` : `Show all ${items.length} columns`, onclick: () => { allRows = !allRows; nomogram(place, folding); } }));
  if (focused !== undefined) place.querySelector(`[data-column="${focused}"]`)?.focus();
};

const pointsAt = ({ c, nats: e }, value) => {
  if (!isDensity(c)) return e[value];
  const { a, r } = now(), { log } = said(c, value);
  return difference(log[a], log[r]);
};
const rowKey = (event, c) => {
  const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); set(c, undefined); return; }
  if (by === undefined) return;
  event.preventDefault();
  const value = state[c.position];
  if (isDensity(c)) {
    const step = c.whole ? 1 : (c.range[1] - c.range[0]) / 100, middle = (c.range[0] + c.range[1]) / 2;
    const next = value === undefined ? middle : min(c.range[1], max(c.range[0], value + by * step));
    set(c, c.whole ? round(next) : +next.toPrecision(6));
  } else set(c, value === undefined ? (by > 0 ? 0 : c.levels.length - 1) : min(c.levels.length - 1, max(0, value + by)));
};
// A press or a drag takes the nearest level, or the number at this height of a density.
const drag = (event, item, x, row) => {
  const box = event.currentTarget.ownerSVGElement, size = box.getBoundingClientRect(), zoom = box.viewBox.baseVal.width / size.width;
  const move = (e) => {
    const px = (e.clientX - size.left) * zoom, py = (e.clientY - box.getBoundingClientRect().top) * zoom;
    const value = row.pick(px, py);
    if (value !== state[item.c.position]) set(item.c, value);
  };
  const stop = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", stop); removeEventListener("pointercancel", stop); };
  addEventListener("pointermove", move); addEventListener("pointerup", stop); addEventListener("pointercancel", stop);
  event.preventDefault();
  event.currentTarget.focus();
  move(event);
};

const marker = (x, nats, sd, y) => {
  const at = x(clamp(nats) * POINTS), reach = NORMAL * sd, kind = nats >= 0 ? "asked" : "rival";
  return [line(x(clamp(nats - reach) * POINTS), y, x(clamp(nats + reach) * POINTS), y, "range " + kind), dot(at, y, 7, kind + " chosen")];
};
const levelRow = (item, x, y, left, right, narrow) => {
  const { c, nats: e, sd } = item, mass = massOf(c), value = state[c.position], top = narrow ? 20 : 0;
  const order = e.map((_, v) => v).sort((v, w) => e[v] - e[w]);
  const at = (v) => x(clamp(e[v]) * POINTS);
  const one = order.length <= 7 && placeLabels(order.map((v) => ({ v, x: at(v), text: short(c.levels[v], 16), w: textWidth(short(c.levels[v], 16), v === value) })), left - 4, right + (narrow ? 4 : 40));
  if (one) {
    const under = one.some((l) => l.below), height = top + (under ? 56 : 44), middle = top + 26, my = y + middle;
    const nodes = [line(at(order[0]), my, at(order[order.length - 1]), my, "axis")];
    for (const v of order) nodes.push(dot(at(v), my, 2.5 + 4 * sqrt(mass[v]), "level"));
    if (value === undefined) nodes.push(dot(x(0), my, 7, "unknown")); else nodes.push(marker(x, e[value], sd[value], my));
    for (const l of one) nodes.push(label(l.at, l.below ? my + 22 : my - 10, l.text, "middle", l.v === value ? "strong" : ""));
    return { nodes, height, middle, pick: (px) => order.reduce((best, v) => (abs(at(v) - px) < abs(at(best) - px) ? v : best), order[0]) };
  }
  // a line per level: of many, the nine that move most rows, and the chosen one
  let lines = e.map((_, v) => v);
  if (lines.length > 11) {
    const most = [...lines].sort((v, w) => mass[w] * abs(clamp(e[w])) - mass[v] * abs(clamp(e[v]))).slice(0, 9);
    lines = lines.filter((v) => most.includes(v) || v === value);
  }
  const step = 17, nodes = [];
  lines.forEach((v, i) => {
    const my = y + top + 15 + i * step, px = at(v), side = e[v] >= 0 ? 1 : -1, text = short(c.levels[v], 18);
    const ends = [left - (narrow ? 4 : 10), right + (narrow ? 4 : 60)], rooms = [px - 10 - ends[0], ends[1] - px - 10];
    const fits = textWidth(text) < rooms[side > 0 ? 1 : 0], where = fits ? px + side * 10 : x(0) - side * 10, rightwards = (side > 0) === fits;
    nodes.push(line(x(0), my, px, my, "stem"), v === value ? marker(x, e[v], sd[v], my) : dot(px, my, 2.5 + 4 * sqrt(mass[v]), "level"),
      named(where, my + 4, abs(e[v]) > LIMIT ? `${text} ${points(e[v])}` : text, rightwards ? "start" : "end", v === value ? "strong halo" : "", abs(ends[rightwards ? 1 : 0] - where)));
  });
  const hidden = e.length - lines.length, n = lines.length + (hidden ? 1 : 0), height = top + n * step + 18, middle = top + (n * step) / 2 + 7;
  if (hidden) nodes.push(label(x(0) + 10, y + height - 16, `${hidden} more that move less`, "start", "small muted"));
  if (value === undefined) nodes.push(dot(x(0), y + middle, 7, "unknown"));
  return { nodes, height, middle, pick: (px, py) => lines[max(0, min(lines.length - 1, round((py - y - top - 15) / step)))] };
};
// Labels above their dots where they fit, else below; null where they do not.
const placeLabels = (labels, low, high) => {
  const ends = [-Infinity, -Infinity];
  for (const l of labels) {
    const at = min(high - l.w / 2, max(low + l.w / 2, l.x));
    const place = ends.findIndex((end) => at - l.w / 2 > end + 6);
    if (place < 0 || abs(at - l.x) > 24) return null;
    l.at = at; l.below = place === 1; ends[place] = at + l.w / 2;
  }
  return labels;
};
