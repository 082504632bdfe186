// What it learnt: columns ranked by what they are worth, and one column in full.
const doubt = facts.performance ? facts.performance.doubt : -facts.prior.log.reduce((s, l) => s + (l === null ? 0 : exp(l) * l), 0);
const items = [...columns, ...facts.joint].filter((c) => c.alone || c.beyond).sort((x, y) => (y.alone ? y.alone.mean : 0) - (x.alone ? x.alone.mean : 0));
const RANKED = 20;
let allRanked = false;
const shareOf = (m) => [m.mean, m.mean - NORMAL * m.error, m.mean + NORMAL * m.error].map((x) => x / (doubt || 1));

const learntSection = (section) => {
  const place = section.querySelector(".body");
  const [left, right, table] = [html("div"), html("div", { "aria-live": "polite" }), html("div")];
  put(place, html("div", { class: "two" }, left, right), table);
  chosenColumn = items[0] || columns[0];
  const plainly = section.querySelector(".plain .scroll");
  if (plainly) put(table, details("The numbers as a table, in nats", plainly));
  return () => { ranking(left, right); detail(right); };
};

const choose = (c, left, right) => { chosenColumn = c; ranking(left, right); detail(right); };
const ranking = (place, right) => {
  if (!items.length) { put(place); return; }
  const width = widthOf(place), narrow = width < 420, shown = allRanked ? items : items.slice(0, RANKED), beyond = shown.some((c) => c.beyond);
  const left = narrow ? 6 : 134, row = narrow ? 42 : 30, head = 24, height = head + row * shown.length + 6;
  const ends = shown.flatMap((c) => [...(c.alone ? shareOf(c.alone) : []), ...(c.beyond ? shareOf(c.beyond) : [])]);
  const x = scale(min(0, ...ends) - 0.01, max(0.02, ...ends) + 0.01, left, width - 12);
  const grid = ticks(x.invert(left), x.invert(width - 12), (width - left) / 80).map((t) => [line(x(t), head - 4, x(t), height, t === 0 ? "axis" : "grid"), label(x(t), 12, share(t, abs(t) < 0.05 && t !== 0 ? 1 : 0), "middle", "muted")]);
  const rows = shown.map((c, i) => {
    const y = head + row * i + (narrow ? 14 : 0), mid = y + 14, nodes = [];
    let spoken = c.name;
    if (c.beyond) {
      const [m, l, h] = shareOf(c.beyond);
      nodes.push(bar(min(x(0), x(m)), mid - 1, abs(x(m) - x(0)), 11, m >= 0 ? "rest" : "beware"), line(x(l), mid + 4.5, x(h), mid + 4.5, "whisker"));
      spoken += `, beyond the others ${share(m)}`;
    }
    if (c.alone) {
      const [m, l, h] = shareOf(c.alone), at = c.beyond ? mid - 7 : mid;
      nodes.push(line(x(l), at, x(h), at, "whisker light"), dot(x(m), at, 4.5, "hollow"));
      spoken += `, on its own ${share(m)}`;
    }
    return group({ class: "option", role: "option", tabindex: 0, "aria-selected": String(c === chosenColumn), "aria-label": spoken, "data-option": i,
      onclick: () => choose(c, place, right), onkeydown: (event) => optionKey(event, c, i, place, right) },
    svg("rect", { x: 0, y: head + row * i, width, height: row, class: "hit" }), narrow ? named(0, y, c.name, "start", c === chosenColumn ? "strong" : "", width) : named(left - 10, mid + 4, c.name, "end", c === chosenColumn ? "strong" : "", left - 12), nodes);
  });
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.option : undefined;
  put(place, html("h3", { text: "Columns by evidence" }), legend(["ring", "on its own"], ...(beyond ? [["rest", "beyond the others: helps"], ["beware", "repeats them: hurts"]] : [])),
    svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "listbox", "aria-label": "Columns by evidence" }, grid, rows),
    items.length > RANKED && html("p", { class: "buttons" }, html("button", { type: "button", text: allRanked ? `Show ${RANKED}` : `Show all ${items.length}`, onclick: () => { allRanked = !allRanked; ranking(place, right); } })));
  if (focused !== undefined) { const again = place.querySelector(`[data-option="${focused}"]`); if (again) again.focus(); }
};
const optionKey = (event, c, i, place, right) => {
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(c, place, right); return; }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], other = by && place.querySelector(`[data-option="${i + by}"]`);
  if (other) { event.preventDefault(); other.focus(); }
};

const detail = (place) => {
  const c = chosenColumn, { a, r } = now();
  if (!c) { put(place); return; }
  const taken = c.columns ? `${c.columns.length} columns together` : [c.kind === "words" ? `${amount(c.vocabulary)} words` : c.kind === "density" ? `numbers, ${c.distribution}` : c.kind === "bins" ? `${c.levels.length} intervals` : `${(c.levels || []).length} levels`,
    c.missing ? `missing in ${chance(c.missing / facts.rows)} of rows` : ""].filter(Boolean).join(", ");
  const head = html("h3", {}, html("span", { text: c.name, class: "wrap" }), " ", html("span", { class: "pill", text: taken }));
  const advice = c.beyond && html("p", { text: adviceOn(c) });
  if (c.words) { put(place, head, wordLists(c), advice); return; }
  if (c.columns || !(c.weights || c.log)) { put(place, head, advice, html("p", { class: "muted", text: c.columns ? "What these columns say together is in the evidence above." : "No table tells what this column says by itself." })); return; }
  if (c.silent) { put(place, head, html("p", { text: "It says nothing: no form of it tells the classes apart better than chance." })); return; }
  put(place, head, legend(["asked", classes[a]], ["rival", classes[r]]), c.kind === "density" ? densityPicture(place, c, a, r) : levelPicture(place, c, a, r), advice);
};
const adviceOn = (c) => {
  const [m, l, h] = shareOf(c.beyond), p = facts.performance;
  if (h < 0) return `It repeats what other columns say: without it ${share(c.without.accuracy)} are right instead of ${share(p.accuracy)}, and the log-loss goes from ${nats(p.log_loss)} to ${nats(c.without.log_loss)}.`;
  if (l > 0) return `It tells what no other column does: without it ${share(c.without.accuracy)} would be right instead of ${share(p.accuracy)}.`;
  return "With the other columns there, it makes no clear difference.";
};
const wordLists = (c) => html("div", { class: "words" }, c.words.slice(0, 12).map((list, k) => html("div", {}, html("h4", { text: classes[k] }), html("ol", {}, list.slice(0, 10).map((w) => html("li", {}, w.word, " ", html("span", { class: "muted", text: factor(w.nats) })))))));

// How often levels occur in a class: as the model says, or, where its evidence is weighed and so no probability, as counted.
const frequencies = (c, log, k) => {
  const p = log.map((l) => exp(l)), n = c.counts && total(c.counts[k]);
  return n && abs(total(p) - 1) > 1e-6 ? c.counts[k].map((m) => m / n) : p;
};
const levelPicture = (place, c, a, r) => {
  const width = widthOf(place), { log } = tableOf(c), { nats: e } = evidence(c, a, r), mass = massOf(c), p = log.map((l, k) => frequencies(c, l, k));
  let shown = c.levels.map((_, v) => v);
  if (shown.length > 24) { const most = [...shown].sort((v, w) => mass[w] - mass[v]).slice(0, 24); shown = shown.filter((v) => most.includes(v)); }
  const left = min(150, width * 0.34), row = 34, x = scale(0, max(...shown.flatMap((v) => [p[a][v], p[r][v]])) || 1, left, width - 116);
  const rows = shown.map((v, i) => {
    const y = row * i + 4;
    return [named(left - 8, y + 17, c.levels[v], "end", "", left - 10), bar(left, y, x(p[a][v]) - left, 12, "asked"), bar(left, y + 13, x(p[r][v]) - left, 12, "rival"),
      label(x(p[a][v]) + 5, y + 10, share(p[a][v]), "start", "small muted"), label(x(p[r][v]) + 5, y + 23, share(p[r][v]), "start", "small muted"), label(width, y + 17, factor(e[v]), "end", "strong")];
  });
  const heads = ["level", ...classes.slice(0, 12)];
  return [picture(width, row * shown.length + 6, `${c.name} by level`, rows),
    html("p", { class: "muted", text: `How often each level occurs among ${classes[a]} and ${classes[r]}; the factor is what it does to the odds.` + (shown.length < c.levels.length ? ` The ${shown.length} most frequent of ${c.levels.length} levels.` : "") }),
    details("The probabilities as a table", tableHtml(`P(${c.name} given the class)`, heads, c.levels.map((level, v) => [level, ...p.slice(0, 12).map((rowOf) => plain(rowOf[v], 4))])))];
};

// Densities as they are drawn: at the points of the grid, or in steps. Cells of equal mass are narrow where rows are
// many, so a few of them are drawn as one.
const outlines = (c, which) => {
  const curve = (k) => c.log[k].map((l) => exp(finite(l)));
  if (!c.cuts) return { heights: which.map(curve) };
  const edges = [c.range[0], ...c.cuts, c.range[1]], n = edges.length - 1, together = Math.ceil(n / 16);
  const ends = edges.filter((_, i) => i % together === 0 && n - i >= together / 2 || i === n);
  const heights = which.map((k) => {
    const d = curve(k);
    return ends.slice(0, -1).map((from, i) => d.reduce((s, h, j) => s + (edges[j] >= from && edges[j + 1] <= ends[i + 1] ? h * (edges[j + 1] - edges[j]) : 0), 0) / (ends[i + 1] - from || 1));
  });
  return { ends, heights };
};

const densityPicture = (place, c, a, r) => {
  const width = widthOf(place), high = 190, [low, top] = c.view || c.range, inside = (g) => min(top, max(low, g)), linear = scale(low, top, 6, width - 6), x = (g) => linear(inside(g));
  const { ends, heights } = outlines(c, [a, r]), [da, dr] = heights;
  const bars = c.histogram && [a, r].map((k) => { const n = total(c.histogram.counts[k]) || 1, w = c.histogram.edges[1] - c.histogram.edges[0]; return c.histogram.counts[k].map((m) => m / n / w); });
  const most = bars ? max(...bars.flat()) : 0, peak = max(...da, ...dr);
  const y = scale(0, min(max(most, peak), 1.6 * (most || peak)) || 1, high, 16);
  const cap = (d) => max(4, y(d));
  const nodes = [];
  if (bars) bars[0].forEach((_, i) => { const l = x(c.histogram.edges[i]), w = x(c.histogram.edges[i + 1]) - l; nodes.push(bar(l + 0.5, cap(bars[0][i]), w / 2 - 0.5, high - cap(bars[0][i]), "asked faint"), bar(l + w / 2, cap(bars[1][i]), w / 2 - 0.5, high - cap(bars[1][i]), "rival faint")); });
  const outline = (d) => (c.cuts ? d.flatMap((h, i) => [[x(ends[i]), cap(h)], [x(ends[i + 1]), cap(h)]]) : c.grid.map((g, i) => [x(g), cap(d[i])]));
  nodes.push(path(polyline(outline(da)), "curve asked"), path(polyline(outline(dr)), "curve rival dashed"));
  const name = (d, k, kind, shift) => { const i = d.indexOf(max(...d)); return label(min(width - 40, max(40, x(c.cuts ? (ends[i] + ends[i + 1]) / 2 : c.grid[i]))), max(12, cap(d[i]) - shift), short(classes[k], 16), "middle", "strong halo " + kind); };
  nodes.push(name(da, a, "asked", 6), name(dr, r, "rival", 20), line(6, high, width - 6, high, "axis"));
  for (const t of ticks(low, top, width / 90)) nodes.push(line(x(t), high, x(t), high + 4, "axis"), label(x(t), high + 17, plain(t), "middle", "muted"));
  // the strip: above the line a value speaks for the class asked about, below for its rival
  const { nats: e } = evidence(c, a, r), mid = high + 62, limit = max(1, ...e.map((n) => abs(clamp(n)))), s = (n) => mid - (clamp(n) / limit) * 24;
  for (const side of [1, -1]) nodes.push(path(polyline([[x(c.grid[0]), mid], ...c.grid.map((g, i) => [x(g), s(side * e[i] > 0 ? e[i] : 0)]), [x(c.grid[c.grid.length - 1]), mid]]) + "Z", side > 0 ? "asked" : "rival"));
  nodes.push(label(6, high + 36, `speaks for ${short(classes[a])}`, "start", "muted"), label(width - 6, mid + 40, `speaks for ${short(classes[r])}`, "end", "muted"));
  const strongest = e[e.reduce((best, n, i) => (abs(n) > abs(e[best]) ? i : best), 0)];
  return [picture(width, mid + 48, `${c.name}: densities of ${classes[a]} and ${classes[r]}`, nodes),
    html("p", { class: "muted", text: `${bars ? "Bars are the rows learnt from, lines what the model takes them for" : "Lines are what the model takes it for"}; the strip below shows which class a value speaks for, at most ${factor(strongest)}.` })];
};
