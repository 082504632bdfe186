// The cells of a CSV of the plainest kind, read column by column as what they are guessed to be: numbers in digits, a
// point and an exponent; text as it stands, or as codes into the texts that differ. Anything else is left to others.
#pragma once

#include "cells.hpp"

namespace candide {

namespace csv {

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

// A number, which [at, end) begins with: behind it, or null where none is as it should be.
inline const char* read_number(const char* const begin, const char* end, char separator, double& number) {
    const Decimal found(begin, end);
    const char* const at = found.behind;
    const bool power = at < end && (*at == 'e' || *at == 'E');
    if (found.begins_like_a_code() && !found.pointed && !power) return nullptr;
    if (found.whole + found.decimals == 0) return nullptr;
    const bool ends = at == end || *at == separator || *at == '\n' || *at == '\r';
    if (!ends || !found.is_exact()) return read_rounded(begin, special(at, end, separator), number);
    number = found.quotient();
    return at;
}

}  // namespace csv

// The cells of so many records; false where one of them is not of the plainest kind.
inline bool read_cells(const char* at, const char* const end, char separator, Index rows,
                       std::vector<CellColumn>& columns) {
    const auto length = [](const char* begin, const char* behind) { return static_cast<std::uint32_t>(behind - begin); };
    CellColumn* const first = columns.data();
    CellColumn* const last = first + columns.size() - 1;
    // an empty text is missing
    const auto take = [&](CellColumn& column, Index row, const char* text, std::uint32_t size) {
        if (column.kind() == CellKind::none) return true;
        if (size) return column.text(row, text, size, end);
        column.gap(row);
        return true;
    };
    Index row = 0;
    for (; at < end; ++row) {
        if (row == rows || *at == '\n' || *at == '\r') return false;  // an empty line is none
        // ends: with the last column
        for (CellColumn* column = first;; ++column) {
            const char* const begin = at;
            const bool quoted = at < end && *at == '"';
            if (column->kind() == CellKind::number) {
                if (at < end && *at != separator && *at != '\n' && *at != '\r') {
                    double number = 0.0;
                    at = csv::read_number(begin, end, separator, number);
                    if (!at) return false;
                    column->number(row, number);
                } else {
                    column->gap(row);
                }
            } else if (quoted) {
                at = static_cast<const char*>(std::memchr(begin + 1, '"', static_cast<std::size_t>(end - begin - 1)));
                if (!at || std::memchr(begin, '\n', length(begin, at)) || std::memchr(begin, '\r', length(begin, at)))
                    return false;
                if (!take(*column, row, begin + 1, length(begin + 1, at++))) return false;
            } else {
                at = csv::special(begin, end, separator);
                if (!take(*column, row, begin, length(begin, at))) return false;
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
