"""Run the notebooks of this folder and keep what they print, as text: python -m docs.notebooks.execute."""

from __future__ import annotations

import ast
import json
from pathlib import Path

FOLDER = Path(__file__).parent


def printed(source, names):
    """Return what a cell prints, and behind it the value of its last expression, as a notebook shows them."""
    lines = []
    *before, last = ast.parse(source).body
    is_value = isinstance(last, ast.Expr)
    names["print"] = lambda *values: lines.append(" ".join(map(str, values)))
    exec(compile(ast.Module(before if is_value else [*before, last], []), "<cell>", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if is_value else None
    return "\n".join([*lines, *([] if value is None else [repr(value)])])


def executed(notebook):
    """Return a notebook with the outputs that its cells have, run one behind the other."""
    names: dict = {}
    for n, cell in enumerate(cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        text = printed("".join(cell["source"]), names)
        cell["execution_count"] = n + 1
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}] * bool(
            text
        )
    return notebook


def main():
    """Write every notebook anew."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
