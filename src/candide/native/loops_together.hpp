// Rows counted at the cells of columns together.
#pragma once

#include "loops.hpp"

namespace candide::CANDIDE_ISA {

// Entries are found some rows at a time, as vectors, and then counted one by one.
static void count_together(const std::uint16_t* first, std::uint16_t step, const std::uint16_t* last, Index rows,
                           Index entries, std::uint16_t* counts) {
    constexpr Index some = 64;
    std::memset(counts, 0, static_cast<std::size_t>(entries) * sizeof *counts);
    Index r = 0;
    for (; r + some <= rows; r += some) {
        std::uint16_t entry[some];
        for (Index i = 0; i < some; ++i) entry[i] = static_cast<std::uint16_t>(first[r + i] * step + last[r + i]);
        for (Index i = 0; i < some; ++i) ++counts[entry[i]];
    }
    for (; r < rows; ++r) ++counts[first[r] * step + last[r]];
}

// The same of classes and the slots of one column, of a table whose first row is that of class -1.
static void count_slots(const std::int32_t* of_class, Index width, const std::int32_t* slots, Index rows,
                        std::uint32_t* counts) {
    constexpr Index some = 64;
    const auto step = static_cast<std::int32_t>(width);
    Index r = 0;
    for (; r + some <= rows; r += some) {
        std::int32_t entry[some];
        for (Index i = 0; i < some; ++i) entry[i] = (of_class[r + i] + 1) * step + slots[r + i];
        for (Index i = 0; i < some; ++i) ++counts[entry[i]];
    }
    for (; r < rows; ++r) ++counts[(of_class[r] + 1) * step + slots[r]];
}

}  // namespace candide::CANDIDE_ISA
