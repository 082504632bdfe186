// Pages of a column of a Parquet file, of the plainest kind: flat, one value or none a row.
#pragma once

#include <memory>
#include <vector>

#include "page_runs.hpp"

namespace candide {

// -- headers: structures of Thrift's compact protocol ----------------------------------------------------------------

struct PageHeader {
    std::int64_t kind = -1, encoding = -1, levels = -1, rows = 0, begin = 0, packed = 0, size = 0;
};

inline constexpr int deepest_field = 8;

// visit(number, type) for every field of a structure; what it does not read, and says so, is passed over.
template <class Visit>
void each_field(Bytes& from, int depth, Visit&& visit);

inline std::int64_t signed_number(Bytes& from) {
    const std::uint64_t n = from.varint();
    return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

inline void pass_over(Bytes& from, int type, int depth) {
    switch (type) {
        case 1: case 2: return;  // true and false, which the type says
        case 3: from.take(1); return;
        case 4: case 5: case 6: from.varint(); return;
        case 7: from.take(8); return;
        case 8: from.take(from.varint()); return;
        case 12: each_field(from, depth + 1, [](auto...) { return false; }); return;
        default: throw std::invalid_argument("a page's header holds what none is known to");
    }
}

template <class Visit>
void each_field(Bytes& from, int depth, Visit&& visit) {
    if (depth > deepest_field) throw std::invalid_argument("a page's header is too deep");
    std::int64_t number = 0;
    // ends: with the bytes
    while (const std::uint8_t head = *from.take(1)) {
        number = head >> 4 ? number + (head >> 4) : signed_number(from);
        if (!visit(number, head & 15)) pass_over(from, head & 15, depth);
    }
}

inline PageHeader page_header(Bytes& from) {
    PageHeader page;
    const auto read = [&](std::int64_t& to, int type) { return type == 5 ? (to = signed_number(from), true) : false; };
    each_field(from, 0, [&](std::int64_t number, int type) {
        switch (number) {
            case 1: return read(page.kind, type);
            case 2: return read(page.size, type);
            case 3: return read(page.packed, type);
            case 5: case 7:  // of a page of data, and of a dictionary
                if (type != 12) return false;
                each_field(from, 1, [&](std::int64_t inner, int inner_type) {
                    return inner == 1   ? read(page.rows, inner_type)
                           : inner == 2 ? read(page.encoding, inner_type)
                           : inner == 3 ? read(page.levels, inner_type)
                                        : false;
                });
                return true;
            default: return false;
        }
    });
    return page;
}

// -- a page of data --------------------------------------------------------------------------------------------------

inline constexpr std::uint64_t all_eight = 0x0101010101010101u;

// Eight bits as eight bytes: of the copies of a byte, each keeps the bit of its place, and says whether it is there.
inline std::uint64_t spread_bits(std::uint8_t bits) {
    const std::uint64_t kept = (bits * all_eight) & 0x8040201008040201u;
    return (kept + 0x7f7f7f7f7f7f7f7fu) >> 7 & all_eight;
}

// Bits as bytes of 0 and 1; how many are 1.
inline Index unpack_bits(const std::uint8_t* from, Index n, std::uint8_t* to) {
    Index ones = 0;
    for (; n >= 8; n -= 8, to += 8) {
        const std::uint64_t bytes = spread_bits(*from++);
        std::memcpy(to, &bytes, 8);
        ones += static_cast<Index>((bytes * all_eight) >> 56);
    }
    for (Index i = 0; i < n; ++i) ones += to[i] = *from >> i & 1;
    return ones;
}

// Which rows of a page are there, and how many: bits in runs.
inline Index read_present(Bytes& from, Index n, std::uint8_t* present) {
    const std::uint32_t length = load<std::uint32_t>(reinterpret_cast<const char*>(from.take(4)));
    Bytes runs{from.take(length), nullptr};
    runs.end = runs.at + length;
    Index there = 0;
    each_run(runs, 1, n, [&](const Run& run) {
        if (run.packed) {
            there += unpack_bits(run.bytes, run.n, present);
        } else {
            std::fill_n(present, run.n, static_cast<std::uint8_t>(run.value & 1));
            there += run.value & 1 ? run.n : 0;
        }
        present += run.n;
    });
    return there;
}

// out_i = value(j) for the j-th row that is there, and a hole elsewhere. Where there are gaps, most eights of rows have
// none; in the others a value is read for every row, and kept or not.
template <class T, class Value>
void spread(Index n, Index there, const std::uint8_t* __restrict present, T hole, T* __restrict out, Value value) {
    if (there == n) {
        for (Index i = 0; i < n; ++i) out[i] = value(i);
    } else if (there == 0) {
        std::fill_n(out, n, hole);
    } else {
        Index j = 0;
        const auto keep = [&](Index i) {
            const T kept = static_cast<T>(-static_cast<T>(present[i]));
            out[i] = static_cast<T>((value(std::min(j, there - 1)) & kept) | (hole & ~kept));
            j += present[i];
        };
        Index i = 0;
        for (; i + 8 <= n; i += 8) {
            if (load<std::uint64_t>(reinterpret_cast<const char*>(present + i)) == all_eight) {
                for (int e = 0; e < 8; ++e) out[i + e] = value(j + e);
                j += 8;
            } else {
                for (int e = 0; e < 8; ++e) keep(i + e);
            }
        }
        for (; i < n; ++i) keep(i);
    }
}

// Which values there are, told by their places in a dictionary: as numbers of type Code.
template <class Code, class T>
void look_up(Bytes page, int width, Index n, Index there, const std::uint8_t* present, const T* dictionary,
             Index n_levels, T hole, T* out) {
    const std::unique_ptr<Code[]> held(new Code[static_cast<std::size_t>(there)]);
    Code* const codes = held.get();
    unpack_runs(page, width, there, codes);
    Code most = 0;
    for (Index j = 0; j < there; ++j) most = std::max(most, codes[j]);
    if (there && most >= static_cast<std::uint64_t>(n_levels))
        throw std::invalid_argument("a page has a code beyond its dictionary");
    spread(n, there, present, hole, out, [=](Index j) { return dictionary[codes[j]]; });
}

// The values of a page, numbers of any size or booleans as bytes, `coded` as places in a dictionary or as they are;
// `optional` ones say first which are there, and are told so; others hold a hole. How many are missing.
template <class T>
Index decode_page(Bytes page, Index n, bool optional, bool coded, const T* dictionary, Index n_levels, T hole, T* out,
                  std::uint8_t* present) {
    const Index there = optional ? read_present(page, n, present) : n;
    if (coded) {
        const int width = *page.take(1);
        if (width > widest_code) throw std::invalid_argument("a page's codes have too many bits");
        const auto read = [&](auto code) {
            look_up<decltype(code)>(page, width, n, there, present, dictionary, n_levels, hole, out);
        };
        width <= 8 ? read(std::uint8_t{}) : width <= 16 ? read(std::uint16_t{}) : read(std::uint32_t{});
    } else if constexpr (sizeof(T) == 1) {
        const std::uint8_t* const bits = page.take((static_cast<std::uint64_t>(there) + 7) / 8);
        if (there == n) unpack_bits(bits, n, out);
        else spread(n, there, present, hole, out, [=](Index j) { return static_cast<T>(bits[j >> 3] >> (j & 7) & 1); });
    } else {
        const auto* const values =
            reinterpret_cast<const char*>(page.take(static_cast<std::uint64_t>(there) * sizeof(T)));
        if (there == n) std::memcpy(out, values, static_cast<std::size_t>(n) * sizeof(T));
        else spread(n, there, present, hole, out, [=](Index j) { return load<T>(values + j * sizeof(T)); });
    }
    return n - there;
}

}  // namespace candide
