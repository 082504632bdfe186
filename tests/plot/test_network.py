"""Networks are drawn with an arrow from each parent to each child, and nodes that do not overlap."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from candide.plot import network
from candide.structure import BayesNetwork, TreeAugmentedNB

FRAME = pd.DataFrame({"age": ["a", "b"] * 6, "income": ["x", "y", "y"] * 4, "buy": ["no", "yes", "yes", "no"] * 3})


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_every_node_and_every_arc_is_drawn():
    net = BayesNetwork(parents={"buy": ["age", "income"]}).fit(FRAME, "buy")
    ax = network(net)
    names = [text.get_text() for text in ax.texts if text.get_text()]
    arrows = [text for text in ax.texts if not text.get_text()]
    assert sorted(names) == ["age", "buy", "income"]
    assert len(arrows) == 2
    places = {text.get_text(): text.get_position() for text in ax.texts if text.get_text()}
    assert len(set(places.values())) == 3
    assert places["buy"][1] < places["age"][1] == places["income"][1]
    assert {arrow.xy for arrow in arrows} == {places["buy"]}


def test_a_tree_is_drawn_on_the_axes_given():
    _, ax = plt.subplots()
    assert network(TreeAugmentedNB().fit(FRAME, "buy"), ax=ax) is ax
