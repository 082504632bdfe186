// Rows stored as CSR: sums per class and column, and products with a weight per column and class.
#pragma once

#include <numeric>

#include "rows.hpp"
#include "scores.hpp"

namespace candide {

// Three arrays of any integer (data: any) type; positions are checked before they are followed.
struct Csr {
    Matrix data, indices, indptr;
    Index rows, columns;

    Index begins(Index row) const {
        const char* at = indptr.data + row * indptr.row_step;
        return indptr.type == Type::i64 ? static_cast<Index>(load<std::int64_t>(at)) : load<std::int32_t>(at);
    }
    void check() const {
        if (begins(0) < 0) throw std::invalid_argument("indptr begins below zero");
        for (Index r = 0; r < rows; ++r)
            if (begins(r) > begins(r + 1)) throw std::invalid_argument("indptr decreases at row " + std::to_string(r));
        if (begins(rows) > data.rows || begins(rows) > indices.rows)
            throw std::invalid_argument("indptr points beyond the stored cells");
    }
};

// The stored cells of one row, some at a time.
class Cells {
  public:
    static constexpr Index capacity = 512;
    explicit Cells(const Csr& m) : csr(m) {}

    // visit(column, value) for each; false when a column does not exist. Reads ahead, but not into row `until`.
    template <class Visit>
    CANDIDE_INLINE bool each(Index row, Index until, Visit&& visit) {
        const Index end = csr.begins(row + 1);
        for (Index at = csr.begins(row); at < end; ++at) {
            if (at < first || at >= last) refill(at, until);
            const std::int32_t column = columns[at - first];
            if (column < 0 || column >= csr.columns) return false;
            visit(column, values[at - first]);
        }
        return true;
    }

  private:
    void refill(Index at, Index until) {
        first = at;
        last = std::min(at + capacity, csr.begins(until));
        read_doubles(csr.data, first, last - first, values);
        read_codes(csr.indices, first, last - first, columns);
    }
    const Csr& csr;
    Index first = 0, last = 0;
    double values[capacity];
    std::int32_t columns[capacity];
};

inline void refuse_column(const std::vector<Index>& bad_rows) {
    for (const Index row : bad_rows)
        if (row >= 0) throw std::invalid_argument("a column index out of range in row " + std::to_string(row));
}

// All class codes and weights at once: a sparse row is worth far more than its label.
struct AllRows {
    std::vector<std::int32_t> of_class;
    std::vector<double> weight;

    explicit AllRows(const Rows& rows, Index n) : of_class(static_cast<std::size_t>(n)), weight(of_class.size(), 1.0) {
        RowTiles tiles(rows, 1024);
        for (Index first = 0; first < n; first += 1024) {
            const Index size = std::min<Index>(1024, n - first);
            report({tiles.read(first, size)}, rows.n_classes);
            std::copy_n(tiles.of_class(), size, of_class.begin() + first);
            if (tiles.weight()) std::copy_n(tiles.weight(), size, weight.begin() + first);
        }
    }

    // The rows in order of class, and where each class begins among them.
    std::pair<std::vector<Index>, std::vector<Index>> by_class(Index n_classes) const {
        std::vector<Index> begin(static_cast<std::size_t>(n_classes + 1), 0), order;
        for (const std::int32_t k : of_class)
            if (k >= 0) ++begin[k + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        order.resize(static_cast<std::size_t>(begin.back()));
        std::vector<Index> next(begin.begin(), begin.end() - 1);
        for (std::size_t r = 0; r < of_class.size(); ++r)
            if (of_class[r] >= 0) order[next[of_class[r]]++] = static_cast<Index>(r);
        return {std::move(order), std::move(begin)};
    }
};

// sums (K, D) of value(cell) times the row's weight. Threads take whole classes, so that they share no sum; a
// few large classes are split among threads with private sums where those are small.
template <class Value>
void csr_sums(const Csr& csr, const Rows& rows, double* sums, Value value) {
    csr.check();
    const Index size = rows.n_classes * csr.columns, cells = csr.begins(csr.rows) - csr.begins(0);
    const AllRows all(rows, csr.rows);
    const bool shared = 4 * size > cells;
    const int threads = shared ? std::min<int>(threads_for(cells, 1), static_cast<int>(rows.n_classes))
                               : threads_for(cells, 1, size);
    const auto [order, begin] = shared ? all.by_class(rows.n_classes) : std::pair<std::vector<Index>, std::vector<Index>>{};
    std::vector<double> parts(shared ? 0 : static_cast<std::size_t>((threads - 1) * size));
    std::vector<Index> bad(static_cast<std::size_t>(threads), -1);
    const auto add = [&](Cells& stored, Index row, Index until, double* at, Index& bad_row) {
        const double w = all.weight[row];
        if (!stored.each(row, until, [&](Index j, double v) { at[j] += w * value(v); })) bad_row = row;
    };
    const Index extent = shared ? static_cast<Index>(order.size()) : csr.rows;
    parallel_rows(threads, extent, [&, &order = order, &begin = begin](int thread, Index from, Index to) {
        Cells stored(csr);
        if (!shared) {
            double* own = thread ? parts.data() + (thread - 1) * size : sums;
            for (Index r = from; r < to && bad[thread] < 0; ++r)
                if (all.of_class[r] >= 0) add(stored, r, to, own + all.of_class[r] * csr.columns, bad[thread]);
            return;
        }
        // the classes that begin within this thread's share
        for (Index k = 0; k < rows.n_classes; ++k)
            for (Index i = begin[k]; i < begin[k + 1] && begin[k] >= from && begin[k] < to && bad[thread] < 0; ++i)
                add(stored, order[i], order[i] + 1, sums + k * csr.columns, bad[thread]);
    });
    refuse_column(bad);
    for (std::size_t i = 0; i < parts.size(); ++i) sums[i % size] += parts[i];
}

CANDIDE_INLINE void add_scaled(double v, const double* __restrict from, Index n, double* __restrict to) {
    for (Index k = 0; k < n; ++k) to[k] += v * from[k];
}

CANDIDE_HOT static Index score_rows(Cells& stored, Index from, Index to, const double* weights,
                                    Index n_classes, double* out) {
    for (Index r = from; r < to; ++r) {
        double* row = out + r * n_classes;
        const bool good = stored.each(r, to, [&](Index j, double v) __attribute__((always_inline)) {
            if (v != 0) add_scaled(v, weights + j * n_classes, n_classes, row);
        });
        if (!good) return r;
    }
    return -1;
}

// out += X weights, stored zeros skipped so that a weight may be -inf.
inline void add_csr(const Csr& csr, const double* weights, Index n_classes, double* out) {
    csr.check();
    const Index cells = csr.begins(csr.rows) - csr.begins(0);
    const int threads = std::min<int>(threads_for(cells, n_classes), static_cast<int>(std::max<Index>(csr.rows, 1)));
    std::vector<Index> bad(static_cast<std::size_t>(threads), -1);
    parallel_rows(threads, csr.rows, [&](int thread, Index from, Index to) {
        Cells stored(csr);
        bad[thread] = score_rows(stored, from, to, weights, n_classes, out);
    });
    refuse_column(bad);
}

}  // namespace candide
