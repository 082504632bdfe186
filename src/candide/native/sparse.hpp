// Rows stored as CSR: sums per class and column, and products with a weight per column and class.
#pragma once

#include <numeric>

#include "rows.hpp"

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
        if (columns >= code_limit) throw std::invalid_argument("more than a billion columns");
        if (begins(0) < 0) throw std::invalid_argument("indptr begins below zero");
        for (Index r = 0; r < rows; ++r)
            if (begins(r) > begins(r + 1)) throw std::invalid_argument("indptr decreases at row " + std::to_string(r));
        if (begins(rows) > data.rows || begins(rows) > indices.rows)
            throw std::invalid_argument("indptr points beyond the stored cells");
    }
};

// The stored cells of consecutive rows: values as they lie where they are doubles, columns where they are 32-bit indices.
class SparseTiles {
  public:
    explicit SparseTiles(const Csr& m)
        : csr(m), values_lie(is_array<double>(m.data, Type::f64)), columns_lie(is_array<std::int32_t>(m.indices, Type::i32)),
          columns_wide(is_array<std::int64_t>(m.indices, Type::i64)) {}

    // False when a column does not exist.
    bool read(Index from, Index to) {
        const Index first = csr.begins(from), n = csr.begins(to) - first;
        begin.clear();
        for (Index r = from; r <= to; ++r) begin.push_back(csr.begins(r) - first);
        if (!values_lie) {
            value_buffer.resize(static_cast<std::size_t>(n));
            loops().read_doubles(csr.data, first, n, value_buffer.data(), 1);
        }
        std::uint64_t beyond = 0;
        if (!columns_lie) {
            column_buffer.resize(static_cast<std::size_t>(n));
            if (columns_wide) beyond = narrow(reinterpret_cast<const std::int64_t*>(csr.indices.data) + first, n);
            else loops().read_codes(csr.indices, first, n, column_buffer.data());
        }
        tile = {values_lie ? reinterpret_cast<const double*>(csr.data.data) + first : value_buffer.data(),
                columns_lie ? reinterpret_cast<const std::int32_t*>(csr.indices.data) + first : column_buffer.data(),
                begin.data()};
        std::uint32_t most = 0;  // a negative index becomes a huge one
        for (Index i = 0; i < n; ++i) most = std::max(most, static_cast<std::uint32_t>(tile.column[i]));
        return n == 0 || (beyond == 0 && static_cast<Index>(most) < csr.columns);
    }

    SparseTile tile{};

  private:
    // Columns as 32-bit indices; not zero where one does not fit.
    std::uint64_t narrow(const std::int64_t* wide, Index n) {
        std::int32_t* column = column_buffer.data();
        std::uint64_t beyond = 0;
        for (Index i = 0; i < n; ++i) {
            column[i] = static_cast<std::int32_t>(wide[i]);
            beyond |= static_cast<std::uint64_t>(wide[i]) >> 31;
        }
        return beyond;
    }

    const Csr& csr;
    bool values_lie, columns_lie, columns_wide;
    std::vector<double> value_buffer;
    std::vector<std::int32_t> column_buffer;
    std::vector<std::int64_t> begin;
};

inline void refuse_column(const std::vector<Index>& bad_rows) {
    for (const Index row : bad_rows)
        if (row >= 0) throw std::invalid_argument("a column index out of range at or after row " + std::to_string(row));
}

inline constexpr Index sparse_rows = 64;  // per tile

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

// Adds every cell times the row's weight to the sums (K, D) of the row's class.
class CsrSums {
  public:
    CsrSums(const Csr& m, const Rows& rows)
        : csr(m), K(rows.n_classes), size(K * m.columns), cells(m.begins(m.rows) - m.begins(0)), all(rows, m.rows) {}

    // Private sums for every block of rows.
    void by_rows(double* sums) const {
        const Division division = divide(cells, 1, size);
        std::vector<double> parts(static_cast<std::size_t>((division.blocks - 1) * size));
        std::vector<Index> bad(static_cast<std::size_t>(division.blocks), -1);
        parallel_rows(division, csr.rows, [&](Index block, Index from, Index to) {
            SparseTiles tiles(csr);
            double* own = block ? parts.data() + (block - 1) * size : sums;
            for (Index r = from; r < to && bad[block] < 0; r += sparse_rows)
                if (!add(tiles, r, std::min(r + sparse_rows, to), own)) bad[block] = r;
        });
        refuse_column(bad);
        for (std::size_t i = 0; i < parts.size(); ++i) sums[i % size] += parts[i];
    }

    // Blocks of whole classes, those that begin within them, which share no sum.
    void by_class(double* sums) const {
        const Division division = divide(cells, 1);
        const auto [order, begin] = all.by_class(K);
        std::vector<Index> bad(static_cast<std::size_t>(division.blocks), -1);
        parallel_rows(division, static_cast<Index>(order.size()), [&, &order = order, &begin = begin](
                                                                      Index block, Index from, Index to) {
            SparseTiles tiles(csr);
            const Index first = std::lower_bound(begin.begin(), begin.end() - 1, from) - begin.begin();
            for (Index k = first; k < K && begin[k] < to; ++k)
                for (Index i = begin[k]; i < begin[k + 1] && bad[block] < 0; ++i)
                    if (!add(tiles, order[i], order[i] + 1, sums)) bad[block] = order[i];
        });
        refuse_column(bad);
    }

    bool sums_are_small() const { return 4 * size <= cells; }

  private:
    // False when a column does not exist.
    bool add(SparseTiles& tiles, Index from, Index to, double* sums) const {
        if (!tiles.read(from, to)) return false;
        const SparseTile& tile = tiles.tile;
        for (Index r = from; r < to; ++r) {
            if (all.of_class[r] < 0) continue;
            double* at = sums + all.of_class[r] * csr.columns;
            for (Index i = tile.begin[r - from]; i < tile.begin[r - from + 1]; ++i)
                at[tile.column[i]] += all.weight[r] * tile.value[i];
        }
        return true;
    }

    const Csr& csr;
    const Index K, size, cells;
    const AllRows all;
};

inline void csr_sums(const Csr& csr, const Rows& rows, double* sums) {
    csr.check();
    const CsrSums of_cells(csr, rows);
    of_cells.sums_are_small() ? of_cells.by_rows(sums) : of_cells.by_class(sums);
}

// out += X weights, stored zeros skipped so that a weight may be -inf.
inline void add_csr(const Csr& csr, const double* weights, Index n_classes, double* out, Beginning beginning) {
    csr.check();
    const Index cells = csr.begins(csr.rows) - csr.begins(0);
    const Division division = divide(cells, n_classes);
    std::vector<Index> bad(static_cast<std::size_t>(division.blocks), -1);
    parallel_rows(division, csr.rows, [&](Index block, Index from, Index to) {
        SparseTiles tiles(csr);
        for (Index r = from; r < to && bad[block] < 0; r += sparse_rows) {
            const Index end = std::min(r + sparse_rows, to);
            beginning.write(out + r * n_classes, end - r, n_classes);
            if (tiles.read(r, end)) loops().add_sparse(tiles.tile, end - r, weights, n_classes, out + r * n_classes);
            else bad[block] = r;
        }
    });
    refuse_column(bad);
}

}  // namespace candide
