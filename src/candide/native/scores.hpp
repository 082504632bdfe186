// Log-likelihoods added to scores (N, K), and the row-wise finish.
#pragma once

#include <numbers>
#include <numeric>

#include "bins.hpp"

namespace candide {

// out[n] += sum over columns of table[offsets[j] + code]; write_codes(first, rows, codes) gives the codes of a
// tile of `most` rows.
template <class MakeWriter>
void add_coded(Index rows, Index columns, Index most, const std::int64_t* offsets, const double* table, Index n_classes,
               double* out, const MakeWriter& make_writer, Beginning beginning = {}) {
    // two classes of a code are added in the time of reading a cell, four more in that of another
    parallel_rows(divide(rows, columns * (2 + n_classes) / 4), rows, [&](Index, Index begin, Index end) {
        const Index tile = std::min(most, end - begin);
        auto write_codes = make_writer(tile);
        std::vector<std::int32_t> codes(static_cast<std::size_t>(tile * columns));
        for (Index first = begin; first < end; first += tile) {
            const Index size = std::min(tile, end - first);
            write_codes(first, size, codes.data());
            loops().to_table_rows(codes.data(), size, columns, offsets);
            beginning.write(out + first * n_classes, size, n_classes);
            loops().add_rows(codes.data(), size, columns, table, n_classes, out + first * n_classes);
        }
    });
}

inline void add_gather(const Matrix& codes, const std::int64_t* offsets, const double* table, Index n_classes,
                       double* out, Beginning beginning) {
    const auto make_reader = [&](Index) {
        return [&](Index first, Index size, std::int32_t* tile) { loops().read_codes(codes, first, size, tile); };
    };
    add_coded(codes.rows, codes.columns, tile_rows(codes.columns), offsets, table, n_classes, out, make_reader, beginning);
}

// Bins make one level more than cuts.
inline void add_bin_gather(const Matrix& x, const double* cuts, const std::int64_t* cut_offsets, const double* table,
                           Index n_classes, double* out) {
    const Cuts of_columns(cuts, cut_offsets, x.columns, x.rows);
    std::vector<std::int64_t> offsets(cut_offsets, cut_offsets + x.columns + 1);
    for (Index j = 0; j <= x.columns; ++j) offsets[j] += j;
    const Index most = bin_tile_rows(x.columns, cut_offsets[x.columns]);
    add_coded(x.rows, x.columns, most, offsets.data(), table, n_classes, out, [&](Index capacity) {
        return [&, tiles = DoubleTiles(x, capacity)](Index first, Index size, std::int32_t* codes) mutable {
            loops().to_bins(tiles.read(first, size), size, x.columns, of_columns.data(), codes);
        };
    });
}

// -log(2πv)/2 - (x - μ)²/(2v) as tables by column and class; zeros where v says nothing.
class NormalArrays {
  public:
    NormalArrays(const double* mu, const double* var, Index n_classes, Index columns)
        : mean(static_cast<std::size_t>(columns * n_classes)), half_precision(mean.size()), peak(mean.size()),
          peaks(static_cast<std::size_t>(n_classes)) {
        for (Index k = 0; k < n_classes; ++k)
            for (Index j = 0; j < columns; ++j) {
                const double v = var[k * columns + j];
                const Index at = j * n_classes + k;
                if (!std::isfinite(v)) continue;
                mean[at] = mu[k * columns + j];
                half_precision[at] = 0.5 / v;
                peak[at] = -0.5 * std::log(2 * std::numbers::pi * v);
                peaks[k] += peak[at];
            }
    }
    NormalTables tables() const { return {mean.data(), half_precision.data(), peak.data(), peaks.data()}; }

  private:
    std::vector<double> mean, half_precision, peak, peaks;
};

inline void add_normal(const Matrix& x, const double* mu, const double* var, Index n_classes, double* out,
                       Beginning beginning) {
    const NormalArrays arrays(mu, var, n_classes, x.columns);
    const NormalTables tables = arrays.tables();
    const Index tile = tile_rows(x.columns);
    parallel_rows(divide(x.rows, x.columns * n_classes), x.rows, [&](Index, Index begin, Index end) {
        DoubleTiles tiles(x, std::min(tile, end - begin));
        for (Index first = begin; first < end; first += tile) {
            const Index rows = std::min(tile, end - first);
            beginning.write(out + first * n_classes, rows, n_classes);
            loops().add_normal(tiles.read(first, rows), rows, x.columns, tables, n_classes, out + first * n_classes);
        }
    });
}

// The same of one column whose densities differ by group, mu and var (K, groups); a row of no group adds nothing.
inline void add_normal_at(const Matrix& x, const Matrix& groups, const double* mu, const double* var, Index n_classes,
                          Index n_groups, double* out) {
    const NormalArrays arrays(mu, var, n_classes, n_groups);
    const NormalTables tables = arrays.tables();
    parallel_rows(divide(x.rows, 2 * n_classes), x.rows, [&](Index, Index begin, Index end) {
        constexpr Index tile = 512;
        double cell[tile];
        std::int32_t group[tile];
        for (Index first = begin; first < end; first += tile) {
            const Index rows = std::min(tile, end - first);
            loops().read_doubles(x, first, rows, cell, 1);
            loops().read_codes(groups, first, rows, group);
            for (Index r = 0; r < rows; ++r) {
                if (group[r] < 0 || group[r] >= n_groups || std::isnan(cell[r])) continue;
                const Index at = group[r] * n_classes;
                double* score = out + (first + r) * n_classes;
                for (Index k = 0; k < n_classes; ++k) {
                    const double d = cell[r] - tables.mean[at + k];
                    const double square = d * tables.half_precision[at + k] * d;  // d * d may overflow
                    score[k] += tables.half_precision[at + k] > 0 ? tables.peak[at + k] - square : 0.0;
                }
            }
        }
    });
}

// Scores within the share `tie` of their row's largest are made equal to it. Returns the number of rows that are all -inf,
// which stay as they are.
inline Index log_normalize(double* scores, Index n_rows, Index n_classes, double tie) {
    const Division division = divide(n_rows, 6 * n_classes);
    std::vector<Index> impossible(static_cast<std::size_t>(division.blocks));
    parallel_rows(division, n_rows, [&](Index block, Index begin, Index end) {
        std::vector<double> work(static_cast<std::size_t>(4 * n_classes));
        impossible[block] = loops().normalize(scores + begin * n_classes, end - begin, n_classes, tie, work.data());
    });
    return std::accumulate(impossible.begin(), impossible.end(), Index{0});
}

// The first class of each row whose score is within the share `tie` of the row's largest, as above; `lost` where all are
// -inf.
inline void argmax(const double* scores, Index n_rows, Index n_classes, double tie, std::int64_t lost,
                   std::int64_t* best) {
    parallel_rows(divide(n_rows, n_classes), n_rows, [&](Index, Index begin, Index end) {
        loops().argmax(scores + begin * n_classes, end - begin, n_classes, tie, lost, best + begin);
    });
}

}  // namespace candide
