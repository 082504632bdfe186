// The combinations of a group where a place for each that may be is more than the rows are worth.
#pragma once

#include "joint.hpp"

namespace candide {

// The bits of a number that tell a row's cells and, last, its class.
struct RowBits {
    int of_class, all;
    std::vector<int> of_member;

    RowBits(const Members& members, Index n_classes)
        : of_class(std::bit_width(static_cast<std::uint64_t>(std::max<Index>(n_classes, 1) - 1))), all(of_class) {
        for (const std::int64_t n : members.n_cells) {
            of_member.push_back(std::bit_width(static_cast<std::uint64_t>(n - 1)));
            all += of_member.back();
        }
    }
};

// Each row is a number. Blocks of rows are read, and as many ranges of numbers sorted and counted, each by itself.
template <class Number>
class SortedJoint {
  public:
    SortedJoint(const Members& some_members, const Rows& some_rows, const RowBits& row_bits)
        : members(some_members), rows(some_rows), bits(row_bits), G(members.codes.columns) {
        Division division = divide(members.codes.rows, G + 1);
        division.blocks = division.threads;
        const auto n_blocks = static_cast<std::size_t>(division.blocks);
        std::vector<Numbers> blocks(n_blocks);
        std::vector<Fault> faults(n_blocks);
        parallel_rows(division, members.codes.rows, [&](Index block, Index begin, Index end) {
            faults[block] = read(begin, end, blocks[block]);
        });
        report(faults, rows.n_classes);
        ranges.resize(n_blocks), first.resize(n_blocks + 1);
        const Numbers least = least_of_ranges(blocks);
        parallel_rows(division, division.blocks, [&](Index, Index begin, Index end) {
            for (Index range = begin; range < end; ++range) {
                ranges[range] = n_blocks == 1 ? std::move(blocks[0]) : in_range(blocks, least[range], least[range + 1]);
                sort_keys(ranges[range]);
                first[range + 1] = n_combinations(ranges[range]);
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
                // without a branch: whether a row's combination is that of the one before cannot be foretold
                Index m = first[range] - 1;
                Number before = ~Number{0};  // no combination: a bit of a number is free
                for (const Number number : ranges[range]) {
                    const auto combination = static_cast<Number>(number >> bits.of_class);
                    m += combination != before;
                    before = combination;
                    spell_out(combination, combinations + m * G);
                    ++counts[static_cast<Index>(number & last_class()) * size() + m];
                }
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
                    number[r] = number[r] << bits.of_member[g] | static_cast<Number>(codes[r] + 1);
                }
            }
            const std::int32_t* const of_class = row_tiles.of_class();
            if (beyond < 0)
                if (const Fault fault = first_beyond(members, of_class, at, size)) return fault;
            for (Index r = 0; r < size; ++r) {
                *to = number[r] << bits.of_class | static_cast<Number>(of_class[r]);
                to += of_class[r] >= 0;
            }
        }
        numbers.resize(static_cast<std::size_t>(to - numbers.data()));
        return {};
    }

    // The least number of each range, and one above all: of some rows there are about as many in each. A combination is in
    // one range.
    Numbers least_of_ranges(const std::vector<Numbers>& blocks) const {
        constexpr std::size_t of_block = 512;
        Numbers some;
        for (const Numbers& block : blocks)
            for (std::size_t i = 0; i < of_block && !block.empty(); ++i) some.push_back(block[block.size() * i / of_block]);
        std::sort(some.begin(), some.end());
        Numbers least(blocks.size() + 1, ~Number{0});
        for (std::size_t range = 0; range < blocks.size() && !some.empty(); ++range)
            least[range] = range ? some[some.size() * range / blocks.size()] & ~last_class() : Number{0};
        return least;
    }

    static Numbers in_range(const std::vector<Numbers>& blocks, Number least, Number beyond) {
        Numbers found;
        for (const Numbers& block : blocks) {
            std::size_t n = found.size();
            found.resize(n + block.size() + 1);
            for (const Number number : block) {
                found[n] = number;
                n += number >= least && number < beyond;
            }
            found.resize(n);
        }
        return found;
    }

    Index n_combinations(const Numbers& numbers) const {
        Index n = !numbers.empty();
        for (std::size_t i = 1; i < numbers.size(); ++i) n += (numbers[i] ^ numbers[i - 1]) > last_class();
        return n;
    }

    void spell_out(Number combination, std::int64_t* cells) const {
        for (Index g = G; g-- > 0; combination >>= bits.of_member[g])
            cells[g] = static_cast<std::int64_t>(combination & ((Number{1} << bits.of_member[g]) - 1));
    }

    Number last_class() const { return (Number{1} << bits.of_class) - 1; }

    const Members& members;
    const Rows& rows;
    const RowBits& bits;
    const Index G;
    std::vector<Numbers> ranges;
    std::vector<Index> first;  // combination of each range, and their number
};

}  // namespace candide
