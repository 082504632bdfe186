// Smoothed tables: a column in cells of equal mass, whose counts are spread over their neighbours by rank.
//
// Cells k of one column have shares m_k that add up to 1, and stand at u_k, the share of all that lies before the middle
// of the cell. A row in cell k' is spread over the cells by the kernel
//     G[k, k'] = m_k exp(-((u_k - u_k') / h)² / 2) / Σ_j m_j exp(-((u_j - u_k') / h)² / 2),
// whose columns add up to 1; h = 0 spreads nothing. S = G n are the smoothed counts, d_k = G[k, k] is what stays.
#pragma once

#include <cmath>

#include "parallel.hpp"

namespace candide {

// One column: shares (M,), counts (K, M) whose rows begin `step` apart.
struct SmoothColumn {
    Index cells, classes, step;
    const double *shares, *counts;
};

// The kernels of one column, and what they make of its counts.
class Spread {
  public:
    explicit Spread(const SmoothColumn& of)
        : column(of), M(of.cells), bells(static_cast<std::size_t>(M * M)), heights(bells), kernel(bells),
          own(static_cast<std::size_t>(M), 1.0), smoothed(static_cast<std::size_t>(of.classes * M)) {
        double before = 0;
        std::vector<double> u(static_cast<std::size_t>(M));
        for (Index k = 0; k < M; ++k) u[k] = before + column.shares[k] / 2, before += column.shares[k];
        for (Index k = 0; k < M; ++k)
            for (Index j = 0; j < M; ++j) bells[k * M + j] = -0.5 * (u[k] - u[j]) * (u[k] - u[j]);
    }

    // The kernel of a width.
    void widen(double h) {
        if (h == 0) return copy();
        for (Index k = 0; k < M; ++k)
            for (Index j = 0; j <= k; ++j)
                heights[k * M + j] = heights[j * M + k] = std::exp(bells[k * M + j] / (h * h));
        spread();
    }

    // The kernel of half the width: the heights to the fourth power.
    void halve() {
        for (double& height : heights) height *= height, height *= height;
        spread();
    }

    void copy() {
        std::fill(own.begin(), own.end(), 1.0);
        std::fill(kernel.begin(), kernel.end(), 0.0);
        for (Index k = 0; k < M; ++k) kernel[k * M + k] = 1;
        for (Index c = 0; c < column.classes; ++c)
            std::copy_n(column.counts + c * column.step, M, smoothed.data() + c * M);
    }

    const std::vector<double>& stays() const { return own; }       // d (M,)
    const std::vector<double>& counts() const { return smoothed; }  // S (K, M)

    // The harmonic mean of d: how many cells of its own a row's weight fills.
    double reach() const {
        double sum = 0;
        for (const double d : own) sum += 1 / d;
        return static_cast<double>(M) / sum;
    }

    // the variance of S[c, k] where counts are as random as they are large: Σ_k' G[k, k']² n[c, k']
    void variances(double* out, Index step) const {
        for (Index c = 0; c < column.classes; ++c)
            for (Index k = 0; k < M; ++k) {
                double sum = 0;
                for (Index j = 0; j < M; ++j)
                    sum += kernel[j * M + k] * kernel[j * M + k] * column.counts[c * column.step + j];
                out[c * step + k] = sum;
            }
    }

  private:
    void spread() {
        for (Index j = 0; j < M; ++j) {
            const double* height = heights.data() + j * M;  // symmetric
            double* to = kernel.data() + j * M;
            double total = 0;
            for (Index k = 0; k < M; ++k) total += to[k] = column.shares[k] * height[k];
            for (Index k = 0; k < M; ++k) to[k] *= 1 / total;
            own[j] = to[j];
        }
        std::fill(smoothed.begin(), smoothed.end(), 0.0);
        for (Index c = 0; c < column.classes; ++c) {
            double* into = smoothed.data() + c * M;
            for (Index j = 0; j < M; ++j) {
                const double n = column.counts[c * column.step + j];
                if (n == 0) continue;
                const double* from = kernel.data() + j * M;
                for (Index k = 0; k < M; ++k) into[k] += n * from[k];
            }
        }
    }

    SmoothColumn column;
    Index M;
    std::vector<double> bells, heights, kernel;  // kernel[j, k] = G[k, j]
    std::vector<double> own, smoothed;
};

// Pseudo-counts: a r P(c) in every cell of class c, and the cell's share; log P(y | k) over all rows, a unit of weight
// of each left out of its own class.
class LeftOutScore {
  public:
    LeftOutScore(const SmoothColumn& of, const double* class_counts)
        : column(of), prior(static_cast<std::size_t>(of.classes)), known(prior), joint(prior), pull(prior), mass(prior),
          per_count(prior), own_per_count(prior) {
        total = static_cast<double>(column.classes);
        for (Index c = 0; c < column.classes; ++c) {
            total += class_counts[c];
            prior[c] = class_counts[c] + 1;
            for (Index k = 0; k < column.cells; ++k) known[c] += column.counts[c * column.step + k];
        }
    }

    // By the prior alone.
    double nothing() const {
        double sum = 0;
        for (Index c = 0; c < column.classes; ++c)
            for (Index k = 0; k < column.cells; ++k) {
                const double n = column.counts[c * column.step + k], left = std::min(n, 1.0);
                if (n > 0) sum += n * std::log((prior[c] - left) / (total - left));
            }
        return sum;
    }

    double operator()(const Spread& spread, double strength) {
        const Index M = column.cells;
        const double* smoothed = spread.counts().data();
        const double a = strength * spread.reach();
        for (Index c = 0; c < column.classes; ++c) {
            pull[c] = a * prior[c] / total;
            mass[c] = known[c] + static_cast<double>(M) * pull[c] + 1;
            per_count[c] = prior[c] / mass[c], own_per_count[c] = (prior[c] - 1) / (mass[c] - 1);
        }
        double sum = 0;
        for (Index k = 0; k < M; ++k) {
            const double share = column.shares[k], stays = spread.stays()[k];
            double all = 0;
            for (Index c = 0; c < column.classes; ++c)
                all += joint[c] = per_count[c] * (smoothed[c * M + k] + pull[c] + share);
            for (Index c = 0; c < column.classes; ++c) {
                const double n = column.counts[c * column.step + k], left = std::min(n, 1.0);
                if (n == 0) continue;
                const double rest = std::max(smoothed[c * M + k] - left * stays, 0.0);
                const double weight = left == 1 ? own_per_count[c] : (prior[c] - left) / (mass[c] - left);
                const double mine = weight * (rest + pull[c] + share);
                sum += n * std::log(mine / (std::max(all - joint[c], 0.0) + mine));
            }
        }
        return sum;
    }

  private:
    SmoothColumn column;
    double total;
    std::vector<double> prior, known, joint, pull, mass, per_count, own_per_count;
};

// A number from a on and below b that is short in decimals: their middle, rounded to the first place that lies between.
inline double short_between(double a, double b) {
    static constexpr double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const double middle = a / 2 + b / 2;
    for (int q = -22; q <= 22; ++q) {
        if ((q < 0 ? tens[-q] : 1 / tens[q]) / 2 > b - a) continue;
        const double places = q < 0 ? middle / tens[-q] : middle * tens[q];
        if (!(std::abs(places) < 0x1p52)) break;
        const double rounded = q < 0 ? std::nearbyint(places) * tens[-q] : std::nearbyint(places) / tens[q];
        if (rounded >= a && rounded < b) return rounded + 0.0;
    }
    return middle >= a && middle < b ? middle : a;
}

// Where cells of about equal weight end among V ascending values, the last cell left out: at most `most` cells, and a
// cell for each value of some weight where these are no more. A cell ends at the value up to which the weight is nearest
// to a multiple of its equal share, the lower of two equally near.
inline std::vector<Index> equal_mass_ends(const double* weights, Index V, Index most) {
    Index used = 0;
    double total = 0;
    for (Index v = 0; v < V; ++v) total += weights[v], used += weights[v] > 0;
    std::vector<Index> ends;
    const bool few = used <= most;
    const double share = total / static_cast<double>(most);
    double so_far = 0, cell = 1;
    Index last = -1;
    for (Index v = 0; v < V; ++v) {
        if (!(weights[v] > 0)) continue;
        const double nearest = so_far + weights[v] / 2;
        if (last >= 0 && (few || cell * share <= nearest)) {
            ends.push_back(last);
            while (cell * share <= nearest) ++cell;
        }
        so_far += weights[v], last = v;
    }
    return ends;
}

}  // namespace candide
