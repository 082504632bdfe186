// Records of CSV and of JSON.
#include "records.hpp"

#include "bindings.hpp"

namespace candide {

template <Index (*find)(const char*, Index, char)>
static Index found_in(nb::handle block, const nb::bytes& separator) {
    if (separator.size() != 1) throw std::invalid_argument("the separator must be one byte");
    const Buffer given(block, "block", 1);
    const auto* bytes = reinterpret_cast<const char*>(given.contiguous<const std::uint8_t>());
    const Index size = given.rows();
    const char between = separator.c_str()[0];
    Released _;
    return find(bytes, size, between);
}

static Index py_object_end(nb::handle block) {
    const Buffer given(block, "block", 1);
    const auto* bytes = reinterpret_cast<const char*>(given.contiguous<const std::uint8_t>());
    const Index size = given.rows();
    Released _;
    return object_end(bytes, size);
}

static Index py_count_byte(nb::handle block, const nb::bytes& byte) {
    if (byte.size() != 1) throw std::invalid_argument("one byte is counted");
    const Buffer given(block, "block", 1);
    const auto* bytes = given.contiguous<const std::uint8_t>();
    const Index size = given.rows();
    const auto counted = static_cast<std::uint8_t>(byte.c_str()[0]);
    Released _;
    return count_byte(bytes, size, counted);
}

void bind_records(nb::module_& m) {
    using namespace nb::literals;
    m.def("record_end", &found_in<record_end>, "block"_a, "separator"_a);
    m.def("open_quote", &found_in<open_quote>, "block"_a, "separator"_a);
    m.def("object_end", &py_object_end, "block"_a);
    m.def("count_byte", &py_count_byte, "block"_a, "byte"_a);
}

}  // namespace candide
