// Documents: scores added word by word.
#include "text_arguments.hpp"
#include "text_scores.hpp"

namespace candide {

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
    times.expect(words.list().size, 1);
    const auto order = frequent_first(words.list().size, [x = times.doubles()](Index word) { return x[word]; });
    fill_slots(words.list(), SlotTable<ScoredSlot>{slots_in<ScoredSlot>(result), size}, [&](Index i) { return order[i]; },
               [&](ScoredSlot& slot, Index word) { slot.head = head(word); });
    return result;
}

// Words that are known, and the slots that scored_slots made of them.
class ScoredArguments {
  public:
    ScoredArguments(nb::handle slots, nb::handle bytes, nb::handle starts)
        : table(slots, "slots", 1), list(bytes, starts, false),
          size(static_cast<std::size_t>(table.rows()) * sizeof(std::uint64_t) / sizeof(ScoredSlot)) {
        if (!std::has_single_bit(size) || static_cast<Index>(size) <= list.list().size)
            throw std::invalid_argument("slots are not those of the words");
    }
    ScoredWords words() const {
        return {{reinterpret_cast<const ScoredSlot*>(table.contiguous<const std::uint64_t>()), size}, list.list()};
    }

  private:
    Buffer table;
    WordArguments list;
    std::size_t size;
};

// Scores that are added to, and what is said for each class.
class AddingArguments {
  public:
    AddingArguments(nb::handle classes, nb::handle values, nb::handle of_class, nb::handle out, std::size_t documents)
        : c(classes, "classes", 1), value(values, "values", 1), scores(out, "out", 2, true),
          by_class(of_class, "of_class", scores.columns()) {
        scores.expect(static_cast<Index>(documents), scores.columns());
        value.expect(c.rows(), 1);
    }
    Entries entries() const {
        return {c.contiguous<const std::int32_t>(), value.doubles(), by_class.doubles(), c.rows(), scores.columns()};
    }
    double* out() { return scores.doubles(); }

  private:
    Buffer c, value, scores;
    Optional by_class;
};

static nb::object py_score_words(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                 nb::handle slots, double units, nb::handle classes, nb::handle values, nb::handle of_class,
                                 nb::handle out, nb::handle bytes, nb::handle starts, nb::handle bucket_slots, Index buckets) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    AddingArguments adding(classes, values, of_class, out, given.documents.size());
    const Buffer known(slots, "slots", 1);
    std::optional<ScoredArguments> words;
    std::optional<BucketArguments> in;
    if (!bytes.is_none()) words.emplace(slots, bytes, starts);
    else in.emplace(bucket_slots, buckets, known.rows() * static_cast<Index>(sizeof(std::uint64_t)) / static_cast<Index>(sizeof(Head)));
    const auto* heads = reinterpret_cast<const Head*>(known.contiguous<const std::uint64_t>());
    nb::object held = zeros<std::int64_t>(given.documents.size());
    auto* lengths = Buffer(held, "held", 1, true).contiguous<std::int64_t>();
    NotUtf8 wrong;
    {
        Released _;
        const auto score = [&](auto by) {
            const auto words_of = [&by](Index) { return by; };
            return score_documents(given.documents, how.characters, how.analysis, words_of, units, adding.entries(),
                                   adding.out(), lengths);
        };
        wrong = words ? score(words->words()) : score(ScoredBuckets{in->buckets, heads});
    }
    refuse(wrong);
    return held;
}

static nb::tuple py_score_noting(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most,
                                 nb::handle slots, nb::handle classes, nb::handle values, nb::handle of_class,
                                 nb::handle out, nb::handle bytes, nb::handle starts) {
    const DocumentArguments given(documents);
    const AnalysisArguments how(table, expansions, least, most);
    AddingArguments adding(classes, values, of_class, out, given.documents.size());
    const ScoredArguments known(slots, bytes, starts);
    nb::object held = zeros<std::int64_t>(given.documents.size());
    auto* lengths = Buffer(held, "held", 1, true).contiguous<std::int64_t>();
    Spelt others;
    NotUtf8 wrong;
    {
        Released _;
        wrong = score_noting(given.documents, how.characters, how.analysis, known.words(), adding.entries(), adding.out(),
                             lengths, others);
    }
    refuse(wrong);
    return nb::make_tuple(held, bytes_to_array(others.bytes), to_array(others.word_starts));
}

void bind_text_scores(nb::module_& m) {
    using namespace nb::literals;
    m.def("score_noting", &py_score_noting, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "slots"_a,
          "classes"_a, "values"_a, "of_class"_a.none(), "out"_a, "data"_a, "starts"_a);
    m.def("add_words", &py_add_words, "starts"_a, "words"_a, "x"_a, "evidence"_a, "out"_a);
    m.def("scored_slots", &py_scored_slots, "place"_a, "evidence"_a, "often"_a = nb::none(), "data"_a = nb::none(),
          "starts"_a = nb::none());
    m.def("score_words", &py_score_words, "documents"_a, "table"_a, "expansions"_a, "least"_a, "most"_a, "slots"_a,
          "units"_a, "classes"_a, "values"_a, "of_class"_a.none(), "out"_a, "data"_a.none(), "starts"_a.none(),
          "bucket_slots"_a = nb::none(), "buckets"_a = 0);
}

}  // namespace candide
