// What is worked with while the lifts of words are looked at, document by document: logarithms taken together.
#pragma once

#include <cmath>

#include "text_views.hpp"

namespace candide {

// The evidence of a word for a class, and against all other classes, above that of a class without the word:
//   log(1 + (1 − λ)/λ · lift)   and   −log((1 − λ) lift of the others + λ), lift being P(word | class) / P(word).
struct LiftViews {
    double lambda, others;

    // What the sums of a word in a class, and in all others, are multiplied by, where these have so much of everything.
    double per_class(double of_class) const { return (1 - lambda) / lambda / std::max(of_class, nothing); }
    double per_rest(double rest) const { return (1 - others) / std::max(rest, nothing); }
};

// The logarithms of n numbers, in whole vectors of four.
inline void logs_of(std::vector<double>& numbers, std::size_t n) {
    if (n == 0) return;
    const Index step = static_cast<Index>((n + 3) / 4 * 4);
    loops().take_logs({numbers.data(), step}, 1, static_cast<Index>(n), numbers.data(), step);
}

// What is worked with while documents are looked at one by one.
struct ViewScratch {
    ViewScratch(Index classes, Index of_bands, bool first_alone)
        : k(classes), bands(of_bands), alone(first_alone), step(ByClass::step(classes)), of_class(static_cast<std::size_t>(step)), rest(of_class), mine(of_class),
          unseen(static_cast<std::size_t>((classes + 7) / 8 * 8)), views(static_cast<std::size_t>(2 * bands * step)),
          weights(static_cast<std::size_t>(bands)) {}
    Index k, bands;
    bool alone;  // of two classes: the first view, of which the second gets what it has more
    Index step;
    std::vector<double> of_class, rest, mine;  // the third: 1 of its own class
    std::vector<float> unseen;
    std::vector<float> views;  // (2, bands, step)
    std::vector<double> weights;  // by band: the shares of words that are not whole
    // Words that have an entry for every class.
    Listed<LiftedWord> whole;
    // Another word of the document: its share, its band, and its entries.
    struct Said {
        float x;
        Index band;
        std::int64_t begin, end;
    };
    std::vector<Said> said;
    // The numbers whose logarithms are asked for, entry by entry.
    std::vector<float> lifted, others;
    std::size_t n = 0;

    void begin(std::int64_t words) {
        std::fill(views.begin(), views.end(), 0.0f), std::fill(weights.begin(), weights.end(), 0.0);
        said.clear(), whole.begin(words);
        n = 0;
    }
    void reserve(std::size_t more) {
        if (n + more + 8 <= lifted.size()) return;
        const std::size_t size = 2 * (n + more) + 64;
        lifted.resize(size, 1.0f), others.resize(size, 1.0f);
    }
    // What a class without a word says against all others.
    void find_unseen(double everything, const LiftViews& by) {
        for (Index c = 0; c < k; ++c) unseen[c] = static_cast<float>(rest[c] * everything + by.others);
        loops().take_single_logs(unseen.data(), k);
        for (float& u : unseen) u = -u;
    }
    void take_logs() {
        for (auto* numbers : {&lifted, &others}) loops().take_single_logs(numbers->data(), static_cast<Index>(n));
    }
};

}  // namespace candide
