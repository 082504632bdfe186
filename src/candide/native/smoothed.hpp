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

// One column, filled up with zeros to whole vectors.
class SmoothColumn {
  public:
    SmoothColumn(Index n_cells, Index n_classes, const double* of_cells, const double* table, Index table_step)
        : cells(n_cells), classes(n_classes), step((n_cells + 3) / 4 * 4), shares(static_cast<std::size_t>(step)),
          counts(static_cast<std::size_t>(classes * step)) {
        std::copy_n(of_cells, cells, shares.data());
        for (Index c = 0; c < classes; ++c) std::copy_n(table + c * table_step, cells, counts.data() + c * step);
    }
    SmoothTable table() const { return {cells, classes, step, shares.data(), counts.data()}; }

    const Index cells, classes, step;

  private:
    std::vector<double> shares, counts;
};

// The kernels of one column, and what they make of its counts.
class Spread {
  public:
    explicit Spread(const SmoothColumn& of)
        : column(of.table()), M(of.cells), step(of.step), bells(static_cast<std::size_t>(M * step)), heights(bells),
          kernel(bells), own(static_cast<std::size_t>(step), 1.0), smoothed(static_cast<std::size_t>(of.classes * step)) {
        double before = 0;
        std::vector<double> u(static_cast<std::size_t>(M));
        for (Index k = 0; k < M; ++k) u[k] = before + column.shares[k] / 2, before += column.shares[k];
        for (Index k = 0; k < M; ++k)
            for (Index j = 0; j < M; ++j) bells[k * step + j] = -0.5 * (u[k] - u[j]) * (u[k] - u[j]);
    }

    // The kernel of a width.
    void widen(double h) {
        if (h == 0) return copy();
        loops().exponentials(bells.data(), M * step, 1 / (h * h), heights.data());
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
        for (Index k = 0; k < M; ++k) kernel[k * step + k] = 1;
        std::copy_n(column.counts, smoothed.size(), smoothed.data());
    }

    const double* stays() const { return own.data(); }        // d (M,)
    const double* counts() const { return smoothed.data(); }  // S (K, step)

    // The harmonic mean of d: how many cells of its own a row's weight fills.
    double reach() const {
        double sum = 0;
        for (Index k = 0; k < M; ++k) sum += 1 / own[k];
        return static_cast<double>(M) / sum;
    }

    // the variance of S[c, k] where counts are as random as they are large: Σ_k' G[k, k']² n[c, k']
    void variances(double* out, Index out_step) const {
        for (Index c = 0; c < column.classes; ++c) {
            double* into = out + c * out_step;
            for (Index j = 0; j < M; ++j) {
                const double n = column.counts[c * step + j];
                const double* from = kernel.data() + j * step;
                for (Index k = 0; k < M; ++k) into[k] += from[k] * from[k] * n;
            }
        }
    }

  private:
    void spread() {
        loops().spread_counts(column, heights.data(), kernel.data(), smoothed.data());
        for (Index k = 0; k < M; ++k) own[k] = kernel[k * step + k];
    }

    SmoothTable column;
    Index M, step;
    std::vector<double> bells, heights, kernel;  // kernel[j, k] = G[k, j]
    std::vector<double> own, smoothed;
};

// Pseudo-counts: a r P(c) in every cell of class c, and the cell's share; log P(y | k) over all rows, a unit of weight
// of each left out of its own class.
class LeftOutScore {
  public:
    LeftOutScore(const SmoothColumn& of, const double* class_counts)
        : column(of.table()), prior(static_cast<std::size_t>(of.classes)), known(prior), pull(prior), mass(prior),
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
        for (Index c = 0; c < column.classes; ++c) {
            const double of_unit = std::log((prior[c] - 1) / (total - 1));  // not asked for where a class has no unit
            for (Index k = 0; k < column.cells; ++k) {
                const double n = column.counts[c * column.step + k];
                if (n >= 1) sum += n * of_unit;
                else if (n > 0) sum += n * std::log((prior[c] - n) / (total - n));
            }
        }
        return sum;
    }

    double operator()(const Spread& spread, double strength) {
        const double a = strength * spread.reach();
        for (Index c = 0; c < column.classes; ++c) {
            pull[c] = a * prior[c] / total;
            mass[c] = known[c] + static_cast<double>(column.cells) * pull[c] + 1;
            per_count[c] = prior[c] / mass[c], own_per_count[c] = (prior[c] - 1) / (mass[c] - 1);
        }
        return loops().left_out_score(column, spread.counts(), spread.stays(),
                                      {prior.data(), pull.data(), mass.data(), per_count.data(), own_per_count.data()});
    }

  private:
    SmoothTable column;
    double total;
    std::vector<double> prior, known, pull, mass, per_count, own_per_count;
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

// Values that weigh at least twice the equal share of what is left to the others: each has a cell of its own, so that
// the others are cut as finely as if it was not there.
struct Heavy {
    std::vector<char> value;  // (V,): 1 where it is one
    double share;             // of a cell of the others

    // Of `most` cells, those are left to the others that remain when every heavy value has one, and may divide another.
    // A share that is found so never grows, so that all cells together are never more than `most`.
    Heavy(const double* weights, Index V, Index most) : value(static_cast<std::size_t>(V), 0) {
        for (bool more = true; more;) {  // ends: one more is heavy each time
            double total = 0;
            Index cells = most + 1, last = -1;  // between two neighbours nothing is divided
            for (Index v = 0; v < V; ++v) {
                if (!(weights[v] > 0)) continue;
                if (value[v]) --cells;
                else total += weights[v];
                if (!value[v] && (last < 0 || value[last])) --cells;
                last = v;
            }
            share = total / static_cast<double>(std::max<Index>(cells, 1));
            more = false;
            for (Index v = 0; v < V; ++v)
                if (!value[v] && weights[v] > 0 && weights[v] >= 2 * share) value[v] = 1, more = true;
        }
    }
};

// Where cells of about equal weight end among V ascending values, the last cell left out: at most `most` cells, and a
// cell for each value of some weight where these are no more. Heavy values apart, a cell ends at the value up to which
// the weight is nearest to a multiple of its equal share, the lower of two equally near.
inline std::vector<Index> equal_mass_ends(const double* weights, Index V, Index most) {
    Index used = 0;
    for (Index v = 0; v < V; ++v) used += weights[v] > 0;
    std::vector<Index> ends;
    const bool few = used <= most;
    const Heavy heavy(weights, few ? 0 : V, most);
    double so_far = 0, cell = 1;
    Index last = -1;
    for (Index v = 0; v < V; ++v) {
        if (!(weights[v] > 0)) continue;
        const bool alone = few || heavy.value[v];
        const double nearest = so_far + weights[v] / 2;
        const bool full = !alone && cell * heavy.share <= nearest;
        if (last >= 0 && (alone || full || heavy.value[last])) ends.push_back(last);
        // ends: where a value is not heavy the share is above 0, and all of them weigh that of `most` cells
        while (!alone && cell * heavy.share <= nearest) ++cell;
        if (!alone) so_far += weights[v];
        last = v;
    }
    return ends;
}

}  // namespace candide
