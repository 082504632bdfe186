// The combinations of groups: counted, found among those of other values, and moved there.
#include "bindings.hpp"
#include "joint_sorted.hpp"

namespace candide {

// How many cells each member of a group has: its levels, and one for missing.
static std::vector<std::int64_t> cells_of_members(const Buffer& sizes, Index n_members) {
    sizes.expect(n_members, 1);
    const auto* size = sizes.contiguous<const std::int64_t>();
    std::vector<std::int64_t> n_cells;
    for (Index g = 0; g < n_members; ++g) {
        if (size[g] < 0 || size[g] >= code_limit)
            throw std::invalid_argument("sizes must be from 0 to a billion, but are not at " + std::to_string(g));
        n_cells.push_back(size[g] + 1);
    }
    return n_cells;
}

// A place for each combination that may be.
static nb::tuple few_combinations_counted(const Members& members, Index few, const Rows& rows) {
    JointCounts found;
    {
        Released _;
        found = few_joint_counts(members, few, rows);
    }
    return nb::make_tuple(to_table(found.combinations, found.size, members.codes.columns),
                          narrowed<std::int64_t>(to_table(found.counts, rows.n_classes, found.size)), nb::none());
}

// The rows sorted by their combinations.
template <bool weighed, class Number, class Rest>
static nb::tuple sorted_combinations(const Members& members, const Rows& rows, const RowBits& bits) {
    std::optional<SortedJoint<Number, Rest, weighed>> joint;
    {
        Released _;
        joint.emplace(members, rows, bits);
    }
    nb::object combinations = unwritten<std::int32_t>(joint->size(), members.codes.columns);
    auto* const cells = Buffer(combinations, "combinations", 2, true).contiguous<std::int32_t>();
    const auto write = [&]<class Count>(Count) {
        nb::object table = zeros<Count>(rows.n_classes, joint->size());
        auto* const into = Buffer(table, "counts", 2, true).contiguous<Count>();
        Released _;
        joint->write(cells, into);
        return table;
    };
    if constexpr (weighed) return nb::make_tuple(combinations, write(double{}), nb::none());
    nb::object counts;
    narrowest(static_cast<double>(joint->most_alike()), [&]<class Count>(Count zero) { counts = narrowed<Count>(write(zero)); });
    return nb::make_tuple(combinations, counts, nb::none());
}

// In the narrowest numbers that tell the rows.
template <bool weighed>
static nb::tuple sorted_combinations(const Members& members, const Rows& rows, const RowBits& bits) {
    using std::uint16_t, std::uint32_t, std::uint64_t;
    if (bits.rest() >= 32) return sorted_combinations<weighed, uint64_t, uint64_t>(members, rows, bits);
    if (bits.all >= 32) return sorted_combinations<weighed, uint64_t, uint32_t>(members, rows, bits);
    if (bits.rest() >= 16 || weighed) return sorted_combinations<weighed, uint32_t, uint32_t>(members, rows, bits);
    return sorted_combinations<weighed, uint32_t, uint16_t>(members, rows, bits);
}

// Any number of combinations, few of rows that are weighed, and the combination of each row.
static nb::tuple ranked_combinations(const Members& members, const Rows& rows, bool placed) {
    nb::object place = zeros<std::int64_t>(members.codes.rows);
    const Buffer ranks(place, "place", 1, true);
    auto* rank = ranks.contiguous<std::int64_t>();
    std::optional<Joint> joint;
    {
        Released _;
        joint.emplace(members, rows, rank);
    }
    const Index M = joint->size();
    const std::int64_t offsets[] = {0, M};
    const auto counted = [&]<class Total>(Total) {
        nb::object counts = zeros<Total>(rows.n_classes, M);
        auto* table = Buffer(counts, "counts", 2, true).contiguous<Total>();
        std::vector<Total> missing(static_cast<std::size_t>(rows.n_classes));
        Released _;
        level_counts(ranks.matrix(), offsets, rows, table, missing.data());
        return counts;
    };
    const nb::object counts = rows.w ? counted(0.0) : narrowed<std::int64_t>(counted(std::int64_t{}));
    return nb::make_tuple(to_table(joint->cells(), M, members.codes.columns), counts, placed ? place : nb::none());
}

static nb::tuple py_joint_counts(nb::handle codes, nb::handle sizes, nb::handle y, Index n_classes, nb::handle w,
                                 bool placed) {
    const TableArgument cells(codes, "codes");
    const Buffer of_members(sizes, "sizes", 1);
    const Matrix matrix = cells.integers();
    const RowArguments arguments(y, matrix.rows, n_classes, w);
    const Rows& rows = arguments.rows;
    const Members members{matrix, cells_of_members(of_members, matrix.columns)};
    const auto few = few_combinations(members, n_classes);
    const RowBits bits(members, n_classes);
    if (placed || (few && rows.w) || (!few && bits.all >= 64)) return ranked_combinations(members, rows, placed);
    if (few) return few_combinations_counted(members, *few, rows);
    return rows.w ? sorted_combinations<true>(members, rows, bits) : sorted_combinations<false>(members, rows, bits);
}

// What the values of members' cells add to the place of a combination; the value of a cell is values[offsets[g] + cell],
// below sizes[g], and negative where it has none.
struct PlacesOfCells {
    Index G;
    const std::int64_t* start;
    std::vector<std::int64_t> adds;  // of each cell; negative where it has no value
    std::int64_t product = 1;        // of the sizes: behind the last place

    PlacesOfCells(const Buffer& values, const Buffer& offsets, const Buffer& sizes, Index n_members)
        : G(n_members), start(offsets.contiguous<const std::int64_t>()) {
        sizes.expect(G, 1), offsets.expect(G + 1, 1);
        const auto *value = values.contiguous<const std::int64_t>(), *size = sizes.contiguous<const std::int64_t>();
        adds.assign(value, value + values.rows());
        for (Index g = G; g-- > 0; product *= size[g]) {
            if (start[g] < 0 || start[g] > start[g + 1] || start[g + 1] > values.rows())
                throw std::invalid_argument("offsets must ascend within the values, but do not at " + std::to_string(g));
            if (size[g] < 0 || static_cast<double>(product) * static_cast<double>(size[g]) >= 0x1p62)
                throw std::invalid_argument("sizes must be of less than 2^62 combinations, but are not at " +
                                            std::to_string(g));
            for (Index cell = start[g]; cell < start[g + 1]; ++cell) {
                if (value[cell] >= size[g]) throw nb::index_error(beyond);
                adds[cell] = value[cell] < 0 ? -1 : value[cell] * product;
            }
        }
    }

    // Write the places of combinations begin .. end - 1; whether all cells are those of their members.
    template <class Cell, class Place>
    bool find(const Cell* cells, Index begin, Index end, Place* places) const {
        constexpr Index tile = 512;
        std::int64_t at[tile], unknown[tile];  // negative where a cell has no value
        for (Index first = begin; first < end; first += tile) {
            const Index n = std::min(tile, end - first);
            std::fill_n(at, n, 0), std::fill_n(unknown, n, 0);
            for (Index g = 0; g < G; ++g) {
                const std::int64_t *of_cell = adds.data() + start[g], n_cells = start[g + 1] - start[g];
                const Cell* cell = cells + first * G + g;
                for (Index i = 0; i < n; ++i, cell += G) {
                    if (*cell < 0 || *cell >= n_cells) return false;
                    const std::int64_t add = of_cell[*cell];
                    at[i] += add, unknown[i] |= add;
                }
            }
            for (Index i = 0; i < n; ++i) places[first + i] = static_cast<Place>(unknown[i] < 0 ? product : at[i]);
        }
        return true;
    }

    static constexpr const char* beyond = "a cell or its value is beyond those of its member";
};

// Where each combination of cells stands among all combinations of the values that these have; behind the last where a
// cell has none.
static nb::object py_joint_places(nb::handle cells, nb::handle values, nb::handle offsets, nb::handle sizes) {
    const Buffer combinations(cells, "cells", 2), of_cells(values, "values", 1), starts(offsets, "offsets", 1);
    const Buffer of_members(sizes, "sizes", 1);
    const Index M = combinations.rows(), G = combinations.columns();
    const PlacesOfCells of(of_cells, starts, of_members, G);
    const auto find = [&]<class Place>(Place) {
        nb::object places = unwritten<Place>(M);
        auto* const place = Buffer(places, "places", 1, true).contiguous<Place>();
        std::atomic<bool> inside{true};
        const auto among = [&](const auto* cell) {
            Released _;
            parallel_rows(divide(M, G + 1), M, [&](Index, Index begin, Index end) {
                if (!of.find(cell, begin, end, place)) inside = false;
            });
        };
        combinations.matrix().type == Type::i32 ? among(combinations.contiguous<const std::int32_t>())
                                                : among(combinations.contiguous<const std::int64_t>());
        if (!inside) throw nb::index_error(of.beyond);
        return places;
    };
    return of.product <= std::numeric_limits<std::int32_t>::max() ? find(std::int32_t{}) : find(std::int64_t{});
}

// Add numbers at their places, many to a few by turns to several sums of each: one waits for the one before it.
template <class T, class Place, class Total>
static void add_at(const T* from, const Place* at, Index n, Total* to, Index size) {
    constexpr Index turns = 4, few = 1024;
    Index i = 0;
    if (size <= few && n >= turns * few) {
        std::vector<Total> sums(static_cast<std::size_t>(turns * size));
        for (; i + turns <= n; i += turns)
            for (Index turn = 0; turn < turns; ++turn) sums[turn * size + at[i + turn]] += static_cast<Total>(from[i + turn]);
        for (Index turn = 0; turn < turns; ++turn)
            for (Index place = 0; place < size; ++place) to[place] += sums[turn * size + place];
    }
    for (; i < n; ++i) to[at[i]] += static_cast<Total>(from[i]);
}

// Columns of a table added into a new one of wide numbers at their places.
template <class T, class Place>
static nb::object move_columns(const Buffer& table, const Buffer& index, Index size) {
    using Total = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    const T* const from = table.contiguous<const T>();
    const Place* const at = index.contiguous<const Place>();
    const Index rows = table.rows(), n = table.columns();
    if (n && (*std::min_element(at, at + n) < 0 || *std::max_element(at, at + n) >= size))
        throw nb::index_error("an entry has no place among those it is moved to");
    nb::object moved = zeros<Total>(rows, size);
    Total* const to = Buffer(moved, "moved", 2, true).contiguous<Total>();
    Released _;
    parallel_rows({divide(rows, n).threads, rows}, rows, [&](Index, Index begin, Index end) {
        for (Index r = begin; r < end; ++r) add_at(from + r * n, at, n, to + r * size, size);
    });
    return moved;
}

static nb::object py_move_columns(nb::handle table, nb::handle index, Index size) {
    const Buffer cells(table, "table", 2), places(index, "index", 1);
    places.expect(cells.columns(), 1);
    const auto move = [&]<class T>(T) {
        return places.matrix().type == Type::i32 ? move_columns<T, std::int32_t>(cells, places, size)
                                                 : move_columns<T, std::int64_t>(cells, places, size);
    };
    switch (cells.matrix().type) {
        case Type::i8: return move(std::int8_t{});
        case Type::i16: return move(std::int16_t{});
        case Type::i32: return move(std::int32_t{});
        case Type::i64: return move(std::int64_t{});
        default: return move(0.0);
    }
}

void bind_joint(nb::module_& m) {
    using namespace nb::literals;
    m.def("joint_counts", &py_joint_counts, "codes"_a, "sizes"_a, "y"_a, "n_classes"_a, "w"_a = nb::none(),
          "placed"_a = true);
    m.def("joint_places", &py_joint_places, "cells"_a, "values"_a, "offsets"_a, "sizes"_a);
    m.def("move_columns", &py_move_columns, "table"_a, "index"_a, "size"_a);
}

}  // namespace candide
