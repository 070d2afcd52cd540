"""The screens that are kept as pictures, and the keys that lead there."""

from __future__ import annotations

from tests.tui.snapshots.drawing import Scene

__all__ = ["SCENES"]

# ann goes on at the essay, with four more documents of the query to judge.
SCENES = [
    Scene("home", (), judge=None),
    Scene("prose", ()),
    Scene("markdown", ("tab",)),
    Scene("html", ("tab", "tab")),
    Scene("code", ("tab", "tab", "tab")),
    Scene("no-text", ("tab", "tab", "tab", "tab")),
    Scene("graded", ("3",)),
    Scene("help", ("question_mark",)),
    Scene("guidelines", ("i",)),
    Scene("jump", ("o",)),
    Scene("comment", ("c", "h", "m")),
    Scene("statistics", ("t",)),
    Scene("flagged", ("F",)),
    Scene("find", ("slash", "w", "o", "r", "d", "enter", "n")),
    Scene("raw", ("tab", "tab", "v")),
    Scene("light", (), theme="textual-light"),
    Scene("ansi", (), theme="ansi-dark"),
    Scene("review", (), lead="lea"),
    Scene("review-settled", ("1", "left_square_bracket"), lead="lea"),
    Scene("review-case", ("r", "e"), lead="lea"),
    Scene("review-filter", ("F",), lead="lea"),
    Scene("review-flagged", ("F", "f", "l", "a", "g", "enter"), lead="lea"),
    Scene("review-confusion", ("M",), lead="lea"),
    Scene("review-agreement", ("a",), lead="lea"),
    Scene("review-by-query", ("p",), lead="lea"),
    Scene("review-light", (), lead="lea", theme="textual-light"),
    Scene("review-ansi", (), lead="lea", theme="ansi-dark"),
    Scene("results", (), results=True),
    Scene("results-deltas", ("G", "enter"), results=True),
    Scene("results-values", ("j", "enter"), results=True),
    Scene("results-ranking", ("j", "enter", "j", "enter", "j"), results=True),
    Scene("results-rankings", ("G", "enter", "j", "enter", "j"), results=True),
    Scene("results-failures", ("2",), results=True),
    Scene("results-ranks", ("3",), results=True),
    Scene("results-slices", ("4", "j"), results=True),
    Scene("results-slice", ("4", *"jjjjjj", "enter"), results=True),
    Scene("results-documents", ("4", "left_square_bracket"), results=True),
    Scene("results-disagreements", ("5",), results=True),
    Scene("results-export", ("5", "e"), results=True),
    Scene("results-warnings", ("w",), results=True),
    Scene("results-help", ("question_mark",), results=True),
    Scene("results-light", ("G", "enter"), results=True, theme="textual-light"),
    Scene("results-ansi", ("G", "enter", "enter"), results=True, theme="ansi-dark"),
]
