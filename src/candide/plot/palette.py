"""Colours by role: the class asked about, its rival, the rest, and what to beware of."""

from __future__ import annotations

ASKED, RIVAL, REST, BEWARE = "#0b63a5", "#b94700", "#6b7280", "#a3155f"
"""Blue and orange stay apart under any colour blindness; a place or a sign carries the rest."""
INK, MUTED, LINE = "#1b1f24", "#596170", "#dfe2e6"
