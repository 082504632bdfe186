// Views of documents, weighed and summed.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// The sums of each of eight vectors, side by side.
CANDIDE_INLINE Float8 sums8(const Float8 (&of)[8]) {
    const auto pairs = [](Float8 a, Float8 b) {
        return CANDIDE_SHUFFLE(Bits8, a, b, 0, 8, 2, 10, 4, 12, 6, 14) + CANDIDE_SHUFFLE(Bits8, a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    };
    const auto fours = [](Float8 a, Float8 b) {
        return CANDIDE_SHUFFLE(Bits8, a, b, 0, 1, 8, 9, 4, 5, 12, 13) + CANDIDE_SHUFFLE(Bits8, a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    };
    const Float8 low = fours(pairs(of[0], of[1]), pairs(of[2], of[3])), high = fours(pairs(of[4], of[5]), pairs(of[6], of[7]));
    return CANDIDE_SHUFFLE(Bits8, low, high, 0, 1, 2, 3, 8, 9, 10, 11) + CANDIDE_SHUFFLE(Bits8, low, high, 4, 5, 6, 7, 12, 13, 14, 15);
}

// Rows of so few numbers that their weights, or their sums, stay in registers: whole vectors, of which the last ends where
// the row does and may begin within the one before.
template <Index size>
struct ShortRow {
    static constexpr Index n = (size + 7) / 8;
    static constexpr Index at(Index i) { return i + 1 < n ? 8 * i : size - 8; }

    static Float8 weighed(const float* row, const Float8 (&by)[n]) {
        Float8 sum = load8(row) * by[0];
        for (Index j = 1; j < n; ++j) sum += load8(row + at(j)) * by[j];
        return sum;
    }
    static void weigh(const float* row, Index rows, const double* weight, double* out) {
        // without what the vector before the last has already
        Float8 by[n];
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < 8; ++i) by[j][i] = at(j) + i < 8 * j ? 0.0f : static_cast<float>(weight[at(j) + i]);
        Index i = 0;
        for (; i + 8 <= rows; i += 8, row += 8 * size) {
            Float8 of[8];
            for (Index r = 0; r < 8; ++r) of[r] = weighed(row + r * size, by);
            const Float8 sums = sums8(of);
            for (Index r = 0; r < 8; ++r) out[i + r] = sums[r];
        }
        for (; i < rows; ++i, row += size) {
            const Float8 of = weighed(row, by);
            out[i] = ((of[0] + of[4]) + (of[2] + of[6])) + ((of[1] + of[5]) + (of[3] + of[7]));
        }
    }
    static void add(const float* row, Index rows, const double* share, double* sums) {
        Float8 of[n] = {};
        for (Index i = 0; i < rows; ++i, row += size) {
            const auto by = static_cast<float>(share[i]);
            for (Index j = 0; j < n; ++j) of[j] += by * load8(row + at(j));
        }
        for (Index j = 0; j < n; ++j)
            for (Index i = 8 * j - at(j); i < 8; ++i) sums[at(j) + i] += of[j][i];
    }
};

// out[i] = Σ_v weight_v row_iv, for rows of `size`: ten bands of one view, or of two.
static void weigh_views(const float* row, Index rows, Index size, const double* weight, double* out) {
    if (size == 20) return ShortRow<20>::weigh(row, rows, weight, out);
    if (size == 10) return ShortRow<10>::weigh(row, rows, weight, out);
    for (Index i = 0; i < rows; ++i, row += size) {
        double sum = 0;
        for (Index v = 0; v < size; ++v) sum += row[v] * weight[v];
        out[i] = sum;
    }
}

// sums_v += Σ_i share_i row_iv, of rows so few that their sums have the digits that they have.
static void add_views(const float* row, Index rows, Index size, const double* share, double* sums) {
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

}  // namespace candide::CANDIDE_ISA
