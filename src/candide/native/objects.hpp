// Columns of Python's str objects as codes, read where they lie: no object is made, and none is kept.
//
// Whoever calls holds the interpreter, so that nothing changes meanwhile; its threads touch no reference count.
#pragma once

#include <Python.h>

#include <cmath>
#include <cstring>
#include <optional>

#include "parallel.hpp"

namespace candide {

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
};

inline constexpr Index rows_ahead = 24;

// The characters of a text, in the narrowest form that holds them: equal texts have equal bytes.
struct Characters {
    const char* data;
    std::size_t bytes;
    std::size_t shape;  // how many bytes, and how many of them make a character

    explicit Characters(PyObject* text)
        : data(static_cast<const char*>(PyUnicode_DATA(text))),
          bytes(static_cast<std::size_t>(PyUnicode_GET_LENGTH(text)) * PyUnicode_KIND(text)),
          shape(bytes << 3 | PyUnicode_KIND(text)) {}

    bool operator==(const Characters& other) const {
        return shape == other.shape && std::memcmp(data, other.data, bytes) == 0;
    }

    bool short_enough() const { return bytes <= 8; }

    // Every step is one-to-one, so that short texts of one shape are equal if their hashes are.
    std::uint64_t hash() const {
        std::uint64_t h = shape;
        for (std::size_t at = 0; at + 8 < bytes; at += 8) h = mixed(h ^ read<std::uint64_t>(at));
        return mixed(h ^ last());
    }

  private:
    // The last eight bytes, or all there are: by two reads that overlap, since a copy of any other size is a call.
    std::uint64_t last() const {
        if (bytes >= 8) return read<std::uint64_t>(bytes - 8);
        if (bytes >= 4) return std::uint64_t{read<std::uint32_t>(0)} << 32 | read<std::uint32_t>(bytes - 4);
        if (bytes == 0) return 0;
        return std::uint64_t{read<std::uint8_t>(0)} << 16 | std::uint64_t{read<std::uint8_t>(bytes / 2)} << 8
               | read<std::uint8_t>(bytes - 1);
    }
    template <class Word>
    Word read(std::size_t at) const {
        Word out;
        std::memcpy(&out, data + at, sizeof out);
        return out;
    }
    static std::uint64_t mixed(std::uint64_t h) {
        h *= 0x9e3779b97f4a7c15u;
        return h ^ (h >> 29);
    }
};

inline bool is_text(PyObject* cell) {
#if PY_VERSION_HEX < 0x030c0000
    return PyUnicode_Check(cell) && PyUnicode_IS_READY(cell);
#else
    return PyUnicode_Check(cell);
#endif
}

inline bool is_gap(PyObject* cell) { return cell == Py_None || (PyFloat_Check(cell) && std::isnan(PyFloat_AS_DOUBLE(cell))); }

// Texts numbered as they come. The same object is known again by its place, without being looked at.
class TextNumbers {
  public:
    TextNumbers() : slots(1024, Slot{0, -1, 0}), places(known_places, Place{nullptr, -1}) {}

    std::int32_t number(PyObject* text) {
        Place& place = places[(reinterpret_cast<std::uintptr_t>(text) >> 4) % known_places];
        if (place.text != text) place = {text, find_or_add(text)};
        return place.number;
    }

    const std::vector<PyObject*>& texts() const { return in_order; }

  private:
    static constexpr std::size_t known_places = 1024;
    struct Slot {
        std::uint64_t hash;
        std::int32_t number;
        std::uint32_t shape;
    };
    struct Place {
        PyObject* text;
        std::int32_t number;
    };

    std::int32_t find_or_add(PyObject* text) {
        const Characters characters(text);
        const std::uint64_t hash = characters.hash();
        const auto shape = static_cast<std::uint32_t>(characters.shape);
        const std::size_t mask = slots.size() - 1;  // a power of two less one: a division would cost more than the rest
        std::size_t at = hash & mask;
        for (; slots[at].number >= 0; at = (at + 1) & mask)
            if (slots[at].hash == hash && slots[at].shape == shape
                && (characters.short_enough() || Characters(in_order[slots[at].number]) == characters))
                return slots[at].number;
        const auto number = static_cast<std::int32_t>(in_order.size());
        slots[at] = {hash, number, shape};
        in_order.push_back(text);
        if (2 * in_order.size() > slots.size()) grow();
        return number;
    }
    void grow() {
        std::vector<Slot> old(2 * slots.size(), Slot{0, -1, 0});
        old.swap(slots);
        const std::size_t mask = slots.size() - 1;
        for (const Slot& slot : old) {
            if (slot.number < 0) continue;
            std::size_t at = slot.hash & mask;
            while (slots[at].number >= 0) at = (at + 1) & mask;
            slots[at] = slot;
        }
    }

    std::vector<Slot> slots;
    std::vector<Place> places;
    std::vector<PyObject*> in_order;
};

inline constexpr Index work_of_a_text = 16;

// The code of each text by its first appearance, -1 where a cell is missing, and the texts; nothing where a cell is
// neither a text nor missing. Each block of rows numbers its own texts, which become one in the order of blocks.
inline std::optional<std::vector<PyObject*>> text_codes(const Objects& cells, std::int32_t* codes) {
    const Division division = divide(cells.rows, work_of_a_text);
    std::vector<TextNumbers> parts(static_cast<std::size_t>(division.blocks));
    std::atomic<bool> good = true;
    parallel_rows(division, cells.rows, [&](Index block, Index begin, Index end) {
        for (Index row = begin; row < end && good; ++row) {
            cells.ask_for(row + rows_ahead);
            PyObject* cell = cells[row];
            if (is_text(cell)) codes[row] = parts[block].number(cell);
            else if (is_gap(cell)) codes[row] = -1;
            else good = false;
        }
    });
    if (!good) return std::nullopt;
    TextNumbers all;
    std::vector<std::vector<std::int32_t>> renumbered(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part)
        for (PyObject* text : parts[part].texts()) renumbered[part].push_back(all.number(text));
    parallel_rows(division, cells.rows, [&](Index block, Index begin, Index end) {
        if (block == 0) return;  // whose texts came first
        for (Index row = begin; row < end; ++row)
            if (codes[row] >= 0) codes[row] = renumbered[block][codes[row]];
    });
    return all.texts();
}

}  // namespace candide
