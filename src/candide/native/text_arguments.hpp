// Documents, words and rows of words as Python gives them, held for the time of one call.
#pragma once

#include <memory>

#include "bindings.hpp"
#include "text_sums.hpp"

namespace candide {

template <class From>
nb::object bytes_to_array(const From& bytes) {
    nb::object result = unwritten<std::uint8_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), Buffer(result, "result", 1, true).contiguous<std::uint8_t>());
    return result;
}

// Write characters that Python keeps in so many bytes each as UTF-8; returns where it ends. Eight bytes of them are looked at
// at a time, and those before the first that is more than ASCII copied, as most of western text is; for each that Python
// keeps, there is room for another byte.
template <class Character>
std::uint8_t* to_utf8(const Character* from, Py_ssize_t n, std::uint8_t* to) {
    constexpr int bits = 8 * sizeof(Character), some = 64 / bits;
    constexpr std::uint64_t last = ~std::uint64_t{0} >> (64 - bits), each = ~std::uint64_t{0} / last, beyond = each * (last - 0x7f);
    const Character* const end = from + n;
    while (end - from >= some) {  // ends: each time it goes on by one at the least
        std::uint64_t wide = 0;
        std::memcpy(&wide, from, sizeof wide);
        wide &= beyond;
        const int plain = wide ? std::countr_zero(wide) / bits : some;
        for (int i = 0; i < some; ++i) to[i] = static_cast<std::uint8_t>(from[i]);
        from += plain, to += plain;
        for (; wide && from < end && *from >= 0x80; ++from) to += encode(*from, to);
    }
    for (; from < end; ++from) to += encode(*from, to);
    return to;
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
        const auto n = static_cast<Index>(nb::len(texts));
        documents.reserve(static_cast<std::size_t>(n));
        constexpr Index ahead = 16;  // objects lie anywhere
        for (Index i = 0; i < n; ++i) {
            if (i + ahead < n) __builtin_prefetch(PyList_GET_ITEM(texts.ptr(), i + ahead));
            documents.push_back(one(PyList_GET_ITEM(texts.ptr(), i), i));
        }
    }
    Document one(nb::handle text, Index i) {
        if (text.is_none()) return {nullptr, nullptr};
        if (PyUnicode_Check(text.ptr())) {
            if (!PyUnicode_IS_COMPACT_ASCII(text.ptr())) return encoded(text);
            const auto* data = static_cast<Bytes>(PyUnicode_DATA(text.ptr()));
            return {data, data + PyUnicode_GET_LENGTH(text.ptr())};
        }
        if (!PyBytes_Check(text.ptr()))
            throw nb::type_error(("document " + std::to_string(i) + " is no text").c_str());
        const auto* data = reinterpret_cast<Bytes>(PyBytes_AS_STRING(text.ptr()));
        return {data, data + PyBytes_GET_SIZE(text.ptr())};
    }
    // Text that is not ASCII, as UTF-8; of a character that Python keeps in 1, 2 or 4 bytes this has 2, 3 or 4 at the most.
    Document encoded(nb::handle text) {
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(text.ptr()) < 0) nb::raise_python_error();
#endif
        const Py_ssize_t n = PyUnicode_GET_LENGTH(text.ptr());
        const int kind = PyUnicode_KIND(text.ptr());
        const void* data = PyUnicode_DATA(text.ptr());
        const auto written = [&](auto of, std::size_t most) {
            std::uint8_t* const begin = room(static_cast<std::size_t>(n) * most);
            return Document{begin, to_utf8(static_cast<const decltype(of)*>(data), n, begin)};
        };
        const auto [begin, end] = kind == PyUnicode_1BYTE_KIND   ? written(Py_UCS1{}, 2)
                                  : kind == PyUnicode_2BYTE_KIND ? written(Py_UCS2{}, 3)
                                                                 : written(Py_UCS4{}, 4);
        left -= static_cast<std::size_t>(end - begin), next += end - begin;
        return {begin, end};
    }
    // Bytes that stay where they are.
    std::uint8_t* room(std::size_t bytes) {
        if (bytes > left) {
            left = std::max<std::size_t>(bytes, 1 << 16);
            next = held.emplace_back(std::make_unique_for_overwrite<std::uint8_t[]>(left)).get();
        }
        return next;
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

    std::vector<std::unique_ptr<std::uint8_t[]>> held;
    std::uint8_t* next = nullptr;
    std::size_t left = 0;
    std::optional<Buffer> data, starts;
};

// A list of words as two arrays, held together.
struct WordArguments {
    Buffer bytes, starts;

    // Whoever looks at few of many words does not check all of them.
    WordArguments(nb::handle b, nb::handle s, bool all = true) : bytes(b, "data", 1), starts(s, "starts", 1) {
        const auto* at = starts.contiguous<const std::int64_t>();
        bool good = starts.rows() > 0 && at[0] == 0 && at[starts.rows() - 1] == bytes.rows();
        for (Index i = 0; all && i + 1 < starts.rows(); ++i) good = good && at[i] <= at[i + 1];
        if (!good) throw std::invalid_argument("starts must ascend from 0 to the end of the bytes");
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

// The slots that an array of 64-bit numbers holds.
template <class S>
S* slots_in(nb::handle array) {
    return reinterpret_cast<S*>(Buffer(array, "slots", 1, true).contiguous<std::uint64_t>());
}

// Words that are known, and the slots that word_slots made of them.
struct KnownArguments {
    WordArguments list;
    Buffer table;

    KnownArguments(nb::handle slots, nb::handle bytes, nb::handle starts) : list(bytes, starts, false), table(slots, "slots", 1) {
        if (!std::has_single_bit(size()) || static_cast<Index>(size()) <= list.list().size)
            throw std::invalid_argument("slots are not those of the words");
    }
    std::size_t size() const { return static_cast<std::size_t>(table.rows()) * sizeof(std::uint64_t) / sizeof(Slot); }
    KnownWords words() const {
        return {{reinterpret_cast<const Slot*>(table.contiguous<const std::uint64_t>()), size()}, list.list()};
    }
};

// Buckets of which so many entries are told: those that hold something, which their slots find, and one for all others.
struct BucketArguments {
    Buffer table;
    FilledBuckets buckets;

    BucketArguments(nb::handle slots, Index n, Index entries)
        : table(slots, "slots", 1), buckets{static_cast<std::uint64_t>(n), entries - 1, table.contiguous<const std::uint64_t>(),
                                            static_cast<std::size_t>(table.rows())} {
        constexpr Index most = Index{1} << 30;  // so that what numbers them has room behind as many
        if (n < 1 || n > most || entries < 1 || entries - 1 > n) throw std::invalid_argument("buckets are not those of the entries");
        if (!std::has_single_bit(buckets.n_slots) || table.rows() <= buckets.filled)
            throw std::invalid_argument("slots are not those of the buckets");
    }
};

// How documents are read.
struct AnalysisArguments {
    Buffer by_code, several;
    Characters characters;
    Analysis analysis;

    AnalysisArguments(nb::handle table, nb::handle expansions, Index least, Index most)
        : by_code(table, "table", 1), several(expansions, "expansions", 1),
          characters(checked(by_code), several.contiguous<const std::uint32_t>()), analysis{least > 0, least, most} {
        if (least < 0 || most < least) throw std::invalid_argument("least and most must be 0, or ascend from 1");
    }

  private:
    static const std::uint32_t* checked(const Buffer& table) {
        table.expect(code_points, 1);
        return table.contiguous<const std::uint32_t>();
    }
};

inline void refuse(const NotUtf8& wrong) {
    if (wrong.document >= 0)
        throw std::invalid_argument("document " + std::to_string(wrong.document) + " is no UTF-8 at byte " +
                                    std::to_string(wrong.byte));
}

// The classes and weights of documents, and the order of those that count.
class LearningArguments {
  public:
    LearningArguments(nb::handle y, Index documents, Index n_classes, nb::handle w, double units) : codes(y, "y", 1) {
        codes.expect(documents, 1);
        if (!w.is_none()) {
            weights.emplace(w, "w", 1);
            weights->expect(documents, 1);
        }
        const auto* of = codes.contiguous<const std::int64_t>();
        const double* weight = weights ? weights->doubles() : nullptr;
        learning = {{}, of, weight, units};
        const auto counts = [&](Index d) { return of[d] >= 0 && (!weight || weight[d] != 0); };
        std::vector<std::int64_t> next(static_cast<std::size_t>(std::max<Index>(n_classes, 0)) + 1);
        for (Index d = 0; d < documents; ++d) {
            if (of[d] >= n_classes)
                throw std::invalid_argument("class code too large in row " + std::to_string(d) + ": there are only " +
                                            std::to_string(n_classes) + " classes");
            if (counts(d)) ++next[of[d] + 1];
        }
        std::partial_sum(next.begin(), next.end(), next.begin());
        learning.order.resize(static_cast<std::size_t>(next.back()));
        for (Index d = 0; d < documents; ++d)
            if (counts(d)) learning.order[next[of[d]]++] = d;
    }
    Learning learning;

  private:
    Buffer codes;
    std::optional<Buffer> weights;
};

}  // namespace candide
