// Scores of rows by the model without them. Only the row's own class changes, but for the floor of normal variances,
// which is a share of the variance of the whole column.
#pragma once

#include <limits>
#include <numbers>

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

static void sum_own(const std::int32_t* table_rows, Index rows, Index columns, const double* table, Index n_classes,
                    const std::int32_t* of_class, double* sums) {
    for (Index r = 0; r < rows; ++r, table_rows += columns) {
        sums[r] = 0;
        for (Index j = 0; j < columns && of_class[r] >= 0; ++j)
            if (table_rows[j] >= 0) sums[r] += table[table_rows[j] * n_classes + of_class[r]];
    }
}

CANDIDE_INLINE Double4 greater4(Double4 a, Double4 b) { return a > b ? a : b; }
CANDIDE_INLINE Double4 magnitude4(Double4 a) { return a < 0.0 ? -a : a; }

// What rounding leaves of a difference is not a weight, nor a mean, nor a sum of squares: shares below which it is
// zero.
inline constexpr double no_difference = 64 * std::numeric_limits<double>::epsilon();
inline constexpr double no_squares = 1024 * std::numeric_limits<double>::epsilon();

inline constexpr double log_2pi = 0x1.d67f1c864beb4p+0;

struct Moments4 {
    Double4 n, mean, variance;
};

// The moments of a class without a row of weight w at x: Chan's rule read backwards.
CANDIDE_INLINE Moments4 without(Double4 n, Double4 inverse_n, Double4 mean, Double4 m2, Double4 w, Double4 x,
                                Double4& left_m2) {
    Double4 left = n - w;
    left = left <= no_difference * n ? Double4{} : left;
    const Double4 inverse = 1.0 / (left == 0.0 ? fill4(1.0) : left);
    const Double4 back = (mean - x) * (w * inverse);
    Double4 mu = mean + back;
    mu = magnitude4(mu) <= no_difference * greater4(magnitude4(mean), magnitude4(back)) ? Double4{} : mu;
    const Double4 d = x - mu;
    left_m2 = m2 - d * d * (w * left * inverse_n);
    left_m2 = (left == 0.0) | (left_m2 <= no_squares * m2) ? Double4{} : left_m2;
    return {left, mu, left_m2 * inverse};
}

// Row by row, four columns at a time. A row without a class leaves nothing out.
static bool sum_own_normal(Tile x, Index rows, Index columns, const std::int32_t* of_class, const double* weight,
                           const LeftOutMoments& moments, const LeftOutTile& tile, double* sums) {
    Bits4 floored_somewhere{};
    const Double4 nan = fill4(std::numeric_limits<double>::quiet_NaN());
    for (Index r = 0; r < rows; ++r) {
        const Double4 w = fill4(of_class[r] < 0 ? 0.0 : weight ? weight[r] : 1.0);
        const Index of = (of_class[r] < 0 ? 0 : of_class[r]) * columns, to = r * columns;
        Double4 log_variances{}, squares{}, says{};
        LogProduct4 variances;
        for (Index j = 0; j < columns; j += 4) {
            if (j > 0 && j % (4 * LogProduct4::most_factors) == 0) log_variances += variances.log(), variances = {};
            const Double4 value = load4(x.at + r * x.step + j);
            Double4 m2;
            const Moments4 own = without(load4(moments.n + of + j), load4(moments.inverse_n + of + j),
                                         load4(moments.mean + of + j), load4(moments.m2 + of + j), w, value, m2);
            // the class and all others make the column
            const Double4 others = load4(moments.others_n + of + j), others_mean = load4(moments.others_mean + of + j);
            const Double4 n = own.n + others, inverse = 1.0 / (n == 0.0 ? fill4(1.0) : n);
            const Double4 delta = own.n == 0.0 ? Double4{} : own.mean - others_mean, share = own.n * inverse;
            const Double4 mean = others == 0.0 ? own.mean : others_mean + delta * share;
            const Double4 between = others == 0.0 ? Double4{} : delta * delta * share * others;
            const Double4 whole = (m2 + load4(moments.others_m2 + of + j) + between) * inverse;
            const Double4 tiny = moments.constant * mean;
            const Bits4 speaks = (Bits4)(whole > tiny * tiny) & (Bits4)(value == value);
            const Double4 variance = speaks ? whole : nan;

            const Double4 floored = greater4(own.variance, moments.floor * whole);
            const Double4 v = own.n == 0.0 ? whole : floored, d = value - (own.n == 0.0 ? mean : own.mean);
            variances.multiply(speaks ? v : fill4(1.0));
            squares += speaks ? d * d / v : Double4{};
            says += speaks ? fill4(1.0) : Double4{};
            const Bits4 plain = speaks & (Bits4)(moments.floor * whole <= load4(moments.least_variance + j));
            floored_somewhere |= speaks & ~plain;
            store4(tile.plain + to + j, plain ? value : nan);
            store4(tile.mean + to + j, mean);
            store4(tile.variance + to + j, variance);
        }
        const Double4 sum = -0.5 * (log_2pi * says + log_variances + variances.log() + squares);
        sums[r] = sum[0] + sum[1] + sum[2] + sum[3];
    }
    return (floored_somewhere[0] | floored_somewhere[1] | floored_somewhere[2] | floored_somewhere[3]) != 0;
}

// The densities of one number in all classes, four at a time.
CANDIDE_INLINE void add_floored_cell(double x, double mean, double variance, const double* n, const double* means,
                                     const double* variances, double floor, Index n_classes, double* out) {
    const Double4 least = fill4(floor * variance);
    for (Index k = 0; k < n_classes; k += 4) {
        const Double4 known = load4(n + k);
        const Double4 v = known == 0.0 ? fill4(variance) : greater4(load4(variances + k), least);
        const Double4 d = x - (known == 0.0 ? fill4(mean) : load4(means + k));
        const Double4 density = -0.5 * (log4(2.0 * std::numbers::pi * v) + d * d / v);
        for (Index i = 0; i < 4 && k + i < n_classes; ++i) out[k + i] += density[i];
    }
}

static void add_floored(Tile x, Index rows, Index columns, const LeftOutTile& tile, const ClassMoments& classes,
                        double floor, Index n_classes, double* out) {
    for (Index r = 0; r < rows; ++r, out += n_classes)
        for (Index j = 0; j < columns; ++j) {
            const Index at = r * columns + j, of = j * classes.step;
            if (tile.plain[at] == tile.plain[at] || tile.variance[at] != tile.variance[at]) [[likely]]
                continue;
            add_floored_cell(x.at[r * x.step + j], tile.mean[at], tile.variance[at], classes.n + of, classes.mean + of,
                             classes.variance + of, floor, n_classes, out);
        }
}

}  // namespace candide::CANDIDE_ISA
