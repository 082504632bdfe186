// Words cut to their stems by the C functions of Snowball's library, which another module has loaded.
#pragma once

#include <memory>
#include <new>
#include <string>

#include "parallel.hpp"
#include "text_tokens.hpp"

namespace candide {

// The functions of libstemmer.h; a stemmer serves one thread at a time.
struct Snowball {
    void* (*make)(const char* algorithm, const char* encoding);  // UTF-8 where no encoding is named
    void (*end)(void* stemmer);
    const char* (*stem)(void* stemmer, const char* word, int bytes);
    int (*length)(const void* stemmer);
};

// The stems of words, in the order of these; false where the algorithm is not known.
inline bool stem_words(const Snowball& by, const std::string& algorithm, const WordList& words, Spelt& out) {
    constexpr Index cells_per_word = 400;
    const Division division = divide(words.size, cells_per_word);
    std::vector<Spelt> blocks(static_cast<std::size_t>(division.blocks));
    std::vector<char> known(blocks.size(), 1);
    guarded_rows(division, words.size, [&](Index block, Index begin, Index end) {
        const std::unique_ptr<void, void (*)(void*)> stemmer(by.make(algorithm.c_str(), nullptr), by.end);
        if (!stemmer) return void(known[block] = 0);
        Spelt& stems = blocks[block];
        for (Index i = begin; i < end; ++i) {
            const char* stem = by.stem(stemmer.get(), words[i].data(), static_cast<int>(words[i].size()));
            if (!stem) throw std::bad_alloc();
            stems.bytes.insert(stems.bytes.end(), stem, stem + by.length(stemmer.get()));
            stems.word_starts.push_back(static_cast<std::int64_t>(stems.bytes.size()));
        }
    });
    out.word_starts.assign(1, 0);
    for (const Spelt& block : blocks) {
        const auto before = static_cast<std::int64_t>(out.bytes.size());
        out.bytes.insert(out.bytes.end(), block.bytes.begin(), block.bytes.end());
        for (const std::int64_t end : block.word_starts) out.word_starts.push_back(before + end);
    }
    return std::all_of(known.begin(), known.end(), [](char k) { return k != 0; });
}

}  // namespace candide
