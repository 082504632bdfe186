// Log-likelihoods added to scores (N, K), and the row-wise finish.
#pragma once

#include <cmath>
#include <numbers>

#include "bins.hpp"
#include "vector_math.hpp"

namespace candide {

// Classes are scored in groups of at most this many, which fit into registers.
inline constexpr int class_group = 16;

// Call visit<G>(first class) for each group of G classes, G known to the compiler.
template <class Visit>
CANDIDE_INLINE void by_class_group(Index n_classes, Visit&& visit) {
    for (Index k = 0; k < n_classes; k += class_group) {
        const auto call = [&]<int... G>(std::integer_sequence<int, G...>) __attribute__((always_inline)) {
            const Index size = std::min<Index>(n_classes - k, class_group);
            ((size == G + 1 ? visit(std::integral_constant<int, G + 1>{}, k) : void()), ...);
        };
        call(std::make_integer_sequence<int, class_group>{});
    }
}

template <int G>
struct Group {
    double sum[G];
};

// One tile: out[r] += sum over columns of the table's row offsets[j] + codes[r, j], nothing for codes outside.
CANDIDE_HOT static void gather_tile(const std::int32_t* codes, Index rows, Index columns, const std::int64_t* offsets,
                                    const double* table, Index n_classes, double* out) {
    static constexpr double nothing[class_group] = {};
    by_class_group(n_classes, [&](auto size, Index k) __attribute__((always_inline)) {
        constexpr int G = decltype(size)::value;
        for (Index r = 0; r < rows; ++r) {
            double sum[G] = {};
            for (Index j = 0; j < columns; ++j) {
                const std::int64_t code = codes[r * columns + j];
                const bool known = code >= 0 && code < offsets[j + 1] - offsets[j];
                const double* from = known ? table + (offsets[j] + code) * n_classes + k : nothing;
                for (int g = 0; g < G; ++g) sum[g] += from[g];
            }
            for (int g = 0; g < G; ++g) out[r * n_classes + k + g] += sum[g];
        }
    });
}

inline void add_gather(const Matrix& codes, const std::int64_t* offsets, const double* table, Index n_classes,
                       double* out) {
    const Index tile = tile_rows(codes.columns);
    parallel_rows(threads_for(codes.rows, codes.columns), codes.rows, [&](int, Index begin, Index end) {
        std::vector<std::int32_t> buffer(static_cast<std::size_t>(std::min(tile, end - begin) * codes.columns));
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            read_codes(codes, first, size, buffer.data());
            gather_tile(buffer.data(), size, codes.columns, offsets, table, n_classes, out + first * n_classes);
        }
    });
}

// Bins make one level more than cuts.
inline void add_bin_gather(const Matrix& x, const double* cuts, const std::int64_t* cut_offsets, const double* table,
                           Index n_classes, double* out) {
    const Index tile = tile_rows(x.columns);
    const std::vector<Cuts> of_column = cuts_by_column(cuts, cut_offsets, x.columns, x.rows);
    std::vector<std::int64_t> offsets(cut_offsets, cut_offsets + x.columns + 1);
    for (Index j = 0; j <= x.columns; ++j) offsets[j] += j;
    parallel_rows(threads_for(x.rows, x.columns), x.rows, [&](int, Index begin, Index end) {
        DoubleTiles tiles(x, std::min(tile, end - begin));
        std::vector<std::int32_t> codes(static_cast<std::size_t>(std::min(tile, end - begin) * x.columns));
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            bool infinite = false;
            bin_tile(tiles.read(first, size), size, of_column, codes.data(), infinite);
            gather_tile(codes.data(), size, x.columns, offsets.data(), table, n_classes, out + first * n_classes);
        }
    });
}

inline void bin_codes(const Matrix& x, const double* cuts, const std::int64_t* offsets, std::int32_t* codes) {
    const Index tile = tile_rows(x.columns);
    const std::vector<Cuts> of_column = cuts_by_column(cuts, offsets, x.columns, x.rows);
    parallel_rows(threads_for(x.rows, x.columns), x.rows, [&](int, Index begin, Index end) {
        DoubleTiles tiles(x, std::min(tile, end - begin));
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            bool infinite = false;
            bin_tile(tiles.read(first, size), size, of_column, codes + first * x.columns, infinite);
        }
    });
}

// log N(x; μ, v) = peak - (x - μ)² half_precision, stored by column (D, K); zeros where v says nothing.
struct Normals {
    std::vector<double> mean, half_precision, peak, all_peaks;

    Normals(const double* mu, const double* var, Index n_classes, Index columns)
        : mean(static_cast<std::size_t>(columns * n_classes)), half_precision(mean.size()), peak(mean.size()),
          all_peaks(static_cast<std::size_t>(n_classes)) {
        for (Index k = 0; k < n_classes; ++k)
            for (Index j = 0; j < columns; ++j) {
                const double v = var[k * columns + j];
                if (!std::isfinite(v)) continue;
                const Index at = j * n_classes + k;
                mean[at] = mu[k * columns + j];
                half_precision[at] = 0.5 / v;
                peak[at] = -0.5 * std::log(2 * std::numbers::pi * v);
                all_peaks[k] += peak[at];
            }
    }
};

CANDIDE_HOT static void normal_tile(Tile x, Index rows, Index columns, const Normals& normals, Index n_classes,
                                    double* out) {
    by_class_group(n_classes, [&](auto size, Index k) __attribute__((always_inline)) {
        constexpr int G = decltype(size)::value;
        for (Index r = 0; r < rows; ++r) {
            const double* row = x.at + r * x.step;
            double sum[G] = {};
            bool complete = true;
            for (Index j = 0; j < columns; ++j) {
                if (row[j] != row[j]) [[unlikely]] {
                    complete = false;
                    continue;
                }
                const double* mean = normals.mean.data() + j * n_classes + k;
                const double* half_precision = normals.half_precision.data() + j * n_classes + k;
                for (int g = 0; g < G; ++g) {
                    const double d = row[j] - mean[g];
                    sum[g] -= d * d * half_precision[g];
                }
            }
            if (complete) {
                for (int g = 0; g < G; ++g) sum[g] += normals.all_peaks[k + g];
            } else {
                for (Index j = 0; j < columns; ++j)
                    for (int g = 0; g < G && row[j] == row[j]; ++g) sum[g] += normals.peak[j * n_classes + k + g];
            }
            for (int g = 0; g < G; ++g) out[r * n_classes + k + g] += sum[g];
        }
    });
}

inline void add_normal(const Matrix& x, const double* mean, const double* var, Index n_classes, double* out) {
    const Index tile = tile_rows(x.columns);
    const Normals normals(mean, var, n_classes, x.columns);
    parallel_rows(threads_for(x.rows, x.columns * n_classes), x.rows, [&](int, Index begin, Index end) {
        DoubleTiles tiles(x, std::min(tile, end - begin));
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            normal_tile(tiles.read(first, size), size, x.columns, normals, n_classes, out + first * n_classes);
        }
    });
}

// s - max - log sum exp(s - max), row by row; the number of rows that are all -inf, which stay as they are.
// `work` holds rows * n_classes doubles and `log_sums` rows, both rounded up to a multiple of four.
CANDIDE_HOT static Index normalize_tile(double* scores, Index rows, Index n_classes, double* work, double* log_sums) {
    Index impossible = 0;
    for (Index r = 0; r < rows; ++r) {
        const double* row = scores + r * n_classes;
        double most = row[0];
        for (Index k = 1; k < n_classes; ++k) most = row[k] > most ? row[k] : most;
        if (most == -std::numeric_limits<double>::infinity()) {
            ++impossible;
            most = 0;
        }
        for (Index k = 0; k < n_classes; ++k) work[r * n_classes + k] = row[k] - most;
        for (Index k = 0; k < n_classes; ++k) scores[r * n_classes + k] = work[r * n_classes + k];
    }
    exp_all(work, (rows * n_classes + 3) / 4 * 4);
    for (Index r = 0; r < rows; ++r) {
        double sum = 0;
        for (Index k = 0; k < n_classes; ++k) sum += work[r * n_classes + k];
        log_sums[r] = sum == 0 ? 1 : sum;
    }
    log_all(log_sums, (rows + 3) / 4 * 4);
    for (Index r = 0; r < rows; ++r)
        for (Index k = 0; k < n_classes; ++k) scores[r * n_classes + k] -= log_sums[r];
    return impossible;
}

inline Index log_normalize(double* scores, Index n_rows, Index n_classes) {
    const int threads = threads_for(n_rows, 4 * n_classes);
    std::vector<Index> impossible(static_cast<std::size_t>(threads));
    parallel_rows(threads, n_rows, [&](int thread, Index begin, Index end) {
        const Index tile = std::min(tile_rows(n_classes), end - begin);
        std::vector<double> work(static_cast<std::size_t>(tile * n_classes + 3)), log_sums(static_cast<std::size_t>(tile + 3));
        for (Index first = begin; first < end; first += tile)
            impossible[thread] += normalize_tile(scores + first * n_classes, std::min(tile, end - first), n_classes,
                                                 work.data(), log_sums.data());
    });
    Index total = 0;
    for (const Index count : impossible) total += count;
    return total;
}

inline void argmax(const double* scores, Index n_rows, Index n_classes, std::int64_t* best) {
    parallel_rows(threads_for(n_rows, n_classes), n_rows, [&](int, Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            const double* row = scores + r * n_classes;
            best[r] = std::max_element(row, row + n_classes) - row;
        }
    });
}

}  // namespace candide
