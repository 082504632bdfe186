// The posteriors of documents by their evidence, eight documents at a time.
#pragma once

#include "loops.hpp"
#include "loops_vector.hpp"

namespace candide::CANDIDE_ISA {

// How far the evidence of documents goes apart over the classes, how fast they speak, and what that makes of their classes:
// one thing after the other for all of them, so that no logarithm or exponential waits for another. These are taken in single
// precision, as the evidence is.
static void judge(const JudgedDocuments& all) {
    constexpr double fastest = 80;  // of a step too far, which is shortened: its exponential is a number
    const double per_class = 1 / static_cast<double>(all.n_classes);
    const Index end = all.n_classes * all.step;
    for (Index d = 0; d < all.n; d += 4) {
        Double4 sum{}, squares{};
        for (Index at = d; at < end; at += all.step) sum += load4(all.evidence + at);
        const Double4 mean = sum * per_class;
        for (Index at = d; at < end; at += all.step) {
            const Double4 away = load4(all.evidence + at) - mean;
            squares += away * away;
        }
        const Double4 variance = squares * per_class + all.least_variance;
        store4(all.mean + d, mean), store4(all.variance + d, variance);
    }
    for (Index d = 0; d < all.n; d += 8) widen8(log8(narrow8(load4(all.variance + d), load4(all.variance + d + 4))), all.log_variance + d);
    const auto log_speed = [&](Index d) {
        const Double4 speed = all.level - all.b * load4(all.log_length + d) - 0.5 * all.g * load4(all.log_variance + d);
        return speed < fastest ? speed : fill4(fastest);
    };
    for (Index d = 0; d < all.n; d += 8) widen8(exp8(narrow8(log_speed(d), log_speed(d + 4))), all.speed + d);
    for (Index d = 0; d < all.n; d += 4) {
        const Double4 speed = load4(all.speed + d);
        Double4 top = fill4(-__builtin_inf());
        for (Index at = d, c = 0; at < end; at += all.step, ++c) {
            const Double4 score = speed * load4(all.evidence + at) + load4(all.log_prior + at) + all.bias[c];
            store4(all.p + at, score);
            top = score > top ? score : top;
        }
        for (Index at = d; at < end; at += all.step) store4(all.p + at, load4(all.p + at) - top);
        store4(all.log_sum + d, top);
    }
    for (Index at = 0; at < end; at += all.step)
        for (Index d = at; d < at + all.n; d += 8) widen8(exp8(narrow8(load4(all.p + d), load4(all.p + d + 4))), all.p + d);
    for (Index d = 0; d < all.n; d += 8) {
        Double4 total[2] = {};
        for (Index at = d; at < end; at += all.step) total[0] += load4(all.p + at), total[1] += load4(all.p + at + 4);
        double logs[8];
        widen8(log8(narrow8(total[0], total[1])), logs);
        for (Index half = 0; half < 2; ++half) {
            const Index first = d + 4 * half;
            store4(all.log_sum + first, load4(all.log_sum + first) + load4(logs + 4 * half));
            const Double4 per_total = 1 / total[half];
            for (Index at = first; at < end; at += all.step) store4(all.p + at, load4(all.p + at) * per_total);
        }
    }
}

// p, which is P - 1[y = c], becomes the slope of −Σ w log P(y) by the evidence; adds its slopes by pace and biases.
static void slope_evidence(const JudgedDocuments& all, const double* weight, double* of_pace, double* of_bias) {
    const double per_class = 1 / static_cast<double>(all.n_classes);
    const Index end = all.n_classes * all.step;
    const auto sum = [](Double4 x) { return (x[0] + x[2]) + (x[1] + x[3]); };
    Double4 by_level{}, by_length{}, by_spread{};
    for (Index d = 0; d < all.n; d += 4) {
        const Double4 w = load4(weight + d), mean = load4(all.mean + d);
        Double4 along{};
        for (Index at = d, c = 0; at < end; at += all.step, ++c) {
            const Double4 by_score = w * load4(all.p + at);
            of_bias[c] += sum(by_score);
            along += by_score * load4(all.evidence + at);
        }
        const Double4 speed = load4(all.speed + d), faster = speed * along;
        by_level += faster;
        by_length -= faster * load4(all.log_length + d);
        by_spread -= 0.5 * faster * load4(all.log_variance + d);
        // the evidence enters the pace, too: ∂ log σ / ∂ E_c = (E_c − Ē) / (K σ²)
        const Double4 turn = all.g * per_class * along / load4(all.variance + d);
        for (Index at = d; at < end; at += all.step)
            store4(all.p + at, speed * (w * load4(all.p + at) - turn * (load4(all.evidence + at) - mean)));
    }
    of_pace[0] += sum(by_level), of_pace[1] += sum(by_length), of_pace[2] += sum(by_spread);
}

// Slopes s_c of scores: speed · (S_c − E_c lean) where the evidence enters the pace, lean being Σ_c away_c S_c; less their mean.
static void curve_document(const CurvedDocument& given) {
    const CurvedDocument all = given;  // which nothing that is written can change
    for (Index i = 0; i < all.width; i += 4) {
        Double4 lean{};
        for (Index c = 1; c < all.n_classes; ++c) lean += all.away[c] * load4(all.slope(c) + i);
        store4(all.lean + i, lean);
    }
    for (Index i = all.size; i < all.width; ++i) all.lean[i] = 0;
    for (Index i = 0; i < all.width; i += 4) {
        const Double4 lean = load4(all.lean + i);
        const auto slope = [&](Index c) { return all.speed * (load4(all.slope(c) + i) - all.evidence[c] * lean); };
        if (all.n_classes == 2) {
            store4(all.rows + i, slope(1));
            continue;
        }
        Double4 middle{};  // the first class has no slopes
        for (Index t = all.told[0] == 0; t < all.n_told; ++t) middle += all.share[all.told[t]] * slope(all.told[t]);
        for (Index t = 0; t < all.n_told; ++t) {
            const Index c = all.told[t];
            const Double4 away = (c == 0 ? Double4{} : slope(c)) - middle;
            double* across = all.across + c * all.width + i;
            store4(across, load4(across) + all.weight * all.share[c] * away);
            store4(all.rows + t * all.width + i, all.root[c] * away);
        }
    }
}

}  // namespace candide::CANDIDE_ISA
