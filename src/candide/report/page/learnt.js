// What it learnt: columns ranked by what they are worth, and one column in full.
const doubt = facts.performance ? facts.performance.doubt : -facts.prior.log.reduce((s, l) => s + (l === null ? 0 : exp(l) * l), 0);
const items = [...columns, ...facts.joint].filter((c) => c.alone || c.beyond).sort((x, y) => (y.alone ? y.alone.mean : 0) - (x.alone ? x.alone.mean : 0));
const RANKED = 20;
let allRanked = false;
const shareOf = (m) => [m.mean, m.mean - NORMAL * m.error, m.mean + NORMAL * m.error].map((x) => x / (doubt || 1));

const learntSection = (section) => {
  const place = section.querySelector(".body");
  const [left, right, table] = [html("div"), html("div", { "aria-live": "polite" }), html("div")];
  put(place, html("div", { class: items.length ? "two" : "" }, left, right), table);
  chosenColumn = items[0] || columns[0];
  const plainly = section.querySelector(".plain .scroll");
  if (plainly) put(table, details("The numbers as a table, in nats", plainly));
  return () => { ranking(left, right); detail(right); };
};

const choose = (c, left, right) => { chosenColumn = c; ranking(left, right); detail(right); };
const ranking = (place, right) => {
  if (!items.length) { put(place); return; }
  const width = widthOf(place), narrow = width < 420, shown = allRanked ? items : items.slice(0, RANKED), beyond = shown.some((c) => c.beyond);
  const left = narrow ? 6 : 134, row = narrow ? 46 : 30, head = 24, height = head + row * shown.length + 6;
  const ends = shown.flatMap((c) => [...(c.alone ? shareOf(c.alone) : []), ...(c.beyond ? shareOf(c.beyond) : [])]);
  const x = scale(min(0, ...ends) - 0.01, max(0.02, ...ends) + 0.01, left, width - 12);
  const grid = ticks(x.invert(left), x.invert(width - 12), (width - left) / 80).map((t) => [line(x(t), head - 4, x(t), height, t === 0 ? "axis" : "grid"), noted(x(t), 12, share(t, abs(t) < 0.05 && t !== 0 ? 1 : 0))]);
  const rows = shown.map((c, i) => {
    const y = head + row * i + (narrow ? 14 : 0), mid = y + (narrow ? 18 : 14), nodes = [];
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
    svg("rect", { x: 0, y: head + row * i, width, height: row, class: "hit" }), narrow ? named(0, y, c.name, "start", c === chosenColumn ? "strong halo" : "halo", width) : named(left - 10, mid + 4, c.name, "end", c === chosenColumn ? "strong" : "", left - 12), nodes);
  });
  const focused = document.activeElement?.dataset.option;
  put(place, heading("Columns by evidence"), legend(["ring", "on its own"], ...(beyond ? [["rest", "beyond the others: helps"], ["beware", "repeats them: hurts"]] : [])),
    svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "listbox", "aria-label": "Columns by evidence" }, grid, rows),
    items.length > RANKED && html("p", { class: "buttons" }, button({ text: allRanked ? `Show ${RANKED}` : `Show all ${items.length}`, onclick: () => { allRanked = !allRanked; ranking(place, right); } })));
  if (focused !== undefined) place.querySelector(`[data-option="${focused}"]`)?.focus();
};
const optionKey = (event, c, i, place, right) => {
  pressed(() => choose(c, place, right))(event);
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], other = by && place.querySelector(`[data-option="${i + by}"]`);
  if (other) { event.preventDefault(); other.focus(); }
};

const detail = (place) => {
  const c = chosenColumn, { a, r } = now();
  if (!c) { put(place); return; }
  const taken = c.columns ? `${c.columns.length} columns together` : [c.kind === "words" ? `${amount(c.vocabulary)} words` : isDensity(c) ? `numbers, ${c.distribution}` : c.kind === "bins" ? `${c.levels.length} intervals` : `${(c.levels || []).length} levels`,
    c.missing ? `missing in ${chance(c.missing / facts.rows)} of rows` : ""].filter(Boolean).join(", ");
  const head = html("h3", {}, html("span", { text: titleOf(c), class: "wrap" }), " ", html("span", { class: "pill", text: taken }));
  const advice = c.beyond && html("p", { text: adviceOn(c) });
  if (c.words) { put(place, head, wordLists(c), advice); return; }
  if (c.columns || !(c.weights || c.log)) { put(place, head, advice, aside(c.columns ? "What these columns say together is in the evidence above." : "No table tells what this column says by itself.")); return; }
  if (c.silent) { put(place, head, html("p", { text: "It says nothing: no form of it tells the classes apart better than chance." })); return; }
  put(place, head, legend(["asked", classes[a]], ["rival", classes[r]]), isDensity(c) ? densityPicture(place, c, a, r) : levelPicture(place, c, a, r), advice);
};
const adviceOn = (c) => {
  const [m, l, h] = shareOf(c.beyond), p = facts.performance;
  if (h < 0) return `It repeats what other columns say: without it ${share(c.without.accuracy)} are right instead of ${share(p.accuracy)}, and the log-loss goes from ${nats(p.log_loss)} to ${nats(c.without.log_loss)}.`;
  if (l > 0) return `It tells what no other column does: without it ${share(c.without.accuracy)} would be right instead of ${share(p.accuracy)}.`;
  return "With the other columns there, it makes no clear difference.";
};
const wordLists = (c) => [html("div", { class: "words" }, c.words.slice(0, 12).map((list, k) => html("div", {}, html("h4", { text: classes[k] }), html("ol", {}, list.slice(0, 10).map((w) => html("li", {}, w.word, " ", html("span", { class: "muted", text: factor(w.nats) }))))))), c.shares && aside("The factor is what a word does to the odds as all that a document says; among others it may do more or less.")];

const levelPicture = (place, c, a, r) => {
  const width = widthOf(place), { nats: e } = evidence(c, a, r), mass = massOf(c), p = occursOf(c);
  let shown = c.levels.map((_, v) => v);
  if (shown.length > 24) { const most = [...shown].sort((v, w) => mass[w] - mass[v]).slice(0, 24); shown = shown.filter((v) => most.includes(v)); }
  const left = min(150, width * 0.34), row = 34, x = scale(0, max(...shown.flatMap((v) => [p[a][v], p[r][v]])) || 1, left, width - 116);
  const rows = shown.map((v, i) => {
    const y = row * i + 4;
    return [named(left - 8, y + 17, c.levels[v], "end", "", left - 10), bar(left, y, x(p[a][v]) - left, 12, "asked"), bar(left, y + 13, x(p[r][v]) - left, 12, "rival"),
      label(x(p[a][v]) + 5, y + 10, share(p[a][v]), "start", "small muted"), label(x(p[r][v]) + 5, y + 23, share(p[r][v]), "start", "small muted"), facts.additive && label(width, y + 17, factor(e[v]), "end", "strong")];
  });
  const heads = ["level", ...classes.slice(0, 12)];
  return [picture(width, row * shown.length + 6, `${c.name} by level`, rows),
    aside(`How often each level occurs among ${classes[a]} and ${classes[r]}${facts.additive ? "; the factor is what it does to the odds" : ""}.` + (shown.length < c.levels.length ? ` The ${shown.length} most frequent of ${c.levels.length} levels.` : "")),
    details("The probabilities as a table", tableHtml(`P(${c.name} given the class)`, heads, c.levels.map((level, v) => [level, ...p.slice(0, 12).map((rowOf) => plain(rowOf[v], 4))])))];
};
