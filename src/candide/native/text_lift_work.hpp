// What is worked with while the lifts of words are looked at, document by document: logarithms taken together.
#pragma once

#include <array>
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
    void find_unseen(double everything, const LiftViews& by) {
        for (Index c = 0; c < k; ++c) per_unseen[c] = 1 / (unseen[c] = rest[c] * everything + by.others);
        logs_of(unseen, static_cast<std::size_t>(k));
        for (double& u : unseen) u = -u;
    }
    void take_logs() {
        for (auto* numbers : {&lifted, &others}) logs_of(*numbers, n);
    }

    // Words of one band and share that have entries for many classes say the logarithm of a product: the factors of the
    // first view and of the second (2, K) are multiplied, so many at the most that the product stays a number.
    struct Open {
        std::uint32_t slot = 0, room = 0;  // for so many factors more
    };
    static constexpr std::uint32_t most_factors = 16;
    static constexpr std::size_t most_open = 16;
    std::vector<LiftedTogether> together;
    std::vector<double> products;
    std::array<double, most_open> shares{};  // those that words have so far, none of which is nothing
    std::array<std::array<Open, n_bands>, most_open> open{};  // products that go on, by share and band

    Index slot_of(double x, Index band) {
        // found by a hash: nobody can foretell which share it is
        const std::size_t found = std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u >> (64 - std::countr_zero(most_open));
        if (x != shares[found]) shares[found] = x, open[found] = {};
        Open& at = open[found][band];
        if (at.room == 0) {
            at = {static_cast<std::uint32_t>(together.size()), most_factors};
            together.push_back({x, band});
            const std::size_t end = together.size() * static_cast<std::size_t>(2 * k);
            if (products.size() < end + 4) products.resize(2 * end + 64, 1.0);
            std::fill_n(products.data() + end - 2 * k, 2 * k, 1.0);
        }
        --at.room;
        return at.slot;
    }
    double* factors_of(double x, Index band) {
        const Index slot = slot_of(x, band);  // before the products are asked for, which it may move
        return products.data() + 2 * k * slot;
    }
    void multiply_out(double* into) {
        if (together.empty()) return;
        loops().add_lifts(together.data(), static_cast<Index>(together.size()), products.data(), k, into, into + n_bands * k);
        together.clear();
        shares = {}, open = {};
    }

    static void logs_of(std::vector<double>& numbers, std::size_t n) {
        if (n == 0) return;
        const Index step = static_cast<Index>((n + 3) / 4 * 4);
        loops().take_logs({numbers.data(), step}, 1, static_cast<Index>(n), numbers.data(), step);
    }
};

}  // namespace candide
