"""Which kernels are taken: the compiled ones, or their twins where there are none."""

import subprocess
import sys

# `import candide` in a process that finds the compiled module as told
SCRIPT = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "candide.native._kernels":
            raise {error}

sys.meta_path.insert(0, Finder())
import candide
print(candide.kernels())
"""


def outcome(error: str) -> subprocess.CompletedProcess[str]:
    script = SCRIPT.format(error=error)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


def test_without_a_compiled_module_the_twins_serve():
    assert outcome("ModuleNotFoundError(name)").stdout == "numpy\n"


def test_a_compiled_module_that_does_not_load_is_an_error():
    done = outcome("ImportError('libgomp.so.1: cannot open shared object file')")
    assert done.returncode != 0
    assert "ImportError: libgomp.so.1" in done.stderr
