// Doubles as integers of the same order.
#pragma once

#include <bit>
#include <cstdint>

#include "platform.hpp"

namespace candide {

inline constexpr int mantissa_bits = 52;
inline constexpr std::size_t n_binades = 4096;  // signs and exponents
inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t missing_rank = ~std::uint64_t{0};  // above all numbers

// The bits of a number: negative ones turned about, and below the others. -0.0 is 0.0.
CANDIDE_INLINE std::uint64_t rank_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits ^ (-(bits >> 63) | sign_bit);
}

CANDIDE_INLINE std::uint64_t bits_of_rank(std::uint64_t rank) { return rank & sign_bit ? rank ^ sign_bit : ~rank; }

}  // namespace candide
