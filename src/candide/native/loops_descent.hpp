// Products and sums of long vectors.
#pragma once

#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// Four sums side by side: one would wait for itself at every product.
static double dot(const double* a, const double* b, Index n) {
    Double4 sum[4] = {};
    Index j = 0;
    for (; j + 16 <= n; j += 16)
        for (Index i = 0; i < 4; ++i) sum[i] += load4(a + j + 4 * i) * load4(b + j + 4 * i);
    const Double4 four = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    double total = (four[0] + four[1]) + (four[2] + four[3]);
    for (; j < n; ++j) total += a[j] * b[j];
    return total;
}

static void add_scaled(double scale, const double* __restrict a, Index n, double* __restrict b) {
    for (Index j = 0; j < n; ++j) b[j] += scale * a[j];
}

}  // namespace candide::CANDIDE_ISA
