// Sums over rows of one class, and checks.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

static bool any_outside(Tile x, Index rows, Index columns, double low, double high) {
    std::int64_t outside = 0;
    for (Index r = 0; r < rows; ++r) {
        const double* row = x.at + r * x.step;
        for (Index j = 0; j < columns; ++j) outside |= (row[j] < low) | (row[j] > high);
    }
    return outside != 0;
}

// One sequential look at the tile: it brings the rows into the cache, too.
static bool all_known(Tile x, Index rows, Index columns) {
    std::int64_t missing = 0;
    for (Index r = 0; r < rows; ++r) {
        const double* row = x.at + r * x.step;
        for (Index j = 0; j < columns; ++j) missing |= row[j] != row[j];
    }
    return missing == 0;
}

// V vectors of columns from j on, summed in registers.
template <int V, bool complete, bool weighted>
CANDIDE_INLINE void add_vectors(Tile x, Index j, const std::int32_t* rows, Index count, const double* weight,
                                const ShiftedSums& sums) {
    Double4 n[V] = {}, s1[V] = {}, s2[V] = {}, shift[V];
    for (int v = 0; v < V; ++v) shift[v] = load4(sums.shift + j + 4 * v);
    double all = complete && !weighted ? static_cast<double>(count) : 0.0;
    for (Index i = 0; i < count; ++i) {
        const double* row = x.at + rows[i] * x.step + j;
        const double w = weighted ? weight[rows[i]] : 1.0;
        if (complete && weighted) all += w;
        for (int v = 0; v < V; ++v) {
            const Double4 value = load4(row + 4 * v);
            Double4 d = value - shift[v];
            if (!complete) {
                d = value == value ? d : Double4{};
                n[v] += value == value ? fill4(w) : Double4{};
            }
            const Double4 wd = weighted ? w * d : d;
            s1[v] += wd;
            s2[v] += wd * d;
        }
    }
    for (int v = 0; v < V; ++v) {
        const Index at = j + 4 * v;
        store4(sums.n + at, load4(sums.n + at) + (complete ? fill4(all) : n[v]));
        store4(sums.s1 + at, load4(sums.s1 + at) + s1[v]);
        store4(sums.s2 + at, load4(sums.s2 + at) + s2[v]);
    }
}

template <bool complete, bool weighted>
CANDIDE_INLINE void add_all_vectors(Tile x, const std::int32_t* rows, Index count, const double* weight, Index columns,
                                    const ShiftedSums& sums) {
    constexpr int V = complete ? 4 : 3;  // as many as the registers hold
    Index j = 0;
    for (; j + 4 * V <= columns; j += 4 * V) add_vectors<V, complete, weighted>(x, j, rows, count, weight, sums);
    for (; j + 8 <= columns; j += 8) add_vectors<2, complete, weighted>(x, j, rows, count, weight, sums);
    for (; j < columns; j += 4) add_vectors<1, complete, weighted>(x, j, rows, count, weight, sums);
}

static void add_shifted(Tile x, const std::int32_t* rows, Index count, const double* weight, bool complete,
                        Index columns, const ShiftedSums& sums) {
    if (complete && weight) return add_all_vectors<true, true>(x, rows, count, weight, columns, sums);
    if (complete) return add_all_vectors<true, false>(x, rows, count, weight, columns, sums);
    if (weight) return add_all_vectors<false, true>(x, rows, count, weight, columns, sums);
    add_all_vectors<false, false>(x, rows, count, weight, columns, sums);
}

static void add_known(Tile x, const std::int32_t* rows, Index count, const double* weight, Index columns,
                      double* __restrict sums) {
    for (Index i = 0; i < count; ++i) {
        const double w = weight ? weight[rows[i]] : 1.0;
        const double* __restrict row = x.at + rows[i] * x.step;
        for (Index j = 0; j < columns; ++j) sums[j] += row[j] == row[j] ? w * row[j] : 0.0;
    }
}

// Rows are whole vectors; cells beyond the columns are taken as 1.
static void take_logs(Tile x, Index rows, Index columns, double* logs, Index step) {
    for (Index r = 0; r < rows; ++r)
        for (Index j = 0; j < step; j += 4) {
            Double4 four = load4(x.at + r * x.step + j);
            for (Index i = columns - j; i < 4; ++i) four[i] = 1;
            store4(logs + r * step + j, log4(four));
        }
}

}  // namespace candide::CANDIDE_ISA
