// Pages of Parquet files.
#include "pages.hpp"

#include "bindings.hpp"

namespace candide {

static Bytes bytes_of(const Buffer& buffer) {
    const auto* const begin = buffer.contiguous<const std::uint8_t>();
    return {begin, begin + buffer.rows()};
}

static constexpr Index n_entries = 7;  // that are told of a header

struct NoRoom : std::invalid_argument {
    NoRoom() : std::invalid_argument("a page has more rows than there is room for") {}
};

static nb::object py_page_headers(nb::handle chunk) {
    const Buffer buffer(chunk, "chunk", 1);
    std::vector<PageHeader> pages;
    {
        Released _;
        Bytes from = bytes_of(buffer);
        const std::uint8_t* const begin = from.at;
        try {
            // ends: every header has a byte at least
            while (from.at < from.end) {
                PageHeader page = page_header(from);
                page.begin = from.at - begin;
                from.take(static_cast<std::uint64_t>(page.packed));
                pages.push_back(page);
            }
        } catch (const EndedEarly&) {  // within the next
        }
    }
    nb::object table = zeros<std::int64_t>(pages.size(), n_entries);
    auto* to = Buffer(table, "headers", 2, true).contiguous<std::int64_t>();
    for (const PageHeader& page : pages)
        for (auto entry : {page.kind, page.encoding, page.levels, page.rows, page.begin, page.packed, page.size})
            *to++ = entry;
    return table;
}

// Parquet's numbers of encodings: as they are; as places in a dictionary, by its old name and the new one; in runs.
static constexpr std::int64_t plain = 0, dictionary_before = 2, runs = 3, dictionary_now = 8;

static Index py_decode_pages(nb::list pages, nb::handle headers, Index first, bool optional, nb::handle dictionary,
                             nb::handle out, nb::handle present, std::int64_t hole) {
    const Buffer about(headers, "headers", 2), levels(dictionary, "dictionary", 1), cells(out, "out", 1, true),
        there(present, "present", 1, true);
    std::deque<Buffer> held;
    for (const nb::handle page : pages) held.emplace_back(page, "page", 1);
    about.expect(static_cast<Index>(held.size()), n_entries);
    const auto* const entries = about.contiguous<const std::int64_t>();
    auto* const told = there.contiguous<std::uint8_t>();
    if (first < 0 || first > cells.rows() || (optional && there.rows() != cells.rows())) throw NoRoom();
    Index missing = 0;
    const auto decode = [&](auto zero) {
        using T = decltype(zero);
        const T* const known = levels.contiguous<const T>();
        T* const to = cells.contiguous<T>();
        Released _;
        const std::int64_t* entry = entries;
        for (const Buffer& page : held) {
            const PageHeader header{entry[0], entry[1], entry[2], entry[3]};
            const bool coded = header.encoding == dictionary_before || header.encoding == dictionary_now;
            if (header.kind != 0 || !(coded || header.encoding == plain) || (optional && header.levels != runs))
                throw std::invalid_argument("a page is not of the plainest kind");
            if (header.rows < 0 || header.rows > cells.rows() - first) throw NoRoom();
            missing += decode_page<T>(bytes_of(page), header.rows, optional, coded, known, levels.rows(),
                                      static_cast<T>(hole), to + first, optional ? told + first : told);
            first += header.rows, entry += n_entries;
        }
    };
    switch (cells.matrix().type) {
        case Type::u8: decode(std::uint8_t{}); break;
        case Type::u16: decode(std::uint16_t{}); break;
        case Type::u32: decode(std::uint32_t{}); break;
        case Type::u64: decode(std::uint64_t{}); break;
        default: throw std::invalid_argument("out must be of unsigned integers");
    }
    return missing;
}

void bind_pages(nb::module_& m) {
    using namespace nb::literals;
    m.def("page_headers", &py_page_headers, "chunk"_a);
    m.def("decode_pages", &py_decode_pages, "pages"_a, "headers"_a, "first"_a, "optional"_a, "dictionary"_a, "out"_a,
          "present"_a, "hole"_a = 0);
}

}  // namespace candide
