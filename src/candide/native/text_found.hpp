// Words, or runs of characters, found in the UTF-8 bytes of a document.
#pragma once

#include "text_chunks.hpp"
#include "text_words.hpp"

namespace candide {

struct Document {
    Bytes begin, end;
};
using Documents = std::vector<Document>;

// Fetch the beginning of a document before it is read: documents lie anywhere, and what follows is fetched by itself.
inline void fetch(const Document& document) {
    constexpr Index most = 1024, line = 64;
    for (Bytes at = document.begin, end = at + std::min<Index>(document.end - at, most); at < end; at += line)
        __builtin_prefetch(at);
}

// What is taken from a document: words of two characters or more, or runs of `least` to `most` characters.
struct Analysis {
    bool characters;
    Index least, most;
};

// A place for the bytes of a word, or of a document: some more can always be written, and read, behind them.
class Scratch {
  public:
    static constexpr std::size_t slack = Stretch::most_bytes + 64;
    Scratch() : buffer(4096) {}
    char* room() {
        if (n + slack > buffer.size()) buffer.resize(2 * buffer.size());
        return buffer.data() + n;
    }
    // Go on with the last of the bytes, behind others, as the first.
    void keep_last(Index skipped, Index kept) {
        if (kept > 0) std::memmove(buffer.data(), buffer.data() + skipped, static_cast<std::size_t>(kept));
        n = static_cast<std::size_t>(kept);
    }
    void put_code(std::uint32_t point) { n += encode(point, reinterpret_cast<std::uint8_t*>(room())); }
    const char* data() const { return buffer.data(); }
    std::size_t n = 0;

    // The key of a word of a list: of the last ones, a copy is made, behind which as many bytes as it has can be read.
    WordKey key_of(const WordList& words, Index i) {
        const std::string_view word = words[i];
        if (words.reaches(i, sizeof(WordKey))) return {word.data(), word.size()};
        if (word.size() + slack > buffer.size()) buffer.resize(word.size() + slack);
        std::copy(word.begin(), word.end(), buffer.begin());
        return {buffer.data(), word.size()};
    }
    template <class Words>
    std::int32_t number_in(Words& table, const WordList& words, Index i) {
        const WordKey key = key_of(words, i);
        return table.number(key, place_of(key, words[i]), words[i]);
    }

  private:
    std::vector<char> buffer;
};

// Put words into slots that are empty, the first of several that are equal; fresh(slot, number) for each. Those that are
// put first are found soonest: next(i) is the i-th of them.
template <class S, class Next, class Fresh>
void fill_slots(const WordList& words, SlotTable<S> table, Next&& next, Fresh&& fresh) {
    Scratch scratch;
    for (Index n = 0; n < words.size; ++n) {
        const Index i = next(n);
        const std::string_view word = words[i];
        const WordKey key = scratch.key_of(words, i);
        const std::uint64_t hash = place_of(key, word);
        S& slot = table.slots[table.find(key, hash, [&](Index j) { return words[j] == word; })];
        if (!slot.empty()) continue;
        slot.key = key, slot.entry = slot_entry(hash, i);
        fresh(slot, i);
    }
}

// found(word, bytes) for every run of two or more word characters; returns where bytes are no UTF-8, or null. The bytes of a
// word that is not at its end, `length` characters, are kept in `word`; those of a stretch of ASCII are put behind them.
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
        Stretch stretch(characters, at, text.end, word.room());
        const Index n = stretch.size(), before = static_cast<Index>(word.n);
        at += n;
        if (before > 0) {  // a word that goes on, or ends here
            const Index more = stretch.run(0);
            word.n += static_cast<std::size_t>(more), length += more;
            if (more == n) continue;
            if (length >= 2) found(word.data(), word.n);
            stretch.drop_first(more);
        }
        const Index last = at < text.end ? stretch.drop_last() : n;  // with the text, a word is at its end
        stretch.words([&](Index place, Index bytes) {
            found(word.data() + before + place, static_cast<std::size_t>(bytes));
        });
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

}  // namespace candide
