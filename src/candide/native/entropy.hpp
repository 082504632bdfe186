// Cuts of ascending values by class entropy, with the description-length stop of Fayyad and Irani.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "loops.hpp"

namespace candide {

// Neighbouring values of one and the same pure class are one block: between blocks cuts may lie.
class EntropyBlocks {
  public:
    // counts (K, V)
    EntropyBlocks(const double* counts, Index n_classes, Index n_values)
        : K(n_classes), before_block(static_cast<std::size_t>(K)), present_before(before_block.size()) {
        Index before = -1;
        for (Index v = 0; v < n_values; ++v) {
            Index classes = 0, pure = -1;
            for (Index c = 0; c < K; ++c)
                if (counts[c * n_values + v] > 0) pure = classes++ ? -1 : c;
            if (v == 0 || pure < 0 || pure != before) {
                starts.push_back(v);
                for (Index c = 0; c < K; ++c) {
                    before_block.push_back(before_block[before_block.size() - K]);
                    present_before.push_back(present_before[present_before.size() - K]);
                }
            }
            for (Index c = 0; c < K; ++c) {
                const double n = counts[c * n_values + v];
                *(before_block.end() - K + c) += n, *(present_before.end() - K + c) += n > 0;
            }
            before = pure;
        }
    }

    // The values behind which cuts lie, ascending; `once` takes the best cut, whatever it costs to describe.
    std::vector<std::int64_t> cuts(bool once) {
        std::vector<std::int64_t> found;
        std::vector<std::pair<Index, Index>> segments{{0, static_cast<Index>(starts.size())}};
        while (!segments.empty()) {  // ends: a cut leaves two shorter ones
            const auto [start, stop] = segments.back();
            segments.pop_back();
            const std::optional<Best> best = best_of(start, stop);
            if (!best || !(once || worthwhile(start, *best, stop))) continue;
            found.push_back(starts[best->at] - 1);
            if (once) break;
            segments.emplace_back(start, best->at);
            segments.emplace_back(best->at, stop);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

  private:
    // Gains closer than this share of the whole description are rounding, not evidence.
    static constexpr double equal_gains = 1e-12;

    struct Best {
        Index at;
        double gain;  // times the weight of the segment, in nats
    };

    static double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0; }

    double weight(Index start, Index stop, Index c) const {
        return before_block[stop * K + c] - before_block[start * K + c];
    }

    // Small weights may be lost beside large ones; that a class is there must not be.
    bool present(Index start, Index stop, Index c) const {
        return present_before[stop * K + c] > present_before[start * K + c];
    }

    // n H of blocks start .. stop - 1: n log n - Σ n_c log n_c.
    double surprise(Index start, Index stop) const {
        double n = 0, of_classes = 0;
        for (Index c = 0; c < K; ++c) {
            const double mine = weight(start, stop, c);
            n += mine, of_classes += x_log_x(mine);
        }
        return x_log_x(n) - of_classes;
    }

    // The cut of greatest gain, the lowest of equally good ones; none where no cut says anything.
    std::optional<Best> best_of(Index start, Index stop) {
        if (stop - start < 2) return std::nullopt;
        const double all = surprise(start, stop);
        gains.clear();
        for (Index at = start + 1; at < stop; ++at) gains.push_back(all - (surprise(start, at) + surprise(at, stop)));
        double n = 0;
        for (Index c = 0; c < K; ++c) n += weight(start, stop, c);
        const double slack = equal_gains * n, enough = *std::max_element(gains.begin(), gains.end()) - slack;
        const auto at = std::find_if(gains.begin(), gains.end(), [&](double gain) { return gain >= enough; });
        if (!(*at > slack)) return std::nullopt;
        return Best{start + 1 + static_cast<Index>(at - gains.begin()), *at};
    }

    // The classes of blocks start .. stop - 1, times their entropy in bits.
    double told(Index start, Index stop, Index& classes) const {
        double n = 0;
        classes = 0;
        for (Index c = 0; c < K; ++c) n += weight(start, stop, c), classes += present(start, stop, c);
        return static_cast<double>(classes) * (surprise(start, stop) / n / std::log(2.0));
    }

    bool worthwhile(Index start, const Best& best, Index stop) const {
        Index classes, of_part;
        const double whole_told = told(start, stop, classes);
        const double parts_told = told(start, best.at, of_part) + told(best.at, stop, of_part);
        double n = 0;
        for (Index c = 0; c < K; ++c) n += weight(start, stop, c);
        // log2(3^k - 2), free of overflow; below a weight of 2 the choice of the cut point costs nothing
        const auto k = static_cast<double>(classes);
        const double tables = k * std::log2(3.0) + std::log2(1 - 2 * std::pow(3.0, -k));
        return best.gain / std::log(2.0) > std::log2(std::max(n - 1, 1.0)) + tables - (whole_told - parts_told);
    }

    const Index K;
    std::vector<double> before_block, gains;  // the first (blocks + 1, K): the weight before each
    std::vector<Index> present_before, starts;
};

}  // namespace candide
