// What is worked with while the lifts of words are looked at, document by document: logarithms taken together.
#pragma once

#include <cmath>
#include <utility>

#include "text_views.hpp"

namespace candide {

// The evidence of a word for a class, and against all other classes, above that of a class without the word:
//   log(1 + (1 − λ)/λ · lift)   and   −log((1 − λ) lift of the others + λ), lift being P(word | class) / P(word).
struct LiftViews {
    double lambda, others;

    // What the sums of a word in a class, and in all others, are multiplied by, where these have so much of everything.
    double per_class(double of_class) const { return (1 - lambda) / lambda / std::max(of_class, nothing); }
    double per_rest(double rest) const { return (1 - others) / std::max(rest, nothing); }

    // How many factors single precision holds the product of: one is 1 + per_class · everything at the most, where a word stands
    // in one class alone, and the share of the others at the least.
    Index factors(double most_per_class, double everything) const {
        constexpr double bits = 100;
        const double each = std::log2(std::max(1 + most_per_class * everything, 1 / others));
        return static_cast<Index>(std::clamp(bits / each, 1.0, static_cast<double>(LiftedClasses::most_factors)));
    }
};

// The logarithms of n numbers, in whole vectors of four.
inline void logs_of(std::vector<double>& numbers, std::size_t n) {
    if (n == 0) return;
    const Index step = static_cast<Index>((n + 3) / 4 * 4);
    loops().take_logs({numbers.data(), step}, 1, static_cast<Index>(n), numbers.data(), step);
}

// Words of a document by band, those apart that stand there once, as most do: they have one share, the least. No branch on
// which of them a word is, which nobody can foretell.
class LiftedGroups {
  public:
    explicit LiftedGroups(Index bands) : last(static_cast<std::size_t>(2 * bands), -1) {}
    // Begin a document whose least share is this.
    void begin(double share) { least = static_cast<float>(share); }
    // Put a word into its group; returns the one that was put there before it, or -1.
    Index put(Index band, float x, Index word) { return std::exchange(last[static_cast<std::size_t>(2 * band + (x == least))], word); }
    // The groups that have words, and none from then on.
    const std::vector<LiftedGroup>& take() {
        groups.clear();
        for (std::size_t i = 0; i < last.size(); ++i)
            if (last[i] >= 0) groups.push_back({static_cast<Index>(i / 2), std::exchange(last[i], -1), i % 2 == 1});
        return groups;
    }

  private:
    float least = 0;
    std::vector<Index> last;
    std::vector<LiftedGroup> groups;
};

// What is worked with while documents are looked at one by one.
struct ViewScratch {
    ViewScratch(Index classes, Index of_bands, bool first_alone)
        : k(classes), bands(of_bands), alone(first_alone), step(ByClass::step(classes)), sum(static_cast<std::size_t>(classes)), of_class(static_cast<std::size_t>(step)), rest(of_class), mine(of_class),
          unseen(static_cast<std::size_t>((classes + 7) / 8 * 8)), views(static_cast<std::size_t>(2 * bands * step)),
          weights(static_cast<std::size_t>(bands)), groups(bands) {}
    Index k, bands;
    bool alone;  // of two classes: the first view, of which the second gets what it has more
    Index step;
    std::vector<double> sum;                  // of all words of each class
    std::vector<float> of_class, rest, mine;  // the third: 1 of its own class
    std::vector<float> unseen;
    std::vector<float> views;  // (2, bands, step)
    std::vector<double> weights;  // by band: the shares of words that are not whole
    // Words that have an entry for every class, and groups of them.
    Listed<LiftedWord> whole;
    LiftedGroups groups;
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
        for (Index c = 0; c < k; ++c) unseen[c] = static_cast<float>(by.per_rest(everything - sum[c]) * everything + by.others);
        loops().take_single_logs(unseen.data(), k);
        for (float& u : unseen) u = -u;
    }
    void take_logs() {
        for (auto* numbers : {&lifted, &others}) loops().take_single_logs(numbers->data(), static_cast<Index>(n));
    }
};

}  // namespace candide
