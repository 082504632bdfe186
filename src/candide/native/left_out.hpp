// Scores of learnt rows by the model without them. A row of a negative class, or of no weight, leaves nothing out.
#pragma once

#include "moments.hpp"
#include "scores.hpp"

namespace candide {

// body(first, rows, their classes and weights, sums) for every tile writes into `sums` what each row says in its own
// class without itself, and adds what it says with itself to all; the own class gets the former instead.
template <class MakeBody>
void add_left_out(Index n_rows, Index columns, Index cells, const Rows& rows, double* out, const MakeBody& make_body) {
    const Index tile = tile_rows(columns);
    const Division division = divide(n_rows, cells);
    std::vector<Fault> faults(static_cast<std::size_t>(division.blocks));
    parallel_rows(division, n_rows, [&](Index block, Index begin, Index end) {
        RowTiles row_tiles(rows, tile);
        auto body = make_body(tile);
        std::vector<double> own(static_cast<std::size_t>(tile)), before(own.size());
        for (Index first = begin; first < end && !faults[block]; first += tile) {
            const Index size = std::min(tile, end - first);
            if ((faults[block] = row_tiles.read(first, size))) return;
            double* scores = out + first * rows.n_classes;
            const std::int32_t* of_class = row_tiles.of_class();
            for (Index r = 0; r < size; ++r) before[r] = of_class[r] < 0 ? 0 : scores[r * rows.n_classes + of_class[r]];
            body(first, row_tiles, own.data(), scores);
            for (Index r = 0; r < size; ++r)
                if (of_class[r] >= 0) scores[r * rows.n_classes + of_class[r]] = before[r] + own[r];
        }
    });
    report(faults, rows.n_classes);
}

// table (levels, K) for all classes but the row's own, which reads `own` (levels, K).
inline void add_gather_left_out(const Matrix& codes, const std::int64_t* offsets, const double* table,
                                const double* own, const Rows& rows, double* out) {
    add_left_out(codes.rows, codes.columns, 2 * codes.columns, rows, out, [&](Index capacity) {
        return [&, places = std::vector<std::int32_t>(static_cast<std::size_t>(capacity * codes.columns))](
                   Index first, const RowTiles& tile, double* sums, double* scores) mutable {
            const Index size = tile.size();
            loops().read_codes(codes, first, size, places.data());
            loops().to_table_rows(places.data(), size, codes.columns, offsets);
            loops().sum_own(places.data(), size, codes.columns, own, rows.n_classes, tile.of_class(), sums);
            loops().add_rows(places.data(), size, codes.columns, table, rows.n_classes, scores);
        };
    });
}

// n, mean and m2 (K, D) as the loops read them.
class LeftOutTables {
  public:
    LeftOutTables(const double* n, const double* mean, const double* m2, Index classes, Index columns)
        : K(classes), D(columns), step((columns + 3) / 4 * 4), all{padded(n), padded(mean), padded(m2)},
          inverse_n(all[0].size()), least(static_cast<std::size_t>(step), std::numeric_limits<double>::infinity()) {
        for (std::size_t i = 0; i < inverse_n.size(); ++i) inverse_n[i] = all[0][i] == 0 ? 0 : 1 / all[0][i];
        for (auto& part : others) part.resize(all[0].size());
        std::vector<double> sums[3];
        for (auto& sum : sums) sum.resize(static_cast<std::size_t>(step));
        const auto add_others = [&](Index k) {  // those before or behind class k; then class k itself for the next
            for (Index j = 0; j < step; ++j) {
                const Index at = k * step + j;
                join(others[0][at], others[1][at], others[2][at], sums[0][j], sums[1][j], sums[2][j]);
                join(sums[0][j], sums[1][j], sums[2][j], all[0][at], all[1][at], all[2][at]);
            }
        };
        for (Index k = 0; k < K; ++k) add_others(k);
        for (auto& sum : sums) std::fill(sum.begin(), sum.end(), 0.0);
        for (Index k = K; k-- > 0;) add_others(k);
        by_column();
    }

    LeftOutMoments moments(double floor, double constant) const {
        return {all[0].data(),    inverse_n.data(), all[1].data(), all[2].data(), others[0].data(),
                others[1].data(), others[2].data(), least.data(),  floor,         constant};
    }
    ClassMoments classes() const { return {columns[0].data(), columns[1].data(), columns[2].data(), width}; }
    const std::vector<double>& variance() const { return variances; }

    const Index K, D, step;

  private:
    std::vector<double> padded(const double* from) const {
        std::vector<double> to(static_cast<std::size_t>(K * step));
        for (Index k = 0; k < K; ++k) std::copy_n(from + k * D, D, to.begin() + k * step);
        return to;
    }

    // A class that has not seen the column has the variance of the whole, whatever is left out.
    void by_column() {
        width = (K + 3) / 4 * 4;
        variances.resize(static_cast<std::size_t>(K * D));
        for (auto& part : columns) part.resize(static_cast<std::size_t>(D * width));
        for (Index k = 0; k < K; ++k)
            for (Index j = 0; j < D; ++j) {
                const Index at = k * step + j, to = j * width + k;
                const double n = all[0][at], v = n == 0 ? 0 : all[2][at] / n;
                columns[0][to] = n, columns[1][to] = all[1][at], columns[2][to] = variances[k * D + j] = v;
                least[j] = std::min(least[j], n == 0 ? -1 : v);
            }
    }

    std::vector<double> all[3], inverse_n, others[3], columns[3], least, variances;
    Index width = 0;
};

// Normal log-densities with var = max(m2 / n, floor v), v the variance of the whole column; a class that has not seen
// the column has the moments of the whole; a column with v <= (constant mean)² says nothing.
inline void add_normal_left_out(const Matrix& x, const double* n, const double* mean, const double* m2,
                                const Rows& rows, double floor, double constant, double* out) {
    if (rows.n_classes == 0) return;
    const LeftOutTables left(n, mean, m2, rows.n_classes, x.columns);
    const LeftOutMoments moments = left.moments(floor, constant);
    const NormalArrays plain(mean, left.variance().data(), rows.n_classes, x.columns);
    add_left_out(x.rows, x.columns, x.columns * (8 + rows.n_classes), rows, out, [&](Index capacity) {
        const auto size = static_cast<std::size_t>(capacity * left.step);
        return [&, tiles = DoubleTiles(x, capacity, 4), buffer = std::vector<double>(3 * size), size](
                   Index first, const RowTiles& tile, double* sums, double* scores) mutable {
            const Index rows_here = tile.size();
            const Tile values = tiles.read(first, rows_here);
            const LeftOutTile cells{buffer.data(), buffer.data() + size, buffer.data() + 2 * size};
            const bool floored = loops().sum_own_normal(values, rows_here, left.step, tile.of_class(), tile.weight(),
                                                        moments, cells, sums);
            loops().add_normal({cells.plain, left.step}, rows_here, x.columns, plain.tables(), rows.n_classes, scores);
            if (floored)
                loops().add_floored(values, rows_here, left.step, cells, left.classes(), floor, rows.n_classes, scores);
        };
    });
}

}  // namespace candide
