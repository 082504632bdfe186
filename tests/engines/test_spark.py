"""Spark: partitions counted where they lie give what the memory engine gives for the same rows, to the last count.

Each kind of session has a process of its own, which one process cannot share with another, and lives once: its script
prints a word for each part that holds, and the tests look for their words.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines.sessions import MASTERS

pytest.importorskip("psutil", reason="finds the process of an executor")
pytest.importorskip("pyspark", reason="needs pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java, which is not here (Debian: default-jre-headless)", allow_module_level=True)

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]

HEAD = """
import os, signal, sys, warnings
warnings.simplefilter("ignore")
import numpy as np, pandas as pd, pyarrow as pa
from candide import NaiveBayes, TunedNB
from candide.distributions import Text
from candide.text import TextNB
from tests import laws
from tests.engines.sessions import session

def table(n=6_000, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(["bike", "car", "truck"], n, p=[0.5, 0.3, 0.2])
    frame = pd.DataFrame({
        "power": rng.lognormal(3, 1, n),                 # more values than are counted as they are, over all rows
        "wheels": rng.integers(2, 7, n),
        "energy": pd.Series(rng.choice(["petrol", "diesel", "gas"], n), dtype=object),
        "new": rng.random(n) < 0.3,
        "weight": rng.integers(0, 4, n),
        "desk": y,
    })
    frame.loc[rng.random(n) < 0.1, "energy"] = None
    frame.loc[rng.random(n) < 0.1, "power"] = np.nan
    return frame

def to_spark(spark, frame, partitions):
    arrow = pa.table({name: pa.array(frame[name], from_pandas=True) for name in frame})
    return spark.createDataFrame(arrow).repartition(partitions)

spark = session(sys.argv[1])
frame = table()
X = frame.drop(columns=["desk", "weight"])
"""

SAME = """
unweighted = frame.drop(columns="weight")
given = to_spark(spark, unweighted, 5)
nb = NaiveBayes().fit(given, "desk")
laws.same_model(nb, NaiveBayes().fit(unweighted, "desk"), X)

# predictions beside the frame's own columns
numbered = to_spark(spark, unweighted.assign(row=range(len(frame))), 3)
answered = nb.predict_batches(numbered, proba=True)
assert answered.columns == [*X.columns, "desk", "row", "prediction", *(f"P({c})" for c in nb.classes_)]
found = answered.toArrow().to_pandas().sort_values("row")
assert found["prediction"].tolist() == nb.predict(X).tolist()
np.testing.assert_allclose(found[[f"P({c})" for c in nb.classes_]], nb.predict_proba(X), rtol=1e-12)
print("same")
"""

REFUSED = """
def refused(kind, words, act):
    try:
        act()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)

refused(ValueError, "outside the support of 'gamma'", lambda: NaiveBayes({"power": "gamma"}).fit(
    to_spark(spark, unweighted.assign(power=-1.0), 2), "desk"))
refused(ValueError, "no column 'desc'", lambda: NaiveBayes().fit(given, "desc"))
print("refused")
"""

MORE = """
weighted = NaiveBayes({"power": "normal"}).fit(to_spark(spark, frame, 3), "desk", sample_weight="weight")
laws.same_model(weighted, NaiveBayes({"power": "normal"}).fit(X, frame["desk"], frame["weight"]), X, exact=False)

# sums of sums, with empty partitions among them
laws.same_model(NaiveBayes().fit(to_spark(spark, unweighted[:30], 12), "desk"),
                NaiveBayes().fit(unweighted[:30], "desk"), X)

# more rows later, with a level of their own, and unlearnt again
more = table(500, 1).drop(columns="weight").assign(energy="steam")
nb.partial_fit(to_spark(spark, more, 2), "desk")
laws.same_model(nb, NaiveBayes().fit(pd.concat([unweighted, more]), "desk"), X)
nb.forget(to_spark(spark, more, 2), "desk")
laws.same_statistics(laws.learnt(nb), laws.learnt(NaiveBayes().fit(unweighted, "desk")), True)

# documents, whose words no partition knows beforehand, alone and beside other columns
said = np.array(["my car broke down", "insure the bike", "a truck at the gate, a bike behind it", None], dtype=object)
documents = unweighted[["desk"]].assign(message=said[np.arange(len(frame)) % 4])
texts = TextNB(event_model="multinomial").fit(to_spark(spark, documents, 3), "desk")
laws.same_model(texts, TextNB(event_model="multinomial").fit(documents, "desk"), documents[["message"]])
mixed = NaiveBayes({"message": Text("complement")}).fit(to_spark(spark, documents.assign(new=frame["new"]), 3), "desk")
here = NaiveBayes({"message": Text("complement")}).fit(documents.assign(new=frame["new"]), "desk")
laws.same_model(mixed, here, documents[["message"]].assign(new=frame["new"]))

# pairs, triples and families of columns, on cuts that a first pass over the partitions has settled
from candide.structure import AveragedOneDependence, BayesNetwork
network = {"parents": {"desk": ["energy"], "wheels": ["desk", "energy"], "power": ["desk"], "new": ["desk"]}}
for kind, params in ((AveragedOneDependence, {"n": 2}), (BayesNetwork, network)):
    laws.same_model(kind(**params).fit(given, "desk"), kind(**params).fit(unweighted, "desk"), X)

refused(TypeError, "give y as the name of that column", lambda: NaiveBayes().fit(given, frame["desk"]))
refused(ValueError, "no rows", lambda: NaiveBayes().fit(given.limit(0), "desk"))
refused(ValueError, "already", lambda: nb.predict_batches(answered))
refused(ValueError, "no column 'power'", lambda: nb.predict_batches(given.drop("power")))
print("more")
"""

DRAWN = """
# what is settled on rows is settled on some that are drawn of the partitions: all of them, where they are few
from candide.engines import sample as sampling
from candide.engines.spark import collected
arrow = given.toArrow()  # one partition behind the other
tuned, here = (TunedNB().fit(rows, "desk") for rows in (given, arrow))
assert tuned.weights_ == here.weights_ and tuned.pairs_ == here.pairs_ and tuned.tuned_on_ == len(X)
laws.same_model(tuned, here, X)

# of many, as many as there is room for: the same are settled on in memory
sampling.MOST_ROWS, most = 400, sampling.MOST_ROWS
fewer = TunedNB().fit(given, "desk")
_, source, plan = fewer._open(given, "desk", None, None)
source.sample = sampling.Sample([], whole=True)
rows = collected(source, None).drawn.ordered.rows
assert 400 < fewer.tuned_on_ == rows.num_rows <= 800
laws.same_model(fewer, here.tune(rows, "desk"), X)
laws.same_model(tuned.tune(given, "desk"), here, X)
sampling.MOST_ROWS = most
print("drawn")
"""

SETTLED = """
# rows that weigh something, of many partitions
weighing = to_spark(spark, frame, 20)
there = weighing.toArrow().to_pandas()
of = TunedNB().fit(weighing, "desk", sample_weight="weight")
laws.same_model(of, TunedNB().fit(there[X.columns], there["desk"], there["weight"]), X)

# documents, alone and beside other columns, and again on later ones that tell more
rng = np.random.default_rng(2)
about = np.where(rng.random(len(frame)) < 0.5, frame["desk"], "thing")
messages = unweighted[["desk"]].assign(message=about + rng.choice([" broke down", " at the gate"], len(frame)))
messages.loc[rng.random(len(frame)) < 0.1, "message"] = None
for make, extra in ((TextNB, {}), (lambda: NaiveBayes({"message": "text"}), {"new": frame["new"]})):
    asked = messages.assign(**extra)
    first, later = to_spark(spark, asked[:1_000], 3), to_spark(spark, asked[1_000:], 3)
    here, on_spark = make().fit(first.toArrow(), "desk"), make().fit(first, "desk")
    laws.same_model(on_spark, here, asked.drop(columns="desk"))
    on_spark.partial_fit(later, "desk"), here.partial_fit([later.toArrow()], "desk")
    laws.same_model(on_spark, here, asked.drop(columns="desk"))
    laws.same_model(on_spark.tune(later, "desk"), here.tune(later.toArrow(), "desk"), asked.drop(columns="desk"))
print("settled")
"""

KILLED = """
import tempfile
flag = os.path.join(tempfile.mkdtemp(), "killed")

def fatal(batches):
    # the first to come this far takes its executor with it: the parent of a worker's parent
    import psutil
    batches = list(batches)
    if batches and batches[0].num_rows:
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            executor = next(p for p in psutil.Process().parents() if "java" in p.name())
            os.kill(executor.pid, signal.SIGKILL)
    yield from batches

six = to_spark(spark, unweighted, 6)
# kinds are told by the first rows, before anything is fatal
deadly = six.mapInArrow(fatal, six.schema)
deadly.limit = six.limit
nb = NaiveBayes().fit(deadly, "desk")
assert os.path.exists(flag)
laws.same_model(nb, NaiveBayes().fit(unweighted, "desk"), X)
print("survived")
"""


MISSING = """
import pathlib, tempfile
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "sitecustomize.py").write_text('''
import importlib.abc, sys

class Without(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "candide":
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Without())
''')
# workers that Spark starts from now on find no candide
spark.sparkContext.environment["PYTHONPATH"] = str(folder)
refused(ImportError, "not installed where Spark's executors run", lambda: NaiveBayes().fit(given, "desk"))
print("told")
"""

# What does not depend on the kind of session is asked of the quickest one alone; only a cluster has executors to lose.
SCRIPTS = {
    "local[2]": SAME + REFUSED + MORE + DRAWN + SETTLED + MISSING,
    "local-cluster[2,1,1024]": SAME + KILLED,
    "connect": SAME + REFUSED + DRAWN,
}


@functools.cache
def printed(master: str) -> list[str]:
    """Return the words that the session's script prints."""
    command = [sys.executable, "-c", HEAD + SCRIPTS[master], master]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.split()


@pytest.mark.parametrize("master", MASTERS)
def test_partitions_teach_what_their_rows_do_together(master: str) -> None:
    if master == "connect":
        pytest.importorskip("grpc", reason="a session behind a server needs grpcio")
    assert "same" in printed(master)


@pytest.mark.parametrize("master", ["local[2]", "connect"])
def test_what_is_wrong_is_told_as_anywhere_else(master: str) -> None:
    if master == "connect":
        pytest.importorskip("grpc", reason="a session behind a server needs grpcio")
    assert "refused" in printed(master)


def test_weights_empty_partitions_later_rows_documents_and_structures_are_counted_alike() -> None:
    assert "more" in printed("local[2]")


@pytest.mark.parametrize("master", ["local[2]", "connect"])
def test_what_is_settled_on_rows_is_settled_on_rows_drawn_of_partitions(master: str) -> None:
    if master == "connect":
        pytest.importorskip("grpc", reason="a session behind a server needs grpcio")
    assert "drawn" in printed(master)


def test_weighed_rows_and_documents_settle_what_they_settle_in_memory() -> None:
    assert "settled" in printed("local[2]")


def test_an_executor_that_is_killed_changes_nothing() -> None:
    assert "survived" in printed("local-cluster[2,1,1024]")


def test_executors_without_candide_are_told_what_they_need() -> None:
    assert "told" in printed("local[2]")
