// Text and tables of whole numbers in few bytes: every bit is foretold by several contexts, whose forecasts are mixed by
// weights that learn, and is coded in as many bits as it surprises them. All of it is whole numbers, so that every
// machine reads what any other has written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "mixer.hpp"
#include "platform.hpp"

namespace candide::mixing {

inline constexpr std::int64_t most_tables = 1 << 20;  // whose shapes are read before anything of them

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
