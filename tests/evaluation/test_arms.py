"""Arms of experiments as runs, tasks as queries: exact McNemar."""

import pytest

from judge_tui.comparison.compare import compare_scores
from judge_tui.comparison.family import Verdict
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.evaluation.values import scores_of_outcomes
from judge_tui.model import Outcomes

NEITHER, GAINED, LOST, BOTH = (False, False), (False, True), (True, False), (True, True)


def compare_arms(tasks, arms, checks, passed, **settings):
    scores = scores_of_outcomes(Outcomes(tasks, arms, checks, passed))
    return compare_scores(scores, ComparisonSettings(tests=("mcnemar",), **settings))


def compared(*tasks):
    """The arm `new` beside `old`, each task given as (passed by old, passed by new)."""
    names = [f"t{place}" for place in range(len(tasks))]
    passed = {
        ("works", arm): {name: pair[side] for name, pair in zip(names, tasks, strict=True)}
        for side, arm in enumerate(("old", "new"))
    }
    (found,) = compare_arms(names, ("old", "new"), ("works",), passed)
    return found


def test_discordant_tasks_are_named_and_the_direction_is_part_of_the_verdict():
    found = compared(BOTH, *[GAINED] * 7, LOST, NEITHER)
    assert found.changed.added == tuple(f"t{place}" for place in range(1, 8))
    assert found.changed.removed == ("t8",)
    assert (found.before.sum(), found.after.sum(), found.queries) == (2, 8, 10)
    assert found.tests["mcnemar"].p == pytest.approx(2 * 9 / 2**8)
    assert found.verdict is Verdict.NOTHING_SHOWN
    assert compared(BOTH, *[GAINED] * 8).verdict is Verdict.BETTER
    assert compared(BOTH, *[LOST] * 8).verdict is Verdict.WORSE


def test_a_task_without_an_outcome_of_both_is_left_out():
    tasks, arms = ["a", "b", "c"], ["old", "new"]
    passed = {("works", "old"): {"a": True, "b": False}, ("works", "new"): {"a": True, "c": True}}
    (found,) = compare_arms(tasks, arms, ["works", "other"], passed)
    assert (found.measure, found.changed.unchanged) == ("works", ("a",))
    assert found.verdict is Verdict.TOO_FEW
    with pytest.raises(UsageError, match="in common"):
        compare_arms(tasks, arms, ["other"], passed)


def test_the_family_is_every_check_and_arm():
    tasks = [f"t{place}" for place in range(6)]
    old, new = dict.fromkeys(tasks, False), dict.fromkeys(tasks, True)
    # The names of checks are theirs: P is no measure here, nor are P@5 and p@5 the same one.
    passed = {(check, arm): new for check in ("P@5", "p@5", "P") for arm in ("b", "c")}
    passed |= {(check, "a"): old for check in ("P@5", "p@5", "P")}
    found = compare_arms(tasks, ["a", "b", "c"], ["P@5", "p@5", "P"], passed)
    assert [(one.measure, one.tag) for one in found] == [
        (check, arm) for check in ("P@5", "p@5", "P") for arm in ("b", "c")
    ]
    assert [one.p_adjusted["mcnemar"] for one in found] == [6 * 0.03125] * 6
    alone = compare_arms(tasks, ["a", "b"], ["P"], passed, baseline="b")
    assert [(one.baseline, one.tag, one.changed.removed) for one in alone] == [
        ("b", "a", tuple(tasks))
    ]
