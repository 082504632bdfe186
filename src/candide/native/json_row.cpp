// One row that is a JSON object, answered in JSON and counted: no Python object is made for any of its cells.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "bindings.hpp"

namespace candide {

// The keys and plain values of an object, one after the other. A zero stands behind the bytes.
class JsonCells {
  public:
    explicit JsonCells(const nb::bytes& body) : at(body.c_str()), end(at + body.size()) {}

    // Take a character, after spaces.
    bool take(char c) {
        // ends: at the zero behind the bytes, if not before
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') ++at;
        if (*at != c) return false;
        ++at;
        return true;
    }

    // A text with its quotes; empty where there is none, or it has escapes.
    std::string_view text() {
        if (!take('"')) return {};
        const char* const begin = at - 1;
        // ends: at the zero behind the bytes, if not before
        while (*at != '"') {
            if (*at == '\\' || static_cast<unsigned char>(*at) < ' ') return {};
            ++at;
        }
        return {begin, static_cast<std::size_t>(++at - begin)};
    }

    // A text, a number or a word, up to what follows a value; whether it is one, whoever reads it will see.
    std::string_view value() {
        const std::string_view found = text();
        if (!found.empty()) return found;
        const char* const begin = at;
        // ends: at the zero behind the bytes, if not before
        while (*at > ' ' && *at != ',' && *at != '}' && *at != '"') ++at;
        return {begin, static_cast<std::size_t>(at - begin)};
    }

    bool ends() { return take('\0') && at == end + 1; }

  private:
    const char* at;
    const char* const end;
};

static const char* digits(const char* at, const char* end) {
    // ends: at the end, if not before
    while (at != end && *at >= '0' && *at <= '9') ++at;
    return at;
}

// The number that a value is, as JSON writes it; NaN where it is none, or none of the ordinary ones.
static double json_number(std::string_view value) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const char *const end = value.data() + value.size(), *const whole = value.data() + (value.front() == '-');
    const char* at = digits(whole, end);
    if (at == whole || (*whole == '0' && at > whole + 1)) return none;
    if (at != end && *at == '.') {
        const char* const part = at + 1;
        if ((at = digits(part, end)) == part) return none;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
        const char* const power = at + 1 + (at + 1 != end && (at[1] == '+' || at[1] == '-'));
        if ((at = digits(power, end)) == power) return none;
    }
    if (at != end) return none;
    double x = none;
#ifdef __cpp_lib_to_chars
    if (std::from_chars(value.data(), end, x).ec != std::errc()) return none;
#else
    x = PyOS_string_to_double(value.data(), const_cast<char**>(&at), nullptr);
    if (x == -1.0 && PyErr_Occurred() != nullptr) nb::raise_python_error();
#endif
    return std::isfinite(x) ? x : none;
}

// The parts of columns are read as Python has them, which is quicker than by casts that hold references.
static Index whole(nb::handle tuple, Py_ssize_t i) {
    const Py_ssize_t found = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple.ptr(), i));
    if (found == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return found;
}

static double real(PyObject* number) {
    const double found = PyFloat_AsDouble(number);
    if (found == -1.0 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return found;
}

// How many of ascending cuts lie below a number.
static Index below(PyObject* cuts, double x) {
    if (!PyList_Check(cuts)) throw nb::type_error("cuts must be a list");
    Index first = 0, last = PyList_GET_SIZE(cuts);
    // ends: the range is halved each time
    while (first < last) {
        const Index middle = (first + last) / 2;
        if (real(PyList_GET_ITEM(cuts, middle)) < x) first = middle + 1;
        else last = middle;
    }
    return first;
}

static nb::tuple tuple_of(nb::handle given) {
    if (!PyTuple_Check(given.ptr())) throw nb::type_error("a column is a tuple");
    return nb::borrow<nb::tuple>(given);
}

static nb::object entry(nb::handle dict, std::string_view key) {
    const nb::bytes name(key.data(), key.size());
    PyObject* found = PyDict_GetItemWithError(dict.ptr(), name.ptr());  // refuses what is no dict
    if (found == nullptr && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return nb::borrow(nb::handle(found));
}

static void write(std::string& out, std::string_view text) { out.append(text); }

// A number as JSON writes it, by the fewest digits that tell it apart.
static void write(std::string& out, double x) {
#ifdef __cpp_lib_to_chars
    char text[32];
    const std::string_view found(text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, x).ptr - text));
    write(out, found);
    if (found.find_first_of(".e") == std::string_view::npos) write(out, ".0");
#else
    char* text = PyOS_double_to_string(x, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
    if (text == nullptr) nb::raise_python_error();
    write(out, std::string_view(text));
    PyMem_Free(text);
#endif
}

static std::string_view spelt(const nb::list& texts, Index c) {
    PyObject* text = PyList_GET_ITEM(texts.ptr(), c);
    if (!PyBytes_Check(text)) throw nb::type_error("a class is spelt by bytes");
    return {PyBytes_AS_STRING(text), static_cast<std::size_t>(PyBytes_GET_SIZE(text))};
}

// What the columns say of the cells that were found of them. A column is a key with its quotes, and of levels their
// places in table and counts by how JSON writes them; of numbers the place in the counts of those below the first cut,
// and the cuts; the same for the table; or, for a parabola, the row of its curve, its ends, and whether of logarithms.
class JsonRow {
  public:
    JsonRow(const nb::list& columns, const Buffer& table, const Buffer& curves, const Buffer& counts)
        : columns(columns), table(table), curves(curves), counts(counts), K(table.columns()),
          cells(columns.size()), total(static_cast<std::size_t>(5 * K)) {}

    // Read the value of a column; false where it has one already, or this is none of its ordinary ones.
    bool read(Index j, std::string_view value) {
        Cell& cell = cells[j];
        if (cell.found || value.empty()) return false;
        const nb::tuple column = tuple_of(columns[j]);
        const auto part = [&column](Py_ssize_t i) { return PyTuple_GET_ITEM(column.ptr(), i); };
        if (column.size() == of_levels) {
            const nb::object places = entry(part(1), value);
            if (!places.is_valid()) return false;
            const nb::tuple both = tuple_of(places);
            if (both.size() != 2) throw nb::type_error("a level has two places");
            cell = {true, whole(both, 0), whole(both, 1), 0.0};
            return true;
        }
        double x = json_number(value);
        if (std::isnan(x)) return false;
        if (column.size() != of_cuts && column.size() != of_curve) throw nb::type_error("a column is of no known kind");
        const Index counted = whole(column, 1) + below(part(2), x), start = whole(column, 3);
        if (column.size() == of_cuts) {
            cell = {true, start + below(part(4), x), counted, 0.0};
            return true;
        }
        x = std::min(std::max(x, real(part(4))), real(part(5)));
        const bool logarithm = part(6) == Py_True;
        if (logarithm && x <= 0) return false;
        cell = {true, start, counted, logarithm ? std::log(x) : x};
        return true;
    }

    // The answer and its class, and the cells are counted; None where a column has no cell, or no class is possible.
    nb::object answer(const nb::list& labels, const nb::list& texts, double tie) {
        add(table.doubles(), table.rows(), 0);  // the prior
        for (std::size_t j = 0; j < cells.size(); ++j) {
            if (!cells[j].found) return nb::none();
            if (tuple_of(columns[j]).size() == of_curve) add_parabola(cells[j]);
            else add(table.doubles(), table.rows(), cells[j].place);
        }
        if (loops().normalize(total.data(), 1, K, tie, total.data() + K) != 0) return nb::none();
        auto* n = counts.contiguous<std::int64_t>();
        for (const Cell& cell : cells) within(cell.counted, counts.rows());
        for (const Cell& cell : cells) ++n[cell.counted];
        const Index best = std::max_element(total.data(), total.data() + K) - total.data();  // the first of equals
        std::string out = "{\"label\":";
        write(out, spelt(labels, best));
        write(out, ",\"chance\":");
        write(out, std::exp(total[best]));
        write(out, ",\"chances\":{");
        for (Index k = 0; k < K; ++k) {
            if (k > 0) write(out, ",");
            write(out, spelt(texts, k));
            write(out, ":");
            write(out, std::exp(total[k]));
        }
        write(out, "}}");
        return nb::make_tuple(nb::bytes(out.data(), out.size()), best);
    }

  private:
    static constexpr std::size_t of_levels = 2, of_cuts = 5, of_curve = 7;  // by how many parts columns have

    struct Cell {
        bool found = false;
        Index place = 0, counted = 0;
        double x = 0.0;  // on the parabola
    };

    static void within(Index place, Index places) {
        if (place < 0 || place >= places) throw std::out_of_range("a place is outside of its table");
    }

    void add(const double* terms, Index places, Index place) {
        within(place, places);
        for (Index k = 0; k < K; ++k) total[k] += terms[place * K + k];
    }

    void add_parabola(const Cell& cell) {
        within(cell.place, curves.rows() - 2);
        const double* curve = curves.doubles() + cell.place * K;
        for (Index k = 0; k < K; ++k) {
            const double off = cell.x - curve[K + k];
            total[k] += curve[k] + curve[2 * K + k] * off * off;
        }
    }

    const nb::list& columns;
    const Buffer &table, &curves, &counts;
    const Index K;
    std::vector<Cell> cells;
    std::vector<double> total;
};

static nb::object py_json_row_answer(const nb::bytes& body, const nb::list& columns, const nb::dict& index,
                                     nb::handle table, nb::handle curves, nb::handle counts, const nb::list& labels,
                                     const nb::list& texts, double tie) {
    const Buffer places(table, "table", 2), shapes(curves, "curves", 2), into(counts, "counts", 1, true);
    if (places.columns() == 0 || places.rows() == 0) throw std::invalid_argument("table has no classes");
    shapes.expect(shapes.rows(), places.columns());
    const auto K = static_cast<std::size_t>(places.columns());
    if (labels.size() != K || texts.size() != K) throw std::invalid_argument("every class has a label and a text");
    JsonRow row(columns, places, shapes, into);
    JsonCells cells(body);
    const auto n = static_cast<Index>(columns.size());
    if (!cells.take('{')) return nb::none();
    Index j = -1;
    do {
        const std::string_view key = cells.text();
        if (key.empty() || !cells.take(':')) return nb::none();
        if (++j < n) {  // keys usually come in the order of the columns
            const nb::object guess = tuple_of(columns[j])[0];
            if (!PyBytes_Check(guess.ptr())) throw nb::type_error("a key is bytes");
            const auto size = static_cast<std::size_t>(PyBytes_GET_SIZE(guess.ptr()));
            if (std::string_view(PyBytes_AS_STRING(guess.ptr()), size) != key) j = n;
        }
        if (j >= n) {
            const nb::object found = entry(index, key);
            if (!found.is_valid()) return nb::none();
            j = nb::cast<Index>(found);
            if (j < 0 || j >= n) throw std::out_of_range("a column is not there");
        }
        if (!row.read(j, cells.value())) return nb::none();
    } while (cells.take(','));  // ends: every cell has a byte at least
    return cells.take('}') && cells.ends() ? row.answer(labels, texts, tie) : nb::none();
}

void bind_json_row(nb::module_& m) {
    using namespace nb::literals;
    m.def("json_row_answer", &py_json_row_answer, "body"_a, "columns"_a, "index"_a, "table"_a, "curves"_a, "counts"_a,
          "labels"_a, "texts"_a, "tie"_a = 0.0);
}

}  // namespace candide
