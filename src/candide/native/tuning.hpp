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
    const std::int32_t* places = nullptr;           // the entries of the codes (N, D), where they were looked up before
};

// Entries (M, K): what a row's cell adds to the classes that the row is not in, and to its own.
struct TuningTables {
    const double *others, *own;
};

// Sums over table entries, and rows of so many numbers added to them. Those of single precision take half the time, and
// scores that are wrong by a millionth lead to the same weights.
template <class Real>
struct EntrySums;

template <>
struct EntrySums<double> {
    static Index step(Index values) { return values; }
    static void sum(const std::int32_t* entries, Index rows, Index D, const double* table, Index step, double* out) {
        std::fill_n(out, rows * step, 0.0);
        loops().add_rows(entries, rows, D, table, step, out);
    }
    static void scatter(const std::int32_t* entries, Index rows, Index D, const double* from, Index step, double* sums) {
        loops().scatter_rows(entries, rows, D, from, step, sums);
    }
};

template <>
struct EntrySums<float> {
    static Index step(Index values) { return values == 1 ? 1 : (values + 7) / 8 * 8; }
    static void sum(const std::int32_t* entries, Index rows, Index D, const float* table, Index step, float* out) {
        loops().sum_singles(entries, rows, D, table, step, out);
    }
    static void scatter(const std::int32_t* entries, Index rows, Index D, const float* from, Index step, float* sums) {
        loops().scatter_singles(entries, rows, D, from, step, sums);
    }
};

// What is summed of rows, by entry (M, K): Σ w (P(c) - [c is the row's class]) of rows of other classes, and of those of
// class c, where their entries are apart; Σ w P(c) (1 - P(c)), where it was asked for.
struct TuningSums {
    std::vector<double> others, own, curvature;
    double loss = 0;

    void operator+=(const TuningSums& next) {
        loss += next.loss;
        for (std::size_t m = 0; m < others.size(); ++m) others[m] += next.others[m];
        for (std::size_t m = 0; m < own.size(); ++m) own[m] += next.own[m];
        for (std::size_t m = 0; m < curvature.size(); ++m) curvature[m] += next.curvature[m];
    }
};

// One block of rows. Of two classes only the difference of their scores counts, so that a row has one value instead of
// two.
template <class Real>
class TuningBlock {
  public:
    TuningSums found;

    explicit TuningBlock(const TuningRows& rows)
        : K(rows.n_classes), D(rows.codes.columns), entries(rows.offsets[D]), apart(rows.offsets[rows.apart]),
          width(K == 2 ? 1 : K), step(EntrySums<Real>::step(width)), capacity(tile_rows(D + 2 * K)) {
        found.others.resize(static_cast<std::size_t>(entries * K)), found.own.resize(static_cast<std::size_t>(apart * K));
        table.resize(static_cast<std::size_t>(entries * step)), sums.resize(table.size());
        places.resize(static_cast<std::size_t>(capacity * D)), work.resize(static_cast<std::size_t>(4 * K));
        scores.resize(static_cast<std::size_t>(capacity * width));
        of_rows.resize(static_cast<std::size_t>(capacity * step));
    }

    // Rows begin .. end - 1; residuals (N, K) are kept where there is room for them.
    void sum(const TuningRows& rows, const TuningTables& tables, Index begin, Index end, bool curved, double* residual) {
        found.loss = 0;
        found.curvature.assign(static_cast<std::size_t>(curved ? entries * K : 0), 0.0);
        curves.assign(curved ? sums.size() : 0, Real{0});
        std::fill(found.others.begin(), found.others.end(), 0.0);
        std::fill(found.own.begin(), found.own.end(), 0.0);
        std::fill(sums.begin(), sums.end(), Real{0});
        for (Index m = 0; m < (K == 2 ? 0 : entries); ++m)
            for (Index k = 0; k < K; ++k) table[m * step + k] = static_cast<Real>(tables.others[m * K + k]);
        for (Index c = 0; c < K; ++c) {
            const Index from = std::max<Index>(begin, rows.starts[c]), to = std::min<Index>(end, rows.starts[c + 1]);
            if (from >= to) continue;
            K == 2 ? begin_of_two(tables, c) : begin_of_many(tables, c);
            for (Index first = from; first < to; first += capacity)
                add(rows, c, first, std::min(capacity, to - first), residual);
            K == 2 ? end_of_two(c) : end_of_many(tables, c);
        }
        for (Index m = 0; m < (K == 2 ? 0 : entries); ++m)
            for (Index k = 0; k < K; ++k) found.others[m * K + k] += sums[m * step + k];
        for (Index m = 0; m < (curved ? entries : 0); ++m)
            for (Index k = 0; k < K; ++k) found.curvature[m * K + k] = curves[m * step + (K == 2 ? 0 : k)];
    }

  private:
    // The table becomes what rows of class c see: their own class has the entries without the row. What rows of other
    // classes gave to it is put aside.
    void begin_of_many(const TuningTables& tables, Index c) {
        for (Index m = 0; m < apart; ++m) {
            table[m * step + c] = static_cast<Real>(tables.own[m * K + c]);
            found.others[m * K + c] = sums[m * step + c], sums[m * step + c] = 0;
        }
    }

    void end_of_many(const TuningTables& tables, Index c) {
        for (Index m = 0; m < apart; ++m) {
            table[m * step + c] = static_cast<Real>(tables.others[m * K + c]);
            found.own[m * K + c] = sums[m * step + c], sums[m * step + c] = 0;
        }
    }

    // The same of two classes: the table holds by how much the second has more.
    void begin_of_two(const TuningTables& tables, Index c) {
        const double *two = tables.others, *mine = tables.own, sign = c == 1 ? 1 : -1;
        for (Index m = 0; m < entries; ++m) {
            const double without = m < apart ? sign * (mine[2 * m + c] - two[2 * m + c]) : 0;
            table[m] = static_cast<Real>(two[2 * m + 1] - two[2 * m] + without);
        }
        std::fill(sums.begin(), sums.end(), Real{0});
    }

    void end_of_two(Index c) {
        const double sign = c == 1 ? 1 : -1;
        for (Index m = 0; m < entries; ++m) {
            (m < apart ? found.own : found.others)[2 * m + c] += sign * sums[m];
            found.others[2 * m + 1 - c] -= sign * sums[m];
        }
    }

    // Some rows of class c.
    void add(const TuningRows& rows, Index c, Index first, Index size, double* residual) {
        const std::int32_t* at = rows.places ? rows.places + first * D : read_places(rows, first, size);
        EntrySums<Real>::sum(at, size, D, table.data(), step, of_rows.data());
        begin_scores(rows.base, first, size);
        const double* w = rows.weight + first;
        found.loss -= K == 2 ? loops().to_chances(scores.data(), size, c, w)
                             : loops().to_probabilities(scores.data(), size, K, c, w, work.data());
        if (!curves.empty()) scatter(at, size, curves, [&](Index r, double p) { return w[r] * p * (1 - p); });
        for (Index r = 0; r < size; ++r) scores[r * width + (K == 2 ? 0 : c)] -= K == 2 ? static_cast<double>(c) : 1;
        scatter(at, size, sums, [&](Index r, double left) { return w[r] * left; });
        if (residual != nullptr) keep(residual + first * K, w, size);
    }

    const std::int32_t* read_places(const TuningRows& rows, Index first, Index size) {
        loops().read_codes(rows.codes, first, size, places.data());
        loops().to_table_rows(places.data(), size, D, rows.offsets);
        return places.data();
    }

    void begin_scores(const double* base, Index first, Index size) {
        for (Index r = 0; r < size; ++r)
            for (Index k = 0; k < width; ++k) scores[r * width + k] = of_rows[r * step + k];
        if (base == nullptr) return;
        base += first * K;
        if (K != 2)
            for (Index i = 0; i < size * K; ++i) scores[i] += base[i];
        else
            for (Index r = 0; r < size; ++r) scores[r] += base[2 * r + 1] - base[2 * r];
    }

    // What `value` makes of the scores, added to the entries of the rows' cells.
    template <class Value>
    void scatter(const std::int32_t* at, Index size, std::vector<Real>& to, Value&& value) {
        for (Index r = 0; r < size; ++r)
            for (Index k = 0; k < width; ++k) of_rows[r * step + k] = static_cast<Real>(value(r, scores[r * width + k]));
        EntrySums<Real>::scatter(at, size, D, of_rows.data(), step, to.data());
    }

    void keep(double* residual, const double* w, Index size) const {
        for (Index r = 0; r < size; ++r)
            for (Index k = 0; k < K; ++k)
                residual[r * K + k] = w[r] * (K != 2 ? scores[r * K + k] : k == 1 ? scores[r] : -scores[r]);
    }

    const Index K, D, entries, apart, width, step, capacity;
    std::vector<std::int32_t> places;
    std::vector<Real> table, sums, curves, of_rows;  // rows of `step` numbers, of which `width` count
    std::vector<double> scores, work;
};

// The entries of the codes of few rows, which are looked up once and not at every evaluation; none of many.
inline std::vector<std::int32_t> places_of(const TuningRows& rows) {
    constexpr Index most = Index{1} << 17;  // half a megabyte
    const Index D = rows.codes.columns, n = rows.codes.rows;
    std::vector<std::int32_t> out(static_cast<std::size_t>(n * D <= most ? n * D : 0));
    if (out.empty()) return out;
    loops().read_codes(rows.codes, 0, n, out.data());
    loops().to_table_rows(out.data(), n, D, rows.offsets);
    return out;
}

// Rows in blocks, whose number goes by the rows alone: so what is summed does not depend on how many threads there are.
// The memory is used again, evaluation after evaluation.
template <class Real>
class TuningBlocks {
  public:
    explicit TuningBlocks(const TuningRows& rows) {
        constexpr Index most = 8, cells = 2 * cells_per_thread;  // a block is worth about two milliseconds
        const Index D = rows.codes.columns, K = rows.n_classes;
        const Index useful = rows.codes.rows * 2 * D * (K + 1) / std::max(cells, 64 * rows.offsets[D] * K);
        blocks.reserve(static_cast<std::size_t>(most));
        for (Index b = 0; b < std::clamp<Index>(useful, 1, most); ++b) blocks.emplace_back(rows);
    }

    // The sums over all rows, added up in the order of the rows.
    TuningSums& sum(const TuningRows& rows, const TuningTables& tables, bool curved, double* residual) {
        const auto n = static_cast<Index>(blocks.size());
        const Division division{static_cast<int>(std::min<Index>({n, threads(), rows.threads})), n};
        parallel_rows(division, rows.codes.rows, [&](Index block, Index begin, Index end) {
            blocks[block].sum(rows, tables, begin, end, curved, residual);
        });
        for (Index b = 1; b < n; ++b) blocks[0].found += blocks[b].found;
        return blocks[0].found;
    }

  private:
    std::vector<TuningBlock<Real>> blocks;
};

}  // namespace candide
