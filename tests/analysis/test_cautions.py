"""What a reader must know of a view: of the runs and queries in it, and of no others."""

import pytest

from judge_tui.analysis.cautions import (
    of_divided,
    of_failures,
    of_first_relevant,
    of_leaderboard,
    of_query,
    of_slices,
    of_two_runs,
)
from judge_tui.analysis.query_counts import query_counts
from judge_tui.scoring import parse_measure
from tests.analysis.small import standing_of

NDCG = parse_measure("nDCG@10")
LARGE = "with fewer than 30, only a large difference can be shown"
OTHER = "with fewer than 30, other queries may give another picture"


def test_a_leaderboard_is_warned_of_in_four_ways(basis_of):
    standing = standing_of(
        {"x": {"q1": "ab", "q2": "ac"}, "y": {"q1": "bd"}}, {"q1": "a1 b0", "q2": "a1"}
    )
    assert of_leaderboard(standing, basis_of(k=2, unresolved=2)) == (
        f"runs are compared with 'x' over 1 query: {LARGE}, with fewer than 6 none",
        "run 'y' has no result for 1 of the 2 judged queries: left out of its numbers",
        # c in x and d in y; of x one in four, of y one in two.
        "unjudged among the first 2 results: 2 of 6, most in run 'y' (50.0 %); they count as not "
        "relevant",
        "2 pairs are unresolved, judged but not decided by policy 'majority': they count as "
        "unjudged until the lead settles them",
    )
    whole = standing_of(
        {"x": {f"q{n}": "a" for n in range(30)}}, {f"q{n}": "a1" for n in range(30)}
    )
    assert of_leaderboard(whole, basis_of()) == ()


# 40 are judged; x answers the first 35, y those from the 31st on and z the first 32.
IDS = [f"q{n:02}" for n in range(40)]
GRADES = dict.fromkeys(IDS, "a1")
LISTS = {
    "x": dict.fromkeys(IDS[:35], "a"),
    "y": dict.fromkeys(IDS[30:], "a"),
    "z": dict.fromkeys(IDS[:32], "a"),
}


def few(told):
    return [one for one in told if "fewer than 30" in one]


def test_few_queries_are_those_that_runs_are_compared_over(basis_of):
    def counted(*tags):
        chosen = {tag: LISTS[tag] for tag in tags}
        standing = standing_of({**chosen, "none": {}} if len(tags) > 1 else chosen, GRADES)
        counts = query_counts(standing, "x")
        told = few(of_leaderboard(standing, basis_of()))
        return counts.judged, counts.scored, counts.common, told

    assert counted("x", "y", "z") == (
        40,
        (0, 35),
        (5, 32),
        [f"runs are compared with 'x' over 5 to 32 queries: {LARGE}, with fewer than 6 none"],
    )
    assert counted("x", "z") == (40, (0, 35), (32, 32), [])
    assert counted("x") == (40, (35, 35), None, [])
    alone = standing_of({"x": dict.fromkeys(IDS[:5], "a")}, GRADES)
    assert f"the means are over 5 queries: {OTHER}" in of_leaderboard(alone, basis_of())


def test_two_runs_are_warned_of_by_what_they_have_in_common(basis_of):
    """Whatever the baseline of the leaderboard, which is x, has in common with others."""
    standing = standing_of(LISTS, GRADES)

    def told(*runs):
        return few(of_two_runs(standing, basis_of(), *runs, by=NDCG))

    assert told("x", "z") == []
    assert told("z", "y") == [
        f"'y' is compared with 'z' over 2 queries: {LARGE}, with fewer than 6 none"
    ]
    # Those of a slice, of which the first nine are in both.
    assert told("x", "z", {*IDS[:9], "q39"}) == [
        f"'z' is compared with 'x' over 9 queries: {LARGE}"
    ]
    # Nothing in common: nothing is compared.
    assert told("z", "y", set(IDS[:9])) == []


def test_no_view_of_two_runs_speaks_of_a_third(basis_of):
    lists = {
        "x": dict.fromkeys(IDS, "a"),
        "y": dict.fromkeys(IDS, "a"),
        # Misses all but the first, and has an unjudged document there.
        "third": {IDS[0]: "za"},
    }
    standing = standing_of(lists, GRADES)
    assert of_two_runs(standing, basis_of(), "x", "y", by=NDCG) == ()
    assert of_failures(standing, basis_of(), "x") == ()
    assert of_query(standing, basis_of(), 0, "x", "y") == ()
    assert of_two_runs(standing, basis_of(), "y", "third", by=NDCG) == (
        f"'third' is compared with 'y' over 1 query: {LARGE}, with fewer than 6 none",
        "run 'third' has no result for 39 of the 40 judged queries: left out of its numbers",
        "unjudged among the first 10 results: 1 of 42, most in run 'third' (50.0 %); they count as "
        "not relevant",
    )
    assert of_query(standing, basis_of(), 0, "x", "third") == (
        "unjudged among the first 10 results: 1 of 3, most in run 'third' (50.0 %); they count as "
        "not relevant",
    )
    assert of_query(standing, basis_of(unresolved=3), 1, "x", "third") == ()


def test_failures_rest_on_all_judged_queries_answered_or_not(basis_of):
    standing = standing_of({"x": dict.fromkeys(IDS, "a"), "y": {IDS[0]: "za"}}, GRADES)
    assert of_failures(standing, basis_of(), "y") == (
        "unjudged among the first 10 results: 1 of 2 (50.0 %); they count as not relevant",
    )
    few_judged = standing_of({"x": {}, "y": {"q00": "a"}}, {"q00": "a1", "q01": "a1"})
    assert of_failures(few_judged, basis_of(), "y") == (
        f"failures are counted over 2 queries: {OTHER}",
    )


def test_what_compares_nothing_does_not_say_that_it_does(basis_of):
    standing = standing_of(LISTS, GRADES)
    missing = (
        "3 runs have no result for some of the 40 judged queries, 'y' for the most, 30: left out "
        "of the numbers of each"
    )
    assert of_first_relevant(standing, basis_of()) == (
        f"ranks are counted over 10 to 35 queries: {OTHER}",
        missing,
    )
    assert of_divided(standing, basis_of(), NDCG) == (missing,)
    assert of_slices(standing, basis_of(), [30, 40]) == (missing,)
    assert of_slices(standing, basis_of(), [40, 4, 7]) == (
        f"the means of a slice are over 4 to 40 queries: {OTHER}",
        missing,
    )
    assert of_slices(standing, basis_of(), []) == (missing,)


@pytest.mark.parametrize(
    "of",
    [
        of_leaderboard,
        of_first_relevant,
        lambda standing, basis: of_divided(standing, basis, NDCG),
        lambda standing, basis: of_two_runs(standing, basis, "x", "y", by=NDCG),
        lambda standing, basis: of_failures(standing, basis, "x"),
        lambda standing, basis: of_slices(standing, basis, [40]),
    ],
)
def test_unresolved_pairs_are_told_of_in_every_view_of_many_queries(basis_of, of):
    standing = standing_of({"x": LISTS["x"], "y": LISTS["x"]}, GRADES)
    assert of(standing, basis_of(unresolved=1))[-1] == (
        "1 pair is unresolved, judged but not decided by policy 'majority': it counts as unjudged"
        " until the lead settles it"
    )


def test_where_no_query_counts_none_is_few(basis_of):
    standing = standing_of({"x": LISTS["x"], "y": LISTS["x"]}, {})
    unresolved = of_failures(standing, basis_of(unresolved=2), "x")
    assert len(unresolved) == 1
    assert unresolved[0].startswith("2 pairs are unresolved, judged but not decided")


def test_that_only_models_graded_is_told_in_every_view(basis_of):
    standing = standing_of({"x": LISTS["x"], "y": LISTS["x"]}, GRADES)
    basis = basis_of(only_models=True)
    told = "no person has graded: the grades are those of models"
    assert of_query(standing, basis, 0, "x", "y") == (told,)
    assert of_divided(standing, basis, NDCG)[-1] == told
