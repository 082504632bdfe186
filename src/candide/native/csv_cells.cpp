// The cells of a CSV.
#include "csv_cells.hpp"

#include <deque>
#include <limits>

#include "bindings.hpp"

namespace candide {

static nb::object py_csv_cells(nb::handle block, const nb::bytes& separator, Index rows, nb::sequence outs,
                               nb::handle present) {
    if (separator.size() != 1) throw std::invalid_argument("the separator must be one byte");
    const Buffer given(block, "block", 1), there(present, "present", 2, true);
    const auto* const bytes = reinterpret_cast<const char*>(given.contiguous<const std::uint8_t>());
    auto* const bits = there.contiguous<std::uint8_t>();
    std::vector<CellColumn> columns(nb::len(outs));
    if (rows < 0 || there.rows() != static_cast<Index>(columns.size()) || there.columns() < (rows + 7) / 8)
        throw std::invalid_argument("present must have a bit for every cell");
    std::deque<Buffer> held;  // which do not move
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const nb::object out = outs[j];
        if (out.is_none()) continue;
        const Buffer& cells = held.emplace_back(out, "out", 1, true);
        const bool numbers = cells.matrix().type == Type::f64;
        const CellKind kind = numbers ? CellKind::number : cells.rows() == rows ? CellKind::code : CellKind::text;
        if (cells.rows() != rows + (kind == CellKind::text))
            throw std::invalid_argument("out must have a place for every record, and for text one more");
        char* const memory = numbers ? reinterpret_cast<char*>(cells.contiguous<double>())
                                     : reinterpret_cast<char*>(cells.contiguous<std::int32_t>());
        columns[j] = CellColumn(kind, memory, bits + static_cast<Index>(j) * there.columns());
    }
    bool plain = given.rows() <= std::numeric_limits<std::int32_t>::max();
    if (plain) {
        Released _;
        plain = read_cells(bytes, bytes + given.rows(), separator.c_str()[0], rows, columns);
    }
    if (!plain) return nb::none();
    nb::list told;
    for (const CellColumn& column : columns)
        told.append(nb::make_tuple(column.missing(), as_bytes(column.bytes()), as_bytes(column.ends())));
    return told;
}

void bind_csv_cells(nb::module_& m) {
    using namespace nb::literals;
    m.def("csv_cells", &py_csv_cells, "block"_a, "separator"_a, "rows"_a, "outs"_a, "present"_a);
}

}  // namespace candide
