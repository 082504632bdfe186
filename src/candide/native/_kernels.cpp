// The one binding file: NumPy arrays in, pure loops over strided memory behind.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

NB_MODULE(_kernels, m) { m.doc() = "Compiled kernels of candide"; }
