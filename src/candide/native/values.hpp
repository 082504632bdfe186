// How often each number of a column occurs in each class.
#pragma once

#include "checks.hpp"
#include "windows.hpp"

namespace candide {

// Counts of one column in one block of rows, in the cells of a lattice that coarsens as values come.
//
// It is coarsened only when cells have become too many for the cache: no bit is dropped that the lattice of all values
// would keep, and settle() drops the rest. Missing values have a cell of their own, above all others. Once some rows
// were looked up, windows count those that are like them.
template <class Count>
class ValueCounts {
  public:
    explicit ValueCounts(Index n_classes)
        : K(n_classes), cells({missing_rank}), counts(static_cast<std::size_t>(K)) {}

    // Numbers like those that other rows hold are counted from the start as when such rows had been looked up.
    ValueCounts(Index n_classes, const KnownCells& known) : ValueCounts(n_classes) {
        if (known.cells.empty()) return;
        exact = known.exact, lattice = known.lattice;
        Ranks with_missing = known.cells;
        with_missing.push_back(missing_rank);
        windows.emplace(with_missing, lattice, exact, K);
    }

    // False where a row that counts holds infinity.
    bool add(Tile x, const std::int32_t* of_class, const double* weight, Index rows) {
        std::uint64_t ranks[ranks_together];
        std::int32_t left[ranks_together];
        for (Index first = 0; first < rows; first += ranks_together) {
            const Index n = std::min(ranks_together, rows - first);
            const std::int32_t* const k = of_class + first;
            const double* const w = weight ? weight + first : nullptr;
            if (x.step == 1 && first + fetched_ahead + n <= rows) fetch_ahead(x.at + first + fetched_ahead, n);
            if (!loops().to_ranks({x.at + first * x.step, x.step}, k, n, ranks)) return false;
            Index n_left = n;
            if (windows) n_left = windows->count(ranks, k, w, n, left);
            else std::iota(left, left + n, 0);
            look_up(ranks, k, w, left, n_left);
        }
        return true;
    }

    // Add the counts of other rows, which are settled.
    void join(const ValueCounts& other) {
        take_windows();
        exact = exact && other.exact;
        for (const std::uint64_t cell : other.cells.keys()) lattice.drop(cell, other.lattice.dropped(cell));
        renumber(sorted());
        for (Index i = 0; i < other.cells.size(); ++i)
            add_to(lattice.cell(other.cells.keys()[i]), other.counts.data() + i * K);
    }

    // The lattice of the values so far, its cells ascending.
    void settle() {
        take_windows();
        exact = exact && size() <= most_exact;
        Ranks ascending = sorted();
        if (!exact) {
            ascending.pop_back();
            lattice.coarsen(ascending);
            ascending.push_back(missing_rank);
        }
        renumber(ascending);
    }

    Index size() const { return cells.size() - 1; }
    bool is_exact() const { return exact; }

    // The largest count of a cell and class.
    Count most() const { return counts.empty() ? Count{} : *std::max_element(counts.begin(), counts.end()); }

    // values and dropped (V,), counts (K, 1 + V), whose rows begin `step` apart: the missing cell first
    template <class Total>
    void write(double* values, std::int8_t* dropped, Total* table, Index step) const {
        const Index V = size();
        for (Index i = 0; i < V; ++i) values[i] = lattice.middle(cells.keys()[i]);
        for (Index i = 0; i < V && !exact; ++i) dropped[i] = static_cast<std::int8_t>(lattice.dropped(cells.keys()[i]));
        for (Index k = 0; k < K; ++k, table += step) {
            table[0] = static_cast<Total>(counts[V * K + k]);
            for (Index i = 0; i < V; ++i) table[i + 1] = static_cast<Total>(counts[i * K + k]);
        }
    }

  private:
    static constexpr Index fetched_ahead = 2 * ranks_together;

    // Numbers come from memory while others are counted: nothing else of the counting waits for it.
    static void fetch_ahead(const double* x, Index n) {
        for (Index i = 0; i < n; i += 8) __builtin_prefetch(x + i);
    }

    static constexpr Index crowded = 2 * most_cells;
    static constexpr Index at_first = 2048;  // rows looked up before windows are made

    // Count rows by the table of all cells, and when such rows have become many, make windows, in which others count.
    void look_up(const std::uint64_t* ranks, const std::int32_t* of_class, const double* weight,
                 const std::int32_t* rows, Index n) {
        for (Index r = 0; r < n; ++r) {
            const Index i = rows[r];
            if (of_class[i] < 0) continue;
            const Index number = cells.number(exact ? ranks[i] : lattice.cell(ranks[i]));
            counts.resize(static_cast<std::size_t>(cells.size() * K));
            counts[number * K + of_class[i]] += weight ? static_cast<Count>(weight[i]) : Count{1};
        }
        looked_up += n;
        const bool coarsens = size() > (exact ? most_exact : crowded);
        if (!coarsens && looked_up < patience) return;
        const bool repeat = !exact || 2 * size() < looked_up;  // most numbers may yet be new ones
        const bool first = exact && coarsens;
        if (coarsens || repeat) {
            settle();
            windows.emplace(cells.keys(), lattice, exact, K);
        }
        patience = first ? at_first : (exact ? 8 : 2) * patience;
        looked_up = 0;
    }

    void add_to(std::uint64_t cell, const Count* by_class) {
        const Index number = cells.number(cell);
        counts.resize(static_cast<std::size_t>(cells.size() * K));
        for (Index k = 0; k < K; ++k) counts[number * K + k] += by_class[k];
    }

    void take_windows() {
        if (windows) windows->each([&](std::uint64_t cell, const Count* by_class) { add_to(cell, by_class); });
        windows.reset();
    }

    Ranks sorted() const {
        Ranks keys = cells.keys();
        sort_keys(keys);
        return keys;
    }

    // Number the cells anew in this order, those that the lattice now joins as one.
    void renumber(const Ranks& ascending) {
        Ranks joined;
        for (const std::uint64_t cell : ascending)
            if (joined.empty() || joined.back() != lattice.cell(cell)) joined.push_back(lattice.cell(cell));
        std::vector<Count> sums(joined.size() * static_cast<std::size_t>(K));
        Index to = 0;
        for (const std::uint64_t cell : ascending) {
            to += joined[to] != lattice.cell(cell);
            const Index from = cells.find(cell);
            for (Index k = 0; k < K; ++k) sums[to * K + k] += counts[from * K + k];
        }
        cells = KeyNumbers(std::move(joined)), counts = std::move(sums);
    }

    Index K;
    bool exact = true;
    Lattice lattice;
    KeyNumbers cells;
    std::vector<Count> counts;  // (cells, K)
    std::optional<Windows<Count>> windows;
    Index looked_up = 0, patience = at_first;
};

// Counts of one column of so few rows that sorting them is quicker than looking each of them up; no table of cells and
// classes is made before the one that is asked for.
class SortedValues {
  public:
    // False where a row that counts holds infinity.
    bool read(const Matrix& column, const std::vector<std::int32_t>& of_class, Index n_classes, const KnownCells& known) {
        lattice = known.lattice;
        DoubleTiles tiles(column, together);
        items.reserve(of_class.size());
        std::uint64_t ranks[together];
        for (Index first = 0; first < column.rows; first += together) {
            const Index n = std::min(together, column.rows - first);
            if (!loops().to_ranks(tiles.read(first, n), of_class.data() + first, n, ranks)) return false;
            for (Index i = 0; i < n; ++i)
                if (of_class[first + i] >= 0) items.push_back({ranks[i], static_cast<std::size_t>(first + i)});
        }
        sort_keys(items);
        for (const Keyed& item : items)
            if (item.key != missing_rank && (cells.empty() || cells.back() != item.key)) cells.push_back(item.key);
        exact = known.exact && static_cast<Index>(cells.size()) <= most_exact;
        if (!exact) {
            cells = cells_of(lattice, std::move(cells));
            if (lattice.coarsen(cells)) cells = cells_of(lattice, std::move(cells));
        }
        find_most(of_class, n_classes);
        return true;
    }

    Index size() const { return static_cast<Index>(cells.size()); }
    bool is_exact() const { return exact; }

    // The largest count of a cell and class.
    std::size_t most() const { return largest; }

    template <class Total>
    void write(const std::vector<std::int32_t>& of_class, const double* weight, double* values, std::int8_t* dropped,
               Total* table, Index step) const {
        const Index V = size();
        for (Index i = 0; i < V; ++i) values[i] = lattice.middle(cells[i]);
        for (Index i = 0; i < V && !exact; ++i) dropped[i] = static_cast<std::int8_t>(lattice.dropped(cells[i]));
        Index at = 0;
        for (const Keyed& item : items) {
            const Index k = of_class[item.owner];
            const Total one = weight ? static_cast<Total>(weight[item.owner]) : Total{1};
            const bool missing = item.key == missing_rank;
            // ends: the cell of every item is there, and both ascend
            while (!missing && cells[at] != cell_of(item.key)) ++at;
            table[k * step + (missing ? 0 : at + 1)] += one;
        }
    }

  private:
    static constexpr Index together = 256;

    std::uint64_t cell_of(std::uint64_t rank) const { return rank == missing_rank ? rank : lattice.cell(rank); }

    void find_most(const std::vector<std::int32_t>& of_class, Index n_classes) {
        std::vector<std::size_t> count(static_cast<std::size_t>(n_classes));
        for (std::size_t begin = 0, end; begin < items.size(); begin = end) {
            const std::uint64_t cell = cell_of(items[begin].key);
            for (end = begin; end < items.size() && cell_of(items[end].key) == cell; ++end)
                largest = std::max(largest, ++count[of_class[items[end].owner]]);
            for (std::size_t i = begin; i < end; ++i) count[of_class[items[i].owner]] = 0;
        }
    }

    std::vector<Keyed> items;
    Ranks cells;
    Lattice lattice;
    std::size_t largest = 0;
    bool exact = true;
};

// The first infinity in row order, or class beyond their number.
inline Fault first_fault(const Matrix& x, const Rows& rows) {
    const Index tile = tile_rows(x.columns);
    RowTiles row_tiles(rows, tile);
    DoubleTiles tiles(x, tile);
    Fault fault;
    for (Index first = 0; first < x.rows && !fault; first += tile) {
        const Index size = std::min(tile, x.rows - first);
        if ((fault = row_tiles.read(first, size))) return fault;
        fault = first_outside(tiles.read(first, size), size, x.columns, finite, row_tiles.of_class(), first);
    }
    return fault;
}

// Add rows to the counts of each column, a tile at a time and column by column, so that one column's tables stay in the
// cache. False where there is a fault.
template <class Count>
bool add_values(const Matrix& x, const Rows& rows, Index begin, Index end, std::vector<ValueCounts<Count>>& counts) {
    constexpr Index tile = 4096;
    RowTiles row_tiles(rows, tile);
    std::vector<DoubleTiles> columns;
    for (Index j = 0; j < x.columns; ++j) columns.emplace_back(x.some_columns(j, 1), std::min(tile, end - begin));
    for (Index first = begin; first < end; first += tile) {
        const Index size = std::min(tile, end - first);
        if (row_tiles.read(first, size)) return false;
        for (Index j = 0; j < x.columns; ++j)
            if (!counts[j].add(columns[j].read(first, size), row_tiles.of_class(), row_tiles.weight(), size))
                return false;
    }
    return true;
}

// The counts of every column, settled; nothing where there is a fault. Each thread has counts of its own, and must fill
// a good part of them. Whole numbers are added by the thread that is free, weights in an order that is always the same.
template <class Count>
std::vector<ValueCounts<Count>> count_values(const Matrix& x, const Rows& rows, const KnownCells* known) {
    const Index own_counts = rows.n_classes * x.columns * std::min(most_exact, x.rows);
    Division division = divide(x.rows, x.columns, own_counts / 8);
    division.blocks = division.threads * (rows.w || division.threads == 1 ? 1 : blocks_per_thread);
    using Columns = std::vector<ValueCounts<Count>>;
    Columns none;
    for (Index j = 0; j < x.columns; ++j) none.emplace_back(rows.n_classes, known[j]);
    std::vector<Columns> parts(static_cast<std::size_t>(division.threads), none);
    std::atomic<bool> good = true;
    parallel_rows(division, x.rows, [&](Index block, Index begin, Index end) {
        Columns& part = parts[rows.w ? block : thread_of(division)];
        if (good && !add_values(x, rows, begin, end, part)) good = false;
    });
    if (!good) return {};
    parallel_rows({division.threads, x.columns}, x.columns, [&](Index, Index from, Index to) {
        for (Index j = from; j < to; ++j) {
            for (std::size_t t = 1; t < parts.size(); ++t) parts[t][j].settle(), parts[0][j].join(parts[t][j]);
            parts[0][j].settle();
        }
    });
    return std::move(parts[0]);
}

}  // namespace candide
