// Documents: what they add up to by class and word, and scores added word by word.
#include "text_arguments.hpp"
#include "text_scores.hpp"

namespace candide {

static nb::object py_word_shares(nb::handle starts, nb::handle times, double units) {
    const Buffer at(starts, "starts", 1), often(times, "times", 1);
    const auto* begin = at.contiguous<const std::int64_t>();
    const auto* tf = often.contiguous<const std::int32_t>();
    nb::object result = zeros<double>(often.rows());
    double* into = Buffer(result, "result", 1, true).doubles();
    std::vector<double> share;
    for (Index d = 0; d + 1 < at.rows(); ++d) {
        if (begin[d] < 0 || begin[d + 1] < begin[d] || begin[d + 1] > often.rows())
            throw std::invalid_argument("starts must ascend within times");
        shares_of(tf + begin[d], static_cast<std::size_t>(begin[d + 1] - begin[d]), units, share);
        std::copy(share.begin(), share.end(), into + begin[d]);
    }
    return result;
}

static nb::tuple sums_to_arrays(const WordSums& out) {
    return nb::make_tuple(to_array(out.at), to_array(out.count), to_array(out.documents), to_array(out.share));
}

static nb::tuple py_word_sums(nb::handle ids, nb::handle starts, Index n_words, nb::handle y, Index n_classes,
                              nb::handle w, double units) {
    const SequenceArguments given(ids, starts, n_words);
    const Sequences all = given.sequences();
    const LearningArguments by(y, all.documents, n_classes, w, units);
    WordSums out;
    {
        Released _;
        out = word_sums(all, by.learning);
    }
    return sums_to_arrays(out);
}

static nb::tuple py_count_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                nb::handle y, Index n_classes, nb::handle w, double units, Index buckets) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    const LearningArguments by(y, static_cast<Index>(given.documents.size()), n_classes, w, units);
    if (buckets < 0) throw std::invalid_argument("buckets must not be negative");
    CountedWords out;
    NotUtf8 wrong;
    {
        Released _;
        wrong = buckets ? count_buckets(given.documents, how.characters, how.analysis, by.learning, buckets, out.sums)
                        : count_words(given.documents, how.characters, how.analysis, by.learning, out);
        if (buckets) out.word_starts = {0};
    }
    refuse(wrong);
    return nb::make_tuple(sums_to_arrays(out.sums), bytes_to_array(out.bytes), to_array(out.word_starts));
}

static nb::tuple py_read_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                               nb::handle place, double units, nb::handle slots, nb::handle bytes, nb::handle starts) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    const Buffer places(place, "place", 1);
    const auto* at = places.contiguous<const std::int32_t>();
    std::optional<KnownArguments> known;
    if (!slots.is_none()) {
        known.emplace(slots, bytes, starts);
        places.expect(known->words().words.size, 1);
    } else if (places.rows() < 1) {
        throw std::invalid_argument("place must have an entry for each bucket");
    }
    KnownRows out;
    NotUtf8 wrong;
    {
        Released _;
        const auto read = [&](auto words) {
            return read_words(given.documents, how.characters, how.analysis, words, at, units, out);
        };
        wrong = known ? read(known->words()) : read(WordBuckets{static_cast<std::uint64_t>(places.rows())});
    }
    refuse(wrong);
    return nb::make_tuple(to_array(out.starts), to_array(out.words), to_array(out.x));
}

static void py_add_words(nb::handle starts, nb::handle words, nb::handle x, nb::handle entry_starts, nb::handle classes,
                         nb::handle values, nb::handle out, nb::handle of_word, nb::handle of_class, nb::handle spread) {
    const Buffer at(starts, "starts", 1), word(words, "words", 1), amount(x, "x", 1), begins(entry_starts, "entry_starts", 1),
        c(classes, "classes", 1), value(values, "values", 1), scores(out, "out", 2, true);
    const Index n = at.rows() - 1, k = scores.columns(), n_words = begins.rows() - 1;
    const Optional by_word(of_word, "of_word", n_words), by_class(of_class, "of_class", k), spreads(spread, "spread", n_words);
    const auto* document = at.contiguous<const std::int64_t>();
    const auto* entry = begins.contiguous<const std::int64_t>();
    scores.expect(n, k);
    amount.expect(word.rows(), 1);
    if (document[0] < 0 || document[n] > word.rows() || entry[n_words] > value.rows() || value.rows() != c.rows())
        throw std::invalid_argument("the arrays do not fit each other");
    const WordEvidence evidence{by_word.doubles(), by_class.doubles(), spreads.doubles(), entry,
                                c.contiguous<const std::int32_t>(), value.doubles(), n_words, k};
    const auto* w = word.contiguous<const std::int32_t>();
    const double* times = amount.doubles();
    double* into = scores.doubles();
    bool good = true;
    {
        Released _;
        good = add_words({document, w, times, n}, evidence, into);
    }
    if (!good) throw std::invalid_argument("a word's number is not below the number of words");
}

void bind_text_sums(nb::module_& m) {
    using namespace nb::literals;
    m.def("word_shares", &py_word_shares, "starts"_a, "times"_a, "units"_a);
    m.def("word_sums", &py_word_sums, "ids"_a, "starts"_a, "n_words"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(),
          "units"_a = 1.0);
    m.def("count_words", &py_count_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "y"_a,
          "n_classes"_a, "w"_a = nb::none(), "units"_a = 1.0, "buckets"_a = 0);
    m.def("read_words", &py_read_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "place"_a,
          "units"_a = 0.0, "slots"_a = nb::none(), "data"_a = nb::none(), "starts"_a = nb::none());
    m.def("add_words", &py_add_words, "starts"_a, "words"_a, "x"_a, "entry_starts"_a, "classes"_a, "values"_a, "out"_a,
          "of_word"_a = nb::none(), "of_class"_a = nb::none(), "spread"_a = nb::none());
}

}  // namespace candide
