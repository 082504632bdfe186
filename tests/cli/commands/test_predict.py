from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import candide
from candide.cli import screens
from candide.sources import text


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_predictions_are_those_of_the_library(run, model):
    found = rows(run("predict", model, "requests.csv", "--proba").stdout)
    loaded, frame = candide.load(model), pd.read_csv("requests.csv")
    assert [r["prediction"] for r in found] == loaded.predict(frame).tolist()
    p = np.array([[float(r[f"P({c})"]) for c in loaded.classes_] for r in found])
    assert np.array_equal(p, loaded.predict_proba(frame))


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "ndjson", "ndjson.gz", "parquet", "arrow", "feather"])
def test_every_format_is_written_and_read_again(run, model, ending):
    run("predict", model, "requests.csv", "--keep", "-o", f"out.{ending}")
    # the prediction is an extra column now, and left aside
    assert run("predict", model, f"out.{ending}").stdout == run("predict", model, "requests.csv").stdout


def test_kept_columns_are_as_they_were(run, model):
    out = run("predict", model, "requests.csv", "--keep").stdout
    kept = [line.rsplit(",", 1)[0] for line in out.splitlines()]
    assert kept == Path("requests.csv").read_text().splitlines()


def test_kept_columns_have_the_model_s_types_in_typed_files(run, model):
    run("predict", model, "requests.csv", "--keep", "-o", "out.parquet")
    schema = pyarrow.parquet.read_schema("out.parquet")
    assert schema.field("weight").type == pa.float64()
    assert schema.field("energy").type == pa.string()


def test_order_and_number_of_columns_do_not_matter(run, model):
    frame = pd.read_csv("requests.csv")[["desk", "wheels", "weight", "energy"]].assign(id="x")
    frame.to_csv("other.csv", index=False)
    assert run("predict", model, "other.csv").stdout == run("predict", model, "requests.csv").stdout


def test_batches_give_what_the_whole_gives(run, model, monkeypatch):
    whole = run("predict", model, "requests.csv", "--proba").stdout
    monkeypatch.setattr(text, "BLOCK_BYTES", 64)
    monkeypatch.setattr(text, "BATCH_ROWS", 3)
    apart = run("predict", model, "requests.csv", "--proba").stdout
    # one row by itself is scored by look-up, whose sums are rounded in another order
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(apart)), pd.read_csv(io.StringIO(whole)), rtol=1e-9, atol=0)


def test_rows_are_numbered_through_all_batches(run, model, monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 64)
    lines = Path("requests.csv").read_text().splitlines()
    lines[9] = "heavy,diesel,6,truck"
    Path("bad.csv").write_text("\n".join(lines))
    message = run("predict", model, "bad.csv", code=2).stderr
    assert "column 'weight', row 8: 'heavy' is not a number" in message


@pytest.fixture
def amounts(run) -> str:
    """A model of amounts, whose cells a reader of text reads."""
    Path("paid.csv").write_text("amount,desk\n" + "".join(f"${n}.50,{'ab'[n % 2]}\n" for n in range(40)))
    run("fit", "paid.csv", "-t", "desk", "-o", "paid.json")
    return "paid.json"


@pytest.mark.parametrize(
    ("stdin", "line", "before"),
    [
        ("amount\n$1.0\n$2.0\nn/k\n$3.0\n", 4, 2),
        ("amount\nn/k\n$3.0\n", 2, 0),
        ('amount,note\n$1.0,"two\nlines"\n\n$2.0,\n$2.0,\nn/k,\n', 7, 3),
        ('{"amount": "$1.0"}\n\n{"amount": "$2.0"}\n{"amount": "n/k"}\n', 4, 2),
    ],
)
@pytest.mark.parametrize("most", [[], ["--batch", "1"], ["--batch", "2"]])
def test_rows_before_a_bad_one_are_answered_and_its_line_is_named(run, amounts, stdin, line, before, most):
    found = run("predict", amounts, "-", *most, stdin=stdin, code=2)
    assert found.stderr.startswith(f"candide: standard input: column 'amount', line {line}: 'n/k' is none of")
    assert "counted from" not in found.stderr
    assert len(found.stdout.splitlines()[1:]) == before


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        (
            "amount,note\n$1.0,\n$2.0,\n$3.0,a,b\n$4.0,\n",
            "line 4: a row has 3 cells and the first line names 2 columns",
        ),
        ("amount,note\n$1.0,\n$2.0,\n$3.0\n$4.0,\n", "line 4: a row has 1 cell and the first line names 2 columns"),
        ('{"amount": "$1.0"}\n{"amount": "$2.0"}\n\n{"amount": \n', "line 4 is not JSON"),
    ],
)
@pytest.mark.parametrize("most", [[], ["--batch", "1"]])
def test_rows_before_a_ragged_one_are_answered(run, amounts, stdin, said, most):
    found = run("predict", amounts, "-", *most, stdin=stdin, code=2)
    assert found.stderr.startswith(f"candide: standard input, {said}")
    assert len(found.stdout.splitlines()[1:]) == 2


def test_a_bad_row_of_a_file_is_named_with_the_file(run, amounts, monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 64)
    Path("bad.csv").write_text("amount\n" + "$1.50\n" * 30 + "n/k\n" + "$1.50\n" * 30)
    found = run("predict", amounts, "bad.csv", code=2)
    assert found.stderr.startswith("candide: bad.csv: column 'amount', row 30: 'n/k' is none of the numbers")
    assert len(found.stdout.splitlines()[1:]) == 30
    run("predict", amounts, "bad.csv", "-o", "out.csv", code=2)
    assert not Path("out.csv").exists()


def test_one_object_on_standard_input(run, model):
    out = run("predict", model, "-", "--to", "ndjson", stdin='{"wheels": 2, "energy": "petrol"}\n').stdout
    assert json.loads(out) == {"prediction": "bike"}


@pytest.mark.parametrize("array", [False, True])
def test_keys_that_the_model_does_not_have_may_hold_anything(run, model, array):
    rows = [{"weight": 200, "energy": "petrol", "wheels": 2, "tags": tags} for tags in ([1, 2], {"a": 1})]
    content = json.dumps(rows) if array else "\n".join(map(json.dumps, rows)) + "\n"
    Path("new.ndjson").write_text(content)
    assert run("predict", model, "new.ndjson").stdout == "prediction\nbike\nbike\n"
    assert run("predict", model, "-", stdin=content).stdout == "prediction\nbike\nbike\n"
    wrong = content.replace("200", "[200]")
    for table, stdin in (("wrong.ndjson", None), ("-", wrong)):
        Path("wrong.ndjson").write_text(wrong)
        assert "'weight' holds a list or an object" in run("predict", model, table, stdin=stdin, code=2).stderr
    assert "'tags' holds a list" in run("fit", "new.ndjson", "-t", "energy", "-o", "m.json", code=2).stderr
    run("fit", "new.ndjson", "-t", "energy", "-x", "tags", "-o", "m.json")


def test_no_rows_give_a_header(run, model):
    assert run("predict", model, "-", stdin="weight,energy,wheels\n").stdout == "prediction\n"
    assert run("predict", model, "-", "--proba", "--to", "csv", stdin="weight,energy,wheels\n").stdout.count("P(") == 3


def test_types_follow_the_model_and_not_the_cells(run):
    frame = pd.DataFrame({"code": ["1", "2"] * 5, "flag": [True, False] * 5, "n": pd.Categorical([1, 2] * 5)})
    taught = candide.NaiveBayes().fit(frame, ["a", "b"] * 5)
    taught.save("typed.json")
    p = [f"{v!r}" for v in taught.predict_proba(frame[:2])[:, 0].tolist()]
    tables = {
        "t.csv": "code,flag,n\n1,true,1\n2,FALSE,2.0\n",
        "t.ndjson": '{"code": 1, "flag": true, "n": 1}\n{"code": 2.0, "flag": "no", "n": "2"}\n',
    }
    for name, content in tables.items():
        Path(name).write_text(content)
        assert [r["P(a)"] for r in rows(run("predict", "typed.json", name, "--proba").stdout)] == p
    pyarrow.parquet.write_table(pa.table({"code": [1, 2], "flag": [1, 0], "n": ["1", "2"]}), "t.parquet")
    assert [r["P(a)"] for r in rows(run("predict", "typed.json", "t.parquet", "--proba").stdout)] == p


def test_a_model_without_names_goes_by_position(run):
    X = np.arange(20.0).reshape(10, 2)
    candide.NaiveBayes(distributions="normal").fit(X, [0] * 5 + [1] * 5).save("array.json")
    assert run("predict", "array.json", "-", stdin="u,v\n0,1\n18,19\n").stdout == "prediction\n0\n1\n"
    assert "2 without names" in run("predict", "array.json", "-", stdin="u\n0\n", code=2).stderr


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("wieght,energy,wheels", "the model's column 'weight' is not there; did you mean 'wieght'?"),
        ("energy,wheels", "the model's column 'weight' is not there"),
        ("Weight,ENERGY", "'weight'; did you mean 'Weight'?, 'energy'; did you mean 'ENERGY'?, 'wheels'"),
        ("a,b", "3 of the model's columns are not there: 'weight', 'energy', 'wheels'"),
    ],
)
def test_a_missing_column_is_named_with_the_closest(run, model, header, message):
    cells = ",".join(["1"] * (header.count(",") + 1))
    assert message in run("predict", model, "-", "--strict", stdin=f"{header}\n{cells}\n", code=2).stderr


def test_objects_without_any_of_the_columns_are_refused(run, model):
    assert "not there" in run("predict", model, "-", stdin='{"x": 1}\n', code=2).stderr


def test_keeping_a_column_called_prediction_is_refused(run, model):
    run("predict", model, "requests.csv", "--keep", "-o", "out.csv")
    assert "'prediction' already" in run("predict", model, "out.csv", "--keep", code=2).stderr


def test_a_failure_leaves_the_old_output_whole(run, model):
    Path("out.csv").write_text("old")
    Path("bad.csv").write_text("weight,energy,wheels\nheavy,gas,2\n")
    run("predict", model, "bad.csv", "-o", "out.csv", code=2)
    assert Path("out.csv").read_text() == "old"
    assert not list(Path().glob(".out*"))


def test_text_is_made_safe_for_spreadsheets_only_when_asked_for(run):
    run("fit", "-", "-t", "y", "-o", "m.json", stdin="x,y\n1,=1+1\n9,b\n")
    assert run("predict", "m.json", "-", stdin="x\n1\n").stdout == "prediction\n=1+1\n"
    assert run("predict", "m.json", "-", "--safe-csv", stdin="x\n1\n").stdout == "prediction\n'=1+1\n"
    message = run("predict", "m.json", "-", "--safe-csv", "--to", "ndjson", stdin="x\n1\n", code=2).stderr
    assert "not ndjson" in message


def test_several_tables_are_predicted_one_behind_the_other(run, model):
    run("predict", model, "requests.csv", "requests.csv", "-o", "out.csv")
    one = run("predict", model, "requests.csv").stdout
    assert Path("out.csv").read_text() == one + one.removeprefix("prediction\n")


def test_an_array_of_objects_is_a_table(run, model):
    Path("new.json").write_text('[{"wheels": 2, "energy": "petrol"}, {"wheels": 6, "energy": "diesel"}]')
    assert run("predict", model, "new.json").stdout == "prediction\nbike\ntruck\n"


def test_a_target_that_is_empty_in_new_rows_is_left_aside(run, model):
    out = run("predict", model, "-", stdin="weight,energy,wheels,desk\n180,petrol,2,\n").stdout
    assert out == "prediction\nbike\n"


def test_decimal_commas_and_spelt_out_gaps(run, model):
    text = "weight;energy;wheels\n180,5;?;2\n"
    options = ("--decimal", ",", "--missing", "?", "--separator", ";")
    expected = run("predict", model, "-", "--proba", stdin="weight,energy,wheels\n180.5,,2\n").stdout
    assert run("predict", model, "-", "--proba", *options, stdin=text).stdout == expected


def test_output_without_a_format_or_a_folder(run, model):
    assert "the ending tells no format" in run("predict", model, "requests.csv", "-o", "out.xyz", code=2).stderr
    assert "there is no folder" in run("predict", model, "requests.csv", "-o", "no/out.csv", code=2).stderr


def test_a_terminal_shows_a_table_of_the_first_rows(run, model, monkeypatch):
    monkeypatch.setattr(screens, "terminal", lambda: True)
    monkeypatch.setattr("candide.cli.commands.predict.PREVIEW_ROWS", 4)
    out = run("predict", model, "requests.csv", "--proba").stdout
    assert "─" in out
    assert "6 more rows" in out
    # an explicit "-" is for programs
    assert run("predict", model, "requests.csv", "-o", "-").stdout.startswith("prediction\n")


def test_unseen_levels_are_an_error_where_the_model_says_so(run):
    run("fit", "requests.csv", "-t", "desk", "-o", "strict.json", "--unseen", "error")
    message = run("predict", "strict.json", "-", stdin="weight,energy,wheels\n1,steam,2\n", code=2).stderr
    assert "'steam' was never seen" in message
    assert message.rstrip().endswith("or use --unseen 'ignore'")  # the command's word, not Python's


def test_strictly_an_unseen_level_is_refused_by_the_word_that_refused_it(run, model):
    message = run("predict", model, "-", "--strict", stdin="weight,energy,wheels\n1,steam,2\n", code=2).stderr
    told = "candide: --strict: standard input: column 'energy', line 2: the level 'steam' was never seen in training"
    assert message.startswith(told)
    assert "unseen=" not in message


LACKING = "energy,wheel\npetrol,2\ndiesel,4\n"


@pytest.mark.parametrize("place", ["-", "lacking.csv", "lacking.ndjson"])
def test_a_table_may_lack_columns_unless_that_is_refused(run, model, place):
    Path("lacking.csv").write_text(LACKING, encoding="utf-8")
    Path("lacking.ndjson").write_text('{"energy": "petrol"}\n{"energy": "diesel"}\n', encoding="utf-8")
    given = LACKING if place == "-" else None
    found = run("predict", model, place, "--to", "csv", stdin=given)
    assert len(found.stdout.splitlines()) == 3
    if place != "lacking.ndjson":
        assert "takes them as missing: 'weight', 'wheels'; did you mean 'wheel'?" in found.stderr
    refused = run("predict", model, place, "--to", "csv", "--strict", stdin=given, code=2).stderr
    assert "2 of the model's columns are not there: 'weight', 'wheels'" in refused


@pytest.mark.parametrize("output", [[], ["-o", "out.csv"]])
def test_many_missing_cells_are_told_and_refused_strictly(run, model, output):
    rows = "".join(f"{1000 if n % 2 else ''},petrol,4\n" for n in range(40))
    Path("gaps.csv").write_text(f"weight,energy,wheels\n{rows}", encoding="utf-8")
    told = "column 'weight': 20 of 40 cells are missing"
    assert told in run("predict", model, "gaps.csv", "--to", "csv").stderr
    assert f"--strict: {told}" in run("predict", model, "gaps.csv", "--to", "csv", "--strict", *output, code=2).stderr
    assert not Path("out.csv").exists()
    Path("whole.csv").write_text("weight,energy,wheels\n" + "1000,petrol,4\n" * 40, encoding="utf-8")
    assert "missing" not in run("predict", model, "whole.csv", "--to", "csv", "--strict", *output).stderr


@pytest.mark.parametrize("plain", [["--plain"], ["--plain", "--distribution", "normal"], []])
def test_cells_that_were_missing_when_learning_are_no_news(run, plain):
    line = "{},{},{}\n".format
    some = ["" if n % 4 else str(n) for n in range(80)]
    Path("gaps.csv").write_text("a,b,y\n" + "".join(line(some[n], some[-n], "uv"[n % 2]) for n in range(80)))
    run("fit", "gaps.csv", "-t", "y", "-o", "gaps.json", *plain)
    assert "missing" not in run("predict", "gaps.json", "gaps.csv", "--strict").stderr
    Path("more.csv").write_text("a,b\n" + "".join(line(some[n], "", "").rstrip(",\n") + ",\n" for n in range(80)))
    said = run("predict", "gaps.json", "more.csv").stderr
    assert "column 'b': 80 of 80 cells are missing" in said
    assert "column 'a'" not in said


def test_a_table_of_other_columns_is_refused(run, model):
    Path("other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert "3 of the model's columns are not there" in run("predict", model, "other.csv", code=2).stderr


ABSENT = "the model has learnt columns that the rows do not have, and takes them as missing: 'weight', 'energy'"


@pytest.mark.parametrize("n", [1, 30])
@pytest.mark.parametrize("place", ["-", "new.ndjson", "new.csv"])
def test_columns_that_no_row_has_are_told_in_one_line(run, model, n, place):
    text = "wheels\n" + "2\n" * n if place == "new.csv" else '{"wheels": 2}\n' * n
    Path("new.csv" if place == "-" else place).write_text(text, encoding="utf-8")
    found = run("predict", model, place, "--to", "csv", stdin=text)
    assert found.stdout.count("\n") == n + 1
    assert found.stderr.split() == f"note: {ABSENT}".split()


def test_keys_that_some_rows_have_are_no_missing_columns(run, model):
    found = run("predict", model, "-", "--to", "csv", stdin='{"wheels": 2, "energy": "gas"}\n{"weight": 1}\n')
    assert found.stderr == ""


def test_what_is_told_twice_is_told_once(run, model):
    Path("new.csv").write_text("weight,energy,wheels\n180,Petrol,2\n190,Petrol,2\n", encoding="utf-8")
    assert run("predict", model, "new.csv").stderr.count("'Petrol' is not known; 'petrol' is") == 1


@pytest.mark.parametrize("rows", [4, 40])
def test_levels_in_another_case_are_told_in_one_line(run, model, rows):
    table = "weight,energy,wheels\n" + "180,PETROL,2\n190,Diesel,2\n" * (rows // 2)
    Path("new.csv").write_text(table, encoding="utf-8")
    told = run("predict", model, "new.csv").stderr
    assert (told.count("\n"), told.count("PETROL"), told.count("petrol")) == (1, 1, 1)
    for name, given in (("new.csv", None), ("-", table)):
        told = run("predict", model, name, "--strict", stdin=given, code=2).stderr
        assert (told.count("\n"), told.count("PETROL"), told.count("petrol")) == (1, 1, 1)


def test_columns_of_a_workbook_that_mix_numbers_and_text_are_kept(run, model):
    pytest.importorskip("openpyxl")
    new = pd.read_csv("requests.csv").head(2)
    new["note"] = pd.Series([4.5, "late"], dtype=object)
    new.to_excel("new.xlsx", index=False)
    run("predict", model, "new.xlsx", "--keep", "-o", "out.parquet")
    assert pd.read_parquet("out.parquet")["note"].tolist() == ["4.5", "late"]
