"""Runs compared: what is paired with what, what is said of each pair, and in which form."""

import random
from dataclasses import replace
from itertools import combinations
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui import compare
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.comparison import Changes
from judge_tui.comparison.family import Verdict
from judge_tui.comparison.settings import ComparisonSettings, adjust
from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import MEASURES, parse_measures
from judge_tui.scoring.slices import slice_scores
from tests.imports import imported_by
from tests.scored import score_runs

QRELS = {f"q{i:02}": {"good": 1} for i in range(40)}
IDS = list(QRELS)


def run(tag, ranks):
    """A run that has the relevant document of each query at a rank; None: not at all."""
    scores = {}
    for query_id, rank in ranks.items():
        others = {f"x{place}": float(-place) for place in range(1, 12) if place != rank}
        scores[query_id] = others if rank is None else {**others, "good": float(-rank)}
    return Run(tag, scores)


def at(rank, *others):
    """Query -> rank: `rank`, but for so many (first) queries each of the other ranks."""
    found, done = dict.fromkeys(IDS, rank), 0
    for count, other in others:
        found |= dict.fromkeys(IDS[done : done + count], other)
        done += count
    return found


def compared(before, after, measure="RR@10", qrels=QRELS, **settings):
    """The comparisons of two runs, and the one of them."""
    found = compare(qrels, [run("old", before), run("new", after)], measure, **settings)
    return found, found[0]


ALIKE = "the difference is the same for all 40 queries, and so in every resample"
TOO_LITTLE = "the runs differ for 5 of 40 queries; the test needs 6"


@pytest.mark.parametrize(
    ("before", "after", "verdict", "delta", "counts", "p", "why"),
    [
        # Two of the 2^40 patterns of signs are as extreme.
        (at(2), at(1), Verdict.BETTER, 0.5, (40, 0, 0), 2 / 2**40, ""),
        (at(1), at(2), Verdict.WORSE, -0.5, (0, 0, 40), 2 / 2**40, ""),
        (at(2), at(2), Verdict.NOTHING_SHOWN, 0.0, (0, 40, 0), None, "no query differs"),
        (at(1), at(1, (5, 2)), Verdict.NOTHING_SHOWN, -2.5 / 40, (0, 35, 5), None, TOO_LITTLE),
    ],
)
def test_verdicts(before, after, verdict, delta, counts, p, why):
    _, one = compared(before, after, tests=["wilcoxon", "sign", "permutation"])
    assert (one.baseline, one.tag, one.verdict) == ("old", "new", verdict)
    assert one.delta == pytest.approx(delta)
    assert (one.wins, one.ties, one.losses) == counts
    assert one.nonzero == counts[0] + counts[2]
    for name in ("wilcoxon", "sign"):
        assert (one.tests[name].p, one.tests[name].why) == (p, why)
    # Two of the 2^nonzero patterns are as extreme, all of them where nothing differs.
    assert one.tests["permutation"].p == min(1, 2 / 2**one.nonzero)
    if p is None:
        assert one.to_dict()["tests"]["wilcoxon"] == {"p": None, "why": why}
    if one.nonzero in (0, 40):
        assert (one.effect_size, one.ci95, one.why["ci95"]) == (None, None, ALIKE)
        assert one.why["effect_size"].startswith("a standard deviation needs")


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_a_comparison_without_a_p_belongs_to_the_family(correction):
    runs = [run("old", at(1)), run("new", at(1, (9, 2))), run("same", at(1)), run("twin", at(1))]
    result = compare(QRELS, runs, ["RR"], correction=correction)
    # Nine losses of one size: 2 of the 2^9 sign patterns, .0039; the family is three.
    assert [c.tests["wilcoxon"].p for c in result] == [2 / 2**9, None, None]
    assert [c.p_adjusted["wilcoxon"] for c in result] == [3 * 2 / 2**9, None, None]


def test_fewer_than_6_pairs_are_too_few():
    _, one = compared(at(2), at(1), qrels={q: QRELS[q] for q in IDS[:5]})
    assert one.verdict is Verdict.TOO_FEW


def test_a_difference_that_only_rounding_parts_from_0_is_none():
    # P@20 .6 -> .65 for twenty queries and 1 -> 0 for one: 0 to a reader, 3.3e-16 to a float.
    relevant = [f"d{place:02}" for place in range(20)]
    qrels = {f"q{at:02}": dict.fromkeys(relevant, 1) for at in range(21)}

    def found(tag, counts):
        return Run(
            tag,
            {
                query_id: {**dict.fromkeys(relevant[:count], 2.0), **dict.fromkeys("x" * 20, 1.0)}
                for query_id, count in zip(qrels, counts, strict=True)
            },
        )

    (one,) = compare(qrels, [found("a", [12] * 20 + [20]), found("b", [13] * 20 + [0])], ["P@20"])
    assert 0 < abs(one.mean - one.baseline_mean) < 1e-15
    assert one.delta == 0.0


def test_queries_are_paired_by_id_over_what_both_answer():
    old = {q: 1 for q in QRELS if q != "q00"}
    new = {q: 2 for q in reversed(QRELS) if q != "q01"} | {"q99": 1}
    _, one = compared(old, new)
    assert (one.queries, one.baseline_mean) == (38, 1.0)


def test_the_baseline_can_be_named():
    runs = [run("a", at(1)), run("b", at(2)), run("c", at(3))]
    result = compare(QRELS, runs, ["RR"], baseline="b")
    assert [(c.baseline, c.tag) for c in result] == [("b", "a"), ("b", "c")]


TWO = [run("a", at(1)), run("b", at(2))]


@pytest.mark.parametrize(
    ("runs", "settings", "what"),
    [
        (TWO, {"baseline": "c"}, "no run 'c'"),
        (TWO, {"tests": ["anova"]}, "no test 'anova'"),
        (TWO, {"correction": "bonferroni"}, "no correction 'bonferroni'"),
        (TWO, {"alternative": "more"}, "no alternative 'more'"),
        (TWO, {"alpha": 0.0}, "alpha 0.0 is not between 0 and 1"),
        (TWO, {"alpha": float("nan")}, "alpha nan is not between 0 and 1"),
        (TWO, {"seed": -1}, "seed -1 is negative"),
        (TWO[:1], {}, "a comparison needs two runs, here 1"),
        (
            [run("old", {"q00": 1}), run("new", {"q01": 1})],
            {},
            "runs 'old' and 'new' have no judged query in common",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(runs, settings, what):
    with pytest.raises(UsageError) as error:
        compare(QRELS, runs, ["RR"], **settings)
    assert error.value.what == what


ranks = st.lists(st.sampled_from([1, 2, 3, 4, 10, None]), min_size=12, max_size=12)


@given(ranks, ranks)
def test_swapping_the_runs_negates_the_difference_and_keeps_p(one, other):
    a, b = (run(tag, dict(zip(IDS, its, strict=False))) for tag, its in (("a", one), ("b", other)))
    tests = ["wilcoxon", "pratt", "permutation", "t", "sign"]
    forward, backward = (
        compare(QRELS, two, ["nDCG@3", "RR", "P@5"], tests=tests) for two in ([a, b], [b, a])
    )
    for there, back in zip(forward, backward, strict=True):
        assert there.delta == pytest.approx(-back.delta, abs=1e-15)
        assert (there.wins, there.losses) == (back.losses, back.wins)
        assert there.changed.added == back.changed.removed
        for name in tests:
            assert there.tests[name].p == pytest.approx(back.tests[name].p, abs=1e-9)
        opposite = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
        assert back.verdict is opposite.get(there.verdict, there.verdict)


@pytest.mark.parametrize(
    ("measure", "bucket"),
    [
        ("P@1", "added"),
        ("nDCG@2", "improved"),
        ("P(rel=2)@3", "unchanged"),
        ("RR(rel=2)", "unchanged"),
        ("AP", "improved"),
        # Two are relevant, one is of grade 2; rank 2 holds something, rank 1 does not.
        ("Rprec", "unchanged"),
        ("Rprec(rel=2)", "unchanged"),
        ("RprecMult@0.5", "added"),
    ],
)
def test_buckets_look_at_the_measures_own_depth_and_grade(measure, bucket):
    old = Run("old", {"q": {"x": 3.0, "good": 2.0, "best": 1.0}})
    new = Run("new", {"q": {"good": 3.0, "x": 2.0, "best": 1.0}})
    (one,) = compare({"q": {"good": 1, "best": 2}}, [old, new], [measure])
    assert [name for name, members in one.changed.to_dict().items() if members] == [bucket]


@pytest.mark.parametrize(
    "name", [n for n, its in MEASURES.items() if its.quality and not its.of_order]
)
def test_what_a_measure_does_not_look_at_is_not_found_by_it(name):
    ats = {"RprecMult": "@0.5", "IPrec": "@0.3"}
    (measure,) = parse_measures(
        [name + ("@5" if MEASURES[name].cutoff == "required" else ats.get(name, ""))]
    )
    runs = [run("none", at(None)), run("late", at(9)), run("first", at(1))]
    to_late, to_first = compare(QRELS, runs, [measure])
    assert len(to_first.changed.added) == len(QRELS)
    seen = len(QRELS) if to_late.delta else 0
    assert (len(to_late.changed.added), len(to_late.changed.unchanged)) == (seen, 40 - seen)


def test_found_and_lost_come_before_better_and_worse():
    queries = [
        ("f", 0, False, False),
        ("e", 5, False, True),
        ("d", -5, True, False),
        ("c", 2, True, True),
        ("b", -2, True, True),
        ("a", 0, True, True),
    ]
    assert Changes.of(queries) == (("e",), ("d",), ("c",), ("b",), ("a", "f"))


GRADED = {q: {"good": 1, "fair": 1} for q in QRELS}
SLICES = {q: "odd" if int(q[1:]) % 2 else "even" for q in IDS[:36]}
TESTS = ["wilcoxon", "permutation", "bootstrap"]


def shuffled(tag, seed):
    generator = random.Random(seed)
    documents = ["good", "fair", *"abcdefgh"]
    return Run(tag, {q: {doc_id: generator.random() for doc_id in documents} for q in GRADED})


RUNS = [shuffled(tag, seed) for seed, tag in enumerate("abcd")]


def values_of(comparison):
    return (comparison.delta, comparison.ci95, dict(comparison.tests), comparison.changed)


def test_all_pairs_are_each_run_beside_every_earlier_one_and_the_same_alone():
    together = compare(GRADED, RUNS[:3], ["AP", "nDCG@5"], all_pairs=True, tests=TESTS)
    assert [(c.measure, c.baseline, c.tag) for c in together] == [
        (measure, one, other)
        for measure in ("AP", "nDCG@5")
        for one, other in combinations("abc", 2)
    ]
    assert together.baseline is None
    for comparison in together:
        two = [r for r in RUNS if r.tag in (comparison.baseline, comparison.tag)]
        (alone,) = compare(GRADED, two, comparison.measure, tests=TESTS)
        assert values_of(alone) == values_of(comparison)


def test_a_slice_is_compared_as_if_it_were_all():
    result = compare(GRADED, RUNS[:3], ["AP", "RR"], slices=SLICES, tests=TESTS, tukey=True)
    assert [(c.measure, c.slice, c.tag, c.queries) for c in result] == [
        (measure, name, tag, queries)
        for measure in ("AP", "RR")
        for name, queries in (("even", 18), ("odd", 18), ("", 4))
        for tag in "bc"
    ]
    inside = {q: GRADED[q] for q in GRADED if SLICES.get(q) == "odd"}
    alone = compare(inside, RUNS[:3], ["AP", "RR"], tests=TESTS, tukey=True)
    assert [values_of(c) for c in result if c.slice == "odd"] == [values_of(c) for c in alone]
    assert [(t.delta, t.p) for t in result.tukey if t.slice == "odd"] == [
        (t.delta, t.p) for t in alone.tukey
    ]
    assert [c.verdict for c in result if c.slice == ""] == [Verdict.TOO_FEW] * 4


@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
@pytest.mark.parametrize(
    ("runs", "settings", "size"),
    [(RUNS, {}, 6), (RUNS, {"all_pairs": True}, 12), (RUNS[:3], {"slices": SLICES}, 12)],
)
def test_the_family_is_every_measure_and_run_and_slice(runs, settings, size, correction):
    found = compare(GRADED, runs, ["AP", "RR"], correction=correction, **settings).comparisons
    assert len(found) == size
    for test in ("wilcoxon", "permutation"):
        raw = [one.tests[test].p for one in found]
        assert min(p for p in raw if p is not None) < 1 / size  # else all of them become 1
        adjusted = [None if isnan(p) else p for p in adjust(raw, correction).tolist()]
        assert [one.p_adjusted[test] for one in found] == adjusted


def test_pairs_are_the_same_in_blocks_of_any_size(monkeypatch):
    def every_pair(**settings):
        return compare(GRADED, RUNS, ["AP", "RR"], all_pairs=True, slices=SLICES, **settings)

    whole = every_pair(tests=["permutation", "t"])
    monkeypatch.setattr("judge_tui.comparison.compare._PAIRS", 4)
    found = every_pair(tests=["permutation", "t"])
    assert len(found) > 8
    assert found.comparisons == whole.comparisons
    assert found.to_rows() == whole.to_rows()
    assert found[-1] == list(found)[-1] == whole[len(whole) - 1]
    with pytest.raises(IndexError):
        found[len(whole)]


def test_slices_can_have_measures_of_their_own():
    asked, other = parse_measures(["AP"]), parse_measures(["RR", "AP"])
    scores = score_runs(GRADED, RUNS[:2], measures_needed([*asked, *other]))
    cut = slice_scores(scores.only(asked), "by", SLICES, {"odd": other})
    result = compare_scores(replace(scores, slices=cut), ComparisonSettings())
    assert [(c.measure, c.slice) for c in result] == [
        ("AP", "even"),
        ("AP", "odd"),
        ("AP", ""),
        ("RR", "odd"),
    ]


def test_a_comparison_needs_no_scipy():
    # Its import takes as long as the comparison; only the t test has need of it.
    names = imported_by(
        "import judge_tui; q = {'q': {'a': 1}, 'r': {'a': 1}};"
        "r = {'q': {'a': 1.0}, 'r': {'b': 1.0}};"
        "judge_tui.compare(q, {'x': r, 'y': r}, 'AP', tests=('wilcoxon', 'bootstrap'), tukey=True)"
    )
    assert ("numpy" in names, "scipy" in names) == (True, False)


@pytest.mark.parametrize(
    ("before", "after", "test", "reason"),
    [
        # Better, and the same twice: there is nothing to explain.
        (at(2), at(1), "wilcoxon", ""),
        (at(2), at(2), "wilcoxon", ""),
        (at(2), at(2, (5, 1)), "wilcoxon", TOO_LITTLE),
        # 34 gains of 1/6 are a little less than 6 losses of 1.
        (
            at(3, (6, 1)),
            at(2, (6, None)),
            "wilcoxon",
            "the wilcoxon test and the mean point different ways",
        ),
        # Of twelve differences nine are up: the sign test sees p .146, the interval leaves out 0.
        (
            at(2),
            at(2, (9, 1), (3, 3)),
            "sign",
            "p 0.1460 by the sign test, which gives the verdict",
        ),
    ],
)
def test_why_no_difference_is_shown(before, after, test, reason):
    found, one = compared(before, after, tests=[test])
    assert found.reason(one) == reason


def test_what_a_correction_takes_away_is_a_reason():
    # Seven of forty are better: p .0156 alone, four times that for four runs.
    runs = [run("old", at(2)), run("new", at(2, (7, 1))), *(run(tag, at(2)) for tag in "abc")]
    found = compare(QRELS, runs, ["RR@10"])
    assert found[0].verdict is Verdict.NOTHING_SHOWN
    assert found.reason(found[0]) == "p 0.0156 alone, 0.0625 corrected for 4 comparisons"


def test_queries_one_by_one_stand_by_their_gain():
    _, one = compared(at(2), at(2, (1, None), (1, 3), (1, 2), (1, 1)))
    first, *ties, fourth, last = one.by_query
    assert first == ("q03", 0.5, 1.0, 0.5, "improved")
    assert [row.query_id for row in ties] == sorted(set(QRELS) - {"q00", "q01", "q03"})
    assert fourth[0] == "q01"
    assert last == ("q00", 0.5, 0.0, -0.5, "removed")
