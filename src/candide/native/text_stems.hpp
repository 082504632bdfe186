// Words cut to their stems by the C functions of Snowball's library, which another module has loaded.
#pragma once

#include <memory>
#include <new>
#include <string>

#include "parallel.hpp"
#include "text_unite.hpp"

namespace candide {

// The functions of libstemmer.h; a stemmer serves one thread at a time.
struct Snowball {
    void* (*make)(const char* algorithm, const char* encoding);  // UTF-8 where no encoding is named
    void (*end)(void* stemmer);
    const char* (*stem)(void* stemmer, const char* word, int bytes);
    int (*length)(const void* stemmer);
};

// The stems of words, each once, and the place of each word's stem among them.
struct Stems : Spelt {
    std::vector<std::int32_t> place;
};

namespace detail {

// A stemmer, and the stems that it has found, as they came.
class alignas(lines_apart) Stemming {
  public:
    Stemming(const Snowball& functions, const std::string& algorithm)
        : by(functions), stemmer(by.make(algorithm.c_str(), nullptr), by.end) {}
    bool known() const { return stemmer != nullptr; }
    std::size_t size() const { return found.word_starts.size() - 1; }
    WordList list() const { return {found.bytes.data(), found.word_starts.data(), static_cast<Index>(size())}; }
    void add(std::string_view word) {
        const char* stem = by.stem(stemmer.get(), word.data(), static_cast<int>(word.size()));
        if (!stem) throw std::bad_alloc();
        found.bytes.insert(found.bytes.end(), stem, stem + by.length(stemmer.get()));
        found.word_starts.push_back(static_cast<std::int64_t>(found.bytes.size()));
    }

  private:
    Snowball by;
    std::unique_ptr<void, void (*)(void*)> stemmer;
    Spelt found{{}, {0}};
};

}  // namespace detail

// The stems of words; false where the algorithm is not known.
inline bool stem_words(const Snowball& by, const std::string& algorithm, const WordList& words, Stems& out) {
    constexpr Index cells_per_word = 400;
    const Division division = divide(words.size, cells_per_word);
    std::vector<detail::Stemming> threads;
    for (int thread = 0; thread < division.threads; ++thread) threads.emplace_back(by, algorithm);
    if (!std::all_of(threads.begin(), threads.end(), [](const auto& one) { return one.known(); })) return false;
    struct Block {
        std::size_t thread, before;
        Index begin, end;
    };
    std::vector<Block> blocks(static_cast<std::size_t>(division.blocks));
    guarded_rows(division, words.size, [&](Index block, Index begin, Index end) {
        const auto thread = static_cast<std::size_t>(thread_of(division));
        blocks[block] = {thread, threads[thread].size(), begin, end};
        for (Index i = begin; i < end; ++i) threads[thread].add(words[i]);
    });
    std::vector<WordList> lists;
    for (const detail::Stemming& thread : threads) lists.push_back(thread.list());
    const auto numbers = detail::unite(lists, out);
    out.place.resize(static_cast<std::size_t>(words.size));
    for (const auto& [thread, before, begin, end] : blocks)
        std::copy_n(numbers[thread].begin() + before, end - begin, out.place.begin() + begin);
    return true;
}

}  // namespace candide
