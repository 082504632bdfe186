// What words say for a class and against all others by their lift, each document left out of the sums that speak of it.
#pragma once

#include <array>
#include <cmath>

#include "text_views.hpp"

namespace candide {

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
    explicit ViewScratch(Index classes)
        : k(classes), of_class(static_cast<std::size_t>(classes)), rest(of_class), mine(of_class), per_unseen(of_class),
          unseen(static_cast<std::size_t>((classes + 3) / 4 * 4)) {}
    Index k;
    std::vector<double> of_class, rest, mine, per_unseen, unseen;  // the third: 1 of its own class; the fourth: e^unseen
    // Words that have an entry for every class.
    std::vector<LiftedWord> whole;
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
    // What a class without a word says against all others, and its exponential.
    void find_unseen(double everything, double others_lambda) {
        for (Index c = 0; c < k; ++c) per_unseen[c] = 1 / (unseen[c] = rest[c] * everything + others_lambda);
        logs_of(unseen, static_cast<std::size_t>(k));
        for (double& u : unseen) u = -u;
    }
    void take_logs() {
        for (auto* numbers : {&lifted, &others}) logs_of(*numbers, n);
    }

    // Words of one band and share that have entries for many classes say the logarithm of a product: the factors of the
    // first view and of the second (2, K) are multiplied, so many at the most that the product stays a number.
    struct Factors {
        double x;
        Index band, count;
    };
    static constexpr Index most_factors = 16;
    static constexpr std::size_t most_open = 16;
    std::vector<Factors> together;
    std::vector<double> products;
    std::array<double, most_open> shares{};  // those that words have so far, none of which is nothing
    std::array<std::array<std::uint32_t, n_bands>, most_open> open{};  // products + 1 that go on, by share and band

    Index slot_of(double x, Index band) {
        // found by a hash: nobody can foretell which share it is
        const std::size_t found = std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u >> (64 - std::countr_zero(most_open));
        if (x != shares[found]) shares[found] = x, open[found] = {};
        std::uint32_t& at = open[found][band];
        if (at == 0 || together[at - 1].count == most_factors) {
            together.push_back({x, band, 0});
            at = static_cast<std::uint32_t>(together.size());
            const std::size_t end = at * static_cast<std::size_t>(2 * k);
            if (products.size() < end + 4) products.resize(2 * end + 64);
            std::fill_n(products.data() + end - 2 * k, 2 * k, 1.0);
        }
        ++together[at - 1].count;
        return static_cast<Index>(at - 1);
    }
    double* factors_of(double x, Index band) {
        const Index slot = slot_of(x, band);  // before the products are asked for, which it may move
        return products.data() + 2 * k * slot;
    }
    void multiply_out(double* into) {
        if (together.empty()) return;
        logs_of(products, together.size() * static_cast<std::size_t>(2 * k));
        const double* log = products.data();
        for (const auto& [x, band, count] : together) {
            double *first = into + band * k, *second = first + n_bands * k;
            for (Index c = 0; c < k; ++c) first[c] += x * log[c], second[c] -= x * log[k + c];
            log += 2 * k;
        }
        together.clear();
        shares = {}, open = {};
    }

    static void logs_of(std::vector<double>& numbers, std::size_t n) {
        if (n == 0) return;
        const Index step = static_cast<Index>((n + 3) / 4 * 4);
        loops().take_logs({numbers.data(), step}, 1, static_cast<Index>(n), numbers.data(), step);
    }
};

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
        const double rest = std::max(everything - work.of_class[c], nothing);
        work.of_class[c] = (1 - by.lambda) / by.lambda / std::max(work.of_class[c], nothing);
        work.rest[c] = (1 - by.others) / rest;
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
        if (!some_unseen) work.find_unseen(everything, by.others), some_unseen = true;
        // A class without a word has `unseen` against all others: what it has an entry for stands in its place.
        weights[band] += x;
        lift_sparse({sums.n + begin, x, all, gone, share, band}, sums.classes + begin, size, classes, begin, work);
    }
    if (k == 2) loops().add_lifts_of_two(work.whole.data(), static_cast<Index>(work.whole.size()), classes, into, into + n_bands * k);
    else loops().multiply_lifts(work.whole.data(), static_cast<Index>(work.whole.size()), classes, work.products.data());
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

// What is settled of words: the weights of views (views, bands), and the sums of mistakes, which are the third of them.
struct SettledEntries {
    const double *beta, *gain, *curve;  // the last two: null where there are two views
    double ridge;
};

// The evidence of every entry: its views, weighed by the band of its word, above that of a class without the word; and, of
// such a class, the second view, and its weight by word.
inline void weigh_entries(const ClassShares& sums, const LiftViews& views, const SettledEntries& by, double* values,
                          double* unseen, double* spread) {
    double everything = 0;
    std::vector<double> of_class, rest;
    for (Index c = 0; c < sums.n_classes; ++c) everything += sums.of_class[c];
    for (Index c = 0; c < sums.n_classes; ++c) {
        const double other = std::max(everything - sums.of_class[c], nothing);
        unseen[c] = views.against(1.0, other, everything);
        of_class.push_back((1 - views.lambda) / views.lambda / std::max(sums.of_class[c], nothing));
        rest.push_back((1 - views.others) / other);
    }
    const Division division = divide(sums.words, sums.words ? 32 * sums.starts[sums.words] / sums.words : 0);
    parallel_rows(division, sums.words, [&](Index, Index begin, Index end) {
        constexpr std::int64_t together = 256;
        std::vector<double> lift, against;
        for (Index word = begin, last = begin; word < end; word = last) {
            const std::int64_t first = sums.starts[word];
            while (last < end && (last == word || sums.starts[last + 1] - first <= together)) ++last;
            const auto n = static_cast<std::size_t>((sums.starts[last] - first + 3) / 4 * 4);
            if (n > lift.size()) lift.resize(n), against.resize(n);
            for (Index w = word; w < last; ++w) {
                const double all = sums.of_word[w], share = all > nothing ? everything / all : 0.0;
                for (std::int64_t e = sums.starts[w]; e < sums.starts[w + 1]; ++e) {
                    const std::int32_t c = sums.classes[e];
                    lift[e - first] = 1 + sums.n[e] * of_class[c] * share;
                    against[e - first] = std::max(all - sums.n[e], 0.0) * rest[c] * share + views.others;
                }
            }
            for (auto* numbers : {&lift, &against}) ViewScratch::logs_of(*numbers, static_cast<std::size_t>(sums.starts[last] - first));
            for (Index w = word; w < last; ++w) {
                const double* beta = by.beta + band_of(sums.documents[w]);
                spread[w] = beta[n_bands];
                for (std::int64_t e = sums.starts[w]; e < sums.starts[w + 1]; ++e) {
                    values[e] = beta[0] * lift[e - first] - beta[n_bands] * (against[e - first] + unseen[sums.classes[e]]);
                    if (by.gain) values[e] += beta[2 * n_bands] * by.gain[e] / (by.curve[e] + by.ridge);
                }
            }
        }
    });
}

}  // namespace candide
