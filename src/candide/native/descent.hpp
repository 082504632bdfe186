// The least of a smooth function, by the two-loop recursion of limited-memory BFGS.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

namespace candide {

using Vector = std::vector<double>;

// Four sums side by side: one would wait for itself at every product.
inline double dot(const Vector& a, const Vector& b) {
    double sum[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= a.size(); j += 4)
        for (std::size_t i = 0; i < 4; ++i) sum[i] += a[j + i] * b[j + i];
    for (; j < a.size(); ++j) sum[0] += a[j] * b[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

struct DescentLimits {
    int steps;         // at the most
    double tolerance;  // it ends when a step gains less than this share of the value, twice
};

// One step that was made: its length, the change of the gradient along it, and 1 / their product.
struct Curvature {
    Vector s, t;
    double rho;
};

// The gradient times the inverse curvature that the last steps have shown.
inline Vector curved(Vector q, const std::deque<Curvature>& history) {
    Vector alpha(history.size());
    for (std::size_t i = history.size(); i-- > 0;) {
        const Curvature& past = history[i];
        alpha[i] = past.rho * dot(past.s, q);
        for (std::size_t j = 0; j < q.size(); ++j) q[j] -= alpha[i] * past.t[j];
    }
    if (!history.empty()) {
        const Curvature& last = history.back();
        const double scale = 1 / (last.rho * dot(last.t, last.t));
        for (double& x : q) x *= scale;
    }
    for (std::size_t i = 0; i < history.size(); ++i) {
        const Curvature& past = history[i];
        const double beta = alpha[i] - past.rho * dot(past.t, q);
        for (std::size_t j = 0; j < q.size(); ++j) q[j] += beta * past.s[j];
    }
    return q;
}

// function(x, gradient) returns the value. x begins where it is and ends where the value is least, as far as can be seen.
template <class Function>
double descend(Function&& function, Vector& x, const DescentLimits& limits) {
    constexpr std::size_t memory = 8;    // steps that the curvature is known from: each costs four passes over x
    constexpr double enough = 1e-4;      // the share of a step's promise that it must keep
    constexpr double shortest = 1e-10;   // steps below this lead nowhere
    Vector gradient(x.size()), next(x.size()), next_gradient(x.size());
    std::deque<Curvature> history;
    double value = function(x, gradient);
    for (int made = 0, idle = 0; made < limits.steps && idle < 2; ++made) {
        const Vector direction = curved(gradient, history);
        const double slope = -dot(direction, gradient);
        if (!(slope < 0)) break;
        double step = 1, next_value = 0;
        for (;; step /= 2) {  // ends: within 35 halvings the step is the shortest
            for (std::size_t j = 0; j < x.size(); ++j) next[j] = x[j] - step * direction[j];
            next_value = function(next, next_gradient);
            if (next_value <= value + enough * step * slope || step < shortest) break;
        }
        if (!(next_value < value)) break;
        Curvature seen{next, next_gradient, 0};
        for (std::size_t j = 0; j < x.size(); ++j) seen.s[j] -= x[j], seen.t[j] -= gradient[j];
        const double product = dot(seen.s, seen.t);
        idle = value - next_value < limits.tolerance * std::max(std::abs(value), std::abs(next_value)) ? idle + 1 : 0;
        x.swap(next), gradient.swap(next_gradient), value = next_value;
        if (!(product > 0)) continue;
        seen.rho = 1 / product;
        history.push_back(std::move(seen));
        if (history.size() > memory) history.pop_front();
    }
    return value;
}

}  // namespace candide
