// What words say for a class and against all others by their lift, each document left out of the sums that speak of it.
#pragma once

#include "text_lift_work.hpp"

namespace candide {

// Factors of a word are multiplied where it has entries for one in so many classes; else its logarithms are fewer.
inline constexpr Index worth_multiplying = 4;

// The factors of a word that some classes have entries n for, from `begin` on among all.
inline void lift_sparse(const LiftedWord& word, const std::int32_t* classes, Index size, const LiftedClasses& by,
                        std::int64_t begin, ViewScratch& work) {
    const auto left = [&](Index e) { return std::max(word.n[e] - word.gone * by.mine[classes[e]], 0.0); };
    const auto lift = [&](Index e) { return 1 + left(e) * by.of_class[classes[e]] * word.share; };
    const auto other = [&](Index e) {
        return std::max(word.all - left(e), 0.0) * by.rest[classes[e]] * word.share + by.others;
    };
    if (size * worth_multiplying >= by.n_classes) {
        double *first = work.factors_of(word.x, word.slot), *second = first + by.n_classes;
        for (Index e = 0; e < size; ++e)
            first[classes[e]] *= lift(e), second[classes[e]] *= other(e) * work.per_unseen[classes[e]];
        return;
    }
    work.said.push_back({word.x, word.slot, begin, begin + size});
    work.reserve(static_cast<std::size_t>(size));
    double *lifted = work.lifted.data() + work.n, *others = work.others.data() + work.n;
    work.n += static_cast<std::size_t>(size);
    for (Index e = 0; e < size; ++e) lifted[e] = lift(e), others[e] = other(e);
}

// One document's views into (2, bands, K); its own class and weight, where it is left out, or a negative class.
inline void lift_views(const SpanRows& rows, Index d, const ClassShares& sums, const LiftViews& by, std::int64_t own,
                       double weight, double* into, ViewScratch& work, const Ahead& ahead) {
    const Index k = sums.n_classes;
    if (own < 0) weight = 0;
    double length = 0, everything = 0;
    for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) length += rows.x[i];
    for (Index c = 0; c < k; ++c) {
        work.mine[c] = c == own;
        work.of_class[c] = sums.of_class[c] - work.mine[c] * weight * length;
        everything += work.of_class[c];
    }
    for (Index c = 0; c < k; ++c) {
        work.rest[c] = by.per_rest(everything - work.of_class[c]);
        work.of_class[c] = by.per_class(work.of_class[c]);
    }
    const LiftedClasses classes{work.of_class.data(), work.rest.data(), work.mine.data(), k, by.others};
    work.n = 0;
    work.said.clear(), work.whole.clear();
    bool some_unseen = false;
    double weights[n_bands] = {};
    for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) {
        ahead.head(i), ahead.entries(i, sums.n);
        const auto [begin, size, documents, sum] = sums.heads[rows.words[i]];
        const double x = rows.x[i], gone = weight * x, held = documents - weight, all = sum - gone;
        if (held <= nothing || all <= nothing) continue;
        const double share = everything / all;
        const Index band = band_of(held);
        if (size == k) {
            work.whole.push_back({sums.n + begin, x, all, gone, share, k == 2 ? band : work.slot_of(x, band)});
            continue;
        }
        if (!some_unseen) work.find_unseen(everything, by), some_unseen = true;
        // A class without a word has `unseen` against all others: what it has an entry for stands in its place.
        weights[band] += x;
        lift_sparse({sums.n + begin, x, all, gone, share, band}, sums.classes + begin, size, classes, begin, work);
    }
    const auto n_whole = static_cast<Index>(work.whole.size());
    if (k == 2) loops().add_lifts_of_two(work.whole.data(), n_whole, classes, into, into + n_bands * k);
    else loops().multiply_lifts(work.whole.data(), n_whole, classes, work.products.data());
    work.multiply_out(into);
    if (!some_unseen) return;
    work.take_logs();
    const double *lifted = work.lifted.data(), *others = work.others.data(), *unseen = work.unseen.data();
    for (const auto& [x, band, begin, end] : work.said) {
        double *first = into + band * k, *second = first + n_bands * k;
        for (std::int64_t e = begin; e < end; ++e) {
            const std::int32_t c = sums.classes[e];
            first[c] += x * *lifted++, second[c] -= x * (*others++ + unseen[c]);
        }
    }
    for (Index band = 0; band < n_bands; ++band)
        if (weights[band] != 0)
            for (Index c = 0; c < k; ++c) into[(n_bands + band) * k + c] += weights[band] * unseen[c];
}

// For every document its views, 2 · bands of them, by class.
inline void lift_views(const SpanRows& rows, const ClassShares& sums, const std::int64_t* y, const double* weight,
                       const LiftViews& by, const ByClass& told, double* out) {
    const Index k = sums.n_classes;
    const Division division = divide(rows.documents, 16 * rows.length());
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        ViewScratch work(k);
        const Ahead ahead(rows, sums, end);
        std::vector<double> views(static_cast<std::size_t>(told.size * k));
        for (Index d = begin; d < end; ++d) {
            std::fill(views.begin(), views.end(), 0.0);
            lift_views(rows, d, sums, by, y ? y[d] : -1, weight ? weight[d] : 1.0, views.data(), work, ahead);
            told.write(views.data(), out + d * told.numbers());
        }
    });
}

// For every document Σ_v β_v S_vc (K,): its views, weighed by beta (2, bands).
inline void lift_evidence(const SpanRows& rows, const ClassShares& sums, const std::int64_t* y, const double* weight,
                          const LiftViews& by, const double* beta, double* out) {
    const Index k = sums.n_classes;
    const Division division = divide(rows.documents, 16 * rows.length());
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        ViewScratch work(k);
        const Ahead ahead(rows, sums, end);
        std::vector<double> views(static_cast<std::size_t>(2 * n_bands * k));
        for (Index d = begin; d < end; ++d) {
            std::fill(views.begin(), views.end(), 0.0);
            lift_views(rows, d, sums, by, y ? y[d] : -1, weight ? weight[d] : 1.0, views.data(), work, ahead);
            for (Index v = 0; v < 2 * n_bands; ++v)
                for (Index c = 0; c < k; ++c) out[d * k + c] += beta[v] * views[v * k + c];
        }
    });
}

}  // namespace candide
