"""judge_tui: relevance judging, agreement and evaluation of search systems in one terminal app.

>>> import judge_tui
>>> scores = judge_tui.score({"q1": {"d1": 1}}, {"q1": {"d1": 0.7, "d2": 0.9}}, ["RR", "P@1"])
>>> scores["run"].mean("RR")
0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.api import compare, parse_measure, score

__all__ = ["__version__", "compare", "parse_measure", "score"]


def __getattr__(name: str) -> Any:
    # On use, so that a command pays only for what it needs.
    if name in __all__:
        from judge_tui import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
