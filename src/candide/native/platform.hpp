// What depends on compiler and machine: function multiversioning and threads.
#pragma once

#include <algorithm>
#include <cstddef>

#ifdef _OPENMP
#include <omp.h>
#endif

// Hot loops over doubles are compiled twice, for baseline x86-64 and for AVX2 with FMA; the loader picks one.
// (The loader's picking runs before the sanitizers are ready, so their build has the baseline alone.)
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(CANDIDE_SANITIZE)
#define CANDIDE_HOT __attribute__((target_clones("default", "arch=haswell")))
#else
#define CANDIDE_HOT
#endif
#define CANDIDE_INLINE [[gnu::always_inline]] inline

namespace candide {

using Index = std::ptrdiff_t;

// A thread is worth waking for about this many cells.
inline constexpr Index cells_per_thread = 1 << 15;

// Threads for this many rows of this many cells; each must also repay `setup` cells of private memory.
inline int threads_for(Index rows, Index cells_per_row, Index setup = 0) {
#ifdef _OPENMP
    const Index cells = rows * std::max<Index>(cells_per_row, 1);
    const Index useful = cells / std::max(cells_per_thread, 4 * setup);
    return static_cast<int>(std::clamp<Index>(std::min(useful, rows), 1, omp_get_max_threads()));
#else
    (void)rows, (void)cells_per_row, (void)setup;
    return 1;
#endif
}

// body(thread, begin, end) for consecutive ranges of rows; ranges ascend with the thread's number.
template <class Body>
void parallel_rows(int threads, Index rows, Body&& body) {
    if (threads == 1) return body(0, Index{0}, rows);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) body(t, rows * t / threads, rows * (t + 1) / threads);
#endif
}

}  // namespace candide
