// Words that follow each other, as words of their own.
#pragma once

#include "text_bags.hpp"
#include "text_tokens.hpp"

namespace candide {

// Runs of `least` to `most` words in each document, joined by a space; negative numbers are passed over. A run is found by
// the number of the run before its last word, and that word.
class Grams {
  public:
    Grams(const WordList& list, Index fewest, Index longest)
        : words(list), least(fewest), most(longest), used(static_cast<std::size_t>(list.size)) {}

    void read(const Sequences& all, Tokens& out) {
        out.starts.assign(1, 0);
        std::vector<std::int32_t> document;
        for (Index d = 0; d < all.documents; ++d) {
            document.clear();
            std::copy_if(all.ids + all.starts[d], all.ids + all.starts[d + 1], std::back_inserter(document),
                         [](std::int32_t id) { return id >= 0; });
            for (std::size_t i = 0; i < document.size(); ++i) runs_from(document, i, out.ids);
            out.starts.push_back(static_cast<std::int64_t>(out.ids.size()));
        }
        name(out);
    }

  private:
    void runs_from(const std::vector<std::int32_t>& document, std::size_t first, std::vector<std::int32_t>& out) {
        std::int32_t run = document[first];
        const std::size_t end = std::min(document.size(), first + static_cast<std::size_t>(most));
        for (std::size_t i = first; i < end; ++i) {
            if (i > first) run = longer(run, document[i]);
            if (static_cast<Index>(i - first) + 1 < least) continue;
            used[run] = 1;
            out.push_back(run);
        }
    }
    std::int32_t longer(std::int32_t run, std::int32_t word) {
        const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(run)) << 32 | static_cast<std::uint32_t>(word);
        const std::int32_t number = keys.number(key);
        if (words.size + number >= (Index{1} << 31) - 2) throw std::length_error("more than two billion runs of words");
        const auto id = static_cast<std::int32_t>(words.size + number);
        if (static_cast<std::size_t>(id) >= used.size()) used.push_back(0);
        return id;
    }

    void spell(std::int32_t run, std::vector<char>& into) const {
        if (run < words.size) {
            into.insert(into.end(), words[run].begin(), words[run].end());
            return;
        }
        const std::uint64_t key = keys.keys()[run - words.size];
        spell(static_cast<std::int32_t>(key >> 32), into);
        into.push_back(' ');
        const std::string_view last = words[static_cast<Index>(key & 0xffffffffu)];
        into.insert(into.end(), last.begin(), last.end());
    }

    // Number the runs used in the order of their bytes.
    void name(Tokens& out) const {
        std::vector<char> bytes;
        std::vector<std::int64_t> starts{0};
        std::vector<std::int32_t> runs, rank(used.size(), -1);
        for (std::size_t run = 0; run < used.size(); ++run) {
            if (!used[run]) continue;
            spell(static_cast<std::int32_t>(run), bytes);
            starts.push_back(static_cast<std::int64_t>(bytes.size()));
            runs.push_back(static_cast<std::int32_t>(run));
        }
        const WordList spelt{bytes.data(), starts.data(), static_cast<Index>(runs.size())};
        out.word_starts.assign(1, 0);
        for (const std::int32_t i : sorted_words(spelt)) {
            rank[runs[i]] = static_cast<std::int32_t>(out.word_starts.size()) - 1;
            out.bytes.insert(out.bytes.end(), spelt[i].begin(), spelt[i].end());
            out.word_starts.push_back(static_cast<std::int64_t>(out.bytes.size()));
        }
        for (std::int32_t& id : out.ids) id = rank[id];
    }

    WordList words;
    Index least, most;
    KeyNumbers keys;
    std::vector<char> used;
};

}  // namespace candide
