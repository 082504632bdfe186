// Rows counted at the cells of columns together.
#pragma once

#include "loops.hpp"

namespace candide::CANDIDE_ISA {

// Entries are found some rows at a time, as vectors, and then counted one by one.
static void count_together(const std::uint16_t* first, std::uint16_t step, const std::uint16_t* last, Index rows,
                           Index entries, std::uint16_t* narrow, std::int64_t* counts, bool first_rows) {
    constexpr Index some = 64;
    std::memset(narrow, 0, static_cast<std::size_t>(entries) * sizeof *narrow);
    Index r = 0;
    for (; r + some <= rows; r += some) {
        std::uint16_t entry[some];
        for (Index i = 0; i < some; ++i) entry[i] = static_cast<std::uint16_t>(first[r + i] * step + last[r + i]);
        for (Index i = 0; i < some; ++i) ++narrow[entry[i]];
    }
    for (; r < rows; ++r) ++narrow[first[r] * step + last[r]];
    if (first_rows)
        for (Index entry = 0; entry < entries; ++entry) counts[entry] = narrow[entry];
    else
        for (Index entry = 0; entry < entries; ++entry) counts[entry] += narrow[entry];
}

}  // namespace candide::CANDIDE_ISA
