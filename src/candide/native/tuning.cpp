// How well weighted tables tell the class of rows that are left out of them.
#include "weights.hpp"

#include <optional>

#include "bindings.hpp"
#include "pairs.hpp"
#include "temperature.hpp"

namespace candide {

static nb::tuple py_tuning_loss(nb::handle codes, nb::handle offsets, nb::handle others, nb::handle own,
                                nb::handle starts, nb::handle w, nb::handle base, nb::handle residual, bool curved) {
    const Buffer cells(codes, "codes", 2), at(offsets, "offsets", 1), table(others, "others", 2), mine(own, "own", 2),
        of_class(starts, "starts", 1), weight(w, "w", 1);
    const Index n = cells.rows(), k = table.columns(), entries = table.rows();
    mine.expect(entries, k);
    weight.expect(n, 1);
    std::optional<Buffer> added, left;
    if (!base.is_none()) added.emplace(base, "base", 2), added->expect(n, k);
    if (!residual.is_none()) left.emplace(residual, "residual", 2, true), left->expect(n, k);
    const TuningRows rows{cells.integers(),
                          checked_offsets(at, cells.columns(), entries),
                          checked_offsets(of_class, k, n),
                          weight.doubles(),
                          added ? added->doubles() : nullptr,
                          k,
                          cells.columns()};
    const TuningTables tables{table.doubles(), mine.doubles()};
    TuningBlocks<double> blocks(rows);
    const TuningSums* found = nullptr;
    {
        Released _;
        found = &blocks.sum(rows, tables, curved, left ? left->doubles() : nullptr);
    }
    const auto as_table = [&](const std::vector<double>& from) {
        nb::object out = zeros<double>(entries, k);
        std::copy(from.begin(), from.end(), Buffer(out, "sums", 2, true).doubles());
        return out;
    };
    return nb::make_tuple(found->loss, as_table(found->others), as_table(found->own),
                          curved ? as_table(found->curvature) : nb::none());
}

// The rows and entries of a call, held together.
struct WeightArguments {
    Buffer cells, at, table, mine, places, lines, frees, of_class, weight;
    std::optional<Buffer> said;
    TuningRows rows;
    WeightLayout layout;

    WeightArguments(const nb::tuple& of_rows, const nb::tuple& of_entries, bool shifting)
        : cells(of_rows[0], "codes", 2), at(of_entries[0], "offsets", 1), table(of_entries[1], "others", 2),
          mine(of_entries[2], "own", 2), places(of_entries[3], "z", 1), lines(of_entries[4], "line", 1),
          frees(of_entries[5], "free", 1), of_class(of_rows[1], "starts", 1), weight(of_rows[2], "w", 1) {
        const Index n = cells.rows(), k = table.columns(), entries = table.rows();
        mine.expect(entries, k), places.expect(entries, 1), lines.expect(entries, 1), frees.expect(entries, 1);
        weight.expect(n, 1);
        const Index weighed = nb::cast<Index>(of_entries[6]);
        if (cells.columns() < 1 || weighed < 0 || weighed >= cells.columns())
            throw std::invalid_argument("the first attribute is the prior, and others follow it");
        rows = {cells.integers(), checked_offsets(at, cells.columns(), entries), checked_offsets(of_class, k, n),
                weight.doubles(), nullptr, k, weighed + 1};
        if (rows.offsets[1] != 1) throw std::invalid_argument("the prior has one entry");
        const auto* line = lines.contiguous<const std::int64_t>();
        const auto* free = frees.contiguous<const std::int64_t>();
        const Index n_lines = entries ? *std::max_element(line, line + entries) + 1 : 0,
                    n_free = entries ? *std::max_element(free, free + entries) + 1 : 0;
        Index loose = 0;
        if (nb::handle dense = of_rows[3]; !dense.is_none()) {
            said.emplace(dense, "dense", 2);
            if (k == 0 || said->columns() % k != 0) throw std::invalid_argument("dense must have a column for each class");
            said->expect(n, said->columns());
            loose = said->columns() / k;
        }
        layout = {table.doubles(), mine.doubles(), places.doubles(), line, free, entries, n_lines, n_free, weighed,
                  loose, shifting, said ? said->doubles() : nullptr};
    }
};

static nb::tuple py_weight_loss(const nb::tuple& rows, const nb::tuple& entries, bool shifting, nb::handle p) {
    const WeightArguments given(rows, entries, shifting);
    WeightProblem<double> problem(given.rows, given.layout);
    const Buffer from(p, "p", 1);
    from.expect(problem.parameters(), 1);
    const Vector at(from.doubles(), from.doubles() + from.rows());
    Vector gradient(at.size());
    double value = 0;
    {
        Released _;
        value = problem.loss(at, gradient);
    }
    return nb::make_tuple(value, to_array(gradient));
}

template <class Real>
static nb::object fit_weights_of(const WeightArguments& given, nb::handle centre, nb::handle penalty, nb::handle begin,
                                 const DescentLimits& limits) {
    WeightProblem<Real> problem(given.rows, given.layout);
    const Buffer middle(centre, "centre", 1), price(penalty, "penalty", 1), from(begin, "begin", 1);
    for (const Buffer* buffer : {&middle, &price, &from}) buffer->expect(problem.parameters(), 1);
    Vector p(from.doubles(), from.doubles() + from.rows());
    const double *toward = middle.doubles(), *strength = price.doubles();
    {
        Released _;
        fit_weights(problem, toward, strength, p, limits);
    }
    return to_array(p);
}

static nb::object py_fit_weights(const nb::tuple& rows, const nb::tuple& entries, bool shifting, nb::handle centre,
                                 nb::handle penalty, nb::handle begin, int steps, double tolerance, int threads,
                                 bool single) {
    if (threads < 1) throw std::invalid_argument("threads must be at least 1: the calling thread works, too");
    WeightArguments given(rows, entries, shifting);
    given.rows.threads = threads;
    const auto fit = single ? fit_weights_of<float> : fit_weights_of<double>;
    return fit(given, centre, penalty, begin, {steps, tolerance});
}

static nb::tuple py_pair_gains(nb::handle codes, nb::handle sizes, nb::handle residual, nb::handle curvature,
                               double ridge) {
    const Buffer cells(codes, "codes", 2), of_columns(sizes, "sizes", 1), left(residual, "residual", 2),
        curve(curvature, "curvature", 2);
    const Index n = cells.rows(), d = cells.columns(), k = left.columns();
    of_columns.expect(d, 1), left.expect(n, k), curve.expect(n, k);
    if (!(ridge > 0)) throw std::invalid_argument("ridge must be positive");
    const PairRows rows{cells.contiguous<const std::uint8_t>(), n, d, k, of_columns.contiguous<const std::int64_t>(),
                        left.doubles(), curve.doubles()};
    for (Index r = 0; r < n; ++r)
        for (Index j = 0; j < d; ++j)
            if (rows.codes[r * d + j] >= rows.sizes[j])
                throw std::invalid_argument("code beyond the column's cells in row " + std::to_string(r) + ", column " +
                                            std::to_string(j));
    nb::object gain = zeros<double>(d * (d - 1) / 2), score = zeros<double>(d * (d - 1) / 2);
    double *g = Buffer(gain, "gain", 1, true).doubles(), *z = Buffer(score, "score", 1, true).doubles();
    {
        Released _;
        pair_gains(rows, ridge, g, z);
    }
    return nb::make_tuple(gain, score);
}

// The pairs of a call, held together.
struct PairArguments {
    Buffer codes, sizes, pairs;
    PairCells given;

    PairArguments(nb::handle of_rows, nb::handle of_columns, nb::handle columns)
        : codes(of_rows, "codes", 2), sizes(of_columns, "sizes", 1), pairs(columns, "pairs", 2),
          given{codes.contiguous<const std::uint8_t>(), codes.rows(), codes.columns(),
                sizes.contiguous<const std::int64_t>(), pairs.contiguous<const std::int64_t>(), pairs.rows()} {
        sizes.expect(given.columns, 1), pairs.expect(given.n_pairs, 2);
        for (Index j = 0; j < given.columns; ++j)
            if (given.sizes[j] < 0 || given.sizes[j] > 256) throw std::invalid_argument("sizes must be those of bytes");
        for (Index i = 0; i < 2 * given.n_pairs; ++i)
            if (given.pairs[i] < 0 || given.pairs[i] >= given.columns)
                throw std::invalid_argument("pairs must be of columns that there are");
    }
};

static void expect_codes(bool good) {
    if (!good) throw std::invalid_argument("a code beyond the column's cells, or a row beyond the last");
}

static nb::object py_mark_pairs(nb::handle codes, nb::handle sizes, nb::handle pairs) {
    const PairArguments arguments(codes, sizes, pairs);
    nb::object out = zeros<std::uint8_t>(arguments.given.begins().back());
    auto* marks = Buffer(out, "marks", 1, true).contiguous<std::uint8_t>();
    bool good = true;
    {
        Released _;
        good = mark_pairs(arguments.given, marks);
    }
    expect_codes(good);
    return out;
}

static void py_join_pairs(nb::handle codes, nb::handle sizes, nb::handle pairs, nb::handle places, nb::handle rows,
                          nb::handle out) {
    const PairArguments arguments(codes, sizes, pairs);
    const PairCells& given = arguments.given;
    const Buffer of_cells(places, "places", 1), into(out, "out", 2, true);
    of_cells.expect(given.begins().back(), 1);
    std::optional<Buffer> some;
    if (!rows.is_none()) some.emplace(rows, "rows", 1);
    const Index n = some ? some->rows() : given.rows;
    into.expect(n, given.n_pairs);
    const auto* chosen = some ? some->contiguous<const std::int64_t>() : nullptr;
    const auto* place = of_cells.contiguous<const std::uint8_t>();
    const Matrix m = into.integers();
    const Index width = m.type == Type::u8 ? 1 : m.type == Type::u16 ? 2 : m.type == Type::i32 ? 4 : 0;
    if (!width || (m.column_step != width && given.n_pairs > 1))
        throw nb::type_error("out must hold uint8, uint16 or int32, side by side");
    bool good = true;
    {
        Released _;
        const auto join = width == 1   ? join_pairs<std::uint8_t>
                          : width == 2 ? join_pairs<std::uint16_t>
                                       : join_pairs<std::int32_t>;
        good = join(given, chosen, n, place, const_cast<char*>(m.data), m.row_step);
    }
    expect_codes(good);
}

static nb::object py_fit_temperature(nb::handle prior, nb::handle said, nb::handle starts, nb::handle w, int steps,
                                     double tolerance) {
    const Buffer of_classes(prior, "prior", 2), of_rows(said, "said", 2), at(starts, "starts", 1), weight(w, "w", 1);
    const Index n = of_rows.rows(), k = of_rows.columns();
    of_classes.expect(k, k), weight.expect(n, 1);
    const TemperatureRows rows{of_classes.doubles(), of_rows.doubles(), weight.doubles(), checked_offsets(at, k, n), k};
    Vector found;
    {
        Released _;
        found = fit_temperature(rows, {steps, tolerance});
    }
    return to_array(found);
}

void bind_tuning(nb::module_& m) {
    using namespace nb::literals;
    m.def("tuning_loss", &py_tuning_loss, "codes"_a, "offsets"_a, "others"_a, "own"_a, "starts"_a, "w"_a,
          "base"_a = nb::none(), "residual"_a = nb::none(), "curved"_a = false);
    m.def("weight_loss", &py_weight_loss, "rows"_a, "entries"_a, "shifting"_a, "p"_a);
    m.def("fit_weights", &py_fit_weights, "rows"_a, "entries"_a, "shifting"_a, "centre"_a, "penalty"_a, "begin"_a,
          "steps"_a, "tolerance"_a, "threads"_a = std::numeric_limits<int>::max(), "single"_a = false);
    m.def("fit_temperature", &py_fit_temperature, "prior"_a, "said"_a, "starts"_a, "w"_a, "steps"_a, "tolerance"_a);
    m.def("pair_gains", &py_pair_gains, "codes"_a, "sizes"_a, "residual"_a, "curvature"_a, "ridge"_a);
    m.def("mark_pairs", &py_mark_pairs, "codes"_a, "sizes"_a, "pairs"_a);
    m.def("join_pairs", &py_join_pairs, "codes"_a, "sizes"_a, "pairs"_a, "places"_a, "rows"_a.none(), "out"_a);
}

}  // namespace candide
