// Keys of 64 bits numbered as they come, and sorted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "platform.hpp"

namespace candide {

// The number of each key, in the order in which they came, by open addressing. Slots hold numbers, or nothing in half
// of them.
class KeyNumbers {
  public:
    // Different keys, numbered in this order.
    explicit KeyNumbers(std::vector<std::uint64_t> keys = {}) : in_order(std::move(keys)) {
        slots.resize(std::bit_ceil(std::max<std::size_t>(1024, 2 * in_order.size() + 2)));
        place_all();
    }

    Index size() const { return static_cast<Index>(in_order.size()); }
    const std::vector<std::uint64_t>& keys() const { return in_order; }

    // -1 where the key never came
    std::int32_t find(std::uint64_t key) const { return slots[slot_of(key)]; }

    std::int32_t number(std::uint64_t key) {
        const std::size_t at = slot_of(key);
        return slots[at] == empty ? add(key, at) : slots[at];
    }

  private:
    static constexpr std::int32_t empty = -1;

    // Fibonacci hashing: the top bits of the product with 2^64 / golden ratio
    std::size_t slot_of(std::uint64_t key) const {
        const std::uint64_t mixed = (key ^ (key >> 32)) * 0x9e3779b97f4a7c15u;
        auto at = static_cast<std::size_t>(mixed >> (64 - std::countr_zero(slots.size())));
        // ends: half are empty
        while (slots[at] != empty && in_order[slots[at]] != key) at = (at + 1) & (slots.size() - 1);
        return at;
    }

    std::int32_t add(std::uint64_t key, std::size_t at) {
        const auto number = static_cast<std::int32_t>(in_order.size());
        slots[at] = number;
        in_order.push_back(key);
        if (2 * in_order.size() > slots.size()) {
            slots.resize(2 * slots.size());
            place_all();
        }
        return number;
    }
    void place_all() {
        std::fill(slots.begin(), slots.end(), empty);
        for (std::size_t i = 0; i < in_order.size(); ++i) slots[slot_of(in_order[i])] = static_cast<std::int32_t>(i);
    }

    std::vector<std::int32_t> slots;
    std::vector<std::uint64_t> in_order;
};

// A key, and what it belongs to.
struct Keyed {
    std::uint64_t key;
    std::size_t owner;
};
inline std::uint64_t key_of(std::uint64_t key) { return key; }
inline std::uint64_t key_of(std::uint32_t key) { return key; }
inline std::uint64_t key_of(const Keyed& keyed) { return keyed.key; }

// A stable sort that asks for no memory where there is little to sort.
template <class Iterator, class Less>
void sort_few(Iterator begin, Iterator end, Less&& less) {
    constexpr std::ptrdiff_t few = 32;
    if (end - begin > few) return std::stable_sort(begin, end, less);
    for (Iterator next = begin; next != end; ++next) {
        const auto item = *next;
        Iterator at = next;
        for (; at != begin && less(item, *(at - 1)); --at) *at = *(at - 1);
        *at = item;
    }
}

// In the order of keys, those of one key as they come: by at most four digits of at most 11 bits, the last first, of the
// bits that any key has; digits that all keys share are passed over. What differs below these alone is sorted at the
// end: seldom much.
template <class Item>
void sort_keys(std::vector<Item>& items) {
    constexpr int most_bits = 11, most_passes = 4;
    const auto less = [](const Item& a, const Item& b) { return key_of(a) < key_of(b); };
    if (items.size() < 1024) return std::stable_sort(items.begin(), items.end(), less);
    std::uint64_t any = 0;
    for (const Item& item : items) any |= key_of(item);
    const int width = std::max<int>(std::bit_width(any), 1), low = std::max(width - most_bits * most_passes, 0);
    const int passes = (width - low + most_bits - 1) / most_bits;
    const int bits = (width - low + passes - 1) / passes;  // alike, since fewer places are nearer
    const std::size_t digits = std::size_t{1} << bits;
    const auto digit = [=](const Item& item, int pass) { return (key_of(item) >> (low + bits * pass)) & (digits - 1); };
    std::vector<std::size_t> begin(static_cast<std::size_t>(passes) * digits);
    for (const Item& item : items)
        for (int pass = 0; pass < passes; ++pass) ++begin[pass * digits + digit(item, pass)];
    std::vector<Item> other(items.size());
    for (int pass = 0; pass < passes; ++pass) {
        std::size_t* at = begin.data() + pass * digits;
        if (at[digit(items[0], pass)] == items.size()) continue;
        std::exclusive_scan(at, at + digits, at, std::size_t{0});
        for (const Item& item : items) other[at[digit(item, pass)]++] = item;
        items.swap(other);
    }
    for (std::size_t from = low ? 0 : items.size(), to; from < items.size(); from = to) {
        const std::uint64_t high = key_of(items[from]) >> low;
        bool sorted = true;
        for (to = from + 1; to < items.size() && key_of(items[to]) >> low == high; ++to)
            sorted = sorted && key_of(items[to - 1]) <= key_of(items[to]);
        if (!sorted) sort_few(items.begin() + from, items.begin() + to, less);
    }
}

// A number, and what the row weighs of which it tells.
template <class Number>
struct Weighed {
    Number number;
    double weight;
};
template <class Number>
Number number_of(const Weighed<Number>& item) {
    return item.number;
}
template <std::unsigned_integral Number>
Number number_of(Number item) {
    return item;
}
template <class Number>
double weight_of(const Weighed<Number>& item) {
    return item.weight;
}
template <std::unsigned_integral Number>
int weight_of(Number) {
    return 1;
}

// Items in the order of their numbers' bits low .. high - 1, those alike in these as they come: by digits of at most 9
// bits, the last first. For items that the cache holds; what is written on the way is the caller's, to be used again.
template <class Item>
void sort_bits(Item* items, Index n, int low, int high, std::vector<Item>& other) {
    using Number = decltype(number_of(*items));
    constexpr int most_bits = 9;
    constexpr Index few = 24;
    if (n < few) {
        for (Index i = 1; i < n; ++i)
            for (Index j = i; j > 0 && number_of(items[j - 1]) >> low > number_of(items[j]) >> low; --j)
                std::swap(items[j - 1], items[j]);
        return;
    }
    if (static_cast<Index>(other.size()) < n) other.resize(static_cast<std::size_t>(n));
    Item *from = items, *to = other.data();
    for (int passes = (high - low + most_bits - 1) / most_bits; passes > 0; --passes) {
        const int bits = (high - low + passes - 1) / passes;  // alike, since fewer places are nearer
        const Number last = static_cast<Number>((Number{1} << bits) - 1);
        std::array<Index, std::size_t{1} << most_bits> at{};
        for (Index i = 0; i < n; ++i) ++at[number_of(from[i]) >> low & last];
        std::exclusive_scan(at.begin(), at.begin() + last + 1, at.begin(), Index{0});
        for (Index i = 0; i < n; ++i) to[at[number_of(from[i]) >> low & last]++] = from[i];
        std::swap(from, to);
        low += bits;
    }
    if (from != items) std::copy_n(from, n, items);
}

}  // namespace candide
