from __future__ import annotations

import errno
import io
import os
import pickle
import sys
from pathlib import Path

import pytest

from candide.sources import waiting
from candide.sources.opening import check_file, is_repeatable, open_bytes, spooled
from candide.sources.waiting import wait


def test_standard_input_is_not_the_keyboard(monkeypatch):
    class Keyboard(io.BytesIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Keyboard()))
    with pytest.raises(ValueError, match="standard input is the keyboard"):
        open_bytes("-", "standard input")


def test_standard_input_is_left_open(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(b"a,b\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    opened, _ = open_bytes("-", "standard input")
    assert opened.read() == b"a,b\n"
    opened.close()
    assert not stream.closed


def test_what_is_read_is_counted(tmp_path):
    (tmp_path / "t").write_bytes(bytes(4 << 20))
    stream, counted = open_bytes(str(tmp_path / "t"), "t")
    assert counted.fraction < 0.5
    stream.read()
    assert counted.fraction == 1.0
    stream.close()


def test_a_file_that_is_not_there_is_said_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("new.csv").touch()
    with pytest.raises(FileNotFoundError) as caught:
        check_file("nwe.csv")
    assert str(caught.value) == "nwe.csv: no such file; did you mean 'new.csv'?"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.errno, again.filename) == (str(caught.value), errno.ENOENT, "nwe.csv")


def test_plain_files_can_be_read_again_and_pipes_cannot(tmp_path):
    (tmp_path / "t").touch()
    os.mkfifo(tmp_path / "fifo")
    places = [str(tmp_path / "t"), str(tmp_path / "fifo"), "-", str(tmp_path / "none")]
    assert [is_repeatable(place) for place in places] == [True, False, False, False]


def test_a_copy_is_nowhere_to_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with spooled(io.BytesIO(b"once")) as copy:
        assert not list(tmp_path.iterdir())
        for _ in range(2):
            stream, _ = open_bytes(copy, "the pipe")
            assert stream.read() == b"once"
            stream.close()


class TestWaiting:
    @pytest.fixture
    def pipes(self, monkeypatch):
        (read, write), (stop, told) = os.pipe(), os.pipe()
        monkeypatch.setattr(waiting, "STOP", stop)
        with os.fdopen(read, "rb", buffering=0) as file:
            yield file, write, told
        for descriptor in (write, stop, told):
            os.close(descriptor)

    def test_what_can_be_read_is_read(self, pipes):
        file, write, _ = pipes
        os.write(write, b"x")
        wait(file)
        assert file.read(1) == b"x"

    def test_who_is_asked_to_stop_waits_no_longer(self, pipes):
        file, _, told = pipes
        os.write(told, b"\2")
        with pytest.raises(OSError, match="interrupted"):
            wait(file)

    def test_what_has_no_descriptor_is_not_waited_for(self, pipes):
        wait(io.BytesIO(b"x"))

    def test_nobody_listens_outside_the_command(self):
        assert waiting.STOP is None
        with Path(os.devnull).open("rb") as file:
            wait(file)


def test_a_link_to_nothing_is_told_as_one(tmp_path):
    (tmp_path / "link.csv").symlink_to("link.csv")
    with pytest.raises(FileNotFoundError, match="is a link to a file that is not there"):
        check_file(str(tmp_path / "link.csv"))
