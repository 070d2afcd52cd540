"""`Prefer` and `Authority`: the values by hand, undefined where nobody demands them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import pytest
import regex

from judge_tui.comparison.compare import compare_scores
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import Measure, Rules, Scores, by_grades, parse_measures
from judge_tui.scoring.order import with_order
from judge_tui.truths import Authority, OrderDemands, Prefer
from tests.scored import score_runs, score_sources


def prefer(better: str, worse: str) -> Prefer:
    return Prefer(regex.compile(better), regex.compile(worse))


def authority(*sources: str) -> Authority:
    return Authority(tuple(map(regex.compile, sources)))


@pytest.mark.parametrize(
    ("demand", "doc_ids", "met"),
    [
        (prefer("new/", "old/"), ["x", "new/a", "old/a"], True),
        (prefer("new/", "old/"), ["old/a", "new/a"], False),
        (prefer("new/", "old/"), ["x", "new/a"], True),
        (prefer("new/", "old/"), ["x", "old/a"], False),
        (prefer("new/", "old/"), ["x"], False),
        (prefer("new/", "old/"), [], False),
        (prefer("new", "old"), ["new-old", "new"], False),
        (authority("a/", "b/"), ["a/1", "b/1"], True),
        (authority("a/", "b/"), ["b/1", "a/1"], False),
        (authority("a/", "b/"), ["b/1", "x"], True),
        (authority("a/", "b/"), ["x", "a/1"], False),
        (authority("a/", "b/"), ["x"], False),
        (authority("a/", "b/"), [], False),
    ],
)
def test_a_list_meets_a_demand_or_not(
    demand: Prefer | Authority, doc_ids: list[str], met: bool
) -> None:
    assert demand.met_by(doc_ids) is met


QRELS = {"q1": {"new/a": 1}, "q2": {"b": 1}}
RUN = Run("r", {"q1": {"new/a": 2, "old/a": 1}, "q2": {"c": 1, "b": 0}, "q3": {"old/a": 1}})
DEMANDS: OrderDemands = {q: {"prefer": prefer("new/", "old/")} for q in ("q1", "q3", "q4")}


def graded(measures: Sequence[Measure], *, complete: bool = False) -> Scores:
    rules = Rules(complete=complete)
    return score_sources(QRELS, [RUN], by_grades(measures), rules=rules, demanding=[*DEMANDS])


def test_the_values_stand_beside_those_of_grades() -> None:
    measures = parse_measures(["RR", "Prefer"])
    scores = graded(measures)
    [run] = with_order(scores, [RUN], DEMANDS, measures).runs
    assert run.query_ids == ("q1", "q2", "q3")
    assert [run.value(measures[0], at) for at in range(3)] == [1, 0.5, None]
    assert [run.value(measures[1], at) for at in range(3)] == [1, None, 0]
    assert (run.mean("RR"), run.mean("Prefer")) == (0.75, 0.5)
    assert (run.missing_run, run.missing_qrels) == (("q4",), ())


def test_complete_counts_a_missing_query_as_0() -> None:
    measures = parse_measures(["RR", "Prefer"])
    scores = graded(measures, complete=True)
    [run] = with_order(scores, [RUN], DEMANDS, measures).runs
    assert run.mean("Prefer") == pytest.approx(1 / 3)
    assert isnan(run.values["RR"][run.query_ids.index("q4")])


def test_rows_and_json_have_no_undefined_value() -> None:
    measures = parse_measures(["RR", "Prefer"])
    scores = with_order(graded(measures), [RUN], DEMANDS, measures)
    assert scores.to_rows(per_query=True) == [
        ("r", "q1", "RR", 1.0),
        ("r", "q1", "Prefer", 1.0),
        ("r", "q2", "RR", 0.5),
        ("r", "q3", "Prefer", 0.0),
        ("r", "all", "RR", 0.75),
        ("r", "all", "Prefer", 0.5),
    ]
    [entry] = scores.to_dict(per_query=True)["runs"]
    assert entry["per_query"]["q2"] == {"RR": 0.5}


def test_mcnemar_takes_the_queries_that_demand_an_order() -> None:
    # Of 8 queries, all won: 2 / 2^8. The ninth demands nothing.
    qrels = {f"q{at}": {"x": 1} for at in range(9)}
    demands: OrderDemands = {f"q{at}": {"prefer": prefer("new/", "old/")} for at in range(8)}
    runs = [Run(tag, {q: {f"{tag}/a": 1.0} for q in qrels}) for tag in ("old", "new")]
    measures = parse_measures("Prefer")
    scores = with_order(score_runs(qrels, runs, []), runs, demands, measures)
    [one] = compare_scores(scores.only(measures), ComparisonSettings(tests=("mcnemar",)))
    assert (one.queries, one.wins, one.losses) == (8, 8, 0)
    assert one.tests["mcnemar"].p == 2 / 2**8
    assert len(one.changed.added) == 8


def test_a_demand_that_nobody_makes_is_refused() -> None:
    measures = parse_measures(["Authority"])
    with pytest.raises(UsageError, match="Authority needs answers that say `authority`"):
        with_order(score_runs(QRELS, [RUN], ["RR"]), [RUN], DEMANDS, measures)
