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
static void add_views(const double* row, Index rows, Index size, const double* share, double* sums) {
    Index i = 0;
    for (; i + 2 <= rows; i += 2, row += 2 * size)  // two rows for each look at the sums
        for (Index v = 0; v < size; ++v) sums[v] += share[i] * row[v] + share[i + 1] * row[size + v];
    for (; i < rows; ++i, row += size)
        for (Index v = 0; v < size; ++v) sums[v] += share[i] * row[v];
}

}  // namespace candide::CANDIDE_ISA
