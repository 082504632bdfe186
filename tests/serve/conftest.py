"""A model behind a real server, on a port of its own, for the tests of this folder."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")
httpx = pytest.importorskip("httpx", reason="httpx is not installed")

from candide import NaiveBayes  # noqa: E402
from candide.serve.answering import Answering  # noqa: E402
from candide.serve.application import LOOPBACK, ModelApplication  # noqa: E402
from candide.serve.running import address, configured, open_socket  # noqa: E402

RNG = np.random.default_rng(0)
N = 200
Y = RNG.choice(["bike", "car", "truck"], N)
FRAME = pd.DataFrame(
    {
        "weight": RNG.gamma(4.0, 100.0, N) * (1 + 3.0 * (Y == "truck")),
        "energy": np.where(Y == "bike", "petrol", RNG.choice(["petrol", "diesel", "gas"], N)),
        "wheels": RNG.choice([2, 4, 6], N),
        "new": RNG.random(N) < 0.5,
    }
)


@pytest.fixture(scope="session")
def model() -> NaiveBayes:
    return NaiveBayes({"weight": "lognormal"}).fit(FRAME.assign(desk=Y), "desk")


@pytest.fixture
def answering(model: NaiveBayes) -> Answering:
    return Answering(model, "0123")


@pytest.fixture
def client(answering: Answering) -> Iterator[httpx.Client]:
    """A client of the application, served by uvicorn on a real socket."""
    with serving(answering) as address, httpx.Client(base_url=address, trust_env=False) as made:
        yield made


@contextmanager
def serving(answering: Answering) -> Iterator[str]:
    """Serve a model as the command does, in a thread; give the address."""
    import uvicorn

    listening = open_socket("127.0.0.1", 0)
    listening.listen()  # who asks before the server is ready waits, and is not refused
    server = uvicorn.Server(configured(ModelApplication(answering, LOOPBACK)))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    try:
        yield address(listening)
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        listening.close()
    assert not thread.is_alive()
