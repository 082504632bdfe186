// Ask it: a form on the left; the chance, the waterfall of evidence and the next best question on the right.
const SHOWN = 9;
const CHANCES = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999];
const logit = (p) => Math.log(p / (1 - p));

const fields = new Map();
const field = (c) => {
  const id = "field-" + c.position;
  const name = html("label", { for: id, text: titleOf(c), class: "wrap" });
  if (c.kind === "outside") return [name, outsideField(c, id)];
  if (!isDensity(c)) {
    const select = html("select", { id, onchange: () => set(c, select.value === "" ? undefined : Number(select.value)) },
      html("option", { value: "", text: "unknown" }), c.levels.map((level, v) => html("option", { value: String(v), text: level })));
    fields.set(c.position, () => { const v = state[c.position]; select.value = v === undefined ? "" : String(v); select.className = v === undefined ? "unknown" : ""; });
    return [name, select];
  }
  const [low, high] = c.range, step = c.whole ? 1 : 10 ** floor(Math.log10((high - low) / 200 || 1));
  const slider = html("input", { type: "range", min: low, max: high, step, "aria-label": c.name, oninput: () => set(c, Number(slider.value)) });
  const box = html("input", { id, type: "text", inputmode: "decimal", placeholder: "?", size: 6,
    onchange: () => { const x = typed(c, box.value.trim()); set(c, box.value.trim() === "" || !isFinite(x) ? undefined : x); } });
  fields.set(c.position, () => {
    const x = state[c.position];
    slider.value = x === undefined ? (low + high) / 2 : x;
    slider.className = box.className = x === undefined ? "unknown" : "";
    if (document.activeElement !== box || x === undefined) box.value = x === undefined ? "" : told(c, x, 6);
  });
  return [name, html("span", { class: c.clock ? "number clock" : "number" }, slider, box)];
};

// The fields that are folded are made when they are first wanted: a wide table has a hundred thousand options.
let unfold = () => {};
const form = (place) => {
  const askable = byWorth.filter((c) => c.speaks ? !c.silent : joint.some((j) => j.columns.includes(c.position)));
  const silent = byWorth.filter((c) => !askable.includes(c)), isKnown = (c) => state[c.position] !== undefined;
  const all = [...askable, ...rest, ...silent];
  const order = [...all.filter(isKnown), ...all.filter((c) => !isKnown(c))];
  const row = (c) => html("div", { class: "field", "data-name": c.name.toLowerCase() }, field(c));
  const more = order.slice(SHOWN);
  const filter = order.length >= 30 && html("input", { type: "search", placeholder: "find a column", "aria-label": "Find a column", oninput: () => {
    const wanted = filter.value.toLowerCase();
    unfold();
    place.querySelectorAll(".field").forEach((row) => { row.hidden = wanted !== "" && !row.dataset.name.includes(wanted); });
    if (wanted && folded) folded.open = true;
  } });
  const folded = more.length ? details(`${more.length} more column${more.length > 1 ? "s" : ""}`) : null;
  unfold = () => { if (more.length) folded.append(...more.splice(0).map((c) => { const made = row(c); fields.get(c.position)(); return made; })); };
  folded?.addEventListener("toggle", unfold);
  put(place, filter, order.slice(0, SHOWN).map(row), folded);
};

let opened = null;
const waterfall = (place, { terms, a, r }) => {
  const steps = terms.map((t) => ({ ...t, by: clamp(difference(t.log[a], t.log[r])), exact: difference(t.log[a], t.log[r]) }))
    .filter((t) => t.by !== 0).sort((x, y) => abs(y.by) - abs(x.by));
  const shown = steps.slice(0, 14), rest = steps.slice(14);
  if (rest.length) shown.push({ name: `${rest.length} more`, cell: "", by: rest.reduce((s, t) => s + t.by, 0), exact: rest.reduce((s, t) => s + t.exact, 0) });
  const start = clamp(prior[a] - prior[r]);
  let at = start;
  const ends = shown.map((t) => (at += t.by));
  const end = ends.length ? ends[ends.length - 1] : start;
  const variance = variances(terms), spread = terms.every((t) => t.variance) ? NORMAL * sqrt(variance[a] + variance[r]) : 0;
  const width = widthOf(place), narrow = width < 560, left = narrow ? 8 : min(210, width * 0.3), row = narrow ? 40 : 29, top = 26;
  const low = min(start, ...ends, end - spread, -1.1) - 0.25, high = max(start, ...ends, end + spread, 1.1) + 0.25;
  const x = scale(low, high, left + 6, width - 64), height = top + row * (shown.length + 2) + 8;
  const marks = [];
  let room = -Infinity;
  for (const p of CHANCES) {
    const here = x(logit(p));
    if (logit(p) < low || logit(p) > high) continue;
    marks.push(line(here, top - 4, here, height - 6, p === 0.5 ? "zero" : "grid"));
    const text = p < 0.01 || p > 0.99 ? share(p, p < 0.001 || p > 0.999 ? 2 : 1) : share(p, 0);
    if (here - room > 44) { marks.push(noted(here, 12, text)); room = here; }
  }
  const y = (i) => top + row * i + (narrow ? 27 : row / 2);
  const fit = floor((narrow ? width : left) / 8); // characters that have room
  const title = (i, name, cell, strong) => {
    const told = cell && short(cell, min(18, fit - min(name.length, floor(0.6 * fit)) - 1));
    const words = svg("text", { x: narrow ? 0 : left - 4, y: narrow ? y(i) - 14 : y(i) + 4, "text-anchor": narrow ? "start" : "end", class: (strong ? "strong" : "") + (narrow ? " halo" : "") }, short(name, min(26, fit - told.length)));
    if (cell) words.append(" ", svg("tspan", { class: "muted" }, told));
    words.append(tip(cell ? `${name}: ${cell}` : name));
    return words;
  };
  const body = [title(0, "before anything", "", true), bar(x(start) - 3, y(0) - 9, 6, 18, "ink"), label(x(start) + 8, y(0) + 5, chance(logistic(start)), "start", "strong")];
  let before = start;
  const note = html("p", { class: "muted", "aria-live": "polite" });
  shown.forEach((t, i) => {
    const sum = arithmetic(t, a, r), unveil = () => { opened = t.name; note.textContent = sum; };
    if (t.name === opened) unveil();
    const after = ends[i], l = min(x(before), x(after)), w = abs(x(after) - x(before));
    body.push(group({ class: "step", role: "button", tabindex: 0, "aria-label": sum, onclick: unveil, onkeydown: pressed(unveil) }, svg("rect", { x: 0, y: top + row * (i + 1), width, height: row, class: "hit" }), title(i + 1, t.name, t.cell), line(x(before), y(i) + 8, x(before), y(i + 1) - 8, "link"),
      bar(l, y(i + 1) - 8, max(w, 1.5), 16, t.by > 0 ? "asked" : "rival"), label(l + w + 6, y(i + 1) + 4, factor(t.exact), "start", "muted")));
    before = after;
  });
  const last = shown.length + 1;
  body.push(title(last, "with all of it", "", true), line(x(end), y(last - 1) + 8, x(end), y(last) - 8, "link"),
    line(max(x(end - spread), left), y(last), min(x(end + spread), width), y(last), "whisker"), bar(x(end) - 3, y(last) - 9, 6, 18, "ink"),
    label(min(x(end + spread) + 8, width - 40), y(last) + 5, chance(logistic(end)), "start", "strong"));
  const spoken = shown.map((t) => `${t.name} ${t.cell}: ${factor(t.exact)}`).join("; ");
  const drawn = picture(width, height, `From ${chance(logistic(start))} to ${chance(logistic(end))}. ${spoken}`, marks, body);
  put(place, fill(drawn, { role: "group" }, []), note); // its bars are opened
};

// How a factor comes about: (233+1)/(342+2) = 0.680 against (81+1)/(549+2) = 0.149, ×4.57, +22 points; of what is weighed,
// how often it occurs, and what that counts for.
const arithmetic = (t, a, r) => {
  const end = `${factor(t.exact)}, ${points(t.exact)} points`;
  const c = t.item;
  if (!c || isDensity(c) || !(c.weights || (c.levels && c.occurs))) return `${t.name} ${t.cell}: ${end}`;
  const v = state[c.position], { totals } = tableOf(c);
  if (!c.weights) return `${t.cell}: ${c.occurs[a][v].toFixed(3)} of ${classes[a]} against ${c.occurs[r][v].toFixed(3)} of ${classes[r]}, weighed ${end}`;
  const spelt = (w, s) => (s ? `(${amount(w - s)}+${plain(s)})` : amount(w)), s = c.pseudo || 0;
  const part = (k) => `${spelt(c.weights[k][v], s)}/${spelt(totals[k], s * c.levels.length)} = ${(c.weights[k][v] / totals[k]).toFixed(3)}`;
  return `${t.cell}: ${part(a)} of ${classes[a]} against ${part(r)} of ${classes[r]}, ${end}`;
};

const answer = (place, { terms, p, a, r }) => {
  const range = interval(terms, a);
  const sentence = K === 2
    ? (range ? `${chance(range[0])} to ${chance(range[1])} is credible, for as much as ${amount(facts.rows)} rows can tell` : "")
    : `against ${classes[r]}, ${chance(p[r])}` + (range ? `; ${chance(range[0])} to ${chance(range[1])} is credible` : "");
  put(place, html("p", { class: "chance" }, html("b", { text: chance(p[a]) }), html("span", { class: "label", text: classes[a] })),
    aside(sentence), rest.length && refusal && html("p", { class: "refusal", text: refusal }));
};

const likeliest = (place, { p, a, r }) => {
  if (K === 2) { put(place); return; }
  const order = p.map((_, k) => k).sort((x, y) => p[y] - p[x]).slice(0, 6);
  if (!order.includes(a)) order.push(a);
  put(place, html("ul", { class: "classes" }, order.map((k) => html("li", {},
    button({ "aria-pressed": String(k === a), title: `Ask about ${classes[k]}`, onclick: () => ask(k) },
      html("span", { class: "name", text: classes[k] }),
      svg("svg", { class: "track", width: 240, height: 14, viewBox: "0 0 240 14", "aria-hidden": "true" }, bar(0, 0, 240 * p[k], 14, k === a ? "asked" : k === r ? "rival" : "rest")),
      html("span", { class: "muted", text: chance(p[k]) }))))),
    aside(`What speaks for ${classes[a]} against ${classes[r]}, the likeliest other class; choose another above.`));
};

const next = (place) => {
  const found = questions(state).slice(0, 3).filter((q) => q.information > 1e-6);
  if (!found.length) { put(place); return; }
  const says = (q) => ` settles ${share(max(q.settles, 0), 0)} and ` + (q.turns < 0.0005 ? "cannot turn the answer" : `turns the answer in ${chance(q.turns)} of cases`);
  put(place, html("div", { class: "next" }, html("p", {}, html("b", { text: "Best to find out next" }), html("span", { class: "muted", text: " by how much of the remaining doubt it would settle, on average" })),
    html("ol", {}, found.map((q) => html("li", {}, button({ class: "link", text: q.column.name, onclick: () => focusField(q.column) }), says(q))))));
};
const focusField = (c) => {
  if (!document.getElementById("field-" + c.position)) unfold();
  const input = document.getElementById("field-" + c.position);
  for (let node = input; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  input.focus();
};

// A row to begin with: what the columns of most evidence look like most often.
const example = () => {
  const [a] = sides(normalised(prior));
  for (const c of byWorth.filter((one) => one.speaks && !one.silent).slice(0, 4)) {
    const cells = cellsOf(c), like = occursOf(c)[a];
    const best = like.indexOf(max(...like));
    state[c.position] = isDensity(c) ? (c.whole ? round(cells[best]) : +cells[best].toPrecision(3)) : best;
  }
  changed();
};

const askSection = (section) => {
  const place = section.querySelector(".body");
  const [left, right] = [html("div", { class: "form" }), html("div", {})];
  const [big, bars, falls, then] = [html("div", { class: "answer", role: "status", "aria-live": "polite" }), html("div"), html("div", { class: "figure" }), html("div")];
  put(right, bars, falls, then,
    html("p", { class: "buttons" }, button({ text: "All unknown", onclick: () => { for (const key of Object.keys(state)) delete state[key]; changed(); } }),
      button({ text: "Example", onclick: example })));
  put(place, html("div", { class: "two ask" }, left, html("div", {}, big, right)));
  form(left);
  return () => { const here = now(); fields.forEach((show) => show()); answer(big, here); likeliest(bars, here); waterfall(falls, here); next(then); };
};
