"""Writing: a file is there whole or not at all, and what is no plain file is written into.

(a) Links are followed: the link stays, the file behind it is replaced.
(b) Devices, FIFOs and open descriptors (/dev/stdout) are written into, never replaced.
(c) A plain file is written beside itself, under a name that cannot be foretold, forced to the disk and then renamed. It
    keeps its mode and, where that is allowed, its owner; a new file gets what the umask gives, asked of no one but the
    system that makes it.
(d) What a killed process left behind is swept by the next one that writes there, once it is old and nobody holds it.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TextIO

fcntl: Any
try:
    fcntl = import_module("fcntl")
except ImportError:  # Windows, where a file that is open cannot be replaced: a lock of a kind
    fcntl = None

PREFIX, SUFFIX = ".candide-", ".tmp"
"""How a file that is being written is called."""

STALE_SECONDS = 3600.0
"""Age at which a file that nobody is writing any more is swept."""

DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|thread-self|\d+))/fd/(\d+)")
LINKS = 40
"""Links that are followed one after another, as the system does."""
MOST_HOLDERS = 10_000
"""Processes that may replace a file while another waits to hold it."""

PathLike = str | os.PathLike[str]


@contextmanager
def replacing(path: PathLike) -> Iterator[IO[bytes]]:
    """Open a path for writing; a plain file is put in its place when the block ends, and only if it ends well.

    Parameters
    ----------
    path : path
        A file that is there or not, a link to one, a device, a FIFO, or an open descriptor such as /dev/stdout.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "words")) as file:
    ...         written = file.write(b"candide")
    ...     Path(folder, "words").read_bytes()
    b'candide'
    """
    if is_stream(path):
        with _open_stream(path) as sink:
            yield sink
        return
    check_place(path)
    target = Path(os.path.realpath(path))
    sweep(target.parent)
    old = target.stat() if target.exists() else None
    temporary = target.with_name(f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")
    try:
        with _create(temporary, path, 0o666 if old is None else stat.S_IMODE(old.st_mode)) as sink:
            yield sink
            sink.flush()
            if old is not None:
                _inherit(sink.fileno(), old)
            os.fsync(sink.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def check_place(path: PathLike) -> None:
    """Refuse a path that cannot be written to, before the work whose result goes there."""
    if not os.fspath(path):
        raise ValueError("'' is the name of no file to write")
    if is_stream(path):
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder; give the name of a file", os.fspath(path))
        return
    for folder in (Path(path).parent, Path(os.path.realpath(path)).parent):
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder {str(folder)!r}", os.fspath(path))


def is_stream(path: PathLike) -> bool:
    """Whether a path stands for something that is written into: a device, a FIFO, an open descriptor."""
    if descriptor(path) is not None:
        return True
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except FileNotFoundError:
        return False


def descriptor(path: PathLike) -> int | None:
    """Return the open descriptor that a path stands for, through links too.

    Examples
    --------
    >>> descriptor("/dev/fd/3"), descriptor("model.json")
    (3, None)
    """
    place = Path(path).absolute()
    for _ in range(LINKS):
        found = DESCRIPTOR.fullmatch(os.path.normpath(place))
        if found:
            return int(found[1])
        if not place.is_symlink():
            return None
        place = place.parent / place.readlink()
    return None


class _Named(io.FileIO):
    """A raw file whose failures name the path that the user gave."""

    def __init__(self, file: str | int, given: PathLike, opener: Callable[[str, int], int] | None = None) -> None:
        self.given = given
        super().__init__(file, "x" if opener is not None else "w", opener=opener)

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = os.fspath(self.given)
            raise


def _open_stream(path: PathLike) -> IO[bytes]:
    number = descriptor(path)
    # what a descriptor stands for may be a plain file that was written to before: its own offset goes on
    handle = os.open(path, os.O_WRONLY) if number is None else os.dup(number)
    return io.BufferedWriter(_Named(handle, path))


def _create(temporary: Path, given: PathLike, mode: int) -> IO[bytes]:
    """Make the file that is written; nobody may read it who might not read the one that it replaces."""
    try:
        file = _Named(os.fspath(temporary), given, lambda name, flags: os.open(name, flags, mode))
    except OSError as error:
        error.filename = os.fspath(given)
        raise
    _lock(file, wait=False)
    return io.BufferedWriter(file)


def _inherit(handle: int, old: os.stat_result) -> None:
    """Give a file the owner, as far as that is allowed, and the mode of the one that it replaces."""
    if not hasattr(os, "fchmod"):
        return
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(PermissionError):
            os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Force the new name to the disk, where folders can be."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# -- what others hold ------------------------------------------------------------------------------------------------


def sweep(folder: Path) -> None:
    """Remove what killed processes of this user left behind in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX):
                with suppress(OSError):
                    _sweep_one(entry)


def _sweep_one(entry: os.DirEntry[str]) -> None:
    found = entry.stat(follow_symlinks=False)
    ours = stat.S_ISREG(found.st_mode) and found.st_uid == getattr(os, "geteuid", lambda: found.st_uid)()
    if ours and time.time() - found.st_mtime > STALE_SECONDS:
        with Path(entry.path).open("rb") as file:
            if _lock(file, wait=False):
                Path(entry.path).unlink(missing_ok=True)


def _lock(file: IO[bytes] | io.FileIO, wait: bool) -> bool:
    """Take the lock of an open file, if the system has such; False if another process has it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


@contextmanager
def changing(path: PathLike, waiting: Callable[[], None] = lambda: None) -> Iterator[Callable[[], None]]:
    """Hold a file from reading it until it is replaced, so that of several who change it none loses another's change.

    Parameters
    ----------
    path : path of a plain file
    waiting : function
        Called once if another process holds the file and has to be waited for.

    Yields
    ------
    function
        To be called just before the file is replaced: refuses if someone replaced it who did not hold it.
    """
    told = False
    for _ in range(MOST_HOLDERS):
        with Path(path).open("rb") as file:
            if not _lock(file, wait=False):
                if not told:
                    waiting()
                told = True
                _lock(file, wait=True)
            mine = os.fstat(file.fileno())
            if not _same(mine, Path(path).stat()):
                continue  # whoever held it has replaced it: hold the new one

            def check(mine: os.stat_result = mine) -> None:
                if not _same(mine, Path(path).stat()):
                    raise ValueError(f"{os.fspath(path)} was changed by another program meanwhile: run this again")

            yield check
            return
    raise ValueError(f"{os.fspath(path)} was replaced {MOST_HOLDERS:,} times while it was waited for: run this again")


def _same(a: os.stat_result, b: os.stat_result) -> bool:
    return (a.st_dev, a.st_ino, a.st_size, a.st_mtime_ns) == (b.st_dev, b.st_ino, b.st_size, b.st_mtime_ns)


def is_same_file(a: PathLike | int, b: PathLike | int) -> bool:
    """Whether two paths or descriptors are one plain file, whatever they are called."""
    try:
        one, other = (os.fstat(f) if isinstance(f, int) else Path(f).stat() for f in (a, b))
    except OSError:
        return False
    return stat.S_ISREG(one.st_mode) and os.path.samestat(one, other)


def check_apart(path: PathLike, inputs: Iterable[PathLike], what: str) -> None:
    """Refuse to write over a file that was read, whatever it is called.

    Parameters
    ----------
    path : path
        The place to write to.
    inputs : paths
        What was read.
    what : str
        What is to be written, for the message.
    """
    if any(is_same_file(path, read) for read in inputs):
        name = os.fspath(path)
        raise ValueError(f"{name} is a table that was read, and {what} would overwrite it: give another name")


# -- standard output -------------------------------------------------------------------------------------------------


def steady(stream: TextIO) -> TextIO:
    """Return a text stream that writes all of what it is given, or fails.

    Python's unbuffered streams take one system call for each text and drop what a short write leaves over: a full disk,
    or more than 2 GiB, then cuts the output without a word.
    """
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    whole = io.BufferedWriter(io.FileIO(raw.fileno(), "w", closefd=False))
    return io.TextIOWrapper(whole, stream.encoding, stream.errors, line_buffering=True)
