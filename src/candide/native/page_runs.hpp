// Bytes that are read one after the other, and numbers of few bits that they hold in runs.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "tiles.hpp"

namespace candide {

struct EndedEarly : std::invalid_argument {
    EndedEarly() : std::invalid_argument("a page ends before what it should hold") {}
};

// Bytes that are read one after the other, and none beyond their end.
struct Bytes {
    const std::uint8_t *at, *end;

    const std::uint8_t* take(std::uint64_t n) {
        if (n > static_cast<std::uint64_t>(end - at)) throw EndedEarly();
        at += n;
        return at - n;
    }

    // Seven bits a byte, the lowest first.
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = *take(1);
            value |= std::uint64_t{byte & 127u} << shift;
            if (byte < 128) return value;
        }
        throw std::invalid_argument("a number of a page is too long");
    }
};

// So many bits of each of `groups` equal parts of a word, the lowest.
constexpr std::uint64_t low_bits(int bits, int groups) {
    std::uint64_t mask = 0;
    for (int g = 0; g < groups; ++g)
        for (int i = 0; i < bits; ++i) mask |= std::uint64_t{1} << (g * (64 / groups) + i);
    return mask;
}

// In each of so many equal parts of a word, the numbers of its upper half move from behind the others to where it begins.
template <int width, int in_half, int parts>
std::uint64_t move_halves(std::uint64_t word) {
    const std::uint64_t lower = word & low_bits(in_half * width, parts);
    return lower | (word ^ lower) << (32 / parts - in_half * width);
}

// Numbers of so many bits that lie one behind the other, as numbers of type Code.
template <class Code, int width>
std::uint64_t move_apart(std::uint64_t word) {
    constexpr int together = 8 / sizeof(Code);
    word &= low_bits(together * width, 1);
    word = move_halves<width, together / 2, 1>(word);
    if constexpr (together >= 4) word = move_halves<width, together / 4, 2>(word);
    if constexpr (together >= 8) word = move_halves<width, together / 8, 4>(word);
    return word;
}

// Eight numbers of so many bits each, from bytes behind which eight more can be read.
template <class Code, int width>
void unpack_eight(const std::uint8_t* from, Code* to) {
    const auto* const bytes = reinterpret_cast<const char*>(from);
    if constexpr (sizeof(Code) <= 2) {
        constexpr int together = 8 / sizeof(Code);
        for (int i = 0; i < 8; i += together) {
            const auto word = load<std::uint64_t>(bytes + (i * width >> 3)) >> (i * width & 7);
            const std::uint64_t apart = move_apart<Code, width>(word);
            std::memcpy(to + i, &apart, sizeof apart);
        }
    } else {
        constexpr std::uint64_t mask = (std::uint64_t{1} << width) - 1;
        for (int i = 0; i < 8; ++i)
            to[i] = static_cast<Code>(load<std::uint64_t>(bytes + (i * width >> 3)) >> (i * width & 7) & mask);
    }
}

// Numbers packed tightly, of which `size` bytes can be read.
template <class Code, int width>
void unpack(const std::uint8_t* from, std::uint64_t size, Index n, Code* to) {
    for (; n >= 8 && size >= width + 8; n -= 8, to += 8, from += width, size -= width)
        unpack_eight<Code, width>(from, to);
    for (Code eight[8]; n > 0; n -= 8, to += 8, from += width, size -= width) {
        std::uint8_t last[width + 8] = {};
        std::copy_n(from, std::min<std::uint64_t>(size, width), last);
        unpack_eight<Code, width>(last, eight);
        std::copy_n(eight, std::min<Index>(n, 8), to);
    }
}

inline constexpr int widest_code = 32;

// By how many bits more than `narrowest` there are.
template <class Code, int narrowest, int... more>
constexpr auto unpack_table(std::integer_sequence<int, more...>) {
    return std::array{unpack<Code, narrowest + more>...};
}

// Numbers of so many bits, of which Code is the narrowest type that holds them.
template <class Code>
void unpack(int width, const std::uint8_t* from, std::uint64_t size, Index n, Code* to) {
    constexpr int widest = 8 * sizeof(Code), narrowest = widest == 8 ? 0 : widest / 2 + 1;
    static constexpr auto table =
        unpack_table<Code, narrowest>(std::make_integer_sequence<int, widest - narrowest + 1>{});
    table[static_cast<std::size_t>(width - narrowest)](from, size, n, to);
}

// Some of the numbers of a page: one of them again and again, or any, packed tightly in eights.
struct Run {
    Index n;
    bool packed;
    std::uint32_t value;
    const std::uint8_t* bytes;
    std::uint64_t size;
};

// visit(run) until there were n numbers of so many bits.
template <class Visit>
void each_run(Bytes from, int width, Index n, Visit&& visit) {
    // ends: every run has a byte at least
    while (n > 0) {
        const std::uint64_t head = from.varint(), run = head >> 1;
        if (run >> 40) throw std::invalid_argument("a run of a page is too long");
        Run found{std::min<Index>(n, static_cast<Index>(head & 1 ? 8 * run : run)), (head & 1) == 1, 0, nullptr, 0};
        if (found.packed) {
            found.size = run * width;
            found.bytes = from.take(found.size);
        } else {
            const std::uint64_t bytes = (width + 7) / 8;
            std::memcpy(&found.value, from.take(bytes), bytes);
        }
        visit(found);
        n -= found.n;
    }
}

template <class Code>
void unpack_runs(Bytes from, int width, Index n, Code* to) {
    each_run(from, width, n, [&](const Run& run) {
        if (run.packed) unpack(width, run.bytes, run.size, run.n, to);
        else std::fill_n(to, run.n, static_cast<Code>(run.value));
        to += run.n;
    });
}

}  // namespace candide
