// Documents: words found and counted, and scores added word by word.
#include "bindings.hpp"
#include "text_grams.hpp"

namespace candide {

template <>
struct Element<std::uint32_t> {
    static constexpr Type type = Type::u32;
    static constexpr const char* name = "uint32";
};
template <>
struct Element<std::uint64_t> {
    static constexpr Type type = Type::u64;
    static constexpr const char* name = "uint64";
};

template <class From>
nb::object bytes_to_array(const From& bytes) {
    nb::object result = zeros<std::uint8_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), Buffer(result, "result", 1, true).contiguous<std::uint8_t>());
    return result;
}

// Documents held for the time of one call: a list of text, bytes and None, or the bytes of all and where each begins.
class DocumentArguments {
  public:
    explicit DocumentArguments(nb::handle given) {
        if (nb::isinstance<nb::list>(given)) read_list(nb::borrow<nb::list>(given));
        else read_buffers(nb::cast<nb::tuple>(given));
    }
    Documents documents;

  private:
    void read_list(const nb::list& texts) {
        documents.reserve(nb::len(texts));
        Index i = 0;
        for (const nb::handle text : texts) documents.push_back(one(text, i++));
    }
    Document one(nb::handle text, Index i) {
        if (text.is_none()) return {nullptr, nullptr};
        if (PyUnicode_Check(text.ptr())) {
            if (PyUnicode_IS_COMPACT_ASCII(text.ptr())) {
                const auto* data = static_cast<Bytes>(PyUnicode_DATA(text.ptr()));
                return {data, data + PyUnicode_GET_LENGTH(text.ptr())};
            }
            PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass");
            if (!encoded) nb::raise_python_error();
            held.push_back(nb::steal<nb::object>(encoded));
            text = held.back();
        }
        if (!PyBytes_Check(text.ptr()))
            throw nb::type_error(("document " + std::to_string(i) + " is no text").c_str());
        const auto* data = reinterpret_cast<Bytes>(PyBytes_AS_STRING(text.ptr()));
        return {data, data + PyBytes_GET_SIZE(text.ptr())};
    }
    void read_buffers(const nb::tuple& pair) {
        if (nb::len(pair) != 2) throw std::invalid_argument("documents are a list, or bytes and where each begins");
        data.emplace(pair[0], "data", 1);
        starts.emplace(pair[1], "starts", 1);
        const auto* bytes = data->contiguous<const std::uint8_t>();
        const auto* at = starts->contiguous<const std::int64_t>();
        for (Index i = 0; i + 1 < starts->rows(); ++i) {
            if (at[i] < 0 || at[i + 1] < at[i] || at[i + 1] > data->rows())
                throw std::invalid_argument("starts must ascend within the bytes");
            documents.push_back({bytes + at[i], bytes + at[i + 1]});
        }
    }

    std::vector<nb::object> held;
    std::optional<Buffer> data, starts;
};

// A list of words as two arrays, held together.
struct WordArguments {
    Buffer bytes, starts;

    // Whoever looks at few of many words checks these himself.
    WordArguments(nb::handle b, nb::handle s, bool all = true) : bytes(b, "data", 1), starts(s, "starts", 1) {
        const auto* at = starts.contiguous<const std::int64_t>();
        bool good = starts.rows() > 0 && at[0] == 0 && at[starts.rows() - 1] == bytes.rows();
        for (Index i = 0; all && i + 1 < starts.rows(); ++i) good = good && at[i] <= at[i + 1];
        if (!good) throw std::invalid_argument("starts must ascend from 0 to the end of the bytes");
    }
    bool good(Index i) const {
        const auto* at = starts.contiguous<const std::int64_t>();
        return i + 1 < starts.rows() && at[i] >= 0 && at[i] <= at[i + 1] && at[i + 1] <= bytes.rows();
    }
    WordList list() const {
        return {reinterpret_cast<const char*>(bytes.contiguous<const std::uint8_t>()),
                starts.contiguous<const std::int64_t>(), starts.rows() - 1};
    }
};

// Rows of word numbers as two arrays, held together.
struct SequenceArguments {
    Buffer ids, starts;
    Index words;

    SequenceArguments(nb::handle i, nb::handle s, Index n) : ids(i, "ids", 1), starts(s, "starts", 1), words(n) {
        const auto* id = ids.contiguous<const std::int32_t>();
        const auto* at = starts.contiguous<const std::int64_t>();
        bool good = starts.rows() > 0 && at[0] >= 0 && at[starts.rows() - 1] <= ids.rows();
        for (Index d = 0; d + 1 < starts.rows(); ++d) good = good && at[d] <= at[d + 1];
        if (!good) throw std::invalid_argument("starts must ascend within ids");
        if (std::any_of(id, id + ids.rows(), [n](std::int32_t one) { return one >= n; }))
            throw std::invalid_argument("a word's number is not below n_words");
    }
    Sequences sequences() const {
        return {ids.contiguous<const std::int32_t>(), starts.contiguous<const std::int64_t>(), starts.rows() - 1, words};
    }
};

static nb::tuple tokens_to_arrays(const Tokens& out) {
    return nb::make_tuple(to_array(out.ids), to_array(out.starts), bytes_to_array(out.bytes), to_array(out.word_starts));
}

static nb::tuple py_tokenize(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most) {
    const DocumentArguments given(documents);
    const Buffer by_code(table, "table", 1), several(expansions, "expansions", 1);
    by_code.expect(code_points, 1);
    const Characters characters(by_code.contiguous<const std::uint32_t>(), several.contiguous<const std::uint32_t>());
    if (least < 0 || most < least) throw std::invalid_argument("least and most must be 0, or ascend from 1");
    Tokens out;
    NotUtf8 wrong;
    {
        Released _;
        wrong = tokenize(given.documents, characters, {least > 0, least, most}, out);
    }
    if (wrong.document >= 0)
        throw std::invalid_argument("document " + std::to_string(wrong.document) + " is no UTF-8 at byte " +
                                    std::to_string(wrong.byte));
    return tokens_to_arrays(out);
}

static nb::tuple py_word_grams(nb::handle ids, nb::handle starts, nb::handle bytes, nb::handle word_starts, Index least,
                               Index most) {
    const WordArguments words(bytes, word_starts);
    const SequenceArguments given(ids, starts, words.list().size);
    if (least < 1 || most < least) throw std::invalid_argument("least and most must ascend from 1");
    Tokens out;
    {
        Released _;
        Grams(words.list(), least, most).read(given.sequences(), out);
    }
    return tokens_to_arrays(out);
}

static nb::object py_word_slots(nb::handle bytes, nb::handle starts) {
    const WordArguments words(bytes, starts);
    const WordList list = words.list();
    Slots slots(slots_for(list.size));
    for (Index i = 0; i < list.size; ++i) {
        const std::uint64_t hash = hash_word(list[i]);
        const std::size_t at = find_slot(slots.data(), slots.size(), hash, [&](Index j) { return list[j] == list[i]; });
        if (slots[at] == 0) slots[at] = slot_entry(hash, i);
    }
    return to_array(slots);
}

static nb::object py_find_words(nb::handle slots, nb::handle bytes, nb::handle starts, nb::handle other_bytes,
                                nb::handle other_starts) {
    const WordArguments words(bytes, starts, false), others(other_bytes, other_starts);
    const Buffer table(slots, "slots", 1);
    const auto* at = table.contiguous<const std::uint64_t>();
    if (!std::has_single_bit(static_cast<std::size_t>(table.rows())) || table.rows() <= words.list().size)
        throw std::invalid_argument("slots are not those of the words");
    const WordList list = words.list(), wanted = others.list();
    std::vector<std::int32_t> out(static_cast<std::size_t>(wanted.size), -1);
    for (Index i = 0; i < wanted.size; ++i) {
        const std::size_t slot = find_slot(at, static_cast<std::size_t>(table.rows()), hash_word(wanted[i]),
                                           [&](Index j) { return words.good(j) && list[j] == wanted[i]; });
        out[i] = static_cast<std::int32_t>(at[slot] & 0xffffffffu) - 1;
    }
    return to_array(out);
}

static nb::object py_hash_words(nb::handle bytes, nb::handle starts, Index buckets) {
    if (buckets < 1) throw std::invalid_argument("buckets must be at least 1");
    const WordArguments words(bytes, starts);
    std::vector<std::int32_t> out;
    for (Index i = 0; i < words.list().size; ++i)
        out.push_back(static_cast<std::int32_t>(hash_word(words.list()[i]) % static_cast<std::uint64_t>(buckets)));
    return to_array(out);
}

static nb::object py_sort_words(nb::handle bytes, nb::handle starts) {
    const WordArguments words(bytes, starts);
    return to_array(sorted_words(words.list()));
}

static nb::tuple py_bags(nb::handle ids, nb::handle starts, Index n_words) {
    const SequenceArguments given(ids, starts, n_words);
    Bags out;
    {
        Released _;
        out = bags(given.sequences());
    }
    return nb::make_tuple(to_array(out.starts), to_array(out.words), to_array(out.times));
}

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

static nb::tuple py_word_sums(nb::handle ids, nb::handle starts, Index n_words, nb::handle y, Index n_classes,
                              nb::handle w, double units) {
    const SequenceArguments given(ids, starts, n_words);
    const Sequences all = given.sequences();
    const Buffer codes(y, "y", 1);
    codes.expect(all.documents, 1);
    const auto* of = codes.contiguous<const std::int64_t>();
    std::optional<Buffer> weights;
    if (!w.is_none()) {
        weights.emplace(w, "w", 1);
        weights->expect(all.documents, 1);
    }
    const double* weight = weights ? weights->doubles() : nullptr;
    WordSums out;
    {
        Released _;
        std::vector<std::int64_t> order;
        for (Index d = 0; d < all.documents; ++d) {
            if (of[d] >= n_classes)
                throw std::invalid_argument("class code too large in row " + std::to_string(d) + ": there are only " +
                                            std::to_string(n_classes) + " classes");
            if (of[d] >= 0 && (!weight || weight[d] != 0)) order.push_back(d);
        }
        std::stable_sort(order.begin(), order.end(), [of](std::int64_t a, std::int64_t b) { return of[a] < of[b]; });
        out = word_sums(all, order, of, weight, units);
    }
    return nb::make_tuple(to_array(out.at), to_array(out.count), to_array(out.documents), to_array(out.share));
}

static void py_add_words(nb::handle starts, nb::handle words, nb::handle x, nb::handle entry_starts, nb::handle classes,
                         nb::handle values, nb::handle out) {
    const Buffer at(starts, "starts", 1), word(words, "words", 1), amount(x, "x", 1), begins(entry_starts, "entry_starts", 1),
        of_class(classes, "classes", 1), value(values, "values", 1), scores(out, "out", 2, true);
    const auto* document = at.contiguous<const std::int64_t>();
    const auto* w = word.contiguous<const std::int32_t>();
    const double* times = amount.doubles();
    const auto* entry = begins.contiguous<const std::int64_t>();
    const auto* c = of_class.contiguous<const std::int32_t>();
    const double* v = value.doubles();
    double* into = scores.doubles();
    const Index n = at.rows() - 1, k = scores.columns(), n_words = begins.rows() - 1;
    scores.expect(n, k);
    amount.expect(word.rows(), 1);
    if (document[0] < 0 || document[n] > word.rows() || entry[n_words] > value.rows() || value.rows() != of_class.rows())
        throw std::invalid_argument("the arrays do not fit each other");
    const Division division = divide(word.rows(), n_words ? 1 + value.rows() / n_words : 1);
    std::vector<char> bad(static_cast<std::size_t>(division.blocks));
    {
        Released _;
        parallel_rows(division, n, [&](Index block, Index begin, Index end) {
            for (Index d = begin; d < end; ++d)
                for (std::int64_t i = document[d]; i < document[d + 1]; ++i) {
                    if (w[i] < 0) continue;
                    if (w[i] >= n_words) bad[block] = 1;
                    else for (std::int64_t e = entry[w[i]]; e < entry[w[i] + 1]; ++e) into[d * k + c[e]] += times[i] * v[e];
                }
        });
    }
    if (std::any_of(bad.begin(), bad.end(), [](char b) { return b != 0; }))
        throw std::invalid_argument("a word's number is not below the number of words");
}

void bind_text(nb::module_& m) {
    using namespace nb::literals;
    m.def("tokenize", &py_tokenize, "documents"_a, "table"_a, "expansions"_a, "least"_a = 0, "most"_a = 0);
    m.def("word_grams", &py_word_grams, "ids"_a, "starts"_a, "data"_a, "word_starts"_a, "least"_a, "most"_a);
    m.def("word_slots", &py_word_slots, "data"_a, "starts"_a);
    m.def("find_words", &py_find_words, "slots"_a, "data"_a, "starts"_a, "other_data"_a, "other_starts"_a);
    m.def("hash_words", &py_hash_words, "data"_a, "starts"_a, "buckets"_a);
    m.def("sort_words", &py_sort_words, "data"_a, "starts"_a);
    m.def("bags", &py_bags, "ids"_a, "starts"_a, "n_words"_a);
    m.def("word_shares", &py_word_shares, "starts"_a, "times"_a, "units"_a);
    m.def("word_sums", &py_word_sums, "ids"_a, "starts"_a, "n_words"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(),
          "units"_a = 1.0);
    m.def("add_words", &py_add_words, "starts"_a, "words"_a, "x"_a, "entry_starts"_a, "classes"_a, "values"_a, "out"_a);
}

}  // namespace candide
