"""What the commands write: never over what they read, whole or not at all, through links and into devices."""

from __future__ import annotations

import gzip
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import candide

COMMAND = [sys.executable, "-c", "from candide.cli import main; main()"]
NOT_OVER = "is read here as well, and would be overwritten"
LEARNT_FROM = "is what the model was learnt from, and would be overwritten"


@pytest.mark.usefixtures("model")
class TestInputsAreNeverOverwritten:
    @pytest.mark.parametrize("name", ["requests.csv", "./requests.csv", "link.csv", "hard.csv"])
    @pytest.mark.parametrize(
        "command",
        [
            "fit requests.csv -t desk -o",
            "predict model.json requests.csv --to csv -o",
            "evaluate requests.csv -t desk -o",
            "update model.json requests.csv -o",
            "forget model.json requests.csv -o",
        ],
    )
    def test_the_table_is_kept_whatever_it_is_called(self, run, command, name):
        before = Path("requests.csv").read_bytes()
        Path("link.csv").symlink_to("requests.csv")
        Path("hard.csv").hardlink_to("requests.csv")
        assert NOT_OVER in run(*command.split(), name, code=2).stderr
        assert Path("requests.csv").read_bytes() == before

    @pytest.mark.parametrize("table", ["tables", "tables/", "tables/*.csv", "t*/t.csv"])
    @pytest.mark.parametrize(
        "command",
        [
            "fit {} -t desk -o",
            "fit {} -t desk -o m.json --checkpoint",
            "predict model.json {} --to csv -o",
            "evaluate {} -t desk -o",
            "update model.json {} -o",
            "forget model.json {} -o",
            "report model.json {} -o",
        ],
    )
    def test_the_tables_of_folders_and_patterns_are_kept(self, run, command, table):
        Path("tables").mkdir()
        Path("tables/t.csv").write_bytes(Path("requests.csv").read_bytes())
        assert NOT_OVER in run(*command.format(table).split(), "tables/t.csv", code=2).stderr
        assert Path("tables/t.csv").read_bytes() == Path("requests.csv").read_bytes()

    def test_another_file_may_be_written_into_the_folder_that_is_read(self, run):
        Path("tables").mkdir()
        Path("tables/t.csv").write_bytes(Path("requests.csv").read_bytes())
        run("predict", "model.json", "tables", "-o", "tables/out.csv")
        assert Path("tables/out.csv").exists()

    @pytest.mark.parametrize(
        ("command", "file"),
        [
            ("fit requests.csv -t desk --text energy --stop-words @words.txt", "words.txt"),
            ("fit requests.csv -t desk --costs @costs.json", "costs.json"),
            ("fit requests.csv -t desk --network net.json", "net.json"),
            ("fit requests.csv -t desk --smoothing dirichlet(1,@values.json)", "values.json"),
            ("predict model.json requests.csv --to csv --costs @costs.json", "costs.json"),
            ("evaluate requests.csv -t desk -m smoothing=dirichlet(1,@v.csv)", "v.csv"),
            ("privatize model.json --epsilon 1 -b @bounds.json", "bounds.json"),
        ],
    )
    def test_what_options_name_is_kept(self, run, command, file):
        Path(file).write_text("{}")
        assert NOT_OVER in run(*command.split(), "-o", file, code=2).stderr
        assert Path(file).read_text() == "{}"

    def test_a_compressed_table_is_kept(self, run):
        Path("t.csv.gz").write_bytes(gzip.compress(Path("requests.csv").read_bytes()))
        assert NOT_OVER in run("fit", "t.csv.gz", "-t", "desk", "-o", "t.csv.gz", code=2).stderr

    def test_a_model_is_kept(self, run):
        before = Path("model.json").read_bytes()
        assert (
            NOT_OVER in run("predict", "model.json", "requests.csv", "--to", "csv", "-o", "model.json", code=2).stderr
        )
        assert NOT_OVER in run("merge", "model.json", "model.json", "-o", "model.json", code=2).stderr
        assert Path("model.json").read_bytes() == before

    @pytest.mark.parametrize(
        "command",
        [
            "merge model.json model.json",
            "report model.json",
            "report other.json --against model.json",
            "predict model.json new.csv --to csv",
            "slim model.json",
            "export model.json",
            "privatize model.json --epsilon 1 -b weight=0:9 -b wheels=0:9",
            "update model.json new.csv",
            "forget model.json new.csv",
        ],
    )
    def test_the_table_that_a_model_was_learnt_from_is_kept(self, run, command):
        before = Path("requests.csv").read_bytes()
        Path("new.csv").write_bytes(before)
        run("fit", "new.csv", "-t", "desk", "-o", "other.json", "--plain")
        Path("link.sql").symlink_to("requests.csv")
        assert LEARNT_FROM in run(*command.split(), "-o", "link.sql", code=2).stderr
        assert Path("requests.csv").read_bytes() == before

    @pytest.mark.parametrize("table", ["tables", "tables/*.csv", "tables/a.csv tables/b.csv"])
    def test_the_tables_of_a_folder_that_was_learnt_from_are_kept(self, run, table):
        Path("tables").mkdir()
        for name in ("a", "b"):
            Path(f"tables/{name}.csv").write_bytes(Path("requests.csv").read_bytes())
        run("fit", *table.split(), "-t", "desk", "-o", "both.json", "--plain")
        assert LEARNT_FROM in run("predict", "both.json", "requests.csv", "-o", "tables/b.csv", code=2).stderr

    @pytest.mark.parametrize("command", ["merge a.json b.json -o all.json", "update a.json b.csv -o all.json"])
    def test_the_tables_of_models_that_were_added_or_taught_are_kept(self, run, command):
        for name in ("a", "b"):
            Path(f"{name}.csv").write_bytes(Path("requests.csv").read_bytes())
            run("fit", f"{name}.csv", "-t", "desk", "-o", f"{name}.json", "--plain")
        run(*command.split())
        for name in ("a", "b"):
            assert LEARNT_FROM in run("predict", "all.json", "requests.csv", "-o", f"{name}.csv", code=2).stderr
        assert "merged" in run("merge", "all.json", "a.json", "-o", "again.json").stdout

    def test_standard_input_and_output_are_known_by_their_files(self):
        before = Path("requests.csv").read_bytes()
        with Path("requests.csv").open("rb") as table:
            command = [*COMMAND, "predict", "model.json", "-", "-o", "requests.csv"]
            found = subprocess.run(command, stdin=table, capture_output=True, text=True, check=False)
        assert (found.returncode, NOT_OVER in found.stderr) == (2, True)
        with Path("requests.csv").open("ab") as table:
            command = [*COMMAND, "predict", "model.json", "requests.csv"]
            found = subprocess.run(command, stdout=table, stderr=subprocess.PIPE, text=True, check=False)
        assert (found.returncode, "standard output " + NOT_OVER in found.stderr) == (2, True)
        assert Path("requests.csv").read_bytes() == before

    def test_changing_a_model_in_place_is_the_point_of_updating(self, run):
        Path("link.json").symlink_to("model.json")
        run("update", "model.json", "requests.csv", "-o", "link.json")
        assert Path("link.json").is_symlink()
        assert candide.load("model.json").class_counts_.sum() == 20


def test_the_place_is_looked_at_before_the_work(run, monkeypatch):
    monkeypatch.setattr("candide.cli.tables.open_tables", None)
    for out in ("no/m.json", "."):
        assert "folder" in run("fit", "requests.csv", "-t", "desk", "-o", out, code=2).stderr


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_predictions_keep_links_and_modes(run, model, ending):
    Path(f"out.{ending}").touch(mode=0o600)
    Path(f"link.{ending}").symlink_to(f"out.{ending}")
    run("predict", model, "requests.csv", "-o", f"link.{ending}")
    assert Path(f"link.{ending}").is_symlink()
    assert stat.S_IMODE(Path(f"out.{ending}").stat().st_mode) == 0o600
    assert run("predict", model, "requests.csv", "--keep", "-o", f"both.{ending}").exit_code == 0


def test_nothing_is_written_through_a_planted_link(run, model):
    Path("precious").write_text("kept")
    for number in range(3):
        Path(f".out.csv.{os.getpid() + number}.tmp").symlink_to("precious")
    run("predict", model, "requests.csv", "-o", "out.csv")
    assert Path("precious").read_text() == "kept"


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


class TestFullDisks:
    """A limit on the size of files stands for a full disk: both give a short write and then an error."""

    @pytest.mark.parametrize(
        ("command", "unbuffered"),
        [
            ("inspect many.json", "1"),
            ("predict many.json many.csv", ""),
            ("predict many.json many.csv --to ndjson", "1"),
            ("predict many.json many.csv --keep --to parquet -o -", "1"),
            ("predict many.json many.csv --keep -o /dev/stdout --to csv", "1"),
        ],
    )
    def test_output_that_does_not_fit_is_an_error(self, run, command, unbuffered):
        Path("many.csv").write_text("x,y\n" + "".join(f"level{i:06},class{i:06}\n" for i in range(300)))
        run("fit", "many.csv", "-t", "y", "-o", "many.json")
        with Path("out").open("wb") as out:
            found = subprocess.run(
                [*COMMAND, *command.split()],
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
                preexec_fn=limited,
            )
        assert found.returncode == 2
        assert found.stderr.startswith("candide: ")
        assert "File too large" in found.stderr
        assert found.stderr.count("\n") == 1

    def test_a_full_device_is_an_error(self, run, model):
        found = run("predict", model, "requests.csv", "-o", "/dev/full", "--to", "csv", code=2)
        assert found.stderr == "candide: /dev/full: No space left on device\n"


def test_an_empty_name_is_no_folder(run) -> None:
    assert "'' is the name of no file" in run("fit", "", "-t", "desk", "-o", "m.json", code=2).stderr
    assert "'' is the name of no file to write" in run("fit", "requests.csv", "-t", "desk", "-o", "", code=2).stderr
    assert "'' is the name of no model" in run("predict", "", "requests.csv", code=2).stderr
