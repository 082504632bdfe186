// n, mean and m2 per class and column; plain sums.
#pragma once

#include "checks.hpp"

namespace candide {

// Moments (K, D) of one thread. Rows are first summed about a shift, as n, s1 = sum(x - shift) and
// s2 = sum(x - shift)², and now and then folded into n, mean, m2 by Chan's rule. The shift is the first known value
// of class and column, then their mean so far: s1²/n never dwarfs s2. Rows of the tables are whole vectors wide.
class Moments {
  public:
    Moments(Index classes, Index columns)
        : K(classes), D(columns), step((columns + 3) / 4 * 4), total(size()), mean(size()), m2(size()), n(size()),
          s1(size()), s2(size()), shift(size()), has_shift(size(), false), without_shift(static_cast<std::size_t>(K), D) {}

    void add(Tile x, RowTiles& rows) {
        const bool complete = loops().all_known(x, rows.size(), step);
        rows.each_class([&](Index k, const std::int32_t* of_class, Index count) {
            for (Index i = 0; i < count && without_shift[k]; ++i) set_shift(k, x.at + of_class[i] * x.step);
            const Index at = k * step;
            loops().add_shifted(x, of_class, count, rows.weight(), complete, step,
                                {n.data() + at, s1.data() + at, s2.data() + at, shift.data() + at});
        });
        since_fold += rows.size();
        if (since_fold >= std::max<Index>(4096, 8 * K)) fold();
    }

    void fold() {
        since_fold = 0;
        for (std::size_t i = 0; i < total.size(); ++i) {
            if (n[i] == 0) continue;
            const double from_shift = s1[i] / n[i];
            join(i, n[i], shift[i] + from_shift, std::max(s2[i] - s1[i] * from_shift, 0.0));
            n[i] = s1[i] = s2[i] = 0;
            shift[i] = mean[i];
        }
    }

    void join(const Moments& other) {
        for (std::size_t i = 0; i < total.size(); ++i) join(i, other.total[i], other.mean[i], other.m2[i]);
    }

    std::size_t size() const { return static_cast<std::size_t>(K * step); }

    const Index K, D, step;
    std::vector<double> total, mean, m2;

  private:
    // Chan, Golub and LeVeque: two sets of rows make one.
    void join(std::size_t i, double n_b, double mean_b, double m2_b) {
        if (n_b == 0) return;
        const double both = total[i] + n_b, delta = mean_b - mean[i];
        mean[i] = total[i] == 0 ? mean_b : mean[i] + delta * (n_b / both);
        m2[i] += m2_b + delta * delta * (total[i] == 0 ? 0 : total[i] / both * n_b);
        total[i] = both;
    }

    void set_shift(Index k, const double* row) {
        for (Index j = 0; j < D; ++j) {
            const Index at = k * step + j;
            if (has_shift[at] || std::isnan(row[j])) continue;
            shift[at] = row[j];
            has_shift[at] = true;
            --without_shift[k];
        }
    }

    std::vector<double> n, s1, s2, shift;
    std::vector<char> has_shift;
    std::vector<Index> without_shift;
    Index since_fold = 0;
};

// body(thread, values, rows, first) -> Fault for every tile of x and of its rows' classes, in parallel.
template <class Body>
void each_tile(const Matrix& x, const Rows& rows, int threads, Index multiple, const Body& body) {
    const Index tile = tile_rows(x.columns);
    std::vector<Fault> faults(static_cast<std::size_t>(threads));
    parallel_rows(threads, x.rows, [&](int thread, Index begin, Index end) {
        DoubleTiles tiles(x, tile, multiple);
        RowTiles row_tiles(rows, tile);
        for (Index first = begin; first < end && !faults[thread]; first += tile) {
            const Index size = std::min(tile, end - first);
            faults[thread] = row_tiles.read(first, size);
            if (!faults[thread]) faults[thread] = body(thread, tiles.read(first, size), row_tiles, first);
        }
    });
    report(faults, rows.n_classes);
}

// Moments of x, and of log x where `logs` is there. Infinite and (for logs) nonpositive cells are refused.
inline void moments(const Matrix& x, const Rows& rows, Moments& result, Moments* logs) {
    const int threads = threads_for(x.rows, x.columns, 8 * static_cast<Index>(result.size()));
    std::vector<Moments> parts(static_cast<std::size_t>(threads), result), log_parts(logs ? parts : std::vector<Moments>());
    std::vector<std::vector<double>> buffers(log_parts.size());
    each_tile(x, rows, threads, 4, [&](int thread, Tile values, RowTiles& tile, Index first) {
        Fault fault = first_outside(values, tile.size(), x.columns, finite, tile.of_class(), first);
        if (!fault && logs) fault = first_outside(values, tile.size(), x.columns, positive, tile.of_class(), first);
        if (fault) return fault;
        parts[thread].add(values, tile);
        if (logs) {
            std::vector<double>& logged = buffers[thread];
            logged.resize(static_cast<std::size_t>(tile.size() * result.step));
            loops().take_logs(values, tile.size(), x.columns, logged.data(), result.step);
            log_parts[thread].add({logged.data(), result.step}, tile);
        }
        return fault;
    });
    for (Moments& part : parts) part.fold(), result.join(part);
    for (Moments& part : log_parts) part.fold(), logs->join(part);
}

// Sum of x per class and column, NaN left out.
inline void dense_sums(const Matrix& x, const Rows& rows, double* sums) {
    const Index size = rows.n_classes * x.columns;
    const int threads = threads_for(x.rows, x.columns, size);
    std::vector<double> parts(static_cast<std::size_t>(threads * size));
    each_tile(x, rows, threads, 1, [&](int thread, Tile values, RowTiles& tile, Index) {
        tile.each_class([&](Index k, const std::int32_t* of_class, Index count) {
            double* at = parts.data() + thread * size + k * x.columns;
            loops().add_known(values, of_class, count, tile.weight(), x.columns, at);
        });
        return Fault{};
    });
    for (std::size_t i = 0; i < parts.size(); ++i) sums[i % size] += parts[i];
}

}  // namespace candide
