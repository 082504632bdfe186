// Foretells bits: by several contexts, whose forecasts are mixed by weights that learn. All of it is whole numbers, so
// that every machine reads what any other has written.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "bits.hpp"

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

}  // namespace candide::mixing
