// The sums of classes and words, one word after the other.
#pragma once

#include <atomic>
#include <numeric>
#include <vector>

#include "parallel.hpp"

namespace candide {

// What is counted at entries class · stride + word, which ascend. Words that have a place, and not a negative one, have
// places that ascend; `factor` is null, or what each place's counts are multiplied by.
template <class T>
struct Entered {
    const std::int64_t* at;
    const T* counted;
    Index entries;
    const std::int32_t* place;
    Index stride, classes;
    const double* factor;

    double amount(Index entry, std::int32_t word) const {
        return static_cast<double>(counted[entry]) * (factor ? factor[word] : 1.0);
    }
    Division by_words() const {
        constexpr Index cells_per_entry = 8;
        return divide(stride, stride ? cells_per_entry * entries / stride : 0);
    }
};

namespace detail {

// visit(entry, class, place) for the entries of words that have a place, from one word to another: of some words at a
// time, in each class in turn, so that what is written of these stays in a cache.
template <class T, class Visit>
void each_entry(const Entered<T>& given, Index first, Index last, Visit&& visit) {
    constexpr Index together = 1 << 9;
    const std::int64_t* const end = given.at + given.entries;
    std::vector<const std::int64_t*> at(static_cast<std::size_t>(given.classes));
    for (Index c = 0; c < given.classes; ++c) at[c] = std::lower_bound(given.at, end, c * given.stride + first);
    for (Index to = first + together; to < last + together; to += together)
        for (Index c = 0; c < given.classes; ++c) {
            const std::int64_t before = c * given.stride, until = before + std::min(to, last);
            const std::int64_t* here = at[c];
            for (; here < end && *here < until; ++here)
                if (const std::int32_t word = given.place[*here - before]; word >= 0) visit(here - given.at, c, word);
            at[c] = here;
        }
}

}  // namespace detail

// Where the entries of each of the places begin.
template <class T>
void start_places(const Entered<T>& given, Index places, std::int64_t* starts) {
    guarded_rows(given.by_words(), given.stride, [&](Index, Index first, Index last) {
        detail::each_entry(given, first, last, [&](Index, Index, std::int32_t word) { ++starts[word + 1]; });
    });
    std::partial_sum(starts, starts + places + 1, starts);
}

// The class and the amount of the entries of each place, its classes in order, and what they add up to by place, which is
// zero before.
template <class T>
void sort_entries(const Entered<T>& given, Index places, const std::int64_t* starts, std::int32_t* class_of, double* n,
                  double* of_place) {
    std::vector<std::int64_t> next(starts, starts + places);
    guarded_rows(given.by_words(), given.stride, [&](Index, Index first, Index last) {
        detail::each_entry(given, first, last, [&](Index entry, Index c, std::int32_t word) {
            const std::int64_t to = next[word]++;
            class_of[to] = static_cast<std::int32_t>(c), n[to] = given.amount(entry, word);
            of_place[word] += n[to];
        });
    });
}

// What is said of words, or of classes, and the one that each entry is of.
template <class Number>
struct Parts {
    const Number* of;
    const double* part;
    Index size;

    // Add to the values of some entries; returns whether something is said of all.
    bool add(double* values, Index first, Index last) const {
        if (!part) return true;
        for (Index e = first; e < last; ++e) {
            if (static_cast<std::uint64_t>(of[e]) >= static_cast<std::uint64_t>(size)) return false;
            values[e] += part[of[e]];
        }
        return true;
    }
};

// Add to values of entries what is said of the word and of the class of each; returns whether these are all told of.
inline bool add_parts(double* values, Index entries, const Parts<std::int64_t>& words, const Parts<std::int32_t>& classes) {
    constexpr Index cells_per_entry = 2;
    std::atomic<bool> good = true;
    parallel_rows(divide(entries, cells_per_entry), entries, [&](Index, Index first, Index last) {
        if (!words.add(values, first, last) || !classes.add(values, first, last)) good = false;
    });
    return good;
}

// What they add up to by class.
template <class T>
void sum_classes(const Entered<T>& given, double* of_class) {
    const std::int64_t* const end = given.at + given.entries;
    const Index n = given.classes;
    parallel_rows(divide(n, n ? 4 * given.entries / n : 0), n, [&](Index, Index first, Index last) {
        for (Index c = first; c < last; ++c) {
            const std::int64_t before = c * given.stride;
            const std::int64_t* at = std::lower_bound(given.at, end, before);
            double sum = 0;
            for (; at < end && *at < before + given.stride; ++at)
                if (const std::int32_t word = given.place[*at - before]; word >= 0) sum += given.amount(at - given.at, word);
            of_class[c] = sum;
        }
    });
}

}  // namespace candide
