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

// Lower up to 64 bytes, of a text that begins at some place before, into a place that has room for as many. The last bytes
// of a text are read with those before them, which are lowered once more: a copy that is read at once has to wait.
inline Chunk lower_chunk(const Characters& characters, Bytes begin, Bytes at, Index n, char* to) {
    Chunk out;
#ifdef __SSE2__
    if (characters.usual && at + n >= begin + 16) {
        const Index whole = n & ~Index{15};
        for (Index i = 0; i < whole; i += 16) lower_sixteen(at + i, to + i, static_cast<int>(i), out);
        if (n > whole) {
            Chunk last;
            lower_sixteen(at + n - 16, to + n - 16, 0, last);
            const Index known = whole + 16 - n;
            out.word |= last.word >> known << whole, out.wide |= last.wide >> known << whole;
        }
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

// Some chunks of ASCII in a row, up to the first byte that is none: lowered before words are taken from them, since a read
// of what was written a moment ago, but otherwise parted, has to wait until it is in the cache.
class Stretch {
  public:
    static constexpr std::size_t most = 16;
    static constexpr std::size_t most_bytes = most * chunk_bytes;

    Stretch(const Characters& characters, Bytes at, Bytes end, char* to) {
        for (Index given = chunk_bytes, taken = chunk_bytes; taken == chunk_bytes && chunks < most && at + bytes < end;) {
            given = std::min<Index>(end - at - bytes, chunk_bytes);
            const Chunk chunk = lower_chunk(characters, at, at + bytes, given, to + bytes);
            taken = std::min<Index>(given, std::countr_zero(chunk.wide));
            word[chunks++] = chunk.word & low_bits(taken);
            bytes += taken;
        }
        word[chunks] = 0;
    }
    Index size() const { return bytes; }
    // How many bytes of words follow each other from a place on.
    Index run(Index from) const {
        auto c = static_cast<std::size_t>(from / chunk_bytes);
        Index n = std::countr_one(word[c] >> from % chunk_bytes);
        if (from % chunk_bytes + n < chunk_bytes) return n;
        while (word[++c] == ~std::uint64_t{0}) n += chunk_bytes;  // ends: behind the last chunk is an empty one
        return n + std::countr_one(word[c]);
    }
    // Take away the word that it begins with, of so many bytes.
    void drop_first(Index n) {
        std::size_t c = 0;
        for (; n >= chunk_bytes; n -= chunk_bytes) word[c++] = 0;
        word[c] &= ~low_bits(n);
    }
    // Take away the word that it ends with, which may go on; returns where that begins.
    Index drop_last() {
        Index last = bytes;
        for (auto c = static_cast<Index>(chunks); c-- > 0;) {
            const std::uint64_t outside = ~word[c] & low_bits(last - c * chunk_bytes);
            const Index kept = outside ? 64 - std::countl_zero(outside) : 0;
            word[c] &= low_bits(kept);
            last = c * chunk_bytes + kept;
            if (outside) break;
        }
        return last;
    }
    // found(place, bytes) for every run of two or more.
    template <class Found>
    void words(Found&& found) const {
        std::uint64_t before = 0;
        for (std::size_t c = 0; c < chunks; ++c) {
            const std::uint64_t inside = word[c];
            const std::uint64_t follows = inside >> 1 | word[c + 1] << 63;
            for (std::uint64_t starts = inside & ~(inside << 1 | before) & follows; starts != 0; starts &= starts - 1) {
                const int first = std::countr_zero(starts);
                const Index n = std::countr_one(inside >> first), at = static_cast<Index>(c) * chunk_bytes + first;
                found(at, first + n < chunk_bytes ? n : run(at));
            }
            before = inside >> 63;
        }
    }

  private:
    std::uint64_t word[most + 1];
    std::size_t chunks = 0;
    Index bytes = 0;
};

}  // namespace candide
