"""What happens to the kernels at installation: a compiler that is there builds them, or the installation fails."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("pip", "scikit_build_core", "nanobind")

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(tool) is None for tool in TOOLS) or not (ROOT / "CMakeLists.txt").exists(),
    reason="needs a checkout, pip and the build tools, as make setup installs them",
)


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, ROOT],
        env={**os.environ, "PATH": tools, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="the compiler that fails is a shell script")
def test_a_compiler_that_fails_makes_the_installation_fail(tmp_path):
    compiler = tmp_path / "c++"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    done = build(tmp_path, CXX=str(compiler))
    assert done.returncode != 0
    assert "could not be built" in done.stdout + done.stderr
    assert "CANDIDE_KERNELS=numpy" in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.whl"))


def test_who_asks_for_numpy_gets_a_wheel_for_every_machine(tmp_path):
    done = build(tmp_path, CANDIDE_KERNELS="numpy")
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
