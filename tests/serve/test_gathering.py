"""The head of an answer and its body leave together, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Callable

from candide.serve.gathering import Gathered

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Recorder:
    """A transport that keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def write(self, part: bytes) -> None:
        self.asked.append(part)

    def close(self) -> None:
        self.asked.append(b"closed")

    def is_closing(self) -> bool:
        return b"closed" in self.asked


class Loop:
    """A loop whose turn comes when the test says so."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], None]] = []

    def call_soon(self, call: Callable[[], None]) -> None:
        self.soon.append(call)


def given(*parts: bytes, close: bool = False) -> tuple[list[bytes], list[bytes]]:
    """What is written of parts at once, and after a turn of the loop."""
    recorder, loop = Recorder(), Loop()
    transport = Gathered(recorder, loop)
    for part in parts:
        transport.write(part)
    if close:
        transport.close()
    at_once = recorder.asked.copy()
    for call in loop.soon:
        call()
    assert transport.is_closing() == close  # all else is the transport's own
    return at_once, recorder.asked


def test_a_head_waits_for_its_body_and_no_longer():
    assert given(HEAD, b"{}") == ([HEAD + b"{}"], [HEAD + b"{}"])
    assert given(HEAD, b"{}", HEAD, b"[]") == ([HEAD + b"{}", HEAD + b"[]"],) * 2


def test_a_head_without_a_body_leaves_by_itself():
    assert given(HEAD) == ([], [HEAD])
    assert given(HEAD, HEAD, b"{}") == ([HEAD + HEAD + b"{}"],) * 2


def test_what_was_kept_is_written_before_the_end():
    assert given(HEAD, close=True) == ([HEAD, b"closed"],) * 2


def test_answers_of_a_real_server_are_whole(client, monkeypatch):
    writes = []
    flush, write = Gathered.flush, Gathered.write
    monkeypatch.setattr(Gathered, "write", lambda self, part: (writes.append(part), write(self, part))[1])
    monkeypatch.setattr(Gathered, "flush", lambda self: (writes.append(self.head), flush(self))[1])
    assert client.post("/predict", json={}).json()["unknown"]
    head, body = writes[:2]
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert body.startswith(b"{")
    assert not any(writes[2:])  # nothing was left for the loop to send
    assert client.head("/health").content == b""
