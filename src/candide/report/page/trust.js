// How far to trust it: reliability, telling apart, where to draw the line; for many classes the confusion and mistakes.
const perf = facts.performance;
let threshold = 0.5;
let curveKind = "roc";

const trustSection = (section) => {
  const place = section.querySelector(".body");
  const [left, middle, right] = [html("div"), html("div"), html("div")], few = K < 6;
  put(place, html("div", { class: few ? "three" : "two" }, left, few && middle, right), !few && html("div", { class: "two" }, middle));
  return () => { const { a } = now(); reliabilityPicture(left, a); K === 2 ? drawLine(middle, right, a) : manyClasses(middle, right, a); };
};

// A square of shares, with room below.
const frame = (place, room) => {
  const width = min(widthOf(place), 420), size = width - 54, x = scale(0, 1, 44, 44 + size), y = scale(0, 1, 10 + size, 10), nodes = [];
  for (const t of [0, 0.25, 0.5, 0.75, 1]) nodes.push(line(x(0), y(t), x(1), y(t), "grid"), label(x(0) - 6, y(t) + 4, share(t, 0), "end", "muted"), noted(x(t), y(0) + room, share(t, 0)));
  return { width, size, x, y, nodes };
};
const reliabilityPicture = (place, a) => {
  const found = K === 2 ? perf.classes[a] : perf.answers, { width, size, x, y, nodes } = frame(place, 56);
  nodes.push(line(x(0), y(0), x(1), y(1), "zero"), label(x(0) + 6, y(1) + 14, "came true", "start", "muted"));
  const bins = found.reliability;
  nodes.push(path(polyline(bins.map((b) => [x(b.claimed), y(b.came_true)])), "curve asked"));
  for (const b of bins) {
    const off = b.claimed < b.interval[0] || b.claimed > b.interval[1], kind = off ? "beware" : "asked";
    nodes.push(line(x(b.claimed), y(b.interval[0]), x(b.claimed), y(b.interval[1]), "whisker " + kind), group({}, off ? diamond(x(b.claimed), y(b.came_true), 6, kind) : dot(x(b.claimed), y(b.came_true), 4.5, kind),
      tip(`claimed ${chance(b.claimed)}, came true in ${chance(b.came_true)} of ${amount(b.rows)} rows (${chance(b.interval[0])} to ${chance(b.interval[1])})`)));
  }
  const h = found.histogram, most = max(...h.came_true.map((n, i) => n + h.did_not[i])) || 1, deep = scale(0, most, 0, 34), w = size / h.came_true.length;
  h.came_true.forEach((n, i) => nodes.push(bar(x(0) + i * w, y(0) + 4, w - 1, deep(n), "asked"), bar(x(0) + i * w, y(0) + 4 + deep(n), w - 1, deep(h.did_not[i]), "rest faint")));
  put(place, heading("Do its chances come true?"), picture(width, size + 84, "Reliability: what was claimed against what came true", nodes, noted(x(0.5), y(0) + 72, K === 2 ? `chance of ${short(classes[a])} it gave` : "how sure it was of its answer")),
    aside("On the dotted line a claim is honest; where the 95 % interval misses it, a diamond marks it."));
};

const stepAt = (roc, t) => { let at = 0; roc.threshold.forEach((s, i) => { if (s >= t - 1e-9) at = i; }); return at; };
const curvePicture = (place, a, again) => {
  const head = html("h3", { text: K === 2 ? "Telling classes apart" : `Telling ${short(classes[a])} apart` });
  if (perf.classes[a].area === null) { put(place, head, aside(`It takes rows of ${classes[a]} and others to tell apart; here are only the one or the other.`)); return; }
  const { roc, area } = perf.classes[a], { width, size, x, y, nodes } = frame(place, 18), P = total(perf.confusion[a]), N = perf.rows - P;
  const isRoc = curveKind === "roc", at = stepAt(roc, threshold);
  const xy = roc.found.map((n, i) => (isRoc ? [roc.false[i] / (N || 1), n / (P || 1)] : [n / (P || 1), n + roc.false[i] ? n / (n + roc.false[i]) : 1]));
  if (isRoc) xy.unshift([0, 0]);
  const screen = xy.map(([p, q]) => [x(p), y(q)]), [px, py] = xy[at + (isRoc ? 1 : 0)];
  nodes.push(path(polyline([[x(0), y(0)], ...screen, [x(1), y(0)]]) + "Z", "asked veil"), path(polyline(screen), "curve asked"), dot(x(px), y(py), 6, "ink"));
  if (isRoc) nodes.push(line(x(0), y(0), x(1), y(1), "zero"), label(x(1) - 8, y(0) - 10, `area ${min(area, area < 1 ? 0.999 : 1).toFixed(3)}`, "end", "strong halo"));
  put(place, head, picture(width, size + 44, isRoc ? "ROC curve: found against false alarms" : "Precision against what is found", nodes, noted(x(0.5), y(0) + 34, isRoc ? "false alarms" : "found")),
    html("p", { class: "muted" }, isRoc ? "Found (up) against false alarms (right); the dot is the threshold. " : "Right when it says so (up) against found (right). ",
      button({ class: "link", text: isRoc ? "Show precision instead" : "Show false alarms instead", onclick: () => { curveKind = isRoc ? "precision" : "roc"; again(); } })));
};
