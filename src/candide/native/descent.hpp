// The least of a smooth function, by the two-loop recursion of limited-memory BFGS.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "loops.hpp"

namespace candide {

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b) {
    return loops().dot(a.data(), b.data(), static_cast<Index>(a.size()));
}

inline void add_scaled(double scale, const Vector& a, Vector& b) {
    loops().add_scaled(scale, a.data(), static_cast<Index>(a.size()), b.data());
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

// The last steps, the memory of the oldest used again for the newest.
class StepHistory {
  public:
    explicit StepHistory(std::size_t most) : steps(most) {}

    // From x to next, and its gradients; left out where the gradient did not rise along it.
    void add(const Vector& x, const Vector& next, const Vector& gradient, const Vector& next_gradient) {
        Curvature& seen = steps[(first + size) % steps.size()];
        seen.s = next, seen.t = next_gradient;
        add_scaled(-1, x, seen.s), add_scaled(-1, gradient, seen.t);
        const double product = dot(seen.s, seen.t);
        if (!(product > 0)) return;
        seen.rho = 1 / product;
        if (size < steps.size() - 1) ++size;  // one is free at all times
        else first = (first + 1) % steps.size();
    }

    // q becomes its product with the inverse curvature that the steps have shown.
    void curve(Vector& q) const {
        if (size == 0) return;
        Vector alpha(size);
        for (std::size_t i = size; i-- > 0;) {
            alpha[i] = at(i).rho * dot(at(i).s, q);
            add_scaled(-alpha[i], at(i).t, q);
        }
        const Curvature& last = at(size - 1);
        const double scale = 1 / (last.rho * dot(last.t, last.t));
        for (double& x : q) x *= scale;
        for (std::size_t i = 0; i < size; ++i) add_scaled(alpha[i] - at(i).rho * dot(at(i).t, q), at(i).s, q);
    }

  private:
    const Curvature& at(std::size_t i) const { return steps[(first + i) % steps.size()]; }

    std::vector<Curvature> steps;
    std::size_t first = 0, size = 0;
};

// function(x, gradient) returns the value. x begins where it is and ends where the value is least, as far as can be seen.
template <class Function>
double descend(Function&& function, Vector& x, const DescentLimits& limits) {
    // steps that the curvature is known from: each costs four passes over x, which is nothing where x is short
    const std::size_t memory = x.size() < 2000 ? 20 : 5;
    constexpr double enough = 1e-4;     // the share of a step's promise that it must keep
    constexpr double shortest = 1e-10;  // steps below this lead nowhere
    Vector gradient(x.size()), next(x.size()), next_gradient(x.size()), direction;
    StepHistory history(memory + 1);
    double value = function(x, gradient);
    for (int made = 0, idle = 0; made < limits.steps && idle < 2; ++made) {
        direction = gradient;
        history.curve(direction);
        const double slope = -dot(direction, gradient);
        if (!(slope < 0)) break;
        double step = 1, next_value = 0;
        for (;; step /= 2) {  // ends: within 35 halvings the step is the shortest
            next = x;
            add_scaled(-step, direction, next);
            next_value = function(next, next_gradient);
            if (next_value <= value + enough * step * slope || step < shortest) break;
        }
        if (!(next_value < value)) break;
        history.add(x, next, gradient, next_gradient);
        idle = value - next_value < limits.tolerance * std::max(std::abs(value), std::abs(next_value)) ? idle + 1 : 0;
        x.swap(next), gradient.swap(next_gradient), value = next_value;
    }
    return value;
}

}  // namespace candide
