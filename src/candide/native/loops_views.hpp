// Views of documents, weighed and summed.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// out[i] = Σ_v weight_v row_iv, for rows of `size`.
static void weigh_views(const double* row, Index rows, Index size, const double* weight, double* out) {
    for (Index i = 0; i < rows; ++i, row += size) {
        Double4 four{};
        Index v = 0;
        for (; v + 4 <= size; v += 4) four += load4(row + v) * load4(weight + v);
        double sum = (four[0] + four[2]) + (four[1] + four[3]);
        for (; v < size; ++v) sum += row[v] * weight[v];
        out[i] = sum;
    }
}

// sums_v += Σ_i share_i row_iv.
static void add_views(const double* __restrict row, Index rows, Index size, const double* __restrict share,
                      double* __restrict sums) {
    Index i = 0;
    for (; i + 2 <= rows; i += 2, row += 2 * size)  // two rows for each look at the sums
        for (Index v = 0; v < size; ++v) sums[v] += share[i] * row[v] + share[i + 1] * row[size + v];
    for (; i < rows; ++i, row += size)
        for (Index v = 0; v < size; ++v) sums[v] += share[i] * row[v];
}

// The factors of a word that every class has an entry n for: 1 + n of_class share, and (all − n) rest share + others.
static void multiply_lifts(const LiftedWord& word, const double* __restrict n, const double* __restrict of_class,
                           const double* __restrict rest, Index n_classes, double* __restrict first,
                           double* __restrict second) {
    for (Index c = 0; c < n_classes; ++c) {
        first[c] *= 1 + n[c] * of_class[c] * word.share;
        const double left = word.all - n[c];
        second[c] *= (left > 0 ? left : 0.0) * rest[c] * word.share + word.others;
    }
}

// gain += r x and curve += h x², class by class.
static void add_mistakes(const double* __restrict r, const double* __restrict h, double x, Index n_classes,
                         double* __restrict gain, double* __restrict curve) {
    for (Index c = 0; c < n_classes; ++c) gain[c] += r[c] * x, curve[c] += h[c] * x * x;
}

// out += x (gain − r x) / (curve − h x² + ridge), class by class, of curves that are not below zero.
static void add_mistake_view(const double* __restrict gain, const double* __restrict curve, const double* __restrict r,
                             const double* __restrict h, double x, double ridge, Index n_classes, double* __restrict out) {
    for (Index c = 0; c < n_classes; ++c) {
        const double left = curve[c] - h[c] * x * x;
        out[c] += x * (gain[c] - r[c] * x) / ((left > 0 ? left : 0.0) + ridge);
    }
}

}  // namespace candide::CANDIDE_ISA
