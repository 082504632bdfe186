"""The one writer: links, devices, FIFOs, modes, leftovers, full disks, and several writers at once."""

from __future__ import annotations

import fcntl
import io
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from candide import writing
from candide.writing import (
    PREFIX,
    STALE_SECONDS,
    SUFFIX,
    changing,
    check_place,
    descriptor,
    is_same_file,
    replacing,
    steady,
    sweep,
)


def put(path: Path, data: bytes = b"new") -> None:
    with replacing(path) as file:
        file.write(data)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def leftover(folder: Path, age: float, name: str = f"{PREFIX}0123456789abcdef{SUFFIX}") -> Path:
    path = folder / name
    path.write_bytes(b"half")
    past = path.stat().st_mtime - age
    os.utime(path, (past, past))
    return path


class TestWhatIsWrittenTo:
    def test_a_link_stays_and_the_file_behind_it_is_replaced(self, tmp_path):
        (tmp_path / "model").write_bytes(b"old")
        (tmp_path / "near").symlink_to("model")
        (tmp_path / "far").symlink_to(tmp_path / "near")
        put(tmp_path / "far")
        assert (tmp_path / "model").read_bytes() == b"new"
        assert (tmp_path / "near").is_symlink()
        assert (tmp_path / "far").is_symlink()

    def test_a_link_to_nothing_gets_its_file(self, tmp_path):
        (tmp_path / "there").mkdir()
        (tmp_path / "link").symlink_to("there/model")
        put(tmp_path / "link")
        assert (tmp_path / "there" / "model").read_bytes() == b"new"

    def test_a_device_is_written_into(self, tmp_path):
        device = tmp_path / "null"
        try:
            os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("only root makes devices")
        put(device)
        assert stat.S_ISCHR(device.stat().st_mode)
        assert list(tmp_path.iterdir()) == [device]

    def test_a_fifo_is_written_into(self, tmp_path):
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        heard: list[bytes] = []
        reader = threading.Thread(target=lambda: heard.append(fifo.read_bytes()))
        reader.start()
        put(fifo)
        reader.join()
        assert heard == [b"new"]
        assert stat.S_ISFIFO(fifo.stat().st_mode)

    def test_an_open_descriptor_goes_on_where_it_stands(self, tmp_path):
        with (tmp_path / "out").open("wb", buffering=0) as file:
            file.write(b"before ")
            number = file.fileno()
            before = os.fstat(number).st_ino
            put(Path(f"/dev/fd/{number}"))
            (tmp_path / "link").symlink_to(f"/proc/self/fd/{number}")
            put(tmp_path / "link", b" twice")
            file.write(b" after")
        assert (tmp_path / "out").read_bytes() == b"before new twice after"
        assert (tmp_path / "out").stat().st_ino == before

    def test_links_in_a_circle_are_an_error_and_no_descriptor(self, tmp_path):
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        assert descriptor(tmp_path / "a") is None
        with pytest.raises(OSError, match="symbolic links"):
            put(tmp_path / "a")

    def test_a_folder_and_a_missing_folder_are_named(self, tmp_path):
        with pytest.raises(IsADirectoryError):
            put(tmp_path)
        with pytest.raises(IsADirectoryError, match="is a folder"):
            check_place(tmp_path)
        with pytest.raises(FileNotFoundError, match="there is no folder"):
            put(tmp_path / "no" / "model")

    def test_the_longest_of_names_will_do(self, tmp_path):
        put(tmp_path / ("m" * 255))
        assert (tmp_path / ("m" * 255)).read_bytes() == b"new"


class TestModes:
    @pytest.mark.parametrize("given", [0o600, 0o640, 0o666, 0o444])
    def test_a_replaced_file_keeps_its_mode(self, tmp_path, given):
        path = tmp_path / "model"
        path.write_bytes(b"old")
        path.chmod(given)
        put(path)
        assert mode(path) == given

    def test_a_new_file_gets_what_the_umask_gives(self, tmp_path, monkeypatch):
        other = tmp_path / "other"
        other.touch()
        monkeypatch.setattr(os, "umask", None)  # the process's mask is nobody's to touch
        put(tmp_path / "model")
        assert mode(tmp_path / "model") == mode(other)

    def test_a_secret_is_never_readable_on_its_way(self, tmp_path):
        path = tmp_path / "model"
        path.write_bytes(b"old")
        path.chmod(0o600)
        with replacing(path) as file:
            assert os.fstat(file.fileno()).st_mode & 0o077 == 0

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
    def test_root_keeps_the_owner(self, tmp_path):
        path = tmp_path / "model"
        path.write_bytes(b"old")
        os.chown(path, 1234, 4321)
        put(path)
        assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


class TestLeftovers:
    @pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
    def test_a_failure_leaves_the_old_file_and_nothing_else(self, tmp_path, failure):
        path = tmp_path / "model"
        path.write_bytes(b"old")

        def write_half() -> None:
            with replacing(path) as file:
                file.write(b"half")
                raise failure

        with pytest.raises(failure):
            write_half()
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_what_a_killed_process_left_is_swept_when_it_is_old(self, tmp_path):
        old, young = leftover(tmp_path, STALE_SECONDS + 60), leftover(tmp_path, 0, f"{PREFIX}young{SUFFIX}")
        others = leftover(tmp_path, STALE_SECONDS + 60, ".other.tmp")
        put(tmp_path / "model")
        assert not old.exists()
        assert young.exists()
        assert others.exists()

    def test_what_is_still_being_written_is_not_swept(self, tmp_path):
        held = leftover(tmp_path, STALE_SECONDS + 60)
        with held.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            sweep(tmp_path)
            assert held.exists()
        sweep(tmp_path)
        assert not held.exists()

    def test_a_slow_writer_survives_a_sweep(self, tmp_path, monkeypatch):
        monkeypatch.setattr(writing, "STALE_SECONDS", -1.0)
        with replacing(tmp_path / "slow") as file:
            put(tmp_path / "quick")
            file.write(b"whole")
        assert (tmp_path / "slow").read_bytes() == b"whole"

    def test_a_link_that_looks_like_one_is_left_alone(self, tmp_path, monkeypatch):
        monkeypatch.setattr(writing, "STALE_SECONDS", -1.0)
        (tmp_path / "precious").write_bytes(b"kept")
        (tmp_path / f"{PREFIX}link{SUFFIX}").symlink_to("precious")
        sweep(tmp_path)
        assert (tmp_path / "precious").read_bytes() == b"kept"
        assert (tmp_path / f"{PREFIX}link{SUFFIX}").is_symlink()

    def test_the_name_cannot_be_foretold(self, tmp_path):
        names = set()
        for _ in range(5):
            with replacing(tmp_path / "model"):
                names |= {path.name for path in tmp_path.glob(f"{PREFIX}*")}
        assert len(names) == 5


LIMITED = """
import resource, sys
from candide.writing import replacing
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    with replacing(sys.argv[1]) as file:
        file.write(bytes(1_000_000))
except OSError as error:
    print(error.filename)
"""


class TestFullDisks:
    def test_a_full_device_is_an_error_that_names_it(self):
        with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
            put(Path("/dev/full"), bytes(1 << 20))

    def test_a_file_that_may_not_grow_is_not_cut(self, tmp_path):
        path = tmp_path / "model"
        path.write_bytes(b"old")
        found = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, check=True)
        assert found.stdout == f"{path}\n"
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_an_unbuffered_stream_is_made_one_that_writes_everything(self, tmp_path):
        with (tmp_path / "out").open("wb", buffering=0) as raw:
            stream = io.TextIOWrapper(raw, "utf-8", write_through=True)
            whole = steady(stream)
            assert isinstance(whole.buffer, io.BufferedWriter)
            whole.write("é" * 100_000)
            whole.flush()
        assert (tmp_path / "out").read_text(encoding="utf-8") == "é" * 100_000

    def test_a_buffered_stream_stays_as_it_is(self):
        stream = io.TextIOWrapper(io.BytesIO())
        assert steady(stream) is stream


ADDING = """
import sys
from pathlib import Path
from candide.writing import changing, replacing
path = Path(sys.argv[1])
sys.stdin.read()  # until all are there
for _ in range(20):
    with changing(path) as check:
        n = int(path.read_text())
        check()
        with replacing(path) as file:
            file.write(str(n + 1).encode())
"""


class TestSeveralAtOnce:
    def test_of_eight_who_add_none_is_lost(self, tmp_path):
        path = tmp_path / "count"
        path.write_text("0")
        command = [sys.executable, "-c", ADDING, path]
        processes = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(8)]
        for process in processes:
            process.stdin.close()
        assert [process.wait() for process in processes] == [0] * 8
        assert path.read_text() == "160"

    def test_whoever_has_to_wait_is_told(self, tmp_path):
        path = tmp_path / "model"
        path.write_bytes(b"old")
        told: list[str] = []
        with path.open("rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_EX)

            def waiting() -> None:
                told.append("waiting")
                fcntl.flock(holder, fcntl.LOCK_UN)

            with changing(path, waiting):
                assert told == ["waiting"]

    def test_a_change_by_someone_who_did_not_wait_is_noticed(self, tmp_path):
        path = tmp_path / "model"
        path.write_bytes(b"old")
        with changing(path) as check:
            check()
            put(path, b"other")
            with pytest.raises(ValueError, match="changed by another program"):
                check()


def test_one_file_is_one_file_whatever_it_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a").write_bytes(b"same")
    Path("b").write_bytes(b"same")
    Path("link").symlink_to("a")
    Path("hard").hardlink_to("a")
    assert all(is_same_file("a", name) for name in ("./a", tmp_path / "a", "link", "hard"))
    with Path("a").open("rb") as file:
        assert is_same_file("link", file.fileno())
    assert not is_same_file("a", "b")
    assert not is_same_file("a", "nowhere")
    assert not is_same_file("/dev/null", "/dev/null")
