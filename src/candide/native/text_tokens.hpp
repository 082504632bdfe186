// Documents as rows of word numbers: UTF-8 bytes in, no object per word.
#pragma once

#include "parallel.hpp"
#include "text_chunks.hpp"
#include "text_words.hpp"

namespace candide {

struct Document {
    Bytes begin, end;
};
using Documents = std::vector<Document>;

// What is taken from a document: words of two characters or more, or runs of `least` to `most` characters.
struct Analysis {
    bool characters;
    Index least, most;
};

// Words in the order of their bytes.
struct Spelt {
    std::vector<char> bytes;
    std::vector<std::int64_t> word_starts;
};

// The numbers of each document's words in their order, and the words.
struct Tokens : Spelt {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> starts;
};

// A place for the bytes of a word, or of a document: some more can always be written, and read, behind them.
class Scratch {
  public:
    static constexpr std::size_t slack = 128;
    Scratch() : buffer(4096) {}
    char* room() {
        if (n + slack > buffer.size()) buffer.resize(2 * buffer.size());
        return buffer.data() + n;
    }
    // Go on with the last of the bytes, behind others, as the first.
    void keep_last(Index skipped, Index kept) {
        std::memmove(buffer.data(), buffer.data() + skipped, static_cast<std::size_t>(kept));
        n = static_cast<std::size_t>(kept);
    }
    void put_code(std::uint32_t point) { n += encode(point, reinterpret_cast<std::uint8_t*>(room())); }
    const char* data() const { return buffer.data(); }
    std::size_t n = 0;

    // A word that stands elsewhere, copied to where some more can be read behind it.
    const char* padded(std::string_view word) {
        if (word.size() + slack > buffer.size()) buffer.resize(word.size() + slack);
        std::copy(word.begin(), word.end(), buffer.begin());
        return buffer.data();
    }
    template <class Words>
    std::int32_t number_in(Words& table, std::string_view word) {
        return table.number(WordKey(padded(word), word.size()), hash_word(word), word);
    }

  private:
    std::vector<char> buffer;
};

// Put words into slots that are empty, the first of several that are equal; fresh(slot, number) for each.
template <class S, class Fresh>
void fill_slots(const WordList& words, SlotTable<S> table, Fresh&& fresh) {
    Scratch scratch;
    for (Index i = 0; i < words.size; ++i) {
        const std::string_view word = words[i];
        const std::uint64_t hash = hash_word(word);
        const WordKey key(scratch.padded(word), word.size());
        S& slot = table.slots[table.find(key, hash, [&](Index j) { return words[j] == word; })];
        if (!slot.empty()) continue;
        slot.key = key, slot.entry = slot_entry(hash, i);
        fresh(slot, i);
    }
}

// found(word, bytes) for every run of two or more word characters; returns where bytes are no UTF-8, or null. The bytes of a
// word that is not at its end, `length` characters, are kept in `word`; those of a chunk of ASCII are put behind them.
template <class Found>
Bytes words_of(const Characters& characters, Document text, Scratch& word, Found&& found) {
    Index length = 0;
    const auto finish = [&] {
        if (length >= 2) word.room(), found(word.data(), word.n);
        word.n = 0, length = 0;
    };
    const auto put = [&](std::uint32_t entry) {
        if (!(entry & character::word)) return finish();
        word.put_code(entry & character::code), ++length;
    };
    finish();
    for (Bytes at = text.begin; at < text.end;) {
        if (*at >= 0x80) {
            if (!next_character(characters, text.begin, at, text.end, put)) return at;
            continue;
        }
        const Index given = std::min<Index>(text.end - at, chunk_bytes);
        const Chunk chunk = lower_chunk(characters, at, given, word.room());
        const Index n = std::min<Index>(given, std::countr_zero(chunk.wide));
        at += n;
        std::uint64_t inside = chunk.word & low_bits(n);
        Index before = static_cast<Index>(word.n);
        if (before > 0) {  // a word that goes on, or ends here
            const Index more = std::countr_one(inside);
            word.n += static_cast<std::size_t>(more), length += more;
            if (more == n) continue;
            if (length >= 2) found(word.data(), word.n);
            inside &= inside + 1;
        }
        const std::uint64_t outside = ~inside & low_bits(n);
        const Index last = outside ? 64 - std::countl_zero(outside) : 0;  // where a word begins that may go on
        inside &= low_bits(last);
        // runs of one character are no words
        for (std::uint64_t starts = inside & ~(inside << 1) & (inside >> 1); starts != 0; starts &= starts - 1) {
            const int first = std::countr_zero(starts);
            found(word.data() + before + first, static_cast<std::size_t>(std::countr_one(inside >> first)));
        }
        word.keep_last(before + last, n - last);
        length = n - last;
    }
    finish();
    return nullptr;
}

// found(run, bytes) for every run of `least` to `most` characters; several spaces in a row are one.
template <class Found>
Bytes runs_of(const Characters& characters, Document text, const Analysis& analysis, Scratch& all,
              std::vector<std::size_t>& ends, Found&& found) {
    all.n = 0;
    ends.assign(1, 0);
    bool spaced = false;
    const auto put = [&](std::uint32_t entry) {
        const bool space = (entry & character::space) != 0;
        if (space && spaced) {  // the first of them becomes a plain space, the others vanish
            ends.pop_back();
            all.n = ends.back();
            all.put_code(' ');
        } else {
            all.put_code(entry & character::code);
        }
        ends.push_back(all.n);
        spaced = space;
    };
    for (Bytes at = text.begin; at < text.end;)
        if (!next_character(characters, text.begin, at, text.end, put)) return at;
    all.room();
    const auto length = static_cast<Index>(ends.size()) - 1;
    for (Index n = analysis.least; n <= std::min(analysis.most, length); ++n)
        for (Index i = 0; i + n <= length; ++i) found(all.data() + ends[i], ends[i + n] - ends[i]);
    return nullptr;
}

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

// Words that were found and wait for their numbers: the table is larger than a cache, and many places of it are fetched
// while others are looked at.
template <class Words>
class Waiting {
  public:
    Waiting(Words& table, std::vector<std::int32_t>& out) : words(table), ids(out) {}
    // Behind a word, 24 bytes can be read.
    void add(const char* word, std::size_t n) {
        const WordKey key(word, n);
        if (!key.whole()) {
            finish();
            ids.push_back(words.number(key, hash_word({word, n}), {word, n}));
            return;
        }
        const std::uint64_t hash = key.hash();
        words.fetch(hash);
        entries[count++] = {key, hash};
        if (count == most) finish();
    }
    void finish() {
        const std::size_t before = ids.size();
        ids.resize(before + count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto& [key, hash] = entries[i];
            const std::string_view word{reinterpret_cast<const char*>(key.part), key.part[2] >> 56};
            ids[before + i] = words.number(key, hash, word);
        }
        count = 0;
    }

  private:
    static constexpr std::size_t most = 32;
    struct Entry {
        WordKey key;
        std::uint64_t hash;
    };
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
        const auto found = [this](const char* word, std::size_t n) { waiting.add(word, n); };
        const Bytes wrong = analysis.characters ? runs_of(characters, document, analysis, scratch, ends, found)
                                                : words_of(characters, document, scratch, found);
        waiting.finish();
        return wrong;
    }

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
        const std::size_t before = read.ids.size();
        if (const Bytes wrong = reader.read(documents[d])) {
            read.fault = {d, wrong - documents[d].begin};
            return;
        }
        read.lengths.push_back(static_cast<std::int64_t>(read.ids.size() - before));
    }
}

// All words in their order, and for each thread the number that each of its words has among them.
inline std::vector<std::vector<std::int32_t>> unite(std::vector<WordTable>& tables, Spelt& out) {
    WordTable& all = tables[0];
    std::vector<std::vector<std::int32_t>> numbers(tables.size());
    Scratch scratch;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const WordList words = t == 0 ? WordList{nullptr, nullptr, all.size()} : tables[t].list();
        numbers[t].resize(static_cast<std::size_t>(words.size));
        for (Index i = 0; i < words.size; ++i)
            numbers[t][i] = t == 0 ? static_cast<std::int32_t>(i) : scratch.number_in(all, words[i]);
    }
    const WordList words = all.list();
    const std::vector<std::int32_t> order = sorted_words(words);
    std::vector<std::int32_t> rank(order.size());
    out.word_starts.assign(1, 0);
    for (std::size_t r = 0; r < order.size(); ++r) {
        const std::string_view word = words[order[r]];
        rank[order[r]] = static_cast<std::int32_t>(r);
        out.bytes.insert(out.bytes.end(), word.begin(), word.end());
        out.word_starts.push_back(static_cast<std::int64_t>(out.bytes.size()));
    }
    for (auto& of_thread : numbers)
        for (std::int32_t& number : of_thread) number = rank[number];
    return numbers;
}

}  // namespace detail

// What it costs to read a document, on average, in cells of a table: a byte takes as long as some of them.
inline Index reading_work(const Documents& documents) {
    constexpr Index cells_per_byte = 4;
    Index bytes = 0;
    for (const Document& document : documents) bytes += document.end - document.begin;
    return documents.empty() ? 0 : cells_per_byte * bytes / static_cast<Index>(documents.size());
}

inline NotUtf8 tokenize(const Documents& documents, const Characters& characters, const Analysis& analysis, Tokens& out) {
    const auto n = static_cast<Index>(documents.size());
    const Division division = divide(n, reading_work(documents));
    std::vector<WordTable> tables(static_cast<std::size_t>(division.threads));
    std::vector<detail::Read> blocks(static_cast<std::size_t>(division.blocks));
    guarded_rows(division, n, [&](Index block, Index begin, Index end) {
        blocks[block].thread = thread_of(division);
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
