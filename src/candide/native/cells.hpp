// The columns that the cells of a table written in characters are read into, whatever stands between the cells: numbers of
// 64 bits, truth values, text as it stands, or codes into the texts that differ.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "tiles.hpp"

namespace candide {

inline constexpr std::uint64_t each_byte = 0x0101010101010101u, high_bits = 0x8080808080808080u;

// The high bit of every byte that is c, and perhaps of some above the first that is.
inline std::uint64_t equal_bytes(std::uint64_t word, char c) {
    const std::uint64_t differs = word ^ each_byte * static_cast<std::uint8_t>(c);
    return (differs - each_byte) & ~differs & high_bits;
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

// What a number begins with: a sign, digits, a point and digits, any of which may be none.
struct Decimal {
    bool negative = false, pointed = false;
    std::uint64_t digits = 0;  // of both sides, as long as they are 19 at the most
    std::ptrdiff_t whole = 0, decimals = 0;  // how many stand on each side
    const char* first;  // of its digits
    const char* behind;

    Decimal(const char* at, const char* end) : negative(at < end && *at == '-'), first(at + negative) {
        behind = read_digits(first, end, digits);
        whole = behind - first;
        pointed = behind < end && *behind == '.';
        if (!pointed) return;
        const char* const point = behind + 1;
        behind = read_digits(point, end, digits);
        decimals = behind - point;
    }

    // How codes are written: a zero before other digits.
    bool begins_like_a_code() const { return whole > 1 && *first == '0'; }

    // Two numbers that doubles hold exactly: their quotient is rounded once.
    bool is_exact() const {
        return whole + decimals <= 19 && digits <= (std::uint64_t{1} << 53) && decimals <= exact_powers;
    }

    double quotient() const {
        const double size = static_cast<double>(digits) / power_of_ten[decimals];
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | std::uint64_t{negative} << 63);
    }
};

// The number that [begin, end) begins with, however many digits it has: behind it, or null where no double holds it.
inline const char* read_rounded(const char* begin, const char* end, double& number) {
#ifdef __cpp_lib_to_chars
    const auto [behind, error] = std::from_chars(begin, end, number);
    return error == std::errc{} ? behind : nullptr;
#else
    return nullptr;
#endif
}

// Texts that differ, in the order in which they came, each with its place.
class Texts {
  public:
    Texts() : slots_(256) {}

    // The place of a text, behind which bytes go on up to the end.
    std::int32_t place(const char* text, std::uint32_t size, const char* end) {
        const std::uint64_t key = key_of(text, size, end);
        // ends: three quarters of the slots are empty
        for (std::size_t at = hash(key, text, size);; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.key == key && slot.size == size && slot.place >= 0 &&
                (size <= 8 || ends_alike(slot.place, text, size)))
                return slot.place;
            if (slot.place >= 0) continue;
            const auto found = static_cast<std::int32_t>(ends.size());
            slot = {key, size, found};
            bytes.insert(bytes.end(), text, text + size);
            ends.push_back(static_cast<std::int32_t>(bytes.size()));
            if (4 * ends.size() > slots_.size()) grow();
            return found;
        }
    }

    std::string_view text(std::int32_t place) const {
        const std::int32_t begin = place ? ends[place - 1] : 0;
        return {bytes.data() + begin, static_cast<std::size_t>(ends[place] - begin)};
    }

    std::vector<char> bytes;
    std::vector<std::int32_t> ends;

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t size = 0;
        std::int32_t place = -1;  // where no text is
    };

    // The first eight bytes.
    static std::uint64_t key_of(const char* text, std::uint32_t size, const char* end) {
        if (size == 0) return 0;
        const std::uint32_t beyond = 64 - 8 * std::min<std::uint32_t>(size, 8);
        return word_at(text, end) << beyond >> beyond;
    }

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
            if (slot.place < 0) continue;
            std::size_t at = hash(slot.key, bytes.data() + ends[slot.place] - slot.size, slot.size);
            // ends: most of the slots are empty
            while (larger[at & (larger.size() - 1)].place >= 0) ++at;
            larger[at & (larger.size() - 1)] = slot;
        }
        slots_ = std::move(larger);
    }

    std::vector<Slot> slots_;
};

// What a column holds: nothing that is kept, nothing so far, or cells of one kind.
enum class CellKind : std::uint8_t { none, null, boolean, whole, number, code, text };

// One column as it is read: the memory of its cells, and which rows have one, in bits.
class CellColumn {
  public:
    CellColumn() = default;
    CellColumn(CellKind kind, char* cells, std::uint8_t* present, bool coded = false)
        : kind_(kind), coded_(coded), cells_(cells), present_(present) {
        if (kind == CellKind::text) put<std::int32_t>(0, 0);
    }

    CellKind kind() const { return kind_; }
    Index missing() const { return missing_; }

    // Of the texts, one behind the other; and where each of those that differ ends.
    const std::vector<char>& bytes() const { return kind_ == CellKind::text ? bytes_ : texts_.bytes; }
    const std::vector<std::int32_t>& ends() const { return texts_.ends; }

    // Cells of a row. False where the column has cells of another kind, but whole numbers are numbers, too.
    CANDIDE_INLINE bool number(Index row, double x) {
        if (kind_ != CellKind::number && !becomes(CellKind::number, row)) return false;
        put(row, x);
        note(row, true);
        return true;
    }

    CANDIDE_INLINE bool whole(Index row, std::int64_t n) {
        if (kind_ == CellKind::number) return number(row, static_cast<double>(n));
        if (kind_ != CellKind::whole && !becomes(CellKind::whole, row)) return false;
        put(row, n);
        note(row, true);
        return true;
    }

    bool boolean(Index row, bool truth) {
        if (kind_ != CellKind::boolean && !becomes(CellKind::boolean, row)) return false;
        put<std::uint8_t>(row, truth);
        note(row, true);
        return true;
    }

    // A text, behind which bytes go on up to the end; false also for one that begins within a character.
    CANDIDE_INLINE bool text(Index row, const char* text, std::uint32_t size, const char* end) {
        if (size && (static_cast<std::uint8_t>(*text) & 0xc0u) == 0x80u) return false;
        if (kind_ == CellKind::null) becomes(coded_ ? CellKind::code : CellKind::text, row);
        if (kind_ == CellKind::code) {
            const std::int32_t place = texts_.place(text, size, end);
            put(row, place);
            note(row, true);
            if (coded_ && place >= few_texts && 2 * Index{place} > row + 1 - missing_) spell_out(row + 1);
            return true;
        }
        if (kind_ != CellKind::text) return false;
        write(row, {text, size});
        note(row, true);
        return true;
    }

    CANDIDE_INLINE void gap(Index row) {
        put_gap(row);
        note(row, false);
    }

  private:
    // Texts that differ before it is asked whether they are more than half of all: one that is met again and again
    // costs less as a code, and any other more.
    static constexpr std::int32_t few_texts = 1024;

    template <class T>
    CANDIDE_INLINE void put(Index place, T cell) {
        std::memcpy(cells_ + place * static_cast<Index>(sizeof cell), &cell, sizeof cell);
    }

    template <class T>
    T cell(Index place) const {
        return load<T>(cells_ + place * static_cast<Index>(sizeof(T)));
    }

    CANDIDE_INLINE void note(Index row, bool there) {
        present_[row >> 3] |= static_cast<std::uint8_t>(there << (row & 7));
        missing_ += !there;
    }

    bool is_present(Index row) const { return present_[row >> 3] >> (row & 7) & 1; }

    void write(Index row, std::string_view text) {
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        put(row + 1, static_cast<std::int32_t>(bytes_.size()));
    }

    void put_gap(Index row) {
        switch (kind_) {
            case CellKind::boolean: return put<std::uint8_t>(row, 0);
            case CellKind::whole: return put<std::int64_t>(row, 0);
            case CellKind::number: return put(row, std::numeric_limits<double>::quiet_NaN());
            case CellKind::code: return put<std::int32_t>(row, -1);
            case CellKind::text: return write(row, {});
            default: return;
        }
    }

    // A column of gaps alone may become of any kind, and one of whole numbers of numbers.
    bool becomes(CellKind kind, Index rows) {
        const bool whole = kind_ == CellKind::whole && kind == CellKind::number;
        if (kind_ != CellKind::null && !whole) return false;
        kind_ = kind;
        if (kind == CellKind::text) put<std::int32_t>(0, 0);
        for (Index row = 0; row < rows; ++row) {
            if (whole && is_present(row)) put(row, static_cast<double>(cell<std::int64_t>(row)));
            else put_gap(row);
        }
        return true;
    }

    // Codes of so many rows as the texts that they are of.
    void spell_out(Index rows) {
        std::vector<std::int32_t> codes(static_cast<std::size_t>(rows));
        std::memcpy(codes.data(), cells_, codes.size() * sizeof(std::int32_t));
        kind_ = CellKind::text;
        put<std::int32_t>(0, 0);
        for (Index row = 0; row < rows; ++row) write(row, codes[row] < 0 ? std::string_view{} : texts_.text(codes[row]));
        texts_ = {};
    }

    CellKind kind_ = CellKind::none;
    bool coded_ = false;  // whether text becomes codes, where few texts differ
    char* cells_ = nullptr;
    std::uint8_t* present_ = nullptr;
    Index missing_ = 0;
    Texts texts_;
    std::vector<char> bytes_;
};

}  // namespace candide
