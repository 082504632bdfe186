// Rows of a table counted and summed per class.
#include "bindings.hpp"
#include "counts.hpp"
#include "joint_sorted.hpp"
#include "moments.hpp"

namespace candide {

template <class Total, class Fill>
nb::tuple fill_tables(Index n_classes, Index levels, Index columns, Fill fill) {
    nb::object counts = zeros<Total>(n_classes, levels), missing = zeros<Total>(n_classes, columns);
    const Buffer c(counts, "counts", 2, true), m(missing, "missing", 2, true);
    Total *into = c.contiguous<Total>(), *absent = m.contiguous<Total>();
    {
        Released _;
        fill(into, absent);
    }
    return nb::make_tuple(counts, missing);
}

// counts (K, levels) and missing (K, D), integers or weights; fill(counts, missing) is called with either.
template <class Fill>
nb::tuple count_tables(const Rows& rows, Index levels, Index columns, Fill fill) {
    if (rows.w) return fill_tables<double>(rows.n_classes, levels, columns, fill);
    return fill_tables<std::int64_t>(rows.n_classes, levels, columns, fill);
}

static nb::tuple py_level_counts(nb::handle codes, nb::handle offsets, nb::handle y, Index n_classes, nb::handle w) {
    const TableArgument cells(codes, "codes");
    const Buffer starts(offsets, "offsets", 1);
    const Matrix matrix = cells.integers();
    const RowArguments arguments(y, matrix.rows, n_classes, w);
    const std::int64_t* at = checked_offsets(starts, matrix.columns, -1);
    return count_tables(arguments.rows, at[matrix.columns], matrix.columns, [&](auto* counts, auto* missing) {
        level_counts(matrix, at, arguments.rows, counts, missing);
    });
}

static nb::tuple py_bin_counts(nb::handle x, nb::handle cuts, nb::handle offsets, nb::handle y, Index n_classes,
                               nb::handle w) {
    const Buffer cells(x, "x", 2), limits(cuts, "cuts", 1), starts(offsets, "offsets", 1);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.matrix();
    const std::int64_t* at = checked_offsets(starts, matrix.columns, limits.rows());
    const double* cut = limits.doubles();
    return count_tables(arguments.rows, limits.rows() + matrix.columns, matrix.columns,
                        [&](auto* counts, auto* missing) {
                            bin_counts(matrix, cut, at, arguments.rows, counts, missing);
                        });
}

static nb::object py_bin_codes(nb::handle x, nb::handle cuts, nb::handle offsets) {
    const Buffer cells(x, "x", 2), limits(cuts, "cuts", 1), starts(offsets, "offsets", 1);
    const Matrix matrix = cells.matrix();
    const std::int64_t* at = checked_offsets(starts, matrix.columns, limits.rows());
    const double* cut = limits.doubles();
    nb::object codes = zeros<std::int32_t>(matrix.rows, matrix.columns);
    const Buffer result(codes, "codes", 2, true);
    auto* into = result.contiguous<std::int32_t>();
    Released _;
    bin_codes(matrix, cut, at, into);
    return codes;
}

static nb::object py_moments(nb::handle x, nb::handle y, Index n_classes, nb::handle w, bool log) {
    const TableArgument cells(x, "x");
    const Matrix& matrix = cells.matrix();
    const RowArguments arguments(y, matrix.rows, n_classes, w);
    Moments plain(n_classes, matrix.columns);
    std::optional<Moments> logs;
    if (log) logs.emplace(n_classes, matrix.columns);
    {
        Released _;
        moments(matrix, arguments.rows, plain, logs ? &*logs : nullptr);
    }
    const auto table = [&](const std::vector<double>& values) {
        return to_table<double>(values, n_classes, matrix.columns, plain.step);
    };
    nb::object n = table(plain.total), mean = table(plain.mean), m2 = table(plain.m2);
    if (!arguments.rows.w)
        n = to_table<std::int64_t>(plain.total, n_classes, matrix.columns, plain.step);
    if (!logs) return nb::make_tuple(n, mean, m2);
    return nb::make_tuple(n, mean, m2, table(logs->mean), table(logs->m2));
}

static nb::object py_dense_sums(nb::handle x, nb::handle y, Index n_classes, nb::handle w) {
    const Buffer cells(x, "x", 2);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.matrix();
    nb::object sums = zeros<double>(n_classes, matrix.columns);
    const Buffer result(sums, "sums", 2, true);
    double* into = result.doubles();
    Released _;
    dense_sums(matrix, arguments.rows, into);
    return sums;
}

// How many cells each member of a group has: its levels, and one for missing.
static std::vector<std::int64_t> cells_of_members(const Buffer& sizes, Index n_members) {
    sizes.expect(n_members, 1);
    const auto* size = sizes.contiguous<const std::int64_t>();
    std::vector<std::int64_t> n_cells;
    for (Index g = 0; g < n_members; ++g) {
        if (size[g] < 0 || size[g] >= code_limit)
            throw std::invalid_argument("sizes must be from 0 to a billion, but are not at " + std::to_string(g));
        n_cells.push_back(size[g] + 1);
    }
    return n_cells;
}

template <class Number>
static nb::tuple sorted_joint_counts(const Members& members, const Rows& rows, const RowBits& bits) {
    std::optional<SortedJoint<Number>> joint;
    {
        Released _;
        joint.emplace(members, rows, bits);
    }
    nb::object combinations = zeros<std::int64_t>(joint->size(), members.codes.columns);
    nb::object counts = zeros<std::int64_t>(rows.n_classes, joint->size());
    auto* cells = Buffer(combinations, "combinations", 2, true).contiguous<std::int64_t>();
    auto* table = Buffer(counts, "counts", 2, true).contiguous<std::int64_t>();
    {
        Released _;
        joint->write(cells, table);
    }
    return nb::make_tuple(combinations, counts, nb::none());
}

static nb::tuple py_joint_counts(nb::handle codes, nb::handle sizes, nb::handle y, Index n_classes, nb::handle w,
                                 bool placed) {
    const TableArgument cells(codes, "codes");
    const Buffer of_members(sizes, "sizes", 1);
    const Matrix matrix = cells.integers();
    const RowArguments arguments(y, matrix.rows, n_classes, w);
    const Members members{matrix, cells_of_members(of_members, matrix.columns)};
    const std::optional<Index> few = placed || arguments.rows.w ? std::nullopt : few_combinations(members, n_classes);
    if (few) {
        JointCounts found;
        {
            Released _;
            found = few_joint_counts(members, *few, arguments.rows);
        }
        return nb::make_tuple(to_table(found.combinations, found.size, matrix.columns),
                              to_table(found.counts, n_classes, found.size), nb::none());
    }
    const RowBits bits(members, n_classes);
    if (!placed && !arguments.rows.w && bits.all < 64)
        return bits.all < 32 ? sorted_joint_counts<std::uint32_t>(members, arguments.rows, bits)
                             : sorted_joint_counts<std::uint64_t>(members, arguments.rows, bits);
    nb::object place = zeros<std::int64_t>(matrix.rows);
    const Buffer ranks(place, "place", 1, true);
    auto* rank = ranks.contiguous<std::int64_t>();
    std::optional<Joint> joint;
    {
        Released _;
        joint.emplace(members, arguments.rows, rank);
    }
    const Index M = joint->size();
    nb::object combinations = to_table(joint->cells(), M, matrix.columns);
    const std::int64_t offsets[] = {0, M};
    const nb::tuple counts = count_tables(arguments.rows, M, 1, [&](auto* table, auto* missing) {
        level_counts(ranks.matrix(), offsets, arguments.rows, table, missing);
    });
    return nb::make_tuple(combinations, counts[0], placed ? place : nb::none());
}

// Where each combination of cells stands among all combinations of the values that these have; behind the last where a
// cell has none. values[offsets[g] + cell] is the value of a cell of member g, of sizes[g] values.
static nb::object py_joint_places(nb::handle cells, nb::handle values, nb::handle offsets, nb::handle sizes) {
    const Buffer combinations(cells, "cells", 2), of_cells(values, "values", 1), starts(offsets, "offsets", 1);
    const Index M = combinations.rows(), G = combinations.columns();
    const Buffer of_members(sizes, "sizes", 1);
    of_members.expect(G, 1), starts.expect(G + 1, 1);
    const auto *cell = combinations.contiguous<const std::int64_t>(), *value = of_cells.contiguous<const std::int64_t>();
    const auto *start = starts.contiguous<const std::int64_t>(), *size = of_members.contiguous<const std::int64_t>();
    std::int64_t product = 1;
    for (Index g = 0; g < G; ++g) {
        if (start[g] < 0 || start[g] > start[g + 1] || start[g + 1] > of_cells.rows())
            throw std::invalid_argument("offsets must ascend within the values, but do not at " + std::to_string(g));
        if (size[g] < 0 || static_cast<double>(product) * static_cast<double>(size[g]) >= 0x1p62)
            throw std::invalid_argument("sizes must be of less than 2^62 combinations, but are not at " + std::to_string(g));
        product *= size[g];
    }
    nb::object places = zeros<std::int64_t>(M);
    auto* place = Buffer(places, "places", 1, true).contiguous<std::int64_t>();
    bool inside = true;
    {
        Released _;
        for (Index m = 0; m < M; ++m, cell += G) {
            bool complete = true;
            for (Index g = 0; g < G && inside; ++g) {
                inside = cell[g] >= 0 && cell[g] < start[g + 1] - start[g];
                const std::int64_t v = inside ? value[start[g] + cell[g]] : -1;
                inside = inside && v < size[g];
                complete = complete && v >= 0;
                place[m] = place[m] * size[g] + v;
            }
            if (!complete) place[m] = product;
        }
    }
    if (!inside) throw nb::index_error("a cell or its value is beyond those of its member");
    return places;
}

// Columns of a table added into a new one at their places.
template <class T>
static nb::object move_columns(const Buffer& table, const std::int64_t* index, Index size) {
    const T* from = table.contiguous<T>();
    const Index rows = table.rows(), n = table.columns();
    nb::object moved = zeros<T>(rows, size);
    T* to = Buffer(moved, "moved", 2, true).contiguous<T>();
    Released _;
    for (Index r = 0; r < rows; ++r, from += n, to += size)
        for (Index i = 0; i < n; ++i) to[index[i]] += from[i];
    return moved;
}

static nb::object py_move_columns(nb::handle table, nb::handle index, Index size) {
    const Buffer cells(table, "table", 2), places(index, "index", 1);
    places.expect(cells.columns(), 1);
    const auto* at = places.contiguous<const std::int64_t>();
    for (Index i = 0; i < places.rows(); ++i)
        if (at[i] < 0 || at[i] >= size) throw nb::index_error("an entry has no place among those it is moved to");
    return cells.matrix().type == Type::i64 ? move_columns<std::int64_t>(cells, at, size)
                                            : move_columns<double>(cells, at, size);
}

void bind_counting(nb::module_& m) {
    using namespace nb::literals;
    m.def("level_counts", &py_level_counts, "codes"_a, "offsets"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("bin_counts", &py_bin_counts, "x"_a, "cuts"_a, "offsets"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("bin_codes", &py_bin_codes, "x"_a, "cuts"_a, "offsets"_a);
    m.def("joint_counts", &py_joint_counts, "codes"_a, "sizes"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(),
          "placed"_a = true);
    m.def("joint_places", &py_joint_places, "cells"_a, "values"_a, "offsets"_a, "sizes"_a);
    m.def("moments", &py_moments, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(), "log"_a = false);
    m.def("move_columns", &py_move_columns, "table"_a, "index"_a, "size"_a);
    m.def("dense_sums", &py_dense_sums, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
}

}  // namespace candide
