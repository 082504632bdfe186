// The pace of documents: how strongly what they say counts, by their length and by how far it goes apart.
#pragma once

#include <cmath>
#include <numeric>

#include "parallel.hpp"

namespace candide {

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

}  // namespace candide
