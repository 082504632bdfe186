// What depends on compiler and machine.
#pragma once

#include <cstddef>

#define CANDIDE_INLINE [[gnu::always_inline]] inline

// Elements of two vectors, by their numbers.
#ifdef __clang__
#define CANDIDE_SHUFFLE(Type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CANDIDE_SHUFFLE(Type, a, b, ...) __builtin_shuffle(a, b, Type{__VA_ARGS__})
#endif

namespace candide {

using Index = std::ptrdiff_t;

// Bytes that lie in lines of the cache of their own: these are fetched in pairs.
inline constexpr std::size_t lines_apart = 128;

}  // namespace candide
