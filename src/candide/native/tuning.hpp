// Rows scored by tables of evidence, each row left out of its own class's: how well they tell the class, and what every
// entry of the tables has to do with it.
#pragma once

#include <limits>
#include <numeric>

#include "parallel.hpp"

namespace candide {

// Rows sorted by class: those of class c are starts[c] .. starts[c + 1] - 1.
struct TuningRows {
    Matrix codes;
    const std::int64_t *offsets, *starts;
    const double *weight, *base;  // base (N, K) is added to the scores, where it is not null
    Index n_classes;
    Index apart;  // of so many attributes, the first ones, the own class has entries of its own; of the others the same
    int threads = std::numeric_limits<int>::max();  // at the most
};

// Entries (M, K): what a row's cell adds to the classes that the row is not in, and to its own.
struct TuningTables {
    const double *others, *own;
};

// Sums over rows of w (P(c) - [c is the row's class]) by entry of `others` and of `own`; of w P(c) (1 - P(c)) by entry,
// and residuals (N, K), where they are not null.
struct TuningSums {
    double *others, *own, *curvature, *residual;
};

// What one thread works with.
class TuningTile {
  public:
    TuningTile(const TuningRows& rows, Index capacity)
        : source(rows), places(static_cast<std::size_t>(capacity * rows.codes.columns)),
          scores(static_cast<std::size_t>(capacity * rows.n_classes)), spread(scores.size()),
          work(static_cast<std::size_t>(4 * rows.n_classes)),
          more(static_cast<std::size_t>(rows.offsets[rows.apart])), own_sums(more.size()) {}

    void begin_class(const TuningTables& tables, Index c) {
        for (std::size_t m = 0; m < more.size(); ++m) {
            const std::size_t at = m * source.n_classes + c;
            more[m] = tables.own[at] - tables.others[at];
        }
        std::fill(own_sums.begin(), own_sums.end(), 0.0);
    }

    // Rows first .. first + size - 1, all of class c; returns their log-loss.
    double add(const TuningTables& tables, Index c, Index first, Index size, const TuningSums& sums) {
        const Index K = source.n_classes, D = source.codes.columns;
        loops().read_codes(source.codes, first, size, places.data());
        loops().to_table_rows(places.data(), size, D, source.offsets);
        if (source.base != nullptr) std::copy_n(source.base + first * K, size * K, scores.data());
        else std::fill_n(scores.data(), size * K, 0.0);
        loops().add_rows(places.data(), size, D, tables.others, K, scores.data());
        loops().add_own(places.data(), size, D, source.apart, more.data(), scores.data() + c, K);
        const double* w = source.weight + first;
        const double loss = -loops().to_probabilities(scores.data(), size, K, c, w, work.data());
        if (sums.curvature != nullptr) {
            for (Index r = 0; r < size; ++r)
                for (Index k = 0; k < K; ++k) spread[r * K + k] = w[r] * scores[r * K + k] * (1 - scores[r * K + k]);
            loops().scatter_rows(places.data(), size, D, spread.data(), K, sums.curvature);
        }
        for (Index r = 0; r < size; ++r) {
            double* row = scores.data() + r * K;
            row[c] -= 1;
            for (Index k = 0; k < K; ++k) row[k] *= w[r];
        }
        if (sums.residual != nullptr) std::copy_n(scores.data(), size * K, sums.residual + first * K);
        loops().scatter_own(places.data(), size, D, source.apart, scores.data() + c, K, own_sums.data());
        loops().scatter_rows(places.data(), size, D, scores.data(), K, sums.others);
        return loss;
    }

    void end_class(Index c, const TuningSums& sums) const {
        for (std::size_t m = 0; m < own_sums.size(); ++m) {
            const std::size_t at = m * source.n_classes + c;
            sums.own[at] += own_sums[m], sums.others[at] -= own_sums[m];
        }
    }

  private:

    const TuningRows& source;
    std::vector<std::int32_t> places;
    std::vector<double> scores, spread, work, more, own_sums;  // more: what `own` has over `others`, of one class
};

// The log-loss of all rows. A thread sums into memory of its own, which is added up in the order of the rows.
inline double tuning_loss(const TuningRows& rows, const TuningTables& tables, const TuningSums& sums) {
    const Index n = rows.codes.rows, K = rows.n_classes, entries = rows.offsets[rows.codes.columns];
    const int threads = std::min(rows.threads, divide(n, 2 * rows.codes.columns * (K + 1), entries * K).threads);
    const Division division{threads, threads};
    const auto size = static_cast<std::size_t>(entries * K);
    const int kinds = sums.curvature == nullptr ? 2 : 3;
    std::vector<std::vector<double>> of_block(static_cast<std::size_t>(threads - 1));
    std::vector<double> losses(static_cast<std::size_t>(threads));
    parallel_rows(division, n, [&](Index block, Index begin, Index end) {
        TuningSums mine = sums;
        if (block > 0) {
            auto& memory = of_block[block - 1];
            memory.resize(static_cast<std::size_t>(kinds) * size);
            mine = {memory.data(), memory.data() + size, kinds == 3 ? memory.data() + 2 * size : nullptr, sums.residual};
        }
        const Index most = tile_rows(rows.codes.columns + 2 * K);
        TuningTile tile(rows, most);
        for (Index c = 0; c < K; ++c) {
            const Index from = std::max<Index>(begin, rows.starts[c]), to = std::min<Index>(end, rows.starts[c + 1]);
            if (from >= to) continue;
            tile.begin_class(tables, c);
            for (Index first = from; first < to; first += most)
                losses[block] += tile.add(tables, c, first, std::min(most, to - first), mine);
            tile.end_class(c, mine);
        }
    });
    for (const auto& memory : of_block)
        for (std::size_t m = 0; m < size; ++m) {
            sums.others[m] += memory[m], sums.own[m] += memory[size + m];
            if (kinds == 3) sums.curvature[m] += memory[2 * size + m];
        }
    return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace candide
