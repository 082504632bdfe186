// Bins: the number of a column's cuts that are less than x.
#pragma once

#include <cmath>

#include "tiles.hpp"

namespace candide {

// Cuts of one column. For many cuts a table over equal buckets narrows the search: bucket(x) never decreases
// with x, so the cuts less than x are those of lower buckets and some of its own.
class Cuts {
  public:
    Cuts(const double* cuts, Index n, bool with_table) : cut(cuts, cuts + n), steps(bits(n)) {
        cut.push_back(std::numeric_limits<double>::infinity());
        if (!with_table || n < 32 || !(cut[n - 1] > cut[0])) return;
        const Index buckets = 4 * n;
        low = cut[0];
        scale = static_cast<double>(buckets) / (cut[n - 1] - cut[0]);
        if (!std::isfinite(scale) || !std::isfinite(low)) return;
        last = static_cast<double>(buckets - 1);
        start.assign(static_cast<std::size_t>(buckets + 1), 0);
        for (Index i = 0; i < n; ++i) ++start[bucket(cut[i]) + 1];
        Index most = 0;
        for (Index b = 0; b < buckets; ++b) {
            most = std::max<Index>(most, start[b + 1]);
            start[b + 1] += start[b];
        }
        steps = bits(most);
    }

    // Where lo = hi the cut there is not less than x, so further steps change nothing.
    CANDIDE_INLINE std::int32_t below(double x) const {
        std::int32_t lo = 0, hi = static_cast<std::int32_t>(cut.size()) - 1;
        if (!start.empty()) {
            const Index b = bucket(x);
            lo = start[b], hi = start[b + 1];
        }
        for (int s = 0; s < steps; ++s) {
            const std::int32_t middle = (lo + hi) >> 1;
            const bool less = cut[middle] < x;
            lo = less ? middle + 1 : lo;
            hi = less ? hi : middle;
        }
        return lo;
    }

  private:
    static int bits(Index n) {  // halvings that bring a range of n to nothing
        int count = 0;
        for (; n > 0; n >>= 1) ++count;
        return count;
    }
    CANDIDE_INLINE Index bucket(double x) const {
        const double position = (x - low) * scale;
        return static_cast<Index>(position < last ? (position > 0 ? position : 0) : last);
    }

    std::vector<double> cut;
    std::vector<std::int32_t> start;
    double low = 0, scale = 0, last = 0;
    int steps;
};

// The cuts of every column; the tables are built only for as many rows as repay them.
inline std::vector<Cuts> cuts_by_column(const double* cuts, const std::int64_t* offsets, Index columns, Index rows) {
    std::vector<Cuts> result;
    result.reserve(static_cast<std::size_t>(columns));
    for (Index j = 0; j < columns; ++j) {
        const Index n = offsets[j + 1] - offsets[j];
        result.emplace_back(cuts + offsets[j], n, rows >= n);
    }
    return result;
}

// Codes of a tile, -1 for NaN, column by column so that one column's cuts stay in the cache. Infinity falls into
// an end bin and sets the flag, for those who refuse it.
inline void bin_tile(Tile x, Index rows, const std::vector<Cuts>& cuts, std::int32_t* codes, bool& infinite) {
    const Index columns = static_cast<Index>(cuts.size());
    for (Index j = 0; j < columns; ++j) {
        const Cuts& of_column = cuts[j];
        for (Index r = 0; r < rows; ++r) {
            const double value = x.at[r * x.step + j];
            std::int32_t code = of_column.below(value);
            if (value - value != 0) [[unlikely]] {
                if (std::isnan(value)) code = -1;
                else infinite = true;
            }
            codes[r * columns + j] = code;
        }
    }
}

}  // namespace candide
