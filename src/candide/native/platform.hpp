// What depends on compiler and machine.
#pragma once

#include <cstddef>

#define CANDIDE_INLINE [[gnu::always_inline]] inline

namespace candide {

using Index = std::ptrdiff_t;

}  // namespace candide
