// Cells of two or three columns together: every ascending tuple of columns has a table of its own.
#pragma once

#include <array>

#include "rows.hpp"

namespace candide {

inline constexpr Index most_together = 3;

// All columns of a tuple but the last: `size` combinations of their cells, and the tables of the last columns, one
// behind the other, from entry `begin` on.
struct Prefix {
    std::array<Index, most_together - 1> column{};
    Index size = 1, begin = 0;
};

// Where the tables of all ascending tuples of `order` columns lie: in lexicographic order of the columns, and each in
// that of the cells.
class TupleTables {
  public:
    TupleTables(std::vector<std::int64_t> cells_of_columns, Index columns_together)
        : order(columns_together), cells(std::move(cells_of_columns)), starts{0} {
        for (const std::int64_t n : cells) starts.push_back(starts.back() + n);
        place.assign(static_cast<std::size_t>(order == 3 ? columns() * columns() : columns()), -1);
        Prefix prefix;
        if (order == 2)
            for (Index i = 0; i < columns(); ++i) add({{i, 0}, cells[i]});
        else
            for (Index i = 0; i < columns(); ++i)
                for (Index j = i + 1; j < columns(); ++j) add({{i, j}, cells[i] * cells[j]});
    }

    Index columns() const { return static_cast<Index>(cells.size()); }
    Index last(const Prefix& prefix) const { return prefix.column[order - 2]; }
    Index size() const { return total; }

    // Entry of the first cells of a tuple.
    Index begin(const Prefix& prefix, Index column) const {
        return prefix.begin + prefix.size * (starts[column] - starts[last(prefix) + 1]);
    }
    Index begin(const std::array<Index, most_together>& tuple) const {
        const Index at = order == 2 ? tuple[0] : tuple[0] * columns() + tuple[1];
        return begin(prefixes[place[at]], tuple[order - 1]);
    }

    const Index order;
    const std::vector<std::int64_t> cells;
    std::vector<std::int64_t> starts;
    std::vector<Prefix> prefixes;

  private:
    void add(Prefix prefix) {
        prefix.begin = total;
        total += prefix.size * (starts.back() - starts[last(prefix) + 1]);
        place[order == 2 ? prefix.column[0] : prefix.column[0] * columns() + prefix.column[1]] =
            static_cast<Index>(prefixes.size());
        prefixes.push_back(prefix);
    }

    std::vector<Index> place;
    Index total = 0;
};

// The rows of a tile that count, column by column: cells, from 0 where missing. Cells of two bytes are counted fastest.
template <class Cell>
class CellTile {
  public:
    CellTile(const Matrix& some_codes, const Rows& some_rows, const TupleTables& some_tables)
        : capacity(rows_at_a_time(some_codes)), stride(((capacity + 31) / 32 | 1) * 32), codes(some_codes),
          tables(some_tables), rows(some_rows, capacity), of_class(static_cast<std::size_t>(capacity)),
          weight(some_rows.w ? capacity : 0), order(of_class.size()),
          cells(static_cast<std::size_t>(stride * codes.columns)), with_class(cells.size()),
          n_classes(static_cast<Cell>(some_rows.n_classes)) {}

    Fault read(Index first, Index n) {
        if (const Fault fault = rows.read(first, n)) return fault;
        size = 0;
        for (Index r = 0; r < n; ++r) {
            const std::int32_t c = rows.of_class()[r];
            if (c < 0) continue;
            of_class[size] = static_cast<Cell>(c);
            if (rows.weight()) weight[size] = rows.weight()[r];
            order[size++] = static_cast<std::int32_t>(r);
        }
        std::atomic<bool> within{true};
        parallel_rows(divide(n, codes.columns), n, [&](Index, Index begin, Index end) {
            for (; begin < end; begin += part)
                if (!read_part(first, begin, std::min(part, end - begin))) within = false;
        });
        return within ? Fault{} : first_beyond(first);
    }
    const Cell* column(Index j) const { return cells.data() + j * stride; }
    // cell · K + class
    const Cell* column_with_class(Index j) const { return with_class.data() + j * stride; }

    const Index capacity;
    Index size = 0;

  private:
    static constexpr Index part = 256;

    // Rows of tiles of the same size, of about a megabyte of cells; no more rows than two bytes can count.
    static Index rows_at_a_time(const Matrix& codes) {
        constexpr Index cells = (Index{1} << 20) / sizeof(Cell);
        const Index most = std::clamp<Index>(cells / std::max<Index>(codes.columns, 1), 8192, 65535);
        const Index tiles = std::max<Index>((codes.rows + most - 1) / most, 1);
        return std::max<Index>((codes.rows + tiles - 1) / tiles, 1);
    }

    // Column by column, since that is how cells are kept. Tells whether every code is one of its column's.
    bool read_part(Index first, Index begin, Index n) {
        std::array<std::int32_t, part> tile;
        const auto place = [&](Index row) { return std::lower_bound(order.begin(), order.begin() + size, row); };
        const Index from = place(begin) - order.begin(), used = place(begin + n) - order.begin() - from;
        bool within = true;
        for (Index j = 0; j < codes.columns; ++j) {
            loops().read_codes(codes.some_columns(j, 1), first + begin, n, tile.data());
            for (Index i = 0; i < used && used < n; ++i) tile[i] = tile[order[from + i] - begin];
            Cell *cell = cells.data() + j * stride + from, *both = with_class.data() + j * stride + from;
            std::int32_t most = -1;
            for (Index i = 0; i < used; ++i) {
                most = std::max(most, tile[i]);
                cell[i] = static_cast<Cell>(tile[i] + 1);
                both[i] = static_cast<Cell>(cell[i] * n_classes + of_class[from + i]);
            }
            within = within && most + 1 < tables.cells[j];
        }
        return within;
    }

    Fault first_beyond(Index first) const {
        std::vector<std::int32_t> row(static_cast<std::size_t>(codes.columns));
        for (Index i = 0; i < size; ++i) {
            loops().read_codes(codes, first + order[i], 1, row.data());
            for (Index j = 0; j < codes.columns; ++j)
                if (row[j] + 1 >= tables.cells[j]) return {Problem::code, first + order[i], j};
        }
        return {};
    }

    const Index stride;  // an odd number of cache lines: columns that begin a power of two apart evict each other
    const Matrix codes;
    const TupleTables& tables;
    RowTiles rows;

    std::vector<Cell> of_class;

  public:
    std::vector<double> weight;

  private:
    std::vector<std::int32_t> order;  // the rows that count
    std::vector<Cell> cells, with_class;
    Cell n_classes;
};

// Add a tile to the tables of one prefix, which are not there yet before the first. Nothing else is written there, so
// that prefixes can be shared out to threads.
template <class Cell, class Total>
void count_prefix(const CellTile<Cell>& tile, const TupleTables& tables, const Prefix& prefix, Index n_classes,
                  bool is_first, std::vector<Cell>& of_prefix, std::vector<std::uint16_t>& narrow, Total* counts) {
    constexpr Index cached = 16384;
    const double* weight = tile.weight.empty() ? nullptr : tile.weight.data();
    of_prefix.assign(tile.column(prefix.column[0]), tile.column(prefix.column[0]) + tile.size);
    for (Index g = 1; g < tables.order - 1; ++g) {
        const Cell* more = tile.column(prefix.column[g]);
        const auto n = static_cast<Cell>(tables.cells[prefix.column[g]]);
        for (Index r = 0; r < tile.size; ++r) of_prefix[r] = static_cast<Cell>(of_prefix[r] * n + more[r]);
    }
    for (Index j = tables.last(prefix) + 1; j < tables.columns(); ++j) {
        const Cell *first = of_prefix.data(), *last = tile.column_with_class(j);
        const auto step = static_cast<std::size_t>(tables.cells[j] * n_classes);
        const Index entries = prefix.size * static_cast<Index>(step);
        Total* table = counts + tables.begin(prefix, j) * n_classes;
        if constexpr (std::is_integral_v<Total> && sizeof(Cell) == 2)
            if (entries <= std::min(tile.size, cached)) {  // which the first-level cache holds in two bytes each
                narrow.resize(static_cast<std::size_t>(cached));
                loops().count_together(first, static_cast<Cell>(step), last, tile.size, entries, narrow.data());
                if (is_first)
                    std::copy_n(narrow.data(), entries, table);
                else
                    for (Index entry = 0; entry < entries; ++entry) table[entry] += static_cast<Total>(narrow[entry]);
                continue;
            }
        if (is_first) std::fill_n(table, entries, Total{0});
        for (Index r = 0; r < tile.size; ++r)
            table[first[r] * step + last[r]] += weight ? static_cast<Total>(weight[r]) : Total{1};
    }
}

template <class Cell, class Total>
void count_tiles(const Matrix& codes, const TupleTables& tables, const Rows& rows, Total* counts) {
    if (codes.rows == 0) std::fill_n(counts, tables.size() * rows.n_classes, Total{0});
    CellTile<Cell> tile(codes, rows, tables);
    const auto n_prefixes = static_cast<Index>(tables.prefixes.size());
    for (Index first = 0; first < codes.rows; first += tile.capacity) {
        const Index n = std::min(tile.capacity, codes.rows - first);
        if (const Fault fault = tile.read(first, n)) report({fault}, rows.n_classes);
        // every prefix has about half of the columns behind it
        Division division = divide(n * n_prefixes, tables.columns() / 2 + 1);
        division.blocks = n_prefixes;
        parallel_rows(division, n_prefixes, [&](Index prefix, Index, Index) {
            std::vector<Cell> of_prefix;
            std::vector<std::uint16_t> narrow;
            count_prefix(tile, tables, tables.prefixes[prefix], rows.n_classes, first == 0, of_prefix, narrow, counts);
        });
    }
}

// Count the rows of each class at the cells of every tuple: counts (entries, K), whatever they held before.
template <class Total>
void tuple_counts(const Matrix& codes, const TupleTables& tables, const Rows& rows, Total* counts) {
    Index most = rows.n_classes;
    std::vector<std::int64_t> cells = tables.cells;
    std::sort(cells.rbegin(), cells.rend());
    for (Index g = 0; g < std::min(tables.order, tables.columns()) && most <= code_limit; ++g) most *= cells[g];
    most <= 65536 ? count_tiles<std::uint16_t>(codes, tables, rows, counts)
                  : count_tiles<std::uint32_t>(codes, tables, rows, counts);
}

}  // namespace candide
