"""Checkouts: what would be compared with the wrong thing is refused."""

import io
import sys
from pathlib import Path

import pytest
from benchmarks.channel import Channel
from benchmarks.checkouts import BEFORE, NOW, ROOT, Checkout, checkouts

ABOUT = {"candide": "0.1.0", "kernels": "native", "python": "3.11.7"}


def test_this_checkout_is_alone_unless_another_is_named(tmp_path):
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert [c.name for c in checkouts(None)] == [NOW]
    assert [(c.name, c.python) for c in checkouts(tmp_path)] == [(BEFORE, python), (NOW, Path(sys.executable))]


def test_a_checkout_without_an_environment_says_how_to_make_one(tmp_path):
    with pytest.raises(SystemExit, match=r"no environment: run `make setup` there"):
        checkouts(tmp_path)


def test_a_package_from_elsewhere_is_refused(tmp_path):
    checkout = Checkout(NOW, ROOT, Path(sys.executable))
    with pytest.raises(SystemExit, match=r"imports candide from .*, not from"):
        checkout.check(ABOUT | {"home": str(tmp_path / "candide" / "__init__.py")})


def test_kernels_that_were_not_compiled_are_refused():
    checkout = Checkout(NOW, ROOT, Path(sys.executable))
    home = {"home": str(ROOT / "src" / "candide" / "__init__.py")}
    with pytest.raises(SystemExit, match="no compiled kernels"):
        checkout.check(ABOUT | home | {"kernels": "numpy"})
    assert checkout.check(ABOUT | home)["candide"] == "0.1.0"


def test_a_record_names_the_commit_and_no_folder(tmp_path):
    checkout = Checkout(NOW, tmp_path, Path(sys.executable))
    about = checkout.check(ABOUT | {"home": str(tmp_path / "candide.py")})
    assert about == ABOUT | {"commit": None}


def test_a_process_that_did_not_start_is_told_in_one_sentence():
    checkout = Checkout(NOW, ROOT, Path(sys.executable))
    with pytest.raises(SystemExit, match="could not run the benchmarks: its error stands above"):
        checkout.greet(Channel(io.BytesIO(b""), io.BytesIO()))
