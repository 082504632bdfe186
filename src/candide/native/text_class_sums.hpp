// What is summed of words in the documents of a class, by threads of which each has a part of them.
#pragma once

#include <functional>
#include <utility>

#include "text_bags.hpp"

namespace candide {

// What is summed of a word in the documents of a class: how often it stands there, in how many of them, and its shares,
// in units so small that their sums are whole.
struct Sum {
    double count = 0, documents = 0, share = 0;
};
struct WordSum {
    Sum sum;
    std::int32_t word;
};

// Those of all words, class by class, which ascend as their words do.
struct SumsOfClass {
    std::int64_t of_class;
    std::vector<WordSum> sums;
};
using WordSums = std::vector<SumsOfClass>;

// Makes room for the bags of so many documents, so many words in all.
struct BagArrays {
    std::int64_t* starts;
    std::int32_t *words, *times;
};
using BagRoom = std::function<BagArrays(Index documents, Index words)>;

// The documents that count, by class, and what each weighs and belongs to.
struct Learning {
    std::vector<std::int64_t> order;
    const std::int64_t* y;
    const double* weight;  // or null: 1
    double units;
    const BagRoom* keep = nullptr;  // where the bags of documents are told as well, or null
};

namespace detail {

// The sums of one class after the other, of which those that are not empty are told.
class ClassSums {
  public:
    void add(const NumberedBag& bag, double weight, double units) {
        const Shares share(bag.times.data(), bag.size, units);
        for (std::size_t i = 0; i < bag.size; ++i) {
            if (i + ahead < bag.size) __builtin_prefetch(&sums[bag.words[i + ahead]], 1);
            add(bag.words[i], {weight * bag.times[i], weight, weight * share(bag.times[i])});
        }
    }
    void add(std::int32_t word, const Sum& more) {
        Sum& sum = sums[word];
        touched[count] = word;
        count += sum.documents == 0;  // no branch on whether the word came before, which nobody can foretell
        sum.count += more.count, sum.documents += more.documents, sum.share += more.share;
    }
    // Make room for words below a number.
    void room(std::size_t words) {
        if (words > sums.size()) sums.resize(words), touched.resize(words + 1);
    }
    // put(word, sum) for the words as they came, and begin another class.
    template <class Put>
    void finish(Put&& put) {
        for (std::size_t i = 0; i < count; ++i) put(touched[i], std::exchange(sums[touched[i]], {}));
        count = 0;
    }
    // The same for the words in their order.
    template <class Put>
    void finish_in_order(Put&& put) {
        there.resize(sums.size() / 64 + 1);
        for (std::size_t i = 0; i < count; ++i) there[touched[i] / 64] |= std::uint64_t{1} << touched[i] % 64;
        for (std::size_t i = 0; i < there.size(); ++i)
            for (std::uint64_t bits = std::exchange(there[i], 0); bits != 0; bits &= bits - 1) {
                const std::size_t word = 64 * i + static_cast<std::size_t>(std::countr_zero(bits));
                put(static_cast<std::int32_t>(word), std::exchange(sums[word], {}));
            }
        count = 0;
    }
    std::size_t size() const { return count; }

  private:
    static constexpr std::size_t ahead = 12;
    LargeVector<Sum> sums;
    std::vector<std::int32_t> touched = {0};
    std::vector<std::uint64_t> there;
    std::size_t count = 0;
};

// What one thread, or one block, has summed: classes in the order of their documents, words by numbers of its own.
class alignas(lines_apart) Part {
  public:
    // Make room for words below a number, which are all that are added.
    void room(std::size_t words) {
        bag.room(words);
        if (words > known) sums.room(known = std::max(words, 2 * known));
    }
    void add(const Learning& learning, std::int64_t d, const std::int32_t* ids, std::size_t n) {
        if (learning.y[d] != of_class) finish(), of_class = learning.y[d];
        bag.read(ids, n);
        sums.add(bag, learning.weight ? learning.weight[d] : 1.0, learning.units);
        if (!learning.keep) return;
        kept.push_back({d, counted.size(), bag.size});
        counted.resize(counted.size() + bag.size);
        Counted* const into = counted.data() + counted.size() - bag.size;
        for (std::size_t i = 0; i < bag.size; ++i) into[i] = {bag.words[i], bag.times[i]};
    }
    void finish() {
        if (of_class < 0) return;
        SumsOfClass& segment = segments.emplace_back(SumsOfClass{of_class, {}});
        segment.sums.reserve(sums.size());
        sums.finish([&](std::int32_t word, const Sum& sum) { segment.sums.push_back({sum, word}); });
    }
    WordSums segments;
    // The bags of documents, where they are kept.
    struct Kept {
        std::int64_t document;
        std::size_t begin, size;
    };
    struct Counted {
        std::int32_t word, times;
    };
    std::vector<Kept> kept;
    LargeVector<Counted> counted;

  private:
    ClassSums sums;
    NumberedBag bag;
    std::size_t known = 0;
    std::int64_t of_class = -1;
};

// Tell the last class of every part.
inline void finish(std::vector<Part>& parts) {
    const auto n = static_cast<Index>(parts.size());
    guarded_rows({static_cast<int>(n), n}, n, [&](Index part, Index, Index) { parts[part].finish(); });
}

// All parts together, class by class, words in order; number(part, word) is the word's among all.
template <class Number>
WordSums together(const std::vector<Part>& parts, Index words, Number&& number) {
    struct Piece {
        std::size_t part;
        const SumsOfClass* segment;
    };
    std::vector<Piece> pieces;
    Index size = 0;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const SumsOfClass& segment : parts[p].segments) {
            pieces.push_back({p, &segment});
            size += static_cast<Index>(segment.sums.size());
        }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.segment->of_class < b.segment->of_class; });
    WordSums out;
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!out.empty() && out.back().of_class == pieces[i].segment->of_class) continue;
        out.push_back({pieces[i].segment->of_class, {}});
        begins.push_back(i);
    }
    begins.push_back(pieces.size());
    constexpr Index cells_per_sum = 8;
    const auto n = static_cast<Index>(out.size());
    const Division division = divide(n, n ? cells_per_sum * size / n : 0, words);
    guarded_rows(division, n, [&](Index, Index first, Index last) {
        ClassSums sums;
        sums.room(static_cast<std::size_t>(words));
        for (Index i = first; i < last; ++i) {
            for (std::size_t p = begins[i]; p < begins[i + 1]; ++p) {
                const auto& [part, segment] = pieces[p];
                for (const WordSum& entry : segment->sums) sums.add(number(part, entry.word), entry.sum);
            }
            out[i].sums.reserve(sums.size());
            sums.finish_in_order([&](std::int32_t word, const Sum& sum) { out[i].sums.push_back({sum, word}); });
        }
    });
    return out;
}

// Tell the bags that parts have kept, document by document; number(part, word) is the word's among all.
template <class Number>
void tell_bags(const std::vector<Part>& parts, Index documents, const BagRoom& room, Number&& number) {
    std::vector<std::int64_t> starts(static_cast<std::size_t>(documents) + 1);
    for (const Part& part : parts)
        for (const Part::Kept& one : part.kept) starts[one.document + 1] = static_cast<std::int64_t>(one.size);
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    const BagArrays out = room(documents, starts.back());
    std::copy(starts.begin(), starts.end(), out.starts);
    const auto n = static_cast<Index>(parts.size());
    parallel_rows({static_cast<int>(n), n}, n, [&](Index p, Index, Index) {
        const Part& part = parts[p];
        for (const Part::Kept& one : part.kept) {
            const std::int64_t to = starts[one.document];
            for (std::size_t i = 0; i < one.size; ++i) {
                const auto [word, times] = part.counted[one.begin + i];
                out.words[to + i] = number(static_cast<std::size_t>(p), word);
                out.times[to + i] = times;
            }
        }
    });
}

}  // namespace detail

}  // namespace candide
