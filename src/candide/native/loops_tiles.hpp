// Any type and strides into contiguous tiles; codes into places.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"
#include "ranks.hpp"

namespace candide::CANDIDE_ISA {

template <class T>
CANDIDE_INLINE double to_double(T value) {
    return static_cast<double>(value);
}

// Every negative code becomes -1, every code beyond the limit the greatest below it.
template <class T>
CANDIDE_INLINE std::int32_t to_code(T value) {
    if constexpr (sizeof(T) >= 4) {
        if (value >= static_cast<T>(code_limit)) return code_limit - 1;
    }
    return value < T{0} ? -1 : static_cast<std::int32_t>(value);
}

// Fewer columns are walked one by one, since a row of them would be too short a loop.
inline constexpr Index few_columns = 4;

// body(cell, column) for every cell of a tile.
template <class Body>
CANDIDE_INLINE void each_cell(std::int32_t* tile, Index rows, Index columns, Body body) {
    if (columns == 1) {
        for (Index r = 0; r < rows; ++r) body(tile[r], 0);
    } else if (columns < few_columns) {
        for (Index j = 0; j < columns; ++j)
            for (Index r = 0; r < rows; ++r) body(tile[r * columns + j], j);
    } else {
        for (Index r = 0; r < rows; ++r, tile += columns)
            for (Index j = 0; j < columns; ++j) body(tile[j], j);
    }
}

template <class T, class Out, class Convert>
CANDIDE_INLINE void copy_tile(const Matrix& m, Index first, Index rows, Out* __restrict tile, Index step,
                              Convert convert) {
    const Index columns = m.columns;
    const char* base = m.apart ? nullptr : m.data + first * m.row_step;
    if (m.column_step == sizeof(T) && m.row_step == columns * m.column_step && step == columns) {  // one long row
        for (Index i = 0; i < rows * columns; ++i) tile[i] = convert(load<T>(base + i * sizeof(T)));
        return;
    }
    if (m.column_step == sizeof(T) && columns >= few_columns) {
        for (Index r = 0; r < rows; ++r, base += m.row_step)
            for (Index c = 0; c < columns; ++c) tile[r * step + c] = convert(load<T>(base + c * sizeof(T)));
        return;
    }
    // Columns lie far apart: four of them at a time fill a part of each row together.
    Index c = 0;
    for (; c + 4 <= columns; c += 4) {
        const char *c0 = m.column(c), *c1 = m.column(c + 1), *c2 = m.column(c + 2), *c3 = m.column(c + 3);
        for (Index r = 0, at = first * m.row_step; r < rows; ++r, at += m.row_step) {
            const Out four[4] = {convert(load<T>(c0 + at)), convert(load<T>(c1 + at)), convert(load<T>(c2 + at)),
                                 convert(load<T>(c3 + at))};
            std::memcpy(tile + r * step + c, four, sizeof four);
        }
    }
    for (; c < columns; ++c)
        for (Index r = 0; r < rows; ++r)
            tile[r * step + c] = convert(load<T>(m.column(c) + (first + r) * m.row_step));
}

static void read_doubles(const Matrix& m, Index first, Index rows, double* tile, Index step) {
    with_type(m.type, [&](auto value) {
        using T = decltype(value);
        copy_tile<T>(m, first, rows, tile, step, [](T v) { return to_double(v); });
    });
}

static void read_codes(const Matrix& m, Index first, Index rows, std::int32_t* tile) {
    with_type(m.type, [&](auto value) {
        using T = decltype(value);
        copy_tile<T>(m, first, rows, tile, m.columns, [](T v) { return to_code(v); });
    });
}

// Offsets are narrowed for some columns at once, so that as many cells as fit a vector are looked at together; a negative
// code is a huge one.
static void to_table_rows(std::int32_t* codes, Index rows, Index columns, const std::int64_t* offsets) {
    constexpr Index at_once = 64;
    std::uint32_t start[at_once], size[at_once];
    for (Index first = 0; first < columns; first += at_once) {
        const Index here = columns - first < at_once ? columns - first : at_once;
        for (Index j = 0; j < here; ++j) {
            start[j] = static_cast<std::uint32_t>(offsets[first + j]);
            size[j] = static_cast<std::uint32_t>(offsets[first + j + 1] - offsets[first + j]);
        }
        const auto place = [&](std::int32_t& cell, Index j) __attribute__((always_inline)) {
            const auto code = static_cast<std::uint32_t>(cell);
            cell = static_cast<std::int32_t>(code < size[j] ? code + start[j] : ~std::uint32_t{0});
        };
        if (here == columns) {
            each_cell(codes, rows, columns, place);
            continue;
        }
        for (Index r = 0; r < rows; ++r)
            for (Index j = 0; j < here; ++j) place(codes[r * columns + first + j], j);
    }
}

static bool to_slots(std::int32_t* codes, Index rows, Index columns, const std::int32_t* slots) {
    int beyond = 0;
    each_cell(codes, rows, columns, [&](std::int32_t& code, Index j) {
        code += slots[j] + 1;
        beyond |= code >= slots[j + 1];
    });
    return beyond == 0;
}

static bool to_ranks(Tile x, const std::int32_t* of_class, Index rows, std::uint64_t* ranks) {
    constexpr std::uint64_t infinity = 0x7ff0000000000000;
    std::uint64_t infinite = 0;
    for (Index r = 0; r < rows; ++r) {
        const double value = x.at[r * x.step];
        const std::uint64_t size = std::bit_cast<std::uint64_t>(value) & ~sign_bit;
        const bool missing = (size > infinity) | (of_class[r] < 0);
        const std::uint64_t unknown = -static_cast<std::uint64_t>(missing);  // all ones, or 0
        infinite |= static_cast<std::uint64_t>(size == infinity) & ~unknown;
        ranks[r] = rank_of(value) | unknown;
    }
    return infinite == 0;
}

// A few values at a time, step by step, so that their searches wait for memory together.
inline constexpr Index searched_together = 64;

// Each step halves every value's range of cuts. Where a range is down to nothing the cut there is not less than x, so
// further steps change nothing.
CANDIDE_INLINE void search(const CutTable& cuts, const double* x, Index step, Index rows, std::int32_t* lo) {
    std::int32_t hi[searched_together];
    for (Index r = 0; r < rows; ++r) {
        lo[r] = 0, hi[r] = static_cast<std::int32_t>(cuts.n);
        if (!cuts.start) continue;
        const double position = (x[r * step] - cuts.low) * cuts.scale;
        const double bounded = position < cuts.last ? (position > 0 ? position : 0) : cuts.last;
        const auto bucket = static_cast<std::int32_t>(bounded);
        lo[r] = cuts.start[bucket], hi[r] = cuts.start[bucket + 1];
    }
    for (int s = 0; s < cuts.steps; ++s)
        for (Index r = 0; r < rows; ++r) {
            const std::int32_t middle = (lo[r] + hi[r]) >> 1;
            const std::int32_t less = -static_cast<std::int32_t>(cuts.cut[middle] < x[r * step]);  // all ones, or 0
            lo[r] += (middle + 1 - lo[r]) & less;
            hi[r] += (middle - hi[r]) & ~less;
        }
}

// Where no bucket holds many cuts: from its bucket's first cut on, as many as are less than x. Cuts of later buckets
// are not.
template <int together>
CANDIDE_INLINE Int4 bins4_by_bucket(const CutTable& cuts, Double4 x) {
    const Double4 position = (x - cuts.low) * cuts.scale;
    const Double4 bounded = position < cuts.last ? (position > 0.0 ? position : Double4{}) : fill4(cuts.last);
    const Int4 bucket = __builtin_convertvector(bounded, Int4);
    const Int4 first = {cuts.start[bucket[0]], cuts.start[bucket[1]], cuts.start[bucket[2]], cuts.start[bucket[3]]};
    Bits4 less[4] = {};
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < together; c += 4) less[i] -= (Bits4)(load4(cuts.cut + first[i] + c) < fill4(x[i]));
    const Int4 bins = first + __builtin_convertvector(sums4(less[0], less[1], less[2], less[3]), Int4);
    return __builtin_convertvector(x == x, Int4) ? bins : Int4{} - 1;
}

template <int together>
CANDIDE_INLINE void to_bins_by_bucket(const CutTable& cuts, const double* x, Index step, Index rows,
                                      std::int32_t* codes, Index code_step) {
    Index r = 0;
    for (; r + 4 <= rows; r += 4) {
        const double* at = x + r * step;
        const Int4 bins = bins4_by_bucket<together>(cuts, Double4{at[0], at[step], at[2 * step], at[3 * step]});
        for (Index i = 0; i < 4; ++i) codes[(r + i) * code_step] = bins[i];
    }
    for (; r < rows; ++r) codes[r * code_step] = bins4_by_bucket<together>(cuts, fill4(x[r * step]))[0];
}

inline constexpr Index few_cuts = 24;  // up to so many, comparing with each is quicker than any search

// Column by column, so that one column's cuts stay in the cache.
static void to_bins(Tile x, Index rows, Index columns, const CutTable* cuts, std::int32_t* codes) {
    for (Index j = 0; j < columns; ++j) {
        const CutTable of_column = cuts[j];
        if (of_column.together == 4) to_bins_by_bucket<4>(of_column, x.at + j, x.step, rows, codes + j, columns);
        if (of_column.together == 8) to_bins_by_bucket<8>(of_column, x.at + j, x.step, rows, codes + j, columns);
        Index r = of_column.together ? rows : 0;
        for (; r + 4 <= rows && of_column.n <= few_cuts; r += 4) {
            const double* at = x.at + r * x.step + j;
            const Double4 four = {at[0], at[x.step], at[2 * x.step], at[3 * x.step]};
            Bits4 count = (Bits4)(four != four);
            for (Index i = 0; i < of_column.n; ++i) count -= (Bits4)(fill4(of_column.cut[i]) < four);
            for (Index i = 0; i < 4; ++i) codes[(r + i) * columns + j] = static_cast<std::int32_t>(count[i]);
        }
        for (; r < rows; r += searched_together) {
            const Index some = rows - r < searched_together ? rows - r : searched_together;
            const double* from = x.at + r * x.step + j;
            std::int32_t found[searched_together];
            search(of_column, from, x.step, some, found);
            for (Index i = 0; i < some; ++i)
                codes[(r + i) * columns + j] = from[i * x.step] == from[i * x.step] ? found[i] : -1;
        }
    }
}

}  // namespace candide::CANDIDE_ISA
