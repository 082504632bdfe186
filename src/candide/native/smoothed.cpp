// Columns in cells of equal mass, spread by rank, and how well they tell the class.
#include "smoothed.hpp"

#include <deque>
#include <numeric>
#include <optional>

#include "bindings.hpp"

namespace candide {

// The cells of D columns as one call has them: counts (K, M) flat over columns, shares (M,).
struct CellsArguments {
    Buffer table, starts, of_cells;
    Index classes, columns;
    const std::int64_t* at;

    CellsArguments(nb::handle counts, nb::handle offsets, nb::handle shares)
        : table(counts, "counts", 2), starts(offsets, "offsets", 1), of_cells(shares, "shares", 1),
          classes(table.rows()), columns(starts.rows() - 1) {
        if (columns < 0) throw std::invalid_argument("offsets must have an entry");
        at = checked_offsets(starts, columns, table.columns());
        of_cells.expect(table.columns(), 1);
        (void)table.doubles(), (void)of_cells.doubles();
    }

    SmoothColumn column(Index j) const {
        return {at[j + 1] - at[j], classes, of_cells.doubles() + at[j], table.doubles() + at[j], table.columns()};
    }

    template <class Body>
    void each(Index work, Body&& body) const {
        const Index per_column = work * (table.columns() / std::max<Index>(columns, 1) + 1);
        parallel_rows(divide(columns, per_column), columns, [&](Index, Index from, Index to) {
            for (Index j = from; j < to; ++j)
                if (at[j + 1] > at[j]) body(j, column(j));
        });
    }
};

static nb::tuple py_smooth(nb::handle counts, nb::handle offsets, nb::handle shares, nb::handle widths) {
    const CellsArguments cells(counts, offsets, shares);
    const Buffer h(widths, "widths", 1);
    h.expect(cells.columns, 1);
    const double* width = h.doubles();
    const Index M = cells.table.columns();
    nb::object smoothed = zeros<double>(cells.classes, M), variance = zeros<double>(cells.classes, M),
               stays = zeros<double>(M);
    double *s = Buffer(smoothed, "smoothed", 2, true).doubles(), *v = Buffer(variance, "variance", 2, true).doubles(),
           *d = Buffer(stays, "stays", 1, true).doubles();
    {
        Released _;
        cells.each(64, [&](Index j, const SmoothColumn& column) {
            Spread spread(column);
            spread.widen(width[j]);
            for (Index c = 0; c < cells.classes; ++c)
                std::copy_n(spread.counts() + c * column.step, column.cells, s + c * M + cells.at[j]);
            std::copy_n(spread.stays(), column.cells, d + cells.at[j]);
            spread.variances(v + cells.at[j], M);
        });
    }
    return nb::make_tuple(smoothed, stays, variance);
}

static nb::tuple py_smooth_scores(nb::handle counts, nb::handle offsets, nb::handle shares, nb::handle class_counts,
                                  nb::handle widest, Index halvings, nb::handle strengths) {
    const CellsArguments cells(counts, offsets, shares);
    const Buffer n(class_counts, "class_counts", 1), h(widest, "widest", 1), a(strengths, "strengths", 1);
    n.expect(cells.classes, 1);
    h.expect(cells.columns, 1);
    if (halvings < 0) throw std::invalid_argument("halvings must not be negative");
    const double *of_class = n.doubles(), *width = h.doubles(), *strength = a.doubles();
    const Index A = a.rows(), W = halvings + 2;
    nb::object scores = zeros<double>(cells.columns, W * A), nothing = zeros<double>(cells.columns);
    double *into = Buffer(scores, "scores", 2, true).doubles(), *silent = Buffer(nothing, "nothing", 1, true).doubles();
    {
        Released _;
        cells.each(256 * W, [&](Index j, const SmoothColumn& column) {
            Spread spread(column);
            LeftOutScore score(column, of_class);
            silent[j] = score.nothing();
            double* at = into + j * W * A;
            for (Index w = 0; w < W; ++w) {
                if (w == 0) spread.copy();
                else if (w == 1) spread.widen(width[j]);
                else spread.halve();
                for (Index i = 0; i < A; ++i) *at++ = score(spread, strength[i]);
            }
        });
    }
    return nb::make_tuple(scores, nothing);
}

// A column's values, and its counts as they are kept (K, V).
struct CountedColumn {
    const Buffer values, table;
    const double* x;
    Index classes, n;

    CountedColumn(nb::handle pair, Index n_classes)
        : values(nb::object(pair[0]), "values", 1), table(nb::object(pair[1]), "counts", 2), x(values.doubles()), classes(n_classes),
          n(values.rows()) {
        if (table.rows() != n_classes) throw std::invalid_argument("counts must have a row for each class");
        table.expect(classes, n);
    }

    // visit(class, counts as doubles) of every class in turn: all of them at once would be a large table.
    template <class Visit>
    void each_class(Visit&& visit) const {
        std::vector<double> counts(static_cast<std::size_t>(n));
        for (Index c = 0; c < classes; ++c) {
            loops().read_doubles(table.matrix(), c, 1, counts.data(), n);
            visit(c, counts.data());
        }
    }
};

struct CountedColumns {
    std::deque<CountedColumn> columns;  // which do not move
    Index cells = 0;

    CountedColumns(nb::sequence pairs, Index n_classes) {
        const auto D = static_cast<Index>(nb::len(pairs));
        for (Index j = 0; j < D; ++j) {
            columns.emplace_back(pairs[j], n_classes);
            cells += columns.back().n * n_classes;
        }
    }

    Index size() const { return static_cast<Index>(columns.size()); }

    // body(j, column) for every column; one cell is some nanoseconds of work.
    template <class Body>
    void each(Body&& body) const {
        const Index D = size();
        parallel_rows({divide(D, 4 * (cells / std::max<Index>(D, 1))).threads, std::max<Index>(D, 1)}, D,
                      [&](Index, Index from, Index to) {
                          for (Index j = from; j < to; ++j) body(j, columns[j]);
                      });
    }
};

// One column in cells: its cuts, and by cell the counts (cells, K) and the means of its numbers.
struct CutColumn {
    std::vector<double> cuts, counts, means;
    double low = std::numeric_limits<double>::quiet_NaN(), high = low;

    // Between the cuts given, or in at most so many cells of equal mass.
    CutColumn(const CountedColumn& column, const std::optional<std::vector<double>>& given, Index most) {
        const Index n = column.n, K = column.classes;
        std::vector<double> weights(static_cast<std::size_t>(n));
        column.each_class([&](Index, const double* row) {
            for (Index v = 0; v < n; ++v) weights[v] += row[v];
        });
        if (given) cuts = *given;
        else equal_mass(column.x, weights, most);
        const std::size_t cells = cuts.size() + 1;
        counts.resize(cells * static_cast<std::size_t>(K)), means.resize(cells);
        std::vector<Index> begins{0};
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const Index begin = begins.back();
            begins.push_back(cell == cuts.size() ? n : std::upper_bound(column.x + begin, column.x + n, cuts[cell]) - column.x);
            means[cell] = mean(column.x, weights.data(), begin, begins.back());
        }
        column.each_class([&](Index c, const double* row) {
            for (std::size_t cell = 0; cell < cells; ++cell)
                counts[cell * K + c] = std::accumulate(row + begins[cell], row + begins[cell + 1], 0.0);
        });
    }

  private:
    void equal_mass(const double* x, const std::vector<double>& weights, Index most) {
        for (const Index end : equal_mass_ends(weights.data(), static_cast<Index>(weights.size()), most)) {
            Index next = end + 1;
            while (weights[next] == 0) ++next;  // ends: the last cell is left out, and holds some weight
            cuts.push_back(short_between(x[end], x[next]));
        }
    }

    // The mean of some numbers, measured from the first of them; 0 where there is none.
    double mean(const double* x, const double* weights, Index begin, Index end) {
        while (begin < end && weights[begin] == 0) ++begin;  // ends: at the other
        while (end > begin && weights[end - 1] == 0) --end;  // ends: at the other
        if (begin == end) return 0;
        if (!(low <= x[begin])) low = x[begin];
        high = x[end - 1];
        double mass = 0, away = 0;
        for (Index v = begin; v < end; ++v) mass += weights[v], away += weights[v] * (x[v] - x[begin]);
        return x[begin] + away / mass;
    }
};

static nb::tuple py_partition(nb::sequence columns, Index n_classes, Index most, nb::handle given) {
    if (most < 1) throw std::invalid_argument("most must be at least 1");
    const CountedColumns counted(columns, n_classes);
    const Index D = counted.size();
    std::vector<std::optional<std::vector<double>>> chosen(static_cast<std::size_t>(D));
    for (Index j = 0; j < D && !given.is_none(); ++j) {
        const nb::object cuts = given[j];
        if (cuts.is_none()) continue;
        const Buffer array(cuts, "cuts", 1);
        chosen[j].emplace(array.doubles(), array.doubles() + array.rows());
    }
    std::vector<std::optional<CutColumn>> cut(static_cast<std::size_t>(D));
    {
        Released _;
        counted.each([&](Index j, const CountedColumn& column) { cut[j].emplace(column, chosen[j], most); });
    }
    std::vector<double> cuts, means, ends;
    std::vector<std::int64_t> offsets{0};
    for (const auto& column : cut) {
        cuts.insert(cuts.end(), column->cuts.begin(), column->cuts.end());
        means.insert(means.end(), column->means.begin(), column->means.end());
        ends.insert(ends.end(), {column->low, column->high});
        offsets.push_back(static_cast<std::int64_t>(cuts.size()));
    }
    const Index M = offsets.back() + D;
    nb::object counts = zeros<double>(n_classes, M);
    double* into = Buffer(counts, "counts", 2, true).doubles();
    for (const auto& column : cut) {
        const auto size = static_cast<Index>(column->means.size());
        for (Index k = 0; k < size; ++k)
            for (Index c = 0; c < n_classes; ++c) into[c * M + k] = column->counts[k * n_classes + c];
        into += size;
    }
    return nb::make_tuple(to_array(cuts), to_array(offsets), counts, to_array(means), to_array(ends));
}

// Σ term(v) from `begin` on, in four sums that do not wait for each other.
template <class Term>
double sum_of(Index begin, Index end, Term&& term) {
    double sums[4] = {};
    Index v = begin;
    for (; v + 4 <= end; v += 4)
        for (Index i = 0; i < 4; ++i) sums[i] += term(v + i);
    for (; v < end; ++v) sums[0] += term(v);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The weight, mean and sum of squares of a class's numbers, measured from the first value of some weight: so one value
// repeated is its own mean to the last digit.
static void moments_of(const double* x, const double* w, Index V, double* n, double* mean, double* m2) {
    Index first = 0;
    while (first < V && w[first] == 0) ++first;  // ends: with the values
    if (first == V) return;
    const double start = x[first];
    *n = sum_of(first, V, [&](Index v) { return w[v]; });
    const double middle = start + sum_of(first, V, [&](Index v) { return w[v] * (x[v] - start); }) / *n;
    *mean = middle;
    *m2 = sum_of(first, V, [&](Index v) {
        const double square = w[v] * ((x[v] - middle) * (x[v] - middle));
        return w[v] == 0 ? 0.0 : square;  // a square may overflow where there is no weight
    });
}

static nb::tuple py_value_moments(nb::sequence columns, Index n_classes) {
    const CountedColumns counted(columns, n_classes);
    const Index D = counted.size();
    nb::object n = zeros<double>(n_classes, D), mean = zeros<double>(n_classes, D), m2 = zeros<double>(n_classes, D);
    double *weight = Buffer(n, "n", 2, true).doubles(), *means = Buffer(mean, "mean", 2, true).doubles(),
           *squares = Buffer(m2, "m2", 2, true).doubles();
    {
        Released _;
        counted.each([&](Index j, const CountedColumn& column) {
            column.each_class([&](Index c, const double* row) {
                const Index at = c * D + j;
                moments_of(column.x, row, column.n, weight + at, means + at, squares + at);
            });
        });
    }
    return nb::make_tuple(n, mean, m2);
}

void bind_smoothed(nb::module_& m) {
    using namespace nb::literals;
    m.def("partition", &py_partition, "columns"_a, "n_classes"_a, "most"_a, "cuts"_a = nb::none());
    m.def("value_moments", &py_value_moments, "columns"_a, "n_classes"_a);
    m.def("smooth", &py_smooth, "counts"_a, "offsets"_a, "shares"_a, "widths"_a);
    m.def("smooth_scores", &py_smooth_scores, "counts"_a, "offsets"_a, "shares"_a, "class_counts"_a, "widest"_a,
          "halvings"_a, "strengths"_a);
}

}  // namespace candide
