"""Systems by what queries demand of the order of results: counts by hand, tests by SciPy's, one
correction over everything that is told."""

from __future__ import annotations

import random
import re

import pytest
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from judge_tui.analysis.class_means import subsets_of
from judge_tui.analysis.demands import demanded
from judge_tui.report.classes.authority import AUTHORITY
from judge_tui.scoring.authority import Authority
from judge_tui.scoring.demands import Demands, meet
from judge_tui.scoring.prefer import Fate, Prefer
from judge_tui.significance import Settings, Verdict

NEW_BEFORE_OLD = Prefer(re.compile("new"), re.compile("old"))
MODERN = {"prefer": NEW_BEFORE_OLD}
SOURCES = tuple(map(re.compile, ("docs", "wiki")))


def met_by(demands, **lists):
    return {tag: meet(demands, its) for tag, its in lists.items()}


def test_the_table_of_a_system_by_hand():
    lists = {
        "q1": ["new", "old"],
        "q2": ["new", "old"],
        "q3": ["old", "new"],
        "q4": ["new"],
        "q5": ["x", "old"],
        "q6": ["new-old"],
        "q7": ["x"],
        "q8": ["x", "new"],
    }
    demands = Demands(dict.fromkeys(lists, MODERN), class_of=dict.fromkeys(lists, "m"))
    found = demanded(demands, met_by(demands, a=lists), [], Settings()).corrected()
    (one,) = found.classes
    assert (one.demand, one.name, one.query_ids, one.beside) == ("prefer", "m", tuple(lists), ())
    assert one.fates("a") == {
        Fate.MODERN: 2,
        Fate.ONLY_MODERN: 2,
        Fate.LEGACY: 1,
        Fate.ONLY_LEGACY: 1,
        Fate.TIED: 1,
        Fate.MISSING: 1,
    }
    assert one.share("a") == 4 / 8
    assert one.share("a", {"q1", "q3", "q7"}) == 1 / 3
    assert one.share("a", set()) is None
    assert one.tests["a"].p == binomtest(4, 6).pvalue  # of 8 queries 6 are decided
    assert one.p_adjusted["a"] == one.tests["a"].p


@pytest.mark.parametrize("seed", range(8))
def test_the_sign_test_is_the_exact_binomial_one(seed):
    luck = random.Random(seed)
    lists = {
        f"q{number}": luck.sample(["new", "old", "x"], luck.randint(0, 3)) for number in range(40)
    }
    demands = Demands(dict.fromkeys(lists, MODERN))
    (one,) = demanded(demands, met_by(demands, a=lists), [], Settings()).classes
    fates = one.fates("a")
    wins = fates[Fate.MODERN] + fates[Fate.ONLY_MODERN]
    losses = fates[Fate.LEGACY] + fates[Fate.ONLY_LEGACY]
    test = one.tests["a"]
    assert test.statistic == wins
    assert test.p == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-12)
    greater = binomtest(wins, wins + losses, alternative="greater").pvalue
    assert test.p_greater == pytest.approx(greater, rel=1e-12)


def test_fewer_than_six_decided_queries_are_not_tested():
    lists = {f"q{number}": ["new"] for number in range(5)} | {"q9": ["x"]}
    demands = Demands(dict.fromkeys(lists, MODERN))
    (one,) = demanded(demands, met_by(demands, a=lists), [], Settings()).classes
    assert one.tests["a"].p is None
    assert one.tests["a"].why == "one kind comes first in 5 of 6 queries; the test needs 6"


def test_systems_are_compared_by_the_queries_that_hold_for_one_alone():
    queries = [f"q{number:02}" for number in range(30)]
    lists = {
        "base": {q: ["new"] if n < 12 else ["old"] for n, q in enumerate(queries)},
        "next": {q: ["new"] if n >= 2 and n < 25 else ["old"] for n, q in enumerate(queries)},
    }
    demands = Demands(dict.fromkeys(queries, MODERN))
    settings = Settings(baseline="base")
    raw = demanded(demands, met_by(demands, **lists), [("base", "next")], settings)
    (one,) = raw.corrected().classes
    (beside,) = one.beside
    # By hand: 13 gained (q12 to q24), 2 lost (q00, q01), 10 hold for both, 5 for none.
    assert (beside.before, beside.after, beside.tasks) == (12, 23, 30)
    assert (beside.gained, beside.lost) == (tuple(queries[12:25]), ("q00", "q01"))
    expected = mcnemar([[10, 2], [13, 5]], exact=True).pvalue
    assert beside.test.p == pytest.approx(expected, rel=1e-12)
    # One family: two sign tests and this, by Holm.
    p_values = raw.p_values()
    assert len(p_values) == 3
    adjusted = multipletests(p_values, method="holm")[1]
    assert [*one.p_adjusted.values(), beside.p_adjusted] == pytest.approx(adjusted)
    assert beside.verdict is Verdict.BETTER
    # What else is told with it is corrected for as well; of 23 it is the second least.
    (strict,) = raw.corrected([None] * 20).classes
    assert strict.beside[0].p_adjusted == pytest.approx(expected * 22)
    assert strict.beside[0].verdict is Verdict.NOTHING_SHOWN


@pytest.mark.parametrize(("ahead", "p"), [(5, None), (6, 2 / 64)])
def test_fewer_than_six_queries_of_which_one_alone_holds_are_no_test(ahead, p):
    queries = [f"q{number}" for number in range(30)]
    lists = {
        "base": {q: ["old"] for q in queries},
        "next": {q: ["new"] if n < ahead else ["old"] for n, q in enumerate(queries)},
    }
    demands = Demands(dict.fromkeys(queries, MODERN))
    raw = demanded(demands, met_by(demands, **lists), [("base", "next")], Settings())
    ((beside,),) = [one.beside for one in raw.corrected().classes]
    assert beside.test.p == p
    few = "one alone holds in 5 of 30 queries; the test needs 6"
    assert beside.test.why == (few if p is None else "")


def test_sources_are_averaged_over_the_queries_that_name_them():
    demands = Demands(
        {
            "q1": {"authority": Authority(SOURCES)},
            "q2": {"authority": Authority(SOURCES)},
            "q3": {"authority": Authority((SOURCES[1], re.compile("forum")))},
        }
    )
    lists = {"q1": ["docs"], "q2": ["wiki", "docs"], "q3": ["forum", "x", "x", "wiki"]}
    (one,) = demanded(demands, met_by(demands, a=lists, b={}), [], Settings()).classes
    assert [(s.written, s.queries, s.reciprocal_rank) for s in one.sources("a")] == [
        ("docs", 2, (1 + 1 / 2) / 2),
        ("wiki", 3, pytest.approx((0 + 1 + 1 / 4) / 3)),
        ("forum", 1, 1.0),
    ]
    assert [s.among for s in one.sources("a")] == [*[("docs", "wiki")] * 2, ("wiki", "forum")]
    assert one.share("a") == pytest.approx(1 / 3)
    assert (one.without_source("a"), one.without_source("b")) == (0, 3)
    assert one.share("b") == 0.0
    assert one.tests == {}


def test_sources_of_several_lists_stand_list_by_list():
    """Not by their places alone, which mix the lists."""
    lists = {"q1": "a b c", "q2": "x y", "q3": "y b"}
    demands = Demands(
        {
            q: {"authority": Authority(tuple(map(re.compile, its.split())))}
            for q, its in lists.items()
        }
    )
    (one,) = demanded(demands, met_by(demands, s={}), [], Settings()).classes
    assert [source.written for source in one.sources("s")] == ["a", "b", "c", "x", "y"]
    *_, grid = AUTHORITY.grids(one, {}, {}, None)
    assert [row[:3] for row in grid.rows] == [
        ("a > b > c", "a", 1),
        ("a > b > c", "b", 2),
        ("a > b > c", "c", 1),
        ("x > y", "x", 1),
        ("x > y", "y", 2),
    ]


def test_classes_are_held_to_their_demands_one_by_one():
    demands = Demands(
        {"q1": {**MODERN, "authority": Authority(SOURCES)}, "q2": MODERN, "q3": MODERN},
        {"q1": "b", "q2": "a"},
    )
    found = demanded(demands, met_by(demands, x={"q1": ["new"]}), [], Settings())
    assert [(one.demand, one.name, one.query_ids) for one in found.classes] == [
        ("prefer", "a", ("q2",)),
        ("prefer", "b", ("q1",)),
        ("prefer", "", ("q3",)),
        ("authority", "b", ("q1",)),
    ]


def test_subsets_are_standard_hard_and_then_the_others():
    subset_of = {"q1": "odd", "q2": "hard", "q4": "easy"}
    found = subsets_of(["q1", "q2", "q3", "q4"], subset_of)
    assert {name: set(its) for name, its in found.items()} == {
        "standard": {"q3"},
        "hard": {"q2"},
        "easy": {"q4"},
        "odd": {"q1"},
    }
    assert list(found) == ["standard", "hard", "easy", "odd"]
    assert subsets_of(["q1"], {}) == {}
