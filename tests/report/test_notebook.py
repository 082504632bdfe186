"""Displays in a notebook: tables that survive, with the library's numbers."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pandas as pd
import pytest
import sklearn
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from tests.report.models import many, mixed, passengers, tables

from candide import NaiveBayes
from candide.evaluate import leave_one_out
from candide.structure import AveragedOneDependence
from candide.text import TextNB

KEPT = {"table", "thead", "tbody", "tr", "th", "td", "details", "summary", "span", "b", "div", "pre"}
"""What the sanitizer of an untrusted notebook keeps."""


class Tags(HTMLParser):
    """The tags, styles and text of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.styles: set[str] = set()
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            assert name == "style"
            self.styles |= {part.partition(":")[0] for part in value.split(";")}

    def handle_data(self, data):
        self.texts.append(data)


def displays():
    nb, frame = mixed()
    yield nb._repr_html_()
    yield nb.explain(frame[:5])._repr_html_()
    yield leave_one_out(nb, frame, "fate")._repr_html_()
    yield nb.report(frame)._repr_html_()
    yield many()[0]._repr_html_()


def test_only_what_untrusted_notebooks_keep_is_used():
    for html in displays():
        found = Tags(html)
        assert found.tags <= KEPT
        assert found.styles <= {"display", "width", "height", "background-color", "text-align"}
        assert "var(" not in html
        assert len(html) < 40_000


def test_a_fitted_model_shows_what_it_learnt():
    nb, _ = mixed()
    words = " ".join(Tags(nb._repr_html_()).texts)
    assert "of fate: 400 rows, 6 columns, 2 classes" in words
    weights = nb.report().facts["columns"][0]["weights"]
    odds = (weights[1][0] / sum(weights[1])) / (weights[0][0] / sum(weights[0]))
    assert f"female ×{odds:.1f}" in words


def test_an_unfitted_model_and_a_pipeline_keep_scikit_learns_diagram():
    assert "sk-" in NaiveBayes()._repr_html_()
    frame = passengers()
    pipe = make_pipeline(FunctionTransformer(), NaiveBayes()).fit(frame.drop(columns="fate"), frame["fate"])
    assert "sk-" in pipe._repr_html_()


def test_display_as_text_is_honoured():
    nb, _ = tables()
    assert set(nb._repr_mimebundle_()) == {"text/plain", "text/html"}
    with sklearn.config_context(display="text"):
        assert set(nb._repr_mimebundle_()) == {"text/plain"}
        assert not hasattr(nb, "_repr_html_")


def test_an_explanation_ends_at_the_posterior_and_says_where_it_lies():
    nb, frame = tables()
    why = nb.explain(frame[:5])
    html = why._repr_html_().replace("\u202f", " ")
    assert "2 more rows" in html
    low, high = nb.predict_interval(frame[:1])[0, why.pair(0)[0]]
    assert f"{100 * low:.1f} % to {100 * high:.1f} % is credible" in html
    last = re.findall(r"(\d+(?:\.\d)?|[<>] [\d.]+) %</td></tr></tbody>", html)[0]
    assert last.lstrip("&gl;t<> ") in f"{100 * why.posterior[0].max():.1f} {100 * why.posterior[0].max():.0f} 99.9"


def test_explanations_that_do_not_add_logarithms_are_shown_as_text():
    nb, frame = tables(combination="sum")
    assert "<pre>" in nb.explain(frame[:1])._repr_html_()


def test_names_are_escaped():
    frame = passengers().rename(columns={"sex": "<b>sex</b>"})
    html = NaiveBayes().fit(frame, "fate")._repr_html_()
    assert "&lt;b&gt;sex" in html
    assert "<b>sex" not in html


@pytest.mark.parametrize("made", [TextNB, AveragedOneDependence])
def test_other_estimators_are_shown_too(made):
    frame = passengers()[["sex", "deck", "fate"]]
    X = frame["sex"].tolist() if made is TextNB else frame.drop(columns="fate")
    html = made().fit(X, frame["fate"])._repr_html_()
    assert "died" in html


def test_a_model_that_nothing_can_be_estimated_from_has_a_display():
    nb = NaiveBayes(distributions={"x": "normal"}).fit(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "y")
    nb.set_params(distributions={"x": "kde"})  # needs the values, which were not kept
    assert "refit" in nb._html_repr()
