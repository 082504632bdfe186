"""pandas, fetched where it is needed: evaluation and data sets speak in its frames, learning does not."""

from __future__ import annotations

from typing import Any

from candide.messages import need


def import_pandas() -> Any:
    """Return the pandas module, or say what to install."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(need("data sets and evaluation", "evaluate")) from error
    return pd
