// What the kernels of views are given: documents, the sums of words, and what is left out.
#pragma once

#include "bindings.hpp"
#include "large_pages.hpp"
#include "text_lifts.hpp"

namespace candide {

// Documents and the sums of words, held together and seen to fit each other. The sums may end with the first band of each
// word, and how many bands there are then.
class ViewArguments {
  public:
    // What is made of the sums: nothing, heads of the words, which are looked up, or these and the sums in single precision, of
    // which lifts are made.
    enum class Needs { nothing, heads, lifts };

    ViewArguments(const nb::tuple& rows, const nb::tuple& sums, Needs needs)
        : begins(rows[0], "begins", 1), ends(rows[1], "ends", 1), words(rows[2], "words", 1), x(rows[3], "x", 1),
          entries(sums[0], "entry_starts", 1), classes(sums[1], "classes", 1), n(sums[2], "n", 1), of_word(sums[3], "of_word", 1),
          documents(sums[4], "documents", 1), of_class(sums[5], "of_class", 1) {
        const Index v = entries.rows() - 1, m = n.rows();
        const auto *begin = begins.contiguous<const std::int64_t>(), *end = ends.contiguous<const std::int64_t>();
        checked_offsets(entries, v, m);
        ends.expect(begins.rows(), 1), x.expect(words.rows(), 1), classes.expect(m, 1), of_word.expect(v, 1), documents.expect(v, 1);
        const auto* w = words.contiguous<const std::int32_t>();
        const auto* c = classes.contiguous<const std::int32_t>();
        bool good = true;
        for (Index d = 0; d < begins.rows(); ++d)
            good = good && 0 <= begin[d] && begin[d] <= end[d] && end[d] <= words.rows();
        if (!good || !all_below(w, words.rows(), v) || !all_below(c, m, of_class.rows()))
            throw std::invalid_argument("documents and sums do not fit each other");
        if (nb::len(sums) > 6) take_bands(sums);
        if (needs != Needs::nothing) make_heads();
        if (needs == Needs::lifts) make_single();
    }
    SpanRows rows() const {
        return {begins.contiguous<const std::int64_t>(), ends.contiguous<const std::int64_t>(),
                words.contiguous<const std::int32_t>(), x.doubles(), begins.rows()};
    }
    ClassShares sums() const {
        return {entries.contiguous<const std::int64_t>(), classes.contiguous<const std::int32_t>(), n.doubles(),
                single.data(), of_word.doubles(), documents.doubles(), of_class.doubles(), first_bands(), heads.data(), entries.rows() - 1,
                of_class.rows(), bands};
    }

  private:
    void make_heads() {
        const Index v = entries.rows() - 1;
        const auto* entry = entries.contiguous<const std::int64_t>();
        const double *held = documents.doubles(), *sum = of_word.doubles();
        const auto* first = first_bands();
        heads.resize(static_cast<std::size_t>(v));
        parallel_rows(divide(v, 8), v, [&](Index, Index begin, Index end) {
            for (Index i = begin; i < end; ++i)
                heads[i] = {entry[i], static_cast<std::int32_t>(entry[i + 1] - entry[i]), first ? first[i] : 0, held[i], sum[i]};
        });
    }
    void make_single() {
        const double* from = n.doubles();
        single.resize(static_cast<std::size_t>(n.rows()));
        parallel_rows(divide(n.rows(), 2), n.rows(), [&](Index, Index begin, Index end) {
            std::transform(from + begin, from + end, single.data() + begin, [](double one) { return static_cast<float>(one); });
        });
    }
    void take_bands(const nb::tuple& sums) {
        of_runs.emplace(sums[6], "first_band", 1), bands = nb::cast<Index>(sums[7]);
        of_runs->expect(entries.rows() - 1, 1);
        const auto* first = first_bands();
        if (bands < n_bands || !all_below(first, of_runs->rows(), bands - n_bands + 1))
            throw std::invalid_argument("words begin with a band that is there");
    }
    const std::int32_t* first_bands() const { return of_runs ? of_runs->contiguous<const std::int32_t>() : nullptr; }
    // Without a branch, so that many are looked at together: the first bit is that of a number below zero, or beyond the last.
    static bool all_below(const std::int32_t* numbers, Index n, Index limit) {
        const auto last = static_cast<std::uint32_t>(limit - 1);
        std::uint32_t seen = n ? last : 0;
        for (Index i = 0; i < n; ++i) {
            const auto number = static_cast<std::uint32_t>(numbers[i]);
            seen |= number | (last - number);
        }
        return seen >> 31 == 0;
    }
    Buffer begins, ends, words, x, entries, classes, n, of_word, documents, of_class;
    std::optional<Buffer> of_runs;
    Index bands = n_bands;
    LargeVector<WordHead> heads;
    LargeVector<float> single;
};

// The classes and weights of documents that are left out, or none; and what their shares have grown by.
class LeftOutArguments {
  public:
    LeftOutArguments(nb::handle y, nb::handle w, nb::handle grown, Index documents)
        : weights(w, "w", documents, -1), longer(grown, "grown", documents, -1) {
        if (y.is_none()) return;
        codes.emplace(y, "y", 1);
        codes->expect(documents, 1);
    }
    LeftOutDocuments documents() const {
        return {codes ? codes->contiguous<const std::int64_t>() : nullptr, weights.doubles(), longer.doubles()};
    }

  private:
    std::optional<Buffer> codes;
    Optional weights, longer;
};

}  // namespace candide
