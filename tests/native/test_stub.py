"""The stub, the compiled module and the NumPy twins offer the same kernels with the same parameters."""

import ast
import inspect
from pathlib import Path

import pytest

from candide import native
from candide.native import reference

STUB = Path(reference.__file__).parent.with_name("_kernels.pyi")
SIGNATURES = {
    node.name: [a.arg for a in node.args.args]
    for node in ast.parse(STUB.read_text()).body
    if isinstance(node, ast.FunctionDef)
}


CONSTANTS = {"EXACT", "PER_BINADE", "TOTAL"}


def test_the_package_offers_every_kernel():
    assert set(native.__all__) == {*SIGNATURES, *CONSTANTS, "kernels"}
    assert set(native.__all__) <= set(vars(native))


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_reference_has_it(name):
    assert list(inspect.signature(getattr(reference, name)).parameters) == SIGNATURES[name]


def test_the_compiled_module_has_nothing_else():
    compiled = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")
    found = {name for name in vars(compiled) if not name.startswith("_")}
    assert found == {*SIGNATURES, *CONSTANTS}
    assert all(getattr(compiled, name) == getattr(reference, name) for name in CONSTANTS)
    for name, parameters in SIGNATURES.items():
        # nanobind writes the signature into the first line of the docstring
        described = getattr(compiled, name).__doc__.splitlines()[0]
        tree = ast.parse(f"def {described}: ...").body[0]
        assert isinstance(tree, ast.FunctionDef)
        assert tree.name == name
        assert [a.arg for a in tree.args.args] == parameters
