// The cells of lines of JSON objects.
#include "json_cells.hpp"

#include <deque>

#include "bindings.hpp"

namespace candide {

static const char* told(CellKind kind) {
    switch (kind) {
        case CellKind::boolean: return "bool";
        case CellKind::whole: return "int64";
        case CellKind::number: return "double";
        case CellKind::code: return "codes";
        case CellKind::text: return "string";
        default: return "null";
    }
}

static nb::object py_json_cells(nb::handle lines, const nb::list& keys, bool coded, nb::sequence outs,
                                nb::handle present) {
    const Buffer given(lines, "lines", 1), there(present, "present", 2, true);
    const auto* const bytes = reinterpret_cast<const char*>(given.contiguous<const std::uint8_t>());
    auto* const bits = there.contiguous<std::uint8_t>();
    const Index size = given.rows();
    if (size == 0 || bytes[size - 1] != '\n') throw std::invalid_argument("lines must end with a newline");
    const std::size_t n = keys.size();
    if (n == 0 || nb::len(outs) != n) throw std::invalid_argument("every key must have an out, and there must be one");
    std::vector<std::string_view> spelt;
    std::vector<CellColumn> columns;
    std::deque<Buffer> held;  // which do not move
    for (std::size_t j = 0; j < n; ++j) {
        const auto key = nb::cast<nb::bytes>(keys[j]);
        spelt.emplace_back(key.c_str(), key.size());
        if (spelt.back().find('\n') != std::string_view::npos) throw std::invalid_argument("a key must stand in a line");
        const nb::object out = outs[j];
        const Buffer& cells = held.emplace_back(out, "out", 1, true);
        if (cells.rows() != held.front().rows() || cells.rows() == 0)
            throw std::invalid_argument("every out must have a place for every line, and one more");
        columns.emplace_back(CellKind::null, reinterpret_cast<char*>(cells.contiguous<std::int64_t>()),
                             bits + static_cast<Index>(j) * there.columns(), coded);
    }
    const Index most = held.front().rows() - 1;
    if (there.rows() != static_cast<Index>(n) || there.columns() < (most + 7) / 8)
        throw std::invalid_argument("present must have a bit for every cell");
    Index rows = -1;
    if (size <= std::numeric_limits<std::int32_t>::max()) {
        Released _;
        rows = JsonLines(bytes, bytes + size, spelt, most, columns).read();
    }
    if (rows < 0) return nb::none();
    nb::list found;
    for (const CellColumn& column : columns)
        found.append(nb::make_tuple(told(column.kind()), column.missing(), as_bytes(column.bytes()),
                                    as_bytes(column.ends())));
    return nb::make_tuple(rows, found);
}

void bind_json_cells(nb::module_& m) {
    using namespace nb::literals;
    m.def("json_cells", &py_json_cells, "lines"_a, "keys"_a, "coded"_a, "outs"_a, "present"_a);
}

}  // namespace candide
