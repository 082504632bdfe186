// Logarithms of softened counts: log (N_kd + s_d) - log total.
#pragma once

#include <cmath>

#include "parallel.hpp"

namespace candide {

// log theta (D, K) from counts (K, D).
inline void log_softened(SoftenedTable table, bool one_pseudo, double* out) {
    std::vector<double> of_small(one_pseudo ? SoftenedTable::small : 0);
    for (std::size_t n = 0; n < of_small.size(); ++n) of_small[n] = std::log(static_cast<double>(n) + *table.pseudo);
    table.of_small = one_pseudo ? of_small.data() : nullptr;
    parallel_rows(divide(table.columns, table.classes), table.columns,
                  [&](Index, Index from, Index to) { loops().log_softened(table, from, to, out); });
}

}  // namespace candide
