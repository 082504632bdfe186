// The entries of words, by class: those of words that have many filled up, and what all of them say.
#pragma once

#include <numeric>

#include "text_lift_work.hpp"

namespace candide {

// Entries of words by class, in order: those of word w are starts[w] .. starts[w + 1] - 1.
struct SparseEntries {
    const std::int64_t* starts;
    const std::int32_t* classes;
    Index words, n_classes;

    // Whether a word has an entry for one in `few` classes, and thus gets one for each.
    bool many(Index word, Index few) const { return (starts[word + 1] - starts[word]) * few >= n_classes; }
};

// Where the entries of each word begin when they are filled.
inline void start_filled(const SparseEntries& given, Index few, std::int64_t* starts) {
    starts[0] = 0;
    for (Index w = 0; w < given.words; ++w)
        starts[w + 1] = starts[w] + (given.many(w, few) ? given.n_classes : given.starts[w + 1] - given.starts[w]);
}

// The classes of filled entries, and where those stand that were there before.
inline void fill_entries(const SparseEntries& given, Index few, const std::int64_t* starts, std::int32_t* classes,
                         std::int64_t* places) {
    constexpr Index cells_per_entry = 4;
    const Index cells = given.words ? cells_per_entry * starts[given.words] / given.words : 0;
    parallel_rows(divide(given.words, cells), given.words, [&](Index, Index begin, Index end) {
        for (Index w = begin; w < end; ++w) {
            const bool many = given.many(w, few);
            if (many)
                for (Index c = 0; c < given.n_classes; ++c) classes[starts[w] + c] = static_cast<std::int32_t>(c);
            for (std::int64_t e = given.starts[w], to = starts[w]; e < given.starts[w + 1]; ++e, ++to) {
                places[e] = many ? starts[w] + given.classes[e] : to;
                if (!many) classes[to] = given.classes[e];
            }
        }
    });
}

// Entries class by class: class · stride + what their word is called, and where each stands among those of words.
inline void turn_entries(const SparseEntries& given, const std::int64_t* called, Index stride, std::int64_t* at, std::int64_t* order) {
    std::vector<std::int64_t> next(static_cast<std::size_t>(given.n_classes + 1));
    for (std::int64_t e = 0; e < given.starts[given.words]; ++e) ++next[given.classes[e] + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (Index w = 0; w < given.words; ++w)
        for (std::int64_t e = given.starts[w]; e < given.starts[w + 1]; ++e) {
            const std::int64_t to = next[given.classes[e]]++;
            at[to] = given.classes[e] * stride + called[w], order[to] = e;
        }
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
        of_class.push_back(views.per_class(sums.of_class[c]));
        rest.push_back(views.per_rest(everything - sums.of_class[c]));
        unseen[c] = -std::log(rest[c] * everything + views.others);
    }
    const Division division = divide(sums.words, sums.words ? 32 * sums.starts[sums.words] / sums.words : 0);
    parallel_rows(division, sums.words, [&](Index, Index begin, Index end) {
        constexpr std::int64_t together = 256;
        std::vector<double> lift, against;
        for (Index word = begin, last = begin; word < end; word = last) {
            const std::int64_t first = sums.starts[word];
            while (last < end && (last == word || sums.starts[last + 1] - first <= together)) ++last;  // ends: with the words
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
            for (auto* numbers : {&lift, &against}) logs_of(*numbers, static_cast<std::size_t>(sums.starts[last] - first));
            for (Index w = word; w < last; ++w) {
                const double* beta = by.beta + (sums.first_band ? sums.first_band[w] : 0) + band_of(sums.documents[w]);
                spread[w] = beta[sums.bands];
                for (std::int64_t e = sums.starts[w]; e < sums.starts[w + 1]; ++e) {
                    values[e] = beta[0] * lift[e - first] - beta[sums.bands] * (against[e - first] + unseen[sums.classes[e]]);
                    if (by.gain) values[e] += beta[2 * sums.bands] * by.gain[e] / (by.curve[e] + by.ridge);
                }
            }
        }
    });
}

}  // namespace candide
