// How well weighted tables tell the class of rows that are left out of them.
#include "tuning.hpp"

#include <optional>

#include "bindings.hpp"
#include "pairs.hpp"

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
                          k};
    nb::object sums = zeros<double>(entries, k), own_sums = zeros<double>(entries, k), curvature = nb::none();
    if (curved) curvature = zeros<double>(entries, k);
    const TuningSums into{Buffer(sums, "sums", 2, true).doubles(), Buffer(own_sums, "own_sums", 2, true).doubles(),
                          curved ? Buffer(curvature, "curvature", 2, true).doubles() : nullptr,
                          left ? left->doubles() : nullptr};
    const TuningTables tables{table.doubles(), mine.doubles()};
    double loss = 0;
    {
        Released _;
        loss = tuning_loss(rows, tables, into);
    }
    return nb::make_tuple(loss, sums, own_sums, curvature);
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

void bind_tuning(nb::module_& m) {
    using namespace nb::literals;
    m.def("tuning_loss", &py_tuning_loss, "codes"_a, "offsets"_a, "others"_a, "own"_a, "starts"_a, "w"_a,
          "base"_a = nb::none(), "residual"_a = nb::none(), "curved"_a = false);
    m.def("pair_gains", &py_pair_gains, "codes"_a, "sizes"_a, "residual"_a, "curvature"_a, "ridge"_a);
}

}  // namespace candide
