// The model: a score is a sum of table look-ups, and so are its variance and what a question is worth.
const { classes } = facts;
const K = classes.length;
const columns = facts.columns;
const titleOf = (c) => (c.name === "0" && (c.words || c.takes === "document") ? "The text" : c.name);
const isDensity = (c) => c.kind === "density";
const usable = facts.additive && K > 1 ? columns.filter((c) => c.kind === "levels" || c.kind === "bins" || isDensity(c)) : [];
// Columns that the page does not carry, and what the server said of those that are known.
const rest = (facts.rest || []).map((c, i) => ({ ...c, kind: "outside", position: "rest" + i }));
let outside = [];
const finite = (x) => (x === null ? -Infinity : x);

// ψ₁, by its recurrence up to where its series is exact.
const trigamma = (x) => {
  let out = 0;
  for (; x < 12; x += 1) out += 1 / (x * x);
  const y = 1 / (x * x);
  return out + 1 / x + y / 2 + (y / x) * (1 / 6 - y * (1 / 30 - y * (1 / 42 - y / 30)));
};

// Logarithms by class and cell, made when first asked for; standard deviations cell by cell, since few are drawn.
const tableOf = (c) => {
  if (c.made) return c.made;
  const totals = c.weights && c.weights.map(total);
  const log = c.weights
    ? c.weights.map((row, k) => row.map((w) => (w > 0 ? Math.log(w / totals[k]) : -Infinity)))
    : c.log.map((row) => row.map(finite));
  const sd = c.weights
    ? (k, v) => (c.weights[k][v] > 0 ? sqrt(max(0, trigamma(c.weights[k][v]) - trigamma(totals[k]))) : 0)
    : (k, v) => c.sd[k][v];
  return (c.made = { log, sd, totals });
};

const below = (cuts, x) => {
  let low = 0, high = cuts.length;
  while (low < high) { const m = (low + high) >> 1; if (cuts[m] < x) low = m + 1; else high = m; }
  return low;
};
const interpolate = (knots, row, x) => {
  if (x <= knots[0]) return finite(row[0]);
  if (x >= knots[knots.length - 1]) return finite(row[row.length - 1]);
  const i = below(knots, x), t = (x - knots[i - 1]) / (knots[i] - knots[i - 1]);
  const a = finite(row[i - 1]), b = finite(row[i]);
  return t === 0 ? a : t === 1 ? b : a + t * (b - a);
};

// What the forms of a density say for class k at x; the kinds of `distributions/forms.py`.
const FORMS = {
  steps: (f, k, x) => finite(f.log[k][below(f.cuts, x)]),
  curve: (f, k, x) => interpolate(f.knots, f.log[k], x),
  lookup: (f, k, x) => { const i = f.values.indexOf(x); return i < 0 ? finite(f.unseen) : finite(f.log[k][i]); },
  quadratic: (f, k, x) => {
    const t = f.logarithm ? Math.log(x) : x;
    const out = f.height[k] - (t - f.mean[k]) ** 2 / (2 * f.var[k]);
    return Number.isNaN(out) ? -Infinity : out;
  },
  bell: (f, k, x) => {
    const d2 = (x - f.mean[k]) ** 2;
    return f.height[k] - f.square[k] * d2 - f.power[k] * Math.log1p(f.width[k] * d2);
  },
  linear: (f, k, x) => {
    if ("least" in f && (f.open ? x <= f.least : x < f.least)) return -Infinity;
    if (f.whole && x !== floor(x)) return -Infinity;
    return finite(f.intercept[k]) + (x === 0 ? 0 : x * finite(f.slope[k])) + (f.log_slope ? f.log_slope[k] * Math.log(x) : 0);
  },
};
const densityAt = (c, k, x) => c.forms.reduce((sum, f) => {
  const clipped = min("high" in f ? f.high : x, max("low" in f ? f.low : x, x));
  return sum + FORMS[f.form](f, k, clipped);
}, 0);

// What a value says, by class: log P(x | c), and the variance of it.
const said = (c, value) => {
  const out = { log: new Float64Array(K), variance: new Float64Array(K) };
  if (isDensity(c)) {
    for (let k = 0; k < K; k++) {
      if (c.forms.length) out.log[k] = densityAt(c, k, value);
      out.variance[k] = interpolate(c.grid, c.sd[k], value) ** 2;
    }
  } else {
    const { log, sd } = tableOf(c);
    for (let k = 0; k < K; k++) { out.log[k] = log[k][value]; out.variance[k] = sd(k, value) ** 2; }
  }
  return out;
};

const joint = (facts.additive ? facts.joint : []).map((j) => ({ ...j, places: new Map(j.keys.map((key, i) => [key.join(), i])) }));
const jointCode = (j, state) => j.columns.map((at, i) => {
  const value = state[at], read = j.reads[i];
  if (value === undefined) return -1;
  if (read.cuts) return below(read.cuts, value);
  return value < read.codes.length ? read.codes[value] : -1;
}).join();
const saidTogether = (j, state) => {
  const at = j.places.get(jointCode(j, state));
  if (at === undefined) return null;
  return { at, log: Float64Array.from(j.log, (row) => finite(row[at])), variance: Float64Array.from(j.sd, (row) => row[at] ** 2) };
};
// How often that occurs: what it says, unless that is weighed. By what pairs add, which have none, nothing occurs more often.
const occursTogether = (j, said) => (said && j.occurs !== null ? (j.occurs ? j.occurs.map((row) => row[said.at]) : Array.from(said.log, exp)) : new Array(K).fill(1));

// Every term that is known in a row: { name, cell, log, variance }.
const known = (row) => {
  const out = [];
  for (const c of usable) {
    const value = row[c.position];
    if (value !== undefined && c.speaks) out.push({ item: c, name: c.name, cell: cellName(c, value), ...said(c, value) });
  }
  for (const j of joint) {
    const term = saidTogether(j, row);
    if (term) out.push({ item: j, name: j.name, cell: j.columns.map((at) => cellName(columns[at], row[at])).join(" & "), ...term });
  }
  return row === state ? [...out, ...outside] : out;
};
const cellName = (c, value) => (value === undefined ? "?" : isDensity(c) ? told(c, value, 6) : c.levels[value]);

const prior = facts.prior.log.map(finite);
const scores = (terms) => {
  const out = Float64Array.from(prior);
  for (const term of terms) for (let k = 0; k < K; k++) out[k] += term.log[k];
  return out;
};
const normalised = (score) => {
  const top = max(...score);
  if (top === -Infinity) return null;
  const p = Array.from(score, (s) => exp(s - top)), sum = total(p);
  return p.map((x) => x / sum);
};
// P(c | x); where every class is impossible the prior, or the class of the fewest zeros for its size.
const posterior = (terms) => {
  const p = normalised(scores(terms));
  if (p) return p;
  const base = normalised(prior);
  if (facts.combination !== "robust") return base;
  const cost = base.map((q, k) => (q > 0 ? terms.filter((t) => t.log[k] === -Infinity).length / q : Infinity));
  const best = cost.indexOf(min(...cost));
  return base.map((_, k) => (k === best ? 1 : 0));
};

// Where P(class a | x) lies with 95 %: exact for two classes, by spread numbers for more.
const NORMAL = 1.959963984540054;
const logistic = (x) => 1 / (1 + exp(-x));
const variances = (terms) => Float64Array.from(facts.prior.sd, (sd, k) => sd * sd + terms.reduce((v, t) => v + (t.variance ? t.variance[k] : 0), 0));
const interval = (terms, a) => {
  const score = scores(terms), variance = variances(terms);
  if (!isFinite(score[a]) || terms.some((t) => !t.variance)) return null;
  if (K === 2) {
    const odds = score[a] - score[1 - a], spread = NORMAL * sqrt(variance[0] + variance[1]);
    return [logistic(odds - spread), logistic(odds + spread)];
  }
  const n = 400, found = [];
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < n; i++) {
    const drawn = score.map((s, k) => s + sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()) * sqrt(variance[k]));
    found.push(normalised(drawn)[a]);
  }
  found.sort((x, y) => x - y);
  const p = normalised(score)[a];
  return [min(p, found[floor(0.025 * n)]), max(p, found[Math.ceil(0.975 * n) - 1])];
};

// The cells by which a column is asked for, and P(cell | c), or its density there: what is weighed says more or less than that.
const cellsOf = (c) => (isDensity(c) ? c.grid : c.levels.map((_, v) => v));
const occursOf = (c) => c.occurs || (isDensity(c) ? c.log : tableOf(c).log).map((row) => row.map((l) => exp(finite(l))));
const entropy = (p) => -p.reduce((sum, q) => sum + (q > 0 ? q * Math.log(q) : 0), 0);

// What is expected of knowing each unknown column: the share of the doubt that it settles, and how often the answer turns.
// Answers come as often as cells occur, however much these say; that there is one says something as well, so the doubt
// before it is that of the mean of what is left.
const questions = (state) => {
  const p = posterior(known(state)), best = p.indexOf(max(...p));
  const out = [];
  for (const c of usable) {
    const touching = joint.filter((j) => j.columns.includes(c.position));
    if (state[c.position] !== undefined || (c.silent && !touching.length)) continue;
    const widths = isDensity(c) ? stepWidths(c) : null, occurs = occursOf(c), { log } = isDensity(c) ? c : tableOf(c);
    const cells = c.absent ? cellsOf(c).slice(0, -1) : cellsOf(c);
    const often = occurs.map((row) => cells.map((_, v) => row[v] * (widths ? widths[v] : 1))), says = log.map((row) => cells.map((_, v) => finite(row[v])));
    for (const j of touching) {
      const before = saidTogether(j, state), usual = occursTogether(j, before);
      cells.forEach((value, v) => {
        const after = saidTogether(j, { ...state, [c.position]: value }), there = occursTogether(j, after);
        for (let k = 0; k < K; k++) {
          says[k][v] += (after ? after.log[k] : 0) - (before ? before.log[k] : 0);
          often[k][v] *= there[k] / (usual[k] || 1);
        }
      });
    }
    const totals = often.map(total), comes = cells.map((_, v) => p.reduce((sum, q, k) => sum + (totals[k] > 0 ? (q * often[k][v]) / totals[k] : 0), 0));
    const every = total(comes) || 1, mean = new Array(K).fill(0);
    let left = 0, turns = 0;
    comes.forEach((come, v) => {
      if (!come) return;
      const weight = come / every, after = normalised(p.map((q, k) => Math.log(q) + says[k][v])) || normalised(prior);
      left += weight * entropy(after);
      if (after[best] * (1 + 1e-12) < max(...after)) turns += weight;
      after.forEach((q, k) => { mean[k] += weight * q; });
    });
    const doubt = entropy(mean), information = max(0, doubt - left);
    out.push({ column: c, information, settles: doubt > 0 ? information / doubt : 0, turns });
  }
  return out.sort((a, b) => b.settles - a.settles);
};

// How wide the part of the numbers is that each point of a density stands for.
const stepWidths = (c) => {
  if (c.cuts) { const edges = [c.range[0], ...c.cuts, c.range[1]]; return c.grid.map((_, i) => max(edges[i + 1] - edges[i], 1e-300)); }
  const step = (c.range[1] - c.range[0]) / (c.grid.length - 1);
  return c.grid.map((_, i) => (i === 0 || i === c.grid.length - 1 ? step / 2 : step));
};

// How many rows have each cell, about.
const massOf = (c) => {
  if (c.mass) return c.mass;
  let mass;
  if (!isDensity(c)) mass = (c.counts || c.weights).reduce((sum, row) => sum.map((x, v) => x + row[v]), new Array(c.levels.length).fill(0));
  else if (c.near && !c.cuts) mass = c.near;
  else { const widths = stepWidths(c), p = normalised(prior), occurs = occursOf(c); mass = c.grid.map((_, v) => p.reduce((sum, q, k) => sum + q * occurs[k][v], 0) * widths[v]); }
  const sum = total(mass) || 1;
  return (c.mass = mass.map((m) => m / sum));
};
// log P(x | a) − log P(x | r) at each cell of a column, and its standard deviation.
const difference = (x, y) => (x === y ? 0 : x - y);
const evidence = (c, a, r) => {
  const { log, sd } = isDensity(c) ? { log: c.log.map((row) => row.map(finite)), sd: (k, v) => c.sd[k][v] } : tableOf(c);
  return { nats: log[a].map((x, v) => difference(x, log[r][v])), sd: log[a].map((_, v) => hypot(sd(a, v), sd(r, v))) };
};
const LIMIT = 50 / POINTS;
const clamp = (x, limit = LIMIT) => max(-limit, min(limit, x));
const strength = (c, a, r) => { const { nats: e } = evidence(c, a, r), mass = massOf(c); return e.reduce((sum, x, v) => sum + mass[v] * abs(clamp(x)), 0); };
