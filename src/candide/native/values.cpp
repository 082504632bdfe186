// Numbers counted per class, and the lattice that they are counted in.
#include "values.hpp"

#include "bindings.hpp"

namespace candide {

// Columns are counted so many at a time, since their tables belong to each thread; more would not stay in the cache.
static constexpr Index columns_together = 32;

// (values, counts, dropped) of each column behind those in `result`; missing (K, D) where `absent` points.
template <class Total, class Count>
void append_columns(const std::vector<ValueCounts<Count>>& columns, Index n_classes, nb::list& result, Total* absent,
                    Index step) {
    std::vector<double*> values;
    std::vector<std::int8_t*> dropped;
    std::vector<Total*> counts;
    for (const auto& column : columns) {
        const nb::object v = zeros<double>(column.size());
        const nb::object d = zeros<std::int8_t>(column.size());
        const nb::object c = zeros<Total>(n_classes, column.size());
        values.push_back(Buffer(v, "values", 1, true).doubles());
        dropped.push_back(Buffer(d, "dropped", 1, true).contiguous<std::int8_t>());
        counts.push_back(Buffer(c, "counts", 2, true).contiguous<Total>());
        result.append(nb::make_tuple(v, c, d));
    }
    Released _;
    for (std::size_t j = 0; j < columns.size(); ++j)
        columns[j].write(values[j], dropped[j], counts[j], absent + j, step);
}

template <class Total, class Count>
nb::tuple value_tables(const Matrix& x, const Rows& rows) {
    nb::list result;
    const nb::object missing = zeros<Total>(rows.n_classes, x.columns);
    Total* absent = Buffer(missing, "missing", 2, true).contiguous<Total>();
    for (Index from = 0; from < x.columns; from += columns_together) {
        const Index n = std::min(columns_together, x.columns - from);
        std::vector<ValueCounts<Count>> columns;
        {
            Released _;
            columns = count_values<Count>(x.some_columns(from, n), rows);
            if (columns.empty()) report({first_fault(x, rows)}, rows.n_classes);
        }
        append_columns(columns, rows.n_classes, result, absent + from, x.columns);
    }
    return nb::make_tuple(result, missing);
}

static nb::tuple py_count_values(nb::handle x, nb::handle y, Index n_classes, nb::handle w) {
    const Buffer cells(x, "x", 2);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.matrix();
    if (arguments.rows.w) return value_tables<double, double>(matrix, arguments.rows);
    // 32 bits where they do, so that more of the counts stay in the cache
    const bool few = matrix.rows < std::numeric_limits<std::uint32_t>::max();
    const auto count = few ? value_tables<std::int64_t, std::uint32_t> : value_tables<std::int64_t, std::int64_t>;
    return count(matrix, arguments.rows);
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
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string at = " at " + std::to_string(i);
            if (value[i] - value[i] != 0) throw std::invalid_argument(name + (" must be finite, but are not" + at));
            if (dropped[i] < 0 || dropped[i] > mantissa_bits)
                throw std::invalid_argument("dropped must be from 0 to 52, but is not" + at);
            ranks.push_back(rank_of(value[i]));
        }
    }
};

static nb::tuple py_lattice(nb::handle values, nb::handle dropped) {
    const CellArguments arguments(values, dropped, "values");
    nb::object index = zeros<std::int64_t>(arguments.ranks.size());
    auto* into = Buffer(index, "index", 1, true).contiguous<std::int64_t>();
    std::vector<double> middles;
    std::vector<std::int8_t> bits;
    {
        Released _;
        Lattice lattice;
        const KeyNumbers cells(find_cells(arguments.ranks, arguments.dropped, lattice));
        for (const std::uint64_t rank : arguments.ranks) *into++ = cells.find(lattice.cell(rank));
        for (const std::uint64_t cell : cells.keys()) {
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
    nb::object codes = zeros<std::int32_t>(matrix.rows);
    auto* into = Buffer(codes, "codes", 1, true).contiguous<std::int32_t>();
    Released _;
    Lattice lattice;
    for (std::size_t i = 0; i < arguments.ranks.size(); ++i) lattice.drop(arguments.ranks[i], arguments.dropped[i]);
    Ranks& of_cells = arguments.ranks;
    for (std::uint64_t& rank : of_cells) rank = lattice.cell(rank);
    if (std::adjacent_find(of_cells.begin(), of_cells.end(), std::greater_equal<>()) != of_cells.end())
        throw std::invalid_argument("cells must ascend, and no two be the same cell");
    lattice_codes(matrix, of_cells, lattice, into);
    return codes;
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
        while (at < n_cells && cells[at] < x[i]) ++at;
        into[i] = at < n_cells && cells[at] == x[i] ? at : -1;
    }
    return places;
}

void bind_values(nb::module_& m) {
    using namespace nb::literals;
    m.def("count_values", &py_count_values, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("lattice", &py_lattice, "values"_a, "dropped"_a);
    m.def("lattice_codes", &py_lattice_codes, "x"_a, "cells"_a, "dropped"_a);
    m.def("places", &py_places, "values"_a, "among"_a);
    m.attr("EXACT") = most_exact;
    m.attr("PER_BINADE") = most_per_binade;
    m.attr("TOTAL") = most_cells;
}

}  // namespace candide
