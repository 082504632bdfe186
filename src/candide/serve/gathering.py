"""Gathering: the head of an answer and its body leave in one write.

uvicorn writes them apart: two calls of the system, two packets, and a client that is woken for a head without a body.
Together they cost less than the answer took to find.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_ENDS = b"\r\n\r\n"


class Gathered:
    """A transport that keeps a head until its body is given; or, if there is none, for a turn of the loop.

    Parameters
    ----------
    transport : asyncio.Transport
    loop : asyncio.AbstractEventLoop
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.transport = transport
        self.loop = loop
        self.head = b""

    def write(self, part: bytes) -> None:
        """Write what was kept and a part of an answer; or keep them."""
        whole, self.head = self.head + part, b""
        if part.endswith(HEAD_ENDS):
            self.head = whole
            self.loop.call_soon(self.flush)
        else:
            self.transport.write(whole)

    def flush(self) -> None:
        """Write what was kept."""
        if self.head:
            whole, self.head = self.head, b""
            self.transport.write(whole)

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
        gathered = Gathered(cast("asyncio.Transport", transport), self.loop)
        super().connection_made(cast("asyncio.Transport", gathered))
