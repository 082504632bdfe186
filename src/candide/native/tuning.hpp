// Rows scored by tables of evidence, each row left out of its own class's: how well they tell the class, and what every
// entry of the tables has to do with it.
#pragma once

#include <limits>

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

// One block of rows, and what is summed of them. Of two classes only the difference of their scores counts, so that a
// row has one value instead of two.
class TuningBlock {
  public:
    // By entry: Σ w (P(c) - [c is the row's class]) of rows of other classes, and of those of class c, where their
    // entries are apart; Σ w P(c) (1 - P(c)), where it was asked for.
    std::vector<double> others, own, curvature;
    double loss = 0;

    explicit TuningBlock(const TuningRows& rows)
        : K(rows.n_classes), D(rows.codes.columns), entries(rows.offsets[D]), apart(rows.offsets[rows.apart]),
          width(K == 2 ? 1 : K), capacity(tile_rows(D + 2 * K)) {
        others.resize(static_cast<std::size_t>(entries * K)), own.resize(static_cast<std::size_t>(apart * K));
        table.resize(static_cast<std::size_t>(entries * width)), before.resize(static_cast<std::size_t>(apart));
        places.resize(static_cast<std::size_t>(capacity * D)), work.resize(static_cast<std::size_t>(4 * K));
        scores.resize(static_cast<std::size_t>(capacity * width)), spread.resize(scores.size());
        if (K == 2) difference.resize(static_cast<std::size_t>(entries));
    }

    // Rows begin .. end - 1; residuals (N, K) are kept where there is room for them.
    void sum(const TuningRows& rows, const TuningTables& tables, Index begin, Index end, bool curved, double* residual) {
        loss = 0;
        std::fill(others.begin(), others.end(), 0.0);
        std::fill(own.begin(), own.end(), 0.0);
        curvature.assign(static_cast<std::size_t>(curved ? entries * K : 0), 0.0);
        if (K != 2) std::copy_n(tables.others, entries * K, table.data());
        for (Index c = 0; c < K; ++c) {
            const Index from = std::max<Index>(begin, rows.starts[c]), to = std::min<Index>(end, rows.starts[c + 1]);
            if (from >= to) continue;
            begin_class(tables, c);
            for (Index first = from; first < to; first += capacity)
                add(rows, c, first, std::min(capacity, to - first), residual);
            end_class(tables, c);
        }
    }

    void operator+=(const TuningBlock& next) {
        loss += next.loss;
        for (std::size_t m = 0; m < others.size(); ++m) others[m] += next.others[m];
        for (std::size_t m = 0; m < own.size(); ++m) own[m] += next.own[m];
        for (std::size_t m = 0; m < curvature.size(); ++m) curvature[m] += next.curvature[m];
    }

  private:
    // The table becomes what rows of class c see: their own class has the entries without the row.
    void begin_class(const TuningTables& tables, Index c) {
        if (K == 2) {
            const double* two = tables.others;
            const double sign = c == 1 ? 1 : -1;
            for (Index m = 0; m < entries; ++m) table[m] = two[2 * m + 1] - two[2 * m];
            for (Index m = 0; m < apart; ++m) table[m] += sign * (tables.own[2 * m + c] - two[2 * m + c]);
            std::fill(difference.begin(), difference.end(), 0.0);
            return;
        }
        for (Index m = 0; m < apart; ++m) {
            const Index at = m * K + c;
            table[at] = tables.own[at];
            before[m] = others[at], others[at] = 0;
        }
    }

    void end_class(const TuningTables& tables, Index c) {
        if (K == 2) {
            const double sign = c == 1 ? 1 : -1;
            for (Index m = 0; m < entries; ++m) {
                (m < apart ? own : others)[2 * m + c] += sign * difference[m];
                others[2 * m + 1 - c] -= sign * difference[m];
            }
            return;
        }
        for (Index m = 0; m < apart; ++m) {
            const Index at = m * K + c;
            table[at] = tables.others[at];
            own[at] = others[at], others[at] = before[m];
        }
    }

    // Some rows of class c.
    void add(const TuningRows& rows, Index c, Index first, Index size, double* residual) {
        loops().read_codes(rows.codes, first, size, places.data());
        loops().to_table_rows(places.data(), size, D, rows.offsets);
        begin_scores(rows.base, first, size);
        loops().add_rows(places.data(), size, D, table.data(), width, scores.data());
        const double* w = rows.weight + first;
        loss -= K == 2 ? loops().to_chances(scores.data(), size, c, w)
                       : loops().to_probabilities(scores.data(), size, K, c, w, work.data());
        if (!curvature.empty()) add_curvature(w, size);
        for (Index r = 0; r < size; ++r) {
            double* row = scores.data() + r * width;
            if (K == 2) row[0] -= static_cast<double>(c);
            else row[c] -= 1;
            for (Index k = 0; k < width; ++k) row[k] *= w[r];
        }
        if (residual != nullptr) keep(residual + first * K, size);
        loops().scatter_rows(places.data(), size, D, scores.data(), width, K == 2 ? difference.data() : others.data());
    }

    void begin_scores(const double* base, Index first, Index size) {
        if (base == nullptr) return std::fill_n(scores.data(), size * width, 0.0), void();
        if (K != 2) return std::copy_n(base + first * K, size * K, scores.data()), void();
        for (Index r = first; r < first + size; ++r) scores[r - first] = base[2 * r + 1] - base[2 * r];
    }

    void add_curvature(const double* w, Index size) {
        for (Index r = 0; r < size; ++r)
            for (Index k = 0; k < width; ++k) {
                const double p = scores[r * width + k];
                spread[r * width + k] = w[r] * p * (1 - p);
            }
        if (K != 2) return loops().scatter_rows(places.data(), size, D, spread.data(), K, curvature.data());
        for (Index r = 0; r < size; ++r)
            for (Index j = 0; j < D; ++j)
                if (const Index at = 2 * places[r * D + j]; at >= 0)
                    curvature[at] += spread[r], curvature[at + 1] += spread[r];
    }

    void keep(double* residual, Index size) const {
        if (K != 2) return std::copy_n(scores.data(), size * K, residual), void();
        for (Index r = 0; r < size; ++r) residual[2 * r] = -scores[r], residual[2 * r + 1] = scores[r];
    }

    const Index K, D, entries, apart, width, capacity;
    std::vector<std::int32_t> places;
    std::vector<double> scores, spread, work, table, difference;
    std::vector<double> before;  // sums over rows of other classes, while those of one class are summed
};

// Rows in blocks, whose number goes by the rows alone: so what is summed does not depend on how many threads there are.
// The memory is used again, evaluation after evaluation.
class TuningBlocks {
  public:
    explicit TuningBlocks(const TuningRows& rows) {
        constexpr Index most = 8, cells = 4 * cells_per_thread;  // a block is worth about two milliseconds
        const Index D = rows.codes.columns, K = rows.n_classes;
        const Index useful = rows.codes.rows * 2 * D * (K + 1) / std::max(cells, 64 * rows.offsets[D] * K);
        blocks.reserve(static_cast<std::size_t>(most));
        for (Index b = 0; b < std::clamp<Index>(useful, 1, most); ++b) blocks.emplace_back(rows);
    }

    // The sums over all rows, added up in the order of the rows.
    const TuningBlock& sum(const TuningRows& rows, const TuningTables& tables, bool curved, double* residual) {
        const auto n = static_cast<Index>(blocks.size());
        const Division division{static_cast<int>(std::min<Index>({n, threads(), rows.threads})), n};
        parallel_rows(division, rows.codes.rows, [&](Index block, Index begin, Index end) {
            blocks[block].sum(rows, tables, begin, end, curved, residual);
        });
        for (Index b = 1; b < n; ++b) blocks[0] += blocks[b];
        return blocks[0];
    }

  private:
    std::vector<TuningBlock> blocks;
};

}  // namespace candide
