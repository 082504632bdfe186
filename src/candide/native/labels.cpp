// Distinct values, labels, and cells that cannot be used.
#include "arrow_texts.hpp"
#include "bindings.hpp"
#include "checks.hpp"
#include "labels.hpp"
#include "objects.hpp"

namespace candide {

static nb::object py_distinct(nb::handle x, Index limit) {
    const Buffer column(x, "x", 1);
    const Matrix matrix = column.matrix();
    std::optional<std::vector<double>> values;
    {
        Released _;
        values = distinct(matrix, limit);
    }
    if (!values) return nb::none();
    return to_array(*values);
}

static nb::tuple py_label_codes(nb::handle y) {
    const Buffer labels(y, "y", 1);
    const Matrix matrix = labels.integers();
    nb::object codes = zeros<std::int32_t>(matrix.rows);
    const Buffer result(codes, "codes", 1, true);
    auto* into = result.contiguous<std::int32_t>();
    std::vector<std::int64_t> values;
    {
        Released _;
        with_type(matrix.type, [&](auto value) {
            using T = decltype(value);
            if constexpr (std::is_integral_v<T>)
                values = label_codes(Labels<T>{matrix.data, matrix.rows, matrix.row_step}, into);
        });
    }
    return nb::make_tuple(codes, to_array(values));
}

// The cells of a list, or of a 1-d array of objects, which the caller's reference keeps.
static Objects objects_of(nb::handle cells) {
    if (PyList_CheckExact(cells.ptr()))
        return {reinterpret_cast<const char*>(PySequence_Fast_ITEMS(cells.ptr())), PyList_GET_SIZE(cells.ptr()), sizeof(PyObject*)};
    Py_buffer view{};
    if (PyObject_GetBuffer(cells.ptr(), &view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) nb::raise_python_error();
    const bool objects = view.ndim == 1 && std::string(view.format) == "O";
    const Objects column{static_cast<const char*>(view.buf), objects ? view.shape[0] : 0, objects ? view.strides[0] : 0};
    PyBuffer_Release(&view);
    if (!objects) throw nb::type_error("cells must be a list, or a 1-d array of objects");
    return column;
}

static nb::object py_text_codes(nb::handle cells) {
    const Objects column = objects_of(cells);
    nb::object codes = zeros<std::int32_t>(column.rows);
    const auto rows = text_codes(column, Buffer(codes, "codes", 1, true).contiguous<std::int32_t>());
    if (!rows) return nb::none();
    nb::list levels;
    for (const Index row : *rows) levels.append(nb::handle(column[row]));
    return nb::make_tuple(codes, levels);
}

// Codes, and the texts as Python's.
template <class Cells>
nb::tuple coded(const Cells& cells) {
    nb::object codes = zeros<std::int32_t>(cells.rows);
    auto* into = Buffer(codes, "codes", 1, true).contiguous<std::int32_t>();
    std::vector<Index> rows;
    {
        Released _;
        rows = *text_codes(cells, into);
    }
    nb::list levels;
    for (const Index row : rows) {
        const Spelling text = cells[row];
        PyObject* level = PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.bytes), "strict");
        if (!level) nb::raise_python_error();
        levels.append(nb::steal(level));
    }
    return nb::make_tuple(codes, levels);
}

static nb::tuple py_arrow_codes(const nb::list& buffers, Index first, Index rows, Index width) {
    std::deque<Buffer> held;
    std::vector<const char*> at;
    for (const nb::handle buffer : buffers)
        at.push_back(buffer.is_none() ? nullptr
                                      : static_cast<const char*>(held.emplace_back(buffer, "buffers", 1).address()));
    const bool views = width == 16;
    if (first < 0 || rows < 0 || at.size() < 2 || (!views && at.size() != 3) || (width != 4 && width != 8 && !views) ||
        (rows > 0 && !at[1]))
        throw std::invalid_argument("these are no buffers of a column of text");
    const Valid valid{reinterpret_cast<const std::uint8_t*>(at[0]), first};
    const char* const begin = at[1] + first * width;
    if (views) return coded(ViewedTexts{rows, valid, begin, {at.begin() + 2, at.end()}});
    if (width == 8)
        return coded(JoinedTexts<std::int64_t>{rows, valid, reinterpret_cast<const std::int64_t*>(begin), at[2]});
    return coded(JoinedTexts<std::int32_t>{rows, valid, reinterpret_cast<const std::int32_t*>(begin), at[2]});
}

static nb::tuple py_fixed_codes(nb::handle cells) {
    const Buffer given(cells, "cells", 2);
    const FixedTexts texts{given.rows(), given.columns(), reinterpret_cast<const char*>(given.contiguous<const std::uint8_t>())};
    nb::object codes = unwritten<std::int32_t>(texts.rows);
    auto* into = Buffer(codes, "codes", 1, true).contiguous<std::int32_t>();
    std::vector<Index> rows;
    {
        Released _;
        rows = *text_codes(texts, into);
    }
    return nb::make_tuple(codes, to_array(std::vector<std::int64_t>(rows.begin(), rows.end())));
}

static nb::tuple py_texts_among(const nb::list& cells) {
    constexpr Py_ssize_t ahead = 16;
    const Py_ssize_t n = PyList_GET_SIZE(cells.ptr());
    Index texts = 0, gaps = 0, characters = 0;
    for (Py_ssize_t i = 0; i < n; ++i) {
        if (i + ahead < n) __builtin_prefetch(PyList_GET_ITEM(cells.ptr(), i + ahead));
        PyObject* const cell = PyList_GET_ITEM(cells.ptr(), i);
        gaps += cell == Py_None;
        if (!PyUnicode_CheckExact(cell)) continue;
        ++texts, characters += PyUnicode_GET_LENGTH(cell);
    }
    return nb::make_tuple(texts, gaps, characters);
}

// visit(row) for every row of which a bit says that there is none: 64 at a time, as no branch foretells where they are.
template <class Visit>
static void each_hole(const std::uint8_t* bits, Index first, Index rows, Visit&& visit) {
    for (Index at = first / 8 * 8; at < first + rows; at += 64) {
        std::uint64_t there = ~std::uint64_t{0};
        if (at + 64 <= first + rows) std::memcpy(&there, bits + at / 8, sizeof there);
        else std::memcpy(&there, bits + at / 8, static_cast<std::size_t>((first + rows - at + 7) / 8));
        for (std::uint64_t holes = ~there; holes; holes &= holes - 1) {
            const Index row = at + std::countr_zero(holes) - first;
            if (row >= 0 && row < rows) visit(row);
        }
    }
}

// Numbers or codes with a hole where a bit says that there is none: themselves if it is there already, or a copy.
template <class T>
static nb::object filled(nb::handle given, const Buffer& values, const std::uint8_t* bits, Index first, T hole) {
    const Index rows = values.rows();
    const T* from = values.contiguous<T>();
    bool same = true;
    {
        Released _;
        each_hole(bits, first, rows, [&](Index row) { same &= from[row] == hole || from[row] != from[row]; });
    }
    if (same) return nb::borrow(given);
    nb::object copy = zeros<T>(rows);
    T* to = Buffer(copy, "copy", 1, true).contiguous<T>();
    Released _;
    std::copy_n(from, rows, to);
    each_hole(bits, first, rows, [&](Index row) { to[row] = hole; });
    return copy;
}

static nb::object py_filled(nb::handle values, nb::handle bits, Index first) {
    const Buffer cells(values, "values", 1), there(bits, "bits", 1);
    const auto* valid = there.contiguous<const std::uint8_t>();
    if (first < 0 || 8 * there.rows() < first + cells.rows())
        throw std::invalid_argument("bits must say of each row whether it is there");
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    switch (cells.matrix().type) {
        case Type::f64: return filled<double>(values, cells, valid, first, nan);
        case Type::f32: return filled<float>(values, cells, valid, first, static_cast<float>(nan));
        case Type::i8: return filled<std::int8_t>(values, cells, valid, first, -1);
        case Type::i16: return filled<std::int16_t>(values, cells, valid, first, -1);
        case Type::i32: return filled<std::int32_t>(values, cells, valid, first, -1);
        case Type::i64: return filled<std::int64_t>(values, cells, valid, first, -1);
        default: throw std::invalid_argument("values must be floats or signed integers");
    }
}

static nb::object first_cell(nb::handle x, const Allowed& allowed) {
    const Buffer cells(x, "x", 2);
    const Matrix matrix = cells.matrix();
    Fault fault;
    {
        Released _;
        fault = first_outside(matrix, allowed);
    }
    if (!fault) return nb::none();
    return nb::make_tuple(fault.row, fault.column);
}

static nb::object py_check_finite(nb::handle x) { return first_cell(x, finite); }

// x <= bound is x < the next number after it
static nb::object py_first_below(nb::handle x, double bound, bool strict) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return first_cell(x, {strict ? bound : std::nextafter(bound, infinity), infinity, Problem::not_positive});
}

void bind_labels(nb::module_& m) {
    using namespace nb::literals;
    m.def("distinct", &py_distinct, "x"_a, "limit"_a);
    m.def("label_codes", &py_label_codes, "y"_a);
    m.def("text_codes", &py_text_codes, "cells"_a);
    m.def("fixed_codes", &py_fixed_codes, "cells"_a);
    m.def("texts_among", &py_texts_among, "cells"_a);
    m.def("arrow_codes", &py_arrow_codes, "buffers"_a, "first"_a, "rows"_a, "width"_a);
    m.def("filled", &py_filled, "values"_a, "bits"_a, "first"_a);
    m.def("check_finite", &py_check_finite, "x"_a);
    m.def("first_below", &py_first_below, "x"_a, "bound"_a, "strict"_a);
}

}  // namespace candide
