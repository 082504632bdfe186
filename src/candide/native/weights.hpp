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

// Parameters in the order θ, τ, u, b, β, δ.
class WeightProblem {
  public:
    WeightProblem(const TuningRows& of_rows, const WeightLayout& of_entries)
        : rows(of_rows), layout(of_entries), K(of_rows.n_classes), attributes(of_rows.codes.columns),
          others(static_cast<std::size_t>(layout.entries * K)), own(others.size()), sums(others.size()),
          own_sums(others.size()), base(static_cast<std::size_t>(layout.loose ? rows.codes.rows * K : 0)),
          residual(base.size()) {
        shifts = 2, bias = shifts + (layout.shifting ? layout.weighed + layout.loose : 0);
        slopes = bias + K, deltas = slopes + layout.lines * K, size = deltas + layout.free_entries * K;
    }

    Index parameters() const { return size; }

    // Σ -w log P(y), and its derivative by every parameter.
    double loss(const Vector& p, Vector& gradient) {
        const double value = evaluate(p, nullptr);
        std::fill(gradient.begin(), gradient.end(), 0.0);
        for (Index m = 0; m < layout.entries * K; ++m) {
            const double mine = sums[m] * layout.others[m] + own_sums[m] * layout.own[m];
            sums[m] += own_sums[m];
            own_sums[m] = mine;
        }
        add(gradient, [&](Index at) { return own_sums[at]; }, [&](Index at, double by) { return by * sums[at]; });
        for (Index r = 0; r < (layout.loose ? rows.codes.rows : 0); ++r)
            for (Index v = 0; v < layout.loose; ++v) {
                const double* said = layout.dense + (r * layout.loose + v) * K;
                double sum = 0;
                for (Index k = 0; k < K; ++k) sum += said[k] * residual[r * K + k];
                weigh(gradient, layout.weighed + v, sum);
            }
        return value;
    }

    // The second derivative by every parameter, about.
    Vector curvature(const Vector& p) {
        Vector h(others.size()), out(static_cast<std::size_t>(size));
        evaluate(p, h.data());
        add(out, [&](Index at) { return h[at] * layout.others[at] * layout.others[at]; },
            [&](Index at, double by) { return by * by * h[at]; });
        for (Index r = 0; r < (layout.loose ? rows.codes.rows : 0); ++r)
            for (Index v = 0; v < layout.loose; ++v) {
                const double* said = layout.dense + (r * layout.loose + v) * K;
                double sum = 0;
                for (Index k = 0; k < K; ++k) sum += said[k] * said[k];
                weigh(out, layout.weighed + v, rows.weight[r] * sum / 4);
            }
        return out;
    }

  private:
    Index attribute_weight(const Vector& p, Index i, double& w) const {
        w = i == 0 ? p[0] : i <= layout.weighed ? p[1] + (layout.shifting ? p[shifts + i - 1] : 0) : 0;
        return i;
    }

    double evaluate(const Vector& p, double* h) {
        for (Index i = 0; i < attributes; ++i) {
            double w;
            attribute_weight(p, i, w);
            for (Index m = rows.offsets[i]; m < rows.offsets[i + 1]; ++m)
                for (Index k = 0; k < K; ++k) {
                    double added = i == 0 ? p[bias + k] : 0;
                    if (layout.line[m] >= 0) added += layout.z[m] * p[slopes + layout.line[m] * K + k];
                    if (layout.free[m] >= 0) added += p[deltas + layout.free[m] * K + k];
                    others[m * K + k] = w * layout.others[m * K + k] + added;
                    own[m * K + k] = w * layout.own[m * K + k] + added;
                }
        }
        TuningRows with_base = rows;
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
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(own_sums.begin(), own_sums.end(), 0.0);
        return tuning_loss(with_base, {others.data(), own.data()},
                           {sums.data(), own_sums.data(), h, layout.loose ? residual.data() : nullptr});
    }

    void weigh(Vector& out, Index i, double value) const {
        out[1] += value;
        if (layout.shifting) out[shifts + i] += value;
    }

    // Adds by_weight(entry) to weights, and of(entry, z or 1) to biases, slopes and free entries.
    template <class ByWeight, class Of>
    void add(Vector& out, const ByWeight& by_weight, const Of& of) const {
        for (Index i = 0; i < attributes; ++i)
            for (Index m = rows.offsets[i]; m < rows.offsets[i + 1]; ++m)
                for (Index k = 0; k < K; ++k) {
                    const Index at = m * K + k;
                    if (i == 0) out[0] += by_weight(at), out[bias + k] += of(at, 1);
                    else if (i <= layout.weighed) weigh(out, i - 1, by_weight(at));
                    if (layout.line[m] >= 0) out[slopes + layout.line[m] * K + k] += of(at, layout.z[m]);
                    if (layout.free[m] >= 0) out[deltas + layout.free[m] * K + k] += of(at, 1);
                }
    }

    const TuningRows& rows;
    const WeightLayout& layout;
    Index K, attributes, shifts, bias, slopes, deltas, size;
    Vector others, own, sums, own_sums, base, residual;
};

// Loss and penalty Σ h (p - centre)² / 2 from where p begins; steps go by the curvature there.
inline double fit_weights(WeightProblem& problem, const double* centre, const double* penalty, Vector& p,
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
