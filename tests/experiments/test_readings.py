"""Readings: chosen by name, documented, and claims answered from what was found under each."""

import numpy as np
import pytest

from candide.experiments.readings import Claim, Finding, answer, answered, chosen
from candide.experiments.reproducing import EXPERIMENTS

YES, NO = Finding("1", True), Finding("0", False)
NUMPYS = Finding("1", np.bool_(True)), Finding("0", np.bool_(False))


@pytest.mark.parametrize(
    ("findings", "words"),
    [
        ({"strict": YES, "paper": YES}, "reproduces"),
        ({"strict": NO, "paper": NO}, "does not reproduce"),
        (dict(zip(("strict", "paper"), NUMPYS, strict=True)), "holds under “strict”, not under “paper”"),
        ({"strict": YES, "paper": Finding("hidden", None)}, "reproduces"),
        ({"strict": Finding("hidden", None)}, "cannot be seen"),
        ({"strict": NO, "paper": YES, "first": NO}, "holds under “paper”, not under “strict” and “first”"),
    ],
)
def test_a_claim_is_answered_in_a_sentence(findings, words):
    assert words in answer(findings)


def test_every_claim_stands_beside_what_was_found():
    claims = [Claim("Table 1", "ten", lambda x: Finding(str(x), x == 10)), Claim("Sec. 2", "odd", lambda _: NO)]
    heading, table, counts, criteria = answered(claims, {"strict": 10, "paper": 11}, "ten is ten.")
    assert table["columns"] == ["where", "the paper says", "found, strict", "found, paper", "answer"]
    assert table["rows"][0][:4] == ["Table 1", "ten", "10", "11"]
    assert counts["items"] == ["Of 2 claims 0 reproduce, 1 do not, and 1 depend on the reading."]
    assert heading["kind"] == "heading"
    assert criteria["text"] == "What counts as reproduced is our choice: ten is ten."


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_strict_reading_and_one_that_fits_and_says_what_they_assume(name):
    readings = EXPERIMENTS[name].readings
    assert [r.name for r in chosen(readings, ())] == ["strict", "paper"]
    assert chosen(readings, ("all",)) == list(readings.values())
    assert chosen(readings, ("paper", "paper")) == [readings["paper"]]
    assert len({(r.assumes, r.because) for r in readings.values()}) == len(readings)
    assert len({repr(r.setting) for r in readings.values()}) == len(readings)
    with pytest.raises(ValueError, match=r"there is no reading 'strikt'; did you mean 'strict'\?"):
        chosen(readings, ("strikt",))
