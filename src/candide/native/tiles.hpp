// Arrays of any type and strides, read tile by tile as contiguous rows of doubles or of 32-bit codes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "platform.hpp"

namespace candide {

enum class Type : std::uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

// A matrix as NumPy describes it: steps are in bytes and may be anything.
struct Matrix {
    const char* data;
    Index rows, columns, row_step, column_step;
    Type type;
};

template <class T>
CANDIDE_INLINE T load(const char* at) {  // a plain load that may be unaligned
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

CANDIDE_INLINE double to_double(auto value) { return static_cast<double>(value); }

// Every negative code becomes -1, every code beyond 32 bits the greatest one that can still be incremented.
CANDIDE_INLINE std::int32_t to_code(auto value) {
    constexpr auto most = std::numeric_limits<std::int32_t>::max() - 1;
    using T = decltype(value);
    if constexpr (sizeof(T) >= 4 || std::is_floating_point_v<T>) {
        if (value > static_cast<T>(most)) return most;
    }
    return value < T{0} ? -1 : static_cast<std::int32_t>(value);
}

// Call visit with a value of the matrix's type.
template <class Visit>
CANDIDE_INLINE void with_type(Type type, Visit&& visit) {
    switch (type) {
        case Type::f32: return visit(float{});
        case Type::f64: return visit(double{});
        case Type::i8: return visit(std::int8_t{});
        case Type::i16: return visit(std::int16_t{});
        case Type::i32: return visit(std::int32_t{});
        case Type::i64: return visit(std::int64_t{});
        case Type::u8: return visit(std::uint8_t{});
        case Type::u16: return visit(std::uint16_t{});
        case Type::u32: return visit(std::uint32_t{});
        case Type::u64: return visit(std::uint64_t{});
    }
}

template <class T, class Out, class Convert>
CANDIDE_INLINE void copy_tile(const Matrix& m, Index first, Index rows, Out* __restrict tile, Convert convert) {
    const char* base = m.data + first * m.row_step;
    const Index columns = m.columns;
    if (m.column_step == sizeof(T)) {
        for (Index r = 0; r < rows; ++r, base += m.row_step)
            for (Index c = 0; c < columns; ++c) tile[r * columns + c] = convert(load<T>(base + c * sizeof(T)));
        return;
    }
    // Columns lie far apart: four of them at a time fill a part of each row together.
    Index c = 0;
    for (; c + 4 <= columns; c += 4) {
        const char* from = base + c * m.column_step;
        for (Index r = 0; r < rows; ++r, from += m.row_step)
            for (Index i = 0; i < 4; ++i) tile[r * columns + c + i] = convert(load<T>(from + i * m.column_step));
    }
    for (; c < columns; ++c) {
        const char* from = base + c * m.column_step;
        for (Index r = 0; r < rows; ++r, from += m.row_step) tile[r * columns + c] = convert(load<T>(from));
    }
}

CANDIDE_HOT static void read_doubles(const Matrix& m, Index first, Index rows, double* tile) {
    with_type(m.type, [&](auto value) __attribute__((always_inline)) {
        using T = decltype(value);
        copy_tile<T>(m, first, rows, tile, [](T v) __attribute__((always_inline)) { return to_double(v); });
    });
}

CANDIDE_HOT static void read_codes(const Matrix& m, Index first, Index rows, std::int32_t* tile) {
    with_type(m.type, [&](auto value) __attribute__((always_inline)) {
        using T = decltype(value);
        copy_tile<T>(m, first, rows, tile, [](T v) __attribute__((always_inline)) { return to_code(v); });
    });
}

// Rows per tile, so that a tile of doubles stays in the first-level cache.
inline Index tile_rows(Index columns) { return std::clamp<Index>(2048 / std::max<Index>(columns, 1), 8, 1024); }

// One tile: row r begins at at + r * step.
struct Tile {
    const double* at;
    Index step;
};

// Tiles of doubles; a matrix that already holds contiguous rows of doubles is not copied.
class DoubleTiles {
  public:
    DoubleTiles(const Matrix& matrix, Index rows) : m(matrix) {
        const auto address = reinterpret_cast<std::uintptr_t>(m.data);
        direct = m.type == Type::f64 && (m.column_step == 8 || m.columns == 1) &&
                 m.row_step % 8 == 0 && address % 8 == 0;
        if (!direct) buffer.resize(static_cast<std::size_t>(rows * m.columns));
    }
    Tile read(Index first, Index rows) {
        if (direct) return {reinterpret_cast<const double*>(m.data + first * m.row_step), m.row_step / 8};
        read_doubles(m, first, rows, buffer.data());
        return {buffer.data(), m.columns};
    }

  private:
    Matrix m;
    bool direct;
    std::vector<double> buffer;
};

}  // namespace candide
