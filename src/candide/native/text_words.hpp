// Words numbered as they come: their bytes in one row, and a table that finds them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "keys.hpp"

namespace candide {

// Words one behind the other; word i ends where word i + 1 begins.
struct WordList {
    const char* bytes;
    const std::int64_t* starts;
    Index size;
    std::string_view operator[](Index i) const {
        return {bytes + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
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
// The same of a word behind which 8 bytes can be read.
inline std::uint64_t hash_padded(const char* word, std::size_t n) {
    std::uint64_t h = 0x9e3779b97f4a7c15u ^ (n * 0xd1342543de82ef95u), piece;
    for (; n >= 8; n -= 8, word += 8) {
        std::memcpy(&piece, word, 8);
        h = fold_product(h ^ piece, 0xa0761d6478bd642fu);
    }
    std::memcpy(&piece, word, 8);
    piece &= (std::uint64_t{1} << 8 * n) - 1;
    return fold_product(h ^ piece, 0xe7037ed1a0b428dbu);
}
static_assert(std::endian::native == std::endian::little, "words are hashed by little-endian loads");

// Where words are found: open addressing, a slot holding the upper half of a word's hash and its number + 1.
using Slots = std::vector<std::uint64_t>;
inline std::size_t slots_for(Index words) {
    return std::bit_ceil(std::max<std::size_t>(64, 2 * static_cast<std::size_t>(words) + 2));
}
inline std::uint64_t slot_entry(std::uint64_t hash, Index number) {
    return (hash & 0xffffffff00000000u) | static_cast<std::uint64_t>(number + 1);
}
// The slot of a word, or the empty one where it would be.
template <class Same>
std::size_t find_slot(const std::uint64_t* slots, std::size_t size, std::uint64_t hash, Same&& same) {
    std::size_t at = hash & (size - 1);
    for (; slots[at] != 0; at = (at + 1) & (size - 1))
        if ((slots[at] >> 32) == (hash >> 32) && same(static_cast<Index>(slots[at] & 0xffffffffu) - 1)) break;
    return at;
}

// Words numbered as they come. A slot holds the first bytes of its word, so that a short one is found in one place.
class WordTable {
  public:
    WordTable() : slots(1024), starts{0} {}

    Index size() const { return static_cast<Index>(starts.size()) - 1; }
    WordList list() const { return {bytes.data(), starts.data(), size()}; }

    // Fetch the place of a word before it is asked for.
    void fetch(std::uint64_t hash) const { __builtin_prefetch(&slots[hash & (slots.size() - 1)]); }

    // The number of a word behind which 8 bytes can be read.
    std::int32_t number(const char* word, std::size_t n) { return number(word, n, hash_padded(word, n)); }
    std::int32_t number(const char* word, std::size_t n, std::uint64_t hash) {
        const std::uint64_t head = head_of(word, n);
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        std::size_t at = hash & (slots.size() - 1);
        for (; slots[at].number != 0; at = (at + 1) & (slots.size() - 1))
            if (slots[at].head == head && slots[at].tag == tag && (n < 8 || same(slots[at].number - 1, word, n)))
                return static_cast<std::int32_t>(slots[at].number - 1);
        return add(word, n, {head, tag, 0}, at);
    }

  private:
    struct Slot {
        std::uint64_t head;
        std::uint32_t tag, number;  // number + 1, or nothing
    };

    // The bytes of a word and their number, or the first seven and a mark where there are more.
    static std::uint64_t head_of(const char* word, std::size_t n) {
        std::uint64_t head;
        std::memcpy(&head, word, 8);
        const std::uint64_t mask = n < 8 ? (std::uint64_t{1} << 8 * n) - 1 : ~std::uint64_t{0} >> 8;
        return (head & mask) | static_cast<std::uint64_t>(n < 8 ? n : 0xff) << 56;
    }
    bool same(std::uint32_t number, const char* word, std::size_t n) const {
        const std::int64_t start = starts[number];
        return starts[number + 1] - start == static_cast<std::int64_t>(n) && std::memcmp(&bytes[start], word, n) == 0;
    }
    std::int32_t add(const char* word, std::size_t n, Slot slot, std::size_t at) {
        const Index number = size();
        if (number >= (Index{1} << 31) - 2) throw std::length_error("more than two billion distinct words");
        slot.number = static_cast<std::uint32_t>(number) + 1;
        slots[at] = slot;
        bytes.insert(bytes.end(), word, word + n);
        starts.push_back(static_cast<std::int64_t>(bytes.size()));
        hashes.push_back(hash_padded(word, n));
        if (2 * starts.size() > slots.size()) grow();
        return static_cast<std::int32_t>(number);
    }
    void grow() {
        std::vector<Slot> larger(2 * slots.size());
        for (const Slot& slot : slots) {
            if (slot.number == 0) continue;
            std::size_t at = hashes[slot.number - 1] & (larger.size() - 1);
            while (larger[at].number != 0) at = (at + 1) & (larger.size() - 1);
            larger[at] = slot;
        }
        slots.swap(larger);
    }

    std::vector<Slot> slots;
    std::vector<char> bytes;
    std::vector<std::int64_t> starts;
    std::vector<std::uint64_t> hashes;
};

// The words in the order of their bytes, which is that of their code points: by the first eight, then by all.
inline std::vector<std::int32_t> sorted_words(const WordList& words) {
    std::vector<Keyed> keys(static_cast<std::size_t>(words.size));
    for (Index i = 0; i < words.size; ++i) {
        const std::string_view word = words[i];
        std::uint64_t head = 0;
        for (std::size_t k = 0; k < 8; ++k)
            head = head << 8 | (k < word.size() ? static_cast<std::uint8_t>(word[k]) : 0u);
        keys[i] = {head, static_cast<std::size_t>(i)};
    }
    sort_keys(keys);
    const auto less = [&](const Keyed& a, const Keyed& b) {
        return words[static_cast<Index>(a.owner)] < words[static_cast<Index>(b.owner)];
    };
    for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
        for (end = begin + 1; end < keys.size() && keys[end].key == keys[begin].key;) ++end;
        if (end - begin > 1) std::sort(keys.begin() + begin, keys.begin() + end, less);
    }
    std::vector<std::int32_t> order(keys.size());
    std::transform(keys.begin(), keys.end(), order.begin(), [](const Keyed& k) { return static_cast<std::int32_t>(k.owner); });
    return order;
}

}  // namespace candide
