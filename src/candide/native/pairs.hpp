// Pairs of columns: what two of them together tell of the mistakes of a model that took each alone.
#pragma once

#include <atomic>
#include <cmath>
#include <utility>

#include "parallel.hpp"

namespace candide {

// Residuals and curvatures (N, K) of rows, and their codes (N, D), every one below its column's size.
struct PairRows {
    const std::uint8_t* codes;
    Index rows, columns, n_classes;
    const std::int64_t* sizes;
    const double *residual, *curvature;
};

struct PairGain {
    double gain, score;
};

using Pair = std::pair<Index, Index>;

// Pairs whose sums are made in one walk over the rows, and numbers that these may have together to stay near.
inline constexpr Index in_one_walk = 8, near_numbers = 1 << 12;

// Adds the residuals and curvatures of rows to the cells of pairs: of each cell K sums of the one, then K of the other.
template <Index Known>
void sum_pairs(const PairRows& rows, const Pair* pairs, Index count, const Index* begins, double* sums) {
    const Index K = Known ? Known : rows.n_classes;
    for (Index r = 0; r < rows.rows; ++r) {
        const std::uint8_t* code = rows.codes + r * rows.columns;
        const double *left = rows.residual + r * K, *curve = rows.curvature + r * K;
        for (Index p = 0; p < count; ++p) {
            const auto [i, j] = pairs[p];
            double* cell = sums + begins[p] + (code[i] * rows.sizes[j] + code[j]) * 2 * K;
            for (Index k = 0; k < K; ++k) cell[k] += left[k];
            for (Index k = 0; k < K; ++k) cell[K + k] += curve[k];
        }
    }
}

// With g and h the sums of residuals and curvatures by cell and class: gain = Σ (g² - h) / 2(h + ridge), and that sum's
// size in standard deviations where the pair tells nothing, Var = Σ 2 h² / (h + ridge)² times K / (K - 1).
inline PairGain pair_gain(const double* sums, Index cells, Index K, double ridge) {
    double sum = 0, variance = 0;
    for (const double* cell = sums; cell < sums + 2 * cells * K; cell += 2 * K)
        for (Index k = 0; k < K; ++k) {
            const double g = cell[k], h = cell[K + k], scale = 1 / (h + ridge);
            sum += (g * g - h) * scale;
            variance += 2 * h * h * scale * scale;
        }
    const double spread = K > 1 ? variance * static_cast<double>(K) / static_cast<double>(K - 1) : 0;
    return {sum / 2, spread > 0 ? sum / std::sqrt(spread) : 0};
}

// The gains of all pairs i < j, in the order of i, then j.
inline void pair_gains(const PairRows& rows, double ridge, double* gain, double* score) {
    const Index D = rows.columns, K = rows.n_classes, pairs = D * (D - 1) / 2;
    std::vector<Pair> all;
    for (Index i = 0; i < D; ++i)
        for (Index j = i + 1; j < D; ++j) all.emplace_back(i, j);
    const auto cells = [&](Index p) { return rows.sizes[all[p].first] * rows.sizes[all[p].second]; };
    parallel_rows(divide(pairs, 2 * rows.rows * K), pairs, [&](Index, Index begin, Index end) {
        std::vector<double> sums;
        std::vector<Index> begins;
        for (Index first = begin, last; first < end; first = last) {
            begins.assign(1, 0);
            for (last = first; last < end && last < first + in_one_walk; ++last) {
                if (last > first && begins.back() + 2 * K * cells(last) > near_numbers) break;
                begins.push_back(begins.back() + 2 * K * cells(last));
            }
            sums.assign(static_cast<std::size_t>(begins.back()), 0.0);
            const auto walk = K == 2 ? sum_pairs<2> : K == 3 ? sum_pairs<3> : sum_pairs<0>;
            walk(rows, all.data() + first, last - first, begins.data(), sums.data());
            for (Index p = first; p < last; ++p) {
                const PairGain found = pair_gain(sums.data() + begins[p - first], cells(p), K, ridge);
                gain[p] = found.gain, score[p] = found.score;
            }
        }
    });
}

// Pairs of columns of codes (N, D), the cells of each pair behind those of the one before.
struct PairCells {
    const std::uint8_t* codes;
    Index rows, columns;
    const std::int64_t* sizes;
    const std::int64_t* pairs;  // (P, 2)
    Index n_pairs;

    std::vector<Index> begins() const {
        std::vector<Index> at(1, 0);
        for (Index p = 0; p < n_pairs; ++p) at.push_back(at.back() + sizes[pairs[2 * p]] * sizes[pairs[2 * p + 1]]);
        return at;
    }

    // The cell of a row in a pair, or -1 where a code is beyond its column's cells.
    Index cell(const std::uint8_t* row, Index p) const {
        const Index i = pairs[2 * p], j = pairs[2 * p + 1];
        return row[i] < sizes[i] && row[j] < sizes[j] ? row[i] * sizes[j] + row[j] : -1;
    }
};

// Marks the cells that rows are in; false where a code is beyond its column's cells.
inline bool mark_pairs(const PairCells& given, std::uint8_t* marks) {
    const std::vector<Index> begins = given.begins();
    std::atomic<bool> good = true;
    parallel_rows(divide(given.n_pairs, given.rows), given.n_pairs, [&](Index, Index first, Index last) {
        for (Index p = first; p < last; ++p)
            for (Index r = 0; r < given.rows; ++r) {
                const Index at = given.cell(given.codes + r * given.columns, p);
                if (at < 0) good = false;
                else marks[begins[p] + at] = 1;
            }
    });
    return good;
}

// Writes the place of every row's cell in each pair; of some rows where they are told. False as above.
template <class Out>
bool join_pairs(const PairCells& given, const std::int64_t* chosen, Index n, const std::uint8_t* places, char* out,
                Index row_step) {
    const std::vector<Index> begins = given.begins();
    std::atomic<bool> good = true;
    parallel_rows(divide(n, given.n_pairs), n, [&](Index, Index first, Index last) {
        for (Index r = first; r < last; ++r) {
            const Index from = chosen ? chosen[r] : r;
            if (from < 0 || from >= given.rows) {
                good = false;
                continue;
            }
            Out* into = reinterpret_cast<Out*>(out + r * row_step);
            for (Index p = 0; p < given.n_pairs; ++p) {
                const Index at = given.cell(given.codes + from * given.columns, p);
                if (at < 0) good = false;
                else into[p] = places[begins[p] + at];
            }
        }
    });
    return good;
}

}  // namespace candide
