// Threads, and tiles of rows for each.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <stdexcept>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "loops.hpp"

namespace candide {

// No more threads than this, however many OpenMP offers.
inline std::atomic<int> thread_limit{std::numeric_limits<int>::max()};

// Threads that are one of several at work already wake no others.
inline thread_local bool one_of_several = false;
inline void work_alone() { one_of_several = true; }

// Whether this process, or the one it was forked from, has woken threads: a forked child has none of them.
inline std::atomic<bool> threads_woken{false};

inline void set_threads(Index n) {
    if (n < 1) throw std::invalid_argument("n must be at least 1: the calling thread works, too");
    thread_limit = static_cast<int>(std::min<Index>(n, std::numeric_limits<int>::max()));
}

// How many threads a kernel called from here may use, itself included.
inline Index threads() {
#ifdef _OPENMP
    return one_of_several ? 1 : std::min(omp_get_max_threads(), thread_limit.load());
#else
    return 1;
#endif
}

// In a child after a fork: threads that were woken before did not come along, and waiting for them would never end. Where
// none was, the child may wake its own.
inline void after_fork() {
    if (threads_woken) thread_limit = 1;
}

// A thread is worth waking for the work of this many cells that are only read, about a millisecond's: so there is none
// besides the caller's below two million cells. It would save less than it costs where it has to wait for a core (stalls
// of 4 to 8 ms were seen).
inline constexpr Index cells_per_thread = 1'000'000;
inline constexpr Index blocks_per_thread = 8;

// Blocks of consecutive rows, which threads take as they become free. What one block gives does not depend on the
// thread that took it, so results are put together in the order of blocks.
struct Division {
    int threads;
    Index blocks;
};

// The division of this many rows of this many cells; each block must also repay `setup` cells of private memory.
inline Division divide(Index rows, Index cells_per_row, Index setup = 0) {
#ifdef _OPENMP
    const Index cells = rows * std::max<Index>(cells_per_row, 1);
    const Index useful = cells / std::max(cells_per_thread, 4 * setup);
    const Index workers = std::clamp<Index>(std::min(useful, rows), 1, threads());
    if (workers == 1) return {1, 1};
    const Index affordable = cells / std::max(cells_per_thread / blocks_per_thread, 4 * setup);
    return {static_cast<int>(workers), std::clamp(affordable, workers, blocks_per_thread * workers)};
#else
    (void)rows, (void)cells_per_row, (void)setup;
    return {1, 1};
#endif
}

// How many threads a kernel called from here would use for so many cells.
inline Index useful_threads(Index cells) { return divide(cells, 1).threads; }

// body(block, begin, end) for every block.
template <class Body>
void parallel_rows(const Division& division, Index rows, Body&& body) {
    const Index blocks = division.blocks;
    if (division.threads == 1) {
        for (Index b = 0; b < blocks; ++b) body(b, rows * b / blocks, rows * (b + 1) / blocks);
        return;
    }
#ifdef _OPENMP
    threads_woken = true;
#pragma omp parallel for num_threads(division.threads) schedule(dynamic, 1)
    for (Index b = 0; b < blocks; ++b) body(b, rows * b / blocks, rows * (b + 1) / blocks);
#endif
}

// The same of a body that may throw: nothing may leave a thread, so the first block's exception is thrown when all are done.
template <class Body>
void guarded_rows(const Division& division, Index rows, Body&& body) {
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(division.blocks));
    parallel_rows(division, rows, [&](Index block, Index begin, Index end) {
        try {
            body(block, begin, end);
        } catch (...) {
            failures[block] = std::current_exception();
        }
    });
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

// The thread that works on a block, below division.threads: for sums that no order of adding can change.
inline Index thread_of(const Division& division) {
#ifdef _OPENMP
    return division.threads == 1 ? 0 : omp_get_thread_num();
#else
    return (void)division, 0;
#endif
}

// Rows per tile, so that a tile of doubles stays in the first-level cache.
inline Index tile_rows(Index columns) { return std::clamp<Index>(2048 / std::max<Index>(columns, 1), 8, 1024); }

// What scores (N, K) begin with before something is added to them: a row for all, or, where there is none, what they are.
// Written tile by tile, so that a tile is in the cache when it is added to, and fresh memory is touched first by the
// thread that works on it.
struct Beginning {
    const double* row;
    void write(double* scores, Index rows, Index n_classes) const {
        if (row == nullptr || rows == 0) return;
        std::copy_n(row, n_classes, scores);
        const Index cells = rows * n_classes;
        for (Index done = n_classes; done < cells; done *= 2) std::copy_n(scores, std::min(done, cells - done), scores + done);
    }
};

// Tiles of doubles; a matrix that already holds contiguous rows of doubles is not copied. Where `multiple` is 4,
// rows are filled up with zeros to whole vectors.
class DoubleTiles {
  public:
    DoubleTiles(const Matrix& matrix, Index rows, Index multiple = 1)
        : m(matrix), step((m.columns + multiple - 1) / multiple * multiple) {
        const auto address = reinterpret_cast<std::uintptr_t>(m.data);
        direct = m.type == Type::f64 && !m.apart && m.column_step == 8 && m.row_step % 8 == 0 && address % 8 == 0 &&
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
