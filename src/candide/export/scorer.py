"""The scorer: what of a model another system needs, which is its prior and its attributes in tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.combination import Combination, Product
from candide.distributions.forms import Cases, Curve, Form, Lookup, Steps
from candide.distributions.pair_tables import PairTables
from candide.frozen import frozen
from candide.model.model import Model

Array = np.ndarray[Any, Any]


@frozen
class TableScorer:
    """log P(c) + Σ_i form_i(x_i), up to what all classes share.

    Parameters
    ----------
    names : list of str
        The columns.
    classes : list
        The labels, as Python values.
    log_prior : ndarray (K,)
    forms : list of Form
    """

    names: list[str]
    classes: list[Any]
    log_prior: Array
    forms: list[Form]

    @property
    def used(self) -> list[int]:
        """The columns that some form reads, in their order."""
        return sorted({j for form in self.forms for j in form.columns})

    def numeric(self, j: int) -> bool:
        """Whether a column is read as numbers."""
        return any(
            not isinstance(form, Lookup) or (bool(form.cuts) and form.cuts[form.columns.index(j)] is not None)
            for form in self.forms
            if j in form.columns
        )

    def textual(self, j: int) -> bool:
        """Whether a column is read as text: its levels are."""
        return not self.numeric(j) and all(isinstance(level, str) for level in self.levels(j))

    def levels(self, j: int) -> list[Any]:
        """Return the levels that a column's cells are compared with, each once."""
        out: dict[Any, None] = {}
        for form in self.forms:
            if isinstance(form, Lookup) and j in form.columns:
                at = form.columns.index(j)
                cells = form.entries[0]
                found = cells if not form.cuts else [level[at] for level in cells]
                if form.cuts and form.cuts[at] is not None:
                    continue
                out.update(dict.fromkeys(cell for cell in found if cell is not None))
        return list(out)


def scorer_of(model: Model, rule: Combination, target: str, missing: str, unseen: str, sampled: bool) -> TableScorer:
    """Return a model's scorer, or say which column cannot be told.

    Parameters
    ----------
    model : Model
    rule : Combination
    target : str
        What is to be written, for messages.
    missing, unseen : str
        What the classifier does with missing cells and with unseen levels.
    sampled : bool
        Whether densities without a formula are told by sampled curves.
    """
    if not isinstance(rule, Product):
        raise ValueError(f"{target} tells the product of probabilities, not {rule!r}: use combination='product'")
    if unseen != "ignore":
        raise ValueError(f"{target} cannot refuse a row: set unseen='ignore' first")
    forms = [form_for(model, i, target, missing, sampled) for i in range(len(model.attributes))]
    names = [str(name) for name in model.names]
    return TableScorer(names, model.classes.tolist(), model.log_prior, [form for form in forms if speaks(form)])


def form_for(model: Model, attribute: int, target: str, missing: str, sampled: bool) -> Form:
    """Return the form of one attribute, or refuse it by name."""
    block, i = model.attributes[attribute]
    name = block.names[i]
    try:
        form = block.form(i)
    except ValueError as error:
        raise ValueError(f"column {name!r} cannot be written as {target}: {error}") from None
    if isinstance(form, Curve) and not sampled:
        raise ValueError(
            f"column {name!r} cannot be written as {target}: its density has no formula there; give it another "
            f"distribution, or sampled=True for straight lines between {len(form.knots)} points"
        )
    if isinstance(form, Cases):
        raise ValueError(f"column {name!r} cannot be written as {target}: it is a density within combinations")
    if len(form.columns) == 1 or isinstance(block, PairTables):
        return form
    if missing == "level" or not isinstance(form, Lookup):
        raise ValueError(
            f"column {name!r} cannot be written as {target}: columns are joined in it, and missing cells are levels; "
            "use missing='ignore'"
        )
    if not form.domains:
        raise ValueError(f"column {name!r} cannot be written as {target}: it joins too many columns")
    return form


def domain_of(form: Lookup, at: int) -> list[Any]:
    """Return the levels of a column of a joined attribute: all it may have, or those that are listed."""
    if form.domains:
        domain = form.domains[at]
        assert domain is not None
        return list(domain.tolist())
    return list(dict.fromkeys(level[at] for level in form.entries[0] if level[at] is not None))


def speaks(form: Form) -> bool:
    """Whether an attribute adds anything at all."""
    return not isinstance(form, Steps) or bool(form.table.any() or np.any(form.missing))
