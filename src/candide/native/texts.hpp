// Texts numbered as they come, wherever their bytes lie.
#pragma once

#include <cstring>
#include <optional>

#include "parallel.hpp"

namespace candide {

// The bytes of a text: those of one column lie in forms of which equal texts have equal ones.
struct Spelling {
    const char* data;
    std::size_t bytes;
    std::size_t shape;  // how many bytes, and how many of them make a character

    Spelling(const char* at, std::size_t n, std::size_t per_character = 1)
        : data(at), bytes(n), shape(n << 3 | per_character) {}

    bool operator==(const Spelling& other) const {
        if (shape != other.shape) return false;
        if (bytes < 8 || bytes > 16) return std::memcmp(data, other.data, bytes) == 0;
        return read<std::uint64_t>(0) == other.read<std::uint64_t>(0) && last() == other.last();
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

// The number of each text, in the order in which they came, and the row where each came first.
class TextNumbers {
  public:
    TextNumbers() : slots(1024, Slot{0, -1, 0}) {}

    std::int32_t number(const Spelling& text, Index row) {
        const std::uint64_t hash = text.hash();
        const auto shape = static_cast<std::uint32_t>(text.shape);
        const std::size_t mask = slots.size() - 1;  // a power of two less one: a division would cost more than the rest
        std::size_t at = hash & mask;
        for (; slots[at].number >= 0; at = (at + 1) & mask)  // ends: half of them are empty
            if (slots[at].hash == hash && slots[at].shape == shape
                && (text.short_enough() || texts[slots[at].number] == text))
                return slots[at].number;
        const auto number = static_cast<std::int32_t>(texts.size());
        slots[at] = {hash, number, shape};
        texts.push_back(text), rows.push_back(row);
        if (2 * texts.size() > slots.size()) grow();
        return number;
    }

    std::vector<Spelling> texts;
    std::vector<Index> rows;

  private:
    struct Slot {
        std::uint64_t hash;
        std::int32_t number;
        std::uint32_t shape;
    };

    void grow() {
        std::vector<Slot> old(2 * slots.size(), Slot{0, -1, 0});
        old.swap(slots);
        const std::size_t mask = slots.size() - 1;
        for (const Slot& slot : old) {
            if (slot.number < 0) continue;
            std::size_t at = slot.hash & mask;
            while (slots[at].number >= 0) at = (at + 1) & mask;  // ends: half of them are empty
            slots[at] = slot;
        }
    }

    std::vector<Slot> slots;
};

inline constexpr Index work_of_a_text = 16;
inline constexpr std::int32_t gap = -1, no_text = -2;

// The code of each text by its first appearance, -1 where a cell is missing, and the rows where they come first;
// nothing where a cell is neither a text nor missing. Each block of rows numbers its own texts, which become one in
// the order of blocks.
//
// cells.reader() -> read(row, numbers) -> the number of a cell's text, gap or no_text
template <class Cells>
std::optional<std::vector<Index>> text_codes(const Cells& cells, std::int32_t* codes) {
    const Division division = divide(cells.rows, work_of_a_text);
    std::vector<TextNumbers> parts(static_cast<std::size_t>(division.blocks));
    std::atomic<bool> good = true;
    parallel_rows(division, cells.rows, [&](Index block, Index begin, Index end) {
        auto read = cells.reader();
        for (Index row = begin; row < end; ++row) {
            codes[row] = read(row, parts[block]);
            if (codes[row] == no_text || !good) {
                good = false;
                return;
            }
        }
    });
    if (!good) return std::nullopt;
    if (parts.size() == 1) return parts[0].rows;
    TextNumbers all;
    std::vector<std::vector<std::int32_t>> renumbered(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part)
        for (std::size_t i = 0; i < parts[part].texts.size(); ++i)
            renumbered[part].push_back(all.number(parts[part].texts[i], parts[part].rows[i]));
    parallel_rows(division, cells.rows, [&](Index block, Index begin, Index end) {
        if (block == 0) return;  // whose texts came first
        for (Index row = begin; row < end; ++row)
            if (codes[row] >= 0) codes[row] = renumbered[block][codes[row]];
    });
    return all.rows;
}

}  // namespace candide
