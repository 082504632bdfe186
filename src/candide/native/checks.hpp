// Cells that cannot be used, and where the first of them is.
#pragma once

#include <cmath>
#include <limits>

#include "rows.hpp"

namespace candide {

// What a cell may be, or NaN; anything else is the problem named.
struct Allowed {
    double low, high;
    Problem problem;
};
inline constexpr double greatest = std::numeric_limits<double>::max();
inline constexpr Allowed finite{-greatest, greatest, Problem::infinity};
inline constexpr Allowed positive{std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity(),
                                  Problem::not_positive};

// The first cell of a tile that is not allowed; rows of a negative class (where classes are given) do not count.
inline Fault first_outside(Tile x, Index rows, Index columns, const Allowed& allowed, const std::int32_t* of_class,
                           Index first) {
    if (!loops().any_outside(x, rows, columns, allowed.low, allowed.high)) return {};
    for (Index r = 0; r < rows; ++r)
        for (Index j = 0; j < columns && (!of_class || of_class[r] >= 0); ++j) {
            const double value = x.at[r * x.step + j];
            if (value < allowed.low || value > allowed.high) return {allowed.problem, first + r, j};
        }
    return {};
}

// The first such cell of all, in row order.
inline Fault first_outside(const Matrix& x, const Allowed& allowed) {
    const Index tile = tile_rows(x.columns);
    const Division division = divide(x.rows, x.columns);
    std::vector<Fault> faults(static_cast<std::size_t>(division.blocks));
    parallel_rows(division, x.rows, [&](Index block, Index begin, Index end) {
        DoubleTiles tiles(x, tile);
        for (Index first = begin; first < end && !faults[block]; first += tile) {
            const Index size = std::min(tile, end - first);
            faults[block] = first_outside(tiles.read(first, size), size, x.columns, allowed, nullptr, first);
        }
    });
    for (const Fault& fault : faults)
        if (fault) return fault;
    return {};
}

}  // namespace candide
