// The words of several lists as one, in order.
#pragma once

#include <optional>

#include "parallel.hpp"
#include "text_words.hpp"

namespace candide {

// Words in the order of their bytes.
struct Spelt {
    std::vector<char> bytes;
    std::vector<std::int64_t> word_starts;
};

namespace detail {

// A word of one of several lists: which list, its number there, and whether it is the first among those that are equal.
struct Owner {
    static constexpr std::size_t first = std::size_t{1} << 63;
    static std::size_t of(std::size_t list, std::size_t number) { return list << 32 | number; }
    static std::size_t list(const Keyed& key) { return (key.owner & ~first) >> 32; }
    static Index number(const Keyed& key) { return static_cast<Index>(key.owner & 0xffffffffu); }
};

// Words whose beginnings are those of one range, of all lists in one order: their bytes, and how many of them differ.
class RangeOfWords {
  public:
    RangeOfWords(const std::vector<WordList>& all, std::vector<Keyed> in_order) : lists(all), keys(std::move(in_order)) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::string_view here = word(keys[i]);
            if (i && keys[i].key == keys[i - 1].key && here == word(keys[i - 1])) continue;
            keys[i].owner |= Owner::first;
            ++words, bytes += here.size();
        }
    }
    std::size_t words = 0, bytes = 0;

    // Put the words behind others, and the number that each has among all.
    void put(std::size_t words_before, std::size_t bytes_before, Spelt& out,
             std::vector<std::vector<std::int32_t>>& numbers) const {
        const std::size_t end = bytes_before + bytes;
        for (const Keyed& key : keys) {
            if (key.owner & Owner::first) {
                const std::string_view here = word(key);
                char* const to = out.bytes.data() + bytes_before;
                constexpr std::size_t step = 24;  // more than most words: copied at once, the next ones over it
                const bool inside = lists[Owner::list(key)].reaches(Owner::number(key), step) && bytes_before + step <= end;
                if (here.size() <= step && inside) std::memcpy(to, here.data(), step);
                else std::copy(here.begin(), here.end(), to);
                bytes_before += here.size();
                out.word_starts[++words_before] = static_cast<std::int64_t>(bytes_before);
            }
            numbers[Owner::list(key)][Owner::number(key)] = static_cast<std::int32_t>(words_before) - 1;
        }
    }

  private:
    std::string_view word(const Keyed& key) const { return lists[Owner::list(key)][Owner::number(key)]; }
    const std::vector<WordList>& lists;
    std::vector<Keyed> keys;
};

// A range of some lists in order, merged.
inline std::vector<Keyed> merged(const std::vector<WordList>& lists, const std::vector<std::vector<Keyed>>& sorted,
                                 const std::vector<std::size_t>& begin, const std::vector<std::size_t>& end) {
    const auto word = [&](const Keyed& key) { return lists[Owner::list(key)][Owner::number(key)]; };
    const auto less = [&](const Keyed& a, const Keyed& b) { return a.key != b.key ? a.key < b.key : word(a) < word(b); };
    std::vector<Keyed> out(sorted[0].begin() + begin[0], sorted[0].begin() + end[0]), both;
    for (std::size_t t = 1; t < sorted.size(); ++t) {
        both.resize(out.size() + end[t] - begin[t]);
        std::merge(out.begin(), out.end(), sorted[t].begin() + begin[t], sorted[t].begin() + end[t], both.begin(), less);
        out.swap(both);
    }
    return out;
}

// All words in their order, each once, and for each list the number that each of its words has among them: every list's
// words are sorted by themselves, then merged, so that equal ones stand beside each other, by ranges of their beginnings.
inline std::vector<std::vector<std::int32_t>> unite(const std::vector<WordList>& lists, Spelt& out) {
    const std::size_t n = lists.size();
    std::vector<std::vector<std::int32_t>> numbers(n);
    std::vector<std::vector<Keyed>> sorted(n);
    const auto each = [](std::size_t parts, auto&& body) {
        const auto count = static_cast<Index>(parts);
        guarded_rows({static_cast<int>(count), count}, count, [&](Index part, Index, Index) { body(static_cast<std::size_t>(part)); });
    };
    each(n, [&](std::size_t t) {
        sorted[t] = sorted_keys(lists[t]);
        for (Keyed& key : sorted[t]) key.owner = Owner::of(t, key.owner);
        numbers[t].resize(sorted[t].size());
    });
    constexpr std::size_t repays = 1 << 11;  // words: as many are merged in a tenth of a millisecond
    const std::size_t ranges = std::clamp<std::size_t>(sorted[0].size() / repays, 1, n);
    std::vector<std::vector<std::size_t>> ends(ranges + 1, std::vector<std::size_t>(n));
    for (std::size_t t = 0; t < n; ++t) {
        ends[ranges][t] = sorted[t].size();
        for (std::size_t r = 1; r < ranges; ++r) {
            const std::uint64_t from = sorted[0][sorted[0].size() * r / ranges].key;
            const auto below = [](const Keyed& key, std::uint64_t bound) { return key.key < bound; };
            ends[r][t] = static_cast<std::size_t>(
                std::lower_bound(sorted[t].begin(), sorted[t].end(), from, below) - sorted[t].begin());
        }
    }
    std::vector<std::optional<RangeOfWords>> parts(ranges);
    each(ranges, [&](std::size_t r) { parts[r].emplace(lists, merged(lists, sorted, ends[r], ends[r + 1])); });
    std::vector<std::size_t> words(ranges + 1), bytes(ranges + 1);
    for (std::size_t r = 0; r < ranges; ++r)
        words[r + 1] = words[r] + parts[r]->words, bytes[r + 1] = bytes[r] + parts[r]->bytes;
    out.bytes.resize(bytes[ranges]);
    out.word_starts.assign(words[ranges] + 1, 0);
    each(ranges, [&](std::size_t r) { parts[r]->put(words[r], bytes[r], out, numbers); });
    return numbers;
}
inline std::vector<std::vector<std::int32_t>> unite(const std::vector<WordTable>& tables, Spelt& out) {
    std::vector<WordList> lists;
    for (const WordTable& table : tables) lists.push_back(table.list());
    return unite(lists, out);
}


// The same of buckets that hold something.
inline std::vector<std::vector<std::int32_t>> unite(const std::vector<NumberedBuckets>& tables, std::vector<std::int32_t>& out) {
    std::vector<std::vector<std::int32_t>> numbers;
    std::vector<Keyed> keys;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        numbers.emplace_back(tables[t].size());
        for (std::size_t i = 0; i < tables[t].size(); ++i) keys.push_back({static_cast<std::uint64_t>(tables[t].keys()[i]), Owner::of(t, i)});
    }
    sort_keys(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i].key != keys[i - 1].key) out.push_back(static_cast<std::int32_t>(keys[i].key));
        numbers[Owner::list(keys[i])][Owner::number(keys[i])] = static_cast<std::int32_t>(out.size()) - 1;
    }
    return numbers;
}

}  // namespace detail

}  // namespace candide
