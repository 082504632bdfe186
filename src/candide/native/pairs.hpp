// Pairs of columns: what two of them together tell of the mistakes of a model that took each alone.
#pragma once

#include <cmath>
#include <utility>

#include "parallel.hpp"

namespace candide {

// Residuals and curvatures (N, K) of rows, and their codes (N, D), every one below its column's size.
struct PairRows {
    const std::uint8_t* codes;
    Index rows, columns, n_classes;
    const std::int64_t* sizes;
    const double *residual, *curvature;
};

struct PairGain {
    double gain, score;
};

// With g and h the sums of residuals and curvatures by cell and class: gain = Σ (g² - h) / 2(h + ridge), and that sum's
// size in standard deviations where the pair tells nothing, Var = Σ 2 h² / (h + ridge)² times K / (K - 1).
inline PairGain pair_gain(const PairRows& rows, Index i, Index j, double ridge, std::vector<double>& work) {
    const Index K = rows.n_classes, cells = rows.sizes[i] * rows.sizes[j];
    work.assign(static_cast<std::size_t>(2 * cells * K), 0.0);
    double *g = work.data(), *h = g + cells * K;
    for (Index r = 0; r < rows.rows; ++r) {
        const std::uint8_t* code = rows.codes + r * rows.columns;
        const Index at = (code[i] * rows.sizes[j] + code[j]) * K;
        const double *left = rows.residual + r * K, *curve = rows.curvature + r * K;
        for (Index k = 0; k < K; ++k) g[at + k] += left[k], h[at + k] += curve[k];
    }
    double sum = 0, variance = 0;
    for (Index m = 0; m < cells * K; ++m) {
        const double scale = 1 / (h[m] + ridge);
        sum += (g[m] * g[m] - h[m]) * scale;
        variance += 2 * h[m] * h[m] * scale * scale;
    }
    const double spread = K > 1 ? variance * static_cast<double>(K) / static_cast<double>(K - 1) : 0;
    return {sum / 2, spread > 0 ? sum / std::sqrt(spread) : 0};
}

// The gains of all pairs i < j, in the order of i, then j.
inline void pair_gains(const PairRows& rows, double ridge, double* gain, double* score) {
    const Index D = rows.columns, pairs = D * (D - 1) / 2;
    std::vector<std::pair<Index, Index>> all;
    for (Index i = 0; i < D; ++i)
        for (Index j = i + 1; j < D; ++j) all.emplace_back(i, j);
    parallel_rows(divide(pairs, 2 * rows.rows * rows.n_classes), pairs, [&](Index, Index begin, Index end) {
        std::vector<double> work;
        for (Index p = begin; p < end; ++p) {
            const PairGain found = pair_gain(rows, all[p].first, all[p].second, ridge, work);
            gain[p] = found.gain, score[p] = found.score;
        }
    });
}

}  // namespace candide
