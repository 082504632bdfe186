"""Many at once: a bounded number of requests on connections of their own, each answered as it would be alone."""

from __future__ import annotations

import threading

import pytest
from tests.serve.conftest import FRAME, httpx

CONNECTIONS, EACH, SECONDS = 16, 125, 60


def test_two_thousand_requests_of_sixteen_clients_are_answered_and_counted(client, model):
    given = FRAME.astype(object).to_dict("records")
    labels = model.predict(FRAME).tolist()
    chances = model.predict_proba(FRAME).max(axis=1)
    answers: dict[int, tuple[str, float]] = {}

    def ask(n: int) -> None:
        with httpx.Client(base_url=client.base_url, trust_env=False, timeout=SECONDS) as mine:
            for k in range(EACH):
                at = n * EACH + k
                found = mine.post("/predict", json=given[at % len(given)]).json()
                answers[at] = found["label"], found["chance"]

    threads = [threading.Thread(target=ask, args=(n,), daemon=True) for n in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=SECONDS)
    assert len(answers) == CONNECTIONS * EACH
    for at, (label, chance) in answers.items():
        assert label == labels[at % len(given)]
        assert chance == pytest.approx(chances[at % len(given)], abs=1e-12)
    assert f"candide_rows_total {CONNECTIONS * EACH}\n" in client.get("/metrics").text
