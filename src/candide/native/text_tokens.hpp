// Documents as rows of word numbers: UTF-8 bytes in, no object per word.
#pragma once

#include "parallel.hpp"
#include "text_found.hpp"
#include "text_unite.hpp"

namespace candide {

// The numbers of each document's words in their order, and the words.
struct Tokens : Spelt {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> starts;
};

// The first bytes that are no UTF-8, by document and place in it.
struct NotUtf8 {
    Index document = -1, byte = 0;
};
inline NotUtf8 first_of(const std::vector<NotUtf8>& faults) {
    NotUtf8 first;
    for (const NotUtf8& fault : faults)
        if (fault.document >= 0 && (first.document < 0 || fault.document < first.document)) first = fault;
    return first;
}

namespace detail {

// A block of documents as one thread read it, numbered by that thread's words.
struct Read {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> lengths;
    Index thread = 0;
    NotUtf8 fault;
};

// Words that were found and wait for their numbers: the table is larger than a cache, so the places of words are fetched
// while others are found.
template <class Words>
class Waiting {
  public:
    Waiting(Words& table, std::vector<std::int32_t>& out) : words(table), ids(out) {}
    // Behind a word, 24 bytes can be read.
    void add(const char* word, std::size_t n) {
        const WordKey key(word, n);
        if (!key.whole()) return add_long({word, n}, key);
        const std::uint64_t hash = Words::hash(key);
        words.fetch(hash);
        entries[count++] = {key, hash};
        if (count == most) finish();
    }
    [[gnu::noinline]] void finish() {
        const std::size_t before = ids.size();
        ids.resize(before + count);
        std::int32_t* const to = ids.data() + before;
        for (std::size_t i = 0; i < count; ++i) {
            const auto& [key, hash] = entries[i];
            const std::string_view word{reinterpret_cast<const char*>(key.part), key.part[2] >> 56};
            to[i] = words.number(key, hash, word);
        }
        count = 0;
    }
    std::size_t size() const { return ids.size() + count; }

  private:
    static constexpr std::size_t most = 128;
    struct Entry {
        WordKey key;
        std::uint64_t hash;
    };
    [[gnu::noinline]] void add_long(std::string_view word, const WordKey& key) {
        finish();
        ids.push_back(words.number(key, hash_word(word), word));
    }
    Words& words;
    std::vector<std::int32_t>& ids;
    Entry entries[most];
    std::size_t count = 0;
};

}  // namespace detail

// Reads documents one after the other by a table of words.
template <class Words>
class Reader {
  public:
    Reader(const Characters& c, const Analysis& a, Words& words, std::vector<std::int32_t>& ids)
        : characters(c), analysis(a), waiting(words, ids) {}
    // Put the numbers of a document's words behind the ids; returns where bytes are no UTF-8, or null.
    Bytes read(Document document) {
        const Bytes wrong = begin(document);
        finish();
        return wrong;
    }
    // The same, but some of the numbers come when all is finished; `size` counts them.
    Bytes begin(Document document) {
        const auto found = [this](const char* word, std::size_t n) { waiting.add(word, n); };
        return analysis.characters ? runs_of(characters, document, analysis, scratch, ends, found)
                                   : words_of(characters, document, scratch, found);
    }
    void finish() { waiting.finish(); }
    std::size_t size() const { return waiting.size(); }

  private:
    const Characters& characters;
    Analysis analysis;
    Scratch scratch;
    std::vector<std::size_t> ends;
    detail::Waiting<Words> waiting;
};

namespace detail {

inline void read_block(const Documents& documents, Index begin, Index end, const Characters& characters,
                       const Analysis& analysis, WordTable& words, Read& read) {
    Reader<WordTable> reader(characters, analysis, words, read.ids);
    for (Index d = begin; d < end; ++d) {
        const std::size_t before = reader.size();
        if (const Bytes wrong = reader.begin(documents[d])) {
            read.fault = {d, wrong - documents[d].begin};
            return;
        }
        read.lengths.push_back(static_cast<std::int64_t>(reader.size() - before));
    }
    reader.finish();
}

}  // namespace detail

inline Index bytes_of(const Documents& documents) {
    Index bytes = 0;
    for (const Document& document : documents) bytes += document.end - document.begin;
    return bytes;
}

// What it costs to read a document, on average, in cells of a table: a byte takes as long as some of them.
inline Index reading_work(const Documents& documents) {
    constexpr Index cells_per_byte = 5;
    return documents.empty() ? 0 : cells_per_byte * bytes_of(documents) / static_cast<Index>(documents.size());
}

inline NotUtf8 tokenize(const Documents& documents, const Characters& characters, const Analysis& analysis, Tokens& out) {
    const auto n = static_cast<Index>(documents.size());
    const Division division = divide(n, reading_work(documents));
    std::vector<WordTable> tables(static_cast<std::size_t>(division.threads));
    std::vector<detail::Read> blocks(static_cast<std::size_t>(division.blocks));
    const Index text = bytes_of(documents) / division.threads;
    guarded_rows(division, n, [&](Index block, Index begin, Index end) {
        blocks[block].thread = thread_of(division);
        tables[blocks[block].thread].expect(text);
        detail::read_block(documents, begin, end, characters, analysis, tables[blocks[block].thread], blocks[block]);
    });
    for (const detail::Read& block : blocks)
        if (block.fault.document >= 0) return block.fault;
    const auto numbers = detail::unite(tables, out);
    out.starts.assign(1, 0);
    std::vector<std::size_t> place(1, 0);
    for (const detail::Read& block : blocks) {
        for (const std::int64_t length : block.lengths) out.starts.push_back(out.starts.back() + length);
        place.push_back(place.back() + block.ids.size());
    }
    out.ids.resize(place.back());
    parallel_rows({division.threads, division.blocks}, division.blocks, [&](Index, Index begin, Index end) {
        for (Index b = begin; b < end; ++b) {
            const auto& of_thread = numbers[blocks[b].thread];
            std::transform(blocks[b].ids.begin(), blocks[b].ids.end(), out.ids.begin() + place[b],
                           [&](std::int32_t id) { return of_thread[id]; });
        }
    });
    return {};
}

}  // namespace candide
