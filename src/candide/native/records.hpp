// Records of a CSV: where a block of bytes can be cut.
#pragma once

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

// Behind the last whole record; 0 where there is none. A quote opens where a cell begins, and nowhere else; within it, a
// doubled one is a quote, and any other closes it.
inline Index record_end(const char* bytes, Index size, char separator) {
    Index found = 0;
    const auto next_quote = [&](Index from) {
        const void* at = from < size ? std::memchr(bytes + from, '"', static_cast<std::size_t>(size - from)) : nullptr;
        return at ? static_cast<const char*>(at) - bytes : size;
    };
    const auto begins_cell = [&](Index at) {
        return at == 0 || bytes[at - 1] == separator || bytes[at - 1] == '\n' || bytes[at - 1] == '\r';
    };
    for (Index outside = 0; outside < size;) {  // one round for every quoted cell
        Index quote = next_quote(outside);
        // ends: with the quotes
        while (quote < size && !begins_cell(quote)) quote = next_quote(quote + 1);
        if (const Index line = behind_line(bytes, outside, quote, size)) found = line;
        Index close = next_quote(quote + 1);
        // ends: with the quotes
        while (close + 1 < size && bytes[close + 1] == '"') close = next_quote(close + 2);
        outside = close + 1;
    }
    return found;
}

}  // namespace candide
