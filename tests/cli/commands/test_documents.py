"""Documents on the command line."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

import candide
from candide.sources import Reading, open_source
from candide.text import TextNB

MAILS = """message,desk
my motorbike was stolen,bike
a helmet and a scooter,bike
"bike, helmet, ride",bike
our family car hit a wall,car
a second car for my wife,car
the car of a new driver,car
"""


CHARACTERS = ("--analyzer", "char")


def learnt(run, *more):
    Path("mails.csv").write_text(MAILS)
    return run("fit", "mails.csv", "-t", "desk", "--text", "message", "-o", "desk.json", *more)


def test_a_column_of_documents_is_fitted_and_asked(run):
    learnt(run, "--event-model", "multinomial", "--ngrams", "1,2", "--stop-words", "english", "--stem", "english")
    model = candide.load("desk.json")
    assert model.schema_.choice("message").get_params(deep=False)["ngrams"] == (1, 2)
    assert run("predict", "desk.json", "mails.csv").stdout.split()[1:] == ["bike"] * 3 + ["car"] * 3
    told = run("explain", "desk.json", "mails.csv", "--row", "3").stdout
    assert "famili car" in told
    assert "credible" not in told  # what words say is held fixed
    assert "words" in run("inspect", "desk.json").stdout
    for more in ("--column", "message"), ("--parameters",):
        shown = run("inspect", "desk.json", *more).stdout
        assert "message: what the words say that tell most" in shown
        assert "helmet" in shown


@pytest.mark.parametrize(
    ("words", "params"),
    [
        (["--analyzer", "char", "--ngrams", "1-3"], {"analyzer": "char", "ngrams": (1, 3)}),
        (["--characters", "2,4", "--ngrams", "1,2"], {"characters": (2, 4), "ngrams": (1, 2)}),
        (["--hashing", "1024", "--binary", "--event-model", "bernoulli"], {"hashing": 1024, "binary": True}),
        (["--lemmatize", "english", "--numbers", "drop"], {"lemmatize": "english", "numbers": "drop"}),
        (["--min-df", "2", "--max-df", "0.75", "--fold", "accents"], {"min_df": 2, "max_df": 0.75, "fold": "accents"}),
        (["--max-features", "3", "--tf-idf", "--event-model", "complement"], {"max_features": 3, "tf_idf": True}),
        (["--stop-words", "@stop.txt"], {"stop_words": ["the", "car"]}),
    ],
)
def test_every_option_is_a_parameter(run, words, params):
    Path("stop.txt").write_text("the\ncar\n")
    learnt(run, *words)
    found = candide.load("desk.json").schema_.choice("message").get_params(deep=False)
    assert {name: found[name] for name in params} == params
    assert len(run("predict", "desk.json", "mails.csv").stdout.split()) == 7


def test_every_parameter_is_an_option():
    from candide.cli.documents import OPTIONS
    from candide.distributions import Text

    assert {*OPTIONS, "tokenizer"} == set(Text().get_params(deep=False))


def test_lines_are_answered_one_by_one(run):
    learnt(run)
    assert run("predict", "desk.json", "-", "--lines", stdin="a helmet\ncar\n").stdout.split() == ["bike", "car"]
    shown = run("predict", "desk.json", "-", "--lines", "--proba", stdin="car\n").stdout.splitlines()
    assert shown[0].split("\t") == ["prediction", "P(bike)", "P(car)"]
    assert abs(sum(map(float, shown[1].split("\t")[1:])) - 1) < 1e-5


def test_bytes_that_are_no_text_are_told_or_replaced(run):
    learnt(run)
    Path("lines.txt").write_bytes(b"a car\nbad \xff car\n")
    said = run("predict", "desk.json", "lines.txt", "--lines", code=2).stderr
    assert "lines.txt, line 2: byte 5 (0xff) is no UTF-8" in said
    assert run("predict", "desk.json", "lines.txt", "--lines", "--replace-invalid").stdout.split() == ["car", "car"]


def test_plain_text_that_is_taken_for_a_table_is_told_how_it_is_read(run):
    learnt(run)
    for command in "predict", "explain":
        said = run(command, "desk.json", "-", stdin="a helmet\n", code=2).stderr
        assert "column 'message' is not there; plain text, a document a line, is read with --lines" in said


def test_a_line_is_explained_as_it_is_in_a_table(run):
    learnt(run)
    Path("lines.txt").write_text("a car\nmy helmet, my bike\n")
    Path("table.csv").write_text('message\na car\n"my helmet, my bike"\n')
    asked = ("--lines", "--row", "1")
    told = run("explain", "desk.json", "lines.txt", *asked).stdout
    assert told == run("explain", "desk.json", "table.csv", "--row", "1").stdout
    assert told == run("explain", "desk.json", "-", *asked, stdin=Path("lines.txt").read_text()).stdout
    assert "there is no line 1" in run("explain", "desk.json", "-", *asked, stdin="a car\n", code=2).stderr
    assert (
        "--separator does not go with it"
        in run("explain", "desk.json", "lines.txt", *asked, "--separator", ";", code=2).stderr
    )


def test_words_of_a_file_with_a_mark_of_its_encoding_are_dropped(run):
    Path("stop.txt").write_text("car\nthe\n", encoding="utf-8-sig")
    learnt(run, "--stop-words", "@stop.txt")
    assert "car" not in candide.load("desk.json").schema_.columns[0].axis.words.text


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-8-sig"])
def test_lines_are_read_as_they_are_written(run, encoding):
    learnt(run)
    lines = "a f\u00e4mily car\na helmet\n"
    Path("lines.txt").write_bytes(lines.encode(encoding))
    Path("lines.txt.gz").write_bytes(gzip.compress(lines.encode(encoding)))
    said = ["--encoding", encoding] if encoding == "latin-1" else []
    for name in ("lines.txt", "lines.txt.gz"):
        assert run("predict", "desk.json", name, "--lines", *said).stdout.split() == ["car", "bike"]


def test_lines_are_decided_by_costs_and_tell_risks(run):
    learnt(run)
    costs = ("--costs", "car:bike=99,bike:car=1")
    asked = ("predict", "desk.json", "-", "--lines", *costs)
    assert run(*asked, stdin="\n").stdout.split() == ["bike"]
    head, row = run(*asked, "--proba", "--risk", stdin="\n").stdout.splitlines()
    assert head.split("\t") == ["prediction", "P(bike)", "P(car)", "R(bike)", "R(car)"]
    label, *numbers = row.split("\t")
    p_bike, p_car, r_bike, r_car = map(float, numbers)
    assert label == "bike"
    assert [r_bike, r_car] == pytest.approx([p_car, 99 * p_bike], rel=1e-5)


@pytest.mark.parametrize(
    "option",
    [("--output", "out.csv"), ("--keep",), ("--to", "ndjson"), ("--safe-csv",), ("--batch", "3"), ("--strict",),
     ("--missing", "NA"), ("--separator", ";"), ("--decimal", ","), ("--format", "csv"), ("--comment", "#")],
)  # fmt: skip
def test_lines_refuse_what_is_said_of_tables(run, option):
    learnt(run)
    said = run("predict", "desk.json", "-", "--lines", *option, stdin="car\n", code=2).stderr
    assert f"{option[0]} does not go with it" in said
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("name", ["more.csv", "more.tsv", "more.ndjson", "-"])
def test_bytes_of_a_table_that_are_no_text_are_told_or_replaced(run, name):
    learnt(run)
    rows = [b"a helmet", b"a fam\xefly car", b"a car \xff\xfe!"]
    table = b"\n".join(b'{"message": "%s"}' % row if name.endswith("ndjson") else row for row in rows)
    data = table if name.endswith("ndjson") else b"message\n" + table
    given = {"stdin": data} if name == "-" else {}
    if name != "-":
        Path(name).write_bytes(data)
    said = run("predict", "desk.json", name, code=2, **given).stderr
    line, byte = (2, 19) if name.endswith("ndjson") else (3, 6)
    if name != "-":
        assert f"{name}, line {line} is not text in UTF-8: byte {byte} of it is 0xef" in said
    assert "not text in UTF-8" in said
    assert "--replace-invalid" in said
    answered = run("predict", "desk.json", name, "--replace-invalid", **given).stdout.split()
    assert answered[1:] == ["bike", "car", "car"]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("numbers.csv", "desk,message\ncar,12\nbike,1.50\ncar,12\n"),
        ("numbers.ndjson", '{"desk": "car", "message": 12}\n{"desk": "bike", "message": "1.50"}\n'),
        ("integers.ndjson", '{"desk": "car", "message": 12}\n{"desk": "bike", "message": 50}\n'),
    ],
)
@pytest.mark.parametrize("given", [["--text", "message"], ["--distribution", "message=text"]])
def test_numbers_alone_may_be_documents(run, name, table, given):
    Path(name).write_text(table)
    run("fit", name, "-t", "desk", *given, "-o", "desk.json")
    (words,) = [column.axis.words.text for column in candide.load("desk.json").schema_.columns]
    assert words == ["12", "50"]
    with pytest.raises(TypeError, match=r"holds numbers.*; a document is text: .* Reading\(documents=\[column\]\)"):
        TextNB().fit(pl.Series([1.0, 2.0]), ["car", "bike"])
    source = open_source(name, Reading(documents=("message",)))
    assert TextNB().fit(source, "desk").schema_.columns[0].axis.words.text == words


def test_what_does_not_fit_is_said(run):
    Path("mails.csv").write_text(MAILS)
    fit = ("fit", "mails.csv", "-t", "desk", "-o", "desk.json")
    assert "did you mean 'message'" in run(*fit, "--text", "mesage", code=2).stderr
    assert "name their column by --text" in run(*fit, "--stem", "english", code=2).stderr
    assert "the least and the most words" in run(*fit, "--text", "message", "--ngrams", "x", code=2).stderr
    assert "a share, 0.5, not 'few'" in run(*fit, "--text", "message", "--min-df", "few", code=2).stderr
    assert (
        "--distribution says normal of it"
        in run(*fit, "--text", "message", "--distribution", "message=normal", code=2).stderr
    )
    assert "stem does not go with it" in run(*fit, "--text", "message", *CHARACTERS, "--stem", "english", code=2).stderr
    assert "tf_idf and binary do not go" in run(*fit, "--text", "message", "--tf-idf", code=2).stderr
    assert "nowhere.txt: no such file" in run(*fit, "--text", "message", "--stop-words", "@nowhere.txt", code=2).stderr
    refused = run(*fit, "--text", "message", "--stop-words", "klingon", code=2).stderr
    assert "there is no language 'klingon'" in refused
    assert "or give @FILE" in refused
    assert "there is no language 'klingon'" in run(*fit, "--text", "message", "--lemmatize", "klingon", code=2).stderr
    assert "the documents say nothing: min_df=9" in run(*fit, "--text", "message", "--min-df", "9").stderr
    run(*fit, "--distribution", "message=categorical")
    assert "not one of documents" in run("predict", "desk.json", "-", "--lines", stdin="x\n", code=2).stderr


def test_documents_are_evaluated(run):
    Path("mails.csv").write_text(MAILS)
    Path("more.csv").write_text("\n".join(f"{line},{i}" for i, line in enumerate(MAILS.splitlines())))
    evaluate = ("evaluate", "mails.csv", "-t", "desk", "--folds", "3")
    shown = run(*evaluate, "-m", "TextNB", "-m", "TextNB,event_model=multinomial,ngrams=(1, 2)").stdout
    assert "TextNB,event_model=multinomial,ngrams=(1, 2)" in shown
    assert "did you mean 'event_model'?" in run(*evaluate, "-m", "TextNB,event=auto", code=2).stderr
    said = run("evaluate", "more.csv", "-t", "desk", "--folds", "3", "-m", "TextNB", code=2).stderr
    assert "TextNB reads one column of documents" in said
