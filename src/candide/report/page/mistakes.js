// Many classes: the confusion, and the most frequent mistakes.
const manyClasses = (middle, right, a) => {
  const grid = perf.confusion, n = min(K, 50), width = widthOf(right), wide = min(120, width * 0.28), cell = max(4, min(52, floor((width - wide - 6) / n))), tall = max(min(cell, 32), 15), spelt = cell > 38;
  const totals = grid.map(total), nodes = [];
  for (let t = 0; t < n; t++) {
    nodes.push(named(wide - 6, t * tall + tall / 2 + 4, classes[t], "end", t === a ? "small strong" : "small", wide - 8));
    for (let d = 0; d < n; d++) if (grid[t][d] > 0) {
      const part = sqrt(grid[t][d] / (totals[t] || 1)), [x, y] = [wide + d * cell, t * tall];
      nodes.push(group({}, svg("rect", { x, y, width: cell - 1, height: tall - 1, class: t === d ? "rest" : "beware", "fill-opacity": spelt ? 0.08 + 0.27 * part : 0.15 + 0.85 * part }), spelt && label(x + cell / 2, y + tall / 2 + 4, amount(grid[t][d]), "middle", "small"), tip(`was ${classes[t]}, said ${classes[d]}: ${amount(grid[t][d])} (${share(grid[t][d] / totals[t], 0)})`)));
    }
  }
  const mistakes = [];
  grid.forEach((row, t) => row.forEach((m, d) => { if (t !== d && m > 0) mistakes.push([m, t, d]); }));
  mistakes.sort((x, y) => y[0] - x[0]);
  put(right, heading("What it takes for what"), picture(wide + n * cell + 2, n * tall + 2, "Confusion: what was (down) and what was said (across)", nodes),
    aside("Down what was, across what it said, in the same order; grey is right."),
    mistakes.length > 0 && [html("h4", { text: "Most frequent mistakes" }), html("ol", {}, mistakes.slice(0, 5).map(([m, t, d]) => html("li", { text: `${classes[t]} taken for ${classes[d]}: ${amount(m)} of ${amount(totals[t])}` })))]);
  const again = () => curvePicture(middle, a, again);
  again();
};
