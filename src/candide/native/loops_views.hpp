// Views of documents, weighed and summed.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// Rows of so few numbers that their weights, or their sums, stay in registers: whole vectors, of which the last ends where
// the row does and may begin within the one before.
template <Index size>
struct ShortRow {
    static constexpr Index n = (size + 3) / 4;
    static constexpr Index at(Index i) { return i + 1 < n ? 4 * i : size - 4; }

    // The vectors of a row, without what the one before the last has already.
    static void read(const double* row, Double4 (&out)[n]) {
        for (Index i = 0; i < n; ++i) out[i] = load4(row + at(i));
        for (Index i = 0; i < 4 * n - size; ++i) out[n - 1][i] = 0;
    }
    static void weigh(const double* row, Index rows, const double* weight, double* out) {
        Double4 by[n];
        read(weight, by);
        for (Index i = 0; i < rows; ++i, row += size) {
            Double4 even{}, odd{};
            for (Index j = 0; j < n; ++j) (j % 2 ? odd : even) += load4(row + at(j)) * by[j];
            even += odd;
            out[i] = (even[0] + even[2]) + (even[1] + even[3]);
        }
    }
    static void add(const double* row, Index rows, const double* share, double* sums) {
        Double4 of[n];
        read(sums, of);
        for (Index i = 0; i < rows; ++i, row += size)
            for (Index j = 0; j < n; ++j) of[j] += share[i] * load4(row + at(j));
        for (Index j = 0; j + 1 < n; ++j) store4(sums + at(j), of[j]);
        for (Index i = 4 * n - size; i < 4; ++i) sums[size - 4 + i] = of[n - 1][i];
    }
};

// out[i] = Σ_v weight_v row_iv, for rows of `size`: ten bands of one view, or of two.
static void weigh_views(const double* row, Index rows, Index size, const double* weight, double* out) {
    if (size == 20) return ShortRow<20>::weigh(row, rows, weight, out);
    if (size == 10) return ShortRow<10>::weigh(row, rows, weight, out);
    for (Index i = 0; i < rows; ++i, row += size) {
        double sum = 0;
        for (Index v = 0; v < size; ++v) sum += row[v] * weight[v];
        out[i] = sum;
    }
}

// sums_v += Σ_i share_i row_iv.
static void add_views(const double* row, Index rows, Index size, const double* share, double* sums) {
    if (size == 20) return ShortRow<20>::add(row, rows, share, sums);
    if (size == 10) return ShortRow<10>::add(row, rows, share, sums);
    for (Index i = 0; i < rows; ++i, row += size)
        for (Index v = 0; v < size; ++v) sums[v] += share[i] * row[v];
}

// out += Σ_i x_i row_i of `vectors` vectors, whose sums stay in registers.
template <Index vectors>
static void add_short_rows(const double* const* row, const double* x, Index n, Index from, double* out) {
    Double4 sum[vectors];
    for (Index v = 0; v < vectors; ++v) sum[v] = load4(out + from + 4 * v);
    for (Index i = 0; i < n; ++i)
        for (Index v = 0; v < vectors; ++v) sum[v] += x[i] * load4(row[i] + from + 4 * v);
    for (Index v = 0; v < vectors; ++v) store4(out + from + 4 * v, sum[v]);
}

// out += Σ_i x_i row_i of rows of `size` numbers, wherever they lie.
static void add_listed(const double* const* row, const double* x, Index n, Index size, double* out) {
    Index c = 0;
    for (; c + 32 <= size; c += 32) add_short_rows<8>(row, x, n, c, out);
    if (c + 16 <= size) add_short_rows<4>(row, x, n, c, out), c += 16;
    if (c + 8 <= size) add_short_rows<2>(row, x, n, c, out), c += 8;
    if (c + 4 <= size) add_short_rows<1>(row, x, n, c, out), c += 4;
    for (; c < size; ++c) {
        double sum = out[c];
        for (Index i = 0; i < n; ++i) sum += x[i] * row[i][c];
        out[c] = sum;
    }
}

// sums (width, width) += Σ_i row_i row_iᵀ, as far as they stand above the diagonal; width in whole pairs of vectors.
static void add_squares(const double* row, Index rows, Index width, double* sums) {
    for (Index j = 0; j < width; j += 8)
        for (Index i = 0; i < j + 8; i += 4) {
            Double4 of[4][2] = {};
            const double* at = row;
            for (Index r = 0; r < rows; ++r, at += width)
                for (Index t = 0; t < 4; ++t) of[t][0] += at[i + t] * load4(at + j), of[t][1] += at[i + t] * load4(at + j + 4);
            for (Index t = 0; t < 4; ++t)
                for (Index half = 0; half < 2; ++half) {
                    double* into = sums + (i + t) * width + j + 4 * half;
                    store4(into, load4(into) + of[t][half]);
                }
        }
}

// The factors of words that every class has an entry n for, less the document's own part: 1 + n of_class share, and
// (all − n) rest share + others.
static void multiply_lifts(const LiftedWord* words, Index n_words, const LiftedClasses& by, double* __restrict products) {
    const Index k = by.n_classes;
    const double *__restrict of_class = by.of_class, *__restrict rest = by.rest, *__restrict mine = by.mine;
    for (const LiftedWord* word = words; word < words + n_words; ++word) {
        const double *__restrict n = word->n, all = word->all, gone = word->gone, share = word->share;
        double *__restrict first = products + 2 * k * word->slot, *__restrict second = first + k;
        for (Index c = 0; c < k; ++c) {
            const double less = n[c] - gone * mine[c], left = less > 0 ? less : 0.0, more = all - left;
            first[c] *= 1 + left * of_class[c] * share;
            second[c] *= (more > 0 ? more : 0.0) * rest[c] * share + by.others;
        }
    }
}

// What the factors of words say: x times their logarithms for the first view, and less that for the second.
static void add_lifts(const LiftedTogether* words, Index slots, const double* products, Index k, double* __restrict first,
                      double* __restrict second) {
    for (Index slot = 0; slot < slots; ++slot, products += 2 * k) {
        const double x = words[slot].x;
        double *a = first + words[slot].band * k, *b = second + words[slot].band * k;
        Index c = 0;
        for (; c + 4 <= k; c += 4) {
            store4(a + c, load4(a + c) + x * log4(load4(products + c)));
            store4(b + c, load4(b + c) - x * log4(load4(products + k + c)));
        }
        if (c == k) continue;
        const Double4 last = x * log4(load4(products + c)), last_of_others = x * log4(load4(products + k + c));
        for (Index i = 0; c < k; ++c, ++i) a[c] += last[i], b[c] -= last_of_others[i];
    }
}

// Of two classes: both factors of both fill one vector, and its logarithm is taken as soon as they are known.
static void add_lifts_of_two(const LiftedWord* words, Index n_words, const LiftedClasses& by, double* first, double* second) {
    const Double4 mine{by.mine[0], by.mine[1], by.mine[0], by.mine[1]}, base{1.0, 1.0, by.others, by.others};
    const Double4 per{by.of_class[0], by.of_class[1], by.rest[0], by.rest[1]}, zero{}, against{1.0, 1.0, -1.0, -1.0};
    for (const LiftedWord* word = words; word < words + n_words; ++word) {
        const double all = word->all;
        const Double4 less = Double4{word->n[0], word->n[1], word->n[0], word->n[1]} - word->gone * mine;
        const Double4 left = less > zero ? less : zero, more = Double4{0.0, 0.0, all, all} + against * left;
        const Double4 said = word->x * against * log4((more > zero ? more : zero) * per * word->share + base);
        double *a = first + 2 * word->slot, *b = second + 2 * word->slot;
        store2(a, load2(a) + Double2{said[0], said[1]}), store2(b, load2(b) + Double2{said[2], said[3]});
    }
}

// gain += r x and curve += h x², class by class; of two classes known here, both at once.
template <Index known>
static void add_mistakes_of(const MistakenWord* words, Index n_words, const DocumentMistakes& own, double* __restrict gain,
                            double* __restrict curve) {
    const Index k = known ? known : own.n_classes;
    const double *__restrict r = own.residual, *__restrict h = own.curvature;
    for (const MistakenWord* word = words; word < words + n_words; ++word) {
        double *__restrict g = gain + word->from, *__restrict s = curve + word->from;
        const double x = word->x;
        for (Index c = 0; c < k; ++c) g[c] += r[c] * x, s[c] += h[c] * x * x;
    }
}
static void add_mistakes(const MistakenWord* words, Index n, const DocumentMistakes& own, double* gain, double* curve) {
    own.n_classes == 2 ? add_mistakes_of<2>(words, n, own, gain, curve) : add_mistakes_of<0>(words, n, own, gain, curve);
}

// views += x (gain − r x) / (curve − h x² + ridge), class by class, of curves that are not below zero.
template <Index known>
static void add_mistake_views_of(const MistakenWord* words, Index n_words, const DocumentMistakes& own, const double* gain,
                                 const double* curve, double ridge, double* __restrict views) {
    const Index k = known ? known : own.n_classes;
    const double *__restrict r = own.residual, *__restrict h = own.curvature;
    for (const MistakenWord* word = words; word < words + n_words; ++word) {
        const double *__restrict g = gain + word->from, *__restrict s = curve + word->from, x = word->x;
        double* __restrict out = views + word->band * k;
        for (Index c = 0; c < k; ++c) {
            const double left = s[c] - h[c] * x * x;
            out[c] += x * (g[c] - r[c] * x) / ((left > 0 ? left : 0.0) + ridge);
        }
    }
}
static void add_mistake_views(const MistakenWord* words, Index n, const DocumentMistakes& own, const double* gain,
                              const double* curve, double ridge, double* views) {
    own.n_classes == 2 ? add_mistake_views_of<2>(words, n, own, gain, curve, ridge, views)
                       : add_mistake_views_of<0>(words, n, own, gain, curve, ridge, views);
}

}  // namespace candide::CANDIDE_ISA
