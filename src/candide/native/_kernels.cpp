// The one binding file: arguments checked, the interpreter released, a pure loop called.
#include "buffers.hpp"
#include "counts.hpp"
#include "labels.hpp"
#include "left_out.hpp"
#include "sparse.hpp"

namespace candide {

namespace baseline {
extern const Loops table;
}
#ifdef CANDIDE_AVX2
namespace avx2 {
extern const Loops table;
}
const Loops& loops() {
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return wide ? avx2::table : baseline::table;
}
#else
const Loops& loops() { return baseline::table; }
#endif

using Released = nb::gil_scoped_release;

// counts (K, levels) and missing (K, D), integers or weights; fill(counts, missing) is called with either.
template <class Fill>
nb::tuple count_tables(const Rows& rows, Index levels, Index columns, Fill fill) {
    const char* type = rows.w ? "float64" : "int64";
    nb::object counts = zeros(rows.n_classes, levels, type), missing = zeros(rows.n_classes, columns, type);
    const Buffer c(counts, "counts", 2, true), m(missing, "missing", 2, true);
    if (rows.w) {
        double *into = c.doubles(), *absent = m.doubles();
        Released _;
        fill(into, absent);
    } else {
        auto *into = c.contiguous<std::int64_t>(Type::i64), *absent = m.contiguous<std::int64_t>(Type::i64);
        Released _;
        fill(into, absent);
    }
    return nb::make_tuple(counts, missing);
}

static nb::tuple py_level_counts(nb::handle codes, nb::handle offsets, nb::handle y, Index n_classes, nb::handle w) {
    const Buffer cells(codes, "codes", 2), starts(offsets, "offsets", 1);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.integers();
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
    nb::object codes = zeros(matrix.rows, matrix.columns, "int32");
    const Buffer result(codes, "codes", 2, true);
    auto* into = result.contiguous<std::int32_t>(Type::i32);
    Released _;
    bin_codes(matrix, cut, at, into);
    return codes;
}

static nb::object py_moments(nb::handle x, nb::handle y, Index n_classes, nb::handle w, bool log) {
    const Buffer cells(x, "x", 2);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.matrix();
    Moments plain(n_classes, matrix.columns);
    std::optional<Moments> logs;
    if (log) logs.emplace(n_classes, matrix.columns);
    {
        Released _;
        moments(matrix, arguments.rows, plain, logs ? &*logs : nullptr);
    }
    const auto table = [&](const std::vector<double>& values) {
        return to_table<double>(values, n_classes, matrix.columns, plain.step, Type::f64, "float64");
    };
    nb::object n = table(plain.total), mean = table(plain.mean), m2 = table(plain.m2);
    if (!arguments.rows.w)
        n = to_table<std::int64_t>(plain.total, n_classes, matrix.columns, plain.step, Type::i64, "int64");
    if (!logs) return nb::make_tuple(n, mean, m2);
    return nb::make_tuple(n, mean, m2, table(logs->mean), table(logs->m2));
}

static nb::object py_dense_sums(nb::handle x, nb::handle y, Index n_classes, nb::handle w) {
    const Buffer cells(x, "x", 2);
    const RowArguments arguments(y, cells.rows(), n_classes, w);
    const Matrix matrix = cells.matrix();
    nb::object sums = zeros(n_classes, matrix.columns, "float64");
    const Buffer result(sums, "sums", 2, true);
    double* into = result.doubles();
    Released _;
    dense_sums(matrix, arguments.rows, into);
    return sums;
}

static void py_add_gather(nb::handle codes, nb::handle offsets, nb::handle table, nb::handle out) {
    const Buffer cells(codes, "codes", 2), starts(offsets, "offsets", 1), rows(table, "table", 2),
        scores(out, "out", 2, true);
    const Matrix matrix = cells.integers();
    const std::int64_t* at = checked_offsets(starts, matrix.columns, rows.rows());
    scores.expect(matrix.rows, rows.columns());
    const double* from = rows.doubles();
    double* into = scores.doubles();
    Released _;
    add_gather(matrix, at, from, rows.columns(), into);
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

static void py_add_normal(nb::handle x, nb::handle mean, nb::handle var, nb::handle out) {
    const Buffer cells(x, "x", 2), means(mean, "mean", 2), variances(var, "var", 2), scores(out, "out", 2, true);
    const Matrix matrix = cells.matrix();
    const Index n_classes = means.rows();
    means.expect(n_classes, matrix.columns);
    variances.expect(n_classes, matrix.columns);
    scores.expect(matrix.rows, n_classes);
    const double *mu = means.doubles(), *v = variances.doubles();
    double* into = scores.doubles();
    Released _;
    add_normal(matrix, mu, v, n_classes, into);
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

static nb::object py_log_normalize(nb::handle scores) {
    const Buffer rows(scores, "scores", 2, true);
    double* at = rows.doubles();
    const Index n = rows.rows(), n_classes = rows.columns();
    if (n_classes == 0) throw std::invalid_argument("scores have no classes");
    Index impossible;
    {
        Released _;
        impossible = log_normalize(at, n, n_classes);
    }
    if (impossible == 0) return nb::none();
    nb::object flags = zeros(nb::make_tuple(n), "bool");
    bool* flag = Buffer(flags, "flags", 1, true).contiguous<bool>(Type::u8);
    constexpr double zero = -std::numeric_limits<double>::infinity();
    for (Index r = 0; r < n; ++r)
        flag[r] = std::all_of(at + r * n_classes, at + (r + 1) * n_classes, [](double s) { return s == zero; });
    return flags;
}

static nb::object py_argmax(nb::handle scores) {
    const Buffer rows(scores, "scores", 2);
    const double* at = rows.doubles();
    if (rows.columns() == 0) throw std::invalid_argument("scores have no classes");
    nb::object best = zeros(nb::make_tuple(rows.rows()), "int64");
    const Buffer result(best, "best", 1, true);
    auto* into = result.contiguous<std::int64_t>(Type::i64);
    Released _;
    argmax(at, rows.rows(), rows.columns(), into);
    return best;
}

// The three arrays of a CSR matrix, held together.
struct CsrArguments {
    Buffer data, indices, indptr;

    CsrArguments(nb::handle d, nb::handle i, nb::handle p) : data(d, "data", 1), indices(i, "indices", 1), indptr(p, "indptr", 1) {}
    Csr csr(Index columns) const {
        const Matrix starts = indptr.integers();
        if ((starts.type != Type::i32 && starts.type != Type::i64) || starts.rows == 0)
            throw std::invalid_argument("indptr must hold the rows' beginnings and the end, as int32 or int64");
        return {data.matrix(), indices.integers(), starts, starts.rows - 1, columns};
    }
};

template <class Value>
nb::object csr_table(const CsrArguments& arrays, nb::handle y, Index n_classes, Index n_columns, nb::handle w, Value value) {
    const Csr csr = arrays.csr(n_columns);
    const RowArguments arguments(y, csr.rows, n_classes, w);
    nb::object sums = zeros(n_classes, n_columns, "float64");
    const Buffer result(sums, "sums", 2, true);
    double* into = result.doubles();
    Released _;
    csr_sums(csr, arguments.rows, into, value);
    return sums;
}

static nb::object py_csr_sums(nb::handle data, nb::handle indices, nb::handle indptr, nb::handle y, Index n_classes,
                              Index n_columns, nb::handle w) {
    return csr_table({data, indices, indptr}, y, n_classes, n_columns, w, [](double v) { return v; });
}

static nb::object py_csr_nonzero(nb::handle data, nb::handle indices, nb::handle indptr, nb::handle y,
                                 Index n_classes, Index n_columns, nb::handle w) {
    return csr_table({data, indices, indptr}, y, n_classes, n_columns, w, [](double v) { return v != 0 ? 1.0 : 0.0; });
}

static void py_add_csr(nb::handle data, nb::handle indices, nb::handle indptr, nb::handle weights, nb::handle out) {
    const CsrArguments arrays(data, indices, indptr);
    const Buffer by_column(weights, "weights", 2), scores(out, "out", 2, true);
    const Csr csr = arrays.csr(by_column.rows());
    scores.expect(csr.rows, by_column.columns());
    const double* from = by_column.doubles();
    double* into = scores.doubles();
    Released _;
    add_csr(csr, from, by_column.columns(), into);
}

static nb::object py_distinct(nb::handle x, Index limit) {
    const Buffer column(x, "x", 1);
    const Matrix matrix = column.matrix();
    std::optional<std::vector<double>> values;
    {
        Released _;
        values = distinct(matrix, limit);
    }
    if (!values) return nb::none();
    return to_array(*values, Type::f64, "float64");
}

static nb::tuple py_label_codes(nb::handle y) {
    const Buffer labels(y, "y", 1);
    const Matrix matrix = labels.integers();
    nb::object codes = zeros(nb::make_tuple(matrix.rows), "int32");
    const Buffer result(codes, "codes", 1, true);
    auto* into = result.contiguous<std::int32_t>(Type::i32);
    std::vector<std::int64_t> values;
    {
        Released _;
        with_type(matrix.type, [&](auto value) {
            using T = decltype(value);
            if constexpr (std::is_integral_v<T>)
                values = label_codes(Labels<T>{matrix.data, matrix.rows, matrix.row_step}, into);
        });
    }
    return nb::make_tuple(codes, to_array(values, Type::i64, "int64"));
}

static nb::object first_cell(nb::handle x, const Allowed& allowed) {
    const Buffer cells(x, "x", 2);
    const Matrix matrix = cells.matrix();
    Fault fault;
    {
        Released _;
        fault = first_outside(matrix, allowed);
    }
    if (!fault) return nb::none();
    return nb::make_tuple(fault.row, fault.column);
}

static nb::object py_check_finite(nb::handle x) { return first_cell(x, finite); }

// x <= bound is x < the next number after it
static nb::object py_first_below(nb::handle x, double bound, bool strict) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return first_cell(x, {strict ? bound : std::nextafter(bound, infinity), infinity, Problem::not_positive});
}

}  // namespace candide

NB_MODULE(_kernels, m) {
    using namespace candide;
    using namespace nb::literals;
    m.doc() = "The compiled kernels; reference.py says what they compute.";
    m.def("level_counts", &py_level_counts, "codes"_a, "offsets"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("moments", &py_moments, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(), "log"_a = false);
    m.def("dense_sums", &py_dense_sums, "x"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("bin_codes", &py_bin_codes, "x"_a, "cuts"_a, "offsets"_a);
    m.def("bin_counts", &py_bin_counts, "x"_a, "cuts"_a, "offsets"_a, "y"_a, "n_classes"_a, "w"_a = nb::none());
    m.def("add_gather", &py_add_gather, "codes"_a, "offsets"_a, "table"_a, "out"_a);
    m.def("add_bin_gather", &py_add_bin_gather, "x"_a, "cuts"_a, "cut_offsets"_a, "table"_a, "out"_a);
    m.def("add_normal", &py_add_normal, "x"_a, "mean"_a, "var"_a, "out"_a);
    m.def("add_gather_left_out", &py_add_gather_left_out, "codes"_a, "offsets"_a, "table"_a, "own"_a, "y"_a, "out"_a);
    m.def("add_normal_left_out", &py_add_normal_left_out, "x"_a, "n"_a, "mean"_a, "m2"_a, "y"_a, "w"_a.none(), "floor"_a,
          "constant"_a, "out"_a);
    m.def("log_normalize", &py_log_normalize, "scores"_a);
    m.def("argmax", &py_argmax, "scores"_a);
    m.def("csr_sums", &py_csr_sums, "data"_a, "indices"_a, "indptr"_a, "y"_a, "n_classes"_a, "n_columns"_a,
          "w"_a = nb::none());
    m.def("csr_nonzero", &py_csr_nonzero, "data"_a, "indices"_a, "indptr"_a, "y"_a, "n_classes"_a, "n_columns"_a,
          "w"_a = nb::none());
    m.def("add_csr", &py_add_csr, "data"_a, "indices"_a, "indptr"_a, "weights"_a, "out"_a);
    m.def("distinct", &py_distinct, "x"_a, "limit"_a);
    m.def("label_codes", &py_label_codes, "y"_a);
    m.def("check_finite", &py_check_finite, "x"_a);
    m.def("set_threads", &set_threads, "n"_a);
    m.def("first_below", &py_first_below, "x"_a, "bound"_a, "strict"_a);
}
