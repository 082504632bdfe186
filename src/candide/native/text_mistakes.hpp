// What a first model of documents gets wrong: summed by word and class, and as a view of each document.
#pragma once

#include "large_pages.hpp"
#include "text_judgement.hpp"
#include "text_views.hpp"

namespace candide {

// Documents with their evidence (documents, K), and what a score is made of besides; a negative class: the document was
// not learnt.
struct Judged {
    const double *evidence, *log_length, *log_prior, *bias, *weight;
    const std::int64_t* y;
    Index documents, n_classes;
};

// What a model of such scores gets wrong: w (1[y = c] − P) and its curvature w P (1 − P), both (documents, K).
inline void residuals(const Judged& all, const Pace& pace, double* residual, double* curvature) {
    const Index k = all.n_classes;
    // threads are awake, as they are where documents are calibrated
    parallel_rows(divide(all.documents, 128 * (k + 1)), all.documents, [&](Index, Index begin, Index end) {
        constexpr Index together = 64;
        Judgement judged(together, k, pace, all.bias);
        for (Index first = begin; first < end; first += together) {
            const Index n = std::min(together, end - first);
            judged.hear(all.evidence + first * k, k, all.log_length + first, all.log_prior + first * k, n);
            for (Index d = first; d < first + n; ++d) {
                const double w = all.y[d] < 0 ? 0.0 : all.weight[d];
                double *r = residual + d * k, *h = curvature + d * k;
                for (Index c = 0; c < k; ++c) {
                    const double share = judged.p(c)[d - first];
                    r[c] = -w * share, h[c] = w * share * (1 - share);
                }
                if (all.y[d] >= 0) r[all.y[d]] += w;
            }
        }
    });
}

// Gain and curve of the entries of words, those of a word side by side: its gains, then its curves. They are added up in single
// precision, which reads half as much; or, where documents do not weigh alike, in double, since what is left without a heavy one
// is small beside what it has.
template <class Number>
using PairedMistakes = LargeVector<Number>;

// Vectors of the last word may reach beyond it.
template <class Number>
PairedMistakes<Number> room_for_mistakes(const ClassShares& sums) {
    return PairedMistakes<Number>(static_cast<std::size_t>(2 * sums.starts[sums.words] + ByClass::step(sums.n_classes) + 8));
}

// visit(entry, where its gain stands, where its curve does), on all cores.
template <class Visit>
void each_mistake(const ClassShares& sums, Visit&& visit) {
    constexpr Index cells_per_entry = 4;
    const Index per_word = cells_per_entry * sums.starts[sums.words] / std::max<Index>(sums.words, 1);
    parallel_rows(divide(sums.words, per_word), sums.words, [&](Index, Index begin, Index end) {
        for (Index word = begin; word < end; ++word) {
            const std::int64_t from = sums.starts[word], to = sums.starts[word + 1];
            for (std::int64_t e = from; e < to; ++e) visit(e, from + e, to + e);
        }
    });
}

// A document's residuals by class and then their curvatures, with zeros behind them for whole vectors.
template <class Number>
struct OwnResiduals {
    explicit OwnResiduals(Index classes) : k(classes), both(static_cast<std::size_t>(classes + ByClass::step(classes) + 8)) {}
    void read(const double* residual, const double* curvature) {
        for (Index c = 0; c < k; ++c) both[c] = static_cast<Number>(residual[c]), both[k + c] = static_cast<Number>(curvature[c]);
    }
    Number r(Index c) const { return both[c]; }
    Number h(Index c) const { return both[k + c]; }
    Index k;
    std::vector<Number> both;
};

inline bool weigh_alike(const double* weight, Index n) {
    return !weight || std::all_of(weight, weight + n, [&](double w) { return w == weight[0]; });
}

// The mistakes of some documents, added to those of their words.
template <class Number>
void add_mistakes(const SpanRows& rows, const ClassShares& sums, const double* residual, const double* curvature, Index begin,
                  Index end, Number* into) {
    const Index k = sums.n_classes;
    const Ahead ahead(rows, sums, end);
    OwnResiduals<Number> own(k);
    Listed<MistakenWord> whole;
    for (Index d = begin; d < end; ++d) {
        own.read(residual + d * k, curvature + d * k);
        whole.begin(rows.ends[d] - rows.begins[d]);
        for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) {
            ahead.head(i), ahead.pairs(i, into);
            const auto x = static_cast<Number>(rows.x[i]);
            const auto& [from, size, first_band, documents, sum] = sums.heads[rows.words[i]];
            if (std::is_same_v<Number, float> && size == k) {
                whole.add({static_cast<float>(x), 2 * from, 0});
                continue;
            }
            Number *gain = into + 2 * from, *curve = gain + size;
            for (Index e = 0; e < size; ++e) {
                const std::int32_t c = sums.classes[from + e];
                gain[e] += own.r(c) * x, curve[e] += own.h(c) * x * x;
            }
        }
        if constexpr (std::is_same_v<Number, float>) loops().add_mistakes(whole.data(), whole.size(), {own.both.data(), k}, into);
    }
}

// The sums of mistakes: of residuals r (documents, K) and of their curvatures, by word and class. An entry without a share
// has some, too: what documents of other classes that hold the word were taken for.
template <class Number>
void sum_mistakes(const SpanRows& rows, const ClassShares& sums, const double* residual, const double* curvature, double* gain,
                  double* curve) {
    constexpr Index together = 1 << 14;  // documents whose sums have the digits that single precision has
    Division division = divide(rows.documents, 8 * rows.length(), sums.starts[sums.words]);
    division.blocks = division.threads;  // each has sums of its own
    std::vector<PairedMistakes<Number>> parts(static_cast<std::size_t>(division.blocks));
    for (Index first = 0, last; first < rows.documents; first = last) {
        last = std::min(rows.documents, first + together * division.blocks);
        parallel_rows(division, last - first, [&](Index block, Index begin, Index end) {
            parts[block] = room_for_mistakes<Number>(sums);
            add_mistakes(rows, sums, residual, curvature, first + begin, first + end, parts[block].data());
        });
        each_mistake(sums, [&](std::int64_t e, std::int64_t of_gain, std::int64_t of_curve) {
            for (const auto& part : parts) gain[e] += part[of_gain], curve[e] += part[of_curve];
        });
    }
}

inline void mistake_sums(const SpanRows& rows, const ClassShares& sums, const double* residual, const double* curvature,
                         const double* weight, double* gain, double* curve) {
    if (weigh_alike(weight, rows.documents)) sum_mistakes<float>(rows, sums, residual, curvature, gain, curve);
    else sum_mistakes<double>(rows, sums, residual, curvature, gain, curve);
}

// What the mistakes of documents are taken out of where they are told: residuals and curvatures (documents, K), and weights;
// and what their shares have grown by.
struct OwnMistakes {
    const double *residual, *curvature, *weight, *grown;
};

// The view of mistakes of every document, by class: gain / (curve + ridge), its own part taken out where it is given.
template <class Number>
void tell_mistakes(const SpanRows& rows, const ClassShares& sums, const PairedMistakes<Number>& all, double ridge,
                   const OwnMistakes& own, const ByClass& told, float* out) {
    const Index k = sums.n_classes, step = ByClass::step(k);
    parallel_rows(rows.divided(), rows.documents, [&](Index, Index begin, Index end) {
        const Ahead ahead(rows, sums, end);
        std::vector<float> views(static_cast<std::size_t>(sums.bands * step));
        OwnResiduals<Number> mine(k);  // nothing where they are not told
        Listed<MistakenWord> whole;
        for (Index d = begin; d < end; ++d) {
            const double gone = own.residual ? own.weight[d] : 0.0;
            if (own.residual) mine.read(own.residual + d * k, own.curvature + d * k);
            std::fill(views.begin(), views.end(), 0.0f);
            whole.begin(rows.ends[d] - rows.begins[d]);
            for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) {
                ahead.head(i), ahead.pairs(i, all.data());
                const auto& [from, size, first_band, documents, sum] = sums.heads[rows.words[i]];
                const double held = documents - gone;
                const auto x = static_cast<Number>(rows.x[i]);
                if (held <= nothing) continue;
                const Index band = first_band + band_of(held);
                if (std::is_same_v<Number, float> && size == k) {
                    whole.add({static_cast<float>(x), 2 * from, band});
                    continue;
                }
                const Number *gain = all.data() + 2 * from, *curve = gain + size;
                for (Index e = 0; e < size; ++e) {
                    const std::int32_t c = sums.classes[from + e];
                    const Number left = std::max(curve[e] - mine.h(c) * x * x, Number{0});
                    views[band * step + c] += static_cast<float>(x * (gain[e] - mine.r(c) * x) / (left + static_cast<Number>(ridge)));
                }
            }
            if constexpr (std::is_same_v<Number, float>)
                loops().add_mistake_views(whole.data(), whole.size(), {mine.both.data(), k}, all.data(), static_cast<float>(ridge), step, views.data());
            told.write(views.data(), own.grown ? own.grown[d] : 1.0, out + d * told.numbers());
        }
    });
}

inline void mistake_views(const SpanRows& rows, const ClassShares& sums, const double* gain, const double* curve,
                          double ridge, const OwnMistakes& own, const ByClass& told, float* out) {
    const auto tell = [&]<class Number>(Number) {
        auto all = room_for_mistakes<Number>(sums);
        each_mistake(sums, [&](std::int64_t e, std::int64_t of_gain, std::int64_t of_curve) {
            all[of_gain] = static_cast<Number>(gain[e]), all[of_curve] = static_cast<Number>(curve[e]);
        });
        tell_mistakes<Number>(rows, sums, all, ridge, own, told, out);
    };
    if (weigh_alike(own.weight, rows.documents)) tell(float{});
    else tell(double{});
}

}  // namespace candide
