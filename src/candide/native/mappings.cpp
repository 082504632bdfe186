// Rows that are dicts, scored from tables and counted: Python's own objects in and out, since an array of a few numbers costs more
// than what is done with them.
#include "bindings.hpp"

namespace candide {

static constexpr Index unseen = 1, known = 2;  // places in a column's part of the table, counted from its missing cell
static constexpr double odd = std::numeric_limits<double>::quiet_NaN();

// What a dict holds, borrowed; null where it holds nothing, or None.
static PyObject* held(nb::handle dict, nb::handle key) {
    PyObject* value = PyDict_GetItemWithError(dict.ptr(), key.ptr());
    if (value == nullptr && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return value == Py_None ? nullptr : value;
}

// An ordinary number, or odd.
static double number_of(PyObject* cell) {
    double x = odd;
    if (PyFloat_CheckExact(cell)) {
        x = PyFloat_AS_DOUBLE(cell);
    } else if (PyLong_CheckExact(cell)) {
        x = PyLong_AsDouble(cell);
        if (x == -1.0 && PyErr_Occurred() != nullptr) {  // no double holds it
            PyErr_Clear();
            return odd;
        }
    }
    return std::isfinite(x) ? x : odd;
}

// How many of ascending cuts lie below a number.
static Index cuts_below(const nb::list& cuts, double x) {
    Index first = 0, last = static_cast<Index>(cuts.size());
    // ends: the range is halved each time
    while (first < last) {
        const Index middle = (first + last) / 2;
        if (nb::cast<double>(cuts[middle]) < x) first = middle + 1;
        else last = middle;
    }
    return first;
}

// The row that is scored: each add() reads the cell of one column, and says whether it is an ordinary one.
class RowOfCells {
  public:
    RowOfCells(const nb::dict& row, const double* table, Index places, Index classes)
        : row(row), table(table), places(places), K(classes), total(static_cast<std::size_t>(5 * classes)) {
        add_place(0);  // the prior's
    }

    bool add_level(const nb::tuple& column) {
        const auto start = nb::cast<Index>(column[1]);
        PyObject* cell = cell_of(column);
        if (cell == nullptr) return add_place(start);
        if (reinterpret_cast<PyObject*>(Py_TYPE(cell)) != nb::handle(column[3]).ptr()) return false;
        if (PyObject* place = held(column[2], cell)) return add_place(nb::cast<Index>(nb::handle(place)));
        if (PyUnicode_CheckExact(cell)) {
            const nb::object folded = nb::handle(cell).attr("strip")().attr("casefold")().attr("lstrip")("0");
            const nb::object first = nb::str("0") + folded[nb::slice(1)];
            PyObject* odd_ones = nb::handle(column[4]).ptr();
            if (PySet_Contains(odd_ones, folded.ptr()) != 0 || PySet_Contains(odd_ones, first.ptr()) != 0) return false;
        }
        never_seen.append(column[0]);
        return add_place(start + unseen);
    }

    bool add_step(const nb::tuple& column) {
        const auto start = nb::cast<Index>(column[1]);
        PyObject* cell = cell_of(column);
        if (cell == nullptr) return add_place(start);
        const double x = number_of(cell);
        return !std::isnan(x) && add_place(start + known + cuts_below(nb::borrow<nb::list>(column[2]), x));
    }

    bool add_parabola(const nb::tuple& column, const double* curve) {
        PyObject* cell = cell_of(column);
        if (cell == nullptr) return add_place(nb::cast<Index>(column[1]));
        double x = number_of(cell);
        if (std::isnan(x)) return false;
        x = std::min(std::max(x, nb::cast<double>(column[2])), nb::cast<double>(column[3]));
        if (nb::cast<bool>(column[4])) {
            if (x <= 0) return false;
            x = std::log(x);
        }
        for (Index k = 0; k < K; ++k) {
            const double off = x - curve[K + k];
            total[k] += curve[k] + curve[2 * K + k] * off * off;
        }
        return true;
    }

    void add(const double* terms) {
        for (Index k = 0; k < K; ++k) total[k] += terms[k];
    }

    // The posterior, the columns with a level that was never seen, and how many cells are known; None where no class
    // is possible.
    nb::object posterior(double tie) {
        if (loops().normalize(total.data(), 1, K, tie, total.data() + K) != 0) return nb::none();
        nb::list log_p;
        for (Index k = 0; k < K; ++k) log_p.append(total[k]);
        return nb::make_tuple(log_p, never_seen, n_known);
    }

  private:
    PyObject* cell_of(const nb::tuple& column) {
        PyObject* cell = held(row, column[0]);
        n_known += cell != nullptr;
        return cell;
    }

    bool add_place(Index place) {
        if (place < 0 || place >= places) throw std::out_of_range("a place is outside of the table");
        add(table + place * K);
        return true;
    }

    const nb::dict& row;
    const double* table;
    Index places, K;
    std::vector<double> total;
    nb::list never_seen;
    Index n_known = 0;
};

static nb::object py_row_log_posterior(const nb::dict& row, const nb::list& levels, const nb::list& steps,
                                       const nb::list& parabolas, nb::handle table, nb::handle curves,
                                       const nb::list& more, double tie) {
    const Buffer places(table, "table", 2), shapes(curves, "curves", 2);
    const Index K = places.columns();
    if (K == 0 || places.rows() == 0) throw std::invalid_argument("table has no classes");
    shapes.expect(3 * static_cast<Index>(parabolas.size()), K);
    RowOfCells sum(row, places.doubles(), places.rows(), K);
    for (const nb::handle column : levels)
        if (!sum.add_level(nb::borrow<nb::tuple>(column))) return nb::none();
    for (const nb::handle column : steps)
        if (!sum.add_step(nb::borrow<nb::tuple>(column))) return nb::none();
    const double* curve = shapes.doubles();
    for (const nb::handle column : parabolas) {
        if (!sum.add_parabola(nb::borrow<nb::tuple>(column), curve)) return nb::none();
        curve += 3 * K;
    }
    for (const nb::handle terms : more) {
        const Buffer term(terms, "more", 1);
        term.expect(K, 1);
        sum.add(term.doubles());
    }
    return sum.posterior(tie);
}

// The place of a cell among a column's counts; a column without cuts takes any cell for a number.
static Index counted_at(PyObject* cell, const nb::tuple& column) {
    const auto start = nb::cast<Index>(column[1]);
    if (cell == nullptr) return start;
    if (!nb::handle(column[2]).is_none()) {
        PyObject* place = held(column[2], cell);
        return place == nullptr ? start + unseen : nb::cast<Index>(nb::handle(place));
    }
    const auto cuts = nb::borrow<nb::list>(column[3]);
    if (cuts.size() == 0) return start + known;
    const double x = PyFloat_AsDouble(cell);
    if (x == -1.0 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return start + known + cuts_below(cuts, x);
}

static void py_count_cells(const nb::list& rows, const nb::list& columns, nb::handle counts) {
    const Buffer into(counts, "counts", 1, true);
    auto* n = into.contiguous<std::int64_t>();
    for (const nb::handle given : rows) {
        const auto row = nb::borrow<nb::dict>(given);
        for (const nb::handle told : columns) {
            const auto column = nb::borrow<nb::tuple>(told);
            const Index place = counted_at(held(row, column[0]), column);
            if (place < 0 || place >= into.rows()) throw std::out_of_range("a place is outside of the counts");
            ++n[place];
        }
    }
}

void bind_mappings(nb::module_& m) {
    using namespace nb::literals;
    m.def("row_log_posterior", &py_row_log_posterior, "row"_a, "levels"_a, "steps"_a, "parabolas"_a, "table"_a,
          "curves"_a, "more"_a, "tie"_a = 0.0);
    m.def("count_cells", &py_count_cells, "rows"_a, "columns"_a, "counts"_a);
}

}  // namespace candide
