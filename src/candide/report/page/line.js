// Where to draw the line between two classes: a threshold, what it means in costs, and the confusion there.
const drawLine = (middle, right, a) => {
  const r = 1 - a, { roc } = perf.classes[a], P = total(perf.confusion[a]), N = perf.rows - P;
  const cells = html("div"), text = html("p", { class: "muted", role: "status" });
  const show = () => {
    const at = stepAt(roc, threshold), found = roc.found[at], alarms = roc.false[at];
    const cell = (n, of, good) => html("td", { class: good ? "good" : "bad" }, html("b", { text: amount(n) }), html("small", { text: !of ? "–" : n && n < of ? chance(n / of) : share(n / of, 0) }));
    put(cells, html("table", { class: "confusion" }, html("thead", {}, html("tr", {}, html("td"), [a, r].map((k) => html("th", { scope: "col", text: "said " + short(classes[k], 14) })))),
      html("tbody", {}, html("tr", {}, html("th", { scope: "row", text: "was " + short(classes[a], 14) }), cell(found, P, true), cell(P - found, P, false)), html("tr", {}, html("th", { scope: "row", text: "was " + short(classes[r], 14) }), cell(alarms, N, false), cell(N - alarms, N, true)))));
    const ratio = (1 - threshold) / threshold, cost = roc.found.map((n, i) => ratio * (P - n) + roc.false[i]), best = roc.threshold[cost.indexOf(min(...cost))];
    const times = ratio > 1.005 ? `${plain(ratio, 2)} times as much as a false alarm` : ratio < 0.995 ? `a ${plain(1 / ratio, 2)}th of a false alarm`.replace("a 2th", "half") : "as much as a false alarm";
    put(text, `Saying “${classes[a]}” from ${share(threshold, 0)} on is right for ${share((found + N - alarms) / perf.rows)} of rows. If its chances were honest it would be the cheapest rule where missing one costs ${times}; on these rows the cheapest was ${share(best, 0)}.`);
    curvePicture(middle, a, show);
  };
  const slider = html("input", { id: "threshold", type: "range", min: 1, max: 99, step: 1, value: round(100 * threshold), oninput: () => { threshold = slider.value / 100; slider.setAttribute("aria-valuetext", share(threshold, 0)); show(); } });
  put(right, heading("Where to draw the line"), cells, html("label", { for: "threshold", class: "muted", text: "Threshold" }), slider, text);
  show();
};
