"""A kernel that is new: its loop and binding over the headers there are, its twin, and what asks for them."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.native import test_stub
from tests.native.same import assert_same

from candide import native
from candide.native import reference

COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
HEADERS = Path(reference.__file__).parents[1]

KERNEL = r"""
#include "bindings.hpp"

namespace candide {

// The largest minus the smallest number of each column, NaN where there is none.
void spans(const double* x, Index rows, Index columns, double* out) {
    for (Index j = 0; j < columns; ++j) {
        double low = INFINITY, high = -INFINITY;
        for (Index i = 0; i < rows; ++i) {
            low = std::fmin(low, x[i * columns + j]);
            high = std::fmax(high, x[i * columns + j]);
        }
        out[j] = low <= high ? high - low : NAN;
    }
}

}  // namespace candide

NB_MODULE(new_kernels, m) {
    using namespace candide;
    using namespace nb::literals;
    m.def("spans", [](nb::handle x) {
        const Buffer table(x, "x", 2);
        const double* from = table.doubles();
        nb::object out = zeros<double>(table.columns());
        double* to = Buffer(out, "out", 1, true).doubles();
        const Released released;
        spans(from, table.rows(), table.columns(), to);
        return out;
    }, "x"_a);
}
"""


def spans(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the largest minus the smallest number of each column, NaN where there is none: the twin."""
    return np.asarray(np.fmax.reduce(x, axis=0, initial=np.nan) - np.fmin.reduce(x, axis=0, initial=np.nan))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Build the kernel as the kernels are built: against nanobind and the headers of the project."""
    nanobind = pytest.importorskip("nanobind", reason="needs the build tools, as make setup installs them")
    if COMPILER is None or native.kernels() == "numpy":
        pytest.skip("there is no compiler that builds the kernels")
    folder, root = tmp_path_factory.mktemp("kernel"), Path(nanobind.__file__).parent
    source, built = folder / "new_kernels.cpp", folder / f"new_kernels{importlib.machinery.EXTENSION_SUFFIXES[0]}"
    source.write_text(KERNEL, encoding="utf-8")
    found = [nanobind.include_dir(), root / "ext" / "robin_map" / "include", sysconfig.get_path("include"), HEADERS]
    flags = ["-std=c++20", "-O0", "-fPIC", "-shared", "-fvisibility=hidden", *(f"-I{folder}" for folder in found)]
    undefined = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    whole = root / "src" / "nb_combined.cpp"
    done = subprocess.run(
        [COMPILER, *flags, *undefined, source, whole, "-o", built], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    loader = importlib.machinery.ExtensionFileLoader("new_kernels", str(built))
    spec = importlib.util.spec_from_loader("new_kernels", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_a_kernel(compiled: Any) -> None:
    rng = np.random.default_rng(0)
    for shape in ((5, 3), (1, 1), (0, 2), (400, 7)):
        x = np.where(rng.random(shape) < 0.3, np.nan, rng.normal(size=shape))
        assert_same(compiled.spans(x), spans(x))
    np.testing.assert_array_equal(compiled.spans(np.array([[1.0, np.nan], [4.0, np.nan]])), [3.0, np.nan])
    with pytest.raises(TypeError, match="x must hold C-contiguous float64, not 'f'"):
        compiled.spans(np.ones((2, 2), dtype=np.float32))
    with pytest.raises(ValueError, match="x must have 2 dimensions, not 1"):
        compiled.spans(np.ones(2))


def test_a_kernel_without_its_twin_or_its_line_in_the_stub_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "__all__", [*native.__all__, "spans"])
    monkeypatch.setattr(native, "spans", spans, raising=False)
    with pytest.raises(AssertionError):  # the stub does not have it
        test_stub.test_the_package_offers_every_kernel()
    monkeypatch.setitem(test_stub.SIGNATURES, "spans", ["x"])
    test_stub.test_the_package_offers_every_kernel()
    with pytest.raises(AttributeError, match="spans"):
        test_stub.test_the_reference_has_it("spans")
    monkeypatch.setattr(reference, "spans", spans, raising=False)
    test_stub.test_the_reference_has_it("spans")
    if native.kernels() == "native":
        with pytest.raises(AssertionError):
            test_stub.test_the_compiled_module_has_nothing_else()
