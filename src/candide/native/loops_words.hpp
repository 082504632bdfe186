// What the words of a document say: eight classes at a time, of many words, so that what is known of the classes stays in
// registers; or, of two classes, some words at a time.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

CANDIDE_INLINE Double4 not_below_zero(Double4 x) { return x > Double4{} ? x : Double4{}; }

// The logarithms of factors that are not below their least, which rounding may have left of a difference.
CANDIDE_INLINE Float8 log_of(Double4 low, Double4 high, Float8 least) {
    const Float8 factors = narrow8(low, high);
    return log8(factors > least ? factors : least);
}

// x log(1 + n of_class share) for the first view, and -x log((all - n) rest share + others) for the second, of what is left
// of n. A sum less the document's own part may be small beside both: they are doubles up to their logarithms.
static void add_lifts(const LiftedWord* words, Index n_words, const LiftedClasses& by, float* first, float* second) {
    const Float8 one = Float8{} + 1.0f, others = Float8{} + static_cast<float>(by.others);
    for (const LiftedWord* word = words; word < words + n_words; ++word) {
        const Double4 gone = fill4(word->gone), all = fill4(word->all), share = fill4(word->share);
        const Float8 x = Float8{} + static_cast<float>(word->x);
        float *a = first + word->band * by.step, *b = second + word->band * by.step;
        for (Index c = 0; c < by.step; c += 8) {
            Double4 lift[2], against[2];
            for (Index half = 0; half < 2; ++half) {
                const Index at = c + 4 * half;
                const Double4 left = load4(word->n + at) - gone * load4(by.mine + at);
                lift[half] = 1.0 + left * share * load4(by.of_class + at);
                against[half] = by.others + (all - left) * share * load4(by.rest + at);
            }
            store8(a + c, load8(a + c) + x * log_of(lift[0], lift[1], one));
            store8(b + c, load8(b + c) - x * log_of(against[0], against[1], others));
        }
    }
}

// Of two classes both factors of both, of two words at a time.
static void add_lifts_of_two(const LiftedWord* words, Index n_words, const LiftedClasses& by, float* first, float* second) {
    const Double4 mine{by.mine[0], by.mine[1], by.mine[0], by.mine[1]}, base{1.0, 1.0, by.others, by.others};
    const Double4 per{by.of_class[0], by.of_class[1], by.rest[0], by.rest[1]}, against{1.0, 1.0, -1.0, -1.0};
    const Float8 least = narrow8(base, base);
    const auto factors = [&](const LiftedWord& word) {
        const Double4 n{word.n[0], word.n[1], word.n[0], word.n[1]}, left = n - word.gone * mine;
        return (Double4{0.0, 0.0, word.all, word.all} + against * left) * per * word.share + base;
    };
    for (Index i = 0; i < n_words; i += 2) {
        const Index more = i + 1 < n_words;
        const Float8 logs = log_of(factors(words[i]), factors(words[i + more]), least);
        for (Index j = 0; j <= more; ++j) {
            const float x = static_cast<float>(words[i + j].x);
            float *a = first + 2 * words[i + j].band, *b = second + 2 * words[i + j].band;
            a[0] += x * logs[4 * j], a[1] += x * logs[4 * j + 1], b[0] -= x * logs[4 * j + 2], b[1] -= x * logs[4 * j + 3];
        }
    }
}

// Of two classes the first view alone, which the second gets all of that it has more: of four words at a time.
static void tell_two_apart(const LiftedWord* words, Index n_words, const LiftedClasses& by, float* first) {
    const Double4 mine{by.mine[0], by.mine[1], by.mine[0], by.mine[1]}, one = fill4(1.0);
    const Double4 per{by.of_class[0], by.of_class[1], by.of_class[0], by.of_class[1]};
    const auto factors = [&](const LiftedWord& a, const LiftedWord& b) {
        const Double4 n{a.n[0], a.n[1], b.n[0], b.n[1]}, gone{a.gone, a.gone, b.gone, b.gone};
        return (n - gone * mine) * per * Double4{a.share, a.share, b.share, b.share} + one;
    };
    for (Index i = 0; i < n_words; i += 4) {
        const Index last = n_words - 1, more = i + 3 < last ? 3 : last - i;
        const auto word = [&](Index j) -> const LiftedWord& { return words[i + (j < more ? j : more)]; };
        const Float8 logs = log_of(factors(word(0), word(1)), factors(word(2), word(3)), Float8{} + 1.0f);
        for (Index j = 0; j <= more; ++j)
            first[2 * words[i + j].band + 1] += static_cast<float>(words[i + j].x) * (logs[2 * j + 1] - logs[2 * j]);
    }
}

static void take_single_logs(float* numbers, Index n) {
    for (Index i = 0; i < n; i += 8) store8(numbers + i, log8(load8(numbers + i)));
}

// gain += r x and curve += h x², of `vectors` vectors of classes from one on.
template <Index vectors>
static void add_mistakes_of(const MistakenWord* words, Index n_words, const DocumentMistakes& own, Index from,
                            double* gain, double* curve) {
    Double4 r[vectors], h[vectors];
    for (Index v = 0; v < vectors; ++v) r[v] = load4(own.residual + from + 4 * v), h[v] = load4(own.curvature + from + 4 * v);
    for (const MistakenWord* word = words; word < words + n_words; ++word) {
        double *g = gain + word->from + from, *s = curve + word->from + from;
        const double x = word->x, square = x * x;
        for (Index v = 0; v < vectors; ++v) {
            store4(g + 4 * v, load4(g + 4 * v) + r[v] * x);
            store4(s + 4 * v, load4(s + 4 * v) + h[v] * square);
        }
    }
}
static void add_mistakes(const MistakenWord* words, Index n_words, const DocumentMistakes& own, double* gain, double* curve) {
    Index c = 0;
    for (; c + 8 <= own.n_classes; c += 8) add_mistakes_of<2>(words, n_words, own, c, gain, curve);
    if (c + 4 <= own.n_classes) add_mistakes_of<1>(words, n_words, own, c, gain, curve), c += 4;
    if (c + 2 <= own.n_classes) {
        const Double2 r = load2(own.residual + c), h = load2(own.curvature + c);
        for (const MistakenWord* word = words; word < words + n_words; ++word) {
            double *g = gain + word->from + c, *s = curve + word->from + c;
            store2(g, load2(g) + r * word->x), store2(s, load2(s) + h * (word->x * word->x));
        }
        c += 2;
    }
    if (c == own.n_classes) return;
    for (const MistakenWord* word = words; word < words + n_words; ++word) {
        double *g = gain + word->from, *s = curve + word->from;
        const double x = word->x;
        g[c] += own.residual[c] * x, s[c] += own.curvature[c] * x * x;
    }
}

// views += x (gain - r x) / (curve - h x² + ridge), of curves that are not below zero.
static void add_mistake_views(const MistakenWord* words, Index n_words, const DocumentMistakes& own, const double* gain,
                              const double* curve, double ridge, Index step, float* views) {
    if (step == 2) {
        for (const MistakenWord* word = words; word < words + n_words; ++word) {
            const double *g = gain + word->from, *s = curve + word->from, x = word->x;
            const Double2 left = load2(s) - load2(own.curvature) * (x * x), zero{};
            const Double2 said = x * (load2(g) - load2(own.residual) * x) / ((left > zero ? left : zero) + ridge);
            float* out = views + word->band * 2;
            out[0] += static_cast<float>(said[0]), out[1] += static_cast<float>(said[1]);
        }
        return;
    }
    for (Index c = 0; c < step; c += 8) {
        const Double4 r[2] = {load4(own.residual + c), load4(own.residual + c + 4)};
        const Double4 h[2] = {load4(own.curvature + c), load4(own.curvature + c + 4)};
        for (const MistakenWord* word = words; word < words + n_words; ++word) {
            const double *g = gain + word->from + c, *s = curve + word->from + c, x = word->x, square = x * x;
            Double4 up[2], down[2];
            for (Index half = 0; half < 2; ++half) {
                up[half] = x * (load4(g + 4 * half) - r[half] * x);
                down[half] = not_below_zero(load4(s + 4 * half) - h[half] * square) + ridge;
            }
            float* out = views + word->band * step + c;
            store8(out, load8(out) + narrow8(up[0], up[1]) / narrow8(down[0], down[1]));
        }
    }
}

}  // namespace candide::CANDIDE_ISA
