// Text of ASCII, some dozens of bytes at a time: lowered, and which of them are part of words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "text_characters.hpp"

namespace candide {

inline constexpr Index chunk_bytes = 64;

// One bit for each byte: whether it is an ASCII character of words, and whether it is no ASCII.
struct Chunk {
    std::uint64_t word = 0, wide = 0;
};

#ifdef __SSE2__
// Sixteen bytes by the usual rule: letters, which are lowered, digits and the underscore are part of words.
inline void lower_sixteen(const std::uint8_t* from, char* to, int shift, Chunk& out) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i blank = _mm_set1_epi8(0x20);
    // c − low < size as unsigned numbers, by way of signed ones
    const auto within = [](__m128i c, char low, char size) {
        return _mm_cmplt_epi8(_mm_add_epi8(c, _mm_set1_epi8(static_cast<char>(-128 - low))),
                              _mm_set1_epi8(static_cast<char>(-128 + size)));
    };
    const __m128i letter = within(_mm_or_si128(x, blank), 'a', 26), digit = within(x, '0', 10);
    const __m128i word = _mm_or_si128(_mm_or_si128(letter, digit), _mm_cmpeq_epi8(x, _mm_set1_epi8('_')));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_or_si128(x, _mm_and_si128(letter, blank)));
    out.word |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(word))) << shift;
    out.wide |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(x))) << shift;
}
#endif

// Lower up to 64 bytes into a place that has room for as many.
inline Chunk lower_chunk(const Characters& characters, Bytes at, Index n, char* to) {
    Chunk out;
#ifdef __SSE2__
    if (characters.usual) {
        std::uint8_t padded[chunk_bytes];
        if (n < chunk_bytes) {
            std::memset(padded, 0, sizeof padded);
            std::memcpy(padded, at, static_cast<std::size_t>(n));
            at = padded;
        }
        for (int i = 0; i < chunk_bytes; i += 16) lower_sixteen(at + i, to + i, i, out);
        return out;
    }
#endif
    for (Index i = 0; i < n; ++i) {
        const std::uint8_t plain = characters.plain[at[i]];
        to[i] = static_cast<char>(plain);
        out.word |= static_cast<std::uint64_t>(plain != 0) << i;
        out.wide |= static_cast<std::uint64_t>(at[i] >> 7) << i;
    }
    return out;
}

// The lowest n bits.
inline std::uint64_t low_bits(Index n) { return n < 64 ? (std::uint64_t{1} << n) - 1 : ~std::uint64_t{0}; }

}  // namespace candide
