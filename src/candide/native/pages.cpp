// Pages of Parquet files.
#include "pages.hpp"

#include "bindings.hpp"

namespace candide {

static Bytes bytes_of(const Buffer& buffer) {
    const auto* const begin = buffer.contiguous<const std::uint8_t>();
    return {begin, begin + buffer.rows()};
}

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
    nb::object table = zeros<std::int64_t>(pages.size(), 7);
    auto* to = Buffer(table, "headers", 2, true).contiguous<std::int64_t>();
    for (const PageHeader& page : pages)
        for (auto entry : {page.kind, page.encoding, page.levels, page.rows, page.begin, page.packed, page.size})
            *to++ = entry;
    return table;
}

static Index py_decode_page(nb::handle page, Index first, Index rows, bool optional, bool coded, nb::handle dictionary,
                            nb::handle out, nb::handle present, std::int64_t hole) {
    const Buffer bytes(page, "page", 1), levels(dictionary, "dictionary", 1), cells(out, "out", 1, true),
        there(present, "present", 1, true);
    auto* const told = there.contiguous<std::uint8_t>();
    const bool fits = first >= 0 && rows >= 0 && first <= cells.rows() && rows <= cells.rows() - first;
    if (!fits || (optional && there.rows() != cells.rows()))
        throw std::invalid_argument("a page has more rows than there is room for");
    Index missing = 0;
    const auto decode = [&](auto zero) {
        using T = decltype(zero);
        const T* const known = levels.contiguous<const T>();
        T* const to = cells.contiguous<T>() + first;
        const Bytes from = bytes_of(bytes);
        Released _;
        missing = decode_page<T>(from, rows, optional, coded, known, levels.rows(), static_cast<T>(hole), to,
                                 optional ? told + first : told);
    };
    switch (cells.matrix().type) {
        case Type::u8: decode(std::uint8_t{}); break;
        case Type::u32: decode(std::uint32_t{}); break;
        case Type::u64: decode(std::uint64_t{}); break;
        default: throw std::invalid_argument("out must be of uint8, uint32 or uint64");
    }
    return missing;
}

void bind_pages(nb::module_& m) {
    using namespace nb::literals;
    m.def("page_headers", &py_page_headers, "chunk"_a);
    m.def("decode_page", &py_decode_page, "page"_a, "first"_a, "rows"_a, "optional"_a, "coded"_a, "dictionary"_a,
          "out"_a, "present"_a, "hole"_a = 0);
}

}  // namespace candide
