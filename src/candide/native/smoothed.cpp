// Columns in cells of equal mass, spread by rank, and how well they tell the class.
#include "smoothed.hpp"

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
        return {at[j + 1] - at[j], classes, table.columns(), of_cells.doubles() + at[j], table.doubles() + at[j]};
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
                std::copy_n(spread.counts().data() + c * column.cells, column.cells, s + c * M + cells.at[j]);
            std::copy_n(spread.stays().data(), column.cells, d + cells.at[j]);
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
        cells.each(64 * W, [&](Index j, const SmoothColumn& column) {
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

// A column's values, and its counts as doubles (K, V).
struct CountedColumn {
    const Buffer values, table;
    const double* x;
    std::vector<double> counts;
    Index classes, n;

    CountedColumn(nb::handle value_array, nb::handle count_array)
        : values(value_array, "values", 1), table(count_array, "counts", 2), x(values.doubles()),
          classes(table.rows()), n(values.rows()) {
        table.expect(classes, n);
        counts.resize(static_cast<std::size_t>(classes * n));
        loops().read_doubles(table.matrix(), 0, classes, counts.data(), n);
    }

    std::vector<double> weights() const {
        std::vector<double> sum(static_cast<std::size_t>(n));
        for (Index c = 0; c < classes; ++c)
            for (Index v = 0; v < n; ++v) sum[v] += counts[c * n + v];
        return sum;
    }
};

// Where the cells of a column end: the cuts of equal mass, or those given.
static std::vector<double> cuts_of(const CountedColumn& column, const std::vector<double>& weights, Index most) {
    std::vector<double> cuts;
    for (const Index end : equal_mass_ends(weights.data(), column.n, most)) {
        Index next = end + 1;
        while (weights[next] == 0) ++next;
        cuts.push_back(short_between(column.x[end], column.x[next]));
    }
    return cuts;
}

static nb::tuple py_partition(nb::sequence columns, Index n_classes, Index most, nb::handle given) {
    if (most < 1) throw std::invalid_argument("most must be at least 1");
    const auto D = static_cast<Index>(nb::len(columns));
    std::vector<double> cuts, means, ends;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::vector<double>> tables;  // (cells, K) of each column
    for (Index j = 0; j < D; ++j) {
        const nb::object pair = columns[j];
        const CountedColumn column(pair[0], pair[1]);
        if (column.classes != n_classes) throw std::invalid_argument("counts must have a row for each class");
        const std::vector<double> weights = column.weights();
        std::vector<double> own;
        const nb::object chosen = given.is_none() ? nb::none() : nb::object(given[j]);
        if (chosen.is_none()) {
            own = cuts_of(column, weights, most);
        } else {
            const Buffer array(chosen, "cuts", 1);
            own.assign(array.doubles(), array.doubles() + array.rows());
        }
        std::vector<double>& table = tables.emplace_back((own.size() + 1) * static_cast<std::size_t>(n_classes));
        std::vector<double> mass(own.size() + 1), first(mass), away(mass);
        double low = std::numeric_limits<double>::quiet_NaN(), high = low;
        std::size_t cell = 0;
        for (Index v = 0; v < column.n; ++v) {
            while (cell < own.size() && own[cell] < column.x[v]) ++cell;
            if (weights[v] == 0) continue;
            if (!(low <= column.x[v])) low = column.x[v];
            high = column.x[v];
            if (mass[cell] == 0) first[cell] = column.x[v];
            mass[cell] += weights[v], away[cell] += weights[v] * (column.x[v] - first[cell]);
            for (Index c = 0; c < n_classes; ++c) table[cell * n_classes + c] += column.counts[c * column.n + v];
        }
        cuts.insert(cuts.end(), own.begin(), own.end());
        for (cell = 0; cell < mass.size(); ++cell)
            means.push_back(mass[cell] > 0 ? first[cell] + away[cell] / mass[cell] : 0.0);
        ends.insert(ends.end(), {low, high});
        offsets.push_back(offsets.back() + static_cast<std::int64_t>(own.size()));
    }
    nb::object counts = zeros<double>(n_classes, offsets.back() + D);
    double* into = Buffer(counts, "counts", 2, true).doubles();
    const Index M = offsets.back() + D;
    Index at = 0;
    for (const auto& table : tables) {
        const auto size = static_cast<Index>(table.size()) / std::max<Index>(n_classes, 1);
        for (Index k = 0; k < size; ++k)
            for (Index c = 0; c < n_classes; ++c) into[c * M + at + k] = table[k * n_classes + c];
        at += size;
    }
    return nb::make_tuple(to_array(cuts), to_array(offsets), counts, to_array(means), to_array(ends));
}

static nb::tuple py_value_moments(nb::handle values, nb::handle counts) {
    const CountedColumn column(values, counts);
    std::vector<double> mean(static_cast<std::size_t>(column.classes)), m2(mean);
    for (Index c = 0; c < column.classes; ++c) {
        const double* w = column.counts.data() + c * column.n;
        // measured from the first value of some weight: one value repeated is its own mean to the last digit
        Index first = 0;
        while (first < column.n && w[first] == 0) ++first;
        if (first == column.n) continue;
        double n = 0, away = 0;
        for (Index v = first; v < column.n; ++v) n += w[v], away += w[v] * (column.x[v] - column.x[first]);
        mean[c] = column.x[first] + away / n;
        for (Index v = first; v < column.n; ++v) {
            const double d = column.x[v] - mean[c];
            if (w[v] != 0) m2[c] += w[v] * d * d;
        }
    }
    return nb::make_tuple(to_array(mean), to_array(m2));
}

void bind_smoothed(nb::module_& m) {
    using namespace nb::literals;
    m.def("partition", &py_partition, "columns"_a, "n_classes"_a, "most"_a, "cuts"_a = nb::none());
    m.def("value_moments", &py_value_moments, "values"_a, "counts"_a);
    m.def("smooth", &py_smooth, "counts"_a, "offsets"_a, "shares"_a, "widths"_a);
    m.def("smooth_scores", &py_smooth_scores, "counts"_a, "offsets"_a, "shares"_a, "class_counts"_a, "widest"_a,
          "halvings"_a, "strengths"_a);
}

}  // namespace candide
