"""Refusals: what cannot be answered, in a sentence and with the status that says whose fault it is."""

from __future__ import annotations

BAD_REQUEST, NOT_FOUND, NO_SUCH_METHOD, TIMEOUT, TOO_LARGE, MISDIRECTED, UNFIT = 400, 404, 405, 408, 413, 421, 422


class Refusal(Exception):  # noqa: N818  # the request's error, not ours
    """A request that is not answered.

    Parameters
    ----------
    status : int
    sentence : str
    column : str or None
        The column that is at fault.
    allow : str or None
        The method that the route does answer.
    """

    def __init__(self, status: int, sentence: str, column: str | None = None, allow: str | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.column = column
        self.allow = allow
