// The least of a smooth function, by the two-loop recursion of limited-memory BFGS.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
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

// The last steps s and the changes t of the gradient along them, in single precision: what they have shown of the
// curvature is known to fewer digits anyway. The recursion runs on their products with each other and with the gradient, so
// that the vectors are read twice a step, however many there are.
class StepHistory {
  public:
    StepHistory(std::size_t most, std::size_t size)
        : capacity(most), length((size + 7) / 8 * 8), vectors(2 * most, Singles(length)), last_gradient(length),
          of_each(6 * most), by_step(most * most), by_change(most * most) {}

    // From x to next, and its gradients; left out where the gradient did not rise along it.
    void add(const Vector& x, const Vector& next, const Vector& gradient, const Vector& next_gradient) {
        std::size_t slot = order.size();
        if (slot == capacity) slot = order.front(), order.erase(order.begin());
        Singles &s = vectors[2 * slot], &t = vectors[2 * slot + 1];
        for (std::size_t j = 0; j < x.size(); ++j) {
            s[j] = static_cast<float>(next[j] - x[j]);
            t[j] = static_cast<float>(next_gradient[j] - gradient[j]);
            last_gradient[j] = static_cast<float>(next_gradient[j]);
        }
        order.push_back(slot);
        const float* with[] = {s.data(), t.data(), last_gradient.data()};
        const std::vector<const float*> all = in_order();
        loops().products(all.data(), static_cast<Index>(all.size()), with, 3, static_cast<Index>(length), of_each.data());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const double *of_s = of_each.data() + 6 * i, *of_t = of_s + 3;
            step_change(order[i], slot) = of_s[1], step_change(slot, order[i]) = of_t[0];
            change_change(order[i], slot) = change_change(slot, order[i]) = of_t[1];
        }
        if (!(step_change(slot, slot) > 0)) order.pop_back();
    }

    // q, the last gradient, becomes its product with the inverse curvature that the steps have shown.
    void curve(Vector& q) {
        if (order.empty()) return;
        const std::size_t n = order.size(), last = order.back();
        Vector of_steps(n), of_changes(n);  // q as a sum of the vectors
        for (std::size_t i = n; i-- > 0;) {
            double product = of_each[6 * i + 2];
            for (std::size_t j = i + 1; j < n; ++j) product += of_changes[j] * step_change(order[i], order[j]);
            of_changes[i] = -product / step_change(order[i], order[i]);
        }
        const double scale = step_change(last, last) / change_change(last, last);
        for (std::size_t i = 0; i < n; ++i) {
            double product = of_each[6 * i + 5];
            for (std::size_t j = 0; j < n; ++j) product += of_changes[j] * change_change(order[i], order[j]);
            product *= scale;
            for (std::size_t j = 0; j < i; ++j) product += of_steps[j] * step_change(order[j], order[i]);
            of_steps[i] = -of_changes[i] - product / step_change(order[i], order[i]);
        }
        Vector scales;
        for (std::size_t i = 0; i < n; ++i) scales.push_back(of_steps[i]), scales.push_back(scale * of_changes[i]);
        for (double& x : q) x *= scale;
        const std::vector<const float*> all = in_order();
        loops().add_combined(scales.data(), all.data(), static_cast<Index>(2 * n), static_cast<Index>(q.size()), q.data());
    }

  private:
    using Singles = std::vector<float>;

    double& step_change(std::size_t i, std::size_t j) { return by_step[i * capacity + j]; }
    double& change_change(std::size_t i, std::size_t j) { return by_change[i * capacity + j]; }

    // s and t of every step, the oldest first.
    std::vector<const float*> in_order() const {
        std::vector<const float*> out;
        for (const std::size_t slot : order) out.push_back(vectors[2 * slot].data()), out.push_back(vectors[2 * slot + 1].data());
        return out;
    }

    std::size_t capacity, length;
    std::vector<Singles> vectors;
    Singles last_gradient;
    std::vector<std::size_t> order;
    Vector of_each;              // by step: the products of s, then of t, with the last s, t and gradient
    Vector by_step, by_change;   // s_i t_j and t_i t_j
};

// Where a descent stands.
struct Place {
    Vector x, gradient;
    double value;

    explicit Place(Vector at) : x(std::move(at)), gradient(x.size()), value(0) {}
};

// From one place against a direction to another, less far where that leads too far; false where nothing is gained.
// function(x, gradient) returns the value.
template <class Function>
bool step_down(Function&& function, const Place& from, const Vector& direction, Place& to) {
    constexpr double enough = 1e-4;     // the share of a step's promise that it must keep
    constexpr double shortest = 1e-10;  // steps below this lead nowhere
    constexpr double least_share = 0.1, most_share = 0.5;  // of a step that led too far, for the next one
    const double slope = -dot(direction, from.gradient);
    if (!(slope < 0)) return false;
    for (double step = 1;;) {  // ends: within 35 halvings the step is the shortest
        to.x = from.x;
        add_scaled(-step, direction, to.x);
        to.value = function(to.x, to.gradient);
        if (to.value <= from.value + enough * step * slope || step < shortest) return to.value < from.value;
        // to the least of the parabola that is known, but not too far
        const double share = -slope * step / (2 * (to.value - from.value - slope * step));
        step *= share > least_share && share < most_share ? share : share >= most_share ? most_share : least_share;
    }
}

// x begins where it is and ends where the value is least, as far as can be seen.
template <class Function>
double descend(Function&& function, Vector& x, const DescentLimits& limits) {
    // steps that the curvature is known from: each costs passes over x, which is nothing where x is short
    const std::size_t memory = x.size() < 2000 ? 20 : 5;
    StepHistory history(memory, x.size());
    Place here(std::move(x)), next(here.x);
    here.value = function(here.x, here.gradient);
    Vector direction;
    for (int made = 0, idle = 0; made < limits.steps && idle < 2; ++made) {
        direction = here.gradient;
        history.curve(direction);
        if (!step_down(function, here, direction, next)) break;
        history.add(here.x, next.x, here.gradient, next.gradient);
        const double gained = here.value - next.value, large = std::max(std::abs(here.value), std::abs(next.value));
        idle = gained < limits.tolerance * large ? idle + 1 : 0;
        std::swap(here, next);
    }
    x = std::move(here.x);
    return here.value;
}

}  // namespace candide
