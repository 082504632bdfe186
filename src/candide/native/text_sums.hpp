// What the documents of each class add up to, word by word: from their words' numbers, or from the documents themselves.
#pragma once

#include <memory>

#include "text_class_sums.hpp"
#include "text_tokens.hpp"

namespace candide {

namespace detail {

// Sums that any order of adding leaves the same are kept by thread, in blocks as they come, of which there are many, since
// documents are of any length, and whoever is done first waits for the last; those of broken weights by block, one for each
// thread.
struct Parting {
    Division division;
    bool by_block;
    Parting(Index rows, Index cells, const Learning& learning)
        : division(divide(rows, cells)), by_block(learning.weight != nullptr) {
        if (by_block) division.blocks = division.threads;
        else if (division.threads > 1) division.blocks = std::min(rows, 4 * division.blocks);
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
        part.room(static_cast<std::size_t>(all.words));
        for (Index i = begin; i < end; ++i) {
            const std::int64_t d = learning.order[i];
            part.add(learning, d, all.ids + all.starts[d], static_cast<std::size_t>(all.starts[d + 1] - all.starts[d]));
        }
    });
    detail::finish(parts);
    return detail::together(parts, all.words, [](std::size_t, std::int64_t word) { return static_cast<std::int32_t>(word); });
}

namespace detail {

// Words of documents that are numbered together: those of many short ones, or of one.
inline constexpr std::size_t words_together = 1024;

// Read the documents that count and sum their words, which every part numbers by a table of its own; of tokens, nothing is
// kept.
template <class Words>
NotUtf8 sum_documents(const Documents& documents, const Characters& characters, const Analysis& analysis,
                      const Learning& learning, const Parting& parting, std::vector<Words>& tables,
                      std::vector<Part>& parts) {
    struct Reading {
        std::vector<std::int32_t> ids;
        std::vector<std::size_t> ends;
        Reader<Words> reader;
        Reading(const Characters& c, const Analysis& a, Words& words) : reader(c, a, words, ids) {}
    };
    std::vector<NotUtf8> faults(static_cast<std::size_t>(parting.division.blocks));
    std::vector<std::unique_ptr<Reading>> readings(parting.size());
    const Index text = bytes_of(documents) / static_cast<Index>(parting.size());
    guarded_rows(parting.division, static_cast<Index>(learning.order.size()), [&](Index block, Index begin, Index end) {
        const std::size_t own = parting.of(block);
        if (!readings[own]) {
            tables[own].expect(text);
            parts[own].room(static_cast<std::size_t>(likely_words(text)));
            readings[own] = std::make_unique<Reading>(characters, analysis, tables[own]);
        }
        auto& [ids, ends, reader] = *readings[own];
        for (Index i = begin, first = begin; i < end; ++i) {
            const std::int64_t d = learning.order[i];
            if (i + 1 < end) fetch(documents[learning.order[i + 1]]);
            if (const Bytes wrong = reader.begin(documents[d])) {
                faults[block] = {d, wrong - documents[d].begin};
                reader.finish(), ids.clear(), ends.clear();
                return;
            }
            ends.push_back(reader.size());
            if (ends.back() < words_together && i + 1 < end) continue;
            reader.finish();
            parts[own].room(tables[own].size());
            for (std::size_t j = 0, from = 0; j < ends.size(); from = ends[j++])
                parts[own].add(learning, learning.order[first + static_cast<Index>(j)], ids.data() + from, ends[j] - from);
            first = i + 1, ids.clear(), ends.clear();
        }
    });
    finish(parts);
    return first_of(faults);
}

}  // namespace detail

// The sums of every class from documents, and the words that they hold.
struct CountedWords : Spelt {
    WordSums sums;
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
    if (learning.keep) detail::tell_bags(parts, static_cast<Index>(documents.size()), *learning.keep, number);
    return {};
}

// The same of words thrown into buckets.
inline NotUtf8 count_buckets(const Documents& documents, const Characters& characters, const Analysis& analysis,
                             const Learning& learning, Index buckets, WordSums& out) {
    const detail::Parting parting(static_cast<Index>(learning.order.size()), reading_work(documents), learning);
    std::vector<detail::Part> parts(parting.size());
    std::vector<NumberedBuckets> tables(parting.size(), NumberedBuckets(buckets));
    const NotUtf8 fault = detail::sum_documents(documents, characters, analysis, learning, parting, tables, parts);
    if (fault.document >= 0) return fault;
    std::vector<std::int32_t> filled;
    const auto numbers = detail::unite(tables, filled);
    out = detail::together(parts, static_cast<Index>(filled.size()),
                           [&](std::size_t part, std::int64_t bucket) { return numbers[part][bucket]; });
    for (SumsOfClass& one : out)
        for (WordSum& entry : one.sums) entry.word = filled[entry.word];
    return {};
}

}  // namespace candide
