// Records: where a block of CSV or of JSON can be cut, and where a quote makes several lines one cell by mistake.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "platform.hpp"

namespace candide {

// Behind the last line end of [begin, end); 0 where there is none. A carriage return ends a line by itself where no
// newline does, but not as the last byte of all, which a newline may follow.
inline Index behind_line(const char* bytes, Index begin, Index end, Index size) {
    for (Index i = end; i > begin; --i)
        if (bytes[i - 1] == '\n') return i;
    for (Index i = end; i > begin; --i)
        if (bytes[i - 1] == '\r' && i < size) return i;
    return 0;
}

inline bool parts_cells(char byte, char separator) { return byte == separator || byte == '\n' || byte == '\r'; }

// Calls visit(outside, quote, close) for every quoted cell, and once for what follows the last, with quote == size. A
// quote opens where a cell begins, and nowhere else; within it, a doubled one is a quote, and any other closes it; where
// none does, close >= size. Bytes from `outside` up to the quote are in no quotes. A visit that returns false is the last.
template <class Visit>
void each_quoted(const char* bytes, Index size, char separator, Visit visit) {
    const auto next_quote = [&](Index from) {
        const void* at = from < size ? std::memchr(bytes + from, '"', static_cast<std::size_t>(size - from)) : nullptr;
        return at ? static_cast<const char*>(at) - bytes : size;
    };
    for (Index outside = 0; outside < size;) {  // one round for every quoted cell
        Index quote = next_quote(outside);
        // ends: with the quotes
        while (quote < size && quote > 0 && !parts_cells(bytes[quote - 1], separator)) quote = next_quote(quote + 1);
        Index close = next_quote(quote + 1);
        // ends: with the quotes
        while (close + 1 < size && bytes[close + 1] == '"') close = next_quote(close + 2);
        if (!visit(outside, quote, close)) return;
        outside = close + 1;
    }
}

// Behind the last whole record; 0 where there is none.
inline Index record_end(const char* bytes, Index size, char separator) {
    Index found = 0;
    each_quoted(bytes, size, separator, [&](Index outside, Index quote, Index) {
        if (const Index line = behind_line(bytes, outside, quote, size)) found = line;
        return true;
    });
    return found;
}

// The first quote that nothing closes, or that is closed in another line and not where a cell ends; -1 where none is.
inline Index open_quote(const char* bytes, Index size, char separator) {
    Index found = -1;
    each_quoted(bytes, size, separator, [&](Index, Index quote, Index close) {
        if (quote >= size) return false;
        const bool closed = close < size && (close + 1 == size || parts_cells(bytes[close + 1], separator));
        if (close >= size || (!closed && behind_line(bytes, quote, close, size))) found = quote;
        return found < 0;
    });
    return found;
}

// Behind the last line of objects; -1 where a line ends with a brace that opens one, which is printed over several.
inline Index object_end(const char* bytes, Index size) {
    constexpr Index piece = 1 << 16;  // so that one is found soon, by a loop that never asks
    for (Index begin = 0; begin + 1 < size; begin += piece) {
        const Index end = begin + piece < size - 1 ? begin + piece : size - 1;
        std::uint8_t found = 0;
        for (Index i = begin; i < end; ++i)
            found |= static_cast<std::uint8_t>((bytes[i] == '{') & ((bytes[i + 1] == '\n') | (bytes[i + 1] == '\r')));
        if (found) return -1;
    }
    Index end = size;
    // ends: at the first byte, if not before
    while (end > 0 && bytes[end - 1] != '\n') --end;
    return end;
}

// How often a byte stands in a block: sums of a byte each side by side, as often as these have room.
inline Index count_byte(const std::uint8_t* bytes, Index size, std::uint8_t byte) {
    constexpr Index lanes = 64, most = 255;
    Index found = 0, begin = 0;
    for (; begin + lanes <= size;) {  // a piece further each time
        std::uint8_t sums[lanes] = {};
        const Index pieces = std::min(most, (size - begin) / lanes);
        for (Index piece = 0; piece < pieces; ++piece, begin += lanes)
            for (Index k = 0; k < lanes; ++k) sums[k] += bytes[begin + k] == byte;
        for (const std::uint8_t sum : sums) found += sum;
    }
    for (; begin < size; ++begin) found += bytes[begin] == byte;
    return found;
}

}  // namespace candide
