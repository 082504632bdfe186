// Threads, and tiles of rows for each.
#pragma once

#include <algorithm>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "loops.hpp"

namespace candide {

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

// Rows per tile, so that a tile of doubles stays in the first-level cache.
inline Index tile_rows(Index columns) { return std::clamp<Index>(2048 / std::max<Index>(columns, 1), 8, 1024); }

// Tiles of doubles; a matrix that already holds contiguous rows of doubles is not copied. Where `multiple` is 4,
// rows are filled up with zeros to whole vectors.
class DoubleTiles {
  public:
    DoubleTiles(const Matrix& matrix, Index rows, Index multiple = 1)
        : m(matrix), step((m.columns + multiple - 1) / multiple * multiple) {
        const auto address = reinterpret_cast<std::uintptr_t>(m.data);
        direct = m.type == Type::f64 && m.column_step == 8 && m.row_step % 8 == 0 && address % 8 == 0 &&
                 step == m.columns;
        if (!direct) buffer.resize(static_cast<std::size_t>(rows * step));
    }
    Tile read(Index first, Index rows) {
        if (direct) return {reinterpret_cast<const double*>(m.data + first * m.row_step), m.row_step / 8};
        loops().read_doubles(m, first, rows, buffer.data(), step);
        return {buffer.data(), step};
    }

  private:
    Matrix m;
    Index step;
    bool direct;
    std::vector<double> buffer;
};

}  // namespace candide
