// The combinations of a group where a place for each that may be is more than the rows are worth.
#pragma once

#include "joint.hpp"

namespace candide {

// Each row is a number, whose digits are its cells and, last, its class. Numbers are sorted, block by block, and those of
// a range of numbers are then counted together, as many ranges as blocks.
template <class Number>
class SortedJoint {
  public:
    SortedJoint(const Members& some_members, const Rows& some_rows)
        : members(some_members), rows(some_rows), G(members.codes.columns),
          K(std::max<Index>(rows.n_classes, 1)) {
        Division division = divide(members.codes.rows, G + 1);
        division.blocks = division.threads;
        const auto n_blocks = static_cast<std::size_t>(division.blocks);
        std::vector<Numbers> blocks(n_blocks);
        std::vector<Fault> faults(n_blocks);
        parallel_rows(division, members.codes.rows, [&](Index block, Index begin, Index end) {
            faults[block] = read(begin, end, blocks[block]);
            sort_keys(blocks[block]);
        });
        report(faults, K);
        ranges.resize(n_blocks), first.resize(n_blocks + 1);
        parallel_rows(division, division.blocks, [&](Index, Index begin, Index end) {
            for (Index range = begin; range < end; ++range) {
                ranges[range] = n_blocks == 1 ? std::move(blocks[0]) : in_range(blocks, range);
                each_combination(ranges[range], [&](Number, std::size_t, std::size_t) { ++first[range + 1]; });
            }
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
    }

    Index size() const { return first.back(); }

    // combinations (M, G) in order, and their counts (K, M), which are zero before
    void write(std::int64_t* combinations, std::int64_t* counts) const {
        const auto n = static_cast<Index>(ranges.size());
        parallel_rows({static_cast<int>(n), n}, n, [&](Index, Index begin, Index end) {
            for (Index range = begin; range < end; ++range) {
                Index m = first[range];
                each_combination(ranges[range], [&](Number combination, std::size_t from, std::size_t to) {
                    spell_out(combination, combinations + m * G);
                    const Number least = combination * static_cast<Number>(K);
                    for (std::size_t i = from; i < to; ++i)
                        ++counts[static_cast<Index>(ranges[range][i] - least) * size() + m];
                    ++m;
                });
            }
        });
    }

  private:
    using Numbers = std::vector<Number>;
    static constexpr Index tile = 1024;

    Fault read(Index begin, Index end, Numbers& numbers) const {
        RowTiles row_tiles(rows, tile);
        std::int32_t codes[tile];
        Number number[tile];
        numbers.resize(static_cast<std::size_t>(end - begin));
        Number* to = numbers.data();
        for (Index at = begin; at < end; at += tile) {
            const Index size = std::min(tile, end - at);
            if (const Fault fault = row_tiles.read(at, size)) return fault;
            std::fill_n(number, size, Number{0});
            std::int32_t beyond = 0;  // its sign, since this becomes vectors of any machine
            for (Index g = 0; g < G; ++g) {
                loops().read_codes(members.codes.some_columns(g, 1), at, size, codes);
                const auto greatest = static_cast<std::int32_t>(members.n_cells[g]) - 2;
                for (Index r = 0; r < size; ++r) {
                    beyond |= greatest - codes[r];
                    number[r] = number[r] * static_cast<Number>(greatest + 2) + static_cast<Number>(codes[r] + 1);
                }
            }
            const std::int32_t* const of_class = row_tiles.of_class();
            if (beyond < 0)
                if (const Fault fault = first_beyond(members, of_class, at, size)) return fault;
            for (Index r = 0; r < size; ++r) {
                *to = number[r] * static_cast<Number>(K) + static_cast<Number>(of_class[r]);
                to += of_class[r] >= 0;
            }
        }
        numbers.resize(static_cast<std::size_t>(to - numbers.data()));
        return {};
    }

    // The least number of a range: one of the first block's, which is like the others; a combination is in one range.
    Number least(const Numbers& block, Index range, std::size_t n_ranges) const {
        if (range == 0 || block.empty()) return 0;
        return block[block.size() * static_cast<std::size_t>(range) / n_ranges] / static_cast<Number>(K) *
               static_cast<Number>(K);
    }

    Numbers in_range(const std::vector<Numbers>& blocks, Index range) const {
        Numbers merged, longer;
        for (const Numbers& block : blocks) {
            const auto from = std::lower_bound(block.begin(), block.end(), least(blocks[0], range, blocks.size()));
            const bool last = range + 1 == static_cast<Index>(blocks.size());
            const auto to = last ? block.end()
                                 : std::lower_bound(from, block.end(), least(blocks[0], range + 1, blocks.size()));
            longer.resize(merged.size() + static_cast<std::size_t>(to - from));
            std::merge(merged.begin(), merged.end(), from, to, longer.begin());
            merged.swap(longer);
        }
        return merged;
    }

    // visit(combination, from, to) for every range of sorted numbers that are of one.
    template <class Visit>
    void each_combination(const Numbers& numbers, Visit&& visit) const {
        for (std::size_t from = 0, to; from < numbers.size(); from = to) {
            const Number combination = numbers[from] / static_cast<Number>(K);
            const Number last = combination * static_cast<Number>(K) + static_cast<Number>(K - 1);
            for (to = from + 1; to < numbers.size() && numbers[to] <= last;) ++to;
            visit(combination, from, to);
        }
    }

    void spell_out(Number combination, std::int64_t* cells) const {
        for (Index g = G; g-- > 0;) {
            const auto n = static_cast<Number>(members.n_cells[g]);
            cells[g] = static_cast<std::int64_t>(combination % n);
            combination /= n;
        }
    }

    const Members& members;
    const Rows& rows;
    const Index G, K;
    std::vector<Numbers> ranges;
    std::vector<Index> first;  // combination of each range, and their number
};

// How many different numbers rows may be; more than a number can tell where there is none.
inline std::optional<std::uint64_t> n_numbers(const Members& members, Index n_classes) {
    constexpr auto limit = static_cast<double>(std::uint64_t{1} << 62);
    auto product = static_cast<std::uint64_t>(std::max<Index>(n_classes, 1));
    for (const std::int64_t n : members.n_cells) {
        if (static_cast<double>(product) * static_cast<double>(n) >= limit) return {};
        product *= static_cast<std::uint64_t>(n);
    }
    return product;
}

}  // namespace candide
