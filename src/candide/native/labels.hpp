// Distinct values of one column, and labels as codes.
#pragma once

#include <bit>

#include "rows.hpp"

namespace candide {

// A set of doubles by open addressing, at most half full.
class ValueSet {
  public:
    ValueSet() : slots(1024, empty) {}
    Index size() const { return count; }

    void insert(double value) {
        const auto key = std::bit_cast<std::uint64_t>(value);
        std::size_t at = place(key);
        while (slots[at] != empty) {
            if (slots[at] == key) return;
            at = (at + 1) & (slots.size() - 1);
        }
        slots[at] = key;
        if (2 * ++count > static_cast<Index>(slots.size())) grow();
    }

    std::vector<double> sorted() const {
        std::vector<double> values;
        values.reserve(static_cast<std::size_t>(count));
        for (const std::uint64_t key : slots)
            if (key != empty) values.push_back(std::bit_cast<double>(key));
        std::sort(values.begin(), values.end());
        return values;
    }

  private:
    static constexpr std::uint64_t empty = ~std::uint64_t{0};  // a NaN, and NaN is never inserted

    // Fibonacci hashing: the top bits of the product with 2^64 / golden ratio
    std::size_t place(std::uint64_t key) const {
        key ^= key >> 32;
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> (64 - std::countr_zero(slots.size())));
    }
    void grow() {
        std::vector<std::uint64_t> old(2 * slots.size(), empty);
        old.swap(slots);
        for (const std::uint64_t key : old) {
            if (key == empty) continue;
            std::size_t at = place(key);
            while (slots[at] != empty) at = (at + 1) & (slots.size() - 1);
            slots[at] = key;
        }
    }

    std::vector<std::uint64_t> slots;
    Index count = 0;
};

// Sorted distinct values but NaN; nothing once there are more than `limit`.
inline std::optional<std::vector<double>> distinct(const Matrix& x, Index limit) {
    constexpr Index tile = 1024;
    DoubleTiles tiles(x, tile);
    ValueSet seen;
    double before = std::numeric_limits<double>::quiet_NaN();
    for (Index first = 0; first < x.rows; first += tile) {
        const Index size = std::min(tile, x.rows - first);
        const Tile values = tiles.read(first, size);
        for (Index r = 0; r < size; ++r) {
            const double value = values.at[r * values.step] + 0.0;  // -0.0 becomes 0.0
            if (value == before || value != value) continue;
            if (value - value != 0) throw std::invalid_argument("infinity in row " + std::to_string(first + r));
            seen.insert(before = value);
        }
        if (seen.size() > limit) return std::nullopt;
    }
    return seen.sorted();
}

// Labels of type T at a step in bytes.
template <class T>
struct Labels {
    const char* data;
    Index n, step;
    T operator[](Index i) const { return load<T>(data + i * step); }
};

// Ranks by a table over the whole range of labels, two passes.
template <class T>
std::vector<std::int64_t> rank_by_table(const Labels<T>& y, T least, std::uint64_t range, std::int32_t* codes) {
    std::vector<std::int32_t> rank(static_cast<std::size_t>(range + 1), 0);
    const auto place = [&](T v) { return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(least); };
    for (Index i = 0; i < y.n; ++i) rank[place(y[i])] = 1;
    std::vector<std::int64_t> values;
    for (std::uint64_t v = 0; v <= range; ++v)
        if (rank[v]) {
            rank[v] = static_cast<std::int32_t>(values.size());
            values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + v));
        }
    parallel_rows(divide(y.n, 1), y.n, [&](Index, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) codes[i] = rank[place(y[i])];
    });
    return values;
}

template <class T>
std::vector<std::int64_t> rank_by_sorting(const Labels<T>& y, std::int32_t* codes) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(y.n));
    for (Index i = 0; i < y.n; ++i) values[i] = static_cast<std::int64_t>(y[i]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    parallel_rows(divide(y.n, 16), y.n, [&](Index, Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            codes[i] = static_cast<std::int32_t>(
                std::lower_bound(values.begin(), values.end(), static_cast<std::int64_t>(y[i])) - values.begin());
    });
    return values;
}

// Sorted distinct labels; codes[i] becomes the rank of label i among them.
template <class T>
std::vector<std::int64_t> label_codes(const Labels<T>& y, std::int32_t* codes) {
    if (y.n == 0) return {};
    T least = y[0], most = y[0];
    for (Index i = 1; i < y.n; ++i) {
        const T v = y[i];
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        if (most > static_cast<T>(std::numeric_limits<std::int64_t>::max()))
            throw std::invalid_argument("the label " + std::to_string(most) + " does not fit 64 bits with a sign");
    }
    const std::uint64_t range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
    const bool small = range < std::max<std::uint64_t>(1024, static_cast<std::uint64_t>(y.n));
    return small ? rank_by_table(y, least, range, codes) : rank_by_sorting(y, codes);
}

}  // namespace candide
