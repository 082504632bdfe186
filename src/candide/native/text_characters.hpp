// Characters as the interpreter's own tables have them: UTF-8 decoded, lowered and folded one at a time.
#pragma once

#include <array>
#include <cstdint>

#include "platform.hpp"

namespace candide {

// What a table says of each code point: the character that it becomes, and of that character whether it is part of a
// word, or a space. Where it becomes several characters, or none, the number is their place among the expansions.
namespace character {
inline constexpr std::uint32_t code = (1u << 21) - 1, expands = 1u << 21, word = 1u << 22, space = 1u << 23,
                               cased = 1u << 24, ignorable = 1u << 25, final_form = 1u << 26;
inline constexpr std::uint32_t final_sigma = 0x3C2;
}  // namespace character

inline constexpr std::int64_t code_points = 0x110000;

struct Characters {
    const std::uint32_t* table;       // one entry for each code point
    const std::uint32_t* expansions;  // how many characters, then the characters with their properties
    std::array<std::uint8_t, 256> plain{};  // a word character of ASCII as it becomes; 0 for all other bytes
    bool usual = true;                      // letters in lower case, digits and the underscore, and nothing else

    Characters(const std::uint32_t* by_code, const std::uint32_t* several) : table(by_code), expansions(several) {
        for (std::uint32_t c = 0; c < 128; ++c)
            if ((table[c] & character::word) && !(table[c] & character::expands) && (table[c] & character::code) < 128)
                plain[c] = static_cast<std::uint8_t>(table[c] & character::code);
        for (std::uint32_t c = 0; c < 128; ++c) {
            const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
            usual = usual && plain[c] == (upper ? c + 32 : lower || digit || c == '_' ? c : 0);
        }
    }
};

using Bytes = const std::uint8_t*;

// The code point at a place, which moves on behind it; false for bytes that are no UTF-8. Halves of surrogate pairs,
// which Python's text may hold, are code points like others.
inline bool decode(Bytes& at, Bytes end, std::uint32_t& point) {
    const std::uint32_t first = *at;
    if (first < 0x80) return point = first, ++at, true;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4 || end - at <= more) return false;
    point = first & (0x3Fu >> more);
    for (int i = 1; i <= more; ++i) {
        if ((at[i] & 0xC0) != 0x80) return false;
        point = point << 6 | (at[i] & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (point < least[more] || point >= code_points) return false;
    at += more + 1;
    return true;
}

// The bytes of a code point; returns how many.
inline int encode(std::uint32_t point, std::uint8_t* out) {
    if (point < 0x80) return out[0] = static_cast<std::uint8_t>(point), 1;
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    constexpr std::uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    for (int i = more; i > 0; --i, point >>= 6) out[i] = static_cast<std::uint8_t>(0x80 | (point & 0x3F));
    out[0] = static_cast<std::uint8_t>(lead[more] | point);
    return more + 1;
}

// Whether a capital sigma at a place ends a word, as Python's str.lower decides it: a cased letter stands before it and
// none behind it, case-ignorable characters between them passed over.
inline bool ends_word(const Characters& characters, Bytes begin, Bytes sigma, Bytes behind, Bytes end) {
    std::uint32_t point = 0, entry = 0;
    for (Bytes at = sigma;;) {  // ends: at the beginning, a character nearer each time
        if (at == begin) return false;
        do --at;
        while (at > begin && (*at & 0xC0) == 0x80);  // ends: at the beginning
        Bytes one = at;
        if (!decode(one, end, point)) return false;
        entry = characters.table[point];
        if (!(entry & character::ignorable)) break;
    }
    if (!(entry & character::cased)) return false;
    while (behind < end) {  // ends: a character nearer to the end each time
        if (!decode(behind, end, point)) return true;
        entry = characters.table[point];
        if (!(entry & character::ignorable)) return !(entry & character::cased);
    }
    return true;
}

// put(character with its properties) for each that the character at a place becomes, and on behind it; false where bytes
// are no UTF-8.
template <class Put>
bool next_character(const Characters& characters, Bytes begin, Bytes& at, Bytes end, Put&& put) {
    const Bytes here = at;
    std::uint32_t point = 0;
    if (!decode(at, end, point)) return false;
    std::uint32_t entry = characters.table[point];
    if ((entry & character::final_form) && ends_word(characters, begin, here, at, end))
        entry = characters.table[character::final_sigma];
    if (!(entry & character::expands)) return put(entry), true;
    const std::uint32_t* several = characters.expansions + (entry & character::code);
    for (std::uint32_t i = 1; i <= several[0]; ++i) put(several[i]);
    return true;
}

}  // namespace candide
