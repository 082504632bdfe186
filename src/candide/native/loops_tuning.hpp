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

// By how much the scores of class 1 exceed those of class 0 become its probabilities; returns Σ w log P(own class).
static double to_chances(double* scores, Index rows, Index own, const double* weight) {
    const double sign = own == 1 ? 1.0 : -1.0;
    double total = 0;
    for (Index first = 0; first < rows; first += 4) {
        const Index here = rows - first < 4 ? rows - first : 4;
        Double4 more{};
        for (Index i = 0; i < here; ++i) more[i] = scores[first + i];
        const Double4 size = more < 0.0 ? -more : more, mine = sign * more;
        const Double4 small = exp4(-size), sum = 1.0 + small;
        const Double4 log_p = (mine < 0.0 ? mine : Double4{}) - log4(sum);
        const Double4 p = (more < 0.0 ? small : fill4(1.0)) / sum;
        for (Index i = 0; i < here; ++i) total += weight[first + i] * log_p[i], scores[first + i] = p[i];
    }
    return total;
}

// What a row has for some classes at once, held in registers while it is added to entry after entry. The last vector may
// reach back over classes of the one before it: all are loaded before one is stored, and both store the same. One that
// reaches back alone adds nothing to classes that others have had.
template <int V>
struct ClassValues {
    Index at[V];
    Double4 value[V];

    CANDIDE_INLINE ClassValues(const ClassSums<V>& group, const double* from) {
        for (int v = 0; v < V; ++v) at[v] = group.at[v], value[v] = load4(from + at[v]);
        for (Index i = 0; V == 1 && i < group.seen; ++i) value[0][i] = 0;
    }
    CANDIDE_INLINE void add_to(double* to) const {
        Double4 sum[V];
        for (int v = 0; v < V; ++v) sum[v] = load4(to + at[v]) + value[v];
        for (int v = 0; v < V; ++v) store4(to + at[v], sum[v]);
    }
};

// The same for fewer than four classes.
template <int G>
struct FewValues {
    double value[G];

    CANDIDE_INLINE FewValues(const FewSums<G>&, const double* from) {
        for (int g = 0; g < G; ++g) value[g] = from[g];
    }
    CANDIDE_INLINE void add_to(double* to) const {
        for (int g = 0; g < G; ++g) to[g] += value[g];
    }
};

template <int V>
CANDIDE_INLINE ClassValues<V> values_of(const ClassSums<V>& group, const double* from) { return {group, from}; }
template <int G>
CANDIDE_INLINE FewValues<G> values_of(const FewSums<G>& group, const double* from) { return {group, from}; }

// sums[entry] += from[row] for every cell of every row; an entry below zero is left out.
static void scatter_rows(const std::int32_t* table_rows, Index rows, Index columns, const double* from, Index n_classes,
                         double* sums) {
    by_class_group(n_classes, [=](auto group) __attribute__((always_inline)) {
        for (Index r = 0; r < rows; ++r) {
            const auto values = values_of(group, from + r * n_classes);
            for (Index j = 0; j < columns; ++j)
                if (const Index at = table_rows[r * columns + j]; at >= 0) values.add_to(sums + at * n_classes);
        }
    });
}

}  // namespace candide::CANDIDE_ISA
