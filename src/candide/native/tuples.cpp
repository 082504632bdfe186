// Cells of several columns together: counted, and scored by averages of models.
#include <limits>

#include "averages.hpp"
#include "bindings.hpp"

namespace candide {

static void check_order(Index order) {
    if (order < 2 || order > most_together)
        throw std::invalid_argument("order must be 2 or 3, not " + std::to_string(order));
}

static std::vector<std::int64_t> cells_of_columns(const Buffer& sizes, Index columns) {
    sizes.expect(columns, 1);
    const auto* size = sizes.contiguous<const std::int64_t>();
    for (Index j = 0; j < columns; ++j)
        if (size[j] < 0 || size[j] >= code_limit)
            throw std::invalid_argument("sizes must be from 0 to a billion, but are not at " + std::to_string(j));
    std::vector<std::int64_t> cells(size, size + columns);
    for (std::int64_t& n : cells) ++n;
    return cells;
}

template <class Total>
static nb::object count_into(const Matrix& codes, const TupleTables& tables, const Rows& rows) {
    nb::object counts = unwritten<Total>(tables.size(), rows.n_classes);
    const Buffer result(counts, "counts", 2, true);
    auto* into = result.contiguous<Total>();
    {
        Released _;
        tuple_counts(codes, tables, rows, into);
    }
    return counts.attr("T");
}

static nb::object py_tuple_counts(nb::handle codes, nb::handle sizes, nb::handle y, Index n_classes, Index order,
                                  nb::handle w) {
    const Buffer cells(codes, "codes", 2), of_columns(sizes, "sizes", 1);
    check_order(order);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.integers();
    const TupleTables tables(cells_of_columns(of_columns, matrix.columns), order);
    if (arguments.rows.w) return count_into<double>(matrix, tables, arguments.rows);
    // the tables are large and most counts small: the narrowest type that all rows in one entry fit in
    if (matrix.rows <= std::numeric_limits<std::int16_t>::max())
        return count_into<std::int16_t>(matrix, tables, arguments.rows);
    if (matrix.rows <= std::numeric_limits<std::int32_t>::max())
        return count_into<std::int32_t>(matrix, tables, arguments.rows);
    return count_into<std::int64_t>(matrix, tables, arguments.rows);
}

// No cell beyond its column.
static void check_cells(const Matrix& cells, const TupleTables& tables) {
    std::vector<std::int32_t> row(static_cast<std::size_t>(cells.columns));
    for (Index r = 0; r < cells.rows; ++r) {
        loops().read_codes(cells, r, 1, row.data());
        for (Index j = 0; j < cells.columns; ++j)
            if (row[j] >= tables.cells[j]) report({{Problem::code, r, j}}, 0);
    }
}

static nb::object py_add_averaged(nb::handle cells, nb::handle sizes, Index order, nb::handle counts, nb::handle pseudo,
                                  nb::handle mass, nb::handle first, nb::handle parents, nb::handle out) {
    const Buffer rows(cells, "cells", 2), of_columns(sizes, "sizes", 1), count(counts, "counts", 2),
        s(pseudo, "pseudo", 2), of_mass(mass, "mass", 2), from(first, "first", 1), start(parents, "parents", 2),
        scores(out, "out", 2, true);
    check_order(order);
    const Matrix matrix = rows.integers();
    const TupleTables tables(cells_of_columns(of_columns, matrix.columns), order);
    const TupleTables pairs(tables.cells, 2);
    const Index K = scores.columns();
    scores.expect(matrix.rows, K);
    count.expect(tables.size(), K);
    s.expect(tables.starts.back(), K);
    of_mass.expect(matrix.columns, K);
    from.expect(matrix.columns, 1);
    start.expect(order == 3 ? pairs.size() : tables.starts.back(), K);
    check_cells(matrix, tables);
    const auto with = [&](const auto* table) {
        const Dependence<std::remove_const_t<std::remove_pointer_t<decltype(table)>>> d{
            tables, table, s.doubles(), of_mass.doubles(), from.contiguous<const std::int64_t>(), start.doubles(),
            order == 3 ? &pairs : nullptr, K};
        double* into = scores.doubles();
        std::vector<std::int64_t> n;
        {
            Released _;
            n = add_averaged(matrix, d, into);
        }
        return to_array(n);
    };
    switch (count.matrix().type) {
        case Type::i16: return with(count.contiguous<const std::int16_t>());
        case Type::i32: return with(count.contiguous<const std::int32_t>());
        case Type::i64: return with(count.contiguous<const std::int64_t>());
        default: return with(static_cast<const double*>(count.doubles()));
    }
}

void bind_tuples(nb::module_& m) {
    using namespace nb::literals;
    m.def("tuple_counts", &py_tuple_counts, "codes"_a, "sizes"_a, "y"_a, "n_classes"_a, "order"_a, "w"_a = nb::none());
    m.def("add_averaged", &py_add_averaged, "cells"_a, "sizes"_a, "order"_a, "counts"_a, "pseudo"_a, "mass"_a,
          "first"_a, "parents"_a, "out"_a);
}

}  // namespace candide
