// Numbers counted per class, and the lattice that they are counted in.
#include "values.hpp"

#include "bindings.hpp"
#include "entropy.hpp"

namespace candide {

// Columns are counted so many at a time, since their tables belong to each thread; more would not stay in the cache.
static constexpr Index columns_together = 32;

// Arrays that take the counts of some columns, one behind the other, the missing cell of each first.
template <class Total>
struct ColumnArrays {
    nb::object v, d, c;
    double* values;
    std::int8_t* dropped;
    Total* counts;
    Index step;  // from class to class

    ColumnArrays(Index n_classes, Index size, Index columns, Index of_dropped)
        : v(zeros<double>(size)), d(zeros<std::int8_t>(of_dropped)), c(zeros<Total>(n_classes, size + columns)),
          values(Buffer(v, "values", 1, true).doubles()),
          dropped(Buffer(d, "dropped", 1, true).contiguous<std::int8_t>()),
          counts(Buffer(c, "counts", 2, true).contiguous<Total>()), step(size + columns) {}

    // (values, counts, dropped) of one column, where `before` cells and `columns` missing ones come first
    nb::tuple column(Index before, Index columns, Index size, Index before_dropped) const {
        const nb::slice own(before, before + size), own_dropped(before_dropped, before_dropped + size);
        const nb::slice with_missing(before + columns, before + columns + size + 1);
        const auto all = nb::slice(nb::none(), nb::none(), nb::none());
        return nb::make_tuple(v[own], c[nb::make_tuple(all, with_missing)], d[own_dropped]);
    }
};

// write(zero) for the type of counts up to `most`: that of weights, or the narrowest that holds them.
template <class Count, class Write>
void with_total(double most, Write&& write) {
    if constexpr (std::is_same_v<Count, double>) write(0.0);
    else narrowest(most, write);
}

// Append what was counted of some columns: write(j, values, dropped, counts, step) fills the arrays of one.
template <class Count, class Columns, class Write>
void append_tables(const Columns& columns, Index n_classes, const Division& division, nb::list& result, Write&& write) {
    const auto n = static_cast<Index>(columns.size());
    std::vector<Index> before{0};
    double most = 0;
    Index longest = 0;
    bool exact = true;
    for (const auto& column : columns) {
        before.push_back(before.back() + column.size());
        most = std::max(most, static_cast<double>(column.most()));
        longest = std::max(longest, column.size()), exact = exact && column.is_exact();
    }
    // columns that drop no bits share the zeros that say so
    const auto before_dropped = [&](Index j) { return exact ? 0 : before[j]; };
    with_total<Count>(most, [&](auto zero) {
        const ColumnArrays<decltype(zero)> to(n_classes, before.back(), n, exact ? longest : before.back());
        {
            Released _;
            parallel_rows(division, n, [&](Index j, Index, Index) {
                write(j, to.values + before[j], to.dropped + before_dropped(j), to.counts + before[j] + j, to.step);
            });
        }
        for (Index j = 0; j < n; ++j) result.append(to.column(before[j], j, columns[j].size(), before_dropped(j)));
    });
}

// Finite numbers by rank, and the bits dropped of each.
struct CellArguments {
    Ranks ranks;
    std::vector<std::int32_t> dropped;

    CellArguments(nb::handle values, nb::handle bits, const char* name) {
        const Buffer v(values, name, 1), d(bits, "dropped", 1);
        d.expect(v.rows(), 1);
        std::vector<double> value(static_cast<std::size_t>(v.rows()));
        dropped.resize(value.size());
        loops().read_doubles(v.matrix(), 0, v.rows(), value.data(), 1);
        loops().read_codes(d.integers(), 0, d.rows(), dropped.data());
        ranks.reserve(value.size());
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (value[i] - value[i] != 0)
                throw std::invalid_argument(name + (" must be finite, but are not at " + std::to_string(i)));
            if (dropped[i] < 0 || dropped[i] > mantissa_bits)
                throw std::invalid_argument("dropped must be from 0 to 52, but is not at " + std::to_string(i));
            ranks.push_back(rank_of(value[i]));
        }
    }
};

// The lattice of those numbers, and its cells: they must ascend.
static Lattice lattice_of(CellArguments& arguments) {
    Lattice lattice;
    Ranks& cells = arguments.ranks;
    for (std::size_t i = 0; i < cells.size(); ++i) lattice.drop(cells[i], arguments.dropped[i]);
    for (std::uint64_t& rank : cells) rank = lattice.cell(rank);
    if (std::adjacent_find(cells.begin(), cells.end(), std::greater_equal<>()) != cells.end())
        throw std::invalid_argument("cells must ascend, and no two be the same cell");
    return lattice;
}

// What is known of each column: (cells, dropped), or None; or None of all of them.
static std::vector<KnownCells> known_cells(nb::handle known, Index n_columns) {
    std::vector<KnownCells> columns(static_cast<std::size_t>(n_columns));
    if (known.is_none()) return columns;
    if (static_cast<Index>(nb::len(known)) != n_columns)
        throw std::invalid_argument("known must say something, or None, of each column of x");
    for (Index j = 0; j < n_columns; ++j) {
        const nb::object column = known[j];
        if (column.is_none()) continue;
        CellArguments arguments(column[0], column[1], "known");
        columns[j].lattice = lattice_of(arguments);
        columns[j].cells = std::move(arguments.ranks);
        for (const std::int32_t dropped : arguments.dropped) columns[j].exact = columns[j].exact && dropped == 0;
    }
    return columns;
}

// Tables of more rows are counted as they are read; fewer are sorted.
static constexpr Index most_sorted = 1 << 16;

// Sorting a cell, and counting it, is worth about so many that are only read.
static constexpr Index work_of_sorting = 16;

template <class Count>
nb::list sorted_tables(const Matrix& x, const Rows& rows, const std::vector<KnownCells>& known) {
    nb::list result;
    RowTiles all(rows, std::max<Index>(x.rows, 1));
    if (all.read(0, x.rows)) report({first_fault(x, rows)}, rows.n_classes);
    const std::vector<std::int32_t> of_class(all.of_class(), all.of_class() + x.rows);
    // of few rows more columns: large arrays go back to the system when they are freed
    const Index together = std::clamp<Index>((1 << 20) / std::max<Index>(x.rows, 1), columns_together, 256);
    for (Index from = 0; from < x.columns; from += together) {
        const Index n = std::min(together, x.columns - from);
        const Division division{divide(x.rows, work_of_sorting * n).threads, n};
        std::vector<SortedValues> columns(static_cast<std::size_t>(n));
        std::atomic<bool> good = true;
        {
            Released _;
            parallel_rows(division, n, [&](Index j, Index, Index) {
                if (good && !columns[j].read(x.some_columns(from + j, 1), of_class, rows.n_classes, known[from + j]))
                    good = false;
            });
            if (!good) report({first_fault(x, rows)}, rows.n_classes);
        }
        append_tables<Count>(columns, rows.n_classes, division, result, [&](Index j, auto... to) {
            columns[j].write(of_class, all.weight(), to...);
        });
    }
    return result;
}

template <class Count>
nb::list value_tables(const Matrix& x, const Rows& rows, const std::vector<KnownCells>& known) {
    nb::list result;
    for (Index from = 0; from < x.columns; from += columns_together) {
        const Index n = std::min(columns_together, x.columns - from);
        std::vector<ValueCounts<Count>> columns;
        {
            Released _;
            columns = count_values<Count>(x.some_columns(from, n), rows, known.data() + from);
            if (columns.empty()) report({first_fault(x, rows)}, rows.n_classes);
        }
        append_tables<Count>(columns, rows.n_classes, {1, n}, result,
                             [&](Index j, auto... to) { columns[j].write(to...); });
    }
    return result;
}

static nb::list py_count_values(nb::handle x, nb::handle y, Index n_classes, nb::handle w, nb::handle known) {
    const TableArgument cells(x, "x");
    const Matrix& matrix = cells.matrix();
    const RowArguments arguments(y, matrix.rows, n_classes, w);
    const Rows& rows = arguments.rows;
    const std::vector<KnownCells> of_others = known_cells(known, matrix.columns);
    if (matrix.rows <= most_sorted)
        return rows.w ? sorted_tables<double>(matrix, rows, of_others) : sorted_tables<Index>(matrix, rows, of_others);
    if (rows.w) return value_tables<double>(matrix, rows, of_others);
    // 32 bits where they do, so that more of the counts stay in the cache
    const bool few = matrix.rows < std::numeric_limits<std::uint32_t>::max();
    return few ? value_tables<std::uint32_t>(matrix, rows, of_others)
               : value_tables<std::int64_t>(matrix, rows, of_others);
}

static nb::tuple py_lattice(nb::handle values, nb::handle dropped) {
    const CellArguments arguments(values, dropped, "values");
    nb::object index = zeros<std::int64_t>(arguments.ranks.size());
    auto* into = Buffer(index, "index", 1, true).contiguous<std::int64_t>();
    std::vector<double> middles;
    std::vector<std::int8_t> bits;
    {
        Released _;
        Lattice lattice;
        const Ranks cells = find_cells(arguments.ranks, arguments.dropped, lattice);
        Finder find(cells);
        for (const std::uint64_t rank : arguments.ranks) *into++ = find(lattice.cell(rank));
        middles.reserve(cells.size()), bits.reserve(cells.size());
        for (const std::uint64_t cell : cells) {
            middles.push_back(lattice.middle(cell));
            bits.push_back(static_cast<std::int8_t>(lattice.dropped(cell)));
        }
    }
    return nb::make_tuple(to_array(middles), to_array(bits), index);
}

static nb::object py_lattice_codes(nb::handle x, nb::handle cells, nb::handle dropped) {
    const Buffer column(x, "x", 1);
    const Matrix matrix = column.matrix();
    CellArguments arguments(cells, dropped, "cells");
    nb::object codes = unwritten<std::int32_t>(matrix.rows);
    auto* into = Buffer(codes, "codes", 1, true).contiguous<std::int32_t>();
    Released _;
    const Lattice lattice = lattice_of(arguments);
    lattice_codes(matrix, arguments.ranks, lattice, into);
    return codes;
}

// Some columns of a matrix as doubles, row by row, each cut off at its ends where these are given.
static nb::object py_take_columns(nb::handle x, nb::handle columns, nb::handle low, nb::handle high) {
    const Buffer cells(x, "x", 2), chosen(columns, "columns", 1);
    const Matrix from = cells.matrix();
    const auto* column = chosen.contiguous<const std::int64_t>();
    const Index D = chosen.rows();
    for (Index c = 0; c < D; ++c)
        if (column[c] < 0 || column[c] >= from.columns) throw std::invalid_argument("columns must be columns of x");
    std::optional<Buffer> least, greatest_;
    if (!low.is_none()) least.emplace(low, "low", 1), least->expect(D, 1);
    if (!high.is_none()) greatest_.emplace(high, "high", 1), greatest_->expect(D, 1);
    const double *floor = least ? least->doubles() : nullptr, *ceiling = greatest_ ? greatest_->doubles() : nullptr;
    nb::object taken = unwritten<double>(from.rows, D);
    double* into = Buffer(taken, "taken", 2, true).doubles();
    Released _;
    parallel_rows(divide(from.rows, D), from.rows, [&](Index, Index begin, Index end) {
        with_type(from.type, [&](auto value) {
            using T = decltype(value);
            for (Index r = begin; r < end; ++r) {
                double* to = into + r * D;
                const char* row = from.data + r * from.row_step;
                for (Index c = 0; c < D; ++c)
                    to[c] = static_cast<double>(load<T>(row + column[c] * from.column_step));
                // comparisons that leave NaN as it is
                if (floor)
                    for (Index c = 0; c < D; ++c) to[c] = to[c] < floor[c] ? floor[c] : to[c];
                if (ceiling)
                    for (Index c = 0; c < D; ++c) to[c] = to[c] > ceiling[c] ? ceiling[c] : to[c];
            }
        });
    });
    return taken;
}

// Where each of some ascending values stands among others; -1 where it is none of them. Few are searched for one by one,
// many are walked through together.
static nb::object py_places(nb::handle values, nb::handle among) {
    const Buffer wanted(values, "values", 1), known(among, "among", 1);
    const double *x = wanted.doubles(), *cells = known.doubles();
    const Index n = wanted.rows(), n_cells = known.rows();
    nb::object places = zeros<std::int64_t>(n);
    auto* into = Buffer(places, "places", 1, true).contiguous<std::int64_t>();
    Released _;
    const bool few = 16 * n < n_cells;
    Index at = 0;
    for (Index i = 0; i < n; ++i) {
        if (few) at = std::lower_bound(cells + at, cells + n_cells, x[i]) - cells;
        while (at < n_cells && cells[at] < x[i]) ++at;  // ends: with the cells
        into[i] = at < n_cells && cells[at] == x[i] ? at : -1;
    }
    return places;
}

static nb::object py_entropy_cuts(nb::handle counts, bool once) {
    const Buffer table(counts, "counts", 2);
    const double* n = table.doubles();
    std::vector<std::int64_t> found;
    {
        Released _;
        found = EntropyBlocks(n, table.rows(), table.columns()).cuts(once);
    }
    return to_array(found);
}

void bind_values(nb::module_& m) {
    using namespace nb::literals;
    m.def("count_values", &py_count_values, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(), "known"_a = nb::none());
    m.def("lattice", &py_lattice, "values"_a, "dropped"_a);
    m.def("lattice_codes", &py_lattice_codes, "x"_a, "cells"_a, "dropped"_a);
    m.def("take_columns", &py_take_columns, "x"_a, "columns"_a, "low"_a = nb::none(), "high"_a = nb::none());
    m.def("places", &py_places, "values"_a, "among"_a);
    m.attr("EXACT") = most_exact;
    m.attr("PER_BINADE") = most_per_binade;
    m.attr("TOTAL") = most_cells;
    m.def("entropy_cuts", &py_entropy_cuts, "counts"_a, "once"_a = false);
}

}  // namespace candide
