// The families of kernels as Python sees them: arguments checked, the interpreter released, a pure loop called.
#pragma once

#include <vector>

#include "buffers.hpp"

namespace candide {

using Released = nb::gil_scoped_release;

template <class T>
nb::bytes as_bytes(const std::vector<T>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void bind_counting(nb::module_& m);
void bind_joint(nb::module_& m);
void bind_scoring(nb::module_& m);
void bind_mappings(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_labels(nb::module_& m);
void bind_records(nb::module_& m);
void bind_values(nb::module_& m);
void bind_smoothed(nb::module_& m);
void bind_tuples(nb::module_& m);
void bind_text(nb::module_& m);
void bind_text_sums(nb::module_& m);
void bind_text_scores(nb::module_& m);
void bind_text_calibration(nb::module_& m);
void bind_text_views(nb::module_& m);
void bind_tuning(nb::module_& m);
void bind_pages(nb::module_& m);
void bind_csv_cells(nb::module_& m);
void bind_json_row(nb::module_& m);
void bind_json_cells(nb::module_& m);
void bind_mixing(nb::module_& m);

}  // namespace candide
