"""Gathering: the head of an answer and its body leave in one write.

uvicorn writes them apart: two calls of the system, two packets, and a client that is woken for a head without a body.
Together they cost less than the answer took to find.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_BEGINS, GO_ON, HEAD_ENDS = b"HTTP/1.1 ", b"HTTP/1.1 100", b"\r\n\r\n"
"""What the head of an answer begins and ends with; and how one begins that no body follows, since it asks for one."""


class Gathered:
    """A transport that keeps the head of an answer until its body is given, which the application does at once.

    Parameters
    ----------
    transport : asyncio.Transport
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.is_closing = transport.is_closing  # asked after every answer
        self.head = b""

    def write(self, part: bytes) -> None:
        """Keep a head; write any other part of an answer, after the head that was kept."""
        if part.endswith(HEAD_ENDS) and part.startswith(HEAD_BEGINS) and not part.startswith(GO_ON):
            self.head += part
        else:
            self.transport.write(self.head + part)
            self.head = b""

    def flush(self) -> None:
        """Write a head that was kept: no body follows it."""
        if self.head:
            self.transport.write(self.head)
            self.head = b""

    def close(self) -> None:
        """Close after what was kept is written."""
        self.flush()
        self.transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


class GatheringProtocol(AutoHTTPProtocol):  # type: ignore[valid-type, misc]  # httptools' or h11's, as is installed
    """uvicorn's HTTP over a transport that gathers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection."""
        gathered = Gathered(cast("asyncio.Transport", transport))
        super().connection_made(cast("asyncio.Transport", gathered))

    def on_response_complete(self) -> None:
        """End an answer; one to HEAD has no body, which some servers tell by writing nothing."""
        cast("Gathered", self.transport).flush()
        super().on_response_complete()
