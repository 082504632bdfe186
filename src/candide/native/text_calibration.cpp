// How much the views of documents weigh.
#include "bindings.hpp"
#include "text_settling.hpp"

namespace candide {

static nb::object py_paces(nb::handle evidence, nb::handle log_length, double level, double b, double g) {
    const Buffer rows(evidence, "evidence", 2), length(log_length, "log_length", 1);
    const Index n = rows.rows(), k = rows.columns();
    length.expect(n, 1);
    const double *said = rows.doubles(), *of = length.doubles();
    nb::object out = zeros<double>(n);
    double* into = Buffer(out, "out", 1, true).doubles();
    {
        Released _;
        paces(said, of, {level, b, g}, n, k, into);
    }
    return out;
}

// Views in parts (documents, classes · size), in single precision, held for the time of one call.
class ViewParts {
  public:
    ViewParts(const nb::tuple& views, Index documents, Index classes) {
        for (const nb::handle part : views) {
            const Buffer& held = all.emplace_back(part, "views", 2);
            const Index of_class = held.columns() / classes;
            held.expect(documents, of_class * classes);
            parts.push_back({held.contiguous<const float>(), of_class, size});
            size += of_class;
        }
    }
    std::vector<ViewPart> parts;
    Index size = 0;

  private:
    std::deque<Buffer> all;
};

static nb::object py_weigh_views(const nb::tuple& views, nb::handle beta, Index documents, Index n_classes) {
    const Buffer weights(beta, "beta", 1);
    if (n_classes < 1) throw std::invalid_argument("there must be a class");
    const ViewParts given(views, documents, n_classes);
    if (weights.rows() < given.size) throw std::invalid_argument("there must be a weight for every view");
    const double* by = weights.doubles();
    nb::object out = zeros<double>(documents, n_classes);
    double* into = Buffer(out, "out", 2, true).doubles();
    Released _;
    weigh_parts(given.parts, documents * n_classes, by, into);
    return out;
}

// Documents with their views, held for the time of one call.
class CalibrationArguments {
  public:
    CalibrationArguments(const nb::tuple& views, nb::handle log_length, nb::handle log_prior, nb::handle y, nb::handle w, Index size)
        : length(log_length, "log_length", 1), prior(log_prior, "log_prior", 2), codes(y, "y", 1), weight(w, "w", 1),
          all(views, prior.rows(), others(prior)) {
        const Index n = prior.rows(), k = prior.columns();
        length.expect(n, 1), codes.expect(n, 1), weight.expect(n, 1);
        const auto* of = codes.contiguous<const std::int64_t>();
        if (std::any_of(of, of + n, [k](std::int64_t c) { return c < 0 || c >= k; }))
            throw std::invalid_argument("y must hold the codes of classes");
        given = {all.parts, length.doubles(), prior.doubles(), weight.doubles(), of, n, all.size, k};
        if (given.size != size) throw std::invalid_argument("there must be a weight for every view");
    }
    Calibration given{};

  private:
    static Index others(const Buffer& prior) {
        if (prior.columns() < 2) throw std::invalid_argument("there must be two classes");
        return prior.columns() - 1;
    }
    Buffer length, prior, codes, weight;
    ViewParts all;
};

static nb::tuple py_calibration_loss(const nb::tuple& views, nb::handle log_length, nb::handle log_prior, nb::handle y, nb::handle w,
                                     nb::handle beta, nb::handle pace, nb::handle bias) {
    const Buffer weights(beta, "beta", 1), biases(bias, "bias", 1), three(pace, "pace", 1);
    const CalibrationArguments all(views, log_length, log_prior, y, w, weights.rows());
    const Index k = all.given.n_classes;
    biases.expect(k, 1), three.expect(3, 1);
    const double *from = weights.doubles(), *by_class = biases.doubles(), *at = three.doubles();
    nb::object of_beta = zeros<double>(weights.rows()), of_pace = zeros<double>(3), of_bias = zeros<double>(k);
    double *g = Buffer(of_beta, "of_beta", 1, true).doubles(), *t = Buffer(of_pace, "of_pace", 1, true).doubles(),
           *h = Buffer(of_bias, "of_bias", 1, true).doubles();
    double value = 0;
    {
        Released _;
        value = calibration_loss(all.given, from, {at[0], at[1], at[2]}, by_class, g, t, h);
    }
    return nb::make_tuple(value, of_beta, of_pace, of_bias);
}

static nb::tuple py_calibration_curvature(const nb::tuple& views, nb::handle log_length, nb::handle log_prior, nb::handle y,
                                          nb::handle w, nb::handle beta, nb::handle pace, nb::handle bias) {
    const Buffer weights(beta, "beta", 1), biases(bias, "bias", 1), three(pace, "pace", 1);
    const Index size = weights.rows(), known = size + 3;
    const CalibrationArguments all(views, log_length, log_prior, y, w, size);
    const Index k = all.given.n_classes;
    biases.expect(k, 1), three.expect(3, 1);
    const double *from = weights.doubles(), *by_class = biases.doubles(), *at = three.doubles();
    std::optional<Curvature> found;
    {
        Released _;
        found = calibration_curvature(all.given, from, {at[0], at[1], at[2]}, by_class);
    }
    nb::object inner = zeros<double>(known, known), across = zeros<double>(k, known);
    double *h = Buffer(inner, "inner", 2, true).doubles(), *b = Buffer(across, "across", 2, true).doubles();
    for (Index i = 0; i < known; ++i)
        for (Index j = i; j < known; ++j) h[i * known + j] = h[j * known + i] = found->inner[i * found->width + j];
    for (Index c = 0; c < k; ++c) std::copy_n(&found->across[c * found->width], known, b + c * known);
    return nb::make_tuple(inner, across, to_array(found->of_bias));
}

static nb::object py_fit_views(const nb::tuple& views, nb::handle log_length, nb::handle log_prior, nb::handle y, nb::handle w,
                               nb::handle usual, const nb::tuple& penalties, const nb::tuple& pace, nb::handle begin,
                               int steps, double tolerance) {
    const Buffer weights(usual, "usual", 2), from(begin, "begin", 1);
    const Index of_views = weights.rows(), bands = weights.columns();
    const CalibrationArguments all(views, log_length, log_prior, y, w, of_views * bands);
    from.expect(of_views * (1 + bands) + 3 + all.given.n_classes, 1);
    if (nb::len(penalties) != 5 || nb::len(pace) != 3)
        throw std::invalid_argument("there are five penalties, and three numbers of pace");
    const auto number = [](const nb::tuple& of, std::size_t i) { return nb::cast<double>(of[i]); };
    const ViewPrior prior{weights.doubles(), of_views, bands, number(penalties, 0), number(penalties, 1),
                          number(penalties, 2), number(penalties, 3), number(penalties, 4),
                          {number(pace, 0), number(pace, 1), number(pace, 2)}};
    Vector p(from.doubles(), from.doubles() + from.rows());
    {
        Released _;
        fit_views(all.given, prior, p, {steps, tolerance});
    }
    return to_array(p);
}

void bind_text_calibration(nb::module_& m) {
    using namespace nb::literals;
    m.def("paces", &py_paces, "evidence"_a, "log_length"_a, "level"_a, "b"_a, "g"_a);
    m.def("weigh_views", &py_weigh_views, "views"_a, "beta"_a, "documents"_a, "n_classes"_a);
    m.def("calibration_loss", &py_calibration_loss, "views"_a, "log_length"_a, "log_prior"_a, "y"_a, "w"_a, "beta"_a,
          "pace"_a, "bias"_a);
    m.def("calibration_curvature", &py_calibration_curvature, "views"_a, "log_length"_a, "log_prior"_a, "y"_a, "w"_a,
          "beta"_a, "pace"_a, "bias"_a);
    m.def("fit_views", &py_fit_views, "views"_a, "log_length"_a, "log_prior"_a, "y"_a, "w"_a, "usual"_a, "penalties"_a,
          "pace"_a, "begin"_a, "steps"_a, "tolerance"_a);
}

}  // namespace candide
