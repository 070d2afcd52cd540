"""What is held to what: numbers by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge_tui.comparison.compare import compare_paired, compare_scores
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.evaluation.gates import check_gates, parse_gates
from judge_tui.model import Run
from judge_tui.scoring import Scores, parse_measures
from judge_tui.scoring.slices import slice_scores
from tests.scored import score_runs

QRELS = {f"q{n}": {"right": 1} for n in range(8)}
SLICE = {f"q{n}": "easy" if n < 4 else "hard" for n in range(8)}
MEASURES = parse_measures(["RR", "P@1"])


def run(tag: str, ranks: list[int]) -> Run:
    """The right one at a rank of each query; 0: the query is not answered."""
    return Run(
        tag,
        {
            f"q{n}": {("right" if at == rank else f"x{at}"): 1 / at for at in range(1, rank + 1)}
            for n, rank in enumerate(ranks)
            if rank
        },
    )


def scores(*runs: Run, complete: bool = False) -> Scores:
    found = score_runs(QRELS, runs, MEASURES, complete=complete)
    return replace(found, slices=slice_scores(found, "class", SLICE))


def whole(found: Scores) -> Scores:
    return replace(found.only(MEASURES[:1]), slices=None)


OLD = run("old", [2] * 8)  # RR .5, P@1 0
NEW = run("new", [1] * 7 + [4])  # RR (7 + 1/4) / 8 = .90625, P@1 .875; hard: RR .8125, P@1 .75
PART = run("part", [1, 1, 1, 1, 1, 1, 0, 0])  # RR 1 over 6 of 8 queries, .75 over all


@pytest.mark.parametrize(
    ("gate", "results"),
    [
        ("RR>=0.5", {"old": (0.5, True), "new": (0.90625, True)}),
        ("RR>=.6", {"old": (0.5, False), "new": (0.90625, True)}),
        ("RR>=0.5000000001", {"old": (0.5, True), "new": (0.90625, True)}),
        ("RR>=0.500001", {"old": (0.5, False), "new": (0.90625, True)}),
        ("new:P@1>=0.875", {"new": (0.875, True)}),
        ("hard/P@1>=0.75", {"old": (0.0, False), "new": (0.75, True)}),
        ("new:hard/RR>=0.82", {"new": (0.8125, False)}),
        ("RR>=baseline", {"new": (0.90625, True)}),
        ("RR>=baseline+0.4", {"new": (0.90625, True)}),
        ("RR >= baseline + 0.41", {"new": (0.90625, False)}),
        ("hard/RR>=baseline+0.3125", {"new": (0.8125, True)}),
        ("no-regression", {"new": (None, True)}),
    ],
)
def test_a_gate_holds_or_not(gate: str, results: dict[str, tuple[float | None, bool]]) -> None:
    scored = scores(OLD, NEW)
    compared = compare_scores(whole(scored), ComparisonSettings(baseline="old"))
    found = check_gates(parse_gates([gate]), scored, compared)
    assert {one.tag: (one.value, one.met) for one in found} == results
    assert all(one.gate == gate and bool(one.why) is not one.met for one in found)
    assert list(found[0].to_dict())[:4] == ["gate", "tag", "value", "met"]


def test_a_verdict_worse_is_a_regression() -> None:
    scored = scores(NEW, OLD)
    compared = compare_scores(whole(scored), ComparisonSettings(baseline="new"))
    (one,) = check_gates(parse_gates(["no-regression"]), scored, compared)
    assert (one.tag, one.value, one.met) == ("old", pytest.approx(0.5 - 0.90625), False)


@pytest.mark.parametrize(
    ("gate", "complete", "result"),
    [
        ("RR>=0.9", False, (1.0, False)),
        ("RR>=0.9", True, (0.75, False)),
        ("RR>=0.75", True, (0.75, True)),
        ("easy/RR>=0.9", False, (1.0, True)),  # all of these are answered
        ("hard/RR>=0.9", False, (1.0, False)),
        ("RR>=baseline+0.5", False, (1.0, False)),
        ("no-regression", False, (None, False)),
        ("no-regression", True, (None, True)),
    ],
)
def test_a_run_that_lacks_queries_meets_no_gate(
    gate: str, complete: bool, result: tuple[float | None, bool]
) -> None:
    scored = scores(OLD, PART, complete=complete)
    compared = compare_scores(whole(scored), ComparisonSettings(baseline="old"))
    found = check_gates(parse_gates([gate]), scored, compared)
    assert [(one.value, one.met) for one in found if one.tag == "part"] == [result]


def test_an_earlier_result_may_be_the_baseline() -> None:
    earlier, now = scores(run("it", [2] * 8)), scores(run("it", [1] * 8))
    gates = parse_gates(["RR>=baseline+0.5", "RR>=baseline+0.6"])
    compared = compare_paired([(earlier["it"], now["it"])], now, ComparisonSettings())
    found = check_gates(gates, now, compared)
    assert [one.met for one in found] == [True, False]


@pytest.mark.parametrize(
    "gate", ["RR", "RR>0.4", "RR>=x", "RR>=1e999", "NOPE>=0.4", "other:RR>=0.1", "medium/RR>=0.1"]
)
def test_what_cannot_be_held_to_is_refused(gate: str) -> None:
    with pytest.raises(UsageError):
        check_gates(parse_gates([gate]), scores(OLD))


def test_the_baseline_is_not_held_to_itself() -> None:
    scored = scores(OLD, NEW)
    compared = compare_scores(whole(scored), ComparisonSettings(baseline="old"))
    with pytest.raises(UsageError, match="baseline"):
        check_gates(parse_gates(["old:RR>=baseline"]), scored, compared)


@pytest.mark.parametrize("gate", ["RR>=baseline", "no-regression"])
def test_without_a_baseline_nothing_stands_beside_one(gate: str) -> None:
    with pytest.raises(UsageError, match="baseline"):
        check_gates(parse_gates([gate]), scores(OLD))
