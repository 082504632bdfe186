// Rows of a table counted and summed per class.
#include "bindings.hpp"
#include "counts.hpp"
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

void bind_counting(nb::module_& m) {
    using namespace nb::literals;
    m.def("level_counts", &py_level_counts, "codes"_a, "offsets"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("bin_counts", &py_bin_counts, "x"_a, "cuts"_a, "offsets"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("bin_codes", &py_bin_codes, "x"_a, "cuts"_a, "offsets"_a);
    m.def("moments", &py_moments, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(), "log"_a = false);
    m.def("dense_sums", &py_dense_sums, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
}

}  // namespace candide
