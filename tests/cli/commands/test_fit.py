from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import candide
from candide.cli import screens
from candide.sources import files, text

WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from candide.cli.app import app
for command in ("fit requests.csv -t desk -o one.json", "predict one.json requests.csv --proba -o one.csv"):
    try:
        app(command.split())
    except SystemExit as end:
        assert end.code == 0, command
"""


def taught(path):
    """Return what a model file holds besides where its rows came from."""
    return {key: part for key, part in json.loads(Path(path).read_text())["model"].items() if key != "made"}


def fitted(path: str = "m.json"):
    return candide.load(path)


def test_the_model_is_that_of_the_library(model):
    frame = pd.read_csv("requests.csv")
    expected = candide.NaiveBayes(distributions={"weight": "lognormal"}).fit(frame, "desk")
    assert (fitted(model).predict_proba(frame) == expected.predict_proba(frame)).all()
    assert fitted(model).schema_.target == "desk"


@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars"])
def test_any_one_frame_library_will_do(run, library):
    run("fit", "requests.csv", "-t", "desk", "-o", "all.json")
    command = [sys.executable, "-c", WITHOUT.format(absent={"pyarrow", "pandas", "polars"} - {library})]
    subprocess.run(command, check=True)
    assert taught("one.json") == taught("all.json")
    assert Path("one.csv").read_text() == run("predict", "all.json", "requests.csv", "--proba").stdout


HEAVY = """
import sys
from candide.cli import main
sys.argv[1:] = {arguments}
try:
    main()
finally:
    assert "pyarrow" in sys.modules
    print("heavy", *{{"pandas", "sklearn"}} & set(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("ending", ["csv", "parquet", "ndjson"])
@pytest.mark.parametrize("plain", [[], ["--plain"]])
@pytest.mark.usefixtures("run")
def test_learning_from_files_imports_nothing_heavy(ending, plain):
    frame = pd.concat([pd.read_csv("requests.csv")] * 20, ignore_index=True)
    write = {
        "csv": frame.to_csv,
        "parquet": frame.to_parquet,
        "ndjson": partial(frame.to_json, orient="records", lines=True),
    }
    write[ending](f"many.{ending}", index=False)
    arguments = ["fit", f"many.{ending}", "-t", "desk", "-o", "m.json", *plain]
    command = [sys.executable, "-c", HEAVY.format(arguments=arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.endswith("heavy\n")
    assert "learnt 200 rows" in done.stdout


def test_no_frame_library_names_the_extra(run, monkeypatch):
    for library in ("pyarrow", "pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    assert "candide[arrow]" in run("fit", "requests.csv", "-t", "desk", "-o", "m.json", code=2).stderr


def test_a_model_that_nobody_names_is_called_as_the_target_and_replaces_nothing(run):
    said = run("fit", "requests.csv", "-t", "desk").stdout
    assert "desk.json" in said
    assert fitted("desk.json").schema_.target == "desk"
    before = Path("desk.json").read_bytes()
    assert (
        "desk.json is there already: -o desk.json writes it anew"
        in run("fit", "requests.csv", "-t", "desk", code=2).stderr
    )
    assert Path("desk.json").read_bytes() == before
    run("fit", "requests.csv", "-t", "desk", "-o", "desk.json")
    Path("odd.csv").write_text("weight,in/out\n1,a\n2,b\n3,a\n")
    assert "name the model file by -o" in run("fit", "odd.csv", "-t", "in/out", code=2).stderr
    Path("desk.json").unlink()
    Path("desk.json").symlink_to("nowhere")
    assert "is there already" in run("fit", "requests.csv", "-t", "desk", code=2).stderr


def test_options_become_parameters(run):
    run(
        "fit", "requests.csv", "-t", "desk", "-o", "m.json", "--smoothing", "lidstone(0.5)", "--combination",
        "outlier(rate=0.05)", "--prior", "bike=0.2,car=0.5,truck=0.3", "--missing-level", "--unseen", "error",
        "--group", "energy,wheels", "--distribution", "wheels=categorical",
    )  # fmt: skip
    params = fitted().get_params(deep=False)
    assert repr(params["smoothing"]) == "Lidstone(alpha=0.5)"
    assert repr(params["combination"]) == "Outlier(rate=0.05)"
    assert params["prior"] == {"bike": 0.2, "car": 0.5, "truck": 0.3}
    assert (params["missing"], params["unseen"], params["groups"]) == ("level", "error", [["energy", "wheels"]])


def test_a_preset_is_a_start_for_other_options(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", "--preset", "robust", "--prior", "uniform")
    found = fitted()
    assert type(found).__name__ == "RobustNB"
    assert (found.prior, found.combination) == ("uniform", "robust")


def test_weights_count_as_repetition(run):
    Path("weighted.csv").write_text("x,y,w\na,u,2\nb,v,1\n")
    Path("repeated.csv").write_text("x,y\na,u\na,u\nb,v\n")
    run("fit", "weighted.csv", "-t", "y", "--weight", "w", "-o", "w.json")
    run("fit", "repeated.csv", "-t", "y", "-o", "r.json")
    assert fitted("w.json").schema_.names == ["x"]
    assert fitted("w.json").class_counts_.tolist() == fitted("r.json").class_counts_.tolist() == [2, 1]


def test_columns_are_left_out(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", "-x", "weight", "-x", "energy")
    assert fitted().schema_.names == ["wheels"]


def test_codes_stay_as_they_are_written_and_quantities_compare_as_numbers(run):
    Path("codes.csv").write_text("zip,wheels,y\n01234,2.0,a\n1234,4.0,b\n")
    options = ("--distribution", "zip=categorical", "--distribution", "wheels=categorical")
    run("fit", "codes.csv", "-t", "y", "-o", "m.json", *options)
    zip_, wheels = fitted().schema_.columns
    assert zip_.levels.tolist() == ["01234", "1234"]
    assert wheels.levels.tolist() == [2.0, 4.0]
    assert run("predict", "m.json", "-", stdin='{"zip": "01234", "wheels": 2}').stdout == "prediction\na\n"


def test_labels_are_whole_numbers_only_where_written_so(run):
    Path("whole.csv").write_text("x,y\na,0\nb,1\n")
    Path("codes.csv").write_text("x,y\na,00\nb,01\n")
    run("fit", "whole.csv", "-t", "y", "-o", "w.json")
    run("fit", "codes.csv", "-t", "y", "-o", "c.json")
    assert fitted("w.json").classes_.tolist() == [0, 1]
    assert fitted("c.json").classes_.tolist() == ["00", "01"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Report of sales\n\nx,y\n1,a\n", "there are 'Report of sales'; if lines stand above the names of the columns"),
        ("x;y;\n1;a;\n", "column 2 has no name (a separator at the end of each line?)"),
        (",x,y\n0,1,a\n", "column 0 has no name (an index that pandas wrote?)"),
    ],
)
def test_a_first_line_that_names_no_columns_is_told_by_its_cause(run, content, says):
    Path("odd.csv").write_text(content)
    assert says in run("fit", "odd.csv", "-t", "y", "-o", "m.json", code=2).stderr


def test_a_word_that_makes_a_column_text_is_pointed_out(run):
    Path("q.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(30)) + "few,a\n")
    message = run("fit", "q.csv", "-t", "y", "-o", "m.json").stderr
    assert message.startswith("note: column 'x' is taken as text because of 'few' in row 30; --missing 'few'")
    for option in ("--missing", "--na"):
        assert run("fit", "q.csv", "-t", "y", "-o", "m.json", option, "few").stderr == ""
    assert fitted().schema_.columns[0].kind == "numbers"


def test_batches_teach_what_the_whole_teaches(run, monkeypatch):
    run("fit", "requests.csv", "-t", "desk", "-o", "whole.json")
    monkeypatch.setattr(text, "BLOCK_BYTES", 64)
    monkeypatch.setattr(files, "KEPT_BYTES", 0)
    run("fit", "requests.csv", "-t", "desk", "-o", "parts.json")
    assert taught("parts.json") == taught("whole.json")


def test_several_files_and_formats_teach_what_one_table_teaches(run):
    header, *lines = Path("requests.csv").read_text().splitlines(keepends=True)
    Path("1.csv").write_text(header + "".join(lines[:4]))
    Path("2.csv").write_text(header + "".join(lines[4:]))
    run("fit", "requests.csv", "-t", "desk", "-o", "whole.json")
    for tables in (["1.csv", "2.csv"], ["[12].csv"]):
        run("fit", *tables, "-t", "desk", "-o", "parts.json")
        assert taught("parts.json") == taught("whole.json")


def test_batches_of_rows_without_weight_teach_nothing(run, monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 16)
    Path("w.csv").write_text("x,y,w\na,u,0\nb,v,0\na,u,2\nb,v,1\n")
    run("fit", "w.csv", "-t", "y", "--weight", "w", "-o", "m.json")
    assert fitted().class_counts_.tolist() == [2, 1]
    Path("w.csv").write_text("x,y,w\na,u,0\nb,v,0\n")
    message = run("fit", "w.csv", "-t", "y", "--weight", "w", "-o", "m.json", code=2).stderr
    assert "no rows with a weight in 'w'" in message


def test_rows_are_counted_through_all_batches(run, monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 16)
    Path("w.csv").write_text("x,y,w\n1,u,1\n2,v,1\n3,u,1\n4,v,-1\n")
    message = run("fit", "w.csv", "-t", "y", "--weight", "w", "-o", "m.json", code=2).stderr
    assert "the weight column 'w' holds -1 in row 3: a weight is not negative" in message


@pytest.mark.parametrize("labels", [["--5", "6"], ["9" * 5000, "1"], ["1.5", "2.5"]])
def test_labels_that_only_look_like_numbers_are_text(run, labels):
    Path("l.csv").write_text("x,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels)))
    run("fit", "l.csv", "-t", "y", "-o", "m.json")
    assert fitted().classes_.tolist() == sorted(labels)


@pytest.mark.parametrize("smoothing", ["lidstone(" + "-" * 20_000 + "1)", "lidstone(" + "(" * 500 + ")"])
def test_parameters_that_cannot_be_parsed_are_refused(run, smoothing):
    message = run("fit", "requests.csv", "-t", "desk", "-o", "m.json", "--smoothing", smoothing, code=2).stderr
    assert message.startswith("candide: 'lidstone(")
    assert "write parameters as numbers" in message


def test_standard_input_and_output(run):
    text = Path("requests.csv").read_text()
    result = run("fit", "-", "-t", "desk", "-o", "-", stdin=text)
    assert json.loads(result.stdout)["format"] == "candide.model"
    assert result.stderr.startswith("learnt 10 rows")
    assert run("predict", "-", "requests.csv", stdin=result.stdout).stdout.startswith("prediction\nbike\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-t", "Desk"], "there is no column 'Desk'; did you mean 'desk'?"),
        (["-t", "desk", "--distribution", "wieght=normal"], "did you mean 'weight'"),
        (["-t", "desk", "--distribution", "wheels=text(stem=english)"], "options such as --stem english say how"),
        (["-t", "desk", "--distribution", "weight=equal-width(k=3)"], "distributions='equal-width(k=3)' is not known"),
        (["-t", "desk", "--distribution", "weight=norml"], "'norml' is not known"),
        (["-t", "desk", "--distribution", "energy=normal"], "column 'energy'"),
        (["-t", "desk", "--distribution", "normal", "--distribution", "weight=gamma"], "not both"),
        (["-t", "desk", "--smoothing", "lap"], "'lap' is not known"),
        (["-t", "desk", "--smoothing", "lidstone(x)"], "alpha='x': a pseudo-count is a number"),
        (["-t", "desk", "--smoothing", "lidstone(beta=1)"], "unexpected keyword argument 'beta'"),
        (["-t", "desk", "--combination", "sum", "--distribution", "weight=normal"], "discrete attributes"),
        (["-t", "desk", "--prior", "bike"], "write 'uniform'"),
        (["-t", "desk", "--prior", "bik=1"], "did you mean 'bike'"),
        (["-t", "desk", "--prior", "bike=x"], "'x' is not a probability"),
        (["-t", "desk", "--group", "energy,color"], "there is no column 'color'"),
        (["-t", "desk", "--unseen", "drop"], "'drop' is not one of"),
        (["-t", "desk", "--preset", "robst"], "did you mean 'RobustNB'"),
        (["-t", "desk", "--weight", "energy"], "'petrol' is not a number"),
        (["-t", "desk", "--weight", "weight"], "weight column 'weight' is empty in row 2"),
        (["-t", "desk", "--weight", "w"], "there is no column 'w'"),
        (["-t", "desk", "-x", "desk"], "cannot be left out"),
        (["-t", "energy"], "the target column 'energy' is empty in row 5"),
        (["-t", "desk", "-x", "weight", "-x", "energy", "-x", "wheels"], "no column besides 'desk'"),
    ],
)
def test_bad_options_are_one_line_each(run, options, message):
    assert message in run("fit", "requests.csv", "-o", "m.json", *options, code=2).stderr
    assert not Path("m.json").exists()


def test_a_folder_that_is_not_there_is_said(run):
    assert "there is no folder 'no'" in run("fit", "requests.csv", "-t", "desk", "-o", "no/m.json", code=2).stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [("a,b\n", "no rows"), (",b\n1,2\n", "--exclude ''"), ("a,b\n1,\n", "empty in row 0")],
)
def test_tables_that_teach_nothing(run, text, message):
    assert message in run("fit", "-", "-t", "b", "-o", "m.json", stdin=text, code=2).stderr


def test_objects_of_mixed_kinds_are_read_as_text_is(run):
    text = "".join(f'{{"a": {a}, "y": "{y}"}}\n' for a, y in [(1, "u"), ('"?"', "v"), (2.5, "u"), (4, "v")])
    assert "a: 3 numbers and once '?', read as missing" in run("fit", "-", "-t", "y", "-o", "m.json", stdin=text).stdout


def test_help_names_every_rule(run):
    from candide import combination, distributions, presets, smoothing

    words = "".join(run("fit", "--help").output.split())
    for registry in (combination.RULES, smoothing.RULES, distributions.RULES):
        assert all(rule.name in words for rule in registry if rule.name)
    assert all(name in words for name in presets.__all__)


def test_a_terminal_is_told_the_same(run, monkeypatch):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    assert "10 rows, 3 columns and 3 classes" in run("fit", "requests.csv", "-t", "desk", "-o", "m.json").stdout


def test_fit_tunes_unless_it_is_to_be_plain(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "tuned.json")
    run("fit", "requests.csv", "-t", "desk", "-o", "plain.json", "--plain")
    run("fit", "requests.csv", "-t", "desk", "-o", "robust.json", "--combination", "robust")
    assert [type(fitted(f"{name}.json")).__name__ for name in ("tuned", "plain", "robust")] == [
        "TunedNB",
        "NaiveBayes",
        "NaiveBayes",
    ]
    assert (fitted("tuned.json").tuned_on_, fitted("plain.json").tuned_on_) == (10, 0)
    told = run("inspect", "tuned.json").stdout
    assert "weights settled on 10 rows" in told
    assert "weight" in told


def test_a_target_of_one_class_and_one_of_a_class_a_row_are_said(run) -> None:
    Path("one.csv").write_text("x,y\n" + "1,a\n2,a\n" * 10, encoding="utf-8")
    assert (
        "y: always 'a', so that the model has no other answer"
        in run("fit", "one.csv", "-t", "y", "-o", "m.json").output
    )
    Path("many.csv").write_text("x,y\n" + "".join(f"{i % 3},{i / 7:.3f}\n" for i in range(40)), encoding="utf-8")
    assert "y: 40 classes in 40 rows, too many" in run("fit", "many.csv", "-t", "y", "-o", "m.json").output
    Path("few.csv").write_text("x,y\n1,a\n2,b\n", encoding="utf-8")
    assert "classes in" not in run("fit", "few.csv", "-t", "y", "-o", "m.json").output


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["a", "b", "A "], "y: 'A ' beside 'a': they differ in case or spaces alone, and count apart"),
        (
            ["a", "b", "NA"],
            "y: 'NA' is learnt as a class; where it says that the class is not known, leave the row out",
        ),
        (["a", "b", "y"], "y: 'y' is a class itself: does a line repeat the names of the columns?"),
    ],
)
def test_classes_that_may_not_be_meant_are_told(run, tmp_path, monkeypatch, labels, said):
    monkeypatch.chdir(tmp_path)
    rows = [labels[2], *labels[:2] * 10]
    Path("t.csv").write_text("x,y\n" + "".join(f"{i % 4},{label}\n" for i, label in enumerate(rows)))
    assert said in run("fit", "t.csv", "-t", "y", "-o", "m.json").output
    Path("t.csv").write_text("x,y\n" + "".join(f"{i % 4},{label}\n" for i, label in enumerate(["none", *rows[1:]])))
    assert "y: " not in run("fit", "t.csv", "-t", "y", "-o", "m.json").output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Report,,,\nw,x,z,y\n1,2,3,a\n", "3 columns have no name in the first line: give each a name"),
        ("w,,y\n1,2,a\n", "column 1 has no name (names in two lines, or joined cells?)"),
        ("1.5,red,a\n2.5,blue,b\n", "there is no column 'y'; there are '1.5', 'red', 'a'; does the first line name"),
        ("w,y\n1,a\n\nend\n", "line 4: a row has 1 cell and the first line names 2 columns"),
    ],
)
def test_a_first_line_that_names_no_columns_is_told_in_one_line(run, tmp_path, monkeypatch, content, said):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(content)
    assert said in run("fit", "t.csv", "-t", "y", "-o", "m.json", code=2).stderr


def test_a_column_without_a_cell_is_told(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("w,x,y\n" + "1,,a\n2,,b\n" * 20)
    assert "x: empty in all rows, which tells nothing" in run("fit", "t.csv", "-t", "y", "-o", "m.json").output


def test_a_sheet_of_several_is_asked_for_by_its_name(run, tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    for row in [("x", "y"), (1, "a"), (2, "b")]:
        book.active.append(row)
    sheet = book.create_sheet("data")
    for row in [("x", "y"), *[(i, "ab"[i % 2]) for i in range(20)]]:
        sheet.append(row)
    book.create_sheet("empty")
    book.save("t.xlsx")
    first = run("fit", "t.xlsx", "-t", "y", "-o", "m.json").stderr
    assert "of its sheets 'Sheet', 'data' the first is read; --sheet names another" in first
    assert (
        "there is no sheet 'date'; did you mean 'data'?"
        in run("fit", "t.xlsx", "-t", "y", "-o", "m.json", "--sheet", "date", code=2).stderr
    )
    assert "learnt 20 rows" in run("fit", "t.xlsx", "-t", "y", "-o", "m.json", "--sheet", "data").output
    assert len(run("predict", "m.json", "t.xlsx", "--sheet", "data").stdout.splitlines()) == 21


def test_codes_that_are_numbers_to_the_model_are_said_to_be(run) -> None:
    lines = [f"{i % 12 + 1:02d},{'ab'[i % 2]}" for i in range(60)]
    Path("codes.csv").write_text("\n".join(["month,y", *lines]), encoding="utf-8")
    as_text = run("fit", "codes.csv", "-t", "y", "-o", "text.json", "--plain").output
    assert "taken as text; reading={column: Amounts()}, or a --distribution of numbers, reads numbers" in as_text
    as_numbers = run(
        "fit", "codes.csv", "-t", "y", "-o", "numbers.json", "--plain", "--distribution", "month=normal"
    ).output
    assert "month: codes such as '01', taken as numbers" in as_numbers
    for model, says in ("text", "taken as text"), ("numbers", "taken as numbers"):
        assert says in run("inspect", f"{model}.json").output


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        ([], "level"),
        (["--preset", "TunedNB"], "level"),
        (["--plain"], "ignore"),
        (["--plain", "--missing-level"], "level"),
        (["--combination", "sum"], "ignore"),
        (["--preset", "LaplaceNB"], "ignore"),
        (["--structure", "tan"], "ignore"),
        (["--structure", "tan", "--missing-level"], "level"),
    ],
)
def test_missing_cells_are_what_the_help_says(run, rules, missing):
    run("fit", "requests.csv", "-t", "desk", "-o", "m.json", *rules)
    assert candide.load("m.json").missing == missing
    told = " ".join(run("fit", "--help").stdout.split())
    assert "settled on the rows, or on an even sample of many, and a missing cell is a level of its own" in told
    assert "as it is in tuned models by default; in others, --plain among them, it says nothing without this" in told


def test_what_a_date_becomes_is_counted(run):
    days = [f"2024-{n % 12 + 1:02}-{n % 28 + 1:02},{n},{'ab'[n % 2]}\n" for n in range(60)]
    Path("days.csv").write_text("day,size,desk\n" + "".join(days))
    said = run("fit", "days.csv", "-t", "desk", "-o", "days.json", "--plain").stdout
    n = len(candide.load("days.json").schema_.names)
    assert n > 2
    assert f"learnt 60 rows, 2 columns as {n} attributes and 2 classes: days.json" in said


def test_a_checkpoint_is_no_model_file(run):
    Path("link.json").symlink_to("m.json")
    for output in ("m.json", "./m.json", "link.json"):
        told = run("fit", "requests.csv", "-t", "desk", "-o", output, "--checkpoint", "m.json", code=2).stderr
        assert "--checkpoint m.json is the model file" in told
    assert not Path("m.json").exists()


def test_a_number_that_all_rows_have_is_told(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"3,{'2.5' if i % 3 else ''},$ 5,{i % 7},{'uv'[i % 2]}\n" for i in range(60)]
    Path("t.csv").write_text("a,b,c,x,y\n" + "".join(rows))
    told = run("fit", "t.csv", "-t", "y", "-o", "m.json").output
    assert "a: always 3, which tells nothing" in told
    assert "c: 60 numbers with the unit '$'; always 5, which tells nothing" in told
    assert "b: always 2.5 or missing (20 times): tells something where missing is a level" in " ".join(told.split())
