// exp and log of four doubles at a time, by their series after range reduction; about one unit in the last place.
#pragma once

#include <bit>
#include <cstdint>

#include "platform.hpp"

namespace candide {

// (Passing vectors by value would depend on the instruction set, so these go by reference and are inlined.)
using Double4 = double __attribute__((vector_size(32), aligned(8), may_alias));
using Bits4 = std::uint64_t __attribute__((vector_size(32), aligned(8), may_alias));

inline constexpr double log2_e = 0x1.71547652b82fep+0;
inline constexpr double ln2_high = 0x1.62e42fefa3800p-1;  // ln 2 to 42 bits: its multiples by exponents are exact
inline constexpr double ln2_low = 0x1.ef35793c76730p-45;   // and the rest
inline constexpr double to_integer = 0x1.8p52;            // adding it leaves the nearest integer in the low bits

// In place. exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln(2)/2: thirteen terms of the series.
// Below -708, where 2^n would leave the normal range, the result is 0. Meant for x <= 700.
CANDIDE_INLINE void exp4(Double4& x) {
    const Double4 lowest = Double4{} - 708.0;
    const Bits4 keep = (Bits4)~(x < lowest);
    const Double4 clamped = x < lowest ? lowest : x;
    const Double4 shifted = clamped * log2_e + to_integer;
    const Double4 n = shifted - to_integer;
    const Double4 r = (clamped - n * ln2_high) - n * ln2_low;
    Double4 sum = Double4{} + 1.0 / 6227020800.0;
    constexpr double inverse_factorial[] = {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                                            1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,     1.0 / 120.0,
                                            1.0 / 24.0,        1.0 / 6.0,        0.5,             1.0, 1.0};
    for (const double c : inverse_factorial) sum = sum * r + c;
    const Bits4 scaled = (Bits4)sum + ((Bits4)shifted << 52);
    x = (Double4)(scaled & keep);
}

// In place, for x > 0 and finite, or NaN. log(x) = e ln 2 + 2 artanh(s), x = 2^e m, s = (m - 1)/(m + 1),
// sqrt(1/2) <= m < sqrt(2), so s² < 0.0295: eleven terms of the series.
CANDIDE_INLINE void log4(Double4& x) {
    const Double4 smallest = Double4{} + 0x1p-1022;
    const Double4 normal = x < smallest ? x * 0x1p54 : x;
    const Double4 exponent_shift = x < smallest ? Double4{} - 54.0 : Double4{};
    constexpr std::uint64_t root_half = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);
    constexpr std::uint64_t bias = std::uint64_t{1023} << 52;
    const Bits4 e = ((Bits4)normal - root_half + bias) >> 52;
    const Double4 m = (Double4)((Bits4)normal - (e << 52) + bias);
    // the integer e as a double: put it into the low bits of 2^52
    const Double4 exponent = (Double4)(e | std::bit_cast<std::uint64_t>(0x1p52)) - (0x1p52 + 1023.0) + exponent_shift;
    const Double4 s = (m - 1.0) / (m + 1.0);
    const Double4 z = s * s;
    Double4 sum = Double4{} + 1.0 / 23.0;
    constexpr double odd[] = {21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0};
    for (const double d : odd) sum = sum * z + 1.0 / d;
    // 2s + 2sz·sum: the large part apart, so that rounding of the small one does not matter
    const Double4 result = exponent * ln2_high + (2.0 * s + (2.0 * s * z * sum + exponent * ln2_low));
    x = x == x ? result : x;
}

// In place over an array whose length is a multiple of four.
CANDIDE_INLINE void exp_all(double* x, Index n) {
    for (Index i = 0; i < n; i += 4) exp4(*reinterpret_cast<Double4*>(x + i));
}
CANDIDE_INLINE void log_all(double* x, Index n) {
    for (Index i = 0; i < n; i += 4) log4(*reinterpret_cast<Double4*>(x + i));
}

}  // namespace candide
