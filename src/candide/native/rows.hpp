// Which rows count, for which class and how much; and what to say about a row that cannot be used.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace candide {

enum class Problem : std::uint8_t { none, label, code, infinity, not_positive };

// The first unusable cell of a block.
struct Fault {
    Problem problem = Problem::none;
    Index row = 0, column = 0;
    explicit operator bool() const { return problem != Problem::none; }
};

// Class codes and weights, one row each; a negative class or a weight of zero leaves the row out.
struct Rows {
    Matrix y;
    std::optional<Matrix> w;
    Index n_classes;
};

// A tile's worth of rows.
class RowTiles {
  public:
    RowTiles(const Rows& rows, Index capacity)
        : source(rows), classes(static_cast<std::size_t>(capacity)), order(classes.size()),
          weights(rows.w ? classes.size() : 0), next(static_cast<std::size_t>(gathers() ? rows.n_classes + 1 : 0)) {}

    Fault read(Index first, Index rows) {
        count = rows;
        loops().read_codes(source.y, first, rows, classes.data());
        if (source.w) loops().read_doubles(*source.w, first, rows, weights.data(), 1);
        const auto greatest = static_cast<std::int32_t>(std::min<Index>(source.n_classes, code_limit) - 1);
        std::int32_t beyond = 0;  // its sign, since this becomes vectors of any machine
        for (Index r = 0; r < rows; ++r) beyond |= greatest - classes[r];
        for (Index r = 0; beyond < 0; ++r)
            if (classes[r] > greatest) return {Problem::label, first + r, 0};
        for (Index r = 0; source.w && r < rows; ++r)
            if (weights[r] == 0) classes[r] = -1;
        return {};
    }
    Index size() const { return count; }
    const std::int32_t* of_class() const { return classes.data(); }
    const double* weight() const { return source.w ? weights.data() : nullptr; }

    // visit(class, rows, how many) for rows of one class at a time: all of the tile's where classes are few,
    // else those that follow each other.
    template <class Visit>
    void each_class(Visit&& visit) {
        const Index used = gathers() ? sort_by_class() : keep_order();
        for (Index begin = 0, end; begin < used; begin = end) {
            const std::int32_t k = classes[order[begin]];
            for (end = begin + 1; end < used && classes[order[end]] == k;) ++end;
            visit(Index{k}, order.data() + begin, end - begin);
        }
    }

  private:
    bool gathers() const { return source.n_classes <= 64; }

    Index sort_by_class() {
        std::fill(next.begin(), next.end(), 0);
        for (Index r = 0; r < count; ++r)
            if (classes[r] >= 0) ++next[classes[r] + 1];
        for (Index k = 0; k < source.n_classes; ++k) next[k + 1] += next[k];
        const Index used = next[source.n_classes];
        for (Index r = 0; r < count; ++r)
            if (classes[r] >= 0) order[next[classes[r]]++] = static_cast<std::int32_t>(r);
        return used;
    }

    Index keep_order() {
        Index used = 0;
        for (Index r = 0; r < count; ++r)
            if (classes[r] >= 0) order[used++] = static_cast<std::int32_t>(r);
        return used;
    }

    const Rows& source;
    std::vector<std::int32_t> classes, order;
    std::vector<double> weights;
    std::vector<Index> next;
    Index count = 0;
};

// Blocks ascend, so the first block's fault is the first fault.
inline void report(const std::vector<Fault>& faults, Index n_classes) {
    for (const Fault& f : faults) {
        if (!f) continue;
        const std::string row = " in row " + std::to_string(f.row);
        const std::string cell = row + ", column " + std::to_string(f.column);
        switch (f.problem) {
            case Problem::label:
                throw std::invalid_argument("class code too large" + row + ": there are only " +
                                            std::to_string(n_classes) + " classes");
            case Problem::code: throw std::invalid_argument("code beyond the column's levels" + cell);
            case Problem::infinity: throw std::invalid_argument("infinity" + cell);
            case Problem::not_positive: throw std::invalid_argument("a value that is not positive" + cell);
            case Problem::none: break;
        }
    }
}

}  // namespace candide
