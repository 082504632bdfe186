// From rows of word numbers to bags: how often each word stands in each document, and what the documents of a class add
// up to.
#pragma once

#include <cmath>
#include <exception>

#include "parallel.hpp"
#include "text_words.hpp"

namespace candide {

// Documents as rows of word numbers; negative ones are left out.
struct Sequences {
    const std::int32_t* ids;
    const std::int64_t* starts;
    Index documents, words;
};

// The words of one document with how often each stands in it, for any number of documents in turn.
class Bag {
  public:
    explicit Bag(Index words) : place(static_cast<std::size_t>(words)), seen(place.size(), -1) {}
    void read(const Sequences& all, Index document) {
        words.clear(), times.clear();
        for (std::int64_t t = all.starts[document]; t < all.starts[document + 1]; ++t) {
            const std::int32_t word = all.ids[t];
            if (word < 0) continue;
            if (seen[word] == document) {
                ++times[place[word]];
                continue;
            }
            seen[word] = document;
            place[word] = static_cast<std::int32_t>(words.size());
            words.push_back(word), times.push_back(1);
        }
    }
    std::vector<std::int32_t> words, times;

  private:
    std::vector<std::int32_t> place;
    std::vector<Index> seen;
};

struct Bags {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> words, times;
};

inline Bags bags(const Sequences& all) {
    const Index tokens = all.starts[all.documents] - all.starts[0];
    const Division division = divide(all.documents, all.documents ? tokens / all.documents : 0, all.words);
    std::vector<Bags> blocks(static_cast<std::size_t>(division.blocks));
    std::vector<std::exception_ptr> failures(blocks.size());
    parallel_rows(division, all.documents, [&](Index block, Index begin, Index end) {
        try {
            Bag bag(all.words);
            Bags& out = blocks[block];
            for (Index d = begin; d < end; ++d) {
                bag.read(all, d);
                out.words.insert(out.words.end(), bag.words.begin(), bag.words.end());
                out.times.insert(out.times.end(), bag.times.begin(), bag.times.end());
                out.starts.push_back(static_cast<std::int64_t>(out.words.size()));
            }
        } catch (...) {
            failures[block] = std::current_exception();
        }
    });
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
    Bags out;
    out.starts.push_back(0);
    for (const Bags& block : blocks) {
        const std::int64_t before = out.starts.back();
        for (const std::int64_t end : block.starts) out.starts.push_back(before + end);
        out.words.insert(out.words.end(), block.words.begin(), block.words.end());
        out.times.insert(out.times.end(), block.times.begin(), block.times.end());
    }
    return out;
}

// What is summed of a word in the documents of a class: how often it stands there, in how many of them, and its shares,
// log(1 + times) over the length of the document's vector of these, in units so small that their sums are whole.
struct WordSums {
    std::vector<std::int64_t> at;  // class · words + word, ascending
    std::vector<double> count, documents, share;
};

inline double logarithm_of(std::int32_t times) {
    static const std::vector<double> small = [] {
        std::vector<double> out(256);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log1p(static_cast<double>(i));
        return out;
    }();
    return times < 256 ? small[static_cast<std::size_t>(times)] : std::log1p(static_cast<double>(times));
}

// The shares of a bag's words, as whole numbers of units.
inline void shares_of(const std::int32_t* times, std::size_t n, double units, std::vector<double>& out) {
    out.resize(n);
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = logarithm_of(times[i]);
        squares += out[i] * out[i];
    }
    const double scale = n ? units / std::sqrt(squares) : 0;
    for (double& share : out) share = std::nearbyint(share * scale);
}

namespace detail {

class ClassSums {
  public:
    explicit ClassSums(Index words) : size(words), bag(words), sums(3 * static_cast<std::size_t>(words)), used(words) {}

    void add(const Sequences& all, Index document, double weight, double units) {
        bag.read(all, document);
        shares_of(bag.times.data(), bag.times.size(), units, share);
        for (std::size_t i = 0; i < bag.words.size(); ++i) {
            const std::int32_t word = bag.words[i];
            if (!used[word]) used[word] = 1, touched.push_back(word);
            double* sum = &sums[3 * static_cast<std::size_t>(word)];
            sum[0] += weight * bag.times[i], sum[1] += weight, sum[2] += weight * share[i];
        }
    }
    // Give the sums of a class, and begin another.
    void finish(std::int64_t of_class, WordSums& out) {
        if (static_cast<Index>(touched.size()) * 16 < size) {
            std::sort(touched.begin(), touched.end());
        } else {
            touched.clear();
            for (Index word = 0; word < size; ++word)
                if (used[word]) touched.push_back(static_cast<std::int32_t>(word));
        }
        for (const std::int32_t word : touched) {
            double* sum = &sums[3 * static_cast<std::size_t>(word)];
            out.at.push_back(of_class * size + word);
            out.count.push_back(sum[0]), out.documents.push_back(sum[1]), out.share.push_back(sum[2]);
            sum[0] = sum[1] = sum[2] = 0, used[word] = 0;
        }
        touched.clear();
    }

  private:
    Index size;
    Bag bag;
    std::vector<double> sums, share;
    std::vector<char> used;
    std::vector<std::int32_t> touched;
};

// Put sums behind others; where both have an entry, which only happens at the seam of a class, they are added.
inline void append(WordSums& out, const WordSums& more, Index words) {
    const auto class_of = [&](std::int64_t at) { return words ? at / words : 0; };
    std::size_t seam = out.at.size();
    const bool meet = !out.at.empty() && !more.at.empty() && class_of(out.at.back()) == class_of(more.at.front());
    while (meet && seam > 0 && class_of(out.at[seam - 1]) == class_of(more.at.front())) --seam;
    WordSums tail{{out.at.begin() + seam, out.at.end()},
                  {out.count.begin() + seam, out.count.end()},
                  {out.documents.begin() + seam, out.documents.end()},
                  {out.share.begin() + seam, out.share.end()}};
    out.at.resize(seam), out.count.resize(seam), out.documents.resize(seam), out.share.resize(seam);
    const auto take = [&](const WordSums& from, std::size_t i, bool first) {
        if (first) {
            out.at.push_back(from.at[i]), out.count.push_back(from.count[i]);
            out.documents.push_back(from.documents[i]), out.share.push_back(from.share[i]);
        } else {
            out.count.back() += from.count[i], out.documents.back() += from.documents[i], out.share.back() += from.share[i];
        }
    };
    std::size_t a = 0, b = 0;
    while (a < tail.at.size() && b < more.at.size()) {
        const std::int64_t x = tail.at[a], y = more.at[b];
        if (x <= y) take(tail, a++, true);
        if (y <= x) take(more, b++, y < x);
    }
    while (a < tail.at.size()) take(tail, a++, true);
    while (b < more.at.size()) take(more, b++, true);
}

}  // namespace detail

// The sums of every class: `order` are the documents that count, by class.
inline WordSums word_sums(const Sequences& all, const std::vector<std::int64_t>& order, const std::int64_t* y,
                          const double* weight, double units) {
    const auto n = static_cast<Index>(order.size());
    const Index tokens = all.starts[all.documents] - all.starts[0];
    Division division = divide(n, n ? tokens / n : 0, 4 * all.words);
    division.blocks = division.threads;  // each block has sums of its own
    std::vector<WordSums> blocks(static_cast<std::size_t>(division.blocks));
    std::vector<std::exception_ptr> failures(blocks.size());
    parallel_rows(division, n, [&](Index block, Index begin, Index end) {
        try {
            detail::ClassSums sums(all.words);
            for (Index i = begin; i < end; ++i) {
                const std::int64_t d = order[i];
                sums.add(all, d, weight ? weight[d] : 1.0, units);
                if (i + 1 == end || y[order[i + 1]] != y[d]) sums.finish(y[d], blocks[block]);
            }
        } catch (...) {
            failures[block] = std::current_exception();
        }
    });
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
    WordSums out = std::move(blocks[0]);
    for (std::size_t b = 1; b < blocks.size(); ++b) detail::append(out, blocks[b], all.words);
    return out;
}

}  // namespace candide
