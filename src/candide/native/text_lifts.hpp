// What words say for a class and against all others by their lift, each document left out of the sums that speak of it.
#pragma once

#include <algorithm>

#include "text_lift_work.hpp"

namespace candide {

// What is asked of a word that some classes have entries n for, from `begin` on among all.
inline void lift_sparse(const LiftedWord& word, const std::int32_t* classes, Index size, const LiftedClasses& by,
                        std::int64_t begin, ViewScratch& work) {
    work.said.push_back({word.x, word.band, begin, begin + size});
    work.reserve(static_cast<std::size_t>(size));
    float *lifted = work.lifted.data() + work.n, *others = work.others.data() + work.n;
    work.n += static_cast<std::size_t>(size);
    for (Index e = 0; e < size; ++e) {
        const std::int32_t c = classes[e];
        const float left = by.exact ? (by.mine[c] > 0 ? word.own : word.n[e]) : std::max(word.n[e] - word.own * by.mine[c], 0.0f);
        lifted[e] = 1 + left * word.share * by.of_class[c];
        const float elsewhere = c == by.largest ? word.elsewhere : std::max(word.all - left, 0.0f);
        others[e] = elsewhere * word.share * by.rest[c] + by.others;
    }
}

// What is left of n in a class, 0 where a word has no entry for it: entries stand in the order of classes. Differences that may
// be small beside both of their parts are taken of it, in double precision.
inline double left_in(const ClassShares& sums, std::int64_t begin, Index size, std::int64_t c, double gone) {
    if (c < 0) return 0;
    const std::int32_t *first = sums.classes + begin, *last = first + size;
    const std::int32_t* at = size == sums.n_classes ? first + c : std::lower_bound(first, last, static_cast<std::int32_t>(c));
    return at == last || *at != c ? 0 : std::max(sums.n[begin + (at - first)] - gone, 0.0);
}

// A class beside which all others have less than this share of everything has nearly all of every word: what the others have is
// no difference of single precision then.
inline constexpr double little = 1.0 / 1024;

// One document's views into those that are worked with; its own class and weight, where it is left out, or a negative class.
inline void lift_views(const SpanRows& rows, Index d, const ClassShares& sums, const LiftViews& by, std::int64_t own,
                       double weight, bool exact, ViewScratch& work, const Ahead& ahead) {
    const Index k = sums.n_classes, step = work.step;
    const std::int64_t readable = sums.starts[sums.words] - step;
    if (own < 0) weight = 0;
    double length = 0, everything = 0;
    for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) length += rows.x[i];
    for (Index c = 0; c < k; ++c) {
        work.mine[c] = c == own;
        work.sum[c] = sums.of_class[c] - (c == own ? weight * length : 0.0);
        everything += work.sum[c];
    }
    double most = 0;
    std::int64_t largest = -1;
    for (Index c = 0; c < k; ++c) {
        const double per = by.per_class(work.sum[c]);
        work.rest[c] = static_cast<float>(by.per_rest(everything - work.sum[c]));
        work.of_class[c] = static_cast<float>(per);
        most = std::max(most, per);
        if (k != 2 && everything - work.sum[c] < little * everything) largest = c;
    }
    const LiftedClasses classes{work.of_class.data(), work.rest.data(), work.mine.data(), step, static_cast<float>(by.others),
                                k == 2 ? 1 : by.factors(most, everything), largest, exact};
    work.begin(rows.ends[d] - rows.begins[d]);
    if (k != 2 && rows.begins[d] < rows.ends[d]) work.groups.begin(*std::min_element(rows.x + rows.begins[d], rows.x + rows.ends[d]));
    for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) {
        ahead.head(i), ahead.entries(i, sums.single, sums.classes);
        const auto& [begin, size, first_band, documents, sum] = sums.heads[rows.words[i]];
        const double x = rows.x[i], gone = weight * x, held = documents - weight, all = sum - gone;
        if (held <= nothing || all <= nothing) continue;
        LiftedWord& word = work.whole.next();
        word.n = sums.single + begin;
        word.x = static_cast<float>(x), word.all = static_cast<float>(all), word.share = static_cast<float>(everything / all);
        word.own = static_cast<float>(exact ? left_in(sums, begin, size, own, gone) : gone);
        word.band = first_band + band_of(held);
        if (largest >= 0)
            word.elsewhere = static_cast<float>(std::max(all - left_in(sums, begin, size, largest, largest == own ? gone : 0), 0.0));
        else if (size == k && begin <= readable) {
            if (k != 2) word.before = work.groups.put(word.band, word.x, work.whole.size());
            work.whole.keep();
            continue;
        }
        // A class without a word has `unseen` against all others: what it has an entry for stands in its place.
        work.weights[word.band] += x;
        lift_sparse(word, sums.classes + begin, size, classes, begin, work);
    }
    float *first = work.views.data(), *second = first + work.bands * step;
    const auto& whole = work.whole;
    if (k != 2) {
        const auto& groups = work.groups.take();
        loops().add_lifts(whole.data(), groups.data(), static_cast<Index>(groups.size()), classes, first, second);
    } else if (work.alone) loops().tell_two_apart(whole.data(), whole.size(), classes, first);
    else loops().add_lifts_of_two(whole.data(), whole.size(), classes, first, second);
    if (work.said.empty()) return;
    work.find_unseen(everything, by), work.take_logs();
    const float *lifted = work.lifted.data(), *others = work.others.data(), *unseen = work.unseen.data();
    for (const auto& [x, band, begin, end] : work.said)
        for (std::int64_t e = begin; e < end; ++e) {
            const Index at = band * step + sums.classes[e];
            first[at] += x * *lifted++, second[at] -= x * (*others++ + unseen[sums.classes[e]]);
        }
    for (Index band = 0; band < work.bands; ++band)
        if (work.weights[band] != 0)
            for (Index c = 0; c < k; ++c) second[band * step + c] += static_cast<float>(work.weights[band]) * unseen[c];
}

// Documents that are left out of their classes y with their weights, or, where none are told, are not; what their shares have
// grown by.
struct LeftOutDocuments {
    const std::int64_t* y;
    const double *weight, *grown;
};

// visit(document, views, grown) for every document; `alone`: of two classes the first view, and this apart.
template <class Visit>
void each_lift(const SpanRows& rows, const ClassShares& sums, const LeftOutDocuments& left, const LiftViews& by, bool alone,
               Visit&& visit) {
    const Division division = rows.divided();
    // Of documents that weigh alike, what is left of a sum is nothing, or not small beside what one of them has of it: single
    // precision tells the difference.
    const bool exact = left.weight && std::any_of(left.weight, left.weight + rows.documents, [&](double w) { return w != left.weight[0]; });
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        ViewScratch work(sums.n_classes, sums.bands, alone);
        const Ahead ahead(rows, sums, end);
        for (Index d = begin; d < end; ++d) {
            lift_views(rows, d, sums, by, left.y ? left.y[d] : -1, left.weight ? left.weight[d] : 1.0, exact, work, ahead);
            visit(d, work, left.grown ? left.grown[d] : 1.0);
        }
    });
}

// For every document its views, 2 · bands of them, by class; of two classes apart only the first: the second says the same.
inline void lift_views(const SpanRows& rows, const ClassShares& sums, const LeftOutDocuments& left, const LiftViews& by,
                       const ByClass& told, float* out) {
    each_lift(rows, sums, left, by, told.size == sums.bands, [&](Index d, const ViewScratch& work, double grown) {
        told.write(work.views.data(), grown, out + d * told.numbers());
    });
}

// For every document Σ_v β_v S_vc (K,): its views, weighed by beta (2, bands).
inline void lift_evidence(const SpanRows& rows, const ClassShares& sums, const LeftOutDocuments& left, const LiftViews& by,
                          const double* beta, double* out) {
    const Index k = sums.n_classes;
    each_lift(rows, sums, left, by, false, [&](Index d, const ViewScratch& work, double grown) {
        for (Index v = 0; v < 2 * sums.bands; ++v)
            for (Index c = 0; c < k; ++c) out[d * k + c] += grown * beta[v] * work.views[v * work.step + c];
    });
}

}  // namespace candide
