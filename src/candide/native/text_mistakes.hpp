// What a first model of documents gets wrong: summed by word and class, and as a view of each document.
#pragma once

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
    parallel_rows(divide(all.documents, 64 * (k + 1)), all.documents, [&](Index, Index begin, Index end) {
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

// The sums of mistakes: of residuals r (documents, K) and of their curvatures, by word and class. An entry without a share
// has some, too: what documents of other classes that hold the word were taken for.
inline void mistake_sums(const SpanRows& rows, const ClassShares& sums, const double* residual, const double* curvature,
                         double* gain, double* curve) {
    const Index k = sums.n_classes, m = sums.starts[sums.words];
    Division division = divide(rows.documents, 8 * rows.length(), 2 * m);
    division.blocks = division.threads;  // each has sums of its own
    std::vector<std::vector<double>> parts(static_cast<std::size_t>(division.blocks - 1));
    for (auto& part : parts) part.resize(2 * static_cast<std::size_t>(m));
    parallel_rows(division, rows.documents, [&](Index block, Index begin, Index end) {
        double* of_gain = block ? parts[block - 1].data() : gain;
        double* of_curve = block ? of_gain + m : curve;
        const Ahead ahead(rows, sums, end);
        Listed<MistakenWord> whole;
        for (Index d = begin; d < end; ++d) {
            const DocumentMistakes own{residual + d * k, curvature + d * k, k};
            whole.begin(rows.ends[d] - rows.begins[d]);
            for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) {
                ahead.head(i), ahead.entries(i, of_gain, of_curve);
                const double x = rows.x[i];
                const auto [from, size, first_band, documents, sum] = sums.heads[rows.words[i]];
                if (size == k) {
                    whole.add({x, from, 0});
                    continue;
                }
                for (std::int64_t e = from; e < from + size; ++e) {
                    const std::int32_t c = sums.classes[e];
                    of_gain[e] += own.residual[c] * x, of_curve[e] += own.curvature[c] * x * x;
                }
            }
            loops().add_mistakes(whole.data(), whole.size(), own, of_gain, of_curve);
        }
    });
    constexpr Index cells_per_entry = 4;
    parallel_rows(divide(m, parts.empty() ? 0 : cells_per_entry), m, [&](Index, Index begin, Index end) {
        for (const auto& part : parts)
            for (Index e = begin; e < end; ++e) gain[e] += part[e], curve[e] += part[m + e];
    });
}

// What the mistakes of documents are taken out of where they are told: residuals and curvatures (documents, K), and weights;
// and what their shares have grown by.
struct OwnMistakes {
    const double *residual, *curvature, *weight, *grown;
};

// The view of mistakes of every document, by class: gain / (curve + ridge), its own part taken out where it is given.
inline void mistake_views(const SpanRows& rows, const ClassShares& sums, const double* gain, const double* curve,
                          double ridge, const OwnMistakes& own, const ByClass& told, float* out) {
    const Index k = sums.n_classes, step = ByClass::step(k);
    const std::int64_t readable = sums.starts[sums.words] - step;
    const Division division = rows.divided();
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        const Ahead ahead(rows, sums, end);
        std::vector<float> views(static_cast<std::size_t>(sums.bands * step));
        std::vector<double> r(static_cast<std::size_t>(step)), h(r);  // nothing where they are not told
        Listed<MistakenWord> whole;
        for (Index d = begin; d < end; ++d) {
            const double gone = own.residual ? own.weight[d] : 0.0;
            if (own.residual) std::copy_n(own.residual + d * k, k, r.data()), std::copy_n(own.curvature + d * k, k, h.data());
            std::fill(views.begin(), views.end(), 0.0f);
            whole.begin(rows.ends[d] - rows.begins[d]);
            for (std::int64_t i = rows.begins[d]; i < rows.ends[d]; ++i) {
                ahead.head(i), ahead.entries(i, gain, curve);
                const auto [from, n, first_band, documents, sum] = sums.heads[rows.words[i]];
                const double x = rows.x[i], held = documents - gone;
                if (held <= nothing) continue;
                const Index band = first_band + band_of(held);
                if (n == k && from <= readable) {
                    whole.add({x, from, band});
                    continue;
                }
                for (std::int64_t e = from; e < from + n; ++e) {
                    const std::int32_t c = sums.classes[e];
                    const double left = std::max(curve[e] - h[c] * x * x, 0.0);
                    views[band * step + c] += static_cast<float>(x * (gain[e] - r[c] * x) / (left + ridge));
                }
            }
            const DocumentMistakes mine{r.data(), h.data(), k};
            loops().add_mistake_views(whole.data(), whole.size(), mine, gain, curve, ridge, step, views.data());
            told.write(views.data(), own.grown ? own.grown[d] : 1.0, out + d * told.numbers());
        }
    });
}

}  // namespace candide
