// Log-likelihoods added to scores, and their finish.
#include "bindings.hpp"
#include "left_out.hpp"
#include "softened.hpp"

namespace candide {

static void py_add_gather(nb::handle codes, nb::handle offsets, nb::handle table, nb::handle out, nb::handle start) {
    const TableArgument cells(codes, "codes");
    const Buffer starts(offsets, "offsets", 1), rows(table, "table", 2), scores(out, "out", 2, true);
    const Matrix matrix = cells.integers();
    const std::int64_t* at = checked_offsets(starts, matrix.columns, rows.rows());
    scores.expect(matrix.rows, rows.columns());
    const Optional beginning(start, "start", rows.columns());
    const double* from = rows.doubles();
    double* into = scores.doubles();
    const Beginning first{beginning.doubles()};
    Released _;
    add_gather(matrix, at, from, rows.columns(), into, first);
}

static void py_add_bin_gather(nb::handle x, nb::handle cuts, nb::handle cut_offsets, nb::handle table,
                              nb::handle out) {
    const Buffer cells(x, "x", 2), limits(cuts, "cuts", 1), starts(cut_offsets, "cut_offsets", 1),
        rows(table, "table", 2), scores(out, "out", 2, true);
    const Matrix matrix = cells.matrix();
    const std::int64_t* at = checked_offsets(starts, matrix.columns, limits.rows());
    rows.expect(limits.rows() + matrix.columns, rows.columns());
    scores.expect(matrix.rows, rows.columns());
    const double *cut = limits.doubles(), *from = rows.doubles();
    double* into = scores.doubles();
    Released _;
    add_bin_gather(matrix, cut, at, from, rows.columns(), into);
}

static void py_add_normal(nb::handle x, nb::handle mean, nb::handle var, nb::handle out, nb::handle start) {
    const Buffer cells(x, "x", 2), means(mean, "mean", 2), variances(var, "var", 2), scores(out, "out", 2, true);
    const Matrix matrix = cells.matrix();
    const Index n_classes = means.rows();
    means.expect(n_classes, matrix.columns);
    variances.expect(n_classes, matrix.columns);
    scores.expect(matrix.rows, n_classes);
    const Optional beginning(start, "start", n_classes);
    const double *mu = means.doubles(), *v = variances.doubles();
    double* into = scores.doubles();
    const Beginning first{beginning.doubles()};
    Released _;
    add_normal(matrix, mu, v, n_classes, into, first);
}

static void py_add_normal_at(nb::handle x, nb::handle groups, nb::handle mean, nb::handle var, nb::handle out) {
    const Buffer cells(x, "x", 1), places(groups, "groups", 1), means(mean, "mean", 2), variances(var, "var", 2),
        scores(out, "out", 2, true);
    const Matrix matrix = cells.matrix(), of_rows = places.integers();
    const Index n_classes = means.rows(), n_groups = means.columns();
    places.expect(matrix.rows, 1);
    variances.expect(n_classes, n_groups);
    scores.expect(matrix.rows, n_classes);
    const double *mu = means.doubles(), *v = variances.doubles();
    double* into = scores.doubles();
    Released _;
    add_normal_at(matrix, of_rows, mu, v, n_classes, n_groups, into);
}

static void py_add_gather_left_out(nb::handle codes, nb::handle offsets, nb::handle table, nb::handle own, nb::handle y,
                                   nb::handle out) {
    const Buffer cells(codes, "codes", 2), starts(offsets, "offsets", 1), rows(table, "table", 2),
        of_own(own, "own", 2), scores(out, "out", 2, true);
    const Matrix matrix = cells.integers();
    const RowArguments arguments(y, matrix.rows, rows.columns(), nb::none());
    const std::int64_t* at = checked_offsets(starts, matrix.columns, rows.rows());
    of_own.expect(rows.rows(), rows.columns());
    scores.expect(matrix.rows, rows.columns());
    const double *from = rows.doubles(), *from_own = of_own.doubles();
    double* into = scores.doubles();
    Released _;
    add_gather_left_out(matrix, at, from, from_own, arguments.rows, into);
}

static void py_add_normal_left_out(nb::handle x, nb::handle n, nb::handle mean, nb::handle m2, nb::handle y,
                                   nb::handle w, double floor, double constant, nb::handle out) {
    const Buffer cells(x, "x", 2), counts(n, "n", 2), means(mean, "mean", 2), squares(m2, "m2", 2),
        scores(out, "out", 2, true);
    const Matrix matrix = cells.matrix();
    const RowArguments arguments(y, matrix.rows, means.rows(), w);
    for (const Buffer* table : {&counts, &means, &squares}) table->expect(means.rows(), matrix.columns);
    scores.expect(matrix.rows, means.rows());
    const double *count = counts.doubles(), *mu = means.doubles(), *square = squares.doubles();
    double* into = scores.doubles();
    Released _;
    add_normal_left_out(matrix, count, mu, square, arguments.rows, floor, constant, into);
}

static nb::object py_log_normalize(nb::handle scores, double tie) {
    const Buffer rows(scores, "scores", 2, true);
    double* at = rows.doubles();
    const Index n = rows.rows(), n_classes = rows.columns();
    if (n_classes == 0) throw std::invalid_argument("scores have no classes");
    Index impossible;
    {
        Released _;
        impossible = log_normalize(at, n, n_classes, tie);
    }
    if (impossible == 0) return nb::none();
    nb::object flags = zeros<bool>(n);
    bool* flag = Buffer(flags, "flags", 1, true).contiguous<bool>();
    constexpr double zero = -std::numeric_limits<double>::infinity();
    for (Index r = 0; r < n; ++r)
        flag[r] = std::all_of(at + r * n_classes, at + (r + 1) * n_classes, [](double s) { return s == zero; });
    return flags;
}

static nb::object py_log_softened(nb::handle counts, nb::handle pseudo, nb::handle log_total) {
    const Buffer table(counts, "counts", 2), added(pseudo, "pseudo", 1), totals(log_total, "log_total", 2);
    const Index K = table.rows(), D = table.columns();
    const bool one_pseudo = added.rows() == 1, one_total = totals.rows() == 1;
    added.expect(one_pseudo ? 1 : D, 1);
    totals.expect(one_total ? 1 : D, K);
    const SoftenedTable softened{table.doubles(), K, D, added.doubles(), nullptr, totals.doubles(), one_total ? 0 : K};
    nb::object logs = unwritten_lines(D, K);
    double* into = Buffer(logs, "logs", 2, true).doubles();
    Released _;
    log_softened(softened, one_pseudo, into);
    return logs;
}

static nb::object py_argmax(nb::handle scores, double tie, std::int64_t lost) {
    const Buffer rows(scores, "scores", 2);
    const double* at = rows.doubles();
    if (rows.columns() == 0) throw std::invalid_argument("scores have no classes");
    nb::object best = zeros<std::int64_t>(rows.rows());
    const Buffer result(best, "best", 1, true);
    auto* into = result.contiguous<std::int64_t>();
    Released _;
    argmax(at, rows.rows(), rows.columns(), tie, lost, into);
    return best;
}

void bind_scoring(nb::module_& m) {
    using namespace nb::literals;
    m.def("add_gather", &py_add_gather, "codes"_a, "offsets"_a, "table"_a, "out"_a, "start"_a = nb::none());
    m.def("add_bin_gather", &py_add_bin_gather, "x"_a, "cuts"_a, "cut_offsets"_a, "table"_a, "out"_a);
    m.def("add_normal", &py_add_normal, "x"_a, "mean"_a, "var"_a, "out"_a, "start"_a = nb::none());
    m.def("add_normal_at", &py_add_normal_at, "x"_a, "groups"_a, "mean"_a, "var"_a, "out"_a);
    m.def("add_gather_left_out", &py_add_gather_left_out, "codes"_a, "offsets"_a, "table"_a, "own"_a, "y"_a, "out"_a);
    m.def("add_normal_left_out", &py_add_normal_left_out, "x"_a, "n"_a, "mean"_a, "m2"_a, "y"_a, "w"_a.none(),
          "floor"_a, "constant"_a, "out"_a);
    m.def("log_normalize", &py_log_normalize, "scores"_a, "tie"_a = 0.0);
    m.def("log_softened", &py_log_softened, "counts"_a, "pseudo"_a, "log_total"_a);
    m.def("argmax", &py_argmax, "scores"_a, "tie"_a = 0.0, "lost"_a = 0);
}

}  // namespace candide
