"""Reports: one source, two renderings that carry the same words and numbers."""

from html.parser import HTMLParser

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from candide.report.document import (
    bullets,
    figure,
    footer,
    heading,
    number,
    paragraph,
    percent,
    table,
    to_html,
    to_markdown,
)

REPORT = {
    "title": "A <report>",
    "blocks": [
        heading("Part & parcel"),
        paragraph("Plain words, 1 < 2."),
        bullets(["first", "second"]),
        table(["set", "a|b", "c"], [["iris", "1.0", "∞"], ["new thyroid", "22.5", "–"]]),
        figure("A picture", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ],
}


def test_markdown_tables_are_aligned_and_pictures_stand_at_the_end():
    text = to_markdown(REPORT)
    assert "| set         | a\\|b |   c |\n| ----------- | ---: | --: |\n| iris        |  1.0 |   ∞ |\n" in text
    assert "- first\n- second\n" in text
    assert "![A picture][figure-1]" in text
    assert text.splitlines()[-1].startswith("[figure-1]: data:image/svg+xml;base64,")


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.words, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_is_whole_escaped_and_needs_nothing_from_outside():
    page = _Page()
    page.feed(to_html(REPORT))
    assert page.tags.count("tr") == 3
    assert page.tags.count("li") == 2
    assert {"A <report>", "Part & parcel", "Plain words, 1 <\u202f2.", "a|b", "∞"} <= set(page.words)
    assert all(link.startswith("data:") for link in page.links)
    assert len(page.links) == 1


@pytest.mark.parametrize(("value", "text"), [(0.70784, "70.78"), (float("nan"), "–")])
def test_shares_are_shown_in_per_cent(value, text):
    assert percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(12.345, "12.3"), (float("inf"), "∞"), (-float("inf"), "−∞"), (float("nan"), "–")]
)
def test_numbers_show_what_is_not_a_number(value, text):
    assert number(value) == text


INLINE = ("*a*", "__b__", "_c_", "`d`", "[e](f)", "![g](h)", "<b>i</b>", "&amp;", "&#35;", "~~j~~", "$k$", "a|b")
STARTS = ("#", "##", "-", "+", "*", "---", "===", ">", "1.", "2)", "#x", "1.5", "-0.5", ":")
WORDS = st.sampled_from([*INLINE, *STARTS, "x", "é", "12", "log_score", "\\", "\\*"])
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join) | st.text(
    st.characters(min_codepoint=32, max_codepoint=126), min_size=1
)


def read_markdown(text: str) -> list[str]:
    """Return the text of every block as a reader of Markdown shows it; whatever is not plain text is named."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    inlines = [token for token in tokens if token.children]
    return ["".join(t.content if t.type == "text" else f"<{t.type}>" for t in token.children) for token in inlines]


@given(TEXTS)
def test_markdown_shows_every_text_as_it_is(text):
    shown = " ".join(text.split())
    assume(shown)
    blocks = [heading(text), paragraph(text), bullets([text, text]), table([text, "b"], [[text, text]])]
    assert read_markdown(to_markdown({"title": text, "blocks": blocks})) == [*[shown] * 6, "b", shown, shown]


def test_prose_is_set_to_the_left_and_the_footer_stands_at_the_end():
    claims = table(["where", "says"], [["Table 1", "ten"]], prose=True)
    report = {"title": "Claims", "blocks": [claims, footer(["The paper: A & B.", "This report: seed 0."])]}
    text, page = to_markdown(report), to_html(report)
    assert "| where   | says |\n| ------- | ---- |\n| Table 1 | ten  |\n" in text
    assert text.rstrip().endswith("This report: seed 0.")
    assert '<table class="prose">' in page
    assert "<footer>The paper: A &amp; B.<br>\nThis report: seed 0.</footer>" in page


def test_a_printed_page_cuts_nothing_and_stays_light():
    page = to_html(REPORT)
    assert "@media print" in page
    assert "color-scheme: light" in page
    assert "overflow" not in page
