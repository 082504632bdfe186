// Weights of evidence: θ log P(c) + b_c + Σ (τ + u_i) L_i[c] + β_ic z_i + δ_kc, as most probable as the rows make them,
// less a penalty.
#pragma once

#include "descent.hpp"
#include "tuning.hpp"

namespace candide {

// Which entries have which parameters. The first attribute is the prior, of one entry; then come those with evidence,
// then those without.
struct WeightLayout {
    const double *others, *own, *z;    // (M, K), (M, K), (M,)
    const std::int64_t *line, *free;   // (M,): the slope, and the place among free entries; below zero where none
    Index entries, lines, free_entries, weighed, loose;
    bool shifting;
    const double* dense;  // (N, loose, K)
};

// Parameters in the order θ, τ, u, b, β, δ; scores are summed in the precision of Real.
template <class Real>
class WeightProblem {
  public:
    WeightProblem(const TuningRows& of_rows, const WeightLayout& of_entries)
        : rows(of_rows), layout(of_entries), K(of_rows.n_classes), attributes(of_rows.codes.columns),
          blocks(of_rows), places(places_of(of_rows)), others(static_cast<std::size_t>(layout.entries * K)), own(others.size()),
          base(static_cast<std::size_t>(layout.loose ? rows.codes.rows * K : 0)),
          residual(base.size()) {
        shifts = 2, bias = shifts + (layout.shifting ? layout.weighed + layout.loose : 0);
        slopes = bias + K, deltas = slopes + layout.lines * K, size = deltas + layout.free_entries * K;
    }

    Index parameters() const { return size; }

    // Σ -w log P(y), and its derivative by every parameter.
    double loss(const Vector& p, Vector& gradient) {
        TuningSums& found = evaluate(p, false);
        Vector& sums = found.others;
        std::fill_n(gradient.begin(), deltas, 0.0);  // those of free entries are copied
        for (Index i = 0; i <= layout.weighed; ++i) {
            double by_weight = 0;
            for (Index m = rows.offsets[i] * K; m < rows.offsets[i + 1] * K; ++m) {
                by_weight += sums[m] * layout.others[m] + found.own[m] * layout.own[m];
                sums[m] += found.own[m];
            }
            weigh(gradient, i, by_weight);
        }
        add(gradient, sums, [](double z) { return z; });
        for (Index r = 0; r < (layout.loose ? rows.codes.rows : 0); ++r)
            for (Index v = 0; v < layout.loose; ++v) {
                const double* said = layout.dense + (r * layout.loose + v) * K;
                double sum = 0;
                for (Index k = 0; k < K; ++k) sum += said[k] * residual[r * K + k];
                weigh(gradient, layout.weighed + v + 1, sum);
            }
        return found.loss;
    }

    // The second derivative by every parameter, about.
    Vector curvature(const Vector& p) {
        const Vector& h = evaluate(p, true).curvature;
        Vector out(static_cast<std::size_t>(size));
        for (Index i = 0; i <= layout.weighed; ++i) {
            double by_weight = 0;
            for (Index m = rows.offsets[i] * K; m < rows.offsets[i + 1] * K; ++m)
                by_weight += h[m] * layout.others[m] * layout.others[m];
            weigh(out, i, by_weight);
        }
        add(out, h, [](double z) { return z * z; });
        for (Index r = 0; r < (layout.loose ? rows.codes.rows : 0); ++r)
            for (Index v = 0; v < layout.loose; ++v) {
                const double* said = layout.dense + (r * layout.loose + v) * K;
                double sum = 0;
                for (Index k = 0; k < K; ++k) sum += said[k] * said[k];
                weigh(out, layout.weighed + v + 1, rows.weight[r] * sum / 4);
            }
        return out;
    }

  private:
    // The tables that parameters give; those behind the evidence have no rows of their own to leave out.
    void fill_tables(const Vector& p) {
        for (Index i = 0; i < attributes; ++i) {
            const bool said = i <= layout.weighed;
            const double w = i == 0 ? p[0] : p[1] + (layout.shifting && said ? p[shifts + i - 1] : 0);
            for (Index m = rows.offsets[i]; m < rows.offsets[i + 1]; ++m) {
                double *to = others.data() + m * K, *mine = own.data() + m * K;
                const double* free = layout.free[m] >= 0 ? p.data() + deltas + layout.free[m] * K : nullptr;
                const double* line = layout.line[m] >= 0 ? p.data() + slopes + layout.line[m] * K : nullptr;
                if (i == 0) std::copy_n(p.data() + bias, K, to);
                else if (free) std::copy_n(free, K, to);
                else std::fill_n(to, K, 0.0);
                if (line)
                    for (Index k = 0; k < K; ++k) to[k] += layout.z[m] * line[k];
                if (!said) continue;
                const double *evidence = layout.others + m * K, *without = layout.own + m * K;
                for (Index k = 0; k < K; ++k) mine[k] = to[k] + w * without[k], to[k] += w * evidence[k];
            }
        }
    }

    TuningSums& evaluate(const Vector& p, bool curved) {
        fill_tables(p);
        TuningRows with_base = rows;
        if (!places.empty()) with_base.places = places.data();
        if (layout.loose) {
            std::fill(base.begin(), base.end(), 0.0);
            for (Index r = 0; r < rows.codes.rows; ++r)
                for (Index v = 0; v < layout.loose; ++v) {
                    const double w = p[1] + (layout.shifting ? p[shifts + layout.weighed + v] : 0);
                    const double* said = layout.dense + (r * layout.loose + v) * K;
                    for (Index k = 0; k < K; ++k) base[r * K + k] += w * said[k];
                }
            with_base.base = base.data();
        }
        return blocks.sum(with_base, {others.data(), own.data()}, curved, layout.loose ? residual.data() : nullptr);
    }

    // What the weight of attribute i has: the prior is the first.
    void weigh(Vector& out, Index i, double value) const {
        out[i == 0 ? 0 : 1] += value;
        if (i > 0 && layout.shifting) out[shifts + i - 1] += value;
    }

    // What biases, slopes and free entries have of the entries' sums, slopes by z or its square.
    template <class By>
    void add(Vector& out, const Vector& of_entries, const By& by) const {
        for (Index k = 0; k < K; ++k) out[bias + k] += of_entries[k];
        for (Index m = 0; m < layout.entries; ++m) {
            const double* from = of_entries.data() + m * K;
            if (layout.free[m] >= 0) std::copy_n(from, K, out.data() + deltas + layout.free[m] * K);
            if (layout.line[m] < 0) continue;
            double* to = out.data() + slopes + layout.line[m] * K;
            for (Index k = 0; k < K; ++k) to[k] += by(layout.z[m]) * from[k];
        }
    }

    const TuningRows& rows;
    const WeightLayout& layout;
    Index K, attributes, shifts, bias, slopes, deltas, size;
    TuningBlocks<Real> blocks;
    std::vector<std::int32_t> places;
    Vector others, own, base, residual;
};

// Loss and penalty Σ h (p - centre)² / 2 from where p begins; steps go by the curvature there.
template <class Real>
double fit_weights(WeightProblem<Real>& problem, const double* centre, const double* penalty, Vector& p,
                          const DescentLimits& limits) {
    const std::size_t n = p.size();
    Vector scale = problem.curvature(p), at(n), q(n);
    const Vector begin = p;
    for (std::size_t j = 0; j < n; ++j) scale[j] = 1 / std::sqrt(std::max(scale[j] + penalty[j], 1e-12));
    const double value = descend(
        [&](const Vector& x, Vector& gradient) {
            for (std::size_t j = 0; j < n; ++j) at[j] = begin[j] + scale[j] * x[j];
            double total = problem.loss(at, gradient);
            for (std::size_t j = 0; j < n; ++j) {
                const double away = at[j] - centre[j];
                total += penalty[j] * away * away / 2;
                gradient[j] = (gradient[j] + penalty[j] * away) * scale[j];
            }
            return total;
        },
        q, limits);
    for (std::size_t j = 0; j < n; ++j) p[j] = begin[j] + scale[j] * q[j];
    return value;
}

}  // namespace candide
