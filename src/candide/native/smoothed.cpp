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

static nb::tuple py_equal_mass(nb::handle values, nb::handle weights, nb::handle offsets, Index most) {
    const Buffer x(values, "values", 1), w(weights, "weights", 1), starts(offsets, "offsets", 1);
    if (most < 1) throw std::invalid_argument("most must be at least 1");
    const Index columns = starts.rows() - 1;
    if (columns < 0) throw std::invalid_argument("offsets must have an entry");
    const std::int64_t* at = checked_offsets(starts, columns, x.rows());
    w.expect(x.rows(), 1);
    const double *value = x.doubles(), *weight = w.doubles();
    std::vector<double> cuts;
    std::vector<std::int64_t> cut_offsets{0};
    {
        Released _;
        for (Index j = 0; j < columns; ++j) {
            const double *v = value + at[j], *of_values = weight + at[j];
            for (const Index end : equal_mass_ends(of_values, at[j + 1] - at[j], most)) {
                Index next = end + 1;
                while (of_values[next] == 0) ++next;
                cuts.push_back(short_between(v[end], v[next]));
            }
            cut_offsets.push_back(static_cast<std::int64_t>(cuts.size()));
        }
    }
    return nb::make_tuple(to_array(cuts), to_array(cut_offsets));
}

void bind_smoothed(nb::module_& m) {
    using namespace nb::literals;
    m.def("equal_mass", &py_equal_mass, "values"_a, "weights"_a, "offsets"_a, "most"_a);
    m.def("smooth", &py_smooth, "counts"_a, "offsets"_a, "shares"_a, "widths"_a);
    m.def("smooth_scores", &py_smooth_scores, "counts"_a, "offsets"_a, "shares"_a, "class_counts"_a, "widest"_a,
          "halvings"_a, "strengths"_a);
}

}  // namespace candide
