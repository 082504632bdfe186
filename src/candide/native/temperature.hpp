// One weight for all the evidence, one for the prior, and what every class adds: few parameters, by Newton's method.
#pragma once

#include "descent.hpp"
#include "parallel.hpp"

namespace candide {

// Rows sorted by class: what the prior says of rows of each class (K, K), and what all columns say of each row (N, K).
struct TemperatureRows {
    const double *prior, *said, *weight;
    const std::int64_t* starts;
    Index n_classes;
};

// x = a⁻¹ x, of a symmetric positive matrix whose lower triangle is given, and overwritten.
inline void solve_positive(Vector& a, Vector& x) {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) rest -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? std::sqrt(rest) : rest / a[j * n + j];
        }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

// Σ -w log P(y) + ½ [4 (θ - 1)² + 4 (τ - 1)² + Σ b²] of θ prior + τ said + b, in the order θ, τ, b.
class TemperatureProblem {
  public:
    explicit TemperatureProblem(const TemperatureRows& of_rows)
        : rows(of_rows), K(of_rows.n_classes), chances(static_cast<std::size_t>(rows.starts[K] * K)),
          work(static_cast<std::size_t>(4 * K)) {}

    Vector start() const {
        Vector p(static_cast<std::size_t>(K + 2));
        p[0] = p[1] = 1;
        return p;
    }

    // The value; P(c) of every row is kept.
    double value(const Vector& p) {
        double total = 2 * ((p[0] - 1) * (p[0] - 1) + (p[1] - 1) * (p[1] - 1));
        for (Index k = 0; k < K; ++k) total += p[2 + k] * p[2 + k] / 2;
        for (Index c = 0; c < K; ++c) {
            const Index from = rows.starts[c], size = rows.starts[c + 1] - from;
            for (Index r = from; r < from + size; ++r)
                for (Index k = 0; k < K; ++k)
                    chances[r * K + k] = p[0] * rows.prior[c * K + k] + p[1] * rows.said[r * K + k] + p[2 + k];
            total -= loops().to_probabilities(chances.data() + from * K, size, K, c, rows.weight + from, work.data());
        }
        return total;
    }

    // The first derivative, Σ w J'(P - [y]), and the lower triangle of the second, Σ w J'(diag P - P P') J, where the
    // value was last asked for.
    void derivatives(const Vector& p, Vector& gradient, Vector& curvature) {
        const Index n = K + 2;
        std::fill(gradient.begin(), gradient.end(), 0.0);
        std::fill(curvature.begin(), curvature.end(), 0.0);
        for (Index c = 0; c < K; ++c)
            for (Index r = rows.starts[c]; r < rows.starts[c + 1]; ++r)
                add(chances.data() + r * K, {rows.prior + c * K, rows.said + r * K}, rows.weight[r], c, gradient, curvature);
        for (Index i = 0; i < n; ++i) {
            const double penalty = i < 2 ? 4 : 1;
            gradient[i] += penalty * (p[i] - (i < 2 ? 1 : 0));
            curvature[i * n + i] += penalty;
        }
    }

  private:
    struct Told {
        const double* by[2];  // the prior, and all columns
    };

    void add(const double* chance, const Told& told, double w, Index own, Vector& gradient, Vector& curvature) {
        const Index n = K + 2;
        for (Index i = 0; i < 2; ++i) {
            double mean = 0;
            for (Index k = 0; k < K; ++k) mean += chance[k] * told.by[i][k];
            gradient[i] += w * (mean - told.by[i][own]);
            for (Index k = 0; k < K; ++k) {
                const double spread = w * chance[k] * (told.by[i][k] - mean);
                curvature[(2 + k) * n + i] += spread;
                for (Index j = 0; j <= i; ++j) curvature[i * n + j] += spread * told.by[j][k];
            }
        }
        gradient[2 + own] -= w;
        for (Index k = 0; k < K; ++k) {
            const double weighed = w * chance[k];
            double* row = curvature.data() + (2 + k) * n + 2;
            gradient[2 + k] += weighed;
            for (Index l = 0; l <= k; ++l) row[l] -= weighed * chance[l];
            row[k] += weighed;
        }
    }

    const TemperatureRows& rows;
    const Index K;
    Vector chances, work;
};

// The parameters of the least value. A step that does not lead down far enough is halved.
inline Vector fit_temperature(const TemperatureRows& rows, const DescentLimits& limits) {
    constexpr double enough = 1e-4, shortest = 1e-6;
    TemperatureProblem problem(rows);
    Vector p = problem.start(), next, gradient(p.size()), step, curvature(p.size() * p.size());
    double value = problem.value(p);
    for (int made = 0; made < limits.steps; ++made) {
        problem.derivatives(p, gradient, curvature);
        step = gradient;
        solve_positive(curvature, step);
        const double promised = dot(gradient, step);
        if (!(promised >= limits.tolerance * value)) break;
        double next_value = 0;
        // ends: the shortest step is few halvings away
        for (double size = 1;; size /= 2) {
            next = p;
            add_scaled(-size, step, next);
            next_value = problem.value(next);
            if (next_value <= value - enough * size * promised || size < shortest) break;
        }
        if (!(next_value < value)) break;
        p.swap(next), value = next_value;
    }
    return p;
}

}  // namespace candide
