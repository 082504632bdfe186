"""An evaluation: the scores of models as a frame, and how each of them does, for looking at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Evaluation:
    """Scores of models, one row each; it does what its frame does.

    Parameters
    ----------
    frame : pandas.DataFrame
    performances : dict of str to dict
        How each model does, of `candide.evaluate.performance`.
    classes : list of str
    how : str
        How rows were scored.

    Attributes
    ----------
    frame : pandas.DataFrame
        The scores.
    """

    def __init__(
        self, frame: Any, performances: dict[str, Any], classes: list[str], how: str = "leave-one-out"
    ) -> None:
        self.frame = frame
        self.performances = performances
        self.classes = classes
        self.how = how

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "frame":
            raise AttributeError(name)
        return getattr(self.frame, name)

    def __getitem__(self, key: Any) -> Any:
        return self.frame[key]

    def __len__(self) -> int:
        return len(self.frame)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.frame)

    def __repr__(self) -> str:
        return repr(self.frame)

    def _repr_html_(self) -> str:
        from candide.report.notebook import performance_html
        from candide.report.plain import plain
        from candide.report.tags import bold, paragraph

        shown = []
        for name, found in self.performances.items():
            title = paragraph(bold(name)) if len(self.performances) > 1 else ""
            told = plain(found)
            asked = min(range(2), key=lambda c: sum(told["confusion"][c])) if len(self.classes) == 2 else None
            shown.append(title + performance_html(told, self.classes, asked, self.how))
        return "".join(shown)
