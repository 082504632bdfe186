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

// Numbers at a time, so that those of one vector stay near while the others pass by.
inline constexpr Index piece = 1024;

// out[i, j] = Σ a_i b_j of vectors of single precision, n in whole vectors.
static void products(const float* const* a, Index n_a, const float* const* b, Index n_b, Index n, double* out) {
    for (Index i = 0; i < n_a * n_b; ++i) out[i] = 0;
    for (Index first = 0; first < n; first += piece) {
        const Index last = first + piece < n ? first + piece : n;
        for (Index i = 0; i < n_a; ++i)
            for (Index j = 0; j < n_b; ++j) {
                Float8 sum[2] = {};
                Index at = first;
                for (; at + 16 <= last; at += 16)
                    for (Index v = 0; v < 2; ++v) sum[v] += load8(a[i] + at + 8 * v) * load8(b[j] + at + 8 * v);
                for (; at < last; at += 8) sum[0] += load8(a[i] + at) * load8(b[j] + at);
                double total = 0;
                for (Index v = 0; v < 8; ++v) total += static_cast<double>(sum[0][v]) + static_cast<double>(sum[1][v]);
                out[i * n_b + j] += total;
            }
    }
}

// b += Σ scale_i a_i.
static void add_combined(const double* scale, const float* const* a, Index n_a, Index n, double* b) {
    for (Index first = 0; first < n; first += piece) {
        const Index last = first + piece < n ? first + piece : n;
        for (Index i = 0; i < n_a; ++i) {
            const float* from = a[i];
            for (Index j = first; j < last; ++j) b[j] += scale[i] * from[j];
        }
    }
}

static void add_scaled(double scale, const double* __restrict a, Index n, double* __restrict b) {
    for (Index j = 0; j < n; ++j) b[j] += scale * a[j];
}

}  // namespace candide::CANDIDE_ISA
