// Bins: the number of a column's cuts that are less than x.
#pragma once

#include <cmath>
#include <limits>

#include "parallel.hpp"

namespace candide {

// Cuts of every column, ready to be searched. For many cuts a table over equal buckets narrows the search: bucket(x)
// never decreases with x, so the cuts less than x are those of lower buckets and some of its own. Tables are built
// only for as many rows as repay them, with as few buckets as leave few cuts in each.
class Cuts {
  public:
    Cuts(const double* all, const std::int64_t* offsets, Index columns, Index rows) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        cuts.reserve(static_cast<std::size_t>(offsets[columns] + columns * most_together));
        starts.resize(static_cast<std::size_t>(columns));
        for (Index j = 0; j < columns; ++j) {
            const Index n = offsets[j + 1] - offsets[j];
            tables.push_back({cuts.data() + cuts.size(), nullptr, n, 0, 0, 0, halvings(n), 0});
            cuts.insert(cuts.end(), all + offsets[j], all + offsets[j + 1]);
            cuts.insert(cuts.end(), most_together, infinity);
            if (n < table_from || rows < n) continue;
            for (Index per_cut = 1; per_cut <= most_buckets_per_cut && tables.back().together == 0; per_cut *= 2)
                add_buckets(tables.back(), per_cut * n, starts[j]);
        }
    }
    const CutTable* data() const { return tables.data(); }

  private:
    static constexpr Index table_from = 25;
    static constexpr Index most_buckets_per_cut = 8;
    static constexpr Index most_together = 8;

    static int halvings(Index n) {  // until a range of n is down to nothing
        int count = 0;
        for (; n > 0; n >>= 1) ++count;
        return count;
    }

    // With one bucket the table would say nothing: what the search does anyway.
    static void add_buckets(CutTable& table, Index buckets, std::vector<std::int32_t>& start) {
        const double range = table.cut[table.n - 1] - table.cut[0];
        const double scale = static_cast<double>(buckets) / range;
        if (!(range > 0 && std::isfinite(range) && std::isfinite(scale))) return;
        table.low = table.cut[0], table.scale = scale, table.last = static_cast<double>(buckets - 1);
        start.assign(static_cast<std::size_t>(buckets + 1), 0);
        for (Index i = 0; i < table.n; ++i)
            ++start[static_cast<Index>(std::min((table.cut[i] - table.low) * scale, table.last)) + 1];
        const Index most = *std::max_element(start.begin(), start.end());
        table.steps = halvings(most);
        if (most <= most_together) table.together = (most + 3) / 4 * 4;
        for (Index b = 0; b < buckets; ++b) start[b + 1] += start[b];
        table.start = start.data();
    }

    std::vector<double> cuts;
    std::vector<std::vector<std::int32_t>> starts;
    std::vector<CutTable> tables;
};

// Rows per tile: where columns have many cuts, enough to use most of what one column's tables bring into the cache.
inline Index bin_tile_rows(Index columns, Index n_cuts) {
    constexpr Index most_cells = 1 << 17;
    const Index width = std::max<Index>(columns, 1);
    return std::max(tile_rows(columns), std::min(n_cuts / width / 2, most_cells / width));
}

inline void bin_codes(const Matrix& x, const double* cuts, const std::int64_t* offsets, std::int32_t* codes) {
    const Index tile = bin_tile_rows(x.columns, offsets[x.columns]);
    const Cuts of_columns(cuts, offsets, x.columns, x.rows);
    parallel_rows(divide(x.rows, x.columns), x.rows, [&](Index, Index begin, Index end) {
        DoubleTiles tiles(x, std::min(tile, end - begin));
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            loops().to_bins(tiles.read(first, size), size, x.columns, of_columns.data(), codes + first * x.columns);
        }
    });
}

}  // namespace candide
