// The entries of words, of which those that have many have one for every class: they are read row by row.
#pragma once

#include "parallel.hpp"

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

}  // namespace candide
