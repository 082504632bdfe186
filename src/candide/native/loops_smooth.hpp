// Counts spread over neighbouring cells, and how well they tell the class: rows of whole vectors, filled up with zeros.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

static void exponentials(const double* x, Index n, double scale, double* out) {
    for (Index i = 0; i < n; i += 4) store4(out + i, exp4(load4(x + i) * scale));
}

static void spread_counts(const SmoothTable& of, const double* heights, double* kernel, double* smoothed) {
    const Index step = of.step;
    for (Index c = 0; c < of.classes; ++c)
        for (Index k = 0; k < step; k += 4) store4(smoothed + c * step + k, Double4{});
    for (Index j = 0; j < of.cells; ++j) {
        const double* height = heights + j * step;  // symmetric
        double* to = kernel + j * step;
        Double4 sums{};
        for (Index k = 0; k < step; k += 4) {
            const Double4 four = load4(of.shares + k) * load4(height + k);
            store4(to + k, four);
            sums += four;
        }
        const double scale = 1 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
        for (Index k = 0; k < step; k += 4) store4(to + k, load4(to + k) * scale);
        for (Index c = 0; c < of.classes; ++c) {
            const double n = of.counts[c * step + j];
            if (n == 0) continue;
            double* into = smoothed + c * step;
            for (Index k = 0; k < step; k += 4) store4(into + k, load4(into + k) + n * load4(to + k));
        }
    }
}

static double left_out_score(const SmoothTable& of, const double* smoothed, const double* stays,
                             const LeftOutWeights& w) {
    Double4 sum{};
    for (Index k = 0; k < of.step; k += 4) {
        const Double4 share = load4(of.shares + k), own = load4(stays + k);
        Double4 all{};
        for (Index c = 0; c < of.classes; ++c)
            all += w.per_count[c] * (load4(smoothed + c * of.step + k) + w.pull[c] + share);
        for (Index c = 0; c < of.classes; ++c) {
            const Double4 n = load4(of.counts + c * of.step + k), spread = load4(smoothed + c * of.step + k);
            if ((n[0] + n[1]) + (n[2] + n[3]) == 0) continue;
            const Double4 left = n < 1.0 ? n : fill4(1.0), rest = spread - left * own;
            const Double4 joint = w.per_count[c] * (spread + w.pull[c] + share);
            const Double4 per_count = left == 1.0 ? fill4(w.own_per_count[c]) : (w.prior[c] - left) / (w.mass[c] - left);
            const Double4 mine = per_count * ((rest > 0.0 ? rest : Double4{}) + w.pull[c] + share);
            const Double4 others = all - joint;
            const Double4 p = mine / ((others > 0.0 ? others : Double4{}) + mine);
            sum += n > 0.0 ? n * log4(n > 0.0 ? p : fill4(1.0)) : Double4{};
        }
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace candide::CANDIDE_ISA
