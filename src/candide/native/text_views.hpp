// Views of documents: what their words say for each class, apart by how many documents hold them. What all views share.
#pragma once

#include "text_scores.hpp"

namespace candide {

// What is known of a word, in one line of a cache: where its entries begin and how many there are, the first of the bands
// that it may be in, how many documents hold it, and what it adds up to.
struct alignas(32) WordHead {
    std::int64_t begin;
    std::int32_t size, first_band;
    double documents, sum;
};

// What is summed of each word in each class that has it: entries of a word stand together, and their classes ascend.
struct ClassShares {
    const std::int64_t* starts;
    const std::int32_t* classes;
    const double* n;
    const float* single;      // n in single precision, where lifts are asked for
    const double* of_word;    // Σ_c n
    const double* documents;  // how many documents hold the word
    const double* of_class;   // Σ_w n
    const std::int32_t* first_band;  // of each word: runs of more words have bands of their own; null: 0
    const WordHead* heads;    // starts, first_band, documents and of_word, where words are looked up
    Index words, n_classes, bands;
};

// Some documents as rows of words with their amounts, each from where it begins to where it ends.
struct SpanRows {
    const std::int64_t *begins, *ends;
    const std::int32_t* words;
    const double* x;
    Index documents;

    // How many words a document has on average, by which work is divided.
    Index length() const {
        Index all = 0;
        for (Index d = 0; d < documents; ++d) all += ends[d] - begins[d];
        return documents ? all / documents : 0;
    }
    // The division of making views: a word costs some dozen cells, and threads that have just read the documents are awake,
    // so that half of the work repays one.
    Division divided() const { return divide(documents, 2 * (16 * length() + 32)); }
};

inline constexpr Index n_bands = 10;

// Words in 1, 2, 3 to 4, 5 to 8, ... and more than 256 documents: ⌈log₂ documents⌉, from the number's own exponent.
inline Index band_of(double documents) {
    const auto bits = std::bit_cast<std::uint64_t>(std::max(documents, 1.0));
    const auto band = static_cast<Index>(bits >> 52) - 1023 + ((bits << 12) != 0);
    return std::min(band, n_bands - 1);
}

// Words of a document, of which some are listed; room for all is made before.
template <class Word>
class Listed {
  public:
    void begin(std::int64_t most) {
        if (static_cast<std::size_t>(most) > room.size()) room.resize(2 * static_cast<std::size_t>(most));
        n = 0;
    }
    void add(const Word& word) { room[static_cast<std::size_t>(n++)] = word; }
    // The place of the next one, which is written there number by number; it is listed when it is kept.
    Word& next() { return room[static_cast<std::size_t>(n)]; }
    void keep() { ++n; }
    const Word* data() const { return room.data(); }
    Index size() const { return n; }

  private:
    std::vector<Word> room;
    Index n = 0;
};

// Less than this is nothing: what rounding leaves of a document that was taken out.
inline constexpr double nothing = 1e-9;

// Fetches what is known of the words of documents before they are looked at, where it is more than a cache holds.
struct Ahead {
    const std::int32_t* words;
    const WordHead* heads;
    const std::int32_t* classes;
    std::int64_t stop;
    static constexpr std::int64_t near = 6, far = 14, in_cache = 1 << 16;

    Ahead(const SpanRows& r, const ClassShares& s, Index end)
        : words(r.words), heads(s.heads), classes(s.classes), stop(end > 0 && s.starts[s.words] > in_cache ? r.ends[end - 1] : 0) {}
    void head(std::int64_t i) const {
        if (i + far < stop) __builtin_prefetch(&heads[words[i + far]]);
    }
    // The entries of a word, in arrays that lie like those of the sums.
    template <class... Arrays>
    void entries(std::int64_t i, const Arrays*... arrays) const {
        if (i + near >= stop) return;
        const WordHead& word = heads[words[i + near]];
        const std::int64_t begin = word.begin, last = begin + word.size - 1;
        (__builtin_prefetch(&arrays[begin]), ...);
        (__builtin_prefetch(&arrays[last]), ...);
    }
    // The same of an array that has two numbers for each, those of a word side by side.
    template <class Number>
    void pairs(std::int64_t i, const Number* array) const {
        if (i + near >= stop) return;
        constexpr std::int64_t line = 64 / sizeof(Number);
        const WordHead& word = heads[words[i + near]];
        const Number *begin = array + 2 * word.begin, *last = begin + 2 * word.size - 1;
        __builtin_prefetch(&classes[word.begin]);
        for (const Number* at = begin; at < last; at += line) __builtin_prefetch(at);
        __builtin_prefetch(last);
    }
};

// How many words of each document others hold as well, so that they are known without it; and what multiplies the shares,
// which is the length that the vector of these words alone is short of.
inline void known_without(const SpanRows& rows, const double* documents, const double* weight, double* known, double* grown) {
    parallel_rows(rows.divided(), rows.documents, [&](Index, Index begin, Index end) {
        for (Index d = begin; d < end; ++d) {
            // two sums each, so that half as many additions wait for the one before
            double n[2] = {}, all[2] = {}, left[2] = {};
            const auto add = [&](std::int64_t i, int to) {
                const double square = rows.x[i] * rows.x[i], there = documents[rows.words[i]] - weight[d] > nothing;
                n[to] += there, all[to] += square, left[to] += there * square;
            };
            std::int64_t i = rows.begins[d];
            for (; i + 1 < rows.ends[d]; i += 2) add(i, 0), add(i + 1, 1);
            if (i < rows.ends[d]) add(i, 0);
            const double seen = left[0] + left[1];
            known[d] = n[0] + n[1], grown[d] = seen > 0 ? std::sqrt((all[0] + all[1]) / seen) : 1.0;
        }
    });
}

// The views (size, step) of a document, times what its shares have grown by, class by class: (K, size); or, `apart`, those of
// every class but the first, less those of the first.
struct ByClass {
    Index size, k;
    bool apart;

    // Of classes in whole vectors of eight, or of two.
    static Index step(Index k) { return k == 2 ? 2 : (k + 7) / 8 * 8; }
    Index numbers() const { return size * (k - apart); }
    void write(const float* views, double grown, float* out) const {
        const Index across = step(k);
        const auto by = static_cast<float>(grown);
        for (Index c = apart; c < k; ++c)
            for (Index v = 0; v < size; ++v) *out++ = by * (views[v * across + c] - (apart ? views[v * across] : 0.0f));
    }
};

}  // namespace candide
