// Columns of text as Arrow and NumPy lay them out, read where they lie.
#pragma once

#include "texts.hpp"

namespace candide {

// Which rows are there: one bit each, from the lowest; all of them where there are no bits.
struct Valid {
    const std::uint8_t* bits;
    Index first;

    bool operator()(Index row) const {
        row += first;
        return !bits || (bits[row / 8] >> (row % 8) & 1);
    }
};

// The bytes of all texts, and where each begins.
template <class Start>
struct JoinedTexts {
    Index rows;
    Valid valid;
    const Start* starts;  // from the first row on
    const char* data;

    Spelling operator[](Index row) const {
        return {data + starts[row], static_cast<std::size_t>(starts[row + 1] - starts[row])};
    }
    auto reader() const {
        return [this](Index row, TextNumbers& numbers) {
            return valid(row) ? numbers.number((*this)[row], row) : gap;
        };
    }
};

// Sixteen bytes a text: its length, and itself if it is of twelve bytes at the most; else its first four bytes, in
// which buffer it is, and where it begins there.
struct ViewedTexts {
    Index rows;
    Valid valid;
    const char* views;  // from the first row on
    std::vector<const char*> buffers;

    Spelling operator[](Index row) const {
        const char* view = views + 16 * row;
        const auto length = static_cast<std::size_t>(load<std::int32_t>(view));
        if (length <= 12) return {view + 4, length};
        return {buffers[load<std::int32_t>(view + 8)] + load<std::int32_t>(view + 12), length};
    }
    auto reader() const {
        return [this](Index row, TextNumbers& numbers) {
            return valid(row) ? numbers.number((*this)[row], row) : gap;
        };
    }
};

// As many bytes for each text, zeros behind a shorter one.
struct FixedTexts {
    Index rows, bytes;
    const char* data;

    // Labels are few, and often two, of which no branch foretells the next.
    auto reader() const {
        const auto n = static_cast<std::size_t>(bytes);
        const Spelling none(data, n);
        return [this, n, last = none, other = none, code = gap, of_other = gap](Index row, TextNumbers& numbers) mutable {
            const Spelling text(data + row * bytes, n);
            const bool same = (code >= 0) & (text == last), turned = (of_other >= 0) & (text == other);
            if (same | turned) return same ? code : of_other;
            other = last, of_other = code;
            last = text;
            return code = numbers.number(text, row);
        };
    }
};

}  // namespace candide
