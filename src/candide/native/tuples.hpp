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

// The rows of a tile that count, column by column: cells, from 0 where missing.
class CellTile {
  public:
    CellTile(const Matrix& some_codes, const Rows& some_rows, const TupleTables& some_tables)
        : capacity(rows_at_a_time(some_codes)), stride(((capacity + 15) / 16 | 1) * 16), codes(some_codes),
          tables(some_tables), rows(some_rows, capacity), of_class(static_cast<std::size_t>(capacity)),
          weight(some_rows.w ? capacity : 0), tile(static_cast<std::size_t>(capacity * codes.columns)),
          cells(static_cast<std::size_t>(stride * codes.columns)), with_class(cells.size()),
          n_classes(static_cast<std::uint32_t>(some_rows.n_classes)) {}

    Fault read(Index first, Index n) {
        if (const Fault fault = rows.read(first, n)) return fault;
        loops().read_codes(codes, first, n, tile.data());
        size = 0;
        for (Index r = 0; r < n; ++r) {
            if (rows.of_class()[r] < 0) continue;
            of_class[size] = static_cast<std::uint32_t>(rows.of_class()[r]);
            if (rows.weight()) weight[size] = rows.weight()[r];
            for (Index j = 0; j < codes.columns; ++j) {
                const std::int32_t code = tile[r * codes.columns + j];
                if (code + 1 >= tables.cells[j]) return {Problem::code, first + r, j};
                const auto cell = static_cast<std::uint32_t>(std::max(code, -1) + 1);
                cells[j * stride + size] = cell;
                with_class[j * stride + size] = cell * n_classes + of_class[size];
            }
            ++size;
        }
        return {};
    }
    const std::uint32_t* column(Index j) const { return cells.data() + j * stride; }
    // cell · K + class
    const std::uint32_t* column_with_class(Index j) const { return with_class.data() + j * stride; }

    const Index capacity;
    Index size = 0;

  private:
    // Rows of tiles of the same size, of about a quarter of a million cells; no more rows than two bytes can count.
    static Index rows_at_a_time(const Matrix& codes) {
        const Index most = std::clamp<Index>((Index{1} << 18) / std::max<Index>(codes.columns, 1), 8192, 65535);
        const Index tiles = std::max<Index>((codes.rows + most - 1) / most, 1);
        return std::max<Index>((codes.rows + tiles - 1) / tiles, 1);
    }

    const Index stride;  // an odd number of cache lines: columns that begin a power of two apart evict each other
    const Matrix codes;
    const TupleTables& tables;
    RowTiles rows;

    std::vector<std::uint32_t> of_class;

  public:
    std::vector<double> weight;

  private:
    std::vector<std::int32_t> tile;
    std::vector<std::uint32_t> cells, with_class;
    std::uint32_t n_classes;
};

// Count a tile at entries first · step + last of a table. Where its rows are more than its entries, they are counted in
// two bytes each first, which the first-level cache holds.
template <class Total>
void count_entries(const std::uint32_t* first, std::size_t step, const std::uint32_t* last, Index n, Index entries,
                   std::vector<std::uint16_t>& narrow, Total* table) {
    constexpr Index cached = 16384;
    if (entries > n || entries > cached) {
        for (Index r = 0; r < n; ++r) ++table[first[r] * step + last[r]];
        return;
    }
    narrow.assign(static_cast<std::size_t>(entries), 0);
    for (Index r = 0; r < n; ++r) ++narrow[first[r] * step + last[r]];
    for (Index entry = 0; entry < entries; ++entry) table[entry] += static_cast<Total>(narrow[entry]);
}

// Add a tile to the tables of one prefix. Nothing else is written there, so that prefixes can be shared out to threads.
template <class Total>
void count_prefix(const CellTile& tile, const TupleTables& tables, const Prefix& prefix, Index n_classes,
                  std::vector<std::uint32_t>& of_prefix, std::vector<std::uint16_t>& narrow, Total* counts) {
    const double* weight = tile.weight.empty() ? nullptr : tile.weight.data();
    of_prefix.assign(tile.column(prefix.column[0]), tile.column(prefix.column[0]) + tile.size);
    for (Index g = 1; g < tables.order - 1; ++g) {
        const std::uint32_t* more = tile.column(prefix.column[g]);
        const auto n = static_cast<std::uint32_t>(tables.cells[prefix.column[g]]);
        for (Index r = 0; r < tile.size; ++r) of_prefix[r] = of_prefix[r] * n + more[r];
    }
    for (Index j = tables.last(prefix) + 1; j < tables.columns(); ++j) {
        const std::uint32_t *first = of_prefix.data(), *last = tile.column_with_class(j);
        const auto step = static_cast<std::size_t>(tables.cells[j] * n_classes);
        Total* table = counts + tables.begin(prefix, j) * n_classes;
        if (weight)
            for (Index r = 0; r < tile.size; ++r) table[first[r] * step + last[r]] += static_cast<Total>(weight[r]);
        else
            count_entries(first, step, last, tile.size, prefix.size * tables.cells[j] * n_classes, narrow, table);
    }
}

// Count the rows of each class at the cells of every tuple: counts (entries, K).
template <class Total>
void tuple_counts(const Matrix& codes, const TupleTables& tables, const Rows& rows, Total* counts) {
    CellTile tile(codes, rows, tables);
    const auto n_prefixes = static_cast<Index>(tables.prefixes.size());
    for (Index first = 0; first < codes.rows; first += tile.capacity) {
        const Index n = std::min(tile.capacity, codes.rows - first);
        if (const Fault fault = tile.read(first, n)) report({fault}, rows.n_classes);
        // every prefix has about half of the columns behind it
        Division division = divide(n * n_prefixes, tables.columns() / 2 + 1);
        division.blocks = n_prefixes;
        parallel_rows(division, n_prefixes, [&](Index prefix, Index, Index) {
            std::vector<std::uint32_t> of_prefix;
            std::vector<std::uint16_t> narrow;
            count_prefix(tile, tables, tables.prefixes[prefix], rows.n_classes, of_prefix, narrow, counts);
        });
    }
}

}  // namespace candide
