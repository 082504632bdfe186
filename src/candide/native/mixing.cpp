// Text and tables of whole numbers in few bytes.
#include "mixing.hpp"

#include <limits>

#include "bindings.hpp"

namespace candide {

static std::string_view viewed(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

static nb::bytes py_mixed(const nb::bytes& text, const nb::bytes& primer, nb::handle shapes, nb::handle numbers) {
    const Buffer sizes(shapes, "shapes", 2), cells(numbers, "numbers", 1);
    const auto* const of = sizes.contiguous<const std::int64_t>();
    const auto* const z = cells.contiguous<const std::int64_t>();
    if (sizes.columns() != 2 || sizes.rows() > mixing::most_tables)
        throw std::invalid_argument("shapes must have two columns, and at most 2^20 rows");
    Index total = 0;
    bool fit = true;
    for (Index k = 0; k < sizes.rows(); ++k) {
        const std::int64_t told = of[2 * k], columns = of[2 * k + 1];
        fit = fit && told && told >= -cells.rows() && columns > 0 && std::abs(told) <= (cells.rows() - total) / columns;
        if (!fit) break;
        const Index begin = total;
        total += std::abs(told) * columns;
        if (told < 0 && std::any_of(z + begin, z + total, [](std::int64_t x) { return x < 0; }))
            throw std::invalid_argument("roots must not lie below zero");
    }
    if (!fit || total != cells.rows())
        throw std::invalid_argument("shapes must have at least one row and column each, and be those of numbers");
    const std::int64_t beyond = std::int64_t{1} << (mixing::longest - 2);
    if (std::any_of(z, z + total, [&](std::int64_t x) { return x <= -beyond || x >= beyond; }))
        throw std::invalid_argument("numbers must lie below 2^30, on either side of zero");
    const auto given = viewed(text);
    if (given.find('\0') != given.npos) throw std::invalid_argument("text must have no zero byte");
    const auto first = viewed(primer);
    mixing::Content content{std::string(given), {of, of + 2 * sizes.rows()}, {z, z + total}};
    std::string coded;
    {
        Released _;
        mixing::Encoder encoder;
        mixing::run(encoder, first, content, std::numeric_limits<Index>::max());
        coded = encoder.ended();
    }
    return nb::bytes(coded.data(), coded.size());
}

static nb::tuple py_unmixed(const nb::bytes& coded, const nb::bytes& primer, Index most) {
    const auto given = viewed(coded), first = viewed(primer);
    mixing::Content content;
    try {
        Released _;
        mixing::Decoder decoder(given);
        mixing::run(decoder, first, content, std::min(most, Index{1} << 28));  // sums of so many fit into 64 bits
        decoder.end();
    } catch (const mixing::Broken& broken) {
        throw std::invalid_argument(broken.what());
    }
    return nb::make_tuple(nb::bytes(content.text.data(), content.text.size()), as_bytes(content.shapes),
                          as_bytes(content.numbers));
}

void bind_mixing(nb::module_& m) {
    using namespace nb::literals;
    m.def("mixed", &py_mixed, "text"_a, "primer"_a, "shapes"_a, "numbers"_a);
    m.def("unmixed", &py_unmixed, "coded"_a, "primer"_a, "most"_a);
}

}  // namespace candide
