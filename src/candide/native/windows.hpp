// A quick way to count numbers in cells that were met before.
#pragma once

#include "lattice.hpp"

namespace candide {

// Cells that lie close together within a binade, each at a place that is told by the leading bits of a rank, and the
// counts of each place: of rows that do not count (class -1), and of each class. The first place is that of all ranks
// whose cells have none.
template <class Count>
class Windows {
  public:
    // Ascending cells of a lattice, of which as many have places as may be counted at. Where bits are dropped every cell
    // between two others has a place as well. Where none are, a place is that of as many leading bits as it takes to
    // tell these numbers apart; others have none.
    Windows(const Ranks& cells, const Lattice& lattice, bool exact, Index n_classes)
        : step(n_classes + 1), of_binade(n_binades) {
        const std::size_t most = std::max<std::size_t>(least_counts, 2 * cells.size() * step) / step;
        std::size_t places = 1;
        for (std::size_t begin = 0, end; begin < cells.size(); begin = end) {
            end = binade_end(cells, begin);
            const int d = exact ? shared_bits(cells, begin, end) : lattice.dropped(cells[begin]);
            const std::uint64_t low = cells[begin] >> d, width = (cells[end - 1] >> d) - low + 1;
            if (too_wide(width, end - begin) || places + width > most) continue;
            of_binade[binade_of(cells[begin])] = {low, static_cast<std::uint32_t>(places),
                                                  static_cast<std::uint32_t>(width), d};
            places += width;
            if (!exact) continue;
            at_place.resize(places, missing_rank);
            for (std::size_t i = begin; i < end; ++i) at_place[place_of(cells[i])] = cells[i];
        }
        counts.resize(places * step);
    }

    // Count rows, ranks_together at the most, at their places; how many have none, and which.
    Index count(const std::uint64_t* ranks, const std::int32_t* of_class, const double* weight, Index n,
                std::int32_t* left) {
        const bool exact = !at_place.empty();
        if constexpr (std::is_same_v<Count, std::uint32_t>)
            return loops().count_places(ranks, of_class, n, of_binade.data(), exact ? at_place.data() : nullptr, step,
                                        counts.data(), left);
        if (weight) return exact ? count<true, true>(ranks, of_class, weight, n, left)
                                 : count<false, true>(ranks, of_class, weight, n, left);
        return exact ? count<true, false>(ranks, of_class, weight, n, left)
                     : count<false, false>(ranks, of_class, weight, n, left);
    }

    // visit(cell, counts by class) for every place at which something was counted.
    template <class Visit>
    void each(Visit&& visit) const {
        for (const Window& window : of_binade)
            for (std::uint32_t i = 0; i < window.width; ++i) {
                const std::size_t place = window.start + i;
                const Count *begin = counts.data() + place * step + 1, *end = begin + step - 1;
                if (std::all_of(begin, end, [](Count count) { return count == 0; })) continue;
                visit(at_place.empty() ? (window.low + i) << window.dropped : at_place[place], begin);
            }
    }

  private:
    static constexpr std::size_t least_counts = 1 << 18;  // that may always be kept

    CANDIDE_INLINE std::size_t place_of(std::uint64_t rank) const {
        const Window& window = of_binade[binade_of(rank)];
        const std::uint64_t at = (rank >> window.dropped) - window.low;
        return at < window.width ? window.start + at : 0;
    }

    template <bool exact, bool weighted>
    Index count(const std::uint64_t* ranks, const std::int32_t* of_class, const double* weight, Index n,
                std::int32_t* left) {
        Count* const table = counts.data() + 1;  // behind class -1
        Index n_left = 0;
        for (Index i = 0; i < n; ++i) {
            std::size_t place = place_of(ranks[i]);
            if constexpr (exact) place = at_place[place] == ranks[i] ? place : 0;
            table[static_cast<Index>(place) * step + of_class[i]] += weighted ? static_cast<Count>(weight[i]) : Count{1};
            left[n_left] = static_cast<std::int32_t>(i);
            n_left += place == 0;
        }
        return n_left;
    }

    Index step;
    std::vector<Window> of_binade;
    std::vector<Count> counts;  // (places, 1 + K)
    Ranks at_place;             // of exact numbers: which of them it is
};

}  // namespace candide
