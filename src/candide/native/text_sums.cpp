// Documents: what they add up to by class and word, and scores added word by word.
#include "text_arguments.hpp"
#include "text_known.hpp"
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

// Where something is summed, class · (words + 1) + word + 1, since missing documents are the first of a class; and the sums,
// which are integers where documents are not weighed.
template <class T>
static nb::tuple sums_to_arrays(const WordSums& all, Index words) {
    std::size_t size = 0;
    for (const SumsOfClass& one : all) size += one.sums.size();
    nb::object at = unwritten<std::int64_t>(size), count = unwritten<T>(size), documents = unwritten<T>(size),
               share = unwritten<T>(size);
    auto* place = Buffer(at, "at", 1, true).contiguous<std::int64_t>();
    T *n = Buffer(count, "count", 1, true).contiguous<T>(), *d = Buffer(documents, "documents", 1, true).contiguous<T>(),
      *s = Buffer(share, "share", 1, true).contiguous<T>();
    for (const SumsOfClass& one : all)
        for (const WordSum& entry : one.sums) {
            *place++ = one.of_class * (words + 1) + entry.word + 1;
            *n++ = static_cast<T>(entry.sum.count);
            *d++ = static_cast<T>(entry.sum.documents);
            *s++ = static_cast<T>(entry.sum.share);
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

static nb::tuple py_count_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                nb::handle y, Index n_classes, nb::handle w, double units, Index buckets, bool keep) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    LearningArguments by(y, static_cast<Index>(given.documents.size()), n_classes, w, units);
    if (buckets < 0) throw std::invalid_argument("buckets must not be negative");
    by.learning.keep = keep = keep && buckets == 0;
    CountedWords out;
    NotUtf8 wrong;
    {
        Released _;
        wrong = buckets ? count_buckets(given.documents, how.characters, how.analysis, by.learning, buckets, out.sums)
                        : count_words(given.documents, how.characters, how.analysis, by.learning, out);
        if (buckets) out.word_starts = {0};
    }
    refuse(wrong);
    nb::object kept = nb::none();
    if (keep) kept = nb::make_tuple(to_array(out.bags.starts), to_array(out.bags.words), to_array(out.bags.times));
    const Index words = buckets ? buckets : static_cast<Index>(out.word_starts.size()) - 1;
    return nb::make_tuple(sums_to_arrays(out.sums, words, !w.is_none()), bytes_to_array(out.bytes), to_array(out.word_starts), kept);
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

// What words say: entry_starts, classes, values, of_word, of_class and spread, of which the last three may be None.
class EvidenceArguments {
  public:
    EvidenceArguments(const nb::tuple& given, Index k)
        : begins(given[0], "entry_starts", 1), c(given[1], "classes", 1), value(given[2], "values", 1),
          by_word(given[3], "of_word", words()), by_class(given[4], "of_class", k), spreads(given[5], "spread", words()),
          evidence{by_word.doubles(), by_class.doubles(), spreads.doubles(), begins.contiguous<const std::int64_t>(),
                   c.contiguous<const std::int32_t>(), value.doubles(), words(), k} {
        if (words() < 0 || evidence.starts[words()] > value.rows() || value.rows() != c.rows())
            throw std::invalid_argument("the arrays do not fit each other");
    }

  private:
    Index words() const { return begins.rows() - 1; }
    Buffer begins, c, value;
    Optional by_word, by_class, spreads;

  public:
    WordEvidence evidence;
};

static void py_add_words(nb::handle starts, nb::handle words, nb::handle x, const nb::tuple& evidence, nb::handle out) {
    const Buffer at(starts, "starts", 1), word(words, "words", 1), amount(x, "x", 1), scores(out, "out", 2, true);
    const Index n = at.rows() - 1, k = scores.columns();
    const EvidenceArguments said(evidence, k);
    const auto* document = at.contiguous<const std::int64_t>();
    scores.expect(n, k);
    amount.expect(word.rows(), 1);
    if (document[0] < 0 || document[n] > word.rows()) throw std::invalid_argument("the arrays do not fit each other");
    const ShareRows rows{document, word.contiguous<const std::int32_t>(), amount.doubles(), n};
    double* into = scores.doubles();
    bool good = true;
    {
        Released _;
        good = add_words(rows, said.evidence, into);
    }
    if (!good) throw std::invalid_argument("a word's number is not below the number of words");
}

// Words by how often they stand somewhere, the most frequent first, roughly: by powers of two, as their numbers ascend.
template <class Often>
static std::vector<std::int32_t> frequent_first(Index words, Often&& often) {
    constexpr std::size_t exponents = 1 << 11;
    const auto exponent = [&](Index word) {
        return exponents - 1 - (std::bit_cast<std::uint64_t>(std::max(often(word), 0.0)) >> 52) % exponents;
    };
    std::vector<Index> next(exponents + 1);
    for (Index word = 0; word < words; ++word) ++next[exponent(word) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::int32_t> order(static_cast<std::size_t>(words));
    for (Index word = 0; word < words; ++word) order[next[exponent(word)]++] = static_cast<std::int32_t>(word);
    return order;
}

static nb::object py_scored_slots(nb::handle place, const nb::tuple& evidence, nb::handle often, nb::handle bytes,
                                  nb::handle starts) {
    const Buffer places(place, "place", 1);
    const auto* at = places.contiguous<const std::int32_t>();
    const nb::object of_class = evidence[4];
    const EvidenceArguments said(evidence, of_class.is_none() ? 0 : Buffer(of_class, "of_class", 1).rows());
    const auto head = [&](Index word) {
        return at[word] >= 0 && at[word] < said.evidence.words ? Head(said.evidence, at[word]) : Head();
    };
    constexpr std::size_t number = sizeof(std::uint64_t);
    if (bytes.is_none()) {
        nb::object result = zeros<std::uint64_t>(static_cast<std::size_t>(places.rows()) * sizeof(Head) / number);
        Head* heads = slots_in<Head>(result);
        for (Index i = 0; i < places.rows(); ++i) heads[i] = head(i);
        return result;
    }
    const WordArguments words(bytes, starts);
    places.expect(words.list().size, 1);
    const std::size_t size = slots_for(words.list().size);
    // some more, so that each slot can begin where a line of the cache does
    nb::object room = zeros<std::uint64_t>((size + 1) * sizeof(ScoredSlot) / number);
    const auto address = reinterpret_cast<std::uintptr_t>(slots_in<std::uint64_t>(room));
    const auto shift = static_cast<Py_ssize_t>((sizeof(ScoredSlot) - address % sizeof(ScoredSlot)) % sizeof(ScoredSlot) / number);
    const auto length = static_cast<Py_ssize_t>(size * sizeof(ScoredSlot) / number);
    nb::object result = room[nb::slice(nb::int_(shift), nb::int_(shift + length), nb::int_(1))];
    const Buffer times(often, "often", 1);
    times.expect(said.evidence.words, 1);
    const double* x = times.doubles();
    const auto order = frequent_first(words.list().size, [&](Index word) { return head(word).wanted() ? x[at[word]] : 0.0; });
    fill_slots(words.list(), SlotTable<ScoredSlot>{slots_in<ScoredSlot>(result), size}, [&](Index i) { return order[i]; },
               [&](ScoredSlot& slot, Index word) { slot.head = head(word); });
    return result;
}

static nb::object py_score_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                 nb::handle slots, double units, nb::handle classes, nb::handle values, nb::handle of_class,
                                 nb::handle out, nb::handle bytes, nb::handle starts) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    const Buffer known(slots, "slots", 1), c(classes, "classes", 1), value(values, "values", 1), scores(out, "out", 2, true);
    const auto n = static_cast<Index>(given.documents.size());
    const Index k = scores.columns();
    scores.expect(n, k);
    const Optional by_class(of_class, "of_class", k);
    value.expect(c.rows(), 1);
    const Entries entries{c.contiguous<const std::int32_t>(), value.doubles(), by_class.doubles(), c.rows(), k};
    const auto* data = known.contiguous<const std::uint64_t>();
    const auto room = static_cast<std::size_t>(known.rows()) * sizeof(std::uint64_t);
    std::optional<WordArguments> words;
    if (!bytes.is_none()) words.emplace(bytes, starts, false);
    const std::size_t size = words ? room / sizeof(ScoredSlot) : room / sizeof(Head);
    if (words ? !std::has_single_bit(size) || static_cast<Index>(size) <= words->list().size : size < 1)
        throw std::invalid_argument("slots are not those of the words");
    double* into = scores.doubles();
    nb::object held = zeros<std::int64_t>(static_cast<std::size_t>(n));
    auto* lengths = Buffer(held, "held", 1, true).contiguous<std::int64_t>();
    NotUtf8 wrong;
    {
        Released _;
        const auto score = [&](auto by) {
            return score_documents(given.documents, how.characters, how.analysis, by, units, entries, into, lengths);
        };
        wrong = words ? score(ScoredWords{{reinterpret_cast<const ScoredSlot*>(data), size}, words->list()})
                      : score(ScoredBuckets{{size}, reinterpret_cast<const Head*>(data)});
    }
    refuse(wrong);
    return held;
}

// The entries of words that have a place, word by word, each word's by class; and what they add up to by word and class.
static nb::tuple py_by_word(nb::handle at, nb::handle counted, nb::handle place, Index n_words, Index n_classes,
                            nb::handle factor) {
    const Buffer places(place, "place", 1), where(at, "at", 1), n(counted, "counted", 1);
    const auto* of = places.contiguous<const std::int32_t>();
    const auto* entry = where.contiguous<const std::int64_t>();
    const double* amount = n.doubles();
    const Index entries = where.rows(), stride = places.rows();
    n.expect(entries, 1);
    const Optional factors(factor, "factor", n_words);
    if (n_words < 0 || n_classes < 0) throw std::invalid_argument("n_words and n_classes must not be negative");
    for (Index i = 0; i < stride; ++i)
        if (of[i] >= n_words) throw std::invalid_argument("a word's place is not below n_words");
    nb::object starts = zeros<std::int64_t>(n_words + 1), marginal = zeros<double>(n_words), totals = zeros<double>(n_classes);
    auto* begin = Buffer(starts, "starts", 1, true).contiguous<std::int64_t>();
    double *of_word = Buffer(marginal, "marginal", 1, true).doubles(), *of_class = Buffer(totals, "totals", 1, true).doubles();
    bool good = entries == 0 || (entry[0] >= 0 && entry[entries - 1] < stride * n_classes);
    for (Index e = 1; e < entries; ++e) good = good && entry[e - 1] < entry[e];
    if (!good) throw std::invalid_argument("entries must ascend within classes and words");
    // visit(entry, class, place) for the entries of words that have a place: of some words at a time, in each class in turn,
    // so that what is written of these stays in a cache
    const auto each = [&](auto&& visit) {
        constexpr Index together = 1 << 12;
        std::vector<const std::int64_t*> at(static_cast<std::size_t>(n_classes));
        for (Index c = 0; c < n_classes; ++c) at[c] = std::lower_bound(entry, entry + entries, c * stride);
        for (Index last = together; last < stride + together; last += together)
            for (Index c = 0; c < n_classes; ++c)
                for (const std::int64_t end = c * stride + std::min(last, stride); at[c] < entry + entries && *at[c] < end; ++at[c])
                    if (const std::int32_t word = of[*at[c] - c * stride]; word >= 0) visit(at[c] - entry, c, word);
    };
    each([&](Index, Index, std::int32_t word) { ++begin[word + 1]; });
    std::partial_sum(begin, begin + n_words + 1, begin);
    const auto used = static_cast<std::size_t>(begin[n_words]);
    nb::object values = unwritten<double>(used), words = unwritten<std::int64_t>(used), classes = unwritten<std::int64_t>(used);
    double* value = Buffer(values, "values", 1, true).doubles();
    auto *of_entry = Buffer(words, "words", 1, true).contiguous<std::int64_t>(),
         *class_of = Buffer(classes, "classes", 1, true).contiguous<std::int64_t>();
    std::vector<std::int64_t> next(begin, begin + n_words);
    each([&](Index e, Index c, std::int32_t word) {
        const std::int64_t to = next[word]++;
        value[to] = amount[e], class_of[to] = c;
    });
    const double* times = factors.doubles();
    for (Index word = 0; word < n_words; ++word)
        for (std::int64_t e = begin[word]; e < begin[word + 1]; ++e) {
            if (times) value[e] *= times[word];
            of_entry[e] = word;
            of_word[word] += value[e], of_class[class_of[e]] += value[e];
        }
    return nb::make_tuple(starts, words, classes, values, marginal, totals);
}

void bind_text_sums(nb::module_& m) {
    using namespace nb::literals;
    m.def("by_word", &py_by_word, "at"_a, "counted"_a, "place"_a, "n_words"_a, "n_classes"_a, "factor"_a = nb::none());
    m.def("word_shares", &py_word_shares, "starts"_a, "times"_a, "units"_a);
    m.def("word_sums", &py_word_sums, "ids"_a, "starts"_a, "n_words"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(),
          "units"_a = 1.0);
    m.def("count_words", &py_count_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "y"_a,
          "n_classes"_a, "w"_a = nb::none(), "units"_a = 1.0, "buckets"_a = 0, "keep"_a = false);
    m.def("read_words", &py_read_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "place"_a,
          "units"_a = 0.0, "slots"_a = nb::none(), "data"_a = nb::none(), "starts"_a = nb::none());
    m.def("add_words", &py_add_words, "starts"_a, "words"_a, "x"_a, "evidence"_a, "out"_a);
    m.def("scored_slots", &py_scored_slots, "place"_a, "evidence"_a, "often"_a = nb::none(), "data"_a = nb::none(),
          "starts"_a = nb::none());
    m.def("score_words", &py_score_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "slots"_a,
          "units"_a, "classes"_a, "values"_a, "of_class"_a.none(), "out"_a, "data"_a = nb::none(), "starts"_a = nb::none());
}

}  // namespace candide
