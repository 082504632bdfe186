// Scores of documents, added word by word.
#pragma once

#include "text_bags.hpp"
#include "text_tokens.hpp"

namespace candide {

// Documents as rows of words with their amounts.
struct ShareRows {
    const std::int64_t* starts;
    const std::int32_t* words;
    const double* x;
    Index documents;
};

// What a word says for each class: a part of the word, a part of the class, which words may multiply, and values of the
// classes that it has entries for, which ascend. The first three may be null.
struct WordEvidence {
    const double *of_word, *of_class, *spread;
    const std::int64_t* starts;
    const std::int32_t* classes;
    const double* values;
    Index words, n_classes;
};

// Where the entries of one word begin, how many there are, and its own parts; none of it where the word is not wanted.
struct Head {
    std::int64_t begin = 0, size = -1;
    double of_word = 0, spread = 1;

    Head() = default;
    Head(const WordEvidence& all, Index word)
        : begin(all.starts[word]), size(all.starts[word + 1] - begin), of_word(all.of_word ? all.of_word[word] : 0.0),
          spread(all.spread ? all.spread[word] : 1.0) {}
    bool wanted() const { return size >= 0; }
};

// What is said for each class, by the entries that heads tell.
struct Entries {
    const std::int32_t* classes;
    const double *values, *of_class;  // the last may be null
    Index size, n_classes;

    bool hold(const Head& head) const { return head.begin >= 0 && head.size >= 0 && head.size <= size - head.begin; }
    void fetch(const Head& head) const {
        __builtin_prefetch(&values[head.begin]), __builtin_prefetch(&classes[head.begin]);
    }
};

// The score of a document, to which its words are added one by one; of those with an entry for every class, in their order,
// some wait for each other, so that the sums of classes stay in registers while their entries come from memory.
class Score {
  public:
    Score(const Entries& all, double* row) : entries(all), into(row) {}

    void add(const Head& head, double x) {
        by_word += x * head.of_word;
        by_class += x * head.spread;
        const double* value = entries.values + head.begin;
        if (head.size == entries.n_classes) {
            for (Index c = per_line; c < std::min(head.size, most_lines * per_line); c += per_line) __builtin_prefetch(value + c);
            waiting[count] = value, amount[count] = x;
            if (++count == most) add_waiting();
            return;
        }
        const std::int32_t* of = entries.classes + head.begin;
        for (Index e = 0; e < head.size; ++e) into[of[e]] += x * value[e];
    }
    void finish() {
        add_waiting();
        for (Index c = 0; c < entries.n_classes; ++c)
            into[c] += by_word + (entries.of_class ? by_class * entries.of_class[c] : 0.0);
    }

  private:
    static constexpr Index most = 64, per_line = 8, most_lines = 8;
    void add_waiting() {
        loops().add_listed(waiting, amount, count, entries.n_classes, into);
        count = 0;
    }
    const Entries& entries;
    double* into;
    double by_word = 0, by_class = 0;
    Index count = 0;
    const double* waiting[most];
    double amount[most];
};

// Add Σ_w x_w f_wc to each document's row; false where a word is none of those that say something. Negative words are
// left out.
inline bool add_words(const ShareRows& rows, const WordEvidence& evidence, double* out) {
    const Index tokens = rows.documents ? rows.starts[rows.documents] - rows.starts[0] : 0, v = evidence.words;
    const Entries entries{evidence.classes, evidence.values, evidence.of_class, evidence.starts[v], evidence.n_classes};
    const Index per_word = 1 + (v ? entries.size / v : 0);
    const Division division = divide(rows.documents, rows.documents ? tokens / rows.documents * per_word : 0);
    std::vector<char> good(static_cast<std::size_t>(division.blocks), 1);
    parallel_rows(division, rows.documents, [&](Index block, Index begin, Index end) {
        constexpr std::int64_t near = 8, far = 16;  // words ahead, whose entries are fetched
        const std::int64_t stop = rows.starts[end];
        const auto known = [&](std::int64_t i) { return i < stop && rows.words[i] >= 0 && rows.words[i] < v; };
        for (Index d = begin; d < end; ++d) {
            Score score(entries, out + d * entries.n_classes);
            for (std::int64_t i = rows.starts[d]; i < rows.starts[d + 1]; ++i) {
                if (known(i + far)) __builtin_prefetch(&evidence.starts[rows.words[i + far]]);
                if (known(i + near)) entries.fetch({evidence, rows.words[i + near]});
                if (known(i)) score.add({evidence, rows.words[i]}, rows.x[i]);
                else if (rows.words[i] >= 0) good[block] = 0;
            }
            score.finish();
        }
    });
    return std::all_of(good.begin(), good.end(), [](char g) { return g != 0; });
}

// A slot with what its word says: one line of a cache, so that a word is found and added with few looks at memory.
struct ScoredSlot : Slot {
    Head head;
};
static_assert(sizeof(ScoredSlot) == 64);

// Words that are known with their heads: the number of a word is that of its slot.
struct ScoredWords {
    SlotTable<const ScoredSlot> table;
    WordList words;

    static std::uint64_t hash(const WordKey& key) { return key.place(); }
    void fetch(std::uint64_t hash) const { table.fetch(hash); }
    std::int32_t number(const WordKey& key, std::uint64_t hash, std::string_view word) const {
        const std::size_t at =
            table.find(key, hash, [&](std::int32_t other) { return words.holds(other) && words[other] == word; });
        return table.slots[at].empty() ? -1 : static_cast<std::int32_t>(at);
    }
    Index numbers() const { return static_cast<Index>(table.size); }
    const Head& head(std::int32_t number) const { return table.slots[number].head; }
};

// Buckets with the heads of their entries.
struct ScoredBuckets : FilledBuckets {
    const Head* heads;
    Index numbers() const { return filled + static_cast<Index>(buckets); }
    const Head& head(std::int32_t number) const { return heads[entry(number)]; }
};

// Words that stand several times in a document are gathered before they are added where there are more classes than this,
// or more words: sums of millions would lose digits.
inline constexpr Index few_classes = 64;
inline constexpr std::size_t few_words = 1 << 14;

namespace detail {

// What a thread reads documents into, one after the other.
template <class AnyBag>
struct alignas(lines_apart) OneDocument {
    std::vector<std::int32_t> ids;
    AnyBag bag;
};

template <class AnyBag, class WordsOf>
NotUtf8 score_by_bags(const Documents& documents, const Division& division, const Characters& characters,
                      const Analysis& analysis, WordsOf&& words_of, double units, const Entries& entries, double* out,
                      std::int64_t* held) {
    std::vector<NotUtf8> faults(static_cast<std::size_t>(division.blocks));
    std::vector<OneDocument<AnyBag>> read(static_cast<std::size_t>(division.threads));
    guarded_rows(division, static_cast<Index>(documents.size()), [&](Index block, Index begin, Index end) {
        constexpr std::size_t ahead = 8;
        OneDocument<AnyBag>& document = read[thread_of(division)];
        std::vector<std::int32_t>& ids = document.ids;
        AnyBag& bag = document.bag;
        auto words = words_of(thread_of(division));
        Reader<decltype(words)> reader(characters, analysis, words, ids);
        const auto add_all = [&](const std::int32_t* known, std::size_t size, double* into, auto&& x) {
            Score score(entries, into);
            double sum = 0;
            for (std::size_t i = 0; i < size; ++i) {
                if (i + ahead < size && known[i + ahead] >= 0) entries.fetch(words.head(known[i + ahead]));
                if (known[i] < 0) continue;
                const Head& head = words.head(known[i]);
                if (!entries.hold(head)) continue;
                score.add(head, x(i));
                sum += units > 0 ? 1.0 : x(i);
            }
            score.finish();
            return static_cast<std::int64_t>(sum);
        };
        for (Index d = begin; d < end; ++d) {
            ids.clear();
            if (const Bytes wrong = reader.read(documents[d])) {
                faults[block] = {d, wrong - documents[d].begin};
                return;
            }
            double* into = out + d * entries.n_classes;
            if (units == 0 && entries.n_classes <= few_classes && ids.size() <= few_words) {
                held[d] = add_all(ids.data(), ids.size(), into, [](std::size_t) { return 1.0; });
                continue;
            }
            bag.room(static_cast<std::size_t>(words.numbers()));
            bag.read(ids.data(), ids.size());
            const Shares share(bag.times.data(), bag.size, units);
            held[d] = add_all(bag.words.data(), bag.size, into,
                              [&](std::size_t i) { return units > 0 ? share(bag.times[i]) / units : bag.times[i]; });
        }
    });
    return first_of(faults);
}

}  // namespace detail

// Add what documents say as they are read, of which nothing else is kept, to scores (documents, K). Words count as often
// as they stand in a document or, where there are units, by their shares of all known words of it. `held` is how many words
// of those wanted each document has: all of them, or different ones where shares are added. Words are found by
// words_of(thread). A place for every number tells in a third of the time whether a word came before, and is worth making
// where a thread reads some bytes for each.
template <class WordsOf>
NotUtf8 score_documents(const Documents& documents, const Characters& characters, const Analysis& analysis,
                        WordsOf&& words_of, double units, const Entries& entries, double* out, std::int64_t* held) {
    constexpr Index bytes_per_place = 4;
    const Division division = divide(static_cast<Index>(documents.size()), reading_work(documents));
    const bool many = bytes_of(documents) / division.threads >= bytes_per_place * words_of(0).numbers();
    const auto score = [&](auto bag) {
        return detail::score_by_bags<decltype(bag)>(documents, division, characters, analysis, words_of, units, entries, out, held);
    };
    return many ? score(NumberedBag{}) : score(Bag{});
}

// Words that are known with their heads; a thread's own table notes all others.
struct NotingWords : ScoredWords {
    WordTable* others;

    std::int32_t number(const WordKey& key, std::uint64_t hash, std::string_view word) const {
        const std::int32_t found = ScoredWords::number(key, hash, word);
        if (found < 0) others->number(key, hash, word);
        return found;
    }
};

// Add what documents say, each word as often as it stands there, and tell the words that are not known, in order.
inline NotUtf8 score_noting(const Documents& documents, const Characters& characters, const Analysis& analysis,
                            const ScoredWords& known, const Entries& entries, double* out, std::int64_t* held, Spelt& others) {
    std::vector<WordTable> tables(static_cast<std::size_t>(threads()));
    const auto words_of = [&](Index thread) { return NotingWords{known, &tables[thread]}; };
    const NotUtf8 fault = score_documents(documents, characters, analysis, words_of, 0.0, entries, out, held);
    detail::unite(tables, others);
    return fault;
}

}  // namespace candide
