"""Running: a server on a socket, that ends when it is asked to, after it has answered what it was asked."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from candide.estimator import Classifier
from candide.messages import need

if TYPE_CHECKING:
    import uvicorn

    from candide.serve.application import ModelApplication

GRACE = 10
"""Seconds that requests have to be answered in once the server is asked to end."""


def serve(
    model: Classifier,
    host: str = "127.0.0.1",
    port: int = 8000,
    checksum: str | None = None,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Answer HTTP requests by a model until a signal asks for the end.

    Parameters
    ----------
    model : Classifier
    host : str
        Where to listen; the default is reached from this machine only.
    port : int
        0 takes any that is free.
    checksum : str or None
        Of the model's file, told by /health.
    ready : function of the address
        Called once requests are taken.
    """
    try:
        import msgspec  # noqa: F401  # the application is made of it
        import uvicorn
    except ImportError:
        raise ImportError(need("servers", "serve")) from None
    from candide.serve.answering import Answering
    from candide.serve.application import LOOPBACK, ModelApplication

    listening = open_socket(host, port)
    own = listening.getsockname()[0]
    application = ModelApplication(Answering(model, checksum), LOOPBACK if own in {"127.0.0.1", "::1"} else None)
    config = configured(application)

    class Server(uvicorn.Server):
        """Ends on a signal as on the end of its work."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready(address(listening))

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            with asked_to_end(self.handle_exit):
                yield

    gc.collect()
    gc.freeze()  # the model stays: a collection that walks through it would hold up requests
    try:
        Server(config).run([listening])
    finally:
        gc.unfreeze()
        listening.close()


def configured(application: ModelApplication) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    import uvicorn

    from candide.serve.gathering import GatheringProtocol

    return uvicorn.Config(
        application,
        http=GatheringProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise OSError(error.errno, f"{error.strerror}: give another --host", host) from None
    family, kind, protocol, _, where = found[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(where)
    except OSError as error:
        listening.close()
        raise OSError(error.errno, f"{error.strerror}: give another --port or --host", f"{host}:{port}") from None
    return listening


def address(listening: socket.socket) -> str:
    """Return the address of a socket as a browser has it."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


@contextmanager
def asked_to_end(handle: Callable[..., Any]) -> Iterator[None]:
    """Let signals that ask for an end be handled so, and as before afterwards."""
    before = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            with suppress(ValueError):  # only the main thread hears signals
                before[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
