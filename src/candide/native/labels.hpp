// Distinct values of one column, and labels as codes.
#pragma once

#include <array>

#include "keys.hpp"
#include "ranks.hpp"
#include "rows.hpp"

namespace candide {

// Sorted distinct values of integers that are few and from zero; nothing where there are others.
template <class T>
std::optional<std::vector<double>> distinct_codes(const Matrix& x) {
    constexpr std::uint64_t few = 4096;
    std::vector<std::uint8_t> seen(few);
    std::uint64_t bits = 0;
    for (Index r = 0; r < x.rows; ++r) {
        const auto value = static_cast<std::uint64_t>(load<T>(x.data + r * x.row_step));  // below zero: high bits
        bits |= value;
        seen[value % few] = 1;
    }
    if (bits >= few) return std::nullopt;
    std::vector<double> values;
    for (std::uint64_t value = 0; value < few; ++value)
        if (seen[value]) values.push_back(static_cast<double>(value));
    return values;
}

// Sorted distinct values but NaN; nothing once there are more than `limit`.
inline std::optional<std::vector<double>> distinct(const Matrix& x, Index limit) {
    constexpr Index tile = 1024;
    std::optional<std::vector<double>> codes;
    with_type(x.type, [&](auto value) {
        if constexpr (std::is_integral_v<decltype(value)>) codes = distinct_codes<decltype(value)>(x);
    });
    if (codes) return static_cast<Index>(codes->size()) > limit ? std::nullopt : codes;
    DoubleTiles tiles(x, tile);
    KeyNumbers seen;
    std::array<double, 256> recent;  // values seen of late, each at a place of its own bits: most repeat
    recent.fill(std::numeric_limits<double>::quiet_NaN());
    for (Index first = 0; first < x.rows; first += tile) {
        const Index size = std::min(tile, x.rows - first);
        const Tile values = tiles.read(first, size);
        for (Index r = 0; r < size; ++r) {
            const double value = values.at[r * values.step];
            double& same = recent[std::bit_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15u >> 56];
            if (value == same || value != value) continue;
            if (value - value != 0) throw std::invalid_argument("infinity in row " + std::to_string(first + r));
            seen.number(rank_of(same = value));
        }
        if (seen.size() > limit) return std::nullopt;
    }
    std::vector<std::uint64_t> ranks = seen.keys();
    sort_keys(ranks);
    std::vector<double> sorted;
    for (const std::uint64_t rank : ranks) sorted.push_back(std::bit_cast<double>(bits_of_rank(rank)));
    return sorted;
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
