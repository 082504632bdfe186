// Calibration: how much the views of documents weigh, so that the documents' own classes are likely.
#pragma once

#include <cmath>
#include <limits>
#include <numeric>

#include "descent.hpp"
#include "parallel.hpp"

namespace candide {

// Documents with their views (K − 1, size), those of every class less those of the first, and what a score is made of
// besides. What is said alike for all classes changes neither posteriors nor the spread: of two classes half the numbers
// are left.
struct Calibration {
    const double *views, *log_length, *log_prior, *weight;
    const std::int64_t* y;
    Index documents, size, n_classes;
};

// Views (documents, K, size), those of every class less those of the first.
inline std::vector<double> less_the_first(const double* views, Index documents, Index size, Index k) {
    std::vector<double> out(static_cast<std::size_t>(documents * (k - 1) * size));
    parallel_rows(divide(documents, k * size), documents, [&](Index, Index begin, Index end) {
        double* into = out.data() + begin * (k - 1) * size;
        for (Index d = begin; d < end; ++d)
            for (Index c = 1; c < k; ++c)
                for (Index v = 0; v < size; ++v) *into++ = views[(d * k + c) * size + v] - views[d * k * size + v];
    });
    return out;
}

// How strongly the evidence of a document speaks: exp(level − b log L − g log σ), σ being its spread over the classes.
struct Pace {
    double level, b, g;
    double operator()(double log_length, double log_variance) const {
        return level - b * log_length - 0.5 * g * log_variance;
    }
};

// What is added to a variance, so that a document that says nothing has one.
inline constexpr double least_variance = 1e-6;

// The spread of evidence (K,) over the classes: its mean and its variance.
struct Apart {
    double mean, variance;

    Apart(const double* evidence, Index k) : mean(std::accumulate(evidence, evidence + k, 0.0) / static_cast<double>(k)), variance(0) {
        for (Index c = 0; c < k; ++c) variance += (evidence[c] - mean) * (evidence[c] - mean);
        variance = variance / static_cast<double>(k) + least_variance;
    }
};

// The pace of every document by its evidence (documents, K).
inline void paces(const double* evidence, const double* log_length, const Pace& pace, Index documents, Index k, double* out) {
    parallel_rows(divide(documents, 16 + k), documents, [&](Index, Index begin, Index end) {
        for (Index d = begin; d < end; ++d)
            out[d] = std::exp(pace(log_length[d], std::log(Apart(evidence + d * k, k).variance)));
    });
}

// Numbers in whole vectors, and their logarithms and exponentials in their place.
class Numbers4 {
  public:
    explicit Numbers4(Index n) : numbers(static_cast<std::size_t>((n + 3) / 4 * 4)) {}
    double& operator[](Index i) { return numbers[static_cast<std::size_t>(i)]; }
    double* data() { return numbers.data(); }
    void take_logs(Index n) { loops().take_logs({data(), whole(n)}, 1, n, data(), whole(n)); }
    void exponentiate(Index n) { loops().exponentials(data(), whole(n), 1.0, data()); }

  private:
    static Index whole(Index n) { return (n + 3) / 4 * 4; }
    std::vector<double> numbers;
};

// Some documents at a time, step by step for all of them: what one thread works with.
class CalibrationTile {
  public:
    const Index most;

    CalibrationTile(const Calibration& given, const double* weights, const Pace& by, const double* of_class)
        : most(std::clamp<Index>(in_cache / (given.size * given.n_classes), 4, 64)), all(given), beta(weights), pace(by),
          bias(of_class), k(given.n_classes), evidence(most * k + 1), p(most * k + 1),
          mean(most), log_variance(most), variance(most), speed(most), log_total(most) {}

    // Documents first .. first + n - 1: adds their part of the gradient; returns −Σ w log P(y).
    double add(Index first, Index n, double* of_beta, double* of_pace, double* of_bias) {
        const Index others = k - 1;
        const double* views = all.views + first * all.size * others;
        loops().weigh_views(views, n * others, all.size, beta, p.data());
        for (Index d = 0; d < n; ++d) {
            evidence[d * k] = 0;
            std::copy_n(&p[d * others], others, &evidence[d * k + 1]);
        }
        for (Index d = 0; d < n; ++d) {
            const auto [middle, spread] = Apart(&evidence[d * k], k);
            mean[d] = middle, variance[d] = log_variance[d] = spread;
        }
        log_variance.take_logs(n);
        constexpr double fastest = 300;  // of a step too far, which is shortened: its exponential is a number
        for (Index d = 0; d < n; ++d) speed[d] = std::min(pace(all.log_length[first + d], log_variance[d]), fastest);
        speed.exponentiate(n);
        const double loss = probabilities(first, n);
        add_slopes(first, n, of_pace, of_bias);
        for (Index d = 0; d < n; ++d) std::copy_n(&p[d * k + 1], others, &evidence[d * others]);
        loops().add_views(views, n * others, all.size, evidence.data(), of_beta);
        return loss;
    }

  private:
    // Numbers of views that are looked at twice, and stay in the first cache.
    static constexpr Index in_cache = 1 << 12;

    // p becomes w (P − 1[y = c]).
    double probabilities(Index first, Index n) {
        double own = 0;
        for (Index d = 0; d < n; ++d) {
            const double *prior = all.log_prior + (first + d) * k, *said = &evidence[d * k];
            double *score = &p[d * k], top = -std::numeric_limits<double>::infinity();
            for (Index c = 0; c < k; ++c) {
                score[c] = speed[d] * said[c] + prior[c] + bias[c];
                top = std::max(top, score[c]);
            }
            for (Index c = 0; c < k; ++c) score[c] -= top;
            own += all.weight[first + d] * score[all.y[first + d]];
        }
        p.exponentiate(n * k);
        for (Index d = 0; d < n; ++d) {
            double *row = &p[d * k], total = 0;
            for (Index c = 0; c < k; ++c) total += row[c];
            const double w = all.weight[first + d];
            for (Index c = 0; c < k; ++c) row[c] *= w / total;
            row[all.y[first + d]] -= w;
            log_total[d] = total;
        }
        log_total.take_logs(n);
        double loss = -own;
        for (Index d = 0; d < n; ++d) loss += all.weight[first + d] * log_total[d];
        return loss;
    }
    // p becomes the slope of the loss by the evidence.
    void add_slopes(Index first, Index n, double* of_pace, double* of_bias) {
        for (Index d = 0; d < n; ++d) {
            double *row = &p[d * k], *said = &evidence[d * k], along = 0;
            for (Index c = 0; c < k; ++c) of_bias[c] += row[c], along += row[c] * said[c];
            of_pace[0] += speed[d] * along;
            of_pace[1] -= speed[d] * along * all.log_length[first + d];
            of_pace[2] -= speed[d] * along * 0.5 * log_variance[d];
            // the evidence enters the pace, too: ∂ log σ / ∂ E_c = (E_c − Ē) / (K σ²)
            const double turn = pace.g * along / (static_cast<double>(k) * variance[d]);
            for (Index c = 0; c < k; ++c) row[c] = speed[d] * (row[c] - turn * (said[c] - mean[d]));
        }
    }

    const Calibration& all;
    const double* beta;
    Pace pace;
    const double* bias;
    Index k;
    Numbers4 evidence, p, mean, log_variance, variance, speed, log_total;
};

// −Σ w log P(y) of scores pace · E_c + log P(c) + bias_c with E_c = Σ_v β_v S_vc, and its gradient by β, pace and bias.
inline double calibration_loss(const Calibration& all, const double* beta, const Pace& pace, const double* bias,
                               double* of_beta, double* of_pace, double* of_bias) {
    const Index k = all.n_classes, size = all.size, width = size + k + 4;
    // threads that wait for the next of many evaluations are awake: a quarter of the work repays one; the exponentials and
    // logarithms of a class take as long as some dozens of numbers
    const Division division = divide(all.documents, 4 * size * (k - 1) + 64 * k);
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

// What is thought of the numbers beforehand: β = usual exp(a_v + u_vh), u smooth over neighbouring bands; penalties of
// a and u, of neighbours that differ, of biases, and of exponents and a level of the pace that are not the usual ones:
// documents that words tell apart without a mistake would raise the level without end.
struct ViewPrior {
    const double* usual;  // (views, bands)
    Index views, bands;
    double small, smooth, flat, unusual, level;
    Pace pace;
};

// The numbers p = a (views), u (views, bands), pace (3), bias (K) of the least loss and penalty, from where p begins.
inline void fit_views(const Calibration& all, const ViewPrior& prior, Vector& p, const DescentLimits& limits) {
    const Index views = prior.views, bands = prior.bands, size = views * bands, u = views, pace = u + size, bias = pace + 3;
    const double per_document = 1.0 / static_cast<double>(std::max<Index>(all.documents, 1));
    Vector beta(static_cast<std::size_t>(size)), of_beta(beta.size());
    descend(
        [&](const Vector& x, Vector& slope) {
            for (Index i = 0; i < size; ++i) beta[i] = prior.usual[i] * std::exp(x[i / bands] + x[u + i]);
            double value = calibration_loss(all, beta.data(), {x[pace], x[pace + 1], x[pace + 2]}, &x[bias],
                                            of_beta.data(), &slope[pace], &slope[bias]);
            const auto add = [&](Index i, double strength, double away) {
                value += 0.5 * strength * away * away;
                slope[i] += strength * away;
            };
            std::fill_n(slope.begin(), views, 0.0);
            for (Index i = 0; i < size; ++i) slope[i / bands] += slope[u + i] = beta[i] * of_beta[i];
            for (Index i = 0; i < u + size; ++i) add(i, prior.small, x[i]);
            for (Index i = 0; i + 1 < size; ++i) {
                if ((i + 1) % bands == 0) continue;  // of another view
                const double step = x[u + i + 1] - x[u + i];
                value += 0.5 * prior.smooth * step * step;
                slope[u + i] -= prior.smooth * step, slope[u + i + 1] += prior.smooth * step;
            }
            add(pace, prior.level, x[pace] - prior.pace.level);
            add(pace + 1, prior.unusual, x[pace + 1] - prior.pace.b);
            add(pace + 2, prior.unusual, x[pace + 2] - prior.pace.g);
            for (Index c = 0; c < all.n_classes; ++c) add(bias + c, prior.flat, x[bias + c]);
            for (double& s : slope) s *= per_document;
            return value * per_document;
        },
        p, limits);
}

}  // namespace candide
