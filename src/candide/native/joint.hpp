// The combinations of cells in which the members of a group are seen together.
#pragma once

#include "counts.hpp"
#include "keys.hpp"

namespace candide {

// Codes of the members, and how many cells each has: one for missing, code -1, and one for each level.
struct Members {
    Matrix codes;
    std::vector<std::int64_t> n_cells;
};

// Members from .. to - 1, which join a combination of those before them as the digits of a key: rank * radix + digits.
// The order of keys is that of combinations, so a combination is known by its rank, and more members can join it.
struct Step {
    Index from, to;
    std::int64_t radix;
};

// As many members at a time as leave keys below 2^62.
inline std::vector<Step> steps_of(const Members& members) {
    const auto limit = static_cast<double>(std::int64_t{1} << 62);
    std::vector<Step> steps{{0, 0, 1}};
    double most = 1;
    for (const std::int64_t n : members.n_cells) {
        const bool fits = most * static_cast<double>(n) < limit;
        if (!fits) {
            most = static_cast<double>(members.codes.rows + 1);
            steps.push_back({steps.back().to, steps.back().to, 1});
        }
        most *= static_cast<double>(n);
        steps.back().radix *= n;
        ++steps.back().to;
    }
    return steps;
}

// Keys that are few: a key is its own number.
class FewKeys {
  public:
    explicit FewKeys(std::int64_t limit) : seen(static_cast<std::size_t>(limit)) {}

    std::int64_t number(std::uint64_t key) {
        seen[key] = 1;
        return static_cast<std::int64_t>(key);
    }
    std::size_t numbers() const { return seen.size(); }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t key = 0; key < seen.size(); ++key)
            if (seen[key]) visit(key, std::uint64_t{key});
    }

  private:
    std::vector<std::uint8_t> seen;
};

class ManyKeys {
  public:
    std::int64_t number(std::uint64_t key) { return keys.number(key); }
    std::size_t numbers() const { return keys.keys().size(); }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < keys.keys().size(); ++i) visit(i, keys.keys()[i]);
    }

  private:
    KeyNumbers keys;
};

// The first code beyond the levels of its member, among the rows of a tile that count.
inline Fault first_beyond(const Members& members, const std::int32_t* of_class, Index first, Index size) {
    const Index G = members.codes.columns;
    std::vector<std::int32_t> codes(static_cast<std::size_t>(size * G));
    loops().read_codes(members.codes, first, size, codes.data());
    for (Index r = 0; r < size; ++r)
        for (Index g = 0; g < G && of_class[r] >= 0; ++g)
            if (codes[r * G + g] + 1 >= members.n_cells[g]) return {Problem::code, first + r, g};
    return {};
}

// Combinations and their counts (K, M), where nobody asks for those of the rows.
struct JointCounts {
    std::vector<std::int32_t> combinations;
    std::vector<std::int64_t> counts;
    Index size;
};

// How many combinations may be; no number where a place for each and every class is more than the rows are worth: half of
// these, by measurement, beyond the few that always are.
inline std::optional<Index> few_combinations(const Members& members, Index n_classes) {
    const Index most = std::max<Index>(4096, members.codes.rows / 2) / std::max<Index>(n_classes, 1);
    Index product = 1;
    for (const std::int64_t n : members.n_cells)
        if ((product *= n) > most) return {};
    return product;
}

// Count rows without weights in one pass: the cells of a row are the digits of its place in a table of all combinations.
inline JointCounts few_joint_counts(const Members& members, Index product, const Rows& rows) {
    const Matrix& codes = members.codes;
    const Index G = codes.columns, K = rows.n_classes, tile = tile_rows(2);
    const auto encoder = [&] {
        return [&, part = std::vector<std::int32_t>(static_cast<std::size_t>(tile))](
                   Index first, Index size, Index, std::int32_t* places, const std::int32_t* of_class) mutable {
            std::fill_n(places, size, 0);
            std::int32_t beyond = 0;  // its sign, since this becomes vectors of any machine
            for (Index g = 0; g < G; ++g) {
                loops().read_codes(codes.some_columns(g, 1), first, size, part.data());
                const auto greatest = static_cast<std::int32_t>(members.n_cells[g]) - 2;
                for (Index r = 0; r < size; ++r) {
                    beyond |= greatest - part[r];
                    places[r] = places[r] * (greatest + 2) + std::min(part[r], greatest) + 1;
                }
            }
            return beyond < 0 ? first_beyond(members, of_class, first, size) : Fault{};
        };
    };
    const std::vector<std::int32_t> slots{0, static_cast<std::int32_t>(product + 1)};
    std::vector<std::int64_t> every(static_cast<std::size_t>(K * product)), none(static_cast<std::size_t>(K));
    const Division division = divide(codes.rows, G + 1, K * slots.back());
    count_rows(codes.rows, slots, rows, tile, 1, division, encoder, every.data(), none.data());
    JointCounts out{};
    std::vector<Index> seen;
    for (Index p = 0; p < product; ++p) {
        std::int64_t n = 0;
        for (Index k = 0; k < K; ++k) n += every[k * product + p];
        if (n) seen.push_back(p);
    }
    out.size = static_cast<Index>(seen.size());
    out.combinations.resize(seen.size() * static_cast<std::size_t>(G));
    for (std::size_t i = 0; i < seen.size(); ++i)
        for (Index g = G, digits = seen[i]; g-- > 0; digits /= members.n_cells[g])
            out.combinations[i * G + g] = static_cast<std::int32_t>(digits % members.n_cells[g]);
    for (Index k = 0; k < K; ++k)
        for (const Index p : seen) out.counts.push_back(every[k * product + p]);
    return out;
}

// Gives every row that counts the rank of its combination, or -1, step by step.
class Joint {
  public:
    Joint(const Members& some_members, const Rows& some_rows, std::int64_t* ranks)
        : members(some_members), rows(some_rows), n(members.codes.rows), G(members.codes.columns), place(ranks) {
        for (const Step& step : steps_of(members)) {
            const bool few = static_cast<double>(M) * static_cast<double>(step.radix) <= most_places();
            few ? join(step, FewKeys(M * step.radix)) : join(step, ManyKeys());
        }
    }

    Index size() const { return M; }
    const std::vector<std::int32_t>& cells() const { return combinations; }  // (M, G)

  private:
    double most_places() const { return static_cast<double>(std::min<Index>(1 << 16, 4096 + 4 * n)); }

    template <class Keys>
    void join(const Step& step, const Keys& none) {
        Division division = divide(n, G + 1, static_cast<Index>(none.numbers()));
        division.blocks = division.threads;
        std::vector<Keys> parts(static_cast<std::size_t>(division.blocks), none);
        std::vector<Fault> faults(parts.size());
        parallel_rows(division, n, [&](Index block, Index begin, Index end) {
            faults[block] = number(step, begin, end, parts[block]);
        });
        report(faults, rows.n_classes);
        const std::vector<std::vector<std::int64_t>> ranks = rank(step, parts);
        parallel_rows(division, n, [&](Index block, Index begin, Index end) {
            const std::int64_t* of_number = ranks[block].data();
            for (Index r = begin; r < end; ++r) place[r] = place[r] < 0 ? -1 : of_number[place[r]];
        });
    }

    // Each row's place becomes the number of its key among those of the block. The first step finds which rows count,
    // and checks all codes.
    template <class Keys>
    Fault number(const Step& step, Index begin, Index end, Keys& keys) {
        RowTiles row_tiles(rows, tile);
        std::vector<std::int32_t> codes(static_cast<std::size_t>(tile * G));
        std::int64_t key[tile];
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            std::int64_t* places = place + first;
            loops().read_codes(members.codes, first, size, codes.data());
            if (step.from == 0) {
                Fault fault = row_tiles.read(first, size);
                if (!fault && any_beyond(codes.data(), size))
                    fault = first_beyond(members, row_tiles.of_class(), first, size);
                if (fault) return fault;
                for (Index r = 0; r < size; ++r) places[r] = std::min(row_tiles.of_class()[r], 0);
            }
            std::copy_n(places, size, key);
            for (Index g = step.from; g < step.to; ++g)
                for (Index r = 0; r < size; ++r) key[r] = key[r] * members.n_cells[g] + codes[r * G + g] + 1;
            for (Index r = 0; r < size; ++r)
                places[r] = places[r] < 0 ? -1 : keys.number(static_cast<std::uint64_t>(key[r]));
        }
        return {};
    }

    bool any_beyond(const std::int32_t* codes, Index size) const {
        int beyond = 0;
        for (Index g = 0; g < G; ++g)
            for (Index r = 0; r < size; ++r) beyond |= codes[r * G + g] + 1 >= members.n_cells[g];
        return beyond;
    }

    // The rank of each number of each part.
    template <class Keys>
    std::vector<std::vector<std::int64_t>> rank(const Step& step, const std::vector<Keys>& parts) {
        std::vector<Keyed> keyed;
        std::vector<std::vector<std::int64_t>> ranks;
        for (const Keys& part : parts) {
            const std::size_t at = ranks.size();
            part.each([&](std::size_t i, std::uint64_t key) { keyed.push_back({key, i * parts.size() + at}); });
            ranks.emplace_back(part.numbers());
        }
        sort_keys(keyed);
        std::vector<std::uint64_t> keys;
        for (const auto& [key, owner] : keyed) {
            if (keys.empty() || keys.back() != key) keys.push_back(key);
            ranks[owner % parts.size()][owner / parts.size()] = static_cast<std::int64_t>(keys.size()) - 1;
        }
        spell_out(step, keys);
        return ranks;
    }

    // The cells of the combinations so far, from those before and the digits of the keys.
    void spell_out(const Step& step, const std::vector<std::uint64_t>& keys) {
        std::vector<std::int32_t> longer(keys.size() * static_cast<std::size_t>(step.to));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            auto key = static_cast<std::int64_t>(keys[i]);
            std::int32_t* to = longer.data() + static_cast<Index>(i) * step.to;
            for (Index g = step.to; g-- > step.from; key /= members.n_cells[g])
                to[g] = static_cast<std::int32_t>(key % members.n_cells[g]);
            std::copy_n(combinations.begin() + key * step.from, step.from, to);
        }
        combinations = std::move(longer), M = static_cast<Index>(keys.size());
    }

    static constexpr Index tile = 1024;

    const Members& members;
    const Rows& rows;
    const Index n, G;
    std::int64_t* place;
    Index M = 1;  // no member yet: all rows are alike
    std::vector<std::int32_t> combinations;
};

}  // namespace candide
