// n, mean and m2 per class and column; plain sums; and where a cell cannot be used.
#pragma once

#include <cmath>

#include "rows.hpp"
#include "vector_math.hpp"

namespace candide {

// Moments (K, D) of one thread. Rows are first summed about a shift, as n, s1 = sum(x - shift) and
// s2 = sum(x - shift)², and now and then folded into n, mean, m2 by Chan's rule. The shift is the first known value
// of class and column, then their mean so far: s1²/n never dwarfs s2.
class Moments {
  public:
    Moments(Index classes, Index columns)
        : K(classes), D(columns), total(size()), mean(size()), m2(size()), n(size()), s1(size()), s2(size()),
          shift(size(), std::numeric_limits<double>::quiet_NaN()), unset(static_cast<std::size_t>(K), D) {}

    void add(Tile x, Index rows, const std::int32_t* of_class, const double* weight) {
        for (Index r = 0; r < rows; ++r)
            if (of_class[r] >= 0 && unset[of_class[r]]) set_shift(of_class[r], x.at + r * x.step);
        add_shifted(x, rows, D, of_class, weight, n.data(), s1.data(), s2.data(), shift.data());
        since_fold += rows;
        if (since_fold >= std::max<Index>(4096, 8 * K)) fold();
    }

    void fold() {
        since_fold = 0;
        for (std::size_t i = 0; i < total.size(); ++i) {
            if (n[i] == 0) continue;
            const double step = s1[i] / n[i];
            join(i, n[i], shift[i] + step, std::max(s2[i] - s1[i] * step, 0.0));
            n[i] = s1[i] = s2[i] = 0;
            shift[i] = mean[i];
        }
    }

    void join(const Moments& other) {
        for (std::size_t i = 0; i < total.size(); ++i) join(i, other.total[i], other.mean[i], other.m2[i]);
    }

    bool finite() const {
        double zero = 0;
        for (std::size_t i = 0; i < m2.size(); ++i) zero += 0 * m2[i] + 0 * mean[i];
        return zero == 0;
    }

    std::size_t size() const { return static_cast<std::size_t>(K * D); }

    const Index K, D;
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
        double* of_class = shift.data() + k * D;
        for (Index j = 0; j < D; ++j)
            if (std::isnan(of_class[j]) && !std::isnan(row[j])) of_class[j] = row[j], --unset[k];
    }

    CANDIDE_HOT static void add_shifted(Tile x, Index rows, Index columns, const std::int32_t* of_class,
                                        const double* weight, double* n, double* s1, double* s2, const double* shift) {
        for (Index r = 0; r < rows; ++r) {
            if (of_class[r] < 0) continue;
            const Index at = of_class[r] * columns;
            const double w = weight ? weight[r] : 1.0;
            add_row(x.at + r * x.step, columns, w, n + at, s1 + at, s2 + at, shift + at);
        }
    }

    CANDIDE_INLINE static void add_row(const double* __restrict x, Index columns, double w, double* __restrict n,
                                       double* __restrict s1, double* __restrict s2, const double* __restrict shift) {
        for (Index j = 0; j < columns; ++j) {
            const double d = x[j] - shift[j];
            const bool known = x[j] == x[j];
            const double wd = known ? w * d : 0.0;
            n[j] += known ? w : 0.0;
            s1[j] += wd;
            s2[j] += known ? wd * d : 0.0;
        }
    }

    std::vector<double> n, s1, s2, shift;
    std::vector<Index> unset;
    Index since_fold = 0;
};

// The first cell in row order that `refused` refuses; rows left out are passed over.
template <class Refused>
Fault first_refused(const Matrix& x, const Rows* rows, Problem problem, Refused refused) {
    const Index tile = tile_rows(x.columns);
    const int threads = threads_for(x.rows, x.columns);
    std::vector<Fault> faults(static_cast<std::size_t>(threads));
    parallel_rows(threads, x.rows, [&](int thread, Index begin, Index end) {
        DoubleTiles tiles(x, tile);
        std::optional<RowTiles> row_tiles;
        if (rows) row_tiles.emplace(*rows, tile);
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            const Tile values = tiles.read(first, size);
            if (row_tiles) row_tiles->read(first, size);
            for (Index r = 0; r < size; ++r) {
                const double* row = values.at + r * values.step;
                bool any = false;
                for (Index j = 0; j < x.columns; ++j) any |= refused(row[j]);
                if (!any || (row_tiles && row_tiles->of_class()[r] < 0)) continue;
                const Index j = std::find_if(row, row + x.columns, refused) - row;
                faults[thread] = {problem, first + r, j};
                return;
            }
        }
    });
    for (const Fault& fault : faults)
        if (fault) return fault;
    return {};
}

inline bool is_infinite(double x) { return std::fabs(x) > std::numeric_limits<double>::max(); }

// Logarithms of a tile; whether all its known cells were positive.
CANDIDE_HOT static bool log_tile(Tile x, Index rows, Index columns, double* logs) {
    bool positive = true;
    for (Index r = 0; r < rows; ++r)
        for (Index j = 0; j < columns; ++j) {
            logs[r * columns + j] = x.at[r * x.step + j];
            positive &= !(x.at[r * x.step + j] <= 0);
        }
    log_all(logs, (rows * columns + 3) / 4 * 4);
    return positive;
}

// Moments of x, and of log x where `logs` is there. Infinite and (for logs) nonpositive cells are refused.
inline void moments(const Matrix& x, const Rows& rows, Moments& result, Moments* logs) {
    const int threads = threads_for(x.rows, x.columns, 8 * static_cast<Index>(result.size()));
    const Index tile = tile_rows(x.columns);
    std::vector<Fault> faults(static_cast<std::size_t>(threads));
    std::vector<char> positive(faults.size(), true);
    std::vector<Moments> parts(faults.size() - 1, result), log_parts(logs ? faults.size() - 1 : 0, result);
    parallel_rows(threads, x.rows, [&](int thread, Index begin, Index end) {
        Moments& plain = thread ? parts[thread - 1] : result;
        Moments* logged = logs && thread ? &log_parts[thread - 1] : logs;
        DoubleTiles tiles(x, tile);
        RowTiles row_tiles(rows, tile);
        std::vector<double> log_x(logs ? static_cast<std::size_t>(tile * x.columns + 3) : 0, 1.0);
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            const Tile values = tiles.read(first, size);
            if (const Fault fault = row_tiles.read(first, size)) {
                faults[thread] = fault;
                return;
            }
            plain.add(values, size, row_tiles.of_class(), row_tiles.weight());
            if (!logged) continue;
            positive[thread] &= log_tile(values, size, x.columns, log_x.data());
            logged->add({log_x.data(), x.columns}, size, row_tiles.of_class(), row_tiles.weight());
        }
        plain.fold();
        if (logged) logged->fold();
    });
    report(faults, rows.n_classes);
    for (const Moments& part : parts) result.join(part);
    for (const Moments& part : log_parts) logs->join(part);
    if (std::count(positive.begin(), positive.end(), false))
        report({first_refused(x, &rows, Problem::not_positive, [](double v) { return v <= 0; })}, rows.n_classes);
    if (!result.finite()) report({first_refused(x, &rows, Problem::infinity, is_infinite)}, rows.n_classes);
}

CANDIDE_HOT static void add_known(Tile x, Index rows, Index columns, const std::int32_t* of_class,
                                  const double* weight, double* sums) {
    for (Index r = 0; r < rows; ++r) {
        if (of_class[r] < 0) continue;
        const double w = weight ? weight[r] : 1.0;
        const double* __restrict row = x.at + r * x.step;
        double* __restrict at = sums + of_class[r] * columns;
        for (Index j = 0; j < columns; ++j) at[j] += row[j] == row[j] ? w * row[j] : 0.0;
    }
}

// Sum of x per class and column, NaN left out.
inline void dense_sums(const Matrix& x, const Rows& rows, double* sums) {
    const Index size = rows.n_classes * x.columns, tile = tile_rows(x.columns);
    const int threads = threads_for(x.rows, x.columns, size);
    std::vector<double> parts(static_cast<std::size_t>(threads * size));
    std::vector<Fault> faults(static_cast<std::size_t>(threads));
    parallel_rows(threads, x.rows, [&](int thread, Index begin, Index end) {
        DoubleTiles tiles(x, tile);
        RowTiles row_tiles(rows, tile);
        for (Index first = begin; first < end && !faults[thread]; first += tile) {
            const Index n = std::min(tile, end - first);
            const Tile values = tiles.read(first, n);
            faults[thread] = row_tiles.read(first, n);
            if (!faults[thread])
                add_known(values, n, x.columns, row_tiles.of_class(), row_tiles.weight(), parts.data() + thread * size);
        }
    });
    report(faults, rows.n_classes);
    for (std::size_t i = 0; i < parts.size(); ++i) sums[i % size] += parts[i];
}

}  // namespace candide
