// One column of numbers in full: its densities, and the strip of which class a value speaks for.
// Densities as they are drawn: at the points of the grid, or in steps. Cells of equal mass are narrow where rows are
// many, so a few of them are drawn as one.
const outlines = (c, which) => {
  const occurs = occursOf(c), curve = (k) => occurs[k];
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
  for (const t of ticks(low, top, width / 90)) nodes.push(line(x(t), high, x(t), high + 4, "axis"), noted(x(t), high + 17, told(c, t)));
  // the strip: above the line a value speaks for the class asked about, below for its rival
  const { nats: e } = evidence(c, a, r), mid = high + 62, limit = max(1, ...e.map((n) => abs(clamp(n)))), s = (n) => mid - (clamp(n) / limit) * 24;
  for (const side of [1, -1]) nodes.push(path(polyline([[x(c.grid[0]), mid], ...c.grid.map((g, i) => [x(g), s(side * e[i] > 0 ? e[i] : 0)]), [x(c.grid[c.grid.length - 1]), mid]]) + "Z", side > 0 ? "asked" : "rival"));
  nodes.push(label(6, high + 36, `speaks for ${short(classes[a])}`, "start", "muted"), label(width - 6, mid + 40, `speaks for ${short(classes[r])}`, "end", "muted"));
  const strongest = e[e.reduce((best, n, i) => (abs(n) > abs(e[best]) ? i : best), 0)];
  return [picture(width, mid + 48, `${c.name}: densities of ${classes[a]} and ${classes[r]}`, nodes),
    aside(`${bars ? "Bars are the rows learnt from, lines what the model takes them for" : "Lines are what the model takes it for"}; the strip below shows which class a value speaks for${facts.additive ? `, at most ${factor(strongest)}` : ""}.`)];
};
