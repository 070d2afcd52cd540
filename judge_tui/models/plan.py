"""What a model is to be asked: the pairs that are open for it, then some documents once more, with
something planted to fool it."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from typing import NamedTuple

from judge_tui.campaign.overview.grading import decide_judgments, first_grades
from judge_tui.campaign.store.model_answers import (
    AskedModel,
    Only,
    OpenPair,
    answered_pairs,
    count_answers,
    pairs_for_models,
    pairs_graded_below,
)
from judge_tui.campaign.store.pool import refuse_empty_pool
from judge_tui.errors import UsageError
from judge_tui.models.candidate import Candidate, ModelQuestion
from judge_tui.models.cost import NOTHING, ExpectedTokens, expected_tokens
from judge_tui.models.probes import PROBES
from judge_tui.pooling.order import drawn


class AskPlan(NamedTuple):
    """What is to be asked: `questions`, by query; how many more the `judge` has answered before,
    None where it has not judged; how many pairs have no text, about which nothing can be asked; and
    the tokens that it will take."""

    judge: AskedModel | None
    questions: list[ModelQuestion]
    answered: int
    without_text: int
    expected: ExpectedTokens


def plan_pairs(
    candidate: Candidate,
    *,
    only: Only = "all",
    limit: int | None = None,
    judge: AskedModel | None = None,
) -> AskPlan:
    """What a model is to be asked now, at most `limit` pairs, the first ones of an order that is
    drawn; `judge`: who it is, where that is known. Raises `UsageError` where there is no pair of
    that kind at all."""
    campaign = candidate.campaign
    refuse_empty_pool(campaign)
    every = pairs_for_models(campaign, only)
    if only == "sample" and not every:
        raise UsageError(
            "no pair of the pool was drawn at random", "draw some with pool --audit, or --only all"
        )
    judge = judge or candidate.latest_judge()
    answered = answered_pairs(campaign, judge.key) if judge else frozenset[int]()
    left = [one for one in every if one.key not in answered]
    pairs = [one for one in left if one.chars is not None]
    if limit is not None:
        pairs = sorted(_draw(candidate, pairs, limit, "limit"), key=_by_query)
    questions = [ModelQuestion(one) for one in pairs]
    return AskPlan(
        judge,
        questions,
        len(every) - len(left),
        sum(one.chars is None for one in left),
        _expected(candidate, questions, judge),
    )


def plan_probes(candidate: Candidate, judge: AskedModel | None, most: int) -> AskPlan:
    """What a judge, None where nobody has judged, is to be asked with each of `PROBES` planted.

    `most` documents for each, those asked before among them, drawn from those to which people give
    the least grade of the scale and the judge less than the greatest, so that it can be fooled.
    """
    if judge is None:
        return AskPlan(None, [], 0, 0, ExpectedTokens(NOTHING, at_most=True))
    campaign, answered = candidate.campaign, 0
    questions: list[ModelQuestion] = []
    with campaign.reading():
        pairs = _that_can_fool(candidate, judge)
        for probe in PROBES:
            before = answered_pairs(campaign, judge.key, probe)
            left = [one for one in pairs if one.key not in before]
            wanted = _draw(candidate, left, most - len(before), probe)
            questions += [ModelQuestion(one, probe) for one in wanted]
            answered += len(before)
    questions.sort(key=lambda one: _by_query(one.pair))
    return AskPlan(judge, questions, answered, 0, _expected(candidate, questions, judge))


def _that_can_fool(candidate: Candidate, judge: AskedModel) -> list[OpenPair]:
    campaign, grades = candidate.campaign, candidate.prompt.scale.grades
    final = decide_judgments(campaign, first_grades(campaign, include_models=False))
    irrelevant = {*final.pairs[final.grades == min(grades)].tolist()}
    wanted = irrelevant & pairs_graded_below(campaign, judge.key, max(grades))
    return [one for one in pairs_for_models(campaign) if one.key in wanted]


def _draw(
    candidate: Candidate, pairs: Sequence[OpenPair], number: int, purpose: str
) -> list[OpenPair]:
    place = drawn(candidate.campaign.settings.seed, purpose)
    return nsmallest(number, pairs, key=lambda one: place(str(one.key)))


def _by_query(pair: OpenPair) -> tuple[int, int]:
    return pair.query, pair.key


def _expected(
    candidate: Candidate, questions: Sequence[ModelQuestion], judge: AskedModel | None
) -> ExpectedTokens:
    most, template = candidate.settings.max_document_chars, len(candidate.prompt.text)
    chars = sum(min(one.pair.chars or 0, most) + template for one in questions)
    answered = count_answers(candidate.campaign, judge.key) if judge else None
    return expected_tokens(candidate.settings, len(questions), chars, answered)
