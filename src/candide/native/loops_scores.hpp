// Log-likelihoods of a row under many classes at once, and the row-wise finish.
#pragma once

#include <limits>

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// Sums over a row's cells for some classes at once, held in registers: V vectors of four classes. The last may reach
// back over classes that belong to the one before it; its first `seen` sums are then not used. So no table needs
// padding.
template <int V>
struct ClassSums {
    static constexpr Index classes = 4 * V;
    Index at[V];
    Index seen;
    Double4 sum[V] = {};

    CANDIDE_INLINE ClassSums(Index first, Index n_classes) {
        for (int v = 0; v < V; ++v) at[v] = first + 4 * v;
        if (at[V - 1] > n_classes - 4) at[V - 1] = n_classes - 4;
        seen = first + 4 * (V - 1) - at[V - 1];
    }
    CANDIDE_INLINE const double* of(const double* row) const { return row + at[0]; }
    // sums that begin again, where a copy of empty ones would go through memory
    CANDIDE_INLINE void clear() {
        for (int v = 0; v < V; ++v) sum[v] = Double4{};
    }
    CANDIDE_INLINE void add(const double* from) {
        for (int v = 0; v < V; ++v) sum[v] += load4(from + at[v]);
    }
    CANDIDE_INLINE void add(double scale, const double* from) {
        for (int v = 0; v < V; ++v) sum[v] += scale * load4(from + at[v]);
    }
    CANDIDE_INLINE void subtract_square(double x, const double* mean, const double* half_precision) {
        for (int v = 0; v < V; ++v) {
            const Double4 d = x - load4(mean + at[v]);
            sum[v] -= (d * load4(half_precision + at[v])) * d;  // d * d may overflow, and ∞ · 0 is NaN
        }
    }
    CANDIDE_INLINE void add_to(double* out) const {
        for (int v = 0; v < V - 1; ++v) store4(out + at[v], load4(out + at[v]) + sum[v]);
        double* last = out + at[V - 1];
        if (seen == 0) store4(last, load4(last) + sum[V - 1]);
        for (Index i = seen; i < 4 && seen; ++i) last[i] += sum[V - 1][i];
    }
};

// The same for fewer than four classes.
template <int G>
struct FewSums {
    static constexpr Index classes = G;
    double sum[G] = {};

    CANDIDE_INLINE const double* of(const double* row) const { return row; }
    CANDIDE_INLINE void clear() {
        for (int g = 0; g < G; ++g) sum[g] = 0;
    }
    CANDIDE_INLINE void add(const double* from) {
        for (int g = 0; g < G; ++g) sum[g] += from[g];
    }
    CANDIDE_INLINE void add(double scale, const double* from) {
        for (int g = 0; g < G; ++g) sum[g] += scale * from[g];
    }
    CANDIDE_INLINE void subtract_square(double x, const double* mean, const double* half_precision) {
        for (int g = 0; g < G; ++g) {
            const double d = x - mean[g];
            sum[g] -= (d * half_precision[g]) * d;
        }
    }
    CANDIDE_INLINE void add_to(double* out) const {
        for (int g = 0; g < G; ++g) out[g] += sum[g];
    }
};

// Two classes fill half a vector.
template <>
struct FewSums<2> {
    static constexpr Index classes = 2;
    Double2 sum{};

    CANDIDE_INLINE const double* of(const double* row) const { return row; }
    CANDIDE_INLINE void clear() { sum = Double2{}; }
    CANDIDE_INLINE void add(const double* from) { sum += load2(from); }
    CANDIDE_INLINE void add(double scale, const double* from) { sum += scale * load2(from); }
    CANDIDE_INLINE void subtract_square(double x, const double* mean, const double* half_precision) {
        const Double2 d = x - load2(mean);
        sum -= (d * load2(half_precision)) * d;
    }
    CANDIDE_INLINE void add_to(double* out) const { store2(out, load2(out) + sum); }
};

// visit(sums) for each group of classes.
template <class Visit>
CANDIDE_INLINE void by_class_group(Index n_classes, Visit&& visit) {
    if (n_classes == 1) return visit(FewSums<1>());
    if (n_classes == 2) return visit(FewSums<2>());
    if (n_classes == 3) return visit(FewSums<3>());
    Index k = 0;
    for (; n_classes - k > 20; k += 24) visit(ClassSums<6>(k, n_classes));
    if (n_classes - k > 16) visit(ClassSums<5>(k, n_classes));
    else if (n_classes - k > 12) visit(ClassSums<4>(k, n_classes));
    else if (n_classes - k > 8) visit(ClassSums<3>(k, n_classes));
    else if (n_classes - k > 4) visit(ClassSums<2>(k, n_classes));
    else if (n_classes - k > 0) visit(ClassSums<1>(k, n_classes));
}

static void add_rows(const std::int32_t* table_rows, Index rows, Index columns, const double* table, Index n_classes,
                     double* out) {
    by_class_group(n_classes, [=](auto sums) __attribute__((always_inline)) {
        for (Index r = 0; r < rows; ++r) {
            sums.clear();
            for (Index j = 0; j < columns; ++j) {
                const Index at = table_rows[r * columns + j];
                if (at >= 0) sums.add(table + at * n_classes);
            }
            sums.add_to(out + r * n_classes);
        }
    });
}

static void add_normal_by_row(Tile x, Index rows, Index columns, const NormalTables& tables, Index n_classes,
                              double* out) {
    by_class_group(n_classes, [=](auto sums) __attribute__((always_inline)) {
        for (Index r = 0; r < rows; ++r) {
            const double* row = x.at + r * x.step;
            sums.clear();
            bool complete = true;
            for (Index j = 0; j < columns; ++j) {
                const Index at = j * n_classes;
                if (row[j] == row[j]) [[likely]]
                    sums.subtract_square(row[j], tables.mean + at, tables.half_precision + at);
                else complete = false;
            }
            if (complete) sums.add(tables.peaks);
            for (Index j = 0; j < columns && !complete; ++j)
                if (row[j] == row[j]) sums.add(tables.peak + j * n_classes);
            sums.add_to(out + r * n_classes);
        }
    });
}

// Too few classes for a vector: four rows side by side, cell by cell the same sums. Rows with a gap, whose sums are no
// numbers, go one by one.
template <int G>
static void add_normal_by_four(Tile x, Index rows, Index columns, const NormalTables& tables, double* out) {
    Index r = 0;
    for (; r + 4 <= rows; r += 4) {
        const double* row[4] = {x.at + r * x.step, x.at + (r + 1) * x.step, x.at + (r + 2) * x.step, x.at + (r + 3) * x.step};
        Double4 sum[G] = {};
        const auto subtract_square = [&](Double4 cells, Index j) __attribute__((always_inline)) {
            for (int g = 0; g < G; ++g) {
                const Double4 d = cells - tables.mean[j * G + g];
                sum[g] -= (d * tables.half_precision[j * G + g]) * d;
            }
        };
        Index j = 0;
        for (; j + 4 <= columns; j += 4) {
            Double4 a = load4(row[0] + j), b = load4(row[1] + j), c = load4(row[2] + j), d = load4(row[3] + j);
            transpose4(a, b, c, d);
            subtract_square(a, j);
            subtract_square(b, j + 1);
            subtract_square(c, j + 2);
            subtract_square(d, j + 3);
        }
        for (; j < columns; ++j) subtract_square(Double4{row[0][j], row[1][j], row[2][j], row[3][j]}, j);
        double* at = out + r * G;
        bool complete = true;
        for (int g = 0; g < G; ++g)
            for (Index i = 0; i < 4; ++i) complete &= sum[g][i] == sum[g][i];
        if (!complete) {
            add_normal_by_row({row[0], x.step}, 4, columns, tables, G, at);
            continue;
        }
        for (int g = 0; g < G; ++g) sum[g] += tables.peaks[g];
        for (Index i = 0; i < 4; ++i)
            for (int g = 0; g < G; ++g) at[i * G + g] += sum[g][i];
    }
    add_normal_by_row({x.at + r * x.step, x.step}, rows - r, columns, tables, G, out + r * G);
}

static void add_normal(Tile x, Index rows, Index columns, const NormalTables& tables, Index n_classes, double* out) {
    switch (n_classes) {
        case 1: return add_normal_by_four<1>(x, rows, columns, tables, out);
        case 2: return add_normal_by_four<2>(x, rows, columns, tables, out);
        case 3: return add_normal_by_four<3>(x, rows, columns, tables, out);
        default: return add_normal_by_row(x, rows, columns, tables, n_classes, out);
    }
}

// Weights lie anywhere in a large table: those of a cell are fetched some cells before they are used.
static void add_sparse(const SparseTile& x, Index rows, const double* weights, Index n_classes, double* out) {
    constexpr Index ahead = 12, line = 8;  // cells; doubles
    by_class_group(n_classes, [=](auto sums) __attribute__((always_inline)) {
        for (Index r = 0; r < rows; ++r) {
            sums.clear();
            for (Index i = x.begin[r]; i < x.begin[r + 1]; ++i) {
                if (i + ahead < x.begin[rows]) {
                    const double* next = sums.of(weights + x.column[i + ahead] * n_classes);
                    for (Index k = 0; k < sums.classes; k += line) __builtin_prefetch(next + k);
                }
                if (x.value[i] != 0) sums.add(x.value[i], weights + x.column[i] * n_classes);
            }
            sums.add_to(out + r * n_classes);
        }
    });
}

// How far below the largest a score may be to count as equal to it; nothing is near an infinite one.
CANDIDE_INLINE Double4 level4(Double4 most, double tie) {
    const Double4 size = most < 0.0 ? -most : most;
    const Double4 level = -tie * (size > 1.0 ? size : fill4(1.0));
    return size <= std::numeric_limits<double>::max() ? level : Double4{};
}

// Scores less their row's largest, 0 where within `tie` of it; four rows at a time. The largest of a row that is all -inf
// counts as 0.
CANDIDE_INLINE Double4 below4(Double4 score, Double4 most, Double4 level) {
    const Double4 below = score - most;
    return below >= level ? Double4{} : below;
}

// s - max - log sum exp(s - max) of two classes: one of the two differences is 0, so that their sum is the other.
static Index normalize_two(double* scores, Index rows, double tie) {
    constexpr double zero = -std::numeric_limits<double>::infinity();
    Index impossible = 0;
    for (Index r = 0; r < rows; r += 4) {
        double last[8];  // of fewer than four rows
        const Index here = rows - r < 4 ? rows - r : 4;
        double* at = scores + 2 * r;
        for (Index i = 0; i < 8 && here < 4; ++i) last[i] = i < 2 * here ? at[i] : 0.0;
        double* four = here < 4 ? last : at;
        const Double4 front = load4(four), back = load4(four + 4);
        const Double4 first = CANDIDE_SHUFFLE(Bits4, front, back, 0, 4, 2, 6);
        const Double4 second = CANDIDE_SHUFFLE(Bits4, front, back, 1, 5, 3, 7);
        Double4 most = second > first ? second : first;
        for (Index i = 0; i < 4; ++i) impossible += most[i] == zero;
        most = most == zero ? Double4{} : most;
        const Double4 level = level4(most, tie);
        const Double4 a = below4(first, most, level), b = below4(second, most, level);
        const Double4 log_sum = log4(1.0 + exp4(a + b));
        const Double4 c = a - log_sum, d = b - log_sum;
        store4(four, CANDIDE_SHUFFLE(Bits4, c, d, 0, 4, 2, 6));
        store4(four + 4, CANDIDE_SHUFFLE(Bits4, c, d, 1, 5, 3, 7));
        for (Index i = 0; i < 2 * here && here < 4; ++i) at[i] = last[i];
    }
    return impossible;
}

// The same of any number of classes; where there are fewer than four rows, the last again.
static Index normalize(double* scores, Index rows, Index n_classes, double tie, double* work) {
    if (n_classes == 2) return normalize_two(scores, rows, tie);
    constexpr double zero = -std::numeric_limits<double>::infinity();
    Index impossible = 0;
    for (Index r = 0; r < rows; r += 4) {
        double* row[4];
        for (Index i = 0; i < 4; ++i) row[i] = scores + (r + i < rows ? r + i : rows - 1) * n_classes;
        Double4 most = fill4(zero);
        for (Index k = 0; k < n_classes; ++k) {
            const Double4 four = {row[0][k], row[1][k], row[2][k], row[3][k]};
            most = four > most ? four : most;
            store4(work + 4 * k, four);
        }
        for (Index i = 0; i < 4 && r + i < rows; ++i) impossible += most[i] == zero;
        most = most == zero ? Double4{} : most;
        const Double4 level = level4(most, tie);
        Double4 sum{};
        for (Index k = 0; k < n_classes; ++k) {
            const Double4 four = below4(load4(work + 4 * k), most, level);
            store4(work + 4 * k, four);
            sum += exp4(four);
        }
        const Double4 log_sum = log4(sum == 0.0 ? fill4(1.0) : sum);
        for (Index k = 0; k < n_classes; ++k) {
            const Double4 four = load4(work + 4 * k) - log_sum;
            for (Index i = 0; i < 4; ++i) row[i][k] = four[i];
        }
    }
    return impossible;
}

// Of few classes, four rows at a time and last to first, since no processor foretells which the largest is.
static void argmax(const double* scores, Index rows, Index n_classes, double tie, std::int64_t lost,
                   std::int64_t* best) {
    constexpr double zero = -std::numeric_limits<double>::infinity();
    for (Index r = 0; n_classes <= 32 && r < rows; r += 4) {
        const double* row[4];
        for (Index i = 0; i < 4; ++i) row[i] = scores + (r + i < rows ? r + i : rows - 1) * n_classes;
        const auto at = [&](Index k) { return Double4{row[0][k], row[1][k], row[2][k], row[3][k]}; };
        Double4 most = fill4(zero), first{};
        for (Index k = 0; k < n_classes; ++k) most = at(k) > most ? at(k) : most;
        const Double4 level = level4(most, tie);
        for (Index k = n_classes; k-- > 0;) {  // an infinite score is equal to itself; less itself it is no number
            const auto among = (at(k) == most) | (at(k) - most >= level);
            first = among ? fill4(static_cast<double>(k)) : first;
        }
        first = most == zero ? fill4(static_cast<double>(lost)) : first;
        for (Index i = 0; i < 4 && r + i < rows; ++i) best[r + i] = static_cast<std::int64_t>(first[i]);
    }
    for (Index r = 0; n_classes > 32 && r < rows; ++r) {
        const double* row = scores + r * n_classes;
        Double4 some = load4(row), others = load4(row + 4);
        for (Index k = 8; k + 8 <= n_classes; k += 8) {
            const Double4 a = load4(row + k), b = load4(row + k + 4);
            some = a > some ? a : some;
            others = b > others ? b : others;
        }
        const Double4 last = load4(row + n_classes - 4), before = load4(row + n_classes - 8);
        some = last > some ? last : some;
        others = before > others ? before : others;
        some = others > some ? others : some;
        double most = zero;
        for (Index i = 0; i < 4; ++i) most = some[i] > most ? some[i] : most;
        const double level = level4(fill4(most), tie)[0];
        Index first = 0;
        for (; first < n_classes && !(row[first] == most || row[first] - most >= level); ++first) {
        }
        best[r] = most == zero ? lost : first;
    }
}

}  // namespace candide::CANDIDE_ISA
