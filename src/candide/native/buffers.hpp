// NumPy arrays as the kernels see them, by way of Python's buffer protocol: no copies, any strides.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <string>

#include "rows.hpp"

namespace candide {

namespace nb = nanobind;

// What a C++ type is called, here and in NumPy.
template <class T>
struct Element;
template <>
struct Element<double> {
    static constexpr Type type = Type::f64;
    static constexpr const char* name = "float64";
};
template <>
struct Element<float> {
    static constexpr Type type = Type::f32;
    static constexpr const char* name = "float32";
};
template <>
struct Element<std::int64_t> {
    static constexpr Type type = Type::i64;
    static constexpr const char* name = "int64";
};
template <>
struct Element<std::int32_t> {
    static constexpr Type type = Type::i32;
    static constexpr const char* name = "int32";
};
template <>
struct Element<std::int16_t> {
    static constexpr Type type = Type::i16;
    static constexpr const char* name = "int16";
};
template <>
struct Element<std::int8_t> {
    static constexpr Type type = Type::i8;
    static constexpr const char* name = "int8";
};
template <>
struct Element<std::uint8_t> {
    static constexpr Type type = Type::u8;
    static constexpr const char* name = "uint8";
};
template <>
struct Element<std::uint16_t> {
    static constexpr Type type = Type::u16;
    static constexpr const char* name = "uint16";
};
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
template <>
struct Element<bool> {
    static constexpr Type type = Type::u8;
    static constexpr const char* name = "bool";
};

// An array held for the time of one call. Errors name the argument.
class Buffer {
  public:
    Buffer(nb::handle array, const char* argument, int dimensions, bool writable = false) : name(argument) {
        const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(array.ptr(), &view, flags) != 0) nb::raise_python_error();
        if (view.ndim != dimensions) {
            const std::string message = name + " must have " + std::to_string(dimensions) + " dimensions, not " +
                                        std::to_string(view.ndim);
            PyBuffer_Release(&view);
            throw std::invalid_argument(message);
        }
    }
    ~Buffer() { PyBuffer_Release(&view); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    Index rows() const { return view.shape[0]; }
    Index columns() const { return view.ndim == 2 ? view.shape[1] : 1; }

    const void* address() const { return view.buf; }

    Matrix matrix() const {
        return {static_cast<const char*>(view.buf), rows(), columns(), view.strides[0],
                view.ndim == 2 ? view.strides[1] : view.itemsize, type()};
    }
    Matrix integers() const {
        const Matrix m = matrix();
        if (m.type == Type::f32 || m.type == Type::f64) refuse("integers");
        return m;
    }

    // Contiguous memory of exactly this type, as the kernels' tables and results are.
    template <class T>
    T* contiguous() const {
        using Wanted = Element<std::remove_const_t<T>>;
        if (type() != Wanted::type || PyBuffer_IsContiguous(&view, 'C') == 0)
            refuse(std::string("C-contiguous ") + Wanted::name);
        return static_cast<T*>(view.buf);
    }
    double* doubles() const { return contiguous<double>(); }

    void expect(Index n_rows, Index n_columns) const {
        if (rows() == n_rows && columns() == n_columns) return;
        throw std::invalid_argument(name + " has shape (" + std::to_string(rows()) + ", " + std::to_string(columns()) +
                                    "), not (" + std::to_string(n_rows) + ", " + std::to_string(n_columns) + ")");
    }

  private:
    [[noreturn]] void refuse(const std::string& wanted) const {
        const char* strided = PyBuffer_IsContiguous(&view, 'C') == 0 ? "strided " : "";
        throw nb::type_error((name + " must hold " + wanted + ", not " + strided + "'" + view.format + "'").c_str());
    }

    Type type() const {
        const char* code = view.format;
        if (*code == '@' || *code == '=' || *code == '<') ++code;
        const bool wide = view.itemsize == 8;
        if (*code != '\0' && code[1] == '\0') switch (*code) {
            case 'f': return Type::f32;
            case 'd': return Type::f64;
            case 'b': return Type::i8;
            case 'h': return Type::i16;
            case 'i': case 'l': case 'q': return wide ? Type::i64 : Type::i32;
            case '?': case 'B': return Type::u8;
            case 'H': return Type::u16;
            case 'I': case 'L': case 'Q': return wide ? Type::u64 : Type::u32;
            default: break;
        }
        refuse("numbers of at most 64 bits");
    }

    Py_buffer view{};
    std::string name;
};

// An array of doubles, of one dimension unless columns are told, that may not be there.
class Optional {
  public:
    Optional(nb::handle array, const char* name, Index rows, Index columns = -1) {
        if (array.is_none()) return;
        buffer.emplace(array, name, columns < 0 ? 1 : 2);
        buffer->expect(rows, columns < 0 ? 1 : columns);
    }
    const double* doubles() const { return buffer ? buffer->doubles() : nullptr; }

  private:
    std::optional<Buffer> buffer;
};

// A table of numbers held for the time of one call: a matrix, or a list of columns of one type that lie alike.
class TableArgument {
  public:
    TableArgument(nb::handle table, const char* argument) {
        if (!nb::isinstance<nb::list>(table)) {
            whole = held.emplace_back(table, argument, 2).matrix();
            return;
        }
        for (const nb::handle column : nb::borrow<nb::list>(table)) {
            const Matrix m = held.emplace_back(column, argument, 1).matrix();
            if (begins.empty()) whole = m;
            if (m.rows != whole.rows || m.type != whole.type || m.row_step != whole.row_step)
                throw std::invalid_argument(std::string(argument) + " must be columns of one length, type and layout");
            begins.push_back(m.data);
        }
        if (begins.empty()) throw std::invalid_argument(std::string(argument) + " must have a column");
        if (begins.size() > 1)
            whole = {nullptr, whole.rows, static_cast<Index>(begins.size()), whole.row_step, 0, whole.type, begins.data()};
    }

    const Matrix& matrix() const { return whole; }
    const Matrix& integers() const {
        held.front().integers();  // refuses any other type, which is that of all of them
        return whole;
    }

  private:
    std::deque<Buffer> held;  // which do not move
    std::vector<const char*> begins;
    Matrix whole{};
};

// Offsets (D + 1,) that begin at 0, never decrease and end at the length of what they divide.
inline const std::int64_t* checked_offsets(const Buffer& offsets, Index columns, Index total) {
    const auto* at = offsets.contiguous<const std::int64_t>();
    offsets.expect(columns + 1, 1);
    bool good = at[0] == 0 && (total < 0 || at[columns] == total);
    for (Index j = 0; j < columns; ++j) good = good && at[j] <= at[j + 1];
    if (at[columns] + 2 * columns >= code_limit) throw std::invalid_argument("more than a billion levels");
    if (!good) throw std::invalid_argument("offsets must ascend from 0 to the length of the axis they divide");
    return at;
}

// y and w of a call, held together.
class RowArguments {
  public:
    RowArguments(nb::handle y_array, Index n_rows, Index n_classes, nb::handle w_array) : y(y_array, "y", 1) {
        y.expect(n_rows, 1);
        if (n_classes < 0) throw std::invalid_argument("n_classes must not be negative");
        if (!w_array.is_none()) {
            w.emplace(w_array, "w", 1);
            w->expect(n_rows, 1);
        }
        rows = {y.integers(), w ? std::optional<Matrix>(w->matrix()) : std::nullopt, n_classes};
    }
    Rows rows;

  private:
    Buffer y;
    std::optional<Buffer> w;
};

// What NumPy calls `zeros` and `empty`, and its types of numbers: looked up once, and kept as long as the process lives.
inline nb::handle of_numpy(const char* name, PyObject*& found) {
    if (!found) found = nb::object(nb::module_::import_("numpy").attr(name)).release().ptr();
    return found;
}
template <class T>
nb::handle numpy_type() {
    static PyObject* found = nullptr;
    if (!found) found = nb::object(nb::module_::import_("numpy").attr("dtype")(Element<T>::name)).release().ptr();
    return found;
}

// A new array of zeros.
template <class T, class... Sizes>
nb::object zeros(Sizes... shape) {
    static PyObject* found = nullptr;
    return of_numpy("zeros", found)(nb::make_tuple(shape...), numpy_type<T>());
}

// A new array that is written before it is read.
template <class T, class... Sizes>
nb::object unwritten(Sizes... shape) {
    static PyObject* found = nullptr;
    return of_numpy("empty", found)(nb::make_tuple(shape...), numpy_type<T>());
}

// A new table that is written before it is read. It begins with a line of the cache, so that the vectors of a row, which
// are read at random, lie in as few lines as they can.
inline nb::object unwritten_lines(Index rows, Index columns) {
    constexpr Index line = 8;  // doubles
    const nb::object room = unwritten<double>(rows * columns + line - 1);
    const auto address = reinterpret_cast<std::uintptr_t>(Buffer(room, "room", 1, true).doubles()) / sizeof(double);
    const Index first = (line - static_cast<Index>(address % line)) % line;
    return room[nb::slice(first, first + rows * columns)].attr("reshape")(rows, columns);
}

// Copy rows that begin `step` apart into a new array.
template <class T>
nb::object to_table(const std::vector<double>& values, Index rows, Index columns, Index step) {
    nb::object result = zeros<T>(rows, columns);
    T* to = Buffer(result, "result", 2, true).contiguous<T>();
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < columns; ++c) *to++ = static_cast<T>(values[r * step + c]);
    return result;
}

// Copy rows that lie one behind the other into a new array.
template <class T>
nb::object to_table(const std::vector<T>& values, Index rows, Index columns) {
    nb::object result = unwritten<T>(rows, columns);
    std::copy(values.begin(), values.end(), Buffer(result, "result", 2, true).contiguous<T>());
    return result;
}

// Copy a vector into a new array.
template <class T>
nb::object to_array(const std::vector<T>& values) {
    nb::object result = unwritten<T>(values.size());
    std::copy(values.begin(), values.end(), Buffer(result, "result", 1, true).contiguous<T>());
    return result;
}

// Call with a zero of the narrowest integer type that holds counts up to `most`.
template <class Call>
void narrowest(double most, Call&& call) {
    if (most <= std::numeric_limits<std::int8_t>::max()) call(std::int8_t{});
    else if (most <= std::numeric_limits<std::int16_t>::max()) call(std::int16_t{});
    else if (most <= std::numeric_limits<std::int32_t>::max()) call(std::int32_t{});
    else call(std::int64_t{});
}

// Whole numbers that are not negative, in the narrowest type that holds them.
template <class T>
nb::object narrowed(nb::object table) {
    const Buffer buffer(table, "table", 2);
    const Index size = buffer.rows() * buffer.columns();
    const T* const from = buffer.contiguous<T>();
    T most{0};
    for (Index i = 0; i < size; ++i) most = std::max(most, from[i]);
    nb::object result = table;
    narrowest(static_cast<double>(most), [&]<class Narrow>(Narrow) {
        if constexpr (sizeof(Narrow) < sizeof(T)) {
            result = unwritten<Narrow>(buffer.rows(), buffer.columns());
            std::copy_n(from, size, Buffer(result, "result", 2, true).contiguous<Narrow>());
        }
    });
    return result;
}

}  // namespace candide
