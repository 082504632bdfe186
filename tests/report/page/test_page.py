"""The page in a real browser: its numbers are the library's, and everybody can use it."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from tests.report.models import as_state, dated, many, mixed, partial_rows, passengers, tables
from tests.report.page.conftest import READY, wait_for
from tests.strategies import KINDS, learning_table

from candide import NaiveBayes, TunedNB
from candide.presets import RobustNB
from candide.report import facts
from candide.report.page import render
from candide.structure import AveragedOneDependence, TreeAugmentedNB
from candide.text import TextNB

pytestmark = pytest.mark.long


def since():
    """Return a model, its rows, and an older model."""
    nb, frame = mixed()
    return nb, frame, NaiveBayes(distributions=nb.distributions).fit(frame[:200], "fate")


def scored(opened, told, rows):
    """Return what the page says of rows."""
    states = [as_state(told, row) for row in rows.to_dict("records")]
    return np.array(opened.page.evaluate("rows => rows.map(row => candide.score(row))", states))


@pytest.mark.parametrize("params", [{}, {"smoothing": "m-estimate"}, {"prior": "uniform"}, {"smoothing": "none"}])
def test_the_page_gives_the_librarys_probabilities_of_partly_known_rows(show, params):
    nb, frame = tables(**params)
    told = facts(nb, frame)
    rows = partial_rows(frame, 300)
    got = scored(show(render(told)), told, rows)
    assert np.abs(got - nb.predict_proba(rows)).max() < 1e-9


def test_sampled_curves_are_close_and_exact_densities_exact(show):
    nb, frame = mixed()
    rows = partial_rows(frame, 300)
    told = facts(nb)
    assert np.abs(scored(show(render(told)), told, rows) - nb.predict_proba(rows)).max() < 1e-3
    nb = NaiveBayes(distributions={"age": "normal", "fare": "lognormal", "children": "poisson"}).fit(frame, "fate")
    told = facts(nb)
    assert np.abs(scored(show(render(told)), told, rows) - nb.predict_proba(rows)).max() < 1e-9


def test_every_kind_of_column_is_scored_as_the_library_scores_it(show):
    case = learning_table(KINDS, n=60)
    nb = NaiveBayes(distributions=case.distributions).fit(case.X, case.y)
    told = facts(nb)
    got = scored(show(render(told)), told, case.X)
    assert np.abs(got - nb.predict_proba(case.X)).max() < 1e-3


@pytest.mark.parametrize("model", [TreeAugmentedNB, RobustNB])
def test_trees_and_the_robust_rule_are_scored_too(show, model):
    frame = passengers()[["sex", "deck", "children", "echo", "fate"]]
    frame["children"] = frame["children"].astype(str)
    nb = model().fit(frame, "fate")
    rows = partial_rows(frame, 200)
    told = facts(nb)
    assert np.abs(scored(show(render(told)), told, rows) - nb.predict_proba(rows)).max() < 1e-9


def test_columns_joined_into_one_attribute_are_summed_out_where_partly_known(show):
    frame = passengers()
    nb = NaiveBayes(groups=[["sex", "deck"]], distributions={"age": "equal-width(4)"}).fit(frame, "fate")
    rows = partial_rows(frame, 200)
    told = facts(nb)
    assert np.abs(scored(show(render(told)), told, rows) - nb.predict_proba(rows)).max() < 1e-9


def test_the_credible_range_is_the_librarys(show):
    nb, frame = tables()
    rows = partial_rows(frame, 50)
    told = facts(nb)
    states = [as_state(told, row) for row in rows.to_dict("records")]
    got = np.array(show(render(told)).page.evaluate("rows => rows.map(row => candide.interval(row, 1))", states))
    assert np.abs(got - nb.predict_interval(rows)[:, 1]).max() < 1e-9


@pytest.mark.filterwarnings("ignore:.*columns that the rows do not have")
def test_the_next_question_is_the_expected_information(show):
    nb, _ = tables()
    told = facts(nb)
    got = show(render(told)).page.evaluate("candide.questions({0: 1})")
    p = nb.predict_proba([{"sex": "male"}])[0]
    deck = np.exp(nb.model_.forms[1].table)
    mixture = p @ deck
    information = sum(p[c] * deck[c] @ np.log(deck[c] / mixture) for c in range(2))
    assert {name: value for name, value, _ in got}["deck"] == pytest.approx(information, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.*columns that the rows do not have")
@pytest.mark.parametrize("model", [TunedNB, NaiveBayes, lambda **given: TunedNB(groups=[["sex", "deck"]], **given)])
def test_the_page_asks_what_the_library_asks_where_evidence_is_weighed_and_a_missing_cell_is_a_level(show, model):
    frame, rng = passengers(2_000), np.random.default_rng(3)
    odd = (frame["sex"] == "male") ^ frame["deck"].isna()
    frame["fate"] = np.where(odd ^ (rng.random(len(frame)) < 0.1), "survived", "died")
    nb = model(distributions=dict.fromkeys(("age", "fare", "children"), "equal-width(5)"), missing="level")
    nb.fit(frame, "fate")
    told = facts(nb)
    opened = show(render(told))
    sex = next(column for column in told["columns"] if column["name"] == "sex")
    for row, state in (({"sex": None}, {}), ({"sex": "male"}, {sex["position"]: sex["levels"].index("male")})):
        got = {name: more for name, *more in opened.page.evaluate("row => candide.questions(row)", state)}
        expected = {question.column: [question.information, question.turns] for question in nb.questions(row)}
        assert expected
        for name, numbers in expected.items():
            assert got[name] == pytest.approx(numbers, abs=1e-5), name


def test_a_page_of_added_probabilities_tells_shares_of_rows_and_no_factors(show):
    nb = NaiveBayes(combination="sum").fit(tables()[1], "fate")
    opened = show(render(facts(nb)))
    told = opened.page.locator("#learnt .two > div").nth(1).text_content()
    assert max(map(float, re.findall(r"([\d.]+)\s%", told))) <= 100
    assert not {"×", "÷"} & set(told)


def test_tuned_weights_and_pairs_are_scored_too(show):
    frame = passengers()
    bins = {"age": "equal-width(5)", "fare": "equal-width(6)", "children": "equal-width(3)"}
    nb = TunedNB(distributions=bins).fit(frame, "fate")
    rows = partial_rows(frame, 200)
    told = facts(nb)
    assert np.abs(scored(show(render(told)), told, rows) - nb.predict_proba(rows)).max() < 1e-9


def test_what_is_unknown_on_the_page_says_nothing_and_what_is_missing_is_a_level(show):
    frame, rng = passengers(2_000), np.random.default_rng(3)
    odd = (frame["sex"] == "male") ^ frame["deck"].isna()  # what a missing deck says depends on the sex
    frame["fate"] = np.where(odd ^ (rng.random(len(frame)) < 0.1), "survived", "died")
    bins = {"age": "equal-width(5)", "fare": "equal-width(6)", "children": "equal-width(3)"}
    nb = TunedNB(distributions=bins).fit(frame, "fate")
    assert {"sex", "deck"} in [set(pair) for pair in nb.pairs_]
    told, rows = facts(nb), partial_rows(frame, 200)
    opened = show(render(told))
    assert np.abs(scored(opened, told, rows) - nb.predict_proba(rows)).max() < 1e-9  # missing, as `as_state` tells it
    missing = {c["position"]: len(c["levels"]) - 1 for c in told["columns"] if c.get("absent")}
    states = [as_state(told, row) for row in rows.to_dict("records")]
    known = [{j: v for j, v in state.items() if missing.get(j) != v} for state in states]
    got = np.array(opened.page.evaluate("rows => rows.map(row => candide.score(row))", known))
    asked = [nb.questions(row).posterior for row in rows.to_dict("records")]
    assert np.abs(got - np.array(asked)).max() < 1e-9
    assert np.abs(got - nb.predict_proba(rows)).max() > 0.1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 400, 768, 1280])
def test_nothing_overflows_and_nothing_goes_wrong(show, width, scheme):
    opened = show(render(facts(*since())), width, scheme, "#sex=male&age=30")
    wide = opened.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    assert opened.trouble == []


OUTSIDE = """[...document.querySelectorAll("svg text")].filter((one) => {
    const text = one.getBoundingClientRect(), card = one.closest("section").getBoundingClientRect();
    return text.width && (text.right > card.right || text.left < card.left);
}).map((one) => one.textContent)"""
"""Labels that leave the card that they stand in."""
TOUCHING = """[...document.querySelectorAll("svg[role=listbox]")].flatMap((picture) => {
    const heads = [...picture.querySelectorAll(":scope > text.strong")].map((one) => one.getBoundingClientRect());
    return heads.slice(1).filter((head, i) => heads[i].right > head.left - 2 && heads[i].top === head.top).length || [];
})"""
"""Lists of which two heads touch."""


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_labels_stay_in_their_cards_and_apart(show, width):
    rng = np.random.default_rng(0)
    y = rng.choice(["no", "yes"], 800)
    jobs = np.array([f"{'very ' * (i % 3)}long name of job {i}" for i in range(14)])
    frame = pd.DataFrame({"job": jobs[(rng.integers(0, 9, 800) + 5 * (y == "yes")) % 14], "x": rng.normal(size=800)})
    frame["y"] = y
    nb, older = NaiveBayes().fit(frame[400:], "y"), NaiveBayes().fit(frame[:400], "y")
    opened = show(render(facts(nb, frame[400:], older)), width)
    assert opened.page.evaluate(OUTSIDE) == []
    assert opened.page.evaluate(TOUCHING) == []
    assert opened.page.locator("#nomogram text", has_text="long").count() >= 9


def test_many_classes_are_shown_and_one_can_be_chosen(show):
    nb, frame = many()
    opened = show(render(facts(nb, frame)), 400)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 400
    button = opened.page.locator(".classes button").nth(2)
    name = button.locator(".name").text_content()
    button.click()
    assert opened.page.locator(".answer .label").text_content() == name
    said = opened.page.locator("#nomogram .body p").first.text_content()
    assert said.startswith(f"{name} against ")  # of many classes a nomogram tells two apart
    assert said.endswith("odds and chance are between these two.")
    opened.page.reload()
    assert opened.page.locator(".answer .label").text_content() == name
    assert opened.trouble == []


def test_mistakes_among_few_classes_are_counted_in_their_cells(show):
    nb, frame = many(classes=4)
    report = nb.report(frame)
    page = show(report.html).page
    counts = page.locator("#trust svg[aria-label^=Confusion] g text").all_text_contents()
    grid = [n for row in report.facts["performance"]["confusion"] for n in row if n]
    assert [int(text.replace(",", "")) for text in counts] == grid


def test_fifty_classes_are_named_beside_their_mistakes_on_a_phone(show):
    nb, frame = many(classes=50)
    opened = show(render(facts(nb, frame)), 320)
    labels = opened.page.locator("#trust svg[aria-label^=Confusion] text")
    boxes = [box for box in (labels.nth(i).bounding_box() for i in range(labels.count())) if box is not None]
    assert len(boxes) == 50
    assert all(two["y"] - one["y"] >= one["height"] - 1 for one, two in pairwise(boxes))
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_keyboard_and_pointer_move_a_marker_and_a_reload_keeps_it(show):
    nb, frame = mixed()
    opened = show(render(facts(nb, frame)))
    row = opened.page.locator('#nomogram [role=slider][aria-label="sex"]')
    assert row.get_attribute("aria-valuetext") == "unknown, 0 points"
    row.focus()
    opened.page.keyboard.press("ArrowRight")
    assert row.get_attribute("aria-valuetext").startswith("female, +")
    assert "sex=female" in opened.page.url
    opened.page.keyboard.press("ArrowRight")
    assert row.get_attribute("aria-valuetext").startswith("male, −")
    opened.page.reload()
    assert row.get_attribute("aria-valuetext").startswith("male, −")
    assert opened.page.locator("#field-0").input_value() == "1"
    row.focus()
    opened.page.keyboard.press("Delete")
    assert row.get_attribute("aria-valuetext") == "unknown, 0 points"
    box = row.bounding_box()
    opened.page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    assert row.get_attribute("aria-valuetext").startswith("female, +")
    assert opened.trouble == []


def test_a_field_changes_the_chance_and_the_chance_is_spoken(show):
    nb, frame = mixed()
    opened = show(render(facts(nb, frame)))
    answer = opened.page.locator(".answer")
    assert answer.get_attribute("aria-live") == "polite"
    before = answer.locator("b").text_content()
    opened.page.locator("#field-0").select_option(label="female")
    assert answer.locator("b").text_content() != before


def test_moments_are_shown_and_asked_for_as_dates(show):
    nb, frame = dated()
    told = facts(nb, frame)
    opened = show(render(told))
    text = opened.page.locator("body").inner_text()
    assert not re.search(r"\b1[67]\d{8}\b", text)  # seconds since 1970
    assert re.search(r"\b2023-0\d-\d\d\b", text)
    assert re.search(r"\b(January|February|March)\b", text)
    at = {column["name"]: column["position"] for column in told["columns"]}
    for name, typed, shown in (("when", "2023-06-01", "2023-06-01 00:00"), ("at", "13:05", "13:05")):
        box = opened.page.locator(f"#field-{at[name]}")
        box.fill(typed)
        box.press("Enter")
        assert shown in opened.page.locator(".step").first.text_content()
        box.fill("")
        box.press("Enter")
    assert not opened.trouble


@pytest.mark.parametrize("width", [1200, 1280, 700, 390])
def test_a_date_with_its_minutes_fits_its_field(show, width):
    nb, frame = dated()
    told = facts(nb, frame)
    opened = show(render(told), width=width)
    at = {column["name"]: column["position"] for column in told["columns"]}
    box = opened.page.locator(f"#field-{at['when']}")
    box.fill("2023-06-28 20:48")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("key", ["Enter", "click"])
def test_every_bar_opens_to_its_arithmetic(show, key):
    nb, frame = mixed()
    told = facts(nb, frame)
    opened = show(render(told))
    opened.page.locator("#field-0").select_option(label="female")
    bar = opened.page.locator("#ask .step")
    bar.focus()
    bar.click() if key == "click" else opened.page.keyboard.press(key)
    known = frame[["sex", "fate"]].value_counts()
    died, survived = known["female", "died"], known["female", "survived"]
    of = frame["fate"].value_counts()
    said = opened.page.locator("#ask .figure p").text_content()
    asked = f"({survived}+1)/({of['survived']}+2) = {(survived + 1) / (of['survived'] + 2):.3f} of survived"
    rival = f"({died}+1)/({of['died']}+2) = {(died + 1) / (of['died'] + 2):.3f} of died"
    assert said.startswith(f"female: {asked} against {rival}, ×")
    assert said.endswith(" points")
    assert bar.get_attribute("aria-label") == said
    opened.page.locator("#field-1").select_option(index=1)
    assert opened.page.locator("#ask .figure p").text_content() == said  # another cell leaves it open
    assert opened.trouble == []


def test_a_bar_of_weighed_evidence_opens_to_how_often_its_cell_occurs(show):
    nb = TunedNB().fit(passengers(), "fate")
    told = facts(nb)
    opened = show(render(told))
    opened.page.locator("#field-0").select_option(label="female")
    opened.page.locator("#ask .step").first.click()
    died, survived = np.array(told["columns"][0]["occurs"])[:, told["columns"][0]["levels"].index("female")]
    said = opened.page.locator("#ask .figure p").text_content()
    assert said.startswith(f"female: {survived:.3f} of survived against {died:.3f} of died, weighed ×")


def test_the_page_says_chance_and_column(show):
    opened = show(render(facts(*since())), address="#sex=male&age=30")
    said = opened.page.evaluate("document.body.innerText")
    assert re.search(r"\b(feature|logit|posterior|AUC)", said, re.IGNORECASE) is None
    assert said.count("area under the ROC curve") == 1
    for word in ("chance", "odds", "points", "doubt", "rows", "columns", "level"):
        assert word in said


def test_of_twelve_levels_nine_and_the_chosen_one_are_told(show):
    nb, frame = many(classes=2, columns=2, levels=12)
    told = facts(nb, frame)
    opened = show(render(told))
    row = opened.page.locator('#nomogram [role=slider][data-column="0"]')
    assert row.locator("circle.level").count() == 9
    assert row.locator("text", has_text="3 more that move less").count() == 1
    names = row.locator("text").all_text_contents()
    hidden = next(level for level in told["columns"][0]["levels"] if level not in names)
    opened.page.locator("#field-0").select_option(label=hidden)
    assert hidden in row.locator("text").all_text_contents()
    assert row.locator("circle.level").count() == 9


def test_only_what_tells_of_a_change_is_drawn_again(show):
    nb, frame = mixed()
    opened = show(render(facts(nb, frame)))
    opened.page.evaluate("for (const id of ['ask', 'nomogram', 'learnt', 'trust'])"
                         " document.querySelector(`#${id} svg`).dataset.before = id")  # fmt: skip
    opened.page.locator("#ask select").first.select_option(index=1)
    left = opened.page.evaluate("[...document.querySelectorAll('svg[data-before]')].map((one) => one.dataset.before)")
    assert left == ["learnt", "trust"]
    opened.page.set_viewport_size({"width": 700, "height": 900})
    wait_for(opened.page, "svg[data-before]", 0)
    assert opened.trouble == []


def test_folded_fields_are_made_when_they_are_wanted(show):
    nb, _ = many()
    opened = show(render(facts(nb)), address="#sign%200=level%201")
    fields = opened.page.locator(".form .field")
    assert fields.count() == 9
    opened.page.locator(".form summary").click()
    wait_for(opened.page, ".form .field", 12)
    assert fields.last.locator("select option").count() == 6
    opened.page.reload()
    column = opened.page.locator(".next button").first.text_content()
    opened.page.locator(".next button").first.click()
    name = opened.page.evaluate("document.querySelector(`label[for='${document.activeElement.id}']`).textContent")
    assert name == column
    assert opened.trouble == []


def test_tab_reaches_every_control(show):
    nb, frame = tables()
    opened = show(render(facts(nb, frame)))
    reachable = opened.page.evaluate(
        "[...document.querySelectorAll('a, button, input, select, summary, [tabindex]')]"
        ".filter(e => e.checkVisibility()).every(e => e.tabIndex >= 0)"
    )
    assert reachable
    opened.page.locator("#learnt [role=option]").nth(1).focus()
    opened.page.keyboard.press("Enter")
    assert opened.page.locator("#learnt [role=option]").nth(1).get_attribute("aria-selected") == "true"


HOSTILE = "</script><img src=x onerror=alert(1)><script>alert(2)</script>"


def test_hostile_names_do_nothing(show):
    frame = passengers()
    frame.columns = [HOSTILE + name for name in frame.columns]
    sex, fate = f"{HOSTILE}sex", f"{HOSTILE}fate"
    frame[sex] = [f"{HOSTILE}{cell}" for cell in frame[sex]]
    frame[fate] = [f"{HOSTILE}{cell}" for cell in frame[fate]]
    nb = NaiveBayes().fit(frame, fate)
    opened = show(render(facts(nb, frame, title=HOSTILE)))
    assert opened.trouble == []
    assert opened.page.locator("img").count() == 0
    assert HOSTILE in opened.page.locator("h1").text_content()


def test_an_injected_script_is_refused(show):
    nb, _ = tables()
    opened = show(render(facts(nb)))
    opened.page.evaluate("() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1';"
                         " document.body.append(s); }")  # fmt: skip
    assert opened.page.evaluate("window.bad") is None
    assert any("Content Security Policy" in one for one in opened.trouble)


WAYS = [(400, "dark"), (1280, "light"), (400, "light"), (1280, "dark")]


@pytest.mark.parametrize(
    ("made", "width", "scheme"),
    [(made, *way) for made, ways in ((mixed, WAYS), (many, WAYS[:2]), (since, WAYS[:2])) for way in ways],
)
def test_axe_finds_no_violation(show, made, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe-playwright-python is not installed")
    opened = show(render(facts(*made())), width, scheme)
    opened.page.get_by_role("button", name="Example").click()
    opened.page.evaluate(axe.AXE_FILE_PATH.read_text("utf-8"))
    found = opened.page.evaluate("axe.run()")
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found["violations"]] == []


def test_printing_hides_the_form_and_opens_what_is_folded(show):
    nb, frame = mixed()
    opened = show(render(facts(nb, frame)), scheme="dark")
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("nav").is_visible()
    assert not opened.page.locator(".form").is_visible()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.evaluate("[...document.querySelectorAll('details')].every(d => d.open)")
    ground = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    assert opened.page.locator(".next button").first.is_visible()
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not opened.page.locator("details[open]").count()


@pytest.mark.parametrize("n_classes", [2, 19])
def test_nothing_is_cut_off_on_paper(show, n_classes):
    rng = np.random.default_rng(0)
    y = np.array([f"a long name of a disease, the {c}th" for c in rng.integers(0, n_classes, 600)])
    frame = pd.DataFrame({f"sign {j}": rng.choice(["absent", "above-secnde", "below-soil"], 600) for j in range(12)})
    opened = show(render(facts(NaiveBayes().fit(frame, y), (frame, y))), width=718)  # A4 less its margins
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wide = "[...document.querySelectorAll('table, svg')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
    assert opened.page.evaluate(f"{wide}.map(e => e.outerHTML.slice(0, 80))") == []


@pytest.mark.parametrize("width", [718, 900, 1200])
def test_long_names_stay_within_the_evidence(show, width):
    rng = np.random.default_rng(0)
    y = rng.choice(["yes", "no"], 400)
    long = {
        f"marital-status & occupation {j}": np.where(y == "yes", "Married-civ-spouse", "Adm-clerical") for j in (1, 2)
    }
    nb = NaiveBayes().fit(pd.DataFrame(long), y)
    opened = show(render(facts(nb)), width=width)
    for j in range(len(long)):
        opened.page.locator(f"#field-{j}").select_option("Married-civ-spouse")
    starts = opened.page.evaluate("[...document.querySelectorAll('.step text')].map(text => text.getBBox().x)")
    assert len(starts) >= 2
    assert min(starts) >= 0


def test_nothing_drawn_is_taller_than_a_sheet(show):
    rng = np.random.default_rng(0)
    y = rng.choice(["yes", "no"], 400)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=400) + (y == "yes") for j in range(9)})
    opened = show(render(facts(NaiveBayes(distributions="kde").fit(frame, y))), width=718)
    opened.page.emulate_media(media="print")
    heights = opened.page.evaluate(
        "[...document.querySelectorAll('svg')].map(one => one.getBoundingClientRect().height)"
    )
    assert max(heights) <= 200 * 96 / 25.4 + 1


def test_without_a_script_the_verdict_and_the_tables_are_there(show):
    nb, frame = mixed()
    opened = show(render(facts(nb, frame)), java_script_enabled=False)
    text = opened.page.locator("body").inner_text()
    assert "It names the right class for" in text
    assert "Columns by evidence" in text
    assert "said survived" in text
    assert opened.page.locator("#ask .plain").is_visible()


def test_a_page_of_packed_tables_scores_as_the_library_does(show):
    nb, frame = many(classes=40, columns=250, levels=80, n=2000)
    told = facts(nb)
    html = render(told, columns=250)
    assert len(json.dumps(told)) > 1 << 20 > len(html)
    opened = show(html)
    rows = partial_rows(frame, 20)
    assert np.abs(scored(opened, told, rows) - nb.predict_proba(rows)).max() < 1e-9
    assert opened.trouble == []


def test_a_page_of_five_megabytes_is_drawn_within_three_seconds_of_the_processor(browser, tmp_path):
    nb, _ = many(classes=50, columns=2, levels=100, n=6000)
    told = facts(nb)
    rng = np.random.default_rng(0)
    one = told["columns"][0]
    told["columns"] = [
        {**one, "name": f"sign {j}", "position": j, "weights": (1 + rng.poisson(60, (50, 100))).tolist()}
        for j in range(1000)
    ]
    file = tmp_path / "large.html"
    file.write_text(render(told, columns=1000), encoding="utf-8")
    assert 4_500_000 < file.stat().st_size < 6_000_000
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # what others do on the machine is not counted
    page.goto(file.as_uri())
    wait_for(page, READY)
    spent = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    page.close()
    assert 0 < spent["ThreadTime"] < 3


@pytest.mark.parametrize("learnt_both", [True, False])
def test_where_one_class_is_all_that_there_is_nothing_is_told_apart(show, learnt_both):
    frame = passengers()
    died = frame[frame["fate"] == "died"]
    nb = NaiveBayes().fit(frame if learnt_both else died, "fate")
    opened = show(render(facts(nb, died)))
    assert opened.page.locator("#ask").count() == opened.page.locator("#nomogram").count() == learnt_both
    assert opened.page.locator("#trust svg[aria-label^=ROC]").count() == 0
    assert "to tell apart; here are only the one or the other" in opened.page.locator("#trust").text_content()
    assert opened.trouble == []


def test_facts_without_additive_evidence_make_a_page_without_questions(show):
    frame = passengers()
    nb = NaiveBayes(combination="sum").fit(frame, "fate")
    opened = show(render(facts(nb, frame)))
    assert opened.page.locator("#ask").count() == 0
    assert "adds probabilities" in opened.page.locator("#about").inner_text()
    assert opened.trouble == []


def test_an_average_of_models_tells_no_columns_and_has_no_section_of_them(show):
    frame = passengers()
    opened = show(render(facts(AveragedOneDependence().fit(frame, "fate"), frame)))
    assert opened.page.locator("#learnt").count() == 0
    assert opened.page.locator("#trust svg").count() > 0
    assert "No column speaks for itself" in opened.page.locator("#about").inner_text()
    assert opened.trouble == []


def test_documents_are_told_by_words_and_what_their_factors_mean(show):
    texts, labels = ["good film", "bad film", "good plot", "bad plot indeed"] * 10, ["good", "bad"] * 20
    opened = show(render(facts(TextNB().fit(texts, labels), (texts, labels))), 390)
    assert opened.page.locator("#learnt h3").inner_text().startswith("The text")
    assert "among others it may do more or less" in opened.page.locator("#learnt").inner_text()
    assert opened.trouble == []


def test_the_data_is_json_that_a_script_element_holds():
    nb, frame = mixed()
    html = render(facts(nb, frame))
    data = html.partition('id="facts">')[2].partition("</script>")[0]
    assert json.loads(data)["classes"] == ["died", "survived"]
    assert "<" not in data
