// Logarithms of softened counts, turned on the way from rows of columns to rows of classes.
#pragma once

#include <limits>

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// log(x) also where nothing was counted and nothing is added; NaN below zero.
CANDIDE_INLINE Double4 log_count4(Double4 x) {
    const Double4 lost = fill4(-std::numeric_limits<double>::infinity());
    const Double4 wrong = fill4(std::numeric_limits<double>::quiet_NaN());
    return x > 0.0 ? log4(x) : x == 0.0 ? lost : wrong;
}

// Counts as places in the logarithms of small ones; `other` where they are not whole or not small.
CANDIDE_INLINE Int4 small_places(Double4 counts, Bits4& other) {
    const Double4 most = fill4(static_cast<double>(SoftenedTable::small - 1));
    const Double4 within = counts < most ? counts : most;
    const Int4 places = __builtin_convertvector(within > 0.0 ? within : Double4{}, Int4);
    other |= (Bits4)(__builtin_convertvector(places, Double4) != counts);
    return places;
}

CANDIDE_INLINE Double4 pseudo4(const SoftenedTable& table, Index d) {
    return table.of_small ? fill4(*table.pseudo) : load4(table.pseudo + d);
}

// Four columns of four classes. Most counts of words are small, and then the logarithms are known.
CANDIDE_INLINE void write_square(const SoftenedTable& table, Index k, Index d, double* out) {
    const Index D = table.columns, K = table.classes, step = table.total_step;
    const double *counts = table.counts + k * D + d, *of = table.of_small;
    Double4 a = load4(counts), b = load4(counts + D), c = load4(counts + 2 * D), e = load4(counts + 3 * D);
    Bits4 other{};
    const Int4 at_a = small_places(a, other), at_b = small_places(b, other), at_c = small_places(c, other),
               at_e = small_places(e, other);
    if (of && (other[0] | other[1] | other[2] | other[3]) == 0) {
        a = Double4{of[at_a[0]], of[at_b[0]], of[at_c[0]], of[at_e[0]]};
        b = Double4{of[at_a[1]], of[at_b[1]], of[at_c[1]], of[at_e[1]]};
        c = Double4{of[at_a[2]], of[at_b[2]], of[at_c[2]], of[at_e[2]]};
        e = Double4{of[at_a[3]], of[at_b[3]], of[at_c[3]], of[at_e[3]]};
    } else {
        const Double4 pseudo = pseudo4(table, d);
        a = log_count4(a + pseudo), b = log_count4(b + pseudo), c = log_count4(c + pseudo), e = log_count4(e + pseudo);
        transpose4(a, b, c, e);
    }
    const double* total = table.log_total + d * step + k;
    double* row = out + d * K + k;
    store4(row, a - load4(total));
    store4(row + K, b - load4(total + step));
    store4(row + 2 * K, c - load4(total + 2 * step));
    store4(row + 3 * K, e - load4(total + 3 * step));
}

// So many columns at a time: what is written of them stays in the cache while the classes go by.
inline constexpr Index columns_together = 64;

static void log_softened(const SoftenedTable& table, Index from, Index to, double* out) {
    const Index K = table.classes, whole = K - K % 4;
    for (Index block = from; block < to; block += columns_together) {
        const Index end = block + columns_together < to ? block + columns_together : to, fours = end - (end - block) % 4;
        for (Index k = 0; k < whole; k += 4)
            for (Index d = block; d < fours; d += 4) write_square(table, k, d, out);
        for (Index k = whole; k < K; ++k)
            for (Index d = block; d < fours; d += 4) {
                const Double4 logs = log_count4(load4(table.counts + k * table.columns + d) + pseudo4(table, d));
                for (Index i = 0; i < 4; ++i)
                    out[(d + i) * K + k] = logs[i] - table.log_total[(d + i) * table.total_step + k];
            }
        for (Index d = fours; d < end; ++d)
            for (Index k = 0; k < K; ++k) {
                const double n = table.counts[k * table.columns + d] + table.pseudo[table.of_small ? 0 : d];
                out[d * K + k] = log_count4(fill4(n))[0] - table.log_total[d * table.total_step + k];
            }
    }
}

}  // namespace candide::CANDIDE_ISA
