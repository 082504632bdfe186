// The combinations of a group where a place for each that may be is more than the rows are worth.
#pragma once

#include <memory>

#include "joint.hpp"

namespace candide {

// The bits of a number that tell a row's cells and, last, its class; and how many of the leading ones deal the rows out.
struct RowBits {
    int of_class, all, leading;
    std::vector<int> of_member;

    RowBits(const Members& members, Index n_classes)
        : of_class(std::bit_width(static_cast<std::uint64_t>(std::max<Index>(n_classes, 1) - 1))), all(of_class) {
        for (const std::int64_t n : members.n_cells) {
            of_member.push_back(std::bit_width(static_cast<std::uint64_t>(n - 1)));
            all += of_member.back();
        }
        constexpr Index together = 1024;  // rows on average, which the first-level cache holds twice
        constexpr int most = 11;          // more places than that are far from each other
        const int enough = std::bit_width(static_cast<std::uint64_t>(members.codes.rows / together));
        leading = std::min({enough, most, all - of_class});
    }
    int rest() const { return all - leading; }
};

// Each row is a number, with its weight where rows are weighed. Blocks of rows are read and dealt out by their leading bits
// to ranges of numbers, each of which is sorted by its other bits and counted by itself: rows of one combination and class
// in their order, so that sums of weights do not depend on the threads.
template <class Number, class Rest, bool weighed>
class SortedJoint {
  public:
    using Row = std::conditional_t<weighed, Weighed<Number>, Number>;
    using Dealt = std::conditional_t<weighed, Weighed<Rest>, Rest>;  // without the bits that tell its range

    SortedJoint(const Members& some_members, const Rows& some_rows, const RowBits& row_bits)
        : members(some_members), rows(some_rows), bits(row_bits), G(members.codes.columns),
          n_ranges(Index{1} << bits.leading), first(static_cast<std::size_t>(n_ranges + 1)) {
        Division division = divide(members.codes.rows, G + 1);
        division.blocks = division.threads;
        deal_out(division);
        division.blocks = std::min(n_ranges, division.threads * blocks_per_thread);
        parallel_rows(division, n_ranges, [&](Index, Index from, Index to) { sort(from, to); });
        std::partial_sum(first.begin(), first.end(), first.begin());
    }

    Index size() const { return first.back(); }

    // No more rows share a combination: what a byte can count, or two, or all of them.
    Index most_alike() const { return beyond_two ? begin.back() : beyond_byte ? most_of_two : most_of_byte; }

    // combinations (M, G) in order, and their counts (K, M), which are zero before
    template <class Count>
    void write(std::int32_t* combinations, Count* counts) const {
        Division division = divide(begin.back(), G + 1);
        division.blocks = std::min(n_ranges, division.threads * blocks_per_thread);
        parallel_rows(division, n_ranges, [&](Index, Index from, Index to) {
            std::vector<Rest> found;
            for (Index range = from; range < to; ++range) {
                found.resize(static_cast<std::size_t>(first[range + 1] - first[range] + 1));
                count(range, found.data(), counts + first[range]);
                spell_out(range, found.data(), combinations + first[range] * G);
            }
        });
    }

  private:
    static constexpr Index tile = 1024;
    static constexpr Index most_of_byte = std::numeric_limits<std::int8_t>::max();
    static constexpr Index most_of_two = std::numeric_limits<std::int16_t>::max();

    // What each block of rows holds, and how many of its rows each range has.
    struct Block {
        std::unique_ptr<Row[]> rows;
        Index size = 0;
        std::vector<Index> places;
    };

    void deal_out(const Division& division) {
        std::vector<Block> blocks(static_cast<std::size_t>(division.blocks));
        std::vector<Fault> faults(blocks.size());
        parallel_rows(division, members.codes.rows, [&](Index block, Index from, Index to) {
            faults[block] = read(from, to, blocks[block]);
        });
        report(faults, rows.n_classes);
        begin.push_back(0);
        for (Index range = 0; range < n_ranges; ++range) {
            Index place = begin.back();
            for (Block& block : blocks) place += std::exchange(block.places[range], place);
            begin.push_back(place);
        }
        dealt = std::make_unique_for_overwrite<Dealt[]>(static_cast<std::size_t>(begin.back()));
        parallel_rows(division, division.blocks, [&](Index block, Index, Index) {
            Block& from = blocks[block];
            for (Index i = 0; i < from.size; ++i)
                dealt[from.places[range_of(number_of(from.rows[i]))]++] = without_range(from.rows[i]);
            from.rows.reset();
        });
    }

    Fault read(Index from, Index to, Block& block) const {
        RowTiles row_tiles(rows, tile);
        std::int32_t codes[tile];
        Number number[tile];
        block.places.resize(static_cast<std::size_t>(n_ranges));
        block.rows = std::make_unique_for_overwrite<Row[]>(static_cast<std::size_t>(to - from));
        Row* next = block.rows.get();
        for (Index at = from; at < to; at += tile) {
            const Index size = std::min(tile, to - at);
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
                if (of_class[r] < 0) continue;
                const Number own = number[r] << bits.of_class | static_cast<Number>(of_class[r]);
                if constexpr (weighed) *next++ = {own, row_tiles.weight()[r]};
                else *next++ = own;
                ++block.places[range_of(own)];
            }
        }
        block.size = next - block.rows.get();
        return {};
    }

    // Sort some ranges, and find how many combinations each has.
    void sort(Index from, Index to) {
        std::vector<Dealt> other;
        for (Index range = from; range < to; ++range) {
            Dealt* const some = dealt.get() + begin[range];
            const Index n = begin[range + 1] - begin[range];
            sort_bits(some, n, bits.of_class, bits.rest(), other);
            Index found = n > 0;
            for (Index i = 1; i < n; ++i) found += (number_of(some[i]) ^ number_of(some[i - 1])) > last_class();
            first[range + 1] = found;
            const auto more_share_one = [&](Index most) {
                Index alike = 0;
                for (Index i = most; i < n; ++i)
                    alike += (number_of(some[i]) ^ number_of(some[i - most])) <= last_class();
                return alike > 0;
            };
            if (more_share_one(most_of_byte)) {
                beyond_byte = true;
                if (more_share_one(most_of_two)) beyond_two = true;
            }
        }
    }

    // The combinations of a range and, a class size() behind the other, their counts.
    template <class Count>
    void count(Index range, Rest* found, Count* counts) const {
        // without a branch: whether a row's combination is that of the one before cannot be foretold
        const Dealt *row = dealt.get() + begin[range], *const end = dealt.get() + begin[range + 1];
        const Index M = size();
        const int of_class = bits.of_class;
        const Rest classes = last_class();
        Rest before = row < end ? number_of(*row) >> of_class : 0;
        *found = before;
        for (; row < end; ++row) {
            const Rest combination = number_of(*row) >> of_class;
            const bool another = combination != before;
            found += another, counts += another;
            *found = before = combination;
            counts[static_cast<Index>(number_of(*row) & classes) * M] += static_cast<Count>(weight_of(*row));
        }
    }

    void spell_out(Index range, const Rest* found, std::int32_t* cells) const {
        const Number leading = static_cast<Number>(range) << (bits.rest() - bits.of_class);
        const Index n = first[range + 1] - first[range];
        int shift = bits.all - bits.of_class;
        for (Index g = 0; g < G; ++g) {
            shift -= bits.of_member[g];
            const Number digits = (Number{1} << bits.of_member[g]) - 1;
            for (Index i = 0; i < n; ++i) cells[i * G + g] = static_cast<std::int32_t>((leading | found[i]) >> shift & digits);
        }
    }

    Index range_of(Number number) const { return static_cast<Index>(number >> bits.rest()); }
    Dealt without_range(const Row& row) const {
        const Rest rest = static_cast<Rest>(number_of(row) & ((Number{1} << bits.rest()) - 1));
        if constexpr (weighed) return {rest, row.weight};
        else return rest;
    }
    Rest last_class() const { return (Rest{1} << bits.of_class) - 1; }

    const Members& members;
    const Rows& rows;
    const RowBits& bits;
    const Index G, n_ranges;
    std::atomic<bool> beyond_byte = false, beyond_two = false;
    std::unique_ptr<Dealt[]> dealt;
    std::vector<Index> begin;  // of each range among the rows, and their number
    std::vector<Index> first;  // combination of each range, and their number
};

}  // namespace candide
