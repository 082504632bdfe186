// What the words of documents say for each class, document by document.
#include "text_entries.hpp"
#include "text_mistakes.hpp"
#include "text_view_arguments.hpp"

namespace candide {

using Needs = ViewArguments::Needs;

static nb::tuple py_known_without(const nb::tuple& rows, const nb::tuple& sums, nb::handle w) {
    const ViewArguments given(rows, sums, Needs::nothing);
    const SpanRows documents = given.rows();
    const Buffer weights(w, "w", 1);
    weights.expect(documents.documents, 1);
    const double* weight = weights.doubles();
    nb::object known = unwritten<double>(documents.documents), grown = unwritten<double>(documents.documents);
    double *n = Buffer(known, "known", 1, true).doubles(), *by = Buffer(grown, "grown", 1, true).doubles();
    {
        Released _;
        known_without(documents, given.sums().documents, weight, n, by);
    }
    return nb::make_tuple(known, grown);
}

static SparseEntries checked_entries(const Buffer& starts, const Buffer& classes, Index n_classes) {
    const Index words = starts.rows() - 1, m = classes.rows();
    const SparseEntries given{checked_offsets(starts, words, m), classes.contiguous<const std::int32_t>(), words, n_classes};
    if (std::any_of(given.classes, given.classes + m, [&](std::int32_t c) { return c < 0 || c >= n_classes; }))
        throw std::invalid_argument("classes must be below n_classes");
    return given;
}

static nb::tuple py_turn_entries(nb::handle starts, nb::handle classes, Index n_classes, nb::handle called, Index stride) {
    const Buffer begins(starts, "starts", 1), of(classes, "classes", 1), names(called, "called", 1);
    const SparseEntries given = checked_entries(begins, of, n_classes);
    names.expect(given.words, 1);
    const auto* by = names.contiguous<const std::int64_t>();
    nb::object at = unwritten<std::int64_t>(of.rows()), order = unwritten<std::int64_t>(of.rows());
    auto* into = Buffer(at, "at", 1, true).contiguous<std::int64_t>();
    auto* from = Buffer(order, "order", 1, true).contiguous<std::int64_t>();
    {
        Released _;
        turn_entries(given, by, stride, into, from);
    }
    return nb::make_tuple(at, order);
}

static nb::tuple py_fill_entries(nb::handle starts, nb::handle classes, Index n_classes, Index few) {
    const Buffer begins(starts, "starts", 1), of(classes, "classes", 1);
    const SparseEntries given = checked_entries(begins, of, n_classes);
    const Index words = given.words;
    nb::object ends = unwritten<std::int64_t>(begins.rows()), places = unwritten<std::int64_t>(of.rows());
    auto* at = Buffer(ends, "ends", 1, true).contiguous<std::int64_t>();
    start_filled(given, few, at);
    nb::object filled = unwritten<std::int32_t>(at[words]);
    auto* into = Buffer(filled, "filled", 1, true).contiguous<std::int32_t>();
    auto* stand = Buffer(places, "places", 1, true).contiguous<std::int64_t>();
    {
        Released _;
        fill_entries(given, few, at, into, stand);
    }
    return nb::make_tuple(ends, filled, places);
}

static nb::object py_lift_views(const nb::tuple& rows, const nb::tuple& sums, double lambda, double others, nb::handle y,
                                nb::handle w, nb::handle grown, bool apart) {
    const ViewArguments given(rows, sums, Needs::lifts);
    const SpanRows documents = given.rows();
    const ClassShares shares = given.sums();
    const LeftOutArguments left(y, w, grown, documents.documents);
    const LeftOutDocuments own = left.documents();
    const ByClass told{apart && shares.n_classes == 2 ? shares.bands : 2 * shares.bands, shares.n_classes, apart};
    nb::object out = unwritten<float>(documents.documents, told.numbers());
    auto* into = Buffer(out, "out", 2, true).contiguous<float>();
    Released _;
    lift_views(documents, shares, own, {lambda, others}, told, into);
    return out;
}

static nb::object py_lift_evidence(const nb::tuple& rows, const nb::tuple& sums, double lambda, double others, nb::handle beta,
                                   nb::handle y, nb::handle w, nb::handle grown) {
    const ViewArguments given(rows, sums, Needs::lifts);
    const SpanRows documents = given.rows();
    const ClassShares shares = given.sums();
    const LeftOutArguments left(y, w, grown, documents.documents);
    const LeftOutDocuments own = left.documents();
    const Buffer weights(beta, "beta", 1);
    weights.expect(2 * shares.bands, 1);
    const double* by = weights.doubles();
    nb::object out = zeros<double>(documents.documents, shares.n_classes);
    double* into = Buffer(out, "out", 2, true).doubles();
    Released _;
    lift_evidence(documents, shares, own, {lambda, others}, by, into);
    return out;
}

static nb::tuple py_weigh_entries(const nb::tuple& sums, double lambda, double others, nb::handle beta, nb::handle gain,
                                  nb::handle curve, double ridge) {
    const ViewArguments given(nb::make_tuple(zeros<std::int64_t>(0), zeros<std::int64_t>(0), zeros<std::int32_t>(0), zeros<double>(0)), sums,
                              Needs::nothing);
    const ClassShares shares = given.sums();
    const Index m = shares.starts[shares.words];
    const Buffer weights(beta, "beta", 2);
    const Optional g(gain, "gain", m, -1), c(curve, "curve", m, -1);
    if ((g.doubles() == nullptr) != (c.doubles() == nullptr)) throw std::invalid_argument("gain and curve are given together");
    weights.expect(std::max<Index>(weights.rows(), g.doubles() ? 3 : 2), shares.bands);
    const SettledEntries by{weights.doubles(), g.doubles(), c.doubles(), ridge};
    nb::object values = unwritten<double>(m), unseen = unwritten<double>(shares.n_classes), spread = unwritten<double>(shares.words);
    double *v = Buffer(values, "values", 1, true).doubles(), *u = Buffer(unseen, "unseen", 1, true).doubles(),
           *s = Buffer(spread, "spread", 1, true).doubles();
    {
        Released _;
        weigh_entries(shares, {lambda, others}, by, v, u, s);
    }
    return nb::make_tuple(values, unseen, spread);
}

static nb::tuple py_residuals(nb::handle evidence, nb::handle log_length, nb::handle log_prior, nb::handle y, nb::handle w,
                              double level, double b, double g, nb::handle bias) {
    const Buffer said(evidence, "evidence", 2), length(log_length, "log_length", 1), prior(log_prior, "log_prior", 2),
        codes(y, "y", 1), weight(w, "w", 1), biases(bias, "bias", 1);
    const Index n = said.rows(), k = said.columns();
    length.expect(n, 1), prior.expect(n, k), codes.expect(n, 1), weight.expect(n, 1), biases.expect(k, 1);
    const Judged all{said.doubles(),   length.doubles(), prior.doubles(), biases.doubles(),
                     weight.doubles(), codes.contiguous<const std::int64_t>(), n, k};
    if (std::any_of(all.y, all.y + n, [k](std::int64_t c) { return c >= k; }))
        throw std::invalid_argument("y must hold the codes of classes");
    nb::object residual = unwritten<double>(n, k), curvature = unwritten<double>(n, k);
    double *r = Buffer(residual, "residual", 2, true).doubles(), *h = Buffer(curvature, "curvature", 2, true).doubles();
    {
        Released _;
        residuals(all, {level, b, g}, r, h);
    }
    return nb::make_tuple(residual, curvature);
}

static nb::object py_mistake_sums(const nb::tuple& rows, const nb::tuple& sums, nb::handle residual, nb::handle curvature,
                                 nb::handle w) {
    const ViewArguments given(rows, sums, Needs::heads);
    const SpanRows documents = given.rows();
    const ClassShares shares = given.sums();
    const Optional r(residual, "residual", documents.documents, shares.n_classes),
        h(curvature, "curvature", documents.documents, shares.n_classes), weight(w, "w", documents.documents, -1);
    const Index m = shares.starts[shares.words];
    nb::object out = zeros<double>(2, m);
    double* into = Buffer(out, "out", 2, true).doubles();
    Released _;
    mistake_sums(documents, shares, r.doubles(), h.doubles(), weight.doubles(), into, into + m);
    return out;
}

static nb::object py_mistake_views(const nb::tuple& rows, const nb::tuple& sums, nb::handle gain, nb::handle curve, double ridge,
                                   nb::handle residual, nb::handle curvature, nb::handle w, nb::handle grown, bool apart) {
    const ViewArguments given(rows, sums, Needs::heads);
    const SpanRows documents = given.rows();
    const ClassShares shares = given.sums();
    const Index m = shares.starts[shares.words], n = documents.documents, k = shares.n_classes;
    const Optional g(gain, "gain", m, -1), c(curve, "curve", m, -1), r(residual, "residual", n, k),
        h(curvature, "curvature", n, k), weight(w, "w", n, -1), longer(grown, "grown", n, -1);
    const OwnMistakes own{r.doubles(), h.doubles(), weight.doubles(), longer.doubles()};
    if (!own.residual != !own.curvature || !own.residual != !own.weight)
        throw std::invalid_argument("residual, curvature and w are given together");
    const ByClass told{shares.bands, k, apart};
    nb::object out = unwritten<float>(n, told.numbers());
    auto* into = Buffer(out, "out", 2, true).contiguous<float>();
    Released _;
    mistake_views(documents, shares, g.doubles(), c.doubles(), ridge, own, told, into);
    return out;
}

void bind_text_views(nb::module_& m) {
    using namespace nb::literals;
    m.def("known_without", &py_known_without, "rows"_a, "sums"_a, "w"_a);
    m.def("fill_entries", &py_fill_entries, "starts"_a, "classes"_a, "n_classes"_a, "few"_a);
    m.def("turn_entries", &py_turn_entries, "starts"_a, "classes"_a, "n_classes"_a, "called"_a, "stride"_a);
    m.def("lift_views", &py_lift_views, "rows"_a, "sums"_a, "lam"_a, "others"_a, "y"_a = nb::none(), "w"_a = nb::none(),
          "grown"_a = nb::none(), "apart"_a = false);
    m.def("lift_evidence", &py_lift_evidence, "rows"_a, "sums"_a, "lam"_a, "others"_a, "beta"_a, "y"_a = nb::none(),
          "w"_a = nb::none(), "grown"_a = nb::none());
    m.def("weigh_entries", &py_weigh_entries, "sums"_a, "lam"_a, "others"_a, "beta"_a, "gain"_a.none(), "curve"_a.none(),
          "ridge"_a);
    m.def("residuals", &py_residuals, "evidence"_a, "log_length"_a, "log_prior"_a, "y"_a, "w"_a, "level"_a, "b"_a, "g"_a,
          "bias"_a);
    m.def("mistake_sums", &py_mistake_sums, "rows"_a, "sums"_a, "residual"_a, "curvature"_a, "w"_a = nb::none());
    m.def("mistake_views", &py_mistake_views, "rows"_a, "sums"_a, "gain"_a, "curve"_a, "ridge"_a,
          "residual"_a = nb::none(), "curvature"_a = nb::none(), "w"_a = nb::none(), "grown"_a = nb::none(),
          "apart"_a = false);
}

}  // namespace candide
