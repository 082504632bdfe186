// Probabilities of a tile's rows, and what is left over of them by table entry.
#pragma once

#include "loops_scores.hpp"

namespace candide::CANDIDE_ISA {

// Scores (rows, K) become probabilities, four rows at a time; returns Σ w log P(own class). `work` holds 4 K doubles.
static double to_probabilities(double* scores, Index rows, Index n_classes, Index own, const double* weight,
                               double* work) {
    double total = 0;
    for (Index first = 0; first < rows; first += 4) {
        const Index here = rows - first < 4 ? rows - first : 4;
        double* row[4];
        for (Index i = 0; i < 4; ++i) row[i] = scores + (first + (i < here ? i : 0)) * n_classes;
        Double4 most = fill4(-std::numeric_limits<double>::infinity());
        for (Index k = 0; k < n_classes; ++k) {
            const Double4 four{row[0][k], row[1][k], row[2][k], row[3][k]};
            store4(work + 4 * k, four);
            most = four > most ? four : most;
        }
        const Double4 mine = load4(work + 4 * own) - most;
        Double4 sum{};
        for (Index k = 0; k < n_classes; ++k) {
            const Double4 four = exp4(load4(work + 4 * k) - most);
            store4(work + 4 * k, four);
            sum += four;
        }
        const Double4 log_p = mine - log4(sum), scale = 1.0 / sum;
        for (Index i = 0; i < here; ++i) total += weight[first + i] * log_p[i];
        for (Index k = 0; k < n_classes; ++k) {
            const Double4 four = load4(work + 4 * k) * scale;
            for (Index i = 0; i < here; ++i) row[i][k] = four[i];
        }
    }
    return total;
}

// sums[entry] += from[row] for every cell of every row; an entry below zero is left out.
static void scatter_rows(const std::int32_t* table_rows, Index rows, Index columns, const double* from, Index n_classes,
                         double* sums) {
    for (Index r = 0; r < rows; ++r) {
        const double* row = from + r * n_classes;
        for (Index j = 0; j < columns; ++j) {
            const Index at = table_rows[r * columns + j];
            if (at < 0) continue;
            double* to = sums + at * n_classes;
            if (n_classes == 2) {
                to[0] += row[0], to[1] += row[1];
                continue;
            }
            Index k = 0;
            for (; k + 4 <= n_classes; k += 4) store4(to + k, load4(to + k) + load4(row + k));
            for (; k < n_classes; ++k) to[k] += row[k];
        }
    }
}

}  // namespace candide::CANDIDE_ISA
