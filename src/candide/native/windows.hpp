// A quick way from numbers to the cells of a lattice.
#pragma once

#include "lattice.hpp"

namespace candide {

// The cells of each binade that lie close together, to be looked up by their places.
class Windows {
  public:
    static constexpr std::int32_t unknown = -1;

    // Cells ascend and are numbered from 0.
    Windows(const Ranks& cells, const Lattice& lattice) : of_binade(n_binades) {
        for (std::size_t begin = 0, end; begin < cells.size(); begin = end) {
            const int d = lattice.dropped(cells[begin]);
            end = binade_end(cells, begin);
            const std::uint64_t low = cells[begin] >> d, width = (cells[end - 1] >> d) - low + 1;
            if (width > widest * (end - begin)) continue;
            const auto start = static_cast<std::uint32_t>(numbers.size());
            of_binade[binade_of(cells[begin])] = {low, start, static_cast<std::uint32_t>(width), d};
            numbers.resize(numbers.size() + width, unknown);
            for (std::size_t i = begin; i < end; ++i)
                numbers[start + (cells[i] >> d) - low] = static_cast<std::int32_t>(i);
        }
    }

    // Where the number of a rank's cell is kept; null outside the windows.
    std::int32_t* find(std::uint64_t rank) {
        const Window& window = of_binade[binade_of(rank)];
        const std::uint64_t at = (rank >> window.dropped) - window.low;
        return at < window.width ? numbers.data() + window.start + at : nullptr;
    }

  private:
    static constexpr std::size_t widest = 8;  // places per cell
    struct Window {
        std::uint64_t low = 0;
        std::uint32_t start = 0, width = 0;
        int dropped = 0;
    };

    std::vector<Window> of_binade;
    std::vector<std::int32_t> numbers;
};

}  // namespace candide
