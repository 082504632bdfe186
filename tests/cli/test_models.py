from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from candide.cli.failures import BadInput
from candide.cli.models import check_inputs, held, learnt_schema, load_model


def test_only_one_thing_comes_from_standard_input():
    check_inputs("-", "t.csv")
    with pytest.raises(BadInput, match="cannot both come from standard input"):
        check_inputs("-", "-")


@pytest.mark.usefixtures("run")
class TestHeld:
    def test_a_model_that_is_changed_in_place_is_held(self, model):
        Path("link.json").symlink_to(model)
        for path in (model, "link.json", "./model.json"):
            with held(model, path), Path(model).open("rb") as other, pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)

    @pytest.mark.parametrize("output", ["other.json", "-"])
    def test_a_model_that_stays_is_not(self, model, output):
        with held(model, output), Path(model).open("rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def test_who_waits_is_told_why(self, model, capsys):
        with Path(model).open("rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            # the note is told before the wait, which the note's reader ends here
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("candide.cli.models.note", lambda said: (print(said), fcntl.flock(other, fcntl.LOCK_UN)))
                with held(model, model):
                    pass
        assert capsys.readouterr().out == "model.json is being changed by another command: waiting for it\n"


def test_what_was_learnt_is_known_without_estimating(run, model):
    run("forget", model, "requests.csv")
    schema = learnt_schema(load_model(model))
    assert schema.names == ["weight", "energy", "wheels"]
    assert schema.target == "desk"
