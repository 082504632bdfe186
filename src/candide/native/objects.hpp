// Columns of Python's str objects, read where they lie: no object is made, and none is kept.
//
// Whoever calls holds the interpreter, so that nothing changes meanwhile; its threads touch no reference count.
#pragma once

#include <Python.h>

#include <cmath>

#include "texts.hpp"

namespace candide {

inline bool is_text(PyObject* cell) {
#if PY_VERSION_HEX < 0x030c0000
    return PyUnicode_Check(cell) && PyUnicode_IS_READY(cell);
#else
    return PyUnicode_Check(cell);
#endif
}

inline bool is_gap(PyObject* cell) { return cell == Py_None || (PyFloat_Check(cell) && std::isnan(PyFloat_AS_DOUBLE(cell))); }

// Python holds a text in the narrowest form that holds its characters.
inline Spelling spelling(PyObject* text) {
    const auto width = static_cast<std::size_t>(PyUnicode_KIND(text));
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
    return {static_cast<const char*>(PyUnicode_DATA(text)), length * width, width};
}

// A column of objects.
struct Objects {
    const char* data;
    Index rows, step;

    PyObject* operator[](Index row) const { return *reinterpret_cast<PyObject* const*>(data + row * step); }

    // Objects lie anywhere in memory: ask for one some rows before it is looked at, its head and a short text.
    void ask_for(Index row) const {
        if (row >= rows) return;
        const auto* object = reinterpret_cast<const char*>((*this)[row]);
        __builtin_prefetch(object), __builtin_prefetch(object + 63);
    }

    // The same object is known again by its place, without being looked at.
    auto reader() const {
        return [this, places = std::vector<Place>(known_places)](Index row, TextNumbers& numbers) mutable {
            ask_for(row + rows_ahead);
            PyObject* cell = (*this)[row];
            if (!is_text(cell)) return is_gap(cell) ? gap : no_text;
            Place& place = places[(reinterpret_cast<std::uintptr_t>(cell) >> 4) % known_places];
            if (place.text != cell) place = {cell, numbers.number(spelling(cell), row)};
            return place.number;
        };
    }

  private:
    static constexpr std::size_t known_places = 1024;
    static constexpr Index rows_ahead = 24;
    struct Place {
        PyObject* text = nullptr;
        std::int32_t number = -1;
    };
};

}  // namespace candide
