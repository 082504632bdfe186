// Arrays of any type and strides.
#pragma once

#include <cstdint>
#include <cstring>

#include "platform.hpp"

namespace candide {

enum class Type : std::uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

constexpr Index size_of(Type type) {
    constexpr Index sizes[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    return sizes[static_cast<int>(type)];
}

// A matrix as NumPy describes it: steps are in bytes and may be anything. Or columns that lie apart, as a frame's do.
struct Matrix {
    const char* data;
    Index rows, columns, row_step, column_step;
    Type type;
    const char* const* apart = nullptr;  // where each column begins; data and column_step then say nothing

    const char* column(Index c) const { return apart ? apart[c] : data + c * column_step; }

    // One column alone lies as an array does, whatever is between it and the next.
    Matrix some_columns(Index first, Index n) const {
        if (n == 1) return {column(first), rows, 1, row_step, size_of(type), type};
        if (apart) return {nullptr, rows, n, row_step, 0, type, apart + first};
        return {data + first * column_step, rows, n, row_step, column_step, type};
    }
};

// Some rows of it as doubles: row r begins at at + r * step.
struct Tile {
    const double* at;
    Index step;
};

// Codes are below this, and so are all levels together, so that sums of the two stay within 32 bits.
inline constexpr std::int32_t code_limit = 1 << 30;

template <class T>
CANDIDE_INLINE T load(const char* at) {  // a plain load that may be unaligned
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// Whether consecutive rows of one column can be read as an array of T.
template <class T>
bool is_array(const Matrix& m, Type type) {
    return m.type == type && m.row_step == sizeof(T) && reinterpret_cast<std::uintptr_t>(m.data) % alignof(T) == 0;
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

}  // namespace candide
