// Documents judged by their evidence: posteriors, what they lose, and the slopes of that.
#pragma once

#include "text_pace.hpp"

namespace candide {

// Some documents, class by class, in whole vectors; those that fill up the last of them say and weigh nothing.
class Judgement {
  public:
    const Pace pace;

    Judgement(Index most, Index classes, const Pace& by, const double* of_class)
        : pace(by), k(classes), step((most + 7) / 8 * 8), numbers(static_cast<std::size_t>((3 * k + 7) * step)),
          all{0, k, step, by.level, by.b, by.g, least_variance, at(3 * k), at(2 * k), of_class, at(0), at(k),
              at(3 * k + 1), at(3 * k + 2), at(3 * k + 3), at(3 * k + 4), at(3 * k + 5)} {}

    // P of n documents by what they say for the last classes (n, told); for those before, nothing.
    void hear(const double* said, Index told, const double* log_length, const double* log_prior, Index n) {
        all.n = (n + 7) / 8 * 8;
        for (Index c = 0; c < k - told; ++c) std::fill_n(all.evidence + c * step, all.n, 0.0);
        turn(said, told, n, all.evidence + (k - told) * step);
        turn(log_prior, k, n, at(2 * k));
        turn(log_length, 1, n, at(3 * k));
        loops().judge(all);
    }
    // −Σ w log P(y) of those that were heard.
    double loss(const std::int64_t* y, const double* weight, Index n) const {
        double sum = 0;
        for (Index d = 0; d < n; ++d) {
            const Index own = y[d] * step + d;
            sum += weight[d] * (all.log_sum[d] - all.speed[d] * all.evidence[own] - all.log_prior[own] - all.bias[y[d]]);
        }
        return sum;
    }
    // p becomes the slope of this loss by the evidence; adds those by pace and biases.
    void slope(const std::int64_t* y, const double* weight, Index n, double* of_pace, double* of_bias) {
        for (Index d = 0; d < n; ++d) all.p[y[d] * step + d] -= 1;
        turn(weight, 1, n, at(3 * k + 6));
        loops().slope_evidence(all, at(3 * k + 6), of_pace, of_bias);
    }
    // Numbers of some classes, document by document (n, classes).
    void tell(const double* from, Index classes, Index n, double* out) const {
        if (classes == 1) return void(std::copy_n(from, n, out));
        for (Index d = 0; d < n; ++d)
            for (Index c = 0; c < classes; ++c) *out++ = from[c * step + d];
    }
    const double* p(Index c) const { return all.p + c * step; }
    const double* evidence(Index c) const { return all.evidence + c * step; }
    double mean(Index d) const { return all.mean[d]; }
    double variance(Index d) const { return all.variance[d]; }
    double log_variance(Index d) const { return all.log_variance[d]; }
    double speed(Index d) const { return all.speed[d]; }

  private:
    double* at(Index row) { return numbers.data() + row * step; }
    // Numbers document by document (n, classes), class by class; zeros behind them.
    void turn(const double* from, Index classes, Index n, double* to) const {
        for (Index c = 0; c < classes; ++c) {
            for (Index d = 0; d < n; ++d) to[c * step + d] = from[d * classes + c];
            std::fill(to + c * step + n, to + c * step + all.n, 0.0);
        }
    }

    Index k, step;
    std::vector<double> numbers;
    JudgedDocuments all;
};

}  // namespace candide
