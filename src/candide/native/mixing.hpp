// Text and tables of whole numbers in few bytes: every bit is foretold by several contexts, whose forecasts are mixed by
// weights that learn, and is coded in as many bits as it surprises them. All of it is whole numbers, so that every
// machine reads what any other has written.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "bits.hpp"
#include "platform.hpp"

namespace candide::mixing {

using Wide = std::uint64_t;

inline constexpr int widest = 2047;                                 // of log-odds, in steps of 1 / 256
inline constexpr int slot_bits = 20;                                // places of what was seen in a context
inline constexpr int remembered = 30;                               // bits after which the oldest are forgotten
inline constexpr int pace = 6;                                      // of the weights
inline constexpr int whole = 85000;                                 // of the weights at first, in steps of 1 / 65536
inline constexpr int n = 6;                                         // contexts of a bit
inline constexpr int sets = 21;                                     // of weights, by the place of a bit in a number
inline constexpr int longest = 32;                                  // bits of a number
inline constexpr std::int64_t most_tables = 1 << 20;                // whose shapes are read before anything of them

// 1 / (1 + e^-x) and its inverse, rounded; none lies so near to a half that a library's last digit matters.
struct Tables {
    std::array<std::int16_t, 2 * widest + 1> chance;
    std::array<std::int16_t, chances> odds;
    std::array<std::int32_t, remembered + 1> rate;
    Tables() {
        for (int x = -widest; x <= widest; ++x)
            chance[x + widest] = static_cast<std::int16_t>(
                std::clamp<long>(std::lround(chances / (1 + std::exp(-x / 256.0))), 1, chances - 1));
        for (int p = 0; p < chances; ++p)
            odds[p] = static_cast<std::int16_t>(std::clamp<long>(
                std::lround(256 * std::log((p + 0.5) / (chances - p - 0.5))), -widest, widest));
        for (int seen = 0; seen <= remembered; ++seen) rate[seen] = 655360 / (10 * seen + 16);
    }
};

inline const Tables& tables() {
    static const Tables tables;
    return tables;
}

// What was seen in a context: the chance of a one less a half, in steps of 1 / 65536, and of how many bits.
struct Slot {
    std::int16_t beyond;
    std::uint16_t seen;
};

// Where what was seen in the i-th of the contexts begins.
inline Wide place(Wide context, int i) {
    const Wide hashed = (context + 1) * 0x9E3779B97F4A7C15u ^ static_cast<Wide>(i + 1) * 0xD6E8FEB86659FD93u;
    return hashed * 0xA24BAED4963EE407u >> (64 - slot_bits);
}

using Contexts = std::array<Wide, n>;

// Foretells bits by n contexts each.
template <class Coder>
class Mixer {
public:
    Mixer() : slots_(static_cast<Slot*>(std::calloc(std::size_t{1} << slot_bits, sizeof(Slot))), std::free) {
        if (!slots_) throw std::bad_alloc();
        for (auto& weights : weights_) weights.fill(whole / n);
    }

    // Codes a bit, or decodes it, and learns; without a coder it learns only. `node` is the place in the tree of bits
    // that make up a symbol, `set` that of the weights.
    int operator()(Coder* coder, const Contexts& contexts, Wide node, Wide set, int bit) {
        const Tables& t = tables();
        auto& weights = weights_[set];
        std::array<Slot*, n> at;
        std::array<int, n> odds;
        std::int64_t sum = 0;
        for (int i = 0; i < n; ++i) {
            at[i] = slots_.get() + (place(contexts[i], i) ^ node);
            odds[i] = at[i]->seen ? t.odds[(at[i]->beyond + 32768) >> 4] : 0;
            sum += weights[i] * odds[i];
        }
        const int chance = t.chance[std::clamp<std::int64_t>(sum >> 16, -widest, widest) + widest];
        if (coder) bit = (*coder)(chance, bit);
        const int missed = (bit << chance_bits) - chance;
        for (int i = 0; i < n; ++i) {
            weights[i] += (odds[i] * missed * pace + (1 << 13)) >> 14;
            const std::int64_t wanted = (bit ? 32767 : -32768) - at[i]->beyond;
            at[i]->beyond += static_cast<std::int16_t>(wanted * t.rate[at[i]->seen] >> 16);
            if (at[i]->seen < remembered) ++at[i]->seen;
        }
        return bit;
    }

private:
    std::unique_ptr<Slot[], void (*)(void*)> slots_;
    std::array<std::array<std::int64_t, n>, sets> weights_;
};

// Bytes by the 0, 1, 2, 3, 4 and 6 before them.
template <class Coder>
class Texts {
public:
    std::uint8_t operator()(Coder* coder, std::uint8_t given) {
        Contexts contexts{};
        for (int i = 0; i < n; ++i) contexts[i] = before_ & ((Wide{1} << 8 * (i < 5 ? i : 6)) - 1);
        unsigned node = 1;
        for (int k = 7; k >= 0; --k)
            node = node << 1 | static_cast<unsigned>(mixer_(coder, contexts, node, 0, given >> k & 1));
        before_ = before_ << 8 | (node & 255);
        return static_cast<std::uint8_t>(node);
    }

private:
    Mixer<Coder> mixer_;
    Wide before_ = 0;
};

inline Wide counted(std::int64_t z) { return z < 0 ? 2 * static_cast<Wide>(-z) - 1 : 2 * static_cast<Wide>(z); }
inline Wide width(Wide x) { return static_cast<Wide>(std::bit_width(x)); }
inline Wide size(std::int64_t z) { return static_cast<Wide>(z < 0 ? -z : z); }
inline std::int64_t uncounted(Wide x) {
    const auto half = static_cast<std::int64_t>(x / 2);
    return x & 1 ? -half - 1 : half;
}

// Half-bits of a depth.
inline Wide depth(std::int64_t below) {
    const Wide m = static_cast<Wide>(below) + 1, bits = width(m);
    return 2 * bits + (bits > 1 ? m >> (bits - 2) & 1 : 0);
}

// A number, counted 1 for 0, 2 for -1, 3 for 1 ...: how many bits that has behind the first, then these.
template <class Coder>
std::int64_t number(Mixer<Coder>& mixer, Coder* coder, const Contexts& contexts, std::int64_t z) {
    const Wide given = counted(z) + 1;
    const int given_bits = std::bit_width(given) - 1;
    const auto coded = [&](Wide node, int bit) {
        return mixer(coder, contexts, node, std::min<Wide>(node, sets - 1), bit);
    };
    int bits = 0;
    // ends: at the longest
    while (coded(static_cast<Wide>(bits), bits < given_bits))
        if (++bits > longest) throw Broken("a number is too large");
    Wide m = 1;
    for (int k = bits - 1; k >= 0; --k) {
        const Wide node = static_cast<Wide>(bits) << 8 | (k >= bits - 2 ? m : 8 + static_cast<Wide>(k));
        m = m << 1 | static_cast<Wide>(coded(64 + node, static_cast<int>(given >> k & 1)));
    }
    return uncounted(m - 1);
}

// Tables of whole numbers, column by column, each by its two neighbours to the left and the one above, and by how far the
// sum of its row so far lies below the greatest. Tables of one row, as cuts are, are told from others.
template <class Coder>
class Numbers {
public:
    explicit Numbers(Coder& coder) : coder_(&coder) {}

    void operator()(std::int64_t* z, Index rows, Index columns) {
        std::vector<std::int64_t> sums(static_cast<std::size_t>(rows)), left(sums), far(sums);
        for (Index v = 0; v < columns; ++v) {
            const std::int64_t greatest = rows ? *std::max_element(sums.begin(), sums.end()) : 0;
            std::int64_t above = 0;
            for (Index r = 0; r < rows; ++r) {
                const auto l = left[r], f = far[r];
                const Wide below = depth(greatest - sums[r]), edge = (v == 0) + 2 * (rows == 1);
                const Contexts contexts{
                    4 * width(2 * size(l) + size(f) + size(above)) + edge,
                    4 * std::min<Wide>(counted(l), 40) + edge,
                    64 * tables_ + below,
                    4 * (width(size(l)) << 12 | width(size(f)) << 6 | width(size(above))) + edge,
                    4 * (4 * below + (l > 0) + 2 * (l < 0)) + edge,
                    64 * std::min<Wide>(counted(l), 40) + std::min<Wide>(counted(f), 20),
                };
                std::int64_t& x = z[r * columns + v];
                x = number(mixer_, coder_, contexts, x);
                above = x;
                far[r] = l;
                left[r] = x;
                sums[r] += x;
            }
        }
        ++tables_;
    }

private:
    Coder* coder_;
    Mixer<Coder> mixer_;
    Wide tables_ = 0;
};

// Tables of roots of chances, none below zero, column by column: each by its two neighbours to the left, by where the
// rows above have gone from there, and by what is left of its row's squares, which come to the same in every table.
template <class Coder>
class Roots {
public:
    explicit Roots(Coder& coder) : coder_(&coder) {}

    void operator()(std::int64_t* z, Index rows, Index columns) {
        std::vector<std::int64_t> left(static_cast<std::size_t>(rows)), far(left), squares(left);
        if (squares_.size() < left.size()) squares_.resize(left.size(), 0);
        for (Index v = 0; v < columns; ++v) {
            const std::int64_t to_come = columns - v;
            std::int64_t gone = 0;  // how far the rows above have gone from the column before
            for (Index r = 0; r < rows; ++r) {
                const auto l = left[r], f = far[r];
                const std::int64_t ahead = std::max<std::int64_t>(16 + 4 * l + (r ? floored(4 * gone, r) : 0), 0);
                const std::int64_t rest =
                    std::max<std::int64_t>((tables_ ? squares_[r] / tables_ : 0) - squares[r], 0);
                const Wide near = std::min<Wide>(l, 15);
                const Contexts contexts{
                    near << 5 | std::min<Wide>(f, 15) << 1 | (v == 0),
                    std::min<Wide>(ahead, 127),
                    depth(16 * rest / to_come) << 4 | near,
                    depth(4 * rest) << 32 | static_cast<Wide>(to_come),
                    static_cast<Wide>(std::clamp<std::int64_t>(3 * ahead - 4 * l - 2 * f - 28, 0, 120)),
                    static_cast<Wide>(tables_) << 32 | static_cast<Wide>(v),
                };
                std::int64_t& x = z[r * columns + v];
                const auto z_of_x = number(mixer_, coder_, contexts, uncounted(static_cast<Wide>(x)));
                x = static_cast<std::int64_t>(counted(z_of_x));
                const std::int64_t seen = std::min(x, largest);
                gone += seen - l;
                far[r] = l;
                left[r] = seen;
                squares[r] += seen * seen;
            }
        }
        for (Index r = 0; r < rows; ++r) squares_[r] += squares[r];
        ++tables_;
    }

private:
    static constexpr std::int64_t largest = 4095;  // beyond which contexts do not tell roots apart
    static std::int64_t floored(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

    Coder* coder_;
    Mixer<Coder> mixer_;
    std::vector<std::int64_t> squares_;
    std::int64_t tables_ = 0;
};

struct Content {
    std::string text;
    std::vector<std::int64_t> shapes, numbers;  // of each table its rows and columns, and what is in it, row by row
};

// Codes the content, or decodes it: the text up to a zero, how many tables, their shapes, and the tables. Rows of a
// table of roots are told below zero.
template <class Coder>
void run(Coder& coder, std::string_view primer, Content& content, Index most) {
    constexpr bool reads = std::is_same_v<Coder, Decoder>;
    Texts<Coder> texts;
    for (const char byte : primer) texts(nullptr, static_cast<std::uint8_t>(byte));
    Numbers<Coder> numbers(coder);
    Roots<Coder> roots(coder);
    auto& [text, shapes, cells] = content;
    const auto bound = [&](Index size) {
        if (size > most) throw Broken("it holds more than it may");
    };
    if constexpr (reads) {
        // ends: at a zero, or with all that it may hold
        while (const auto byte = texts(&coder, 0)) {
            bound(static_cast<Index>(text.size()) + 1);
            text += static_cast<char>(byte);
        }
    } else {
        for (const char byte : text) texts(&coder, static_cast<std::uint8_t>(byte));
        texts(&coder, 0);
    }
    auto count = static_cast<std::int64_t>(shapes.size() / 2);
    numbers(&count, 1, 1);
    if constexpr (reads) {
        if (count < 0 || count > most_tables) throw Broken("it has less than no table, or too many");
        shapes.resize(static_cast<std::size_t>(2 * count));
    }
    numbers(shapes.data(), count, 2);
    Index total = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t rows = std::abs(shapes[2 * k]), columns = shapes[2 * k + 1];
        if (rows < 1 || columns < 1) throw Broken("it has a table of nothing");
        bound(rows);
        bound(columns);
        bound(total + rows * columns);
        if constexpr (reads) cells.resize(static_cast<std::size_t>(total + rows * columns));
        if (shapes[2 * k] < 0)
            roots(cells.data() + total, rows, columns);
        else
            numbers(cells.data() + total, rows, columns);
        total += rows * columns;
    }
}

}  // namespace candide::mixing
