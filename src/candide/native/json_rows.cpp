// Lines of JSON objects as rows of CSV.
#include "json_rows.hpp"

#include "bindings.hpp"

namespace candide {

static const char* told(JsonKind kind) {
    switch (kind) {
        case JsonKind::null: return "null";
        case JsonKind::boolean: return "bool";
        case JsonKind::whole: return "int64";
        case JsonKind::number: return "double";
        default: return "string";
    }
}

static nb::object py_json_rows(const nb::bytes& lines) {
    PyObject* rows = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(lines.size()) + 1);
    if (!rows) nb::raise_python_error();
    char* const into = PyBytes_AS_STRING(rows);
    JsonColumns columns;
    char* end = nullptr;
    {
        Released _;
        end = JsonLines(lines.c_str(), lines.c_str() + lines.size(), columns, into).read();
    }
    if (!end) {
        Py_DECREF(rows);
        return nb::none();
    }
    if (_PyBytes_Resize(&rows, end - into) != 0) nb::raise_python_error();
    nb::list keys, kinds;
    for (const std::string_view key : columns.keys) keys.append(nb::bytes(key.data() + 1, key.size() - 2));
    for (const JsonKind kind : columns.kinds) kinds.append(told(kind));
    return nb::make_tuple(keys, kinds, nb::steal(rows));
}

void bind_json_rows(nb::module_& m) {
    using namespace nb::literals;
    m.def("json_rows", &py_json_rows, "lines"_a);
}

}  // namespace candide
