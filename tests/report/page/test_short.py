"""A script that is written short does the same, and no page has a longer one than it may."""

from __future__ import annotations

from importlib.resources import files

import pytest

from candide.report.page.script import joined, part
from candide.report.page.short import renamed, short, tokens

MOST_BYTES = 50_000

PARTS = (
    *("numbers", "model", "draw", "state", "ask", "outside", "nomogram", "nomogram_densities", "learnt", "densities"),
    *("trust", "line", "mistakes", "drift", "main"),
)
BROWSER = set(
    """Array Blob Boolean Date DecompressionStream Float64Array Infinity JSON Map Math Number Object Response SVGElement
    String Uint16Array Uint32Array Uint8Array addEventListener atob decodeURIComponent document encodeURIComponent
    fetch history innerWidth isFinite location window""".split()  # noqa: SIM905
)
"""Names of the browser's."""


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("const a_b = 1;\n\nif (x) { go(); }\nelse stop();", "let a=1;if(x){go()}\nelse stop();"),
        ("const show = (point) => point.show;", "let show=a=>a.show;"),
        ("const size = 2, other = { size };", "let size=2,a={size};"),
        ("const name = `name ${ { a: name }.a } ${[name]} name`;", "let b=`name ${{a:b}.a} ${[b]} name`;"),
        ('const say = "say // say";  // say', 'let a="say // say";'),
        ("const list = [...list, list - -1, +list + +list, 1e-9];", "let a=[...a,a- -1,+a+ +a,1e-9];"),
        ("const cut = (text) => text.replace(/text \\/(/g, text);", "let b=a=>a.replace(/text \\/(/g,a);"),
        ("const [first, second] = both; show(first, second);", "let[first,second]=both;show(first,second);"),
        (
            "const go = () => { const { key } = of(), other = 2; return other; };",
            "let b=()=>{let{key}=of(),a=2;return a};",
        ),
        ("const go = async (one) => one; for (let i = 0; i < 3; i++) go(i);", None),
        ("const of = ({ key, other: named = 1 }, ...more) => [key, named, more];", None),
    ],
)
def test_what_is_written_short(script, wanted):
    found = short(script)
    assert len(found) < len(script)
    if wanted is not None:
        assert found == wanted
    else:
        assert list(tokens(short(found))) == list(tokens(found))  # nothing is left to be done, and it is read again


def test_a_parameter_that_comes_by_its_name_keeps_it():
    assert short("const take = ({ key }) => key;") == "let a=({key})=>key;"
    assert short("const go = async (one) => one;") == "let b=async(a)=>a;"


@pytest.mark.parametrize("other", ["line", "mistakes"])  # of more than two classes, or of two
def test_no_page_has_a_longer_script(other):
    script = joined(tuple(name for name in PARTS if name != other), packed=True)
    assert 45_000 < len(script.encode()) <= MOST_BYTES


def test_the_parts_are_those_that_there_are():
    found = {
        path.name.removesuffix(".js") for path in files("candide.report.page").iterdir() if path.name[-3:] == ".js"
    }
    assert found == {*PARTS, "unpack"}


def test_no_name_of_the_scripts_own_is_the_browsers():
    before = [token for name in (*PARTS, "unpack") for token in tokens(part(f"{name}.js"))]
    after = list(tokens(joined(PARTS, packed=True)))
    assert len(renamed([*before, ";"])) > 200
    for name in BROWSER:
        extra = {"JSON": 1, "document": 1}.get(name, 0)  # where the facts are read
        assert after.count(name) == before.count(name) + extra
        assert name in before
