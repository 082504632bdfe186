// The weights of views settled: Newton's steps down the penalised loss, by the curvature of some of the documents.
#pragma once

#include "descent.hpp"
#include "text_calibration.hpp"

namespace candide {

// What is thought of the numbers beforehand: β = usual exp(a_v + u_vh), u smooth over neighbouring bands; penalties of
// a and u, of neighbours that differ, of biases, and of exponents and a level of the pace that are not the usual ones:
// documents that words tell apart without a mistake would raise the level without end.
struct ViewPrior {
    const double* usual;  // (views, bands)
    Index views, bands;
    double small, smooth, flat, unusual, level;
    Pace pace;
};

// A x = b of a symmetric matrix (n, n) above whose diagonal all is told, by A = Lᵀ L; b becomes x.
inline void solve_symmetric(std::vector<double>& a, Index n, double* b) {
    constexpr double least = 1e-12;  // of a pivot that rounding has left nothing of
    for (Index j = 0; j < n; ++j) {
        double* row = &a[j * n];
        const double pivot = std::sqrt(std::max(row[j], least));
        for (Index i = j; i < n; ++i) row[i] /= pivot;
        row[j] = pivot;
        for (Index i = j + 1; i < n; ++i)
            for (Index m = i; m < n; ++m) a[i * n + m] -= row[i] * row[m];
    }
    for (Index j = 0; j < n; ++j) {
        b[j] /= a[j * n + j];
        for (Index i = j + 1; i < n; ++i) b[i] -= a[j * n + i] * b[j];
    }
    for (Index j = n; j-- > 0;) {
        for (Index i = j + 1; i < n; ++i) b[j] -= a[j * n + i] * b[i];
        b[j] /= a[j * n + j];
    }
}

// The loss and penalty per document of the numbers a (views), u (views, bands), pace (3) and bias (K), one behind the other.
class ViewObjective {
  public:
    ViewObjective(const Calibration& documents, const ViewPrior& beforehand)
        : all(documents), prior(beforehand), size(prior.views * prior.bands), u(prior.views), pace(u + size), bias(pace + 3),
          per_document(1.0 / static_cast<double>(std::max<Index>(all.documents, 1))), beta(static_cast<std::size_t>(size)),
          of_beta(beta.size()) {}

    double operator()(const Vector& x, Vector& slope) {
        weigh(x);
        double value = calibration_loss(all, beta.data(), pace_at(x), &x[bias], of_beta.data(), &slope[pace], &slope[bias]);
        const auto add = [&](Index i, double strength, double away) {
            value += 0.5 * strength * away * away;
            slope[i] += strength * away;
        };
        std::fill_n(slope.begin(), u, 0.0);
        for (Index i = 0; i < size; ++i) slope[i / prior.bands] += slope[u + i] = beta[i] * of_beta[i];
        for (Index i = 0; i < pace; ++i) add(i, prior.small, x[i]);
        each_neighbour([&](Index i) {
            const double step = x[i + 1] - x[i];
            value += 0.5 * prior.smooth * step * step;
            slope[i] -= prior.smooth * step, slope[i + 1] += prior.smooth * step;
        });
        add(pace, prior.level, x[pace] - prior.pace.level);
        add(pace + 1, prior.unusual, x[pace + 1] - prior.pace.b);
        add(pace + 2, prior.unusual, x[pace + 2] - prior.pace.g);
        for (Index c = 0; c < all.n_classes; ++c) add(bias + c, prior.flat, x[bias + c]);
        for (double& s : slope) s *= per_document;
        return value * per_document;
    }

    // Newton's step: q, the gradient at x, becomes its product with the inverse curvature of some documents, others at every
    // step. Curvatures of two biases are left out, and those of one doubled: a matrix that is nowhere less, since the
    // former add up to the latter, and of which biases are eliminated one by one.
    void curve(const Vector& x, int made, Vector& q) {
        const Index groups = (all.documents + chosen_together - 1) / chosen_together;
        const Index wanted = std::min(most_documents, enough / (all.n_classes * size));
        const Index every = std::clamp<Index>(all.documents / std::max<Index>(wanted, 1), 1, std::max<Index>(groups, 1));
        weigh(x);
        Curvature seen = calibration_curvature(all, beta.data(), pace_at(x), &x[bias], made % every, every);
        std::vector<double> inner(static_cast<std::size_t>(bias * bias));
        for (Index i = 0; i < size + 3; ++i)
            for (Index j = i; j < size + 3; ++j) {
                const double both = seen.inner[i * seen.width + j] * scale(i) * scale(j);
                each_number(i, [&](Index a) { each_number(j, [&](Index b) { add_both(inner, a, b, both, i == j); }); });
            }
        for (Index i = 0; i < pace; ++i) inner[i * bias + i] += prior.small;
        each_neighbour([&](Index i) {
            inner[i * bias + i] += prior.smooth, inner[(i + 1) * bias + i + 1] += prior.smooth;
            inner[i * bias + i + 1] -= prior.smooth;
        });
        inner[pace * bias + pace] += prior.level;
        for (Index i = pace + 1; i < bias; ++i) inner[i * bias + i] += prior.unusual;
        Vector across(static_cast<std::size_t>(all.n_classes * bias));
        for (Index c = 0; c < all.n_classes; ++c) {
            double *row = &across[c * bias], &own = seen.of_bias[c] = 2 * seen.of_bias[c] + prior.flat;
            for (Index j = 0; j < size + 3; ++j)
                each_number(j, [&](Index b) { row[b] += seen.across[c * seen.width + j] * scale(j); });
            for (Index i = 0; i < bias; ++i) {
                q[i] -= row[i] / own * q[bias + c];
                for (Index j = i; j < bias; ++j) inner[i * bias + j] -= row[i] / own * row[j];
            }
        }
        solve_symmetric(inner, bias, q.data());
        for (Index c = 0; c < all.n_classes; ++c) {
            for (Index i = 0; i < bias; ++i) q[bias + c] -= across[c * bias + i] * q[i];
            q[bias + c] /= seen.of_bias[c];
        }
        for (double& step : q) step /= per_document;
    }

  private:
    // Documents, and numbers of their views, that a curvature is known from: to more digits than the steps that it is for.
    static constexpr Index most_documents = 1 << 10, enough = 1 << 17;

    void weigh(const Vector& x) {
        for (Index i = 0; i < size; ++i) beta[i] = prior.usual[i] * std::exp(x[i / prior.bands] + x[u + i]);
    }
    Pace pace_at(const Vector& x) const { return {x[pace], x[pace + 1], x[pace + 2]}; }
    // Of the weights and the pace: what a change of its number changes it by, and the numbers that change it.
    double scale(Index i) const { return i < size ? beta[i] : 1.0; }
    template <class Visit>
    void each_number(Index i, Visit&& visit) const {
        if (i < size) visit(i / prior.bands);
        visit(u + i);
    }
    void add_both(std::vector<double>& inner, Index a, Index b, double both, bool same) const {
        if (a <= b) inner[a * bias + b] += both;
        if (!same && b <= a) inner[b * bias + a] += both;
    }
    template <class Visit>
    void each_neighbour(Visit&& visit) const {
        for (Index i = 0; i + 1 < size; ++i)
            if ((i + 1) % prior.bands != 0) visit(u + i);
    }

    const Calibration& all;
    const ViewPrior& prior;
    Index size, u, pace, bias;
    double per_document;
    Vector beta, of_beta;
};

// The numbers of the least loss and penalty, from where they begin: steps end when one promises or gains less than a share
// (the tolerance) of what as many numbers gain by chance, half a nat each over all documents.
inline void fit_views(const Calibration& all, const ViewPrior& prior, Vector& p, const DescentLimits& limits) {
    constexpr double longest = 1;  // step of a number: most are exponents, of which the curvature says nothing far away
    constexpr double kept = 0.1;   // share of a promise below which it is not taken for one
    ViewObjective objective(all, prior);
    const double little = limits.tolerance * 0.5 * static_cast<double>(p.size()) / static_cast<double>(std::max<Index>(all.documents, 1));
    Place here(std::move(p)), next(here.x);
    here.value = objective(here.x, here.gradient);
    for (int made = 0, idle = 0; made < limits.steps && idle < 2; ++made) {
        Vector step = here.gradient;
        objective.curve(here.x, made, step);
        double most = longest;
        for (const double s : step) most = std::max(most, std::abs(s));
        for (double& s : step) s *= longest / most;
        const double promised = dot(step, here.gradient);
        if (promised < 2 * little) break;  // half of it is what a step gains where the curvature is right
        const double gained = step_down(objective, here, step, next) ? here.value - next.value : 0;
        if (gained > 0) std::swap(here, next);
        // of much that was promised nothing came: the curvature was that of odd documents, and the next is of others
        idle = gained >= little ? 0 : gained < kept * promised ? idle + 1 : 2;
    }
    p = std::move(here.x);
}

}  // namespace candide
