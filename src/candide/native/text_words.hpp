// Words numbered as they come: their bytes in one row, and a table that finds them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "keys.hpp"
#include "large_pages.hpp"

namespace candide {

// Words one behind the other; word i ends where word i + 1 begins.
struct WordList {
    const char* bytes;
    const std::int64_t* starts;
    Index size;
    std::string_view operator[](Index i) const {
        return {bytes + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
    }
    // The place of a word where they are in order, or -1.
    Index seek(std::string_view word) const {
        const auto less = [this](const std::int64_t& start, std::string_view other) { return (*this)[&start - starts] < other; };
        const Index at = std::lower_bound(starts, starts + size, word, less) - starts;
        return at < size && (*this)[at] == word ? at : -1;
    }
    // Whether so many bytes can be read from where a word begins.
    bool reaches(Index i, std::size_t n) const { return starts[i] + static_cast<std::int64_t>(n) <= starts[size]; }
    // Whether a word lies within the bytes, where not all were looked at before.
    bool holds(Index i) const {
        return i >= 0 && i < size && starts[i] >= 0 && starts[i] <= starts[i + 1] && starts[i + 1] <= starts[size];
    }
};

// A hash that is the same on every machine, since buckets go by it: 8 bytes at a time, mixed by wide products.
inline std::uint64_t fold_product(std::uint64_t a, std::uint64_t b) {
    const auto wide = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64);
}
inline std::uint64_t load(const char* at, std::size_t n) {
    std::uint64_t out = 0;
    if (n == 8) std::memcpy(&out, at, 8);
    else for (std::size_t i = 0; i < n; ++i) out |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(at[i])) << 8 * i;
    return out;
}
inline std::uint64_t hash_word(std::string_view word) {
    std::uint64_t h = 0x9e3779b97f4a7c15u ^ (word.size() * 0xd1342543de82ef95u);
    std::size_t at = 0;
    for (; at + 8 <= word.size(); at += 8) h = fold_product(h ^ load(word.data() + at, 8), 0xa0761d6478bd642fu);
    const std::uint64_t rest = load(word.data() + at, word.size() - at);
    return fold_product(h ^ rest, 0xe7037ed1a0b428dbu);
}
static_assert(std::endian::native == std::endian::little, "words are hashed by little-endian loads");

// A word as it is compared: its bytes and their number, or the first 23 and a mark where there are more.
struct WordKey {
    static constexpr std::size_t longest = 23;
    std::uint64_t part[3];

    WordKey() = default;
    // of a word behind which 24 bytes can be read
    WordKey(const char* word, std::size_t n) {
        std::memcpy(part, word, sizeof part);
        const std::size_t inside = std::min(n, longest);
        for (std::size_t i = 0; i < 3; ++i) part[i] &= masks[inside][i];
        part[2] |= static_cast<std::uint64_t>(n > longest ? 0xff : n) << 56;
    }
    bool operator==(const WordKey& other) const {
        return ((part[0] ^ other.part[0]) | (part[1] ^ other.part[1]) | (part[2] ^ other.part[2])) == 0;
    }
    bool whole() const { return part[2] >> 56 != 0xff; }
    // the hash by which a table finds a whole word: of all parts at once, so that nothing waits for how many there are
    std::uint64_t place() const {
        return fold_product(part[0] ^ part[1] * 0xa0761d6478bd642fu ^ part[2] * 0xe7037ed1a0b428dbu, 0x9e3779b97f4a7c15u);
    }
    // the hash by which a whole word is thrown into buckets
    std::uint64_t hash() const {
        const std::size_t n = part[2] >> 56;
        std::uint64_t h = 0x9e3779b97f4a7c15u ^ (n * 0xd1342543de82ef95u);
        const std::size_t full = n / 8;
        for (std::size_t i = 0; i < full; ++i) h = fold_product(h ^ part[i], 0xa0761d6478bd642fu);
        const std::uint64_t rest = full == 2 ? part[2] & ~std::uint64_t{0} >> 8 : part[full];
        return fold_product(h ^ rest, 0xe7037ed1a0b428dbu);
    }

  private:
    static constexpr auto masks = [] {
        std::array<std::array<std::uint64_t, 3>, longest + 1> out{};
        for (std::size_t n = 0; n <= longest; ++n)
            for (std::size_t i = 0; i < n; ++i) out[n][i / 8] |= std::uint64_t{0xff} << i % 8 * 8;
        return out;
    }();
};

// The hash by which a table finds any word.
inline std::uint64_t place_of(const WordKey& key, std::string_view word) {
    return key.whole() ? key.place() : hash_word(word);
}

// A slot holds its word's key, so that all but very long words are found in one place, the upper half of the word's hash,
// by which slots go, and below it the word's number + 1, or nothing.
struct Slot {
    WordKey key{};
    std::uint64_t entry = 0;
    bool empty() const { return entry == 0; }
    std::int32_t number() const { return static_cast<std::int32_t>(entry & 0xffffffffu) - 1; }
};

inline std::uint64_t slot_entry(std::uint64_t hash, Index number) {
    return (hash & 0xffffffff00000000u) | static_cast<std::uint64_t>(number + 1);
}

// Slots by open addressing, as many as a power of two, a quarter of them empty at the least.
inline std::size_t slots_for(Index words) {
    return std::bit_ceil(std::max<std::size_t>(64, static_cast<std::size_t>(words) * 4 / 3 + 1));
}
template <class S>
struct SlotTable {
    S* slots;
    std::size_t size;

    std::size_t first(std::uint64_t hash) const { return hash >> 32 & (size - 1); }

    // Fetch the place of a word before it is asked for.
    void fetch(std::uint64_t hash) const { __builtin_prefetch(&slots[first(hash)]); }

    // The slot of a word, or the empty one where it would be; same(number) tells words with the same beginning apart.
    template <class Same>
    std::size_t find(const WordKey& key, std::uint64_t hash, Same&& same) const {
        for (std::size_t at = first(hash);; at = (at + 1) & (size - 1)) {  // ends: a quarter is empty
            if (slots[at].key == key
                && (key.whole() || (slots[at].entry >> 32 == hash >> 32 && same(slots[at].number()))))
                return at;
            if (slots[at].empty()) return at;
        }
    }
};
using Slots = SlotTable<const Slot>;

// How many words so many bytes of text are likely to have: they become more as the root of the text does, about.
inline Index likely_words(Index text) { return static_cast<Index>(8 * std::sqrt(static_cast<double>(text))); }

// Words numbered as they come. Tables of several threads lie side by side, and what one of them writes at every new word
// must not share a line of the cache with what another reads at every word.
class alignas(lines_apart) WordTable {
  public:
    static constexpr std::size_t behind = sizeof(WordKey);  // bytes that can be read where a word ends

    WordTable() : slots(1024) { make_room(); }

    // Make room for the words of so many bytes of text, if there is none yet: a table that grows is written anew each time.
    void expect(Index text) {
        const Index likely = 4 * likely_words(text);  // so that messages fill a fifth of it, most words in their first place
        if (words > 0 || slots_for(likely) <= slots.size()) return;
        slots = LargeVector<Slot>(slots_for(likely));
        bytes.resize(8 * static_cast<std::size_t>(likely));
        make_room();
    }
    std::size_t size() const { return static_cast<std::size_t>(words); }
    WordList list() const { return {bytes.data(), starts.data(), words}; }
    static std::uint64_t hash(const WordKey& key) { return key.place(); }
    void fetch(std::uint64_t hash) const { view().fetch(hash); }

    // The number of a word, which is asked for its bytes only where it is new or long. Most stand in their first place.
    std::int32_t number(const WordKey& key, std::uint64_t hash, std::string_view word) {
        const Slot& first = slots[view().first(hash)];
        return first.key == key && key.whole() && !first.empty() ? first.number() : number_behind(key, hash, word);
    }

  private:
    Slots view() const { return {slots.data(), slots.size()}; }
    [[gnu::noinline]] std::int32_t number_behind(const WordKey& key, std::uint64_t hash, std::string_view word) {
        const std::size_t at = view().find(key, hash, [&](std::int32_t other) { return list()[other] == word; });
        return slots[at].empty() ? add(key, hash, word, at) : slots[at].number();
    }
    std::int32_t add(const WordKey& key, std::uint64_t hash, std::string_view word, std::size_t at) {
        const Index number = words;
        slots[at] = {key, slot_entry(hash, number)};
        const auto before = static_cast<std::size_t>(starts[static_cast<std::size_t>(number)]);
        if (before + word.size() + behind > bytes.size()) bytes.resize(2 * (before + word.size() + behind));
        if (key.whole()) std::memcpy(bytes.data() + before, key.part, sizeof key);  // more than the word: in one step
        else std::copy(word.begin(), word.end(), bytes.data() + before);
        starts[static_cast<std::size_t>(++words)] = static_cast<std::int64_t>(before + word.size());
        if (words == most) grow();
        return static_cast<std::int32_t>(number);
    }
    // A small table grows in larger steps, since most of its words are to come.
    void grow() {
        if (words == highest) throw std::length_error("more than two billion distinct words");
        LargeVector<Slot> larger((slots.size() < small ? 4 : 2) * slots.size());
        for (const Slot& slot : slots) {
            if (slot.empty()) continue;
            std::size_t at = slot.entry >> 32 & (larger.size() - 1);
            while (!larger[at].empty()) at = (at + 1) & (larger.size() - 1);  // ends: half of them are empty
            larger[at] = slot;
        }
        slots.swap(larger);
        make_room();
    }
    void make_room() {
        most = std::min(static_cast<Index>(slots.size() / 4 * 3) - 1, highest);
        starts.resize(static_cast<std::size_t>(most) + 1);
    }

    static constexpr std::size_t small = 1 << 14;
    static constexpr Index highest = (Index{1} << 31) - 2;
    Index words = 0, most = 0;  // so many there are, and at the most before the table grows
    LargeVector<Slot> slots;
    std::vector<char> bytes;           // those of the words, and room behind them
    std::vector<std::int64_t> starts;  // of the words, the end of the last, and room
};

// Words that are known, and no others: the number of each, or -1.
struct KnownWords {
    Slots slots;
    WordList words;

    static std::uint64_t hash(const WordKey& key) { return key.place(); }
    static std::int32_t entry(std::int32_t number) { return number; }
    void fetch(std::uint64_t hash) const { slots.fetch(hash); }
    std::int32_t number(const WordKey& key, std::uint64_t hash, std::string_view word) const {
        const std::size_t at =
            slots.find(key, hash, [&](std::int32_t other) { return words.holds(other) && words[other] == word; });
        const std::int32_t found = slots.slots[at].number();
        return found < words.size ? found : -1;
    }
};

// Where buckets that hold something are found, by open addressing: a slot has the bucket, and above it its place among
// these, from 1 on. A hash has thrown words into buckets, so that the lowest bits of a bucket say where to look.
inline std::size_t bucket_slots_for(Index filled) {
    return std::bit_ceil(2 * static_cast<std::size_t>(filled) + 2);
}
inline std::size_t bucket_slot(const std::uint64_t* slots, std::size_t size, std::uint32_t bucket) {
    std::size_t at = bucket & (size - 1);
    // ends: half are empty
    while (slots[at] != 0 && static_cast<std::uint32_t>(slots[at]) != bucket) at = (at + 1) & (size - 1);
    return at;
}
inline void fill_bucket_slots(const std::int32_t* filled, Index n, std::uint64_t* slots, std::size_t size) {
    for (Index i = 0; i < n; ++i) {
        const auto bucket = static_cast<std::uint32_t>(filled[i]);
        slots[bucket_slot(slots, size, bucket)] = static_cast<std::uint64_t>(i + 1) << 32 | bucket;
    }
}

// Words thrown into buckets, which are numbered as words come into them: those that hold nothing take no room.
class NumberedBuckets {
  public:
    explicit NumberedBuckets(Index n) : buckets(static_cast<std::uint64_t>(n)), slots(small) {}
    std::size_t size() const { return in_order.size(); }
    void expect(Index) const {}
    static std::uint64_t hash(const WordKey& key) { return key.hash(); }
    void fetch(std::uint64_t) const {}
    std::int32_t number(const WordKey&, std::uint64_t hash, std::string_view) {
        const auto bucket = static_cast<std::uint32_t>(hash % buckets);
        std::uint64_t& slot = slots[bucket_slot(slots.data(), slots.size(), bucket)];
        return slot ? static_cast<std::int32_t>(slot >> 32) - 1 : add(bucket, slot);
    }
    // The bucket of each number.
    const std::vector<std::int32_t>& keys() const { return in_order; }

  private:
    static constexpr std::size_t small = 1 << 10;
    std::int32_t add(std::uint32_t bucket, std::uint64_t& slot) {
        in_order.push_back(static_cast<std::int32_t>(bucket));
        slot = static_cast<std::uint64_t>(in_order.size()) << 32 | bucket;
        if (2 * in_order.size() > slots.size()) {
            slots.assign(2 * slots.size(), 0);
            fill_bucket_slots(in_order.data(), static_cast<Index>(in_order.size()), slots.data(), slots.size());
        }
        return static_cast<std::int32_t>(in_order.size()) - 1;
    }
    std::uint64_t buckets;
    std::vector<std::uint64_t> slots;
    std::vector<std::int32_t> in_order;
};

// Words thrown into buckets of which some hold something. These have their places for numbers; every other has a number of
// its own behind them, so that documents tell them apart, and all others are one entry, the last.
struct FilledBuckets {
    std::uint64_t buckets;
    Index filled;
    const std::uint64_t* slots;
    std::size_t n_slots;

    static std::uint64_t hash(const WordKey& key) { return key.hash(); }
    void fetch(std::uint64_t) const {}
    std::int32_t number(const WordKey&, std::uint64_t hash, std::string_view) const {
        const std::uint64_t bucket = hash % buckets;
        const auto place = static_cast<Index>(slots[bucket_slot(slots, n_slots, static_cast<std::uint32_t>(bucket))] >> 32);
        return static_cast<std::int32_t>(0 < place && place <= filled ? place - 1 : filled + static_cast<Index>(bucket));
    }
    std::int32_t entry(std::int32_t number) const { return static_cast<std::int32_t>(std::min<Index>(number, filled)); }
};

// The first eight bytes of a word as a number, zeros behind a shorter one; whether so many can be read is known.
inline std::uint64_t first_eight(std::string_view word, bool readable) {
    const std::size_t n = std::min<std::size_t>(word.size(), 8);
    if (n == 0) return 0;
    const std::uint64_t head = __builtin_bswap64(load(word.data(), readable ? 8 : n));
    return head >> (64 - 8 * n) << (64 - 8 * n);
}

// The words in the order of their bytes, which is that of their code points: by the first eight, which are told with them,
// then by all.
inline std::vector<Keyed> sorted_keys(const WordList& words) {
    std::vector<Keyed> keys(static_cast<std::size_t>(words.size));
    for (Index i = 0; i < words.size; ++i) {
        keys[i] = {first_eight(words[i], words.reaches(i, 8)), static_cast<std::size_t>(i)};
    }
    sort_keys(keys);
    const auto less = [&](const Keyed& a, const Keyed& b) {
        return words[static_cast<Index>(a.owner)] < words[static_cast<Index>(b.owner)];
    };
    for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
        for (end = begin + 1; end < keys.size() && keys[end].key == keys[begin].key;) ++end;
        if (end - begin > 1) sort_few(keys.begin() + begin, keys.begin() + end, less);
    }
    return keys;
}
inline std::vector<std::int32_t> sorted_words(const WordList& words) {
    const std::vector<Keyed> keys = sorted_keys(words);
    std::vector<std::int32_t> order(keys.size());
    std::transform(keys.begin(), keys.end(), order.begin(), [](const Keyed& k) { return static_cast<std::int32_t>(k.owner); });
    return order;
}

}  // namespace candide
