// The cells of lines of JSON objects that all have the same keys in the same order and plain values, read into columns.
#pragma once

#include <string>

#include "cells.hpp"

namespace candide {

class JsonLines {
  public:
    // Every line ends with a newline, at which every loop stops. Keys stand in quotes.
    JsonLines(const char* begin, const char* end, const std::vector<std::string_view>& keys, Index most,
              std::vector<CellColumn>& columns)
        : at_(begin), end_(end), most_(most), keys_(keys), columns_(columns), between_(keys.size() + 1) {}

    // How many objects there are; -1 where a line is anything but such an object, or a column is of two kinds.
    Index read() {
        // ends: every object has a byte at least
        for (; skip_blank(); ++row_)
            if (row_ == most_ || !object()) return -1;
        return row_;
    }

  private:
    static constexpr int longest_whole = 18;  // digits that surely are a number of 64 bits

    // What stood between two values in the line before, most likely stands there again: as bytes, the first eight of
    // which are compared as a word.
    struct Between {
        std::uint64_t word = 1, mask = 0;  // which nothing is
        std::string_view bytes;

        Between() = default;
        Between(const char* begin, const char* behind, const char* end)
            : bytes(begin, static_cast<std::size_t>(behind - begin)) {
            mask = bytes.size() < 8 ? (std::uint64_t{1} << 8 * bytes.size()) - 1 : ~std::uint64_t{0};
            word = word_at(begin, end) & mask;
        }

        bool stands(const char* at, const char* end) const {
            if (end - at < std::max<std::ptrdiff_t>(8, static_cast<std::ptrdiff_t>(bytes.size()))) return false;
            if ((load<std::uint64_t>(at) & mask) != word) return false;
            return bytes.size() <= 8 || std::memcmp(at + 8, bytes.data() + 8, bytes.size() - 8) == 0;
        }
    };

    const char* at_;
    const char* const end_;
    const Index most_;
    const std::vector<std::string_view>& keys_;
    std::vector<CellColumn>& columns_;
    std::vector<Between> between_;
    Index row_ = 0;
    std::string unescaped_;

    void spaces() {
        // ends: at a newline, if not before
        while (*at_ == ' ' || *at_ == '\t') ++at_;
    }

    bool skip_blank() {
        // ends: with the lines
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
        return at_ < end_;
    }

    bool take(char c) {
        if (*at_ != c) return false;
        ++at_;
        return true;
    }

    bool take(std::string_view word) {
        if (static_cast<std::size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0)
            return false;
        at_ += word.size();
        return true;
    }

    bool object() {
        for (std::size_t j = 0; j < keys_.size(); ++j)
            if (!before(j) || !value(columns_[j])) return false;
        return behind();
    }

    // Up to the value of a key.
    CANDIDE_INLINE bool before(std::size_t j) {
        const char* const begin = at_;
        if (between_[j].stands(at_, end_)) {
            at_ += between_[j].bytes.size();
            spaces();
            return true;
        }
        spaces();
        if (!take(j ? ',' : '{')) return false;
        spaces();
        if (!take(keys_[j])) return false;
        spaces();
        if (!take(':')) return false;
        spaces();
        between_[j] = Between(begin, at_, end_);
        return true;
    }

    // From the last value to the next line.
    CANDIDE_INLINE bool behind() {
        Between& last = between_.back();
        const char* const begin = at_;
        if (last.stands(at_, end_)) {
            at_ += last.bytes.size();
            return true;
        }
        spaces();
        if (!take('}')) return false;
        spaces();
        take('\r');
        if (!take('\n')) return false;
        last = Between(begin, at_, end_);
        return true;
    }

    CANDIDE_INLINE bool value(CellColumn& column) {
        switch (*at_) {
            case '"': return text(column);
            case 't': return take("true") && column.boolean(row_, true);
            case 'f': return take("false") && column.boolean(row_, false);
            case 'n': column.gap(row_); return take("null");
            default: return number(column);
        }
    }

    static const char* digits(const char* at) {
        // ends: at a newline, if not before
        while (*at >= '0' && *at <= '9') ++at;
        return at;
    }

    bool number(CellColumn& column) {
        const Decimal found(at_, end_);
        if (found.whole == 0 || found.begins_like_a_code() || (found.pointed && found.decimals == 0)) return false;
        const char* const begin = at_;
        at_ = found.behind;
        const bool power = *at_ == 'e' || *at_ == 'E';
        if (power) {
            const char* const first = at_ + 1 + (at_[1] == '+' || at_[1] == '-');
            if ((at_ = digits(first)) == first) return false;
        } else if (!found.pointed) {
            // as a number that is whole, minus zero is another than as one that is not
            if (found.whole > longest_whole || (found.negative && found.digits == 0)) return false;
            const auto size = static_cast<std::int64_t>(found.digits);
            return column.whole(row_, found.negative ? -size : size);
        }
        double x = 0.0;
        if (!power && found.is_exact()) x = found.quotient();
        else if (read_rounded(begin, at_, x) != at_) return false;
        return column.number(row_, x);
    }

    // The first byte that does not stand for itself in a text: a quote, a backslash, or what no text has.
    const char* special(const char* at) const {
        // ends: at a newline, if not before
        while (end_ - at >= 8) {
            const auto word = load<std::uint64_t>(at);
            // the high bit of bytes below a space, and perhaps of some above the first that is
            const std::uint64_t below = (word - each_byte * ' ') & ~word & high_bits;
            const std::uint64_t found = equal_bytes(word, '"') | equal_bytes(word, '\\') | below;
            if (found) return at + (std::countr_zero(found) >> 3);
            at += 8;
        }
        // ends: at a newline, if not before
        while (*at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= ' ') ++at;
        return at;
    }

    CANDIDE_INLINE bool text(CellColumn& column) {
        const char* const begin = ++at_;
        at_ = special(at_);
        if (*at_ == '\\') return escaped(column, begin);
        const auto size = static_cast<std::uint32_t>(at_ - begin);
        return take('"') && column.text(row_, begin, size, end_);
    }

    // A text that has backslashes, the first of them here.
    bool escaped(CellColumn& column, const char* begin) {
        unescaped_.assign(begin, at_);
        // ends: at a newline, if not before
        while (take('\\')) {
            if (!escape()) return false;
            const char* const plain = at_;
            at_ = special(at_);
            unescaped_.append(plain, at_);
        }
        const char* const found = unescaped_.data();
        const auto size = static_cast<std::uint32_t>(unescaped_.size());
        return take('"') && column.text(row_, found, size, found + size);
    }

    bool put(char c) {
        unescaped_.push_back(c);
        return true;
    }

    bool escape() {
        const char c = *at_++;
        switch (c) {
            case '"':
            case '\\':
            case '/': return put(c);
            case 'b': return put('\b');
            case 'f': return put('\f');
            case 'n': return put('\n');
            case 'r': return put('\r');
            case 't': return put('\t');
            case 'u': return character();
            default: return false;
        }
    }

    // A character by its number, of which those beyond 16 bits are written as two halves.
    bool character() {
        std::uint32_t c = 0, low = 0;
        if (!hexadecimal(c) || c == 0) return false;
        if (c >= 0xd800 && c < 0xe000) {
            if (c >= 0xdc00 || !take("\\u") || !hexadecimal(low) || low < 0xdc00 || low >= 0xe000) return false;
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        }
        if (c < 0x80) return put(static_cast<char>(c));
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
        put(static_cast<char>(lead[more] | (c >> (6 * more))));
        for (int k = more - 1; k >= 0; --k) put(static_cast<char>(0x80 | ((c >> (6 * k)) & 0x3f)));
        return true;
    }

    bool hexadecimal(std::uint32_t& c) {
        if (end_ - at_ < 4) return false;
        c = 0;
        for (int k = 0; k < 4; ++k, ++at_) {
            const char d = *at_ | 0x20;  // small letters
            if (*at_ >= '0' && *at_ <= '9')
                c = 16 * c + static_cast<std::uint32_t>(*at_ - '0');
            else if (d >= 'a' && d <= 'f')
                c = 16 * c + static_cast<std::uint32_t>(d - 'a' + 10);
            else
                return false;
        }
        return true;
    }
};

}  // namespace candide
