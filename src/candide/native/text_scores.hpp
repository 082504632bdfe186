// Scores of documents, added word by word.
#pragma once

#include "parallel.hpp"

namespace candide {

// Documents as rows of words with their amounts.
struct ShareRows {
    const std::int64_t* starts;
    const std::int32_t* words;
    const double* x;
    Index documents;
};

// What a word says for each class: a part of the word, a part of the class, which words may multiply, and values of the
// classes that it has entries for. The first three may be null.
struct WordEvidence {
    const double *of_word, *of_class, *spread;
    const std::int64_t* starts;
    const std::int32_t* classes;
    const double* values;
    Index words, n_classes;
};

// Add Σ_w x_w f_wc to each document's row; false where a word is none of those that say something.
inline bool add_words(const ShareRows& rows, const WordEvidence& evidence, double* out) {
    const Index k = evidence.n_classes, tokens = rows.documents ? rows.starts[rows.documents] - rows.starts[0] : 0;
    const Index entries = evidence.words ? evidence.starts[evidence.words] / evidence.words : 0;
    const Division division = divide(rows.documents, rows.documents ? tokens / rows.documents * (1 + entries) : 0);
    std::vector<char> good(static_cast<std::size_t>(division.blocks), 1);
    parallel_rows(division, rows.documents, [&](Index block, Index begin, Index end) {
        constexpr std::int64_t near = 8, far = 16;  // words ahead, whose entries are fetched
        const std::int64_t stop = rows.starts[end];
        const auto known = [&](std::int64_t i) { return i < stop && rows.words[i] >= 0 && rows.words[i] < evidence.words; };
        for (Index d = begin; d < end; ++d) {
            double* into = out + d * k;
            double by_word = 0, by_class = 0;
            for (std::int64_t i = rows.starts[d]; i < rows.starts[d + 1]; ++i) {
                if (known(i + far)) __builtin_prefetch(&evidence.starts[rows.words[i + far]]);
                if (known(i + near)) {
                    const std::int64_t e = evidence.starts[rows.words[i + near]];
                    __builtin_prefetch(&evidence.values[e]), __builtin_prefetch(&evidence.classes[e]);
                }
                const std::int32_t word = rows.words[i];
                if (word < 0) continue;
                if (word >= evidence.words) {
                    good[block] = 0;
                    continue;
                }
                const double x = rows.x[i];
                if (evidence.of_word) by_word += x * evidence.of_word[word];
                if (evidence.of_class) by_class += evidence.spread ? x * evidence.spread[word] : x;
                for (std::int64_t e = evidence.starts[word]; e < evidence.starts[word + 1]; ++e)
                    into[evidence.classes[e]] += x * evidence.values[e];
            }
            for (Index c = 0; c < k; ++c) into[c] += by_word + (evidence.of_class ? by_class * evidence.of_class[c] : 0.0);
        }
    });
    return std::all_of(good.begin(), good.end(), [](char g) { return g != 0; });
}

}  // namespace candide
