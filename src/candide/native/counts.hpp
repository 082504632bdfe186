// Joint counts of class and level, for all columns in one pass.
#pragma once

#include "bins.hpp"
#include "checks.hpp"

namespace candide {

// Private counts of one block: a row for class -1, which is nobody's, then K rows of (missing, levels) for every column
// in turn, so that a missing cell, code -1, is counted like any other.
//
// Integers are counted in 32 bits, so that more of a large table stays in the cache.
template <class Total>
struct Counts {
    using Count = std::conditional_t<std::is_integral_v<Total>, std::uint32_t, Total>;
    Index width;
    std::vector<Count> table;

    Counts(Index n_classes, Index n_slots)
        : width(n_slots), table(static_cast<std::size_t>((n_classes + 1) * n_slots)) {}

    const Count* of_class(Index k) const { return table.data() + (k + 1) * width; }
    Count* of_class(Index k) { return table.data() + (k + 1) * width; }

    void add(const std::int32_t* slots, Index rows, Index columns, const std::int32_t* classes, const double* weight) {
        for (Index r = 0; r < rows; ++r, slots += columns) {
            if (classes[r] < 0) continue;
            Count* at = of_class(classes[r]);
            const Count step = weight ? static_cast<Count>(weight[r]) : Count{1};
            for (Index j = 0; j < columns; ++j) at[slots[j]] += step;
        }
    }

    // One column, every slot of which is its own: no row has to be left out.
    void add_column(const std::int32_t* slots, Index rows, const std::int32_t* classes, const double* weight) {
        if constexpr (std::is_same_v<Count, std::uint32_t>) {
            if (table.size() < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) && !weight)
                return loops().count_slots(classes, width, slots, rows, table.data());
        }
        Count* const first = of_class(0);
        for (Index r = 0; r < rows; ++r)
            first[classes[r] * width + slots[r]] += weight ? static_cast<Count>(weight[r]) : Count{1};
    }
};

// Slots of each column: one for missing cells, then its levels.
inline std::vector<std::int32_t> slots_of(const std::int64_t* offsets, Index columns, Index extra_levels) {
    std::vector<std::int32_t> slots(static_cast<std::size_t>(columns + 1), 0);
    for (Index j = 0; j < columns; ++j)
        slots[j + 1] = static_cast<std::int32_t>(slots[j] + offsets[j + 1] - offsets[j] + extra_levels + 1);
    return slots;
}

// The first cell of a tile of some columns, among the rows that count, whose slot belongs to another column.
inline Fault first_beyond(const std::int32_t* tile, Index rows, Index columns, const std::int32_t* slots,
                          const std::int32_t* of_class) {
    for (Index r = 0; r < rows; ++r)
        for (Index j = 0; j < columns && of_class[r] >= 0; ++j)
            if (tile[r * columns + j] >= slots[j + 1]) return {Problem::code, r, j};
    return {};
}

// Add the blocks' tables up into counts (K, levels) and missing (K, D).
template <class Total>
void split(const std::vector<Counts<Total>>& parts, const std::vector<std::int32_t>& slots, Index n_classes,
           Total* counts, Total* missing) {
    const Index columns = static_cast<Index>(slots.size()) - 1;
    for (Index k = 0; k < n_classes; ++k)
        for (Index j = 0; j < columns; ++j, ++missing)
            for (Index s = slots[j]; s < slots[j + 1]; ++s) {
                Total sum{0};
                for (const auto& part : parts) sum += static_cast<Total>(part.of_class(k)[s]);
                if (s == slots[j]) *missing = sum;
                else *counts++ = sum;
            }
}

// make_encoder() -> encode(first, rows, column, codes, of_class) -> Fault, which writes one tile of the codes of
// `together` columns, by rows.
template <class Total, class Encoder>
void count_rows(Index n_rows, const std::vector<std::int32_t>& slots, const Rows& rows, Index tile, Index together,
                Division division, const Encoder& make_encoder, Total* counts, Total* missing) {
    division.blocks = std::max(division.blocks, n_rows >> 31);  // no block overflows 32 bits
    const Index columns = static_cast<Index>(slots.size()) - 1;
    const Counts<Total> none(rows.n_classes, slots.back());
    std::vector<Counts<Total>> parts(static_cast<std::size_t>(division.blocks), none);
    std::vector<Fault> faults(parts.size());
    parallel_rows(division, n_rows, [&](Index block, Index begin, Index end) {
        auto encode = make_encoder();
        RowTiles row_tiles(rows, tile);
        std::vector<std::int32_t> codes(static_cast<std::size_t>(tile * together));
        for (Index first = begin; first < end && !faults[block]; first += tile) {
            const Index size = std::min(tile, end - first);
            faults[block] = row_tiles.read(first, size);
            const std::int32_t* of_class = row_tiles.of_class();
            for (Index j = 0; j < columns && !faults[block]; j += together) {
                Fault fault = encode(first, size, j, codes.data(), of_class);
                const bool own = !fault && loops().to_slots(codes.data(), size, together, slots.data() + j);
                if (!fault && !own) {
                    fault = first_beyond(codes.data(), size, together, slots.data() + j, of_class);
                    fault.row += first, fault.column += j;
                }
                if (fault) faults[block] = fault;
                else if (own && together == 1)
                    parts[block].add_column(codes.data(), size, of_class, row_tiles.weight());
                else parts[block].add(codes.data(), size, together, of_class, row_tiles.weight());
            }
        }
    });
    report(faults, rows.n_classes);
    split(parts, slots, rows.n_classes, counts, missing);
}

// Columns that lie apart, or one behind the other, are counted one after the other within a tile: no cell of them is moved.
template <class Count>
void level_counts(const Matrix& codes, const std::int64_t* offsets, const Rows& rows, Count* counts, Count* missing) {
    const std::vector<std::int32_t> slots = slots_of(offsets, codes.columns, 0);
    const Division division = divide(codes.rows, codes.columns, rows.n_classes * slots.back());
    const Index together = codes.apart || codes.row_step < codes.column_step ? 1 : codes.columns;
    const auto encoder = [&] {
        return [&](Index first, Index size, Index j, std::int32_t* tile, const std::int32_t*) {
            loops().read_codes(together == 1 ? codes.some_columns(j, 1) : codes, first, size, tile);
            return Fault{};
        };
    };
    count_rows(codes.rows, slots, rows, tile_rows(together), together, division, encoder, counts, missing);
}

template <class Count>
void bin_counts(const Matrix& x, const double* cuts, const std::int64_t* offsets, const Rows& rows, Count* counts,
                Count* missing) {
    const Cuts of_columns(cuts, offsets, x.columns, x.rows);
    const std::vector<std::int32_t> slots = slots_of(offsets, x.columns, 1);
    const Division division = divide(x.rows, x.columns, rows.n_classes * slots.back());
    const Index tile = bin_tile_rows(x.columns, offsets[x.columns]);
    const auto encoder = [&] {
        return [&, tiles = DoubleTiles(x, tile)](Index first, Index size, Index, std::int32_t* codes,
                                                 const std::int32_t* of_class) mutable {
            const Tile values = tiles.read(first, size);
            loops().to_bins(values, size, x.columns, of_columns.data(), codes);
            return first_outside(values, size, x.columns, finite, of_class, first);
        };
    };
    count_rows(x.rows, slots, rows, tile, x.columns, division, encoder, counts, missing);
}

}  // namespace candide
