// Columns of numbers in the nomogram: the value runs down, its points run across.
const nearest = (grid, value) => grid.reduce((best, g, i) => (abs(g - value) < abs(grid[best] - value) ? i : best), 0);
const densityRow = (item, x, y, left, right, narrow) => {
  const { c, nats: e, sd } = item, top = (narrow ? 20 : 0) + 12, tall = 92, value = state[c.position];
  // a table by cells of about equal mass goes down by rank, other densities by value
  const n = c.grid.length, v = c.cuts ? (g) => y + top + (tall * (below(c.cuts, g) + 0.5)) / n : scale(c.range[0], c.range[1], y + top, y + top + tall);
  const near = c.near || c.grid.map(() => 10);
  const across = (n) => max(left, min(right, x(clamp(n) * POINTS)));
  const line_ = c.grid.map((g, i) => [across(e[i]), v(g)]);
  const band = [...c.grid.map((g, i) => [across(e[i] - NORMAL * sd[i]), v(g)]), ...c.grid.map((g, i) => [across(e[i] + NORMAL * sd[i]), v(g)]).reverse()];
  const nodes = [path(polyline(band) + "Z", "band")];
  let run = [];
  const flush = (few) => { if (run.length > 1) nodes.push(path(polyline(run), few ? "curve few" : "curve")); };
  line_.forEach((xy, i) => {
    const few = near[i] < 10, before = i > 0 && near[i - 1] < 10;
    if (i > 0 && few !== before) { flush(before); run = [run[run.length - 1]]; }
    run.push(xy);
  });
  flush(near[near.length - 1] < 10);
  for (const mark of c.cuts ? [0.08, 0.3, 0.5, 0.7, 0.92].map((q) => c.grid[floor(q * n)]) : ticks(c.range[0], c.range[1], 5)) {
    const t = c.whole ? round(mark) : mark, at = across(interpolate(c.grid, e, t));
    nodes.push(dot(at, v(t), 2.2, "ink"), label(at + 8, v(t) + 4, told(c, t, 3), "start", "halo"));
  }
  if (value === undefined) nodes.push(dot(x(0), y + top - 2, 7, "unknown"));
  else { const at = min(c.range[1], max(c.range[0], value)); nodes.push(marker(x, pointsAt(item, value), interpolate(c.grid, sd, at), v(at)), label(across(pointsAt(item, value)) - 11, v(at) + 4, told(c, value, 6), "end", "strong halo")); }
  return { nodes, height: top + tall + 10, middle: top + tall / 2, pick: (px, py) => {
    const number = c.cuts ? c.grid[max(0, min(n - 1, floor(((py - y - top) / tall) * n)))] : min(c.range[1], max(c.range[0], v.invert(py)));
    return c.whole ? round(number) : +number.toPrecision(4);
  } };
};
