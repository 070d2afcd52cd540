"""Keys that ask the results otherwise: whose grades count, what stands for those that are missing,
and whether a model makes means more exact. The campaign's own settings stay as they are.

Each function returns the question to ask from now on, and what the screen says of it. Of grades of
models that count, that fill, and that make means more exact, there is one at a time.
"""

from __future__ import annotations

from dataclasses import replace

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.findings import Findings
from judge_tui.campaign.overview.grading import models_count
from judge_tui.model import STAND_INS
from judge_tui.scoring.filled import refuse_unfilled


def count_models(campaign: Campaign, question: Question) -> tuple[Question, str]:
    """Count the grades of models, or do not any more."""
    counted = not models_count(campaign, question.include_models)
    if counted:
        unjudged = question.unjudged if question.unjudged in STAND_INS else "zero"
        question = replace(question, unjudged=unjudged, with_model="")
    how = "counted" if counted else "not counted"
    sentence = f"models {how} here; the campaign's setting stays"
    return replace(question, include_models=counted), sentence


def fill_unjudged(findings: Findings | None, question: Question) -> tuple[Question, str]:
    """Fill measures with the gains expected of unjudged results, by what else was judged or by the
    next model, or count these as 0 again. Raises `UsageError` for measures that have no value
    then."""
    models = findings.filling_models if findings else ()
    after = _next([*STAND_INS, *models], question.unjudged)
    if findings is not None and after != "zero":
        refuse_unfilled(findings.basis.measures)
    by = "" if after in STAND_INS else f" by {after}"
    expected = f"what is expected of them{by}: read differences alone"
    how = "0 again" if after == "zero" else expected
    question = replace(question, unjudged=after, with_model="")
    return question, f"unjudged results count as {how}"


def estimate_with(findings: Findings | None, question: Question) -> tuple[Question, str]:
    """Make means and differences more exact by the next model, or by none again."""
    models = findings.estimating_models if findings else ()
    after = _next(["", *models], question.with_model)
    sentence = "no model judged what people judged, and queries that they did not"
    if after:
        question = replace(question, unjudged="zero")
        sentence = f"means and differences with {after} stand beside those of people"
    elif question.with_model:
        sentence = "means and differences of people alone again"
    return replace(question, with_model=after), sentence


def _next(names: list[str], name: str) -> str:
    """The one behind it, the first behind the last and behind one that is not among them."""
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
