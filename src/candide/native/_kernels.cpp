// The compiled module: the families of kernels, and the loops that this machine can run.
#include "bindings.hpp"
#include "large_pages.hpp"

namespace candide {

namespace baseline {
extern const Loops table;
}
#ifdef CANDIDE_AVX2
namespace avx2 {
extern const Loops table;
}
const Loops& loops() {
    static const bool wide =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    return wide ? avx2::table : baseline::table;
}
#else
const Loops& loops() { return baseline::table; }
#endif

}  // namespace candide

NB_MODULE(_kernels, m) {
    using namespace nanobind::literals;
    m.doc() = "The compiled kernels; reference says what they compute.";
    m.def("set_threads", &candide::set_threads, "n"_a);
    m.def("threads", &candide::threads);
    m.def("useful_threads", &candide::useful_threads, "cells"_a);
    m.def("work_alone", &candide::work_alone);
    m.def("after_fork", &candide::after_fork);
    m.def("give_back", &candide::give_back);
    candide::bind_counting(m);
    candide::bind_joint(m);
    candide::bind_scoring(m);
    candide::bind_mappings(m);
    candide::bind_sparse(m);
    candide::bind_labels(m);
    candide::bind_records(m);
    candide::bind_values(m);
    candide::bind_smoothed(m);
    candide::bind_tuples(m);
    candide::bind_text(m);
    candide::bind_text_sums(m);
    candide::bind_text_scores(m);
    candide::bind_text_calibration(m);
    candide::bind_text_views(m);
    candide::bind_tuning(m);
    candide::bind_pages(m);
    candide::bind_csv_cells(m);
    candide::bind_json_row(m);
    candide::bind_json_cells(m);
    candide::bind_mixing(m);
}
