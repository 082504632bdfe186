// Numbers counted in cells that were met before.
#pragma once

#include "loops.hpp"
#include "ranks.hpp"

namespace candide::CANDIDE_ISA {

// Places first and counts after, so that finding the next place need not wait until a count is written. A place of few
// bits leaves 32 for its entry, as there are fewer counts than that.
static Index count_places(const std::uint64_t* ranks, const std::int32_t* of_class, Index rows, const Window* of_binade,
                          const std::uint64_t* at_place, Index step, std::uint32_t* counts, std::int32_t* left) {
    std::uint32_t entries[ranks_together];
    const auto width = static_cast<std::uint32_t>(step);
    std::uint32_t without = 0;
    const auto find = [&](auto&& is_own) {
        for (Index i = 0; i < rows; ++i) {
            const Window& window = of_binade[ranks[i] >> mantissa_bits];
            const std::uint64_t at = (ranks[i] >> window.dropped) - window.low;
            std::uint32_t place = at < window.width ? window.start + static_cast<std::uint32_t>(at) : 0;
            place = is_own(place, ranks[i]) ? place : 0;
            without |= place == 0;
            entries[i] = place * width + static_cast<std::uint32_t>(of_class[i] + 1);
        }
    };
    if (at_place) find([&](std::uint32_t place, std::uint64_t rank) { return at_place[place] == rank; });
    else find([](std::uint32_t, std::uint64_t) { return true; });
    for (Index i = 0; i < rows; ++i) ++counts[entries[i]];
    Index n_left = 0;
    for (Index i = 0; without && i < rows; ++i) {
        left[n_left] = static_cast<std::int32_t>(i);
        n_left += entries[i] < width;
    }
    return n_left;
}

}  // namespace candide::CANDIDE_ISA
