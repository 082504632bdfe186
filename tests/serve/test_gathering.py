"""The head of an answer and its body leave together, and nothing is lost on the way."""

from __future__ import annotations

import socket

from candide.serve.gathering import Gathered, GatheringProtocol

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Recorder:
    """A transport that keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def write(self, part: bytes) -> None:
        self.asked.append(part)

    def close(self) -> None:
        self.asked.append(b"closed")

    def get_extra_info(self, name: str) -> str:
        return name

    def is_closing(self) -> bool:
        return b"closed" in self.asked


def given(*parts: bytes, close: bool = False) -> list[bytes]:
    """What is written of parts."""
    recorder = Recorder()
    transport = Gathered(recorder)
    for part in parts:
        transport.write(part)
    if close:
        transport.close()
    assert transport.is_closing() == close
    assert transport.get_extra_info("peername") == "peername"  # all else is the transport's own
    return recorder.asked


def test_a_head_waits_for_its_body():
    assert given(HEAD, b"{}") == [HEAD + b"{}"]
    assert given(HEAD, b"{}", HEAD, b"[]") == [HEAD + b"{}", HEAD + b"[]"]
    assert given(HEAD) == []
    assert given(HEAD, b"") == [HEAD]
    assert given(HEAD, HEAD, b"{}") == [HEAD + HEAD + b"{}"]


def test_what_no_body_follows_leaves_at_once():
    assert given(b"HTTP/1.1 100 Continue\r\n\r\n") == [b"HTTP/1.1 100 Continue\r\n\r\n"]
    assert given(HEAD, b"a body\r\n\r\n") == [HEAD + b"a body\r\n\r\n"]


def test_what_was_kept_is_written_before_the_end():
    assert given(HEAD, close=True) == [HEAD, b"closed"]


def test_answers_of_a_real_server_are_whole(client, monkeypatch):
    writes = []
    write = Gathered.write
    monkeypatch.setattr(Gathered, "write", lambda self, part: (writes.append((part, self.head)), write(self, part))[1])
    assert client.post("/predict", json={}).json()["unknown"]
    (head, before), (body, kept) = writes
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert body.startswith(b"{")
    assert (before, kept) == (b"", head)


def test_an_answer_without_a_body_does_not_wait_for_the_end_of_its_connection(client, monkeypatch):
    monkeypatch.setattr(GatheringProtocol, "timeout_keep_alive_handler", lambda self: None)  # which writes what was kept
    for _ in range(2):
        answer = client.head("/health")
        assert (answer.status_code, answer.content) == (200, b"")


def test_a_body_that_waits_to_be_asked_for_is_asked_for(client):
    row = b'{"wheels": 4}'
    said = exchange(client, b"POST /predict HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n", row)
    assert said.startswith(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert b"HTTP/1.1 200 OK" in said


def exchange(client, head: bytes, body: bytes) -> bytes:
    """Send a head, the body once something has come back, and return all that came."""
    where = (client.base_url.host, client.base_url.port)
    with socket.create_connection(where, timeout=10) as asked:
        asked.sendall(head + b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(body))
        said = asked.recv(1 << 16)
        asked.sendall(body)
        while part := asked.recv(1 << 16):
            said += part
    return said
