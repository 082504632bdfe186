// n, mean and m2 per class and column; plain sums.
#pragma once

#include "checks.hpp"

namespace candide {

// Chan, Golub and LeVeque: two sets of rows make one.
inline void join(double& n, double& mean, double& m2, double n_b, double mean_b, double m2_b) {
    if (n_b == 0) return;
    const double both = n + n_b, delta = mean_b - mean;
    mean = n == 0 ? mean_b : mean + delta * (n_b / both);
    m2 += m2_b + delta * delta * (n == 0 ? 0 : n / both * n_b);
    n = both;
}

// Moments (K, D) of one block. Rows are first summed about a shift, as n, s1 = sum(x - shift) and s2 = sum(x - shift)²,
// and now and then, at first often, folded into n, mean, m2 by Chan's rule. The shift is the mean so far, or that of a
// tile that outweighs all before it by far: so s1²/n does not dwarf s2 but where the rows before lie far away and weigh
// enough to make m2 as large. Rows of the tables are whole vectors wide.
class Moments {
  public:
    Moments(Index classes, Index columns)
        : K(classes), D(columns), step((columns + 3) / 4 * 4), total(size()), mean(size()), m2(size()), n(size()),
          s1(size()), s2(size()), shift(size()), behind_shift(size()), least_behind(static_cast<std::size_t>(K)),
          since_fold(least_behind.size()) {}

    void add(Tile x, RowTiles& rows) {
        const bool complete = loops().all_known(x, rows.size(), step);
        rows.each_class([&](Index k, const std::int32_t* of_class, Index count) {
            double weight = static_cast<double>(count);
            if (rows.weight()) {
                weight = 0;
                for (Index i = 0; i < count; ++i) weight += rows.weight()[of_class[i]];
            }
            since_fold[k] += weight;
            if (since_fold[k] > outweighs * least_behind[k]) renew_shift(k, x, of_class, count, rows.weight());
            const Index at = k * step;
            loops().add_shifted(x, of_class, count, rows.weight(), complete, step,
                                {n.data() + at, s1.data() + at, s2.data() + at, shift.data() + at});
        });
        rows_since_fold += rows.size();
        if (rows_since_fold < fold_after) return;
        fold();
        fold_after = std::min(2 * fold_after, std::max<Index>(4096, 8 * K));
    }

    void fold() {
        rows_since_fold = 0;
        for (std::size_t i = 0; i < total.size(); ++i) fold(i);
        for (Index k = 0; k < K; ++k) {
            since_fold[k] = 0;
            least_behind[k] = std::numeric_limits<double>::infinity();
            for (Index j = 0; j < D; ++j) least_behind[k] = std::min(least_behind[k], behind_shift[k * step + j]);
        }
    }

    void join(const Moments& other) {
        for (std::size_t i = 0; i < total.size(); ++i)
            candide::join(total[i], mean[i], m2[i], other.total[i], other.mean[i], other.m2[i]);
    }

    std::size_t size() const { return static_cast<std::size_t>(K * step); }

    const Index K, D, step;
    std::vector<double> total, mean, m2;

  private:
    // Rows of weight W about a shift that is off by d cost an error of about eps W d²; if the shift is the mean of rows
    // of weight W / 1024, m2 is at least W d² / 1024.
    static constexpr double outweighs = 1024;

    void fold(std::size_t i) {
        if (n[i] == 0) return;
        const double from_shift = s1[i] / n[i];
        candide::join(total[i], mean[i], m2[i], n[i], shift[i] + from_shift, std::max(s2[i] - s1[i] * from_shift, 0.0));
        n[i] = s1[i] = s2[i] = 0;
        shift[i] = mean[i];
        behind_shift[i] = total[i];
    }

    // Where the rows since the last fold outweigh those behind the shift: the mean so far, or that of this tile.
    void renew_shift(Index k, Tile x, const std::int32_t* rows, Index count, const double* weight) {
        least_behind[k] = std::numeric_limits<double>::infinity();
        for (Index j = 0; j < D; ++j) {
            const std::size_t at = static_cast<std::size_t>(k * step + j);
            if (since_fold[k] > outweighs * behind_shift[at]) {
                fold(at);
                double sum_w = 0, of_tile = 0;
                for (Index i = 0; i < count; ++i) {
                    const double value = x.at[rows[i] * x.step + j], w = weight ? weight[rows[i]] : 1.0;
                    if (std::isnan(value)) continue;
                    sum_w += w;
                    of_tile += (value - of_tile) * (w / sum_w);
                }
                if (sum_w > outweighs * behind_shift[at]) shift[at] = of_tile, behind_shift[at] = sum_w;
            }
            least_behind[k] = std::min(least_behind[k], behind_shift[at]);
        }
    }

    std::vector<double> n, s1, s2, shift;
    std::vector<double> behind_shift;  // weight of the rows whose mean the shift is; zero where there is none yet
    std::vector<double> least_behind, since_fold;
    Index rows_since_fold = 0, fold_after = 1;
};

// body(block, values, rows, first) -> Fault for every tile of x and of its rows' classes, in parallel.
template <class Body>
void each_tile(const Matrix& x, const Rows& rows, const Division& division, Index multiple, const Body& body) {
    const Index tile = tile_rows(x.columns);
    std::vector<Fault> faults(static_cast<std::size_t>(division.blocks));
    parallel_rows(division, x.rows, [&](Index block, Index begin, Index end) {
        DoubleTiles tiles(x, tile, multiple);
        RowTiles row_tiles(rows, tile);
        for (Index first = begin; first < end && !faults[block]; first += tile) {
            const Index size = std::min(tile, end - first);
            faults[block] = row_tiles.read(first, size);
            if (!faults[block]) faults[block] = body(block, tiles.read(first, size), row_tiles, first);
        }
    });
    report(faults, rows.n_classes);
}

// Moments of x, and of log x where `logs` is there. Infinite and (for logs) nonpositive cells are refused.
inline void moments(const Matrix& x, const Rows& rows, Moments& result, Moments* logs) {
    const Division division = divide(x.rows, x.columns, 8 * static_cast<Index>(result.size()));
    std::vector<Moments> parts(static_cast<std::size_t>(division.blocks - 1), result);
    std::vector<Moments> log_parts(logs ? parts : std::vector<Moments>());
    std::vector<std::vector<double>> buffers(static_cast<std::size_t>(division.blocks));
    each_tile(x, rows, division, 4, [&](Index block, Tile values, RowTiles& tile, Index first) {
        Fault fault = first_outside(values, tile.size(), x.columns, finite, tile.of_class(), first);
        if (!fault && logs) fault = first_outside(values, tile.size(), x.columns, positive, tile.of_class(), first);
        if (fault) return fault;
        (block ? parts[block - 1] : result).add(values, tile);
        if (logs) {
            std::vector<double>& logged = buffers[block];
            logged.resize(static_cast<std::size_t>(tile.size() * result.step));
            loops().take_logs(values, tile.size(), x.columns, logged.data(), result.step);
            (block ? log_parts[block - 1] : *logs).add({logged.data(), result.step}, tile);
        }
        return fault;
    });
    result.fold();
    if (logs) logs->fold();
    for (Moments& part : parts) part.fold(), result.join(part);
    for (Moments& part : log_parts) part.fold(), logs->join(part);
}

// Sum of x per class and column, NaN left out.
inline void dense_sums(const Matrix& x, const Rows& rows, double* sums) {
    const Index size = rows.n_classes * x.columns;
    const Division division = divide(x.rows, x.columns, size);
    std::vector<double> parts(static_cast<std::size_t>(division.blocks * size));
    each_tile(x, rows, division, 1, [&](Index block, Tile values, RowTiles& tile, Index) {
        tile.each_class([&](Index k, const std::int32_t* of_class, Index count) {
            double* at = parts.data() + block * size + k * x.columns;
            loops().add_known(values, of_class, count, tile.weight(), x.columns, at);
        });
        return Fault{};
    });
    for (std::size_t i = 0; i < parts.size(); ++i) sums[i % size] += parts[i];
}

}  // namespace candide
