"""What a page says of its systems: the answer, what it rests on, and what could change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from judge_tui.analysis.leaderboard import Ranking, Verdicts, rank_runs
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.model import Run
from judge_tui.report.page.ranking import choose, doubt
from judge_tui.scoring import parse_measures
from tests.scored import score_runs

(RR,) = parse_measures(["RR@10"])


def ranked(ranks: Mapping[str, Sequence[int]]) -> Ranking:
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
