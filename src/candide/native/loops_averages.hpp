// Scores of rows under one of several models, and the sum of their exponentials over models. Rows of scores are whole
// vectors.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

template <int V>
CANDIDE_INLINE void add_cells(const ModelCells& cells, const std::int32_t* rows, Index n, const double* table,
                              double* out, Index step) {
    for (Index r = 0; r < n; ++r, out += step) {
        const std::int32_t* entry = cells.entries + rows[r] * cells.columns;
        Double4 sum[V];
        for (int v = 0; v < V; ++v) sum[v] = load4(out + 4 * v);
        for (Index j = cells.first; j < cells.last; ++j) {
            if (entry[j] < 0) continue;
            const double* from = table + entry[j] * step;
            for (int v = 0; v < V; ++v) sum[v] += load4(from + 4 * v);
        }
        for (int v = 0; v < V; ++v) store4(out + 4 * v, sum[v]);
    }
}

static void add_model(const ModelCells& cells, const std::int32_t* rows, Index n, const double* table, double* out,
                      Index step) {
    Index k = 0;
    for (; step - k > 28; k += 32) add_cells<8>(cells, rows, n, table + k, out + k, step);
    switch ((step - k) / 4) {
        case 7: return add_cells<7>(cells, rows, n, table + k, out + k, step);
        case 6: return add_cells<6>(cells, rows, n, table + k, out + k, step);
        case 5: return add_cells<5>(cells, rows, n, table + k, out + k, step);
        case 4: return add_cells<4>(cells, rows, n, table + k, out + k, step);
        case 3: return add_cells<3>(cells, rows, n, table + k, out + k, step);
        case 2: return add_cells<2>(cells, rows, n, table + k, out + k, step);
        case 1: return add_cells<1>(cells, rows, n, table + k, out + k, step);
        default: return;
    }
}

static void add_exponentials(const double* x, const std::int32_t* rows, Index n, Index step, double* sums) {
    constexpr Index ahead = 4, line = 8;  // rows that are fetched before they are needed; doubles
    for (Index r = 0; r < n; ++r, x += step) {
        if (r + ahead < n)
            for (Index i = 0; i < 2 * step; i += line) __builtin_prefetch(sums + rows[r + ahead] * 2 * step + i, 1);
        double *top = sums + rows[r] * 2 * step, *sum = top + step;
        for (Index i = 0; i < step; i += 4) {
            const Double4 value = load4(x + i), most = load4(top + i), total = load4(sum + i);
            const Double4 less = exp4(value > most ? most - value : value - most);  // of the two, the other's is one
            store4(sum + i, value > most ? total * less + fill4(1) : total + less);
            store4(top + i, value > most ? value : most);
        }
    }
}

}  // namespace candide::CANDIDE_ISA
