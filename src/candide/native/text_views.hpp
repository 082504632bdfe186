// Views of a document: what its words say for each class, apart by how many documents hold them, each document left out of
// the sums that speak of it.
#pragma once

#include <cmath>
#include <numeric>

#include "text_scores.hpp"

namespace candide {

// What is summed of each word in each class that has it: entries of a word stand together, and their classes ascend.
struct ClassShares {
    const std::int64_t* starts;
    const std::int32_t* classes;
    const double* n;
    const double* of_word;    // Σ_c n
    const double* documents;  // how many documents hold the word
    const double* of_class;   // Σ_w n
    Index words, n_classes;
};

inline constexpr Index n_bands = 10;

// Words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents.
inline Index band_of(double documents) {
    Index band = 0;
    for (double most = 1; band + 1 < n_bands && documents > most; most *= 2) ++band;
    return band;
}

// Less than this is nothing: what rounding leaves of a document that was taken out.
inline constexpr double nothing = 1e-9;

// The evidence of a word for a class, and against all other classes, above that of a class without the word:
//   log(1 + (1 − λ)/λ · lift)   and   −log((1 − λ) lift of the others + λ), lift being P(word | class) / P(word).
struct LiftViews {
    double lambda, others;

    // n in a class of `of_class`, where the word has the share 1 / share of everything
    double lift(double n, double of_class, double share) const {
        return std::log1p((1 - lambda) / lambda * n / of_class * share);
    }
    double against(double rest_of_word, double rest_of_class, double share) const {
        return -std::log((1 - others) * std::max(rest_of_word, 0.0) / rest_of_class * share + others);
    }
};

// What is worked with while documents are looked at one by one.
struct ViewScratch {
    explicit ViewScratch(Index classes) : of_class(static_cast<std::size_t>(classes)), rest(of_class), unseen(of_class) {}
    std::vector<double> of_class, rest, unseen;
    // A word of the document: its share, its band, and its entries.
    struct Said {
        double x;
        Index band;
        std::int64_t begin, end;
    };
    std::vector<Said> said;
    // The numbers whose logarithms are asked for, entry by entry.
    std::vector<double> lifted, others;
    std::size_t n = 0;

    void reserve(std::size_t more) {
        if (n + more + 4 <= lifted.size()) return;
        const std::size_t size = 2 * (n + more) + 64;
        lifted.resize(size), others.resize(size);
    }
    void take_logs() {
        const Index step = static_cast<Index>((n + 3) / 4 * 4);
        for (double* numbers : {lifted.data(), others.data()})
            loops().take_logs({numbers, step}, 1, static_cast<Index>(n), numbers, step);
    }
};

// One document's views into (2, bands, K); its own class and weight, where it is left out, or a negative class.
inline void lift_views(const ShareRows& rows, Index d, const ClassShares& sums, const LiftViews& by, std::int64_t own,
                       double weight, double* into, ViewScratch& work) {
    const Index k = sums.n_classes;
    double length = 0, everything = 0;
    for (std::int64_t i = rows.starts[d]; i < rows.starts[d + 1]; ++i) length += rows.x[i];
    for (Index c = 0; c < k; ++c) {
        work.of_class[c] = sums.of_class[c] - (c == own ? weight * length : 0.0);
        everything += work.of_class[c];
    }
    for (Index c = 0; c < k; ++c) {
        const double rest = std::max(everything - work.of_class[c], nothing);
        work.unseen[c] = by.against(1.0, rest, everything);
        work.of_class[c] = (1 - by.lambda) / by.lambda / std::max(work.of_class[c], nothing);
        work.rest[c] = (1 - by.others) / rest;
    }
    const double *of_class = work.of_class.data(), *rest = work.rest.data();
    work.n = 0;
    work.said.clear();
    for (std::int64_t i = rows.starts[d]; i < rows.starts[d + 1]; ++i) {
        const std::int32_t word = rows.words[i];
        const double x = rows.x[i], gone = own >= 0 ? weight * x : 0.0;
        const double held = sums.documents[word] - (own >= 0 ? weight : 0.0);
        const double all = sums.of_word[word] - gone;
        if (held <= nothing || all <= nothing) continue;
        const std::int64_t begin = sums.starts[word], end = sums.starts[word + 1], size = end - begin;
        work.said.push_back({x, band_of(held), begin, end});
        work.reserve(static_cast<std::size_t>(size));
        const double share = everything / all, *n = sums.n + begin;
        const std::int32_t* classes = sums.classes + begin;
        double *lifted = work.lifted.data() + work.n, *others = work.others.data() + work.n;
        work.n += static_cast<std::size_t>(size);
        const auto look = [&](Index e, Index c, double in_class) {
            lifted[e] = 1 + in_class * of_class[c] * share;
            others[e] = std::max(all - in_class, 0.0) * rest[c] * share + by.others;
        };
        if (size == k) {  // an entry for every class, in their order
            for (Index c = 0; c < k; ++c) look(c, c, n[c]);
            if (own >= 0) look(own, own, std::max(n[own] - gone, 0.0));
        } else {
            for (Index e = 0; e < size; ++e) look(e, classes[e], classes[e] == own ? std::max(n[e] - gone, 0.0) : n[e]);
        }
    }
    work.take_logs();
    // A class without a word has `unseen` against all others: what it has an entry for stands in its place.
    double weights[n_bands] = {};
    const double *lifted = work.lifted.data(), *others = work.others.data(), *unseen = work.unseen.data();
    for (const auto& [x, band, begin, end] : work.said) {
        double *first = into + band * k, *second = first + n_bands * k;
        const std::int64_t size = end - begin;
        if (size == k) {
            for (Index c = 0; c < k; ++c) first[c] += x * lifted[c], second[c] -= x * others[c];
        } else {
            weights[band] += x;
            for (Index e = 0; e < size; ++e) {
                const std::int32_t c = sums.classes[begin + e];
                first[c] += x * lifted[e], second[c] -= x * (others[e] + unseen[c]);
            }
        }
        lifted += size, others += size;
    }
    for (Index band = 0; band < n_bands; ++band)
        for (Index c = 0; c < k; ++c) into[(n_bands + band) * k + c] += weights[band] * unseen[c];
}

// For every document its views (2, bands, K).
inline void lift_views(const ShareRows& rows, const ClassShares& sums, const std::int64_t* y, const double* weight,
                       const LiftViews& views, double* out) {
    const Index tokens = rows.starts[rows.documents] - rows.starts[0], k = sums.n_classes;
    const Division division = divide(rows.documents, rows.documents ? tokens * 16 / rows.documents : 0);
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        ViewScratch work(k);
        for (Index d = begin; d < end; ++d)
            lift_views(rows, d, sums, views, y ? y[d] : -1, weight ? weight[d] : 1.0, out + d * 2 * n_bands * k, work);
    });
}

// For every document Σ_v β_v S_vc (K,): its views, weighed by beta (2, bands).
inline void lift_evidence(const ShareRows& rows, const ClassShares& sums, const std::int64_t* y, const double* weight,
                          const LiftViews& by, const double* beta, double* out) {
    const Index tokens = rows.starts[rows.documents] - rows.starts[0], k = sums.n_classes;
    const Division division = divide(rows.documents, rows.documents ? tokens * 16 / rows.documents : 0);
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        ViewScratch work(k);
        std::vector<double> views(static_cast<std::size_t>(2 * n_bands * k));
        for (Index d = begin; d < end; ++d) {
            std::fill(views.begin(), views.end(), 0.0);
            lift_views(rows, d, sums, by, y ? y[d] : -1, weight ? weight[d] : 1.0, views.data(), work);
            for (Index v = 0; v < 2 * n_bands; ++v)
                for (Index c = 0; c < k; ++c) out[d * k + c] += beta[v] * views[v * k + c];
        }
    });
}

// The same of every entry, and of a class without the word.
inline void lift_entries(const ClassShares& sums, const LiftViews& views, double* lift, double* against, double* unseen) {
    double everything = 0;
    for (Index c = 0; c < sums.n_classes; ++c) everything += sums.of_class[c];
    for (Index c = 0; c < sums.n_classes; ++c)
        unseen[c] = views.against(1.0, std::max(everything - sums.of_class[c], nothing), everything);
    for (Index word = 0; word < sums.words; ++word) {
        const double all = sums.of_word[word], share = all > nothing ? everything / all : 0.0;
        for (std::int64_t e = sums.starts[word]; e < sums.starts[word + 1]; ++e) {
            const std::int32_t c = sums.classes[e];
            lift[e] = views.lift(sums.n[e], std::max(sums.of_class[c], nothing), share);
            against[e] = views.against(all - sums.n[e], std::max(everything - sums.of_class[c], nothing), share) - unseen[c];
        }
    }
}

// The sums of mistakes: of residuals r (documents, K) and of their curvatures, by word and class.
inline void mistake_sums(const ShareRows& rows, const ClassShares& sums, const double* residual, const double* curvature,
                         double* gain, double* curve) {
    const Index k = sums.n_classes, tokens = rows.starts[rows.documents] - rows.starts[0], m = sums.starts[sums.words];
    Division division = divide(rows.documents, rows.documents ? tokens * 8 / rows.documents : 0, 2 * m);
    division.blocks = division.threads;  // each has sums of its own
    std::vector<std::vector<double>> parts(static_cast<std::size_t>(division.blocks - 1));
    for (auto& part : parts) part.resize(2 * static_cast<std::size_t>(m));
    parallel_rows(division, rows.documents, [&](Index block, Index begin, Index end) {
        double* of_gain = block ? parts[block - 1].data() : gain;
        double* of_curve = block ? of_gain + m : curve;
        for (Index d = begin; d < end; ++d)
            for (std::int64_t i = rows.starts[d]; i < rows.starts[d + 1]; ++i) {
                const double x = rows.x[i];
                const std::int32_t word = rows.words[i];
                const std::int64_t from = sums.starts[word], size = sums.starts[word + 1] - from;
                const double *r = residual + d * k, *h = curvature + d * k;
                double *g = of_gain + from, *c = of_curve + from;
                const std::int32_t* of = sums.classes + from;
                if (size == k)  // an entry for every class, in their order
                    for (Index e = 0; e < size; ++e) g[e] += r[e] * x, c[e] += h[e] * x * x;
                else
                    for (Index e = 0; e < size; ++e) g[e] += r[of[e]] * x, c[e] += h[of[e]] * x * x;
            }
    });
    for (const auto& part : parts)
        for (Index e = 0; e < m; ++e) gain[e] += part[e], curve[e] += part[m + e];
}

// The view of mistakes (bands, K) of every document: gain / (curve + ridge), its own part taken out where it is given.
inline void mistake_views(const ShareRows& rows, const ClassShares& sums, const double* gain, const double* curve,
                          double ridge, const double* residual, const double* curvature, const double* weight,
                          double* out) {
    const Index k = sums.n_classes, tokens = rows.starts[rows.documents] - rows.starts[0];
    const Division division = divide(rows.documents, rows.documents ? tokens * 8 / rows.documents : 0);
    parallel_rows(division, rows.documents, [&](Index, Index begin, Index end) {
        for (Index d = begin; d < end; ++d)
            for (std::int64_t i = rows.starts[d]; i < rows.starts[d + 1]; ++i) {
                const std::int32_t word = rows.words[i];
                const double x = rows.x[i], held = sums.documents[word] - (residual ? weight[d] : 0.0);
                if (held <= nothing) continue;
                double* into = out + (d * n_bands + band_of(held)) * k;
                for (std::int64_t e = sums.starts[word]; e < sums.starts[word + 1]; ++e) {
                    const Index at = d * k + sums.classes[e];
                    const double g = residual ? gain[e] - residual[at] * x : gain[e];
                    const double h = residual ? std::max(curve[e] - curvature[at] * x * x, 0.0) : curve[e];
                    into[sums.classes[e]] += x * g / (h + ridge);
                }
            }
    });
}

// Documents with their views (K, size) and what a score is made of besides.
struct Calibration {
    const double *views, *log_length, *log_prior, *weight;
    const std::int64_t* y;
    Index documents, size, n_classes;
};

// How strongly the evidence of a document speaks: exp(level − b log L − g log σ), σ being its spread over the classes.
struct Pace {
    double level, b, g;
    double operator()(double log_length, double variance) const {
        return std::exp(level - b * log_length - 0.5 * g * std::log(variance));
    }
};

// What is added to a variance, so that a document that says nothing has one.
inline constexpr double least_variance = 1e-6;

// The spread of evidence (K,) over the classes: its mean and its variance.
struct Apart {
    double mean, variance;

    Apart(const double* evidence, Index k) : mean(std::accumulate(evidence, evidence + k, 0.0) / static_cast<double>(k)), variance(0) {
        for (Index c = 0; c < k; ++c) variance += (evidence[c] - mean) * (evidence[c] - mean);
        variance = variance / static_cast<double>(k) + least_variance;
    }
};

// The pace of every document by its evidence (documents, K).
inline void paces(const double* evidence, const double* log_length, const Pace& pace, Index documents, Index k, double* out) {
    parallel_rows(divide(documents, 16 + k), documents, [&](Index, Index begin, Index end) {
        for (Index d = begin; d < end; ++d) out[d] = pace(log_length[d], Apart(evidence + d * k, k).variance);
    });
}

// Σ a b in four sums side by side, which become vectors.
inline double dot(const double* a, const double* b, Index n) {
    double four[4] = {};
    Index i = 0;
    for (; i + 4 <= n; i += 4)
        for (Index lane = 0; lane < 4; ++lane) four[lane] += a[i + lane] * b[i + lane];
    for (; i < n; ++i) four[0] += a[i] * b[i];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

// −Σ w log P(y) of scores pace · E_c + log P(c) + bias_c with E_c = Σ_v β_v S_vc, and its gradient by β, pace and bias.
inline double calibration_loss(const Calibration& all, const double* beta, const Pace& pace, const double* bias,
                               double* of_beta, double* of_pace, double* of_bias) {
    const Index k = all.n_classes, size = all.size, width = size + k + 4;
    const Division division = divide(all.documents, size * k);
    std::vector<double> sums(static_cast<std::size_t>(division.blocks * width));
    parallel_rows(division, all.documents, [&](Index block, Index begin, Index end) {
        double *into = sums.data() + block * width, *by_bias = into + size, *by_pace = by_bias + k;
        std::vector<double> evidence(static_cast<std::size_t>(k)), p(evidence.size());
        for (Index d = begin; d < end; ++d) {
            const double* views = all.views + d * size * k;
            for (Index c = 0; c < k; ++c) evidence[c] = dot(beta, views + c * size, size);
            const auto [mean, variance] = Apart(evidence.data(), k);
            const double speed = pace(all.log_length[d], variance);
            double most = -std::numeric_limits<double>::infinity(), total = 0, along = 0;
            for (Index c = 0; c < k; ++c) {
                p[c] = speed * evidence[c] + all.log_prior[d * k + c] + bias[c];
                most = std::max(most, p[c]);
            }
            const double own = p[all.y[d]];
            for (Index c = 0; c < k; ++c) total += p[c] = std::exp(p[c] - most);
            by_pace[3] -= all.weight[d] * (own - most - std::log(total));
            for (Index c = 0; c < k; ++c) {
                p[c] = all.weight[d] * (p[c] / total - (c == all.y[d] ? 1.0 : 0.0));
                by_bias[c] += p[c];
                along += p[c] * evidence[c];
            }
            by_pace[0] += speed * along;
            by_pace[1] -= speed * along * all.log_length[d];
            by_pace[2] -= speed * along * 0.5 * std::log(variance);
            // the evidence enters the pace, too: ∂ log σ / ∂ E_c = (E_c − Ē) / (K σ²)
            const double turn = pace.g * along / (static_cast<double>(k) * variance);
            for (Index c = 0; c < k; ++c) p[c] = speed * (p[c] - turn * (evidence[c] - mean));
            for (Index c = 0; c < k; ++c) {
                const double *of_class = views + c * size, share = p[c];
                for (Index v = 0; v < size; ++v) into[v] += share * of_class[v];
            }
        }
    });
    for (Index block = 1; block < division.blocks; ++block)
        for (Index i = 0; i < width; ++i) sums[i] += sums[block * width + i];
    std::copy_n(sums.data(), size, of_beta);
    std::copy_n(sums.data() + size, k, of_bias);
    std::copy_n(sums.data() + size + k, 3, of_pace);
    return sums[size + k + 3];
}

}  // namespace candide
