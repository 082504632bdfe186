// Tables of single precision: half the memory, and twice as many classes at a time. Rows are one number, or whole vectors.
#pragma once

#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// visit(first, vectors) for each group of at most four vectors of a row.
template <class Visit>
CANDIDE_INLINE void by_vector_group(Index step, Visit&& visit) {
    Index first = 0;
    for (; step - first >= 32; first += 32) visit(first, std::integral_constant<int, 4>{});
    if (step - first >= 24) visit(first, std::integral_constant<int, 3>{});
    else if (step - first >= 16) visit(first, std::integral_constant<int, 2>{});
    else if (step - first >= 8) visit(first, std::integral_constant<int, 1>{});
}

// visit(entry) for every cell of a row; an entry below zero is left out.
template <class Visit>
CANDIDE_INLINE void each_known(const std::int32_t* table_rows, Index columns, Visit&& visit) {
    for (Index j = 0; j < columns; ++j)
        if (table_rows[j] >= 0) visit(static_cast<Index>(table_rows[j]));
}

// out[row] = Σ table[entry] over the cells of every row.
static void sum_singles(const std::int32_t* table_rows, Index rows, Index columns, const float* table, Index step,
                        float* out) {
    for (Index r = 0; r < rows && step == 1; ++r) {
        float sum = 0;
        each_known(table_rows + r * columns, columns, [&](Index at) { sum += table[at]; });
        out[r] = sum;
    }
    by_vector_group(step, [=](Index first, auto vectors) __attribute__((always_inline)) {
        for (Index r = 0; r < rows; ++r) {
            Float8 sum[vectors] = {};
            each_known(table_rows + r * columns, columns, [&](Index at) __attribute__((always_inline)) {
                for (int v = 0; v < vectors; ++v) sum[v] += load8(table + at * step + first + 8 * v);
            });
            for (int v = 0; v < vectors; ++v) store8(out + r * step + first + 8 * v, sum[v]);
        }
    });
}

// sums[entry] += from[row] for the cells of every row.
static void scatter_singles(const std::int32_t* table_rows, Index rows, Index columns, const float* from, Index step,
                            float* sums) {
    for (Index r = 0; r < rows && step == 1; ++r)
        each_known(table_rows + r * columns, columns, [&](Index at) { sums[at] += from[r]; });
    by_vector_group(step, [=](Index first, auto vectors) __attribute__((always_inline)) {
        for (Index r = 0; r < rows; ++r) {
            Float8 value[vectors];
            for (int v = 0; v < vectors; ++v) value[v] = load8(from + r * step + first + 8 * v);
            each_known(table_rows + r * columns, columns, [&](Index at) __attribute__((always_inline)) {
                float* to = sums + at * step + first;
                for (int v = 0; v < vectors; ++v) store8(to + 8 * v, load8(to + 8 * v) + value[v]);
            });
        }
    });
}

}  // namespace candide::CANDIDE_ISA
