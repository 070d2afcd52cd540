"""judge_tui: relevance judging, agreement and evaluation of search systems in one terminal app.

What the commands do is here as functions. `score` says what runs are worth:

>>> import judge_tui
>>> scores = judge_tui.score({"q1": {"d1": 1}}, {"q1": {"d1": 0.7, "d2": 0.9}}, ["RR", "P@1"])
>>> scores["run"].mean("RR")
0.5

Qrels and runs may be files, mappings like these, data frames or rows. `compare` says whether a run
is better than a baseline or only luckier, by qrels or by values that were measured elsewhere
(`read_values`); `agree` how far judges agree, given judge -> pair -> grade and the whole scale:

>>> ann = {("q1", "d1"): 2, ("q1", "d2"): 0, ("q2", "d1"): 1, ("q2", "d3"): 0}
>>> bob = {("q1", "d1"): 2, ("q1", "d2"): 0, ("q2", "d1"): 0, ("q2", "d3"): 0}
>>> agreement = judge_tui.agree({"ann": ann, "bob": bob}, scale=(0, 1, 2))
>>> agreement.between[0].estimates["agreement"].value
0.75

`open_campaign` opens a campaign file. `score` and `compare` take it in place of qrels, and then
tags in place of runs, or nothing for all of them; `grades_by_judge` has what `agree` takes:

>>> from judge_tui.campaign.overview.grading import grades_by_judge
>>> with judge_tui.open_campaign("campaign.db") as campaign:  # doctest: +SKIP
...     scores = judge_tui.score(campaign, measures="nDCG@10")
...     result = judge_tui.compare(campaign, ["bm25", "dense"])
...     agreement = judge_tui.agree(grades_by_judge(campaign), campaign.settings.scale.grades)

What else a campaign holds is read and written by the functions of `judge_tui.campaign`.

Everything that can go wrong for a reason of the user's is a `judge_tui.errors.JudgeTuiError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui import errors
    from judge_tui.agreement.study import agree
    from judge_tui.api import compare, parse_measure, score
    from judge_tui.campaign import open_campaign
    from judge_tui.evaluation.values import read_values

__all__ = [
    "__version__",
    "agree",
    "compare",
    "errors",
    "open_campaign",
    "parse_measure",
    "read_values",
    "score",
]

# name -> the module that has it, imported on use: scoring pays for no SQL. What is not here is a
# module itself.
_FROM = {
    "agree": "judge_tui.agreement.study",
    "compare": "judge_tui.api",
    "open_campaign": "judge_tui.campaign",
    "parse_measure": "judge_tui.api",
    "read_values": "judge_tui.evaluation.values",
    "score": "judge_tui.api",
}


def __getattr__(name: str) -> Any:
    if name in __all__:
        import importlib  # noqa: PLC0415 - on use, as all else here

        if name not in _FROM:
            return importlib.import_module(f"judge_tui.{name}")
        return getattr(importlib.import_module(_FROM[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
