"""Profiles of Hypothesis: `quick` is what runs by default, `HYPOTHESIS_PROFILE=thorough` searches and shrinks."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "quick",
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    derandomize=True,
    # shrinking a table of many cells takes minutes on a small machine: the thorough profile does it
    phases=[Phase.explicit, Phase.generate],
)
settings.register_profile(
    "thorough", parent=settings.get_profile("quick"), max_examples=1000, derandomize=False, phases=list(Phase)
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long, so that no process is left with one of them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
