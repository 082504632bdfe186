// Calibration: how much the views of documents weigh, so that the documents' own classes are likely.
#pragma once

#include <functional>

#include "text_judgement.hpp"

namespace candide {

// Views (documents, K − 1, size), those of every class less those of the first: what is said alike for all classes changes
// neither posteriors nor the spread, and of two classes half the numbers are left. `from` is their place among all views.
struct ViewPart {
    const float* views;
    Index size, from;
};

// Documents with their views, and what a score is made of besides.
struct Calibration {
    std::vector<ViewPart> parts;
    const double *log_length, *log_prior, *weight;
    const std::int64_t* y;
    Index documents, size, n_classes;
};

// What views in parts say, weighed by beta (size,): Σ_v β_v S_v of so many rows, one for every document and class.
inline void weigh_parts(const std::vector<ViewPart>& parts, Index rows, const double* beta, double* out) {
    Index size = 0;
    for (const ViewPart& part : parts) size += part.size;
    parallel_rows(divide(rows, size), rows, [&](Index, Index begin, Index end) {
        std::vector<double> more;
        for (const ViewPart& part : parts) {
            const float* from = part.views + begin * part.size;
            if (part.from == 0) {
                loops().weigh_views(from, end - begin, part.size, beta, out + begin);
                continue;
            }
            more.resize(static_cast<std::size_t>(end - begin));
            loops().weigh_views(from, end - begin, part.size, beta + part.from, more.data());
            for (Index i = begin; i < end; ++i) out[i] += more[i - begin];
        }
    });
}

// The curvature of the loss as the posteriors themselves have it, Σ w Σ_c P_c s_c s_cᵀ of slopes s_c of scores less their
// mean: by β and the three numbers of pace (width, width), of which what is above the diagonal counts; of these across
// the biases (K, width); and of each bias by itself.
struct Curvature {
    Index n_classes, width;
    std::vector<double> inner, across, of_bias;

    Curvature(Index size, Index k)
        : n_classes(k), width((size + 3 + 7) / 8 * 8), inner(static_cast<std::size_t>(width * width)),
          across(static_cast<std::size_t>(k * width)), of_bias(static_cast<std::size_t>(k)) {}

    // Room for slopes of a document (n, width); those before are squared when there are enough.
    double* next_rows(Index n) {
        constexpr Index enough = 64;
        if (waiting >= enough) finish();
        const auto size = static_cast<std::size_t>((waiting + n) * width);
        if (rows.size() < size) rows.resize(2 * size);
        waiting += n;
        return rows.data() + (waiting - n) * width;
    }
    // The slopes of the second of two classes, whose posteriors have this variance.
    void add_pair(double* row, double variance) {
        const double root = std::sqrt(variance);
        for (Index i = 0; i < width; ++i) {
            across[i] -= variance * row[i], across[width + i] += variance * row[i];
            row[i] *= root;
        }
    }
    void finish() {
        loops().add_squares(rows.data(), waiting, width, inner.data());
        waiting = 0;
    }
    void operator+=(const Curvature& other) {
        for (auto part : {&Curvature::inner, &Curvature::across, &Curvature::of_bias})
            std::transform((this->*part).begin(), (this->*part).end(), (other.*part).begin(), (this->*part).begin(), std::plus<>());
    }

  private:
    std::vector<double> rows;
    Index waiting = 0;
};

// Some documents at a time: what one thread works with.
class CalibrationTile {
  public:
    const Index most;

    CalibrationTile(const Calibration& given, const double* weights, const Pace& by, const double* of_class)
        : most(std::clamp<Index>(in_cache / (given.size * given.n_classes) / 8 * 8, 8, 64)), all(given), beta(weights), k(given.n_classes),
          said(static_cast<std::size_t>(most * k)), more(said), judged(most, k, by, of_class) {}

    // Documents first .. first + n - 1: adds their part of the gradient; returns −Σ w log P(y).
    double add(Index first, Index n, double* of_beta, double* of_pace, double* of_bias) {
        look(first, n);
        const double loss = judged.loss(all.y + first, all.weight + first, n);
        judged.slope(all.y + first, all.weight + first, n, of_pace, of_bias);
        judged.tell(judged.p(1), k - 1, n, said.data());
        for (const ViewPart& part : all.parts)
            loops().add_views(at(part, first), n * (k - 1), part.size, said.data(), of_beta + part.from);
        return loss;
    }

    // Adds their part of the curvature.
    void add(Index first, Index n, Curvature& out) {
        look(first, n);
        scratch.reserve(k, out.width);
        for (Index d = 0; d < n; ++d) curve(first + d, d, out);
    }

  private:
    // Numbers of views that are looked at twice, and stay in the first cache.
    static constexpr Index in_cache = 1 << 12;

    // Posteriors of classes without which a curvature has the digits that it has.
    static constexpr double unlikely = 0x1p-16;

    // What is worked with while the slopes of a document are told.
    struct Scratch {
        std::vector<double> evidence, share, away, root, slopes, lean;
        std::vector<std::int32_t> told;
        void reserve(Index classes, Index width) {
            if (!lean.empty()) return;
            for (auto of : {&evidence, &share, &away, &root}) of->resize(static_cast<std::size_t>(classes));
            slopes.resize(static_cast<std::size_t>((classes - 1) * width)), lean.resize(static_cast<std::size_t>(width));
        }
    };

    // Adds the curvature of a document: that of the classes that it may be of, which are few when weights tell.
    void curve(Index document, Index d, Curvature& out) {
        auto& [evidence, share, away, root, slopes, lean, told] = scratch;
        const double w = all.weight[document], turn = judged.pace.g / (static_cast<double>(k) * judged.variance(d));
        told.clear();
        for (Index c = 0; c < k; ++c) {
            share[c] = judged.p(c)[d];
            out.of_bias[c] += w * share[c] * (1 - share[c]);
            if (share[c] > unlikely) told.push_back(static_cast<std::int32_t>(c));
        }
        if (told.size() < 2) return;  // its slopes less their mean are nothing
        for (Index c = 0; c < k; ++c) {
            evidence[c] = judged.evidence(c)[d], root[c] = std::sqrt(w * share[c]);
            // how the pace turns with β: g ∂ log σ / ∂ β_v = g Σ_c (E_c − Ē) S_vc / (K σ²)
            away[c] = turn * (evidence[c] - judged.mean(d));
        }
        // of two classes the slopes of the second, which are those of the first turned round, are enough
        const Index n_told = k == 2 ? 1 : static_cast<Index>(told.size());
        const CurvedDocument given{
            .n_classes = k, .size = all.size, .width = out.width, .told = told.data(), .n_told = n_told,
            .speed = judged.speed(d), .weight = w, .evidence = evidence.data(), .share = share.data(), .away = away.data(),
            .root = root.data(), .slopes = slopes.data(), .lean = lean.data(), .across = out.across.data(),
            .rows = out.next_rows(n_told)};
        for (Index c = 1; c < k; ++c) {
            double* const row = given.slope(c);
            for (const ViewPart& part : all.parts)
                std::copy_n(at(part, document) + (c - 1) * part.size, part.size, row + part.from);
            row[all.size] = evidence[c];
            row[all.size + 1] = -evidence[c] * all.log_length[document];
            row[all.size + 2] = -evidence[c] * 0.5 * judged.log_variance(d);
        }
        loops().curve_document(given);
        if (k == 2) out.add_pair(given.rows, w * share[0] * share[1]);
    }

    const float* at(const ViewPart& part, Index d) const { return part.views + d * part.size * (k - 1); }

    // What documents say, and what that makes of their classes.
    void look(Index first, Index n) {
        const Index others = k - 1;
        std::fill_n(said.begin(), n * others, 0.0);
        for (const ViewPart& part : all.parts) {
            loops().weigh_views(at(part, first), n * others, part.size, beta + part.from, more.data());
            for (Index i = 0; i < n * others; ++i) said[i] += more[i];
        }
        judged.hear(said.data(), others, all.log_length + first, all.log_prior + first * k, n);
    }

    const Calibration& all;
    const double* beta;
    Index k;
    std::vector<double> said, more;
    Judgement judged;
    Scratch scratch;
};

// −Σ w log P(y) of scores pace · E_c + log P(c) + bias_c with E_c = Σ_v β_v S_vc, and its gradient by β, pace and bias.
inline double calibration_loss(const Calibration& all, const double* beta, const Pace& pace, const double* bias,
                               double* of_beta, double* of_pace, double* of_bias) {
    const Index k = all.n_classes, size = all.size, width = size + k + 4;
    // threads that wait for the next of many evaluations are awake: a twelfth of the work repays one; the exponentials and
    // logarithms of a class take as long as some dozens of numbers
    const Division division = divide(all.documents, 12 * size * (k - 1) + 192 * k);
    std::vector<double> sums(static_cast<std::size_t>(division.blocks * width));
    parallel_rows(division, all.documents, [&](Index block, Index begin, Index end) {
        double *into = sums.data() + block * width, *by_bias = into + size, *by_pace = by_bias + k;
        CalibrationTile tile(all, beta, pace, bias);
        for (Index first = begin; first < end; first += tile.most)
            by_pace[3] += tile.add(first, std::min(tile.most, end - first), into, by_pace, by_bias);
    });
    for (Index block = 1; block < division.blocks; ++block)
        for (Index i = 0; i < width; ++i) sums[i] += sums[block * width + i];
    std::copy_n(sums.data(), size, of_beta);
    std::copy_n(sums.data() + size, k, of_bias);
    std::copy_n(sums.data() + size + k, 3, of_pace);
    return sums[size + k + 3];
}

// Documents that are looked at together, so that some of many can be chosen.
inline constexpr Index chosen_together = 8;

// The curvature at the same place, of the first of every so many groups of documents from one on, as if these were all.
inline Curvature calibration_curvature(const Calibration& all, const double* beta, const Pace& pace, const double* bias,
                                       Index from = 0, Index every = 1) {
    const Index k = all.n_classes, groups = (all.documents + chosen_together - 1) / chosen_together;
    const Index chosen = (groups - from + every - 1) / every;
    Division division = divide(chosen, chosen_together * 128 * all.size * k);
    division.blocks = std::min<Index>(division.blocks, 2 * division.threads);  // each takes room for what it adds up
    std::vector<Curvature> parts(static_cast<std::size_t>(division.blocks), Curvature(all.size, k));
    std::vector<Index> seen(parts.size());
    parallel_rows(division, chosen, [&](Index block, Index begin, Index end) {
        CalibrationTile tile(all, beta, pace, bias);
        for (Index i = begin; i < end; ++i) {
            const Index first = (from + i * every) * chosen_together, last = std::min(first + chosen_together, all.documents);
            for (Index at = first; at < last; at += tile.most) tile.add(at, std::min(tile.most, last - at), parts[block]);
            seen[block] += last - first;
        }
        parts[block].finish();
    });
    for (std::size_t block = 1; block < parts.size(); ++block) parts[0] += parts[block], seen[0] += seen[block];
    const double scale = seen[0] ? static_cast<double>(all.documents) / static_cast<double>(seen[0]) : 1.0;
    for (auto part : {&Curvature::inner, &Curvature::across, &Curvature::of_bias})
        for (double& x : parts[0].*part) x *= scale;
    return std::move(parts[0]);
}

}  // namespace candide
