// From rows of word numbers to bags: how often each word stands in each document, and what the documents of a class add
// up to.
#pragma once

#include <cmath>

#include "parallel.hpp"
#include "text_words.hpp"

namespace candide {

// Documents as rows of word numbers; negative ones are left out.
struct Sequences {
    const std::int32_t* ids;
    const std::int64_t* starts;
    Index documents, words;
};

// The words of one document with how often each stands in it, in the order in which they come, for any number of documents
// in turn. `Places` has a place for each word: the document that it was in last, and where it stands among its words.
template <class Places>
class BagOf {
  public:
    void read(const std::int32_t* ids, std::size_t n) {
        if (words.size() < n) words.resize(n), times.resize(n);
        places.begin(n);
        std::int32_t *const word = words.data(), *const often = times.data();
        std::size_t distinct = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (i + ahead < n) places.fetch(ids[i + ahead]);
            if (ids[i] < 0) continue;
            // no branch on whether the word came before, which nobody can foretell
            auto& place = places.find(ids[i]);
            const bool fresh = !places.holds(place);
            const std::uint32_t before = -static_cast<std::uint32_t>(!fresh);  // all bits, or none
            const std::uint32_t at = (place.at & before) | (static_cast<std::uint32_t>(distinct) & ~before);
            places.put(place, ids[i], at);
            word[at] = ids[i];
            often[at] = (often[at] & static_cast<std::int32_t>(before)) + 1;
            distinct += fresh;
            places.grow(word, distinct);
        }
        size = distinct;
    }
    // Make room for words below a number, which are all that come.
    void room(std::size_t words) { places.room(words); }
    std::size_t size = 0;
    std::vector<std::int32_t> words, times;  // `size` of them

  private:
    static constexpr std::size_t ahead = 16;
    Places places;
};

// A table of the document's own, which a cache holds, whatever the numbers of words are.
class HashedPlaces {
  public:
    struct Place {
        std::uint32_t round = 0;  // of the document that it belongs to
        std::int32_t word = 0;
        std::uint32_t at = 0;
    };
    void begin(std::size_t n) {
        if (++round == 0) std::fill(slots.begin(), slots.end(), Place{}), round = 1;
        use(std::bit_ceil(std::clamp<std::size_t>(2 * n, 64, 8192)));
    }
    Place& find(std::int32_t word) {
        std::size_t at = static_cast<std::uint32_t>(word) * 0x9e3779b97f4a7c15u >> 40 & mask;
        while (slots[at].round == round && slots[at].word != word) at = (at + 1) & mask;  // ends: half are empty
        return slots[at];
    }
    void room(std::size_t) {}
    void fetch(std::int32_t) const {}
    bool holds(const Place& place) const { return place.round == round; }
    void put(Place& place, std::int32_t word, std::uint32_t at) { place = {round, word, at}; }
    void grow(const std::int32_t* words, std::size_t size) {
        if (2 * size <= mask) return;
        std::fill(slots.begin(), slots.end(), Place{});
        use(4 * (mask + 1));
        for (std::size_t i = 0; i < size; ++i) find(words[i]) = {round, words[i], static_cast<std::uint32_t>(i)};
    }

  private:
    // A short document uses few of the slots, so that these stay in the first cache.
    void use(std::size_t n) {
        if (n > slots.size()) slots.resize(n);
        mask = n - 1;
    }
    std::vector<Place> slots;
    std::size_t mask = 0;
    std::uint32_t round = 0;
};
using Bag = BagOf<HashedPlaces>;

// A place for every number: those of words that come often are the lowest where they are numbered as they come.
class NumberedPlaces {
  public:
    struct Place {
        std::uint32_t round = 0, at = 0;
    };
    void room(std::size_t words) {
        if (words > places.size()) places.resize(std::max(words, 2 * places.size()));
    }
    void begin(std::size_t) {
        if (++round == 0) std::fill(places.begin(), places.end(), Place{}), round = 1;
    }
    Place& find(std::int32_t word) { return places[word]; }
    void fetch(std::int32_t word) const { __builtin_prefetch(places.data() + std::max(word, 0), 1); }
    bool holds(const Place& place) const { return place.round == round; }
    void put(Place& place, std::int32_t, std::uint32_t at) { place = {round, at}; }
    void grow(const std::int32_t*, std::size_t) {}

  private:
    LargeVector<Place> places;
    std::uint32_t round = 0;
};
using NumberedBag = BagOf<NumberedPlaces>;

struct Bags {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> words, times;
};

inline Bags bags(const Sequences& all) {
    const Index tokens = all.starts[all.documents] - all.starts[0];
    const Division division = divide(all.documents, all.documents ? tokens / all.documents : 0);
    std::vector<Bags> blocks(static_cast<std::size_t>(division.blocks));
    guarded_rows(division, all.documents, [&](Index block, Index begin, Index end) {
        Bag bag;
        Bags& out = blocks[block];
        for (Index d = begin; d < end; ++d) {
            bag.read(all.ids + all.starts[d], static_cast<std::size_t>(all.starts[d + 1] - all.starts[d]));
            const auto n = static_cast<std::ptrdiff_t>(bag.size);
            out.words.insert(out.words.end(), bag.words.begin(), bag.words.begin() + n);
            out.times.insert(out.times.end(), bag.times.begin(), bag.times.begin() + n);
            out.starts.push_back(static_cast<std::int64_t>(out.words.size()));
        }
    });
    Bags out;
    out.starts.push_back(0);
    for (const Bags& block : blocks) {
        const std::int64_t before = out.starts.back();
        for (const std::int64_t end : block.starts) out.starts.push_back(before + end);
        out.words.insert(out.words.end(), block.words.begin(), block.words.end());
        out.times.insert(out.times.end(), block.times.begin(), block.times.end());
    }
    return out;
}

// log(1 + times), of few times from a table.
class Logarithms {
  public:
    Logarithms() {
        for (std::size_t i = 0; i < small.size(); ++i) small[i] = std::log1p(static_cast<double>(i));
    }
    double operator()(std::int32_t times) const {
        return times < 256 ? small[static_cast<std::size_t>(times)] : std::log1p(static_cast<double>(times));
    }

  private:
    std::array<double, 256> small;
};
inline const Logarithms logarithm_of;

// The shares of a bag's words, log(1 + times) over the length of the bag's vector of these, as whole numbers of units.
class Shares {
  public:
    // Where there are no units, no shares are asked for.
    Shares(const std::int32_t* times, std::size_t n, double units) {
        if (units == 0) return;
        double squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double g = logarithm_of(times[i]);
            squares += g * g;
        }
        if (n) scale = units / std::sqrt(squares);
    }
    double operator()(std::int32_t times) const {
        constexpr double to_integer = 0x1.8p52;  // adding it leaves the nearest integer
        return (logarithm_of(times) * scale + to_integer) - to_integer;
    }

  private:
    double scale = 0;
};
inline void shares_of(const std::int32_t* times, std::size_t n, double units, double* out) {
    const Shares share(times, n, units);
    for (std::size_t i = 0; i < n; ++i) out[i] = share(times[i]);
}

}  // namespace candide
