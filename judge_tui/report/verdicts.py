"""Verdicts as a reader sees them: which of them mean good and bad for the run."""

from __future__ import annotations

from judge_tui.report.layout import Cell, Tone, Toned

__all__ = ["tone_of", "toned"]

_TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}


def tone_of(verdict: str | None) -> Tone | None:
    """What a verdict means for the run; None where it says nothing, or there is none."""
    return None if verdict is None else _TONES.get(verdict)


def toned(verdict: str) -> Cell:
    """The verdict in a cell, in its tone."""
    shown, tone = str(verdict), tone_of(verdict)
    return shown if tone is None else Toned(shown, tone)
