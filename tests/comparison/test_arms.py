import pytest

from judge_tui.comparison.arms import compare_arms as compare_by
from judge_tui.comparison.family import Verdict
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.model import Outcomes

NEITHER, GAINED, LOST, BOTH = (False, False), (False, True), (True, False), (True, True)


def compare_arms(tasks, arms, checks, passed, **settings):
    outcomes = Outcomes(tasks, arms, checks, passed)
    return compare_by(outcomes, ComparisonSettings(tests=("mcnemar",), **settings))


def compared(*tasks, **settings):
    """The arm `new` beside `old`, each task given as (passed by old, passed by new)."""
    names = [f"t{place}" for place in range(len(tasks))]
    passed = {
        ("works", arm): {
            name: pair[side] for name, pair in zip(names, tasks, strict=True) if pair is not None
        }
        for side, arm in enumerate(("old", "new"))
    }
    (found,) = compare_arms(names, ("old", "new"), ("works",), passed, **settings)
    return found


def test_discordant_tasks_are_named_and_the_direction_is_part_of_the_verdict():
    found = compared(BOTH, *[GAINED] * 7, LOST, NEITHER)
    assert found.gained == tuple(f"t{place}" for place in range(1, 8))
    assert found.lost == ("t8",)
    assert (found.passed, len(found.tasks)) == ((2, 8), 10)
    assert found.test.p == pytest.approx(2 * 9 / 2**8)
    assert found.verdict is Verdict.NOTHING_SHOWN
    assert compared(BOTH, *[GAINED] * 8).verdict is Verdict.BETTER
    assert compared(BOTH, *[LOST] * 8).verdict is Verdict.WORSE


def test_a_task_without_an_outcome_of_both_is_left_out_and_counted():
    tasks = ["a", "b", "c"]
    passed = {("works", "old"): {"a": True, "b": False}, ("works", "new"): {"a": True, "c": True}}
    (found,) = compare_arms(tasks, ["old", "new"], ["works"], passed)
    assert (found.tasks, found.left_out) == (("a",), 2)
    (nothing,) = compare_arms(tasks, ["old", "new"], ["other"], passed)
    assert (nothing.tasks, nothing.delta, nothing.ci95) == ((), None, None)
    assert nothing.left_out == 3
    assert nothing.test.why == "no task has an outcome of both"
    assert nothing.verdict is Verdict.TOO_FEW


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("count", [5, 8])
def test_tasks_that_differ_all_alike_have_no_interval(count, after):
    def compared(*others):
        tasks = [f"t{number}" for number in range(count)]
        new = dict.fromkeys(tasks, after) | dict.fromkeys(tasks[: len(others)], *others)
        passed = {("c", "old"): dict.fromkeys(tasks, False), ("c", "new"): new}
        (one,) = compare_arms(tasks, ["old", "new"], ["c"], passed)
        return one

    alike = f"the difference is the same for all {count} tasks, and so in every resample"
    assert (compared().ci95, compared().why) == (None, alike)
    low, high = compared(not after).ci95
    assert low < high
    assert not compared(not after).why


def test_the_family_is_every_check_and_arm():
    tasks = [f"t{place}" for place in range(6)]
    old, new = dict.fromkeys(tasks, False), dict.fromkeys(tasks, True)
    passed = {(check, arm): new for check in ("x", "y") for arm in ("b", "c")}
    passed |= {(check, "a"): old for check in ("x", "y")}
    found = compare_arms(tasks, ["a", "b", "c"], ["x", "y"], passed)
    assert [(one.check, one.arm) for one in found] == [
        ("x", "b"),
        ("x", "c"),
        ("y", "b"),
        ("y", "c"),
    ]
    assert [one.p_adjusted for one in found] == [4 * 0.03125] * 4
    alone = compare_arms(tasks, ["a", "b"], ["x"], passed, baseline="b")
    assert [(one.baseline, one.arm, one.lost) for one in alone] == [("b", "a", tuple(tasks))]


def test_what_cannot_be_compared():
    with pytest.raises(UsageError, match="one arm alone"):
        compare_arms(["t"], ["a"], ["x"], {})
    with pytest.raises(UsageError, match="no arm 'olt'; did you mean 'old'"):
        compare_arms(["t"], ["old", "new"], ["x"], {}, baseline="olt")
    with pytest.raises(UsageError, match="no correction 'bonferroni'"):
        compare_arms(["t"], ["old", "new"], ["x"], {}, correction="bonferroni")
