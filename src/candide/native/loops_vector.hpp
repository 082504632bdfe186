// Four doubles at a time, or eight numbers of single precision; exp and log by their series after range reduction, to about one unit in the last place.
#pragma once

#include <bit>
#include <cstdint>

#include "platform.hpp"

namespace candide::CANDIDE_ISA {

using Double4 = double __attribute__((vector_size(32), aligned(8), may_alias));
using Double2 = double __attribute__((vector_size(16), aligned(8), may_alias));
using Bits4 = std::uint64_t __attribute__((vector_size(32), aligned(8), may_alias));
using Float8 = float __attribute__((vector_size(32), aligned(4), may_alias));
using Float4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using Bits8 = std::uint32_t __attribute__((vector_size(32), aligned(4), may_alias));
using Int8 = std::int32_t __attribute__((vector_size(32), aligned(4), may_alias));
using Int4 = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));

CANDIDE_INLINE Double4 load4(const double* at) { return *reinterpret_cast<const Double4*>(at); }
CANDIDE_INLINE void store4(double* at, Double4 value) { *reinterpret_cast<Double4*>(at) = value; }
CANDIDE_INLINE Double2 load2(const double* at) { return *reinterpret_cast<const Double2*>(at); }
CANDIDE_INLINE void store2(double* at, Double2 value) { *reinterpret_cast<Double2*>(at) = value; }
CANDIDE_INLINE Float8 load8(const float* at) { return *reinterpret_cast<const Float8*>(at); }
CANDIDE_INLINE void store8(float* at, Float8 value) { *reinterpret_cast<Float8*>(at) = value; }
CANDIDE_INLINE Float8 narrow8(Double4 low, Double4 high) {
    const Float4 a = __builtin_convertvector(low, Float4), b = __builtin_convertvector(high, Float4);
    return Float8{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
}
CANDIDE_INLINE void widen8(Float8 x, double* to) {
    const Float4 low{x[0], x[1], x[2], x[3]}, high{x[4], x[5], x[6], x[7]};
    store4(to, __builtin_convertvector(low, Double4)), store4(to + 4, __builtin_convertvector(high, Double4));
}
CANDIDE_INLINE Double4 fill4(double value) { return Double4{value, value, value, value}; }

// Four vectors as the rows of a square, which becomes its columns.
CANDIDE_INLINE void transpose4(Double4& a, Double4& b, Double4& c, Double4& d) {
    const Double4 ab_even = CANDIDE_SHUFFLE(Bits4, a, b, 0, 4, 2, 6), ab_odd = CANDIDE_SHUFFLE(Bits4, a, b, 1, 5, 3, 7);
    const Double4 cd_even = CANDIDE_SHUFFLE(Bits4, c, d, 0, 4, 2, 6), cd_odd = CANDIDE_SHUFFLE(Bits4, c, d, 1, 5, 3, 7);
    a = CANDIDE_SHUFFLE(Bits4, ab_even, cd_even, 0, 1, 4, 5);
    b = CANDIDE_SHUFFLE(Bits4, ab_odd, cd_odd, 0, 1, 4, 5);
    c = CANDIDE_SHUFFLE(Bits4, ab_even, cd_even, 2, 3, 6, 7);
    d = CANDIDE_SHUFFLE(Bits4, ab_odd, cd_odd, 2, 3, 6, 7);
}

// The sums of each of four vectors, side by side.
CANDIDE_INLINE Bits4 sums4(Bits4 a, Bits4 b, Bits4 c, Bits4 d) {
    const Bits4 ab = CANDIDE_SHUFFLE(Bits4, a, b, 0, 4, 2, 6) + CANDIDE_SHUFFLE(Bits4, a, b, 1, 5, 3, 7);
    const Bits4 cd = CANDIDE_SHUFFLE(Bits4, c, d, 0, 4, 2, 6) + CANDIDE_SHUFFLE(Bits4, c, d, 1, 5, 3, 7);
    return CANDIDE_SHUFFLE(Bits4, ab, cd, 0, 1, 4, 5) + CANDIDE_SHUFFLE(Bits4, ab, cd, 2, 3, 6, 7);
}

inline constexpr double log2_e = 0x1.71547652b82fep+0;
inline constexpr double ln2_high = 0x1.62e42fefa3800p-1;  // ln 2 to 42 bits: its multiples by exponents are exact
inline constexpr double ln2_low = 0x1.ef35793c76730p-45;  // and the rest
inline constexpr double to_integer = 0x1.8p52;            // adding it leaves the nearest integer in the low bits

// exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln(2)/2: the series up to r^13. Below -708, where 2^n would leave
// the normal range, the result is 0. Meant for x <= 700.
CANDIDE_INLINE Double4 exp4(Double4 x) {
    const Double4 lowest = fill4(-708.0);
    const Bits4 lost = (Bits4)(x < lowest);
    const Double4 clamped = lost ? lowest : x;
    const Double4 shifted = clamped * log2_e + to_integer;
    const Double4 n = shifted - to_integer;
    const Double4 r = (clamped - n * ln2_high) - n * ln2_low;
    // two powers at a time: half as many steps wait for the one before
    constexpr double inverse_factorial[][2] = {{1.0 / 6227020800.0, 1.0 / 479001600.0}, {1.0 / 39916800.0, 1.0 / 3628800.0},
                                               {1.0 / 362880.0, 1.0 / 40320.0},         {1.0 / 5040.0, 1.0 / 720.0},
                                               {1.0 / 120.0, 1.0 / 24.0},               {1.0 / 6.0, 0.5},
                                               {1.0, 1.0}};
    const Double4 square = r * r;
    Double4 sum{};
    for (const auto& [odd, even] : inverse_factorial) sum = sum * square + (r * odd + even);
    return (Double4)(((Bits4)sum + ((Bits4)shifted << 52)) & ~lost);
}

// x = 2^e m, sqrt(1/2) <= m < sqrt(2), for x > 0 and finite.
CANDIDE_INLINE Double4 split4(Double4 x, Double4& exponent) {
    const Double4 smallest = fill4(0x1p-1022);
    const Double4 normal = x < smallest ? x * 0x1p54 : x;
    const Double4 rescaled = x < smallest ? fill4(54.0) : Double4{};
    constexpr std::uint64_t root_half = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);
    constexpr std::uint64_t bias = std::uint64_t{1023} << 52;
    const Bits4 e = ((Bits4)normal - root_half + bias) >> 52;
    // the integer e as a double: put it into the low bits of 2^52
    exponent = (Double4)(e | std::bit_cast<std::uint64_t>(0x1p52)) - (0x1p52 + 1023.0) - rescaled;
    return (Double4)((Bits4)normal - (e << 52) + bias);
}

// log(x) = e ln 2 + 2 artanh(s), s = (m - 1)/(m + 1), so s² < 0.0295: the series up to s^25. For x > 0 and finite, or
// NaN.
CANDIDE_INLINE Double4 log4(Double4 x) {
    Double4 exponent;
    const Double4 m = split4(x, exponent);
    const Double4 s = (m - 1.0) / (m + 1.0);
    const Double4 z = s * s;
    constexpr double inverse_odd[][2] = {{1.0 / 25.0, 1.0 / 23.0}, {1.0 / 21.0, 1.0 / 19.0}, {1.0 / 17.0, 1.0 / 15.0},
                                         {1.0 / 13.0, 1.0 / 11.0}, {1.0 / 9.0, 1.0 / 7.0},   {1.0 / 5.0, 1.0 / 3.0}};
    const Double4 square = z * z;
    Double4 sum{};
    for (const auto& [higher, lower] : inverse_odd) sum = sum * square + (z * higher + lower);
    // 2s apart from the rest of the series, so that the rest's rounding does not matter
    const Double4 result = exponent * ln2_high + (2.0 * s + (2.0 * s * z * sum + exponent * ln2_low));
    return x == x ? result : x;
}

// The same of eight numbers of single precision, which are not below the normal range: the series up to s^9.
CANDIDE_INLINE Float8 log8(Float8 x) {
    constexpr std::uint32_t root_half = std::bit_cast<std::uint32_t>(0x1.6a09e6p-1f), bias = 127u << 23;
    const Bits8 e = ((Bits8)x - root_half + bias) >> 23;
    const Float8 exponent = __builtin_convertvector((Int8)(e - 127), Float8);
    const Float8 m = (Float8)((Bits8)x - (e << 23) + bias), s = (m - 1.0f) / (m + 1.0f), z = s * s;
    const Float8 sum = (1.0f / 3 + z * (1.0f / 5)) + z * z * (1.0f / 7 + z * (1.0f / 9));
    return exponent * 0x1.62e430p-1f + (2.0f * s + 2.0f * s * z * sum);
}

// exp(x) = 2^n exp(r) of eight numbers of single precision: the series up to r^7; below -87, 0. Meant for x <= 87.
CANDIDE_INLINE Float8 exp8(Float8 x) {
    constexpr float high = 0x1.62e4p-1f, low = 0x1.7f7d1cp-20f, to_whole = 0x1.8p23f;  // ln 2 to 15 bits, and the rest
    const Float8 lowest = Float8{} - 87.0f, clamped = x > lowest ? x : lowest;
    const Float8 shifted = clamped * static_cast<float>(log2_e) + to_whole, n = shifted - to_whole;
    const Float8 r = (clamped - n * high) - n * low, square = r * r;
    const Float8 sum = (1.0f / 24 + r * (1.0f / 120)) + square * (1.0f / 720 + r * (1.0f / 5040));
    const Float8 series = (1.0f + r) + square * ((0.5f + r * (1.0f / 6)) + square * sum);
    return (Float8)(((Bits8)series + ((Bits8)shifted << 23)) & (Bits8)(x > lowest));
}

// The logarithm of a product: one series for all factors. Their mantissas lie between the roots of 1/2 and 2, so that
// the product of these stays between 2^-256 and 2^256.
struct LogProduct4 {
    static constexpr Index most_factors = 512;
    Double4 mantissa = fill4(1.0), exponent{};

    CANDIDE_INLINE void multiply(Double4 x) {
        Double4 e;
        mantissa *= split4(x, e);
        exponent += e;
    }
    CANDIDE_INLINE Double4 log() const { return exponent * ln2_high + (log4(mantissa) + exponent * ln2_low); }
};

}  // namespace candide::CANDIDE_ISA
