// What the documents of each class add up to, word by word: from their words' numbers, or from the documents themselves.
#pragma once

#include "text_bags.hpp"
#include "text_tokens.hpp"

namespace candide {

// What is summed of a word in the documents of a class: how often it stands there, in how many of them, and its shares,
// in units so small that their sums are whole.
struct WordSums {
    std::vector<std::int64_t> at;  // class · words + word, ascending
    std::vector<double> count, documents, share;
};

// The documents that count, by class, and what each weighs and belongs to.
struct Learning {
    std::vector<std::int64_t> order;
    const std::int64_t* y;
    const double* weight;  // or null: 1
    double units;
    bool keep = false;  // whether the bags of documents are told as well
};

namespace detail {

// The sums of one class after the other.
class ClassSums {
  public:
    struct Sum {
        double count = 0, documents = 0, share = 0;
    };

    void add(const Bag& bag, double weight, double units) {
        shares_of(bag.times.data(), bag.size, units, share);
        if (bag.size) reach(*std::max_element(bag.words.begin(), bag.words.begin() + static_cast<std::ptrdiff_t>(bag.size)));
        for (std::size_t i = 0; i < bag.size; ++i) {
            if (i + ahead < bag.size) __builtin_prefetch(&sums[bag.words[i + ahead]], 1);
            put(bag.words[i], {weight * bag.times[i], weight, weight * share[i]});
        }
    }
    void add(std::int32_t word, const Sum& more) {
        reach(word);
        put(word, more);
    }
    // Give the sums of a class, at `base` + word, and begin another.
    void finish(std::int64_t base, WordSums& out) {
        if (touched.size() * 16 < sums.size()) {
            std::sort(touched.begin(), touched.end());
            touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        } else {
            touched.clear();
            for (std::size_t word = 0; word < sums.size(); ++word)
                if (sums[word].documents != 0) touched.push_back(static_cast<std::int32_t>(word));
        }
        for (const std::int32_t word : touched) {
            const Sum& sum = sums[word];
            out.at.push_back(base + word);
            out.count.push_back(sum.count), out.documents.push_back(sum.documents), out.share.push_back(sum.share);
            sums[word] = {};
        }
        touched.clear();
    }

  private:
    static constexpr std::size_t ahead = 12;
    void put(std::int32_t word, const Sum& more) {
        Sum& sum = sums[word];
        if (sum.documents == 0) touched.push_back(word);
        sum.count += more.count, sum.documents += more.documents, sum.share += more.share;
    }
    void reach(std::int32_t word) {
        if (static_cast<std::size_t>(word) >= sums.size()) sums.resize(2 * static_cast<std::size_t>(word) + 64);
    }
    LargeVector<Sum> sums;
    std::vector<double> share;
    std::vector<std::int32_t> touched;
};

// What one thread, or one block, has summed: classes in the order of their documents, words by numbers of its own.
class Part {
  public:
    void add(const Learning& learning, std::int64_t d, const std::int32_t* ids, std::size_t n) {
        if (learning.y[d] != of_class) finish(), of_class = learning.y[d];
        bag.read(ids, n);
        sums.add(bag, learning.weight ? learning.weight[d] : 1.0, learning.units);
        if (!learning.keep) return;
        kept.push_back({d, words.size(), bag.size});
        const auto size = static_cast<std::ptrdiff_t>(bag.size);
        words.insert(words.end(), bag.words.begin(), bag.words.begin() + size);
        times.insert(times.end(), bag.times.begin(), bag.times.begin() + size);
    }
    void finish() {
        if (of_class < 0) return;
        const std::size_t before = out.at.size();
        sums.finish(0, out);
        segments.push_back({of_class, before, out.at.size()});
    }
    struct Segment {
        std::int64_t of_class;
        std::size_t begin, end;
    };
    WordSums out;
    std::vector<Segment> segments;
    // The bags of documents, where they are kept.
    struct Kept {
        std::int64_t document;
        std::size_t begin, size;
    };
    std::vector<Kept> kept;
    std::vector<std::int32_t> words, times;

  private:
    ClassSums sums;
    Bag bag;
    std::int64_t of_class = -1;
};

// All parts together, class by class; number(part, word) is the word's among all.
template <class Number>
WordSums together(const std::vector<Part>& parts, Index words, Number&& number) {
    struct Piece {
        std::size_t part;
        Part::Segment segment;
    };
    std::vector<Piece> pieces;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const Part::Segment& segment : parts[p].segments) pieces.push_back({p, segment});
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.segment.of_class < b.segment.of_class; });
    WordSums out;
    ClassSums sums;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto& [of_class, begin, end] = pieces[i].segment;
        const WordSums& from = parts[pieces[i].part].out;
        for (std::size_t e = begin; e < end; ++e)
            sums.add(number(pieces[i].part, from.at[e]), {from.count[e], from.documents[e], from.share[e]});
        if (i + 1 == pieces.size() || pieces[i + 1].segment.of_class != of_class) sums.finish(of_class * words, out);
    }
    return out;
}

// The bags that parts have kept, document by document; number(part, word) is the word's among all.
template <class Number>
Bags kept_bags(const std::vector<Part>& parts, Index documents, Number&& number) {
    Bags out;
    out.starts.assign(static_cast<std::size_t>(documents) + 1, 0);
    for (const Part& part : parts)
        for (const Part::Kept& one : part.kept) out.starts[one.document + 1] = static_cast<std::int64_t>(one.size);
    std::partial_sum(out.starts.begin(), out.starts.end(), out.starts.begin());
    out.words.resize(static_cast<std::size_t>(out.starts.back())), out.times.resize(out.words.size());
    const auto n = static_cast<Index>(parts.size());
    parallel_rows({static_cast<int>(n), n}, n, [&](Index p, Index, Index) {
        const Part& part = parts[p];
        for (const Part::Kept& one : part.kept) {
            const std::int64_t to = out.starts[one.document];
            for (std::size_t i = 0; i < one.size; ++i) {
                out.words[to + i] = number(static_cast<std::size_t>(p), part.words[one.begin + i]);
                out.times[to + i] = part.times[one.begin + i];
            }
        }
    });
    return out;
}

// Sums that any order of adding leaves the same are kept by thread, in blocks as they come; those of broken weights by
// block, one for each thread.
struct Parting {
    Division division;
    bool by_block;
    Parting(Index rows, Index cells, const Learning& learning)
        : division(divide(rows, cells)), by_block(learning.weight != nullptr) {
        if (by_block) division.blocks = division.threads;
    }
    std::size_t size() const { return static_cast<std::size_t>(division.threads); }
    std::size_t of(Index block) const { return static_cast<std::size_t>(by_block ? block : thread_of(division)); }
};

}  // namespace detail

// The sums of every class, from the numbers of words.
inline WordSums word_sums(const Sequences& all, const Learning& learning) {
    const auto n = static_cast<Index>(learning.order.size());
    const Index tokens = all.starts[all.documents] - all.starts[0];
    const detail::Parting parting(n, n ? tokens / n : 0, learning);
    std::vector<detail::Part> parts(parting.size());
    guarded_rows(parting.division, n, [&](Index block, Index begin, Index end) {
        detail::Part& part = parts[parting.of(block)];
        for (Index i = begin; i < end; ++i) {
            const std::int64_t d = learning.order[i];
            part.add(learning, d, all.ids + all.starts[d], static_cast<std::size_t>(all.starts[d + 1] - all.starts[d]));
        }
    });
    for (detail::Part& part : parts) part.finish();
    return detail::together(parts, all.words, [](std::size_t, std::int64_t word) { return static_cast<std::int32_t>(word); });
}

namespace detail {

// Read the documents that count and sum their words, which every part numbers by a table of its own; of tokens, nothing is
// kept.
template <class Words>
NotUtf8 sum_documents(const Documents& documents, const Characters& characters, const Analysis& analysis,
                      const Learning& learning, const Parting& parting, std::vector<Words>& tables,
                      std::vector<Part>& parts) {
    std::vector<NotUtf8> faults(static_cast<std::size_t>(parting.division.blocks));
    guarded_rows(parting.division, static_cast<Index>(learning.order.size()), [&](Index block, Index begin, Index end) {
        const std::size_t own = parting.of(block);
        std::vector<std::int32_t> ids;
        Reader<Words> reader(characters, analysis, tables[own], ids);
        for (Index i = begin; i < end; ++i) {
            const std::int64_t d = learning.order[i];
            ids.clear();
            if (const Bytes wrong = reader.read(documents[d])) {
                faults[block] = {d, wrong - documents[d].begin};
                return;
            }
            parts[own].add(learning, d, ids.data(), ids.size());
        }
    });
    for (Part& part : parts) part.finish();
    return first_of(faults);
}

}  // namespace detail

// The sums of every class from documents, and the words that they hold.
struct CountedWords : Spelt {
    WordSums sums;
    Bags bags;  // of the documents, where they are kept
};

inline NotUtf8 count_words(const Documents& documents, const Characters& characters, const Analysis& analysis,
                           const Learning& learning, CountedWords& out) {
    const detail::Parting parting(static_cast<Index>(learning.order.size()), reading_work(documents), learning);
    std::vector<detail::Part> parts(parting.size());
    std::vector<WordTable> tables(parting.size());
    const NotUtf8 fault = detail::sum_documents(documents, characters, analysis, learning, parting, tables, parts);
    if (fault.document >= 0) return fault;
    const auto numbers = detail::unite(tables, out);
    const auto number = [&](std::size_t part, std::int64_t word) { return numbers[part][word]; };
    out.sums = detail::together(parts, static_cast<Index>(out.word_starts.size()) - 1, number);
    if (learning.keep) out.bags = detail::kept_bags(parts, static_cast<Index>(documents.size()), number);
    return {};
}

// The same of words thrown into buckets.
inline NotUtf8 count_buckets(const Documents& documents, const Characters& characters, const Analysis& analysis,
                             const Learning& learning, Index buckets, WordSums& out) {
    const detail::Parting parting(static_cast<Index>(learning.order.size()), reading_work(documents), learning);
    std::vector<detail::Part> parts(parting.size());
    std::vector<WordBuckets> tables(parting.size(), WordBuckets{static_cast<std::uint64_t>(buckets)});
    const NotUtf8 fault = detail::sum_documents(documents, characters, analysis, learning, parting, tables, parts);
    out = detail::together(parts, buckets, [](std::size_t, std::int64_t word) { return static_cast<std::int32_t>(word); });
    return fault;
}

}  // namespace candide
