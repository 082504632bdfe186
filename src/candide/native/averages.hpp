// The average of models in which every attribute depends on the class and on the same one or two super-parents.
#pragma once

#include <cmath>

#include "tuples.hpp"

namespace candide {

// What the models are made of. Counts are those of tuples of one column more than there are super-parents.
template <class Count>
struct Dependence {
    const TupleTables& tables;
    const Count* counts;         // (entries, K)
    const double *pseudo;        // s (cells, K)
    const double *mass;          // Σ_v s (D, K)
    const std::int64_t* first;   // the first cell of each column that is a value: 1 where a missing cell is none
    const double* parents;       // log P(super-parents | c) by their cells; NaN where these are no super-parents
    const TupleTables* pairs;    // the layout of `parents` where there are two of them
    Index n_classes;
};

// One or two super-parents.
struct Parents {
    std::array<Index, 2> column;
    Index n;
    bool holds(Index i) const { return column[0] == i || (n == 2 && column[1] == i); }
};

// Whole vectors of classes, so that no loop over them has a rest.
inline Index whole_vectors(Index n_classes) { return (n_classes + 3) / 4 * 4; }

// Running log Σ exp of numbers (rows, K).
class LogSums {
  public:
    LogSums(Index rows, Index n_classes)
        : K(n_classes), step(whole_vectors(K)), sums(static_cast<std::size_t>(rows * 2 * step)),
          n(static_cast<std::size_t>(rows)) {
        for (Index r = 0; r < rows; ++r) std::fill_n(sums.data() + r * 2 * step, step, lowest);
    }

    // x (some rows, whole vectors)
    void add(const double* x, const std::int32_t* rows, Index some) {
        for (Index r = 0; r < some; ++r) ++n[rows[r]];
        loops().add_exponentials(x, rows, some, step, sums.data());
    }
    void add(const LogSums& other) {
        for (std::size_t r = 0; r < n.size(); ++r) {
            n[r] += other.n[r];
            double *top = sums.data() + r * 2 * step, *sum = top + step;
            const double *more_top = other.sums.data() + r * 2 * step, *more = more_top + step;
            for (Index k = 0; k < K; ++k) {
                const double most = std::max(top[k], more_top[k]);
                sum[k] = sum[k] * std::exp(top[k] - most) + more[k] * std::exp(more_top[k] - most);
                top[k] = most;
            }
        }
    }
    // out += log(Σ exp / n) in rows that have any
    void add_means(double* out) const {
        for (std::size_t r = 0; r < n.size(); ++r)
            for (Index k = 0; k < K && n[r] > 0; ++k) {
                const double *top = sums.data() + r * 2 * step, *sum = top + step;
                out[r * K + k] += top[k] + std::log(sum[k] / static_cast<double>(n[r]));
            }
    }
    const std::vector<std::int64_t>& counts() const { return n; }

  private:
    static constexpr double lowest = -1e300;  // finite, so that minus infinity less the largest is no NaN

    Index K, step;
    std::vector<double> sums;  // (rows, 2, step): the largest, and Σ exp of what is below it
    std::vector<std::int64_t> n;
};

// The models of one choice of super-parents.
template <class Count>
class ParentModels {
  public:
    explicit ParentModels(const Dependence<Count>& some_tables)
        : d(some_tables), D(d.tables.columns()), C(d.tables.starts.back()), K(d.n_classes), step(whole_vectors(K)),
          table(static_cast<std::size_t>(C * step)), made(static_cast<std::size_t>(C)),
          known(static_cast<std::size_t>(D * K)), summed(static_cast<std::size_t>(D)),
          scores(static_cast<std::size_t>(tile * step)), share(static_cast<std::size_t>(step), 1.0) {}

    // Add log P(x | c) of every row whose cells can be super-parents. Rows of the same cells come one after the other.
    void add(const Parents& parents, const std::int32_t* entries, Index rows, LogSums& sums) {
        const Index second = parents.n == 2 ? d.tables.cells[parents.column[1]] : 1;
        sort(parents, entries, rows, d.tables.cells[parents.column[0]] * second);
        for (Index at = 0; at + 1 < static_cast<Index>(starts.size()); ++at)
            if (starts[at] < starts[at + 1])
                add_rows(parents, {at / second, at % second}, sorted.data() + starts[at], starts[at + 1] - starts[at],
                         entries, sums);
    }

  private:
    static constexpr Index tile = 128, cached = 3072;  // rows; doubles

    // The rows that know their super-parents' cells, by these.
    void sort(const Parents& parents, const std::int32_t* entries, Index rows, Index n_cells) {
        starts.assign(static_cast<std::size_t>(n_cells + 1), 0);
        of_row.resize(static_cast<std::size_t>(rows));
        sorted.resize(of_row.size());
        for (Index r = 0; r < rows; ++r) {
            Index u = 0;
            for (Index g = 0; g < parents.n && u >= 0; ++g) {
                const Index j = parents.column[g], entry = entries[r * D + j];
                u = entry < 0 ? -1 : u * d.tables.cells[j] + entry - d.tables.starts[j];
            }
            of_row[r] = static_cast<std::int32_t>(u);
            if (u >= 0) ++starts[u + 1];
        }
        for (Index u = 0; u < n_cells; ++u) starts[u + 1] += starts[u];
        std::vector<Index> next(starts.begin(), starts.end() - 1);
        for (Index r = 0; r < rows; ++r)
            if (of_row[r] >= 0) sorted[next[of_row[r]]++] = static_cast<std::int32_t>(r);
    }

    void add_rows(const Parents& parents, const std::array<Index, 2>& at, const std::int32_t* rows, Index n_rows,
                  const std::int32_t* entries, LogSums& sums) {
        const Index entry = d.pairs ? d.pairs->begin({parents.column[0], parents.column[1]}) +
                                          at[0] * d.tables.cells[parents.column[1]] + at[1]
                                    : d.tables.starts[parents.column[0]] + at[0];
        const double* start = d.parents + entry * K;
        if (std::isnan(start[0])) return;
        make_some(parents, at, rows, n_rows, entries);
        // what the super-parents say of the class is at the first one's cell
        for (Index g = 0; g < parents.n; ++g) {
            double* own = table.data() + (d.tables.starts[parents.column[g]] + at[g]) * step;
            for (Index k = 0; k < K; ++k) own[k] = g == 0 ? start[k] : 0.0;
        }
        for (Index from = 0; from < n_rows; from += tile) {
            const Index n = std::min<Index>(tile, n_rows - from);
            std::fill_n(scores.data(), n * step, 0.0);
            // as many columns at a time as have their part of the table in the first-level cache
            for (Index first = 0, last; first < D; first = last) {
                for (last = first + 1;
                     last < D && (d.tables.starts[last + 1] - d.tables.starts[first]) * step <= cached;)
                    ++last;
                loops().add_model({entries, D, first, last}, rows + from, n, table.data(), scores.data(), step);
            }
            sums.add(scores.data(), rows + from, n);
        }
    }

    // The cells that the rows have; all, where more are asked for than there are.
    void make_some(const Parents& parents, const std::array<Index, 2>& at, const std::int32_t* rows, Index n_rows,
                   const std::int32_t* entries) {
        std::fill(summed.begin(), summed.end(), 0);
        if (n_rows * D >= C) {
            for (Index i = 0; i < D; ++i)
                for (Index cell = 0; cell < d.tables.cells[i] && !parents.holds(i); ++cell)
                    make(parents, at, i, cell, table.data() + (d.tables.starts[i] + cell) * step);
            return;
        }
        std::fill(made.begin(), made.end(), 0);
        for (Index r = 0; r < n_rows; ++r)
            for (Index i = 0; i < D; ++i) {
                const std::int32_t entry = entries[rows[r] * D + i];
                if (entry < 0 || made[entry] || parents.holds(i)) continue;
                make(parents, at, i, entry - d.tables.starts[i], table.data() + entry * step);
                made[entry] = 1;
            }
    }

    // log P(x_i = cell | super-parents, c)
    void make(const Parents& parents, const std::array<Index, 2>& at, Index i, Index cell, double* log_p) {
        // the columns of the tuple in order, and how far apart the cells of each lie in its table
        std::array<Index, most_together> tuple{i, parents.column[0], parents.column[1]};
        std::array<Index, most_together> value{0, at[0], at[1]};
        const Index order = parents.n + 1;
        for (Index g = 1; g < order; ++g)
            for (Index h = g; h > 0 && tuple[h - 1] > tuple[h]; --h) {
                std::swap(tuple[h - 1], tuple[h]);
                std::swap(value[h - 1], value[h]);
            }
        Index apart = 1, step_of_i = 1, begin = d.tables.begin(tuple);
        for (Index g = order - 1; g >= 0; --g) {
            if (tuple[g] == i) step_of_i = apart;
            else begin += value[g] * apart;
            apart *= d.tables.cells[tuple[g]];
        }
        const Count* counts = d.counts + begin * K;
        double* total = known.data() + i * K;
        if (!summed[i]) {
            std::fill(total, total + K, 0.0);
            for (Index v = d.first[i]; v < d.tables.cells[i]; ++v)
                for (Index k = 0; k < K; ++k) total[k] += static_cast<double>(counts[v * step_of_i * K + k]);
            summed[i] = 1;
        }
        const double* s = d.pseudo + (d.tables.starts[i] + cell) * K;
        bool possible = true;
        for (Index k = 0; k < K; ++k) {
            const double below = total[k] + d.mass[i * K + k];
            const double above = static_cast<double>(counts[cell * step_of_i * K + k]) + s[k];
            share[k] = below > 0 ? above / below : 0.0;
            possible = possible && share[k] > 0;
        }
        if (possible) loops().take_logs({share.data(), 0}, 1, K, log_p, step);
        else
            for (Index k = 0; k < K; ++k) log_p[k] = std::log(share[k]);
    }

    const Dependence<Count>& d;
    const Index D, C, K, step;
    std::vector<double> table;  // (cells, step)
    std::vector<std::uint8_t> made;
    std::vector<double> known;
    std::vector<std::uint8_t> summed;
    std::vector<double> scores, share;
    std::vector<std::int32_t> of_row, sorted;  // the super-parents' cells of each row, and the rows by these
    std::vector<Index> starts;
};

// out += log of the mean of P(x | c) over the super-parents that a row can have; returned is how many it has.
template <class Count>
std::vector<std::int64_t> add_averaged(const Matrix& codes, const Dependence<Count>& d, double* out) {
    const Index D = d.tables.columns(), n = d.tables.order - 1;
    std::vector<std::int32_t> entries(static_cast<std::size_t>(codes.rows * D));  // of the flat axis of cells, or -1
    loops().read_codes(codes, 0, codes.rows, entries.data());
    loops().to_table_rows(entries.data(), codes.rows, D, d.tables.starts.data());
    std::vector<Parents> choices;
    for (Index i = 0; i < D; ++i)
        if (n == 1) choices.push_back({{i, 0}, 1});
        else
            for (Index j = i + 1; j < D; ++j) choices.push_back({{i, j}, 2});
    const auto n_choices = static_cast<Index>(choices.size());
    Division division = divide(codes.rows * n_choices, D * d.n_classes / 8 + 1);
    division.blocks = std::min<Index>(division.threads, n_choices);
    std::vector<LogSums> sums(static_cast<std::size_t>(std::max<Index>(division.blocks, 1)),
                              LogSums(codes.rows, d.n_classes));
    parallel_rows(division, n_choices, [&](Index block, Index begin, Index end) {
        ParentModels<Count> models(d);
        for (Index choice = begin; choice < end; ++choice)
            models.add(choices[choice], entries.data(), codes.rows, sums[block]);
    });
    for (std::size_t block = 1; block < sums.size(); ++block) sums[0].add(sums[block]);
    sums[0].add_means(out);
    return sums[0].counts();
}

}  // namespace candide
