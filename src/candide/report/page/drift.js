// What moved: the meaning of columns and what comes in, each beside what chance alone would move.
const MEAN_OF_NORMAL = sqrt(2 / Math.PI);
let moved = null;

const driftSection = (section) => {
  const place = section.querySelector(".body"), [left, right] = [html("div"), html("div")];
  put(place, html("p", { class: "lead", text: facts.drift.sentence || "" }), legend(["ring", "before"], ["ink", "after"], ["faint", "what chance alone would move"]), html("div", { class: "two" }, left, right));
  return () => { const [a, r] = driftSides(); movedList(left, right, a, r); dumbbells(right, a, r); };
};
const driftSides = () => { const { a, r } = now(), place = (k) => max(0, facts.drift.classes.indexOf(classes[k])); return [place(a), place(r)]; };

const movement = (c, a, r) => {
  const points_ = (t) => t.log[a].map((l, v) => clamp(difference(finite(l), finite(t.log[r][v]))) * POINTS);
  const spread = (t) => t.sd[a].map((s, v) => hypot(s, t.sd[r][v]) * POINTS);
  const [b, n] = [points_(c.before), points_(c.after)], [sb, sn] = [spread(c.before), spread(c.after)];
  const [nb, nn] = [c.before, c.after].map((t) => total(t.counts) || 1);
  const sum = (f) => b.reduce((s, _, v) => s + f(v), 0), pa = (v) => c.after.counts[v] / nn, pb = (v) => c.before.counts[v] / nb;
  return {
    c, b, n, sb, sn,
    means: sum((v) => pa(v) * abs(n[v] - b[v])),
    meansByChance: sum((v) => pa(v) * MEAN_OF_NORMAL * hypot(sb[v], sn[v])),
    comes: sum((v) => abs(pa(v) - pb(v)) / 2),
    comesByChance: sum((v) => { const p = (c.before.counts[v] + c.after.counts[v]) / (nb + nn); return (MEAN_OF_NORMAL / 2) * sqrt(p * (1 - p) * (1 / nb + 1 / nn)); }),
  };
};

const movedList = (place, right, a, r) => {
  const all = facts.drift.columns.map((c) => movement(c, a, r)).sort((x, y) => y.means - x.means), shown = all.slice(0, 16);
  if (!moved && all.length) moved = all[0].c;
  const width = widthOf(place), left = min(110, width * 0.26), half = (width - left - 24) / 2, row = 26, head = 44, height = head + row * shown.length;
  const x = scale(0, max(5, ...shown.map((m) => max(m.means, m.meansByChance))) * 1.06, left, left + half), z = scale(0, max(0.1, ...shown.map((m) => max(m.comes, m.comesByChance))) * 1.06, left + half + 24, width - 4);
  const nodes = [label(left, 14, half < 160 ? "means, points" : "what it means, points", "start", "strong"), label(left + half + 24, 14, half < 110 ? "comes in" : "what comes in", "start", "strong")];
  for (const t of ticks(0, x.invert(left + half), 3)) nodes.push(line(x(t), head - 6, x(t), height, "grid"), noted(x(t), 32, plain(t)));
  for (const t of ticks(0, z.invert(width - 4), 2)) nodes.push(line(z(t), head - 6, z(t), height, "grid"), noted(z(t), 32, share(t, 0)));
  shown.forEach((m, i) => {
    const y = head + row * i, chosen = m.c === moved, pick = () => { moved = m.c; movedList(place, right, a, r); dumbbells(right, a, r); };
    nodes.push(group({ class: "option", role: "option", tabindex: 0, "aria-selected": String(chosen), "aria-label": `${m.c.name}: means ${m.means.toFixed(1)} points, by chance ${m.meansByChance.toFixed(1)}; comes in ${share(m.comes)}, by chance ${share(m.comesByChance)}`, onclick: pick, onkeydown: pressed(pick) },
      svg("rect", { x: 0, y, width, height: row, class: "hit" }), named(left - 8, y + 17, m.c.name, "end", chosen ? "strong" : "", left - 10), bar(left, y + 5, x(m.meansByChance) - left, 15, "chance"), line(left, y + 13, x(m.means), y + 13, "ink"), dot(x(m.means), y + 13, 4.5, "ink"),
      bar(z(0), y + 5, z(m.comesByChance) - z(0), 15, "chance"), bar(z(0), y + 9, z(m.comes) - z(0), 7, "rest")));
  });
  put(place, heading("Columns, by how far their evidence moved"), svg("svg", { width, height: height + 4, viewBox: `0 0 ${width} ${height + 4}`, role: "listbox", "aria-label": "Columns by how far they moved" }, nodes),
    aside(`Points: mean change of a row’s points for “${facts.drift.classes[a]}”. What comes in: share of rows that went to another level.`));
};

const dumbbells = (place, a, r) => {
  if (!moved) { put(place); return; }
  const m = movement(moved, a, r), width = widthOf(place), left = min(120, width * 0.28), head = 40;
  let shown = moved.levels.map((_, v) => v);
  if (shown.length > 20) { const most = [...shown].sort((v, w) => moved.after.counts[w] + moved.before.counts[w] - moved.after.counts[v] - moved.before.counts[v]).slice(0, 20); shown = shown.filter((v) => most.includes(v)); }
  const ends = shown.flatMap((v) => [m.b[v], m.n[v]]), x = scale(min(-10, ...ends) - 4, max(10, ...ends) + 4, left, width - 10), row = 28, nodes = [];
  for (const t of ticks(x.invert(left), x.invert(width - 10), (width - left) / 70)) nodes.push(line(x(t), head - 4, x(t), head + row * shown.length, t === 0 ? "axis" : "grid"), noted(x(t), 12, factor(t / POINTS)), label(x(t), 29, signed(t), "middle"));
  shown.forEach((v, i) => {
    const y = head + row * i + 9, within = (p) => max(left, min(width - 10, x(p)));
    nodes.push(named(left - 8, y + 8, moved.levels[v], "end", "", left - 10), line(within(m.b[v] - NORMAL * m.sb[v]), y, within(m.b[v] + NORMAL * m.sb[v]), y, "whisker light"), line(within(m.n[v] - NORMAL * m.sn[v]), y + 9, within(m.n[v] + NORMAL * m.sn[v]), y + 9, "whisker"),
      line(x(m.b[v]), y, x(m.n[v]), y + 9, "ink"), dot(x(m.b[v]), y, 4.5, "hollow"), dot(x(m.n[v]), y + 9, 4.5, "ink"));
  });
  put(place, html("h3", {}, html("span", { text: moved.name }), " ", html("span", { class: "pill", text: `${moved.levels.length} level${moved.levels.length === 1 ? "" : "s"}` })), picture(width, head + row * shown.length + 6, `${moved.name} before and after`, nodes),
    aside(`The points of each level for “${facts.drift.classes[a]}”, before (hollow) and after.`));
};
