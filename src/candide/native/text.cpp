// Documents: words found, and looked up.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "text_arguments.hpp"
#include "text_grams.hpp"
#include "text_stems.hpp"

namespace candide {

static nb::tuple tokens_to_arrays(const Tokens& out) {
    return nb::make_tuple(to_array(out.ids), to_array(out.starts), bytes_to_array(out.bytes), to_array(out.word_starts));
}

static nb::tuple py_tokenize(nb::handle documents, nb::handle table, nb::handle expansions, Index least, Index most) {
    const DocumentArguments given(documents);
    const AnalysisArguments by(table, expansions, least, most);
    Tokens out;
    NotUtf8 wrong;
    {
        Released _;
        wrong = tokenize(given.documents, by.characters, by.analysis, out);
    }
    refuse(wrong);
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
    const std::size_t size = slots_for(list.size);
    nb::object result = zeros<std::uint64_t>(size * sizeof(Slot) / sizeof(std::uint64_t));
    fill_slots(list, SlotTable<Slot>{slots_in<Slot>(result), size}, [](Index i) { return i; },
               [](Slot&, Index) {});
    return result;
}

// A word that is looked up takes as long as so many cells.
static constexpr Index cells_per_word = 64;

static nb::object py_find_words(nb::handle slots, nb::handle bytes, nb::handle starts, nb::handle other_bytes,
                                nb::handle other_starts) {
    const KnownArguments known(slots, bytes, starts);
    const WordArguments others(other_bytes, other_starts);
    const WordList wanted = others.list();
    std::vector<std::int32_t> out(static_cast<std::size_t>(wanted.size));
    {
        Released _;
        guarded_rows(divide(wanted.size, cells_per_word), wanted.size, [&](Index, Index begin, Index end) {
            const KnownWords words = known.words();
            Scratch scratch;
            for (Index i = begin; i < end; ++i) out[i] = scratch.number_in(words, wanted, i);
        });
    }
    return to_array(out);
}

static nb::object py_seek_words(nb::handle bytes, nb::handle starts, nb::handle other_bytes, nb::handle other_starts) {
    const WordArguments given(bytes, starts), others(other_bytes, other_starts);
    const WordList list = given.list(), wanted = others.list();
    std::vector<std::int32_t> out;
    for (Index i = 0; i < wanted.size; ++i) out.push_back(static_cast<std::int32_t>(list.seek(wanted[i])));
    return to_array(out);
}

static nb::tuple py_unique_words(nb::handle bytes, nb::handle starts) {
    const WordArguments given(bytes, starts);
    const WordList list = given.list();
    std::vector<std::int32_t> place(static_cast<std::size_t>(list.size));
    Spelt out;
    {
        Released _;
        std::vector<WordList> parts;
        const Index n = divide(list.size, cells_per_word).threads;
        for (Index part = 0; part < n; ++part) {
            const Index begin = list.size * part / n, end = list.size * (part + 1) / n;
            parts.push_back({list.bytes, list.starts + begin, end - begin});
        }
        auto into = place.begin();
        for (const auto& numbers : detail::unite(parts, out)) into = std::copy(numbers.begin(), numbers.end(), into);
    }
    return nb::make_tuple(bytes_to_array(out.bytes), to_array(out.word_starts), to_array(place));
}

static nb::tuple py_stem_words(nb::handle bytes, nb::handle starts,
                               const std::tuple<std::uintptr_t, std::uintptr_t, std::uintptr_t, std::uintptr_t>& functions,
                               const std::string& algorithm) {
    const WordArguments words(bytes, starts);
    const auto [make, end, stem, length] = functions;
    if (!make || !end || !stem || !length) throw std::invalid_argument("a function of Snowball is not there");
    const Snowball by{reinterpret_cast<decltype(Snowball::make)>(make), reinterpret_cast<decltype(Snowball::end)>(end),
                      reinterpret_cast<decltype(Snowball::stem)>(stem),
                      reinterpret_cast<decltype(Snowball::length)>(length)};
    Stems out;
    bool known = true;
    {
        Released _;
        known = stem_words(by, algorithm, words.list(), out);
    }
    if (!known) throw std::invalid_argument("there are no stems by '" + algorithm + "'");
    return nb::make_tuple(bytes_to_array(out.bytes), to_array(out.word_starts), to_array(out.place));
}

static nb::list py_word_texts(nb::handle bytes, nb::handle starts) {
    const WordArguments words(bytes, starts);
    const WordList list = words.list();
    nb::list out = nb::steal<nb::list>(PyList_New(list.size));
    if (!out.is_valid()) nb::raise_python_error();
    for (Index i = 0; i < list.size; ++i) {
        PyObject* text = PyUnicode_DecodeUTF8(list[i].data(), static_cast<Py_ssize_t>(list[i].size()), "surrogatepass");
        if (!text) nb::raise_python_error();
        PyList_SET_ITEM(out.ptr(), i, text);
    }
    return out;
}

static nb::object py_hash_words(nb::handle bytes, nb::handle starts, Index buckets) {
    if (buckets < 1) throw std::invalid_argument("buckets must be at least 1");
    const WordArguments words(bytes, starts);
    std::vector<std::int32_t> out;
    for (Index i = 0; i < words.list().size; ++i)
        out.push_back(static_cast<std::int32_t>(hash_word(words.list()[i]) % static_cast<std::uint64_t>(buckets)));
    return to_array(out);
}

static nb::object py_bucket_slots(nb::handle filled) {
    const Buffer given(filled, "filled", 1);
    const auto* bucket = given.contiguous<const std::int32_t>();
    const std::size_t size = bucket_slots_for(given.rows());
    nb::object result = zeros<std::uint64_t>(size);
    fill_bucket_slots(bucket, given.rows(), slots_in<std::uint64_t>(result), size);
    return result;
}

static nb::object py_sort_words(nb::handle bytes, nb::handle starts) {
    const WordArguments words(bytes, starts);
    return to_array(sorted_words(words.list()));
}

static nb::tuple py_take_words(nb::handle bytes, nb::handle starts, nb::handle chosen) {
    const WordArguments words(bytes, starts);
    const Buffer places(chosen, "chosen", 1);
    const auto* at = places.contiguous<const std::int64_t>();
    const WordList list = words.list();
    const Index n = places.rows();
    nb::object ends = zeros<std::int64_t>(n + 1);
    auto* end = Buffer(ends, "ends", 1, true).contiguous<std::int64_t>();
    for (Index i = 0; i < n; ++i) {
        if (at[i] < 0 || at[i] >= list.size) throw std::invalid_argument("a word that is chosen is not there");
        end[i + 1] = end[i] + static_cast<std::int64_t>(list[at[i]].size());
    }
    nb::object taken = zeros<std::uint8_t>(end[n]);
    auto* into = Buffer(taken, "taken", 1, true).contiguous<std::uint8_t>();
    for (Index i = 0, next; i < n; i = next) {  // those that stand together at once
        for (next = i + 1; next < n && at[next] == at[next - 1] + 1;) ++next;
        std::copy(list.bytes + list.starts[at[i]], list.bytes + list.starts[at[next - 1] + 1], into + end[i]);
    }
    return nb::make_tuple(taken, ends);
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

void bind_text(nb::module_& m) {
    using namespace nb::literals;
    m.def("tokenize", &py_tokenize, "documents"_a, "table"_a, "expansions"_a, "least"_a = 0, "most"_a = 0);
    m.def("word_grams", &py_word_grams, "ids"_a, "starts"_a, "data"_a, "word_starts"_a, "least"_a, "most"_a);
    m.def("word_slots", &py_word_slots, "data"_a, "starts"_a);
    m.def("find_words", &py_find_words, "slots"_a, "data"_a, "starts"_a, "other_data"_a, "other_starts"_a);
    m.def("seek_words", &py_seek_words, "data"_a, "starts"_a, "other_data"_a, "other_starts"_a);
    m.def("unique_words", &py_unique_words, "data"_a, "starts"_a);
    m.def("stem_words", &py_stem_words, "data"_a, "starts"_a, "functions"_a, "algorithm"_a);
    m.def("word_texts", &py_word_texts, "data"_a, "starts"_a);
    m.def("hash_words", &py_hash_words, "data"_a, "starts"_a, "buckets"_a);
    m.def("bucket_slots", &py_bucket_slots, "filled"_a);
    m.def("sort_words", &py_sort_words, "data"_a, "starts"_a);
    m.def("take_words", &py_take_words, "data"_a, "starts"_a, "chosen"_a);
    m.def("bags", &py_bags, "ids"_a, "starts"_a, "n_words"_a);
}

}  // namespace candide
