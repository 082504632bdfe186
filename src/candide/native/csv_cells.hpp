// The cells of a CSV of the plainest kind, read column by column as what they are guessed to be: numbers in digits, a
// point and an exponent; text as it stands, or as codes into the texts that differ. Anything else is left to others.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <vector>

#include "tiles.hpp"

namespace candide {

enum class CellKind : std::uint8_t { none, number, code, text };

namespace csv {

inline constexpr std::uint64_t each_byte = 0x0101010101010101u, high_bits = 0x8080808080808080u;

// The high bit of every byte that is c, and perhaps of some above the first that is.
inline std::uint64_t equal_bytes(std::uint64_t word, char c) {
    const std::uint64_t differs = word ^ each_byte * static_cast<std::uint8_t>(c);
    return (differs - each_byte) & ~differs & high_bits;
}

// The first byte of [at, end) that may end a cell, or begin one in quotes.
CANDIDE_INLINE const char* special(const char* at, const char* end, char separator) {
    // ends: at the end
    while (end - at >= 8) {
        const auto word = load<std::uint64_t>(at);
        const std::uint64_t found = equal_bytes(word, separator) | equal_bytes(word, '\n') | equal_bytes(word, '"') |
                                    equal_bytes(word, '\r');
        if (found) return at + (std::countr_zero(found) >> 3);
        at += 8;
    }
    // ends: at the end
    while (at < end && *at != separator && *at != '\n' && *at != '"' && *at != '\r') ++at;
    return at;
}

// Eight bytes, zeros where there are none any more.
inline std::uint64_t word_at(const char* at, const char* end) {
    if (end - at >= 8) return load<std::uint64_t>(at);
    std::uint64_t word = 0;
    for (int i = 0; at + i < end; ++i) word |= std::uint64_t{static_cast<std::uint8_t>(at[i])} << 8 * i;
    return word;
}

inline constexpr std::uint64_t small_powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// Behind the digits that [at, end) begins with, which are written behind those before: eight at a time, each as a byte
// that is added to ten times the one before, then pairs of them, then fours.
inline const char* read_digits(const char* at, const char* end, std::uint64_t& digits) {
    // ends: eight digits further each time
    while (true) {
        const std::uint64_t values = word_at(at, end) ^ each_byte * '0';
        const std::uint64_t others = ((values + each_byte * 0x76) | values) & high_bits;
        const int n = others ? std::countr_zero(others) >> 3 : 8;
        if (n == 0) return at;
        std::uint64_t ones = values << (64 - 8 * n);
        ones = ones * 10 + (ones >> 8);
        ones = ((ones & 0x000000ff000000ffu) * (100 + (std::uint64_t{1000000} << 32)) +
                (ones >> 16 & 0x000000ff000000ffu) * (1 + (std::uint64_t{10000} << 32))) >> 32;
        digits = digits * small_powers[n] + (ones & 0xffffffffu);
        at += n;
        if (n < 8) return at;
    }
}

inline constexpr int exact_powers = 22;
inline constexpr double power_of_ten[exact_powers + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A number, which [at, end) begins with: behind it, or null where none is as it should be.
inline const char* read_number(const char* const begin, const char* end, char separator, double& number) {
    const char* at = begin;
    const bool negative = at < end && *at == '-';
    at += negative;
    std::uint64_t digits = 0;
    const char* const first = at;
    at = read_digits(at, end, digits);
    std::ptrdiff_t n = at - first, decimals = 0;
    // a zero before other digits is how codes are written
    if (n > 1 && *first == '0' && (at == end || (*at != '.' && *at != 'e' && *at != 'E'))) return nullptr;
    if (at < end && *at == '.') {
        const char* const point = ++at;
        at = read_digits(at, end, digits);
        decimals = at - point;
        n += decimals;
    }
    if (n == 0) return nullptr;
    const bool ends = at == end || *at == separator || *at == '\n' || *at == '\r';
    // two numbers that doubles hold exactly: their quotient is rounded once
    if (ends && n <= 19 && digits <= (std::uint64_t{1} << 53) && decimals <= exact_powers) {
        const double size = static_cast<double>(digits) / power_of_ten[decimals];
        number = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | std::uint64_t{negative} << 63);
        return at;
    }
#ifdef __cpp_lib_to_chars
    const auto [behind, error] = std::from_chars(begin, special(at, end, separator), number);
    return error == std::errc{} ? behind : nullptr;
#else
    return nullptr;
#endif
}

// Texts that differ, in the order in which they came, each with its place.
class Texts {
  public:
    Texts() : slots_(256) {}

    // The place of a text of a byte or more, behind which bytes go on up to the end.
    std::int32_t place(const char* text, std::uint32_t size, const char* end) {
        const std::uint32_t beyond = 64 - 8 * std::min<std::uint32_t>(size, 8);
        const std::uint64_t key = word_at(text, end) << beyond >> beyond;
        // ends: three quarters of the slots are empty
        for (std::size_t at = hash(key, text, size);; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.key == key && slot.size == size && (size <= 8 || ends_alike(slot.place, text, size)))
                return slot.place;
            if (slot.size) continue;
            const auto found = static_cast<std::int32_t>(ends.size());
            slot = {key, size, found};
            bytes.insert(bytes.end(), text, text + size);
            ends.push_back(static_cast<std::int32_t>(bytes.size()));
            if (4 * ends.size() > slots_.size()) grow();
            return found;
        }
    }

    std::vector<char> bytes;
    std::vector<std::int32_t> ends;

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t size = 0;  // 0 where no text is
        std::int32_t place = 0;
    };

    static std::size_t hash(std::uint64_t key, const char* text, std::uint32_t size) {
        constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;
        std::uint64_t mixed = (key ^ size) * multiplier;
        for (std::uint32_t i = 8; i < size; ++i) mixed = (mixed ^ static_cast<std::uint8_t>(text[i])) * multiplier;
        return mixed >> 32;
    }

    // Whether a text of this size is another beyond its key.
    bool ends_alike(std::int32_t place, const char* text, std::uint32_t size) const {
        return std::memcmp(bytes.data() + ends[place] - size, text, size) == 0;
    }

    void grow() {
        std::vector<Slot> larger(4 * slots_.size());
        for (const Slot& slot : slots_) {
            if (!slot.size) continue;
            std::size_t at = hash(slot.key, bytes.data() + ends[slot.place] - slot.size, slot.size);
            // ends: most of the slots are empty
            while (larger[at & (larger.size() - 1)].size) ++at;
            larger[at & (larger.size() - 1)] = slot;
        }
        slots_ = std::move(larger);
    }

    std::vector<Slot> slots_;
};

}  // namespace csv

// One column as it is read: where its numbers go or its codes or the ends of its texts, and which rows have one, in bits.
struct CellColumn {
    CellKind kind = CellKind::none;
    double* numbers = nullptr;
    std::int32_t* codes = nullptr;
    std::uint8_t* present = nullptr;
    Index missing = 0;
    csv::Texts texts;
    std::vector<char> bytes;

    // A text cell of a row, behind which bytes go on up to the end; false for one that begins within a character.
    CANDIDE_INLINE bool take(Index row, const char* text, std::uint32_t size, const char* end) {
        if (kind == CellKind::none) return true;
        if (size && (static_cast<std::uint8_t>(*text) & 0xc0u) == 0x80u) return false;
        if (kind == CellKind::text) {
            bytes.insert(bytes.end(), text, text + size);
            codes[row + 1] = static_cast<std::int32_t>(bytes.size());
        } else {
            codes[row] = size ? texts.place(text, size, end) : -1;
        }
        note(row, size > 0);
        return true;
    }

    CANDIDE_INLINE void note(Index row, bool there) {
        present[row >> 3] |= static_cast<std::uint8_t>(there << (row & 7));
        missing += !there;
    }
};

// The cells of so many records; false where one of them is not of the plainest kind.
inline bool read_cells(const char* at, const char* const end, char separator, Index rows,
                       std::vector<CellColumn>& columns) {
    const auto length = [](const char* begin, const char* behind) { return static_cast<std::uint32_t>(behind - begin); };
    CellColumn* const first = columns.data();
    CellColumn* const last = first + columns.size() - 1;
    Index row = 0;
    for (; at < end; ++row) {
        if (row == rows || *at == '\n' || *at == '\r') return false;  // an empty line is none
        // ends: with the last column
        for (CellColumn* column = first;; ++column) {
            const char* const begin = at;
            const bool quoted = at < end && *at == '"';
            if (column->kind == CellKind::number) {
                const bool there = at < end && *at != separator && *at != '\n' && *at != '\r';
                column->numbers[row] = std::numeric_limits<double>::quiet_NaN();
                at = there ? csv::read_number(begin, end, separator, column->numbers[row]) : at;
                if (!at) return false;
                column->note(row, there);
            } else if (quoted) {
                at = static_cast<const char*>(std::memchr(begin + 1, '"', static_cast<std::size_t>(end - begin - 1)));
                if (!at || std::memchr(begin, '\n', length(begin, at)) || std::memchr(begin, '\r', length(begin, at)))
                    return false;
                if (!column->take(row, begin + 1, length(begin + 1, at++), end)) return false;
            } else {
                at = csv::special(begin, end, separator);
                if (!column->take(row, begin, length(begin, at), end)) return false;
            }
            if (column == last) break;
            if (at == end || *at++ != separator) return false;
        }
        if (at == end) continue;
        at += *at == '\r';
        if (at == end || *at++ != '\n') return false;
    }
    return row == rows;
}

}  // namespace candide
