// Documents: what they add up to by class and word.
#include <nanobind/stl/pair.h>

#include "text_arguments.hpp"
#include "text_by_word.hpp"
#include "text_forms.hpp"
#include "text_known.hpp"

namespace candide {

static nb::object py_word_shares(nb::handle starts, nb::handle times, double units) {
    const Buffer at(starts, "starts", 1), often(times, "times", 1);
    const auto* begin = at.contiguous<const std::int64_t>();
    const auto* tf = often.contiguous<const std::int32_t>();
    const Index documents = at.rows() - 1;
    const bool all = documents >= 0 && begin[0] == 0 && begin[documents] == often.rows();  // have a document
    nb::object result = all ? unwritten<double>(often.rows()) : zeros<double>(often.rows());
    double* into = Buffer(result, "result", 1, true).doubles();
    for (Index d = 0; d < documents; ++d)
        if (begin[d] < 0 || begin[d + 1] < begin[d] || begin[d + 1] > often.rows())
            throw std::invalid_argument("starts must ascend within times");
    Released _;
    // threads that have just counted the words are awake
    guarded_rows(divide(documents, documents > 0 ? 32 * often.rows() / documents : 0), documents, [&](Index, Index first, Index end) {
        for (Index d = first; d < end; ++d)
            shares_of(tf + begin[d], static_cast<std::size_t>(begin[d + 1] - begin[d]), units, into + begin[d]);
    });
    return result;
}

// Where something is summed, class · (words + 1) + word + 1, since missing documents are the first of a class; and the sums,
// which are integers where documents are not weighed.
template <class T>
static nb::tuple sums_to_arrays(const WordSums& all, Index words) {
    std::size_t size = 0;
    std::vector<std::size_t> begins;
    for (const SumsOfClass& one : all) begins.push_back(size), size += one.sums.size();
    nb::object at = unwritten<std::int64_t>(size), count = unwritten<T>(size), documents = unwritten<T>(size),
               share = unwritten<T>(size);
    auto* place = Buffer(at, "at", 1, true).contiguous<std::int64_t>();
    T *n = Buffer(count, "count", 1, true).contiguous<T>(), *d = Buffer(documents, "documents", 1, true).contiguous<T>(),
      *s = Buffer(share, "share", 1, true).contiguous<T>();
    {
        Released _;
        const auto classes = static_cast<Index>(all.size());
        constexpr Index cells_per_sum = 8;
        const Division division = divide(classes, classes ? cells_per_sum * static_cast<Index>(size) / classes : 0);
        parallel_rows(division, classes, [&](Index, Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                std::size_t at_entry = begins[i];
                for (const WordSum& entry : all[i].sums) {
                    place[at_entry] = all[i].of_class * (words + 1) + entry.word + 1;
                    n[at_entry] = static_cast<T>(entry.sum.count);
                    d[at_entry] = static_cast<T>(entry.sum.documents);
                    s[at_entry++] = static_cast<T>(entry.sum.share);
                }
            }
        });
    }
    return nb::make_tuple(at, count, documents, share);
}
static nb::tuple sums_to_arrays(const WordSums& all, Index words, bool weighed) {
    return weighed ? sums_to_arrays<double>(all, words) : sums_to_arrays<std::int64_t>(all, words);
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
    return sums_to_arrays(out, n_words, !w.is_none());
}

// The bags of documents, told to arrays that are made when it is known how many words they have.
class KeptBags {
  public:
    nb::object told = nb::none();
    const BagRoom room = [this](Index documents, Index words) {
        const nb::gil_scoped_acquire _;
        nb::object starts = unwritten<std::int64_t>(documents + 1), of = unwritten<std::int32_t>(words),
                   times = unwritten<std::int32_t>(words);
        told = nb::make_tuple(starts, of, times);
        return BagArrays{Buffer(starts, "starts", 1, true).contiguous<std::int64_t>(),
                         Buffer(of, "words", 1, true).contiguous<std::int32_t>(),
                         Buffer(times, "times", 1, true).contiguous<std::int32_t>()};
    };
};

static nb::tuple py_count_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                nb::handle y, Index n_classes, nb::handle w, double units, Index buckets, bool keep) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    LearningArguments by(y, static_cast<Index>(given.documents.size()), n_classes, w, units);
    if (buckets < 0) throw std::invalid_argument("buckets must not be negative");
    KeptBags kept;
    if (keep && buckets == 0) by.learning.keep = &kept.room;
    CountedWords out;
    NotUtf8 wrong;
    {
        Released _;
        wrong = buckets ? count_buckets(given.documents, how.characters, how.analysis, by.learning, buckets, out.sums)
                        : count_words(given.documents, how.characters, how.analysis, by.learning, out);
        if (buckets) out.word_starts = {0};
    }
    refuse(wrong);
    const Index words = buckets ? buckets : static_cast<Index>(out.word_starts.size()) - 1;
    return nb::make_tuple(sums_to_arrays(out.sums, words, !w.is_none()), bytes_to_array(out.bytes), to_array(out.word_starts), kept.told);
}

static nb::tuple py_count_forms(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                const nb::callable& become, nb::handle y, Index n_classes, nb::handle w, double units,
                                bool keep) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    LearningArguments by(y, static_cast<Index>(given.documents.size()), n_classes, w, units);
    KeptBags kept;
    if (keep) by.learning.keep = &kept.room;
    FormCounting counting(given.documents, by.learning);
    Spelt words;
    NotUtf8 wrong;
    {
        Released _;
        wrong = counting.read(how.characters, how.analysis, words);
    }
    refuse(wrong);
    const auto [numbers, n_forms] =
        nb::cast<std::pair<nb::object, Index>>(become(bytes_to_array(words.bytes), to_array(words.word_starts)));
    const Buffer meaning(numbers, "become", 1);
    const auto* of = meaning.contiguous<const std::int32_t>();
    if (meaning.rows() + 1 != static_cast<Index>(words.word_starts.size()))
        throw std::invalid_argument("become must return a number for each word");
    if (std::any_of(of, of + meaning.rows(), [n = n_forms](std::int32_t one) { return one >= n; }))
        throw std::invalid_argument("a word's number is not below n_words");
    WordSums sums;
    {
        Released _;
        counting.sum(of, n_forms, sums);
    }
    return nb::make_tuple(sums_to_arrays(sums, n_forms, !w.is_none()), kept.told);
}

static nb::tuple py_read_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                               nb::handle place, double units, nb::handle slots, nb::handle bytes, nb::handle starts,
                               Index buckets) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    const Buffer places(place, "place", 1);
    const auto* at = places.contiguous<const std::int32_t>();
    std::optional<KnownArguments> known;
    std::optional<BucketArguments> in;
    if (!bytes.is_none()) {
        known.emplace(slots, bytes, starts);
        places.expect(known->words().words.size, 1);
    } else {
        in.emplace(slots, buckets, places.rows());
    }
    KnownRows out;
    NotUtf8 wrong;
    {
        Released _;
        const auto read = [&](auto words) {
            return read_words(given.documents, how.characters, how.analysis, words, at, units, out);
        };
        wrong = known ? read(known->words()) : read(in->buckets);
    }
    refuse(wrong);
    return nb::make_tuple(to_array(out.starts), to_array(out.words), to_array(out.x));
}

// Counts at entries class · words + word, checked: what is asked of them goes by words that have a place.
class EnteredArguments {
  public:
    EnteredArguments(nb::handle at, nb::handle counted, nb::handle place, Index words, Index classes, nb::handle factor)
        : n_words(words), n_classes(classes), places(place, "place", 1), where(at, "at", 1), n(counted, "counted", 1),
          factors(factor, "factor", words) {
        const auto* of = places.contiguous<const std::int32_t>();
        const auto* entry = where.contiguous<const std::int64_t>();
        const Index entries = where.rows(), stride = places.rows();
        n.expect(entries, 1);
        if (n_words < 0 || n_classes < 0) throw std::invalid_argument("n_words and n_classes must not be negative");
        std::int32_t last = -1;
        for (Index i = 0; i < stride; ++i) {
            if (of[i] < 0) continue;
            if (of[i] <= last || of[i] >= n_words) throw std::invalid_argument("places must ascend below n_words");
            last = of[i];
        }
        bool good = entries == 0 || (entry[0] >= 0 && entry[entries - 1] < stride * n_classes);
        for (Index e = 1; e < entries; ++e) good &= entry[e - 1] < entry[e];
        if (!good) throw std::invalid_argument("entries must ascend within classes and words");
    }
    // ask(entered), of whole numbers or of others.
    template <class Ask>
    nb::object asked(Ask&& ask) const {
        const auto entered = [&](const auto* counted) {
            return Entered{where.contiguous<const std::int64_t>(), counted, where.rows(),
                           places.contiguous<const std::int32_t>(), places.rows(), n_classes, factors.doubles()};
        };
        return n.matrix().type == Type::i64 ? nb::object(ask(entered(n.contiguous<const std::int64_t>())))
                                            : nb::object(ask(entered(n.contiguous<const double>())));
    }
    const Index n_words, n_classes;

  private:
    Buffer places, where, n;
    Optional factors;
};

static nb::object py_by_word(nb::handle at, nb::handle counted, nb::handle place, Index n_words, Index n_classes,
                             nb::handle factor) {
    return EnteredArguments(at, counted, place, n_words, n_classes, factor).asked([&](const auto& given) {
        nb::object starts = zeros<std::int64_t>(n_words + 1), marginal = zeros<double>(n_words);
        auto* begin = Buffer(starts, "starts", 1, true).template contiguous<std::int64_t>();
        {
            Released _;
            start_places(given, n_words, begin);
        }
        nb::object classes = unwritten<std::int32_t>(begin[n_words]), values = unwritten<double>(begin[n_words]);
        auto* class_of = Buffer(classes, "classes", 1, true).template contiguous<std::int32_t>();
        double *n = Buffer(values, "values", 1, true).doubles(), *of_word = Buffer(marginal, "marginal", 1, true).doubles();
        {
            Released _;
            sort_entries(given, n_words, begin, class_of, n, of_word);
        }
        return nb::make_tuple(starts, classes, values, marginal);
    });
}

static nb::object py_sum_by_class(nb::handle at, nb::handle counted, nb::handle place, Index n_words, Index n_classes,
                                  nb::handle factor) {
    return EnteredArguments(at, counted, place, n_words, n_classes, factor).asked([&](const auto& given) {
        nb::object sums = zeros<double>(n_classes);
        double* of_class = Buffer(sums, "sums", 1, true).doubles();
        Released _;
        sum_classes(given, of_class);
        return sums;
    });
}

static void py_add_parts(nb::handle values, nb::handle word_of, nb::handle class_of, nb::handle of_word, nb::handle of_class) {
    const Buffer into(values, "values", 1, true), word(word_of, "word_of", 1), c(class_of, "class_of", 1);
    word.expect(into.rows(), 1), c.expect(into.rows(), 1);
    std::deque<Buffer> held;
    const auto parts = [&](const auto* of, nb::handle said, const char* name) {
        const Buffer* part = said.is_none() ? nullptr : &held.emplace_back(said, name, 1);
        return Parts{of, part ? part->doubles() : nullptr, part ? part->rows() : 0};
    };
    const auto words = parts(word.contiguous<const std::int64_t>(), of_word, "of_word");
    const auto classes = parts(c.contiguous<const std::int32_t>(), of_class, "of_class");
    double* value = into.doubles();
    bool good = true;
    {
        Released _;
        good = add_parts(value, into.rows(), words, classes);
    }
    if (!good) throw std::invalid_argument("nothing is told of an entry's word, or of its class");
}

void bind_text_sums(nb::module_& m) {
    using namespace nb::literals;
    m.def("add_parts", &py_add_parts, "values"_a, "word_of"_a, "class_of"_a, "of_word"_a.none(), "of_class"_a.none());
    m.def("by_word", &py_by_word, "at"_a, "counted"_a, "place"_a, "n_words"_a, "n_classes"_a, "factor"_a = nb::none());
    m.def("sum_by_class", &py_sum_by_class, "at"_a, "counted"_a, "place"_a, "n_words"_a, "n_classes"_a,
          "factor"_a = nb::none());
    m.def("word_shares", &py_word_shares, "starts"_a, "times"_a, "units"_a);
    m.def("word_sums", &py_word_sums, "ids"_a, "starts"_a, "n_words"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(),
          "units"_a = 1.0);
    m.def("count_words", &py_count_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "y"_a,
          "n_classes"_a, "w"_a = nb::none(), "units"_a = 1.0, "buckets"_a = 0, "keep"_a = false);
    m.def("count_forms", &py_count_forms, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "become"_a,
          "y"_a, "n_classes"_a, "w"_a = nb::none(), "units"_a = 1.0, "keep"_a = false);
    m.def("read_words", &py_read_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "place"_a,
          "units"_a, "slots"_a, "data"_a.none(), "starts"_a.none(), "buckets"_a = 0);
}

}  // namespace candide
