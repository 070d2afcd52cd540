"""What a page says of its systems: the answer, what it rests on, and what could change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from judge_tui.analysis.enough import Answer, Enough
from judge_tui.analysis.leaderboard import Ranking, Verdicts, rank_runs
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.model import Run
from judge_tui.report.page.ranking import choose, doubt, settled_or_open
from judge_tui.scoring import parse_measures
from tests.scored import score_runs

(RR,) = parse_measures(["RR@10"])


def ranked(ranks: Mapping[str, Sequence[int]], *, filled: bool = False) -> Ranking:
    """System -> the rank of the one relevant document of each query; the first is the baseline."""
    runs = [
        Run(
            tag,
            {
                f"q{n}": {f"d{at}": -at for at in range(1, rank)} | {"right": -rank}
                for n, rank in enumerate(its)
            },
        )
        for tag, its in ranks.items()
    ]
    qrels = {f"q{n}": {"right": 1} for n in range(max(map(len, ranks.values())))}
    scores = score_runs(qrels, runs, measures_needed([RR])).only([RR])
    if filled:
        scores = replace(scores, settings={**scores.settings, "unjudged": "expected"})
    compared = compare_scores(scores, ComparisonSettings()) if len(runs) > 1 else None
    return rank_runs(
        scores,
        RR,
        RR,
        verdicts=Verdicts(runs[0].tag, compared),
    )


@pytest.mark.parametrize(
    ("ranks", "answer"),
    [
        ({"a": [2] * 8, "b": [1] * 8}, "Take b: it is better than a, RR@10 1.000 against 0.500"),
        ({"a": [1] * 8, "b": [2] * 8}, "Keep a: "),
        ({"a": [2] * 8, "c": [1] * 8, "b": [1] * 7 + [2]}, "Take c: "),
        ({"a": [2] * 5, "b": [1] * 5}, "No decision: 5 queries in common are too few"),
        ({"a": [2] * 8}, "a reaches RR@10 0.500 over 8 queries."),
    ],
)
def test_the_answer(ranks: Mapping[str, Sequence[int]], answer: str) -> None:
    assert choose(ranked(ranks))[0].startswith(answer)


@pytest.mark.parametrize(
    ("b", "shows"),
    [
        ([1, 1] + [2] * 6, "b is ahead by 0.125, RR@10 0.625 against 0.500 ("),
        ([3, 3] + [2] * 6, "b is behind by 0.042, RR@10 0.458 against 0.500 ("),
        ([2] * 8, "b is level with a, RR@10 0.500 against 0.500 ("),
        ([9] * 8, "b comes closest and is worse, RR@10 0.111 against 0.500 ("),
    ],
)
def test_where_the_baseline_stays_the_best_of_the_others_is_told(
    b: Sequence[int], shows: str
) -> None:
    first, second = choose(ranked({"a": [2] * 8, "b": b}))
    assert first == "Keep a: no other system is shown to be better."
    assert second.startswith(shows)
    assert second.endswith("which these queries do not show to be real.") == ("by 0." in shows)


def test_the_others_are_told_by_their_verdicts() -> None:
    found = ranked({"a": [2] * 8, "b": [1] * 8, "c": [1] * 7 + [2], "d": [9] * 8, "e": [2] * 8})
    _, others = choose(found)
    assert others == ("Of the others, c is better, too; d is worse; no difference is shown for e.")
    assert [one.tag for one in found.runs] == ["b", "c", "a", "e", "d"]


def test_what_could_change_the_answer() -> None:
    ranks = {"a": [2] * 8, "b": [1] * 8, "c": [1] * 7 + [2]}
    (second,) = doubt(ranked(ranks))
    assert "b and c were not tested against each other" in second
    (unequal,) = doubt(ranked({"a": [2] * 8, "b": [1] * 7}))
    assert "unequal queries (b 7, a 8)" in unequal


def answers(**by_tag: Answer) -> list[Enough]:
    """Beside a."""
    more = {Answer.OPEN: 83}
    return [Enough("a", tag, "RR@10", its, more=more.get(its)) for tag, its in by_tag.items()]


BETTER, LEVEL = {"a": [2] * 8, "b": [1] * 8, "c": [2] * 8}, {"a": [2] * 8, "b": [2] * 8}


@pytest.mark.parametrize(
    ("ranks", "enough", "is_open"),
    [
        (BETTER, answers(b=Answer.OPEN, c=Answer.SETTLED), True),
        # It is not of the pair that the answer is about.
        (BETTER, answers(b=Answer.LIKELY, c=Answer.OPEN), False),
        (BETTER, answers(b=Answer.SETTLED, c=Answer.OPEN), False),
        (BETTER, [], False),
        # Any of them may still turn out to be better.
        (BETTER | {"b": [9] * 8}, answers(b=Answer.SETTLED, c=Answer.OPEN), True),
        (LEVEL, answers(b=Answer.TOO_FEW), False),
    ],
)
def test_an_answer_that_more_judging_may_change_says_so(
    ranks: Mapping[str, Sequence[int]], enough: Sequence[Enough], is_open: bool
) -> None:
    assert ("not settled" in choose(ranked(ranks), enough)[0]) == is_open


def test_what_is_settled_and_what_is_open_stands_near_the_answer() -> None:
    enough = answers(c=Answer.OPEN, b=Answer.LIKELY, gone=Answer.OPEN)
    first, second = settled_or_open(ranked(BETTER), enough)
    assert first.startswith("Open beside a: c (about 83 random pairs more); ")
    assert second.startswith("Likely settled beside a: b; ")
    assert not [*settled_or_open(ranked(BETTER), [])]


@pytest.mark.parametrize("b", [[1] * 8, [9] * 8, [2] * 8, [1, 1] + [2] * 6])
def test_an_answer_from_filled_values_has_differences_alone(b: Sequence[int]) -> None:
    found = ranked({"a": [2] * 8, "b": b}, filled=True)
    said = " ".join(choose(found))
    assert not [one.tag for one in found.runs if f" {one.mean:.3f}" in said]
    assert "RR@10 difference " in said
    (alone, _) = choose(ranked({"a": [2] * 8}, filled=True))
    assert "0.5" not in alone
