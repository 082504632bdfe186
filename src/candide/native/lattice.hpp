// The lattice of cells that numbers are counted in: a cell is all numbers with the same leading bits.
//
// A binade is a sign and an exponent; zero and the denormals share one. Up to most_exact distinct values no bit is
// dropped. Beyond that, each binade drops as few low bits of the mantissa as leave it no more occupied cells than its
// budget, which shrinks with the number of occupied binades. More values occupy more cells and more binades, so that
// bits once dropped stay dropped: the lattice of all values is that of the lattices of any parts, in any order.
#pragma once

#include <array>

#include "keys.hpp"
#include "parallel.hpp"
#include "ranks.hpp"

namespace candide {

inline constexpr Index most_exact = 10'000;      // distinct values
inline constexpr Index most_per_binade = 1'024;  // cells beyond that
inline constexpr Index most_cells = 8'192;       // cells of all binades together

// Cells are known by the least rank in them.
using Ranks = std::vector<std::uint64_t>;

inline std::size_t binade_of(std::uint64_t rank) { return static_cast<std::size_t>(rank >> mantissa_bits); }

// The end of those ascending cells that share a binade with the one at `begin`.
inline std::size_t binade_end(const Ranks& cells, std::size_t begin) {
    std::size_t end = begin;
    while (end < cells.size() && binade_of(cells[end]) == binade_of(cells[begin])) ++end;  // ends: with the cells
    return end;
}

// The most low bits that can be dropped so that no two of some cells of a binade become one.
inline int shared_bits(const Ranks& cells, std::size_t begin, std::size_t end) {
    int d = begin + 1 < end ? mantissa_bits : 0;
    for (std::size_t i = begin + 1; i < end; ++i) d = std::min(d, 63 - std::countl_zero(cells[i] ^ cells[i - 1]));
    return d;
}

// Whether cells of a binade lie too far apart for a place for each that is between them: so many per cell, and besides.
inline bool too_wide(std::uint64_t width, std::size_t n_cells) { return width > 8 * n_cells + 64; }

// How many low bits are dropped in each binade.
class Lattice {
  public:
    int dropped(std::uint64_t rank) const { return bits[binade_of(rank)]; }

    void drop(std::uint64_t rank, int at_least) {
        std::uint8_t& here = bits[binade_of(rank)];
        here = std::max(here, static_cast<std::uint8_t>(at_least));
    }

    std::uint64_t cell(std::uint64_t rank) const {
        const int d = dropped(rank);
        return rank >> d << d;
    }

    // The number that stands for a cell: the only one in it, or that in the middle.
    double middle(std::uint64_t cell) const {
        const int d = dropped(cell);
        const std::uint64_t number = bits_of_rank(cell);
        return std::bit_cast<double>(d == 0 ? number : (number >> d << d) | std::uint64_t{1} << (d - 1));
    }

    // Drop what makes these cells, ascending and each once, keep within the budgets; whether anything was.
    bool coarsen(const Ranks& cells) {
        bool more = false;
        Index binades = 0;
        for (std::size_t at = 0; at < cells.size(); at = binade_end(cells, at)) ++binades;
        const Index budget = std::clamp<Index>(most_cells / std::max<Index>(binades, 1), 1, most_per_binade);
        for (std::size_t begin = 0, end; begin < cells.size(); begin = end) {
            end = binade_end(cells, begin);
            const auto n = static_cast<Index>(end - begin);
            more = more || n > budget;
            coarsen(cells.data() + begin, n, budget);
        }
        return more;
    }

  private:
    // Neighbours become one cell when the highest bit in which they differ is dropped.
    void coarsen(const std::uint64_t* cells, Index n, Index budget) {
        std::array<Index, mantissa_bits> differ{};
        for (Index i = 1; i < n; ++i) ++differ[63 - std::countl_zero(cells[i] ^ cells[i - 1])];
        std::uint8_t& d = bits[binade_of(cells[0])];
        for (; n > budget; ++d) n -= differ[d];  // ends: without its mantissa a binade is one cell
    }

    std::array<std::uint8_t, n_binades> bits{};
};

// The cells in which other rows lie, ascending: nothing is counted in finer ones.
struct KnownCells {
    Ranks cells;
    Lattice lattice;
    bool exact = true;
};

// Ascending cells of ranks in any order.
inline Ranks cells_of(const Lattice& lattice, Ranks ranks) {
    for (std::uint64_t& rank : ranks) rank = lattice.cell(rank);
    // two ascending runs, as two lattices are when they unite, are merged
    const auto second = std::is_sorted_until(ranks.begin(), ranks.end());
    if (std::is_sorted(second, ranks.end())) std::inplace_merge(ranks.begin(), second, ranks.end());
    else sort_keys(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

// The cells that hold these values, of which each stands for a cell of so many dropped bits already, and the lattice.
inline Ranks find_cells(const Ranks& values, const std::vector<std::int32_t>& dropped, Lattice& lattice) {
    bool exact = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        lattice.drop(values[i], dropped[i]);
        exact = exact && dropped[i] == 0;
    }
    const Ranks cells = cells_of(lattice, values);
    if (exact && static_cast<Index>(cells.size()) <= most_exact) return cells;
    return lattice.coarsen(cells) ? cells_of(lattice, cells) : cells;
}

// Where cells stand among ascending ones, asked for in any order; quickly where most are asked for in theirs.
class Finder {
  public:
    explicit Finder(const Ranks& ascending) : cells(ascending) {}

    // -1 where there is no such cell
    Index operator()(std::uint64_t cell) {
        if (at < cells.size() && cells[at] < cell) ++at;
        if (at < cells.size() && cells[at] == cell) return static_cast<Index>(at);
        if (at == cells.size() || cells[at] > cell) at = 0;
        std::size_t step = 1;
        // ends: with the cells, and steps double
        while (at + step < cells.size() && cells[at + step] <= cell) at += step, step *= 2;
        for (; step > 0; step /= 2)
            if (at + step < cells.size() && cells[at + step] <= cell) at += step;
        return at < cells.size() && cells[at] == cell ? static_cast<Index>(at) : Index{-1};
    }

  private:
    const Ranks& cells;
    std::size_t at = 0;
};

inline constexpr std::int32_t no_value = -1, no_cell = -2;

// Where cells stand among ascending ones, asked for in no order: the leading bits of a rank tell its place within its
// binade. A place is that of one cell or, in binades whose cells lie far apart, of a few, which are searched.
class CellNumbers {
  public:
    // At least one cell.
    CellNumbers(Ranks ascending, const Lattice& some_lattice)
        : cells(std::move(ascending)), size(cells.size()), lattice(some_lattice), of_binade(n_binades),
          at_place{no_cell, no_value} {
        of_binade[binade_of(missing_rank)] = {missing_rank, 1, 1, 0, 0};
        for (std::size_t begin = 0, end; begin < size; begin = end) {
            end = binade_end(cells, begin);
            add_binade(begin, end);
        }
        cells.resize(size + most + 1, missing_rank);  // which a search may look at
        if (searches())
            for (std::int32_t& number : at_place) number = number < 0 ? static_cast<std::int32_t>(size) : number;
    }

    // Whether most cells are searched for: then it is quicker to search for all of them, and for what is missing.
    bool searches() const { return 2 * n_searched > size; }

    std::int32_t searched(std::uint64_t rank) const {
        const Places& places = of_binade[binade_of(rank)];
        const std::uint64_t at = (rank >> places.dropped) - places.low;
        const std::int32_t first = at_place[at < places.width ? places.start + at : 0];
        const std::int32_t number = search(first, most, lattice.cell(rank));
        static_assert(no_value == -1);  // all bits
        return number | -static_cast<std::int32_t>(rank == missing_rank);
    }

    std::int32_t operator()(std::uint64_t rank) const {
        const Places& places = of_binade[binade_of(rank)];
        const std::uint64_t at = (rank >> places.dropped) - places.low;
        const std::int32_t number = at_place[at < places.width ? places.start + at : 0];
        return places.searched && number >= 0 ? search(number, places.searched, lattice.cell(rank)) : number;
    }

  private:
    struct Places {
        std::uint64_t low;
        std::uint32_t start, width;
        int dropped;
        std::uint32_t searched;  // cells at a place, at the most, as a power of two; 0 where it is that of one cell alone
    };

    void add_binade(std::size_t begin, std::size_t end) {
        int d = lattice.dropped(cells[begin]);
        const auto width = [&] { return (cells[end - 1] >> d) - (cells[begin] >> d) + 1; };
        const bool apart = too_wide(width(), end - begin);
        while (too_wide(width(), end - begin)) ++d;  // ends: without its mantissa a binade is one place
        const std::uint64_t low = cells[begin] >> d;
        const std::size_t start = at_place.size();
        at_place.resize(start + width(), no_cell);
        std::uint32_t at_most = 1, here = 0;
        for (std::size_t i = begin; i < end; ++i) {  // a place is that of its first cell
            std::int32_t& number = at_place[start + (cells[i] >> d) - low];
            here = number == no_cell ? 1 : here + 1;
            number = number == no_cell ? static_cast<std::int32_t>(i) : number;
            at_most = std::bit_ceil(std::max(at_most, here));
        }
        most = std::max(most, at_most), n_searched += apart ? end - begin : 0;
        of_binade[binade_of(cells[begin])] = {low, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(width()),
                                              d, apart ? at_most : 0};
    }

    // Without a branch but for the steps: on which side of a cell the next number lies cannot be foretold.
    std::int32_t search(std::int32_t first, std::uint32_t among, std::uint64_t cell) const {
        const std::uint64_t* at = cells.data() + first;
        for (std::uint32_t half = among / 2; half > 0; half /= 2) at += half * static_cast<std::uint32_t>(at[half - 1] < cell);
        return *at == cell ? static_cast<std::int32_t>(at - cells.data()) : no_cell;
    }

    Ranks cells;
    const std::size_t size;
    const Lattice& lattice;
    std::vector<Places> of_binade;
    std::vector<std::int32_t> at_place;
    std::uint32_t most = 1;  // cells at a place, of all binades
    std::size_t n_searched = 0;
};

// The number of the cell in which each x of one column lies, found by `find` of its rank.
template <class Find>
void find_codes(const Matrix& x, Index begin, Index end, Find&& find, std::int32_t* codes) {
    constexpr Index together = 256;
    constexpr std::int32_t every_row[together] = {};
    DoubleTiles tiles(x, together);
    std::uint64_t ranks[together];
    for (Index first = begin; first < end; first += together) {
        const Index n = std::min(together, end - first);
        loops().to_ranks(tiles.read(first, n), every_row, n, ranks);
        for (Index i = 0; i < n; ++i) codes[first + i] = find(ranks[i]);
    }
}

inline void lattice_codes(const Matrix& x, const Ranks& cells, const Lattice& lattice, std::int32_t* codes) {
    if (8 * x.rows <= static_cast<Index>(cells.size()) || cells.empty()) {  // they do not repay places for the cells
        Finder find(cells);
        const auto search = [&](std::uint64_t rank) {
            if (rank == missing_rank) return no_value;
            const Index at = find(lattice.cell(rank));
            return at < 0 ? no_cell : static_cast<std::int32_t>(at);
        };
        return find_codes(x, 0, x.rows, search, codes);
    }
    const CellNumbers numbers(cells, lattice);
    const auto search = [&](std::uint64_t rank) { return numbers.searched(rank); };
    constexpr Index reads = 4;  // cells that are only read in the time in which one is found
    parallel_rows(divide(x.rows, reads), x.rows, [&](Index, Index begin, Index end) {
        numbers.searches() ? find_codes(x, begin, end, search, codes) : find_codes(x, begin, end, numbers, codes);
    });
}

}  // namespace candide
