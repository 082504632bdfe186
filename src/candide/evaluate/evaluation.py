"""An evaluation: the scores of models as a frame, and how each of them does, for looking at."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

JUDGE_ANEW = "which flatters: cross_validate settles them anew"
"""What is said of weights that are kept."""


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
    flattered : collection of str
        Models that keep weights which were settled on the rows they are judged by: it is said of them.

    Attributes
    ----------
    frame : pandas.DataFrame
        The scores.
    """

    def __init__(
        self,
        frame: Any,
        performances: dict[str, Any],
        classes: list[str],
        how: str = "leave-one-out",
        flattered: Collection[str] = (),
    ) -> None:
        self.frame = frame
        self.performances = performances
        self.classes = classes
        self.how = how
        self.flattered = flattered

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
        said = (f"{name}: weights that were settled on these rows are kept, {JUDGE_ANEW}" for name in self.flattered)
        return "\n".join([repr(self.frame), *said])

    def _repr_html_(self) -> str:
        from candide.report.notebook import performance_html
        from candide.report.plain import plain
        from candide.report.tags import bold, paragraph

        shown = []
        for name, found in self.performances.items():
            title = paragraph(bold(name)) if len(self.performances) > 1 else ""
            told = plain(found)
            asked = min(range(2), key=lambda c: sum(told["confusion"][c])) if len(self.classes) == 2 else None
            how = f"{self.how}, weights kept, {JUDGE_ANEW}" if name in self.flattered else self.how
            shown.append(title + performance_html(told, self.classes, asked, how))
        return "".join(shown)
