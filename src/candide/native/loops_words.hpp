// What the words of a document say: eight classes at a time, of many words, so that what is known of the classes stays in
// registers; or, of two classes, some words at a time.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// What is left of n in classes, of which one may be the document's own.
CANDIDE_INLINE Float8 left_of(Float8 n, Float8 own, Float8 mine, bool exact) {
    if (!exact) return n - own * mine;
    return mine > Float8{} ? own : n;
}

// x log Π (1 + n of_class share) for the first view, and -x log Π ((all - n) rest share + others) for the second, of what is
// left of n, the products being those of words that are alike: one logarithm for some of them. They
// are not below their least, which rounding may have left of a difference.
static void add_lifts(const LiftedWord* words, const LiftedGroup* groups, Index n_groups, const LiftedClasses& by, float* first,
                      float* second) {
    const Float8 one = Float8{} + 1.0f, others = Float8{} + by.others;
    for (const LiftedGroup* group = groups; group < groups + n_groups; ++group) {
        const Index most = group->alike ? by.factors : 1;
        float *a = first + group->band * by.step, *b = second + group->band * by.step;
        for (Index next = group->last; next >= 0;) {
            const LiftedWord* some[LiftedClasses::most_factors];
            const float x = words[next].x;
            Index n = 0;
            for (; next >= 0 && n < most; next = words[next].before) some[n++] = words + next;
            for (Index c = 0; c < by.step; c += 8) {
                const Float8 mine = load8(by.mine + c), of_class = load8(by.of_class + c), rest = load8(by.rest + c);
                Float8 lifts = one, against = one;
                for (Index i = 0; i < n; ++i) {
                    const LiftedWord& word = *some[i];
                    const Float8 left = left_of(load8(word.n + c), Float8{} + word.own, mine, by.exact);
                    const Float8 lift = one + left * word.share * of_class, other = others + (word.all - left) * word.share * rest;
                    lifts *= lift > one ? lift : one, against *= other > others ? other : others;
                }
                store8(a + c, load8(a + c) + x * log8(lifts)), store8(b + c, load8(b + c) - x * log8(against));
            }
        }
    }
}

// Numbers of each of four words, in the places of their two classes.
template <class Number>
CANDIDE_INLINE Float8 of_four(Number&& of) {
    const Float8 each{of(0), of(1), of(2), of(3)};
    return CANDIDE_SHUFFLE(Bits8, each, each, 0, 0, 1, 1, 2, 2, 3, 3);
}

// Numbers of the two classes, in the places of four words.
CANDIDE_INLINE Float8 of_two(const float* of) {
    const Float8 both{of[0], of[1]};
    return CANDIDE_SHUFFLE(Bits8, both, both, 0, 1, 0, 1, 0, 1, 0, 1);
}

// What is left of n of four words in two classes, and in the other one of the two, which is all that is left elsewhere; and
// everything over the sum of each.
struct FourWords {
    using Pair = double __attribute__((aligned(4), may_alias));
    Float8 left, elsewhere, share;

    FourWords(const LiftedWord* const (&word)[4], Float8 mine, bool exact) {
        const auto both = [&](Index j) { return *reinterpret_cast<const Pair*>(word[j]->n); };
        const Float8 n = (Float8)Double4{both(0), both(1), both(2), both(3)};
        left = left_of(n, of_four([&](Index j) { return word[j]->own; }), mine, exact);
        elsewhere = CANDIDE_SHUFFLE(Bits8, left, left, 1, 0, 3, 2, 5, 4, 7, 6);
        share = of_four([&](Index j) { return word[j]->share; });
    }
};

// body(words, how many) for four words at a time, the last one for those that are not there.
template <class Body>
CANDIDE_INLINE void by_fours(const LiftedWord* words, Index n_words, Body&& body) {
    for (Index i = 0; i < n_words; i += 4) {
        const Index n = n_words - i < 4 ? n_words - i : 4;
        const auto word = [&](Index j) { return words + i + (j < n ? j : n - 1); };
        body({word(0), word(1), word(2), word(3)}, n);
    }
}

// Of two classes both factors of both.
static void add_lifts_of_two(const LiftedWord* words, Index n_words, const LiftedClasses& by, float* first, float* second) {
    const Float8 of_class = of_two(by.of_class), rest = of_two(by.rest), mine = of_two(by.mine);
    const Float8 one = Float8{} + 1.0f, others = Float8{} + by.others;
    by_fours(words, n_words, [&](const LiftedWord* const (&word)[4], Index n) {
        const FourWords four(word, mine, by.exact);
        const Float8 lift = one + four.left * four.share * of_class, other = others + four.elsewhere * four.share * rest;
        const Float8 up = log8(lift > one ? lift : one), down = log8(other > others ? other : others);
        for (Index j = 0; j < n; ++j) {
            const float x = word[j]->x;
            float *a = first + 2 * word[j]->band, *b = second + 2 * word[j]->band;
            a[0] += x * up[2 * j], a[1] += x * up[2 * j + 1], b[0] -= x * down[2 * j], b[1] -= x * down[2 * j + 1];
        }
    });
}

// Of two classes the first view alone, of which the second gets all that it has more.
static void tell_two_apart(const LiftedWord* words, Index n_words, const LiftedClasses& by, float* first) {
    const Float8 of_class = of_two(by.of_class), mine = of_two(by.mine), one = Float8{} + 1.0f;
    by_fours(words, n_words, [&](const LiftedWord* const (&word)[4], Index n) {
        const FourWords four(word, mine, by.exact);
        const Float8 lift = one + four.left * four.share * of_class, logs = log8(lift > one ? lift : one);
        for (Index j = 0; j < n; ++j) first[2 * word[j]->band + 1] += word[j]->x * (logs[2 * j + 1] - logs[2 * j]);
    });
}

static void take_single_logs(float* numbers, Index n) {
    for (Index i = 0; i < n; i += 8) store8(numbers + i, log8(load8(numbers + i)));
}

// gain += r x and curve += h x², of `vectors` vectors of both from one on. Beyond the word, nothing is added to the next one.
template <Index vectors>
static void add_mistakes_of(const MistakenWord* words, Index n_words, const DocumentMistakes& own, Index from, float* sums) {
    Float8 both[vectors];
    Int8 of_gain[vectors];
    for (Index v = 0; v < vectors; ++v) {
        both[v] = load8(own.both + from + 8 * v);
        for (Index i = 0; i < 8; ++i) of_gain[v][i] = from + 8 * v + i < own.n_classes ? -1 : 0;
    }
    for (const MistakenWord* word = words; word < words + n_words; ++word) {
        float* at = sums + word->from + from;
        const Float8 x = Float8{} + word->x, square = x * x;
        for (Index v = 0; v < vectors; ++v) store8(at + 8 * v, load8(at + 8 * v) + both[v] * (of_gain[v] ? x : square));
    }
}
static void add_mistakes(const MistakenWord* words, Index n_words, const DocumentMistakes& own, float* sums) {
    const Index all = (2 * own.n_classes + 7) / 8;
    Index v = 0;
    for (; v + 5 <= all; v += 5) add_mistakes_of<5>(words, n_words, own, 8 * v, sums);
    if (v + 2 <= all) add_mistakes_of<2>(words, n_words, own, 8 * v, sums), v += 2;
    if (v + 2 <= all) add_mistakes_of<2>(words, n_words, own, 8 * v, sums), v += 2;
    if (v < all) add_mistakes_of<1>(words, n_words, own, 8 * v, sums);
}

CANDIDE_INLINE Float8 not_below_zero(Float8 x) { return x > Float8{} ? x : Float8{}; }

// views += x (gain - r x) / (curve - h x² + ridge), of curves that are not below zero.
static void add_mistake_views(const MistakenWord* words, Index n_words, const DocumentMistakes& own, const float* sums,
                              float ridge, Index step, float* views) {
    const float *residual = own.both, *curvature = own.both + own.n_classes;
    if (step == 2) {
        for (const MistakenWord* word = words; word < words + n_words; ++word) {
            const float *gain = sums + word->from, *curve = gain + 2, x = word->x;
            float* out = views + word->band * 2;
            for (Index c = 0; c < 2; ++c) {
                const float left = curve[c] - curvature[c] * (x * x);
                out[c] += x * (gain[c] - residual[c] * x) / ((left > 0 ? left : 0) + ridge);
            }
        }
        return;
    }
    for (Index c = 0; c < step; c += 8) {
        const Float8 r = load8(residual + c), h = load8(curvature + c);
        for (const MistakenWord* word = words; word < words + n_words; ++word) {
            const float *gain = sums + word->from + c, *curve = gain + own.n_classes, x = word->x;
            float* out = views + word->band * step + c;
            store8(out, load8(out) + x * (load8(gain) - r * x) / (not_below_zero(load8(curve) - h * (x * x)) + ridge));
        }
    }
}

}  // namespace candide::CANDIDE_ISA
