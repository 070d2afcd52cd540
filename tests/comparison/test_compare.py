"""Runs compared: what is paired with what, what is said of each pair, and in which form."""

import random
from dataclasses import replace
from itertools import combinations

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


def run(tag, ranks):
    """A run that has the relevant document of each query at a rank; None: not at all."""
    scores = {}
    for query_id, rank in ranks.items():
        others = {f"x{place}": float(-place) for place in range(1, 12) if place != rank}
        scores[query_id] = others if rank is None else {**others, "good": float(-rank)}
    return Run(tag, scores)


def all_at(tag, rank):
    return run(tag, dict.fromkeys(QRELS, rank))


def test_a_better_run():
    result = compare(QRELS, [all_at("old", 2), all_at("new", 1)], ["RR@10"])
    (comparison,) = result.comparisons
    assert (comparison.baseline, comparison.tag) == ("old", "new")
    assert (comparison.baseline_mean, comparison.mean, comparison.delta) == (0.5, 1.0, 0.5)
    assert (comparison.wins, comparison.ties, comparison.losses) == (40, 0, 0)
    assert comparison.nonzero == 40
    assert comparison.tests["wilcoxon"].p == 2 / 2**40  # two patterns of 2^40
    assert comparison.tests["permutation"].p == 2 / 2**40
    assert comparison.verdict is Verdict.BETTER
    assert len(comparison.changed.improved) == 40
    assert comparison.effect_size is None
    assert comparison.ci95 is None
    assert comparison.why == {
        "ci95": "the difference is the same for all 40 queries, and so in every resample",
        "effect_size": "a standard deviation needs at least 2 queries with unequal differences",
    }


def test_a_significant_loss_is_never_called_an_improvement():
    result = compare(QRELS, [all_at("old", 1), all_at("new", 2)], ["RR@10"])
    assert result.comparisons[0].verdict is Verdict.WORSE
    assert result.comparisons[0].delta == -0.5


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_a_comparison_without_a_p_belongs_to_the_family(correction):
    after = dict.fromkeys(QRELS, 1) | dict.fromkeys(list(QRELS)[:9], 2)
    runs = [all_at("old", 1), run("new", after), all_at("same", 1), all_at("twin", 1)]
    result = compare(QRELS, runs, ["RR"], correction=correction)
    # Nine losses of one size: 2 of the 2^9 sign patterns, .0039; the family is three.
    assert [c.tests["wilcoxon"].p for c in result.comparisons] == [2 / 2**9, None, None]
    assert [c.p_adjusted["wilcoxon"] for c in result.comparisons] == [3 * 2 / 2**9, None, None]


def test_fewer_than_6_queries_that_differ_have_no_p():
    after = dict.fromkeys(QRELS, 1) | dict.fromkeys(list(QRELS)[:5], 2)
    result = compare(
        QRELS,
        [all_at("old", 1), run("new", after)],
        ["RR"],
        tests=["wilcoxon", "sign", "permutation", "t"],
    )
    (comparison,) = result.comparisons
    assert comparison.nonzero == 5
    for name in ("wilcoxon", "sign"):
        assert comparison.tests[name].p is None
        assert comparison.tests[name].why == (
            "the runs differ for 5 of 40 queries; the test needs 6"
        )
    assert comparison.tests["permutation"].p == 0.0625
    assert comparison.verdict is Verdict.NOTHING_SHOWN
    entry = comparison.to_dict()["tests"]["wilcoxon"]
    assert entry == {"p": None, "why": comparison.tests["wilcoxon"].why}


def test_fewer_than_6_pairs_are_too_few():
    few = {q: QRELS[q] for q in list(QRELS)[:5]}
    result = compare(few, [all_at("old", 2), all_at("new", 1)], ["RR"])
    assert result.comparisons[0].verdict is Verdict.TOO_FEW


def test_identical_runs_show_no_difference():
    result = compare(
        QRELS, [all_at("old", 2), all_at("new", 2)], ["RR"], tests=["wilcoxon", "permutation"]
    )
    (comparison,) = result.comparisons
    assert comparison.verdict is Verdict.NOTHING_SHOWN
    assert comparison.tests["wilcoxon"].why == "no query differs"
    assert comparison.tests["permutation"].p == 1.0
    assert comparison.ci95 is None
    assert comparison.why["ci95"] == (
        "the difference is the same for all 40 queries, and so in every resample"
    )
    assert (comparison.wins, comparison.ties, comparison.losses) == (0, 40, 0)


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
    old = run("old", {q: 1 for q in QRELS if q != "q00"})
    new = run("new", {q: 2 for q in reversed(QRELS) if q != "q01"} | {"q99": 1})
    result = compare(QRELS, [old, new], ["RR"])
    assert result.comparisons[0].queries == 38
    assert result.comparisons[0].baseline_mean == 1.0


def test_no_query_in_common():
    old, new = run("old", {"q00": 1}), run("new", {"q01": 1})
    with pytest.raises(UsageError, match="runs 'old' and 'new' have no judged query in common"):
        compare(QRELS, [old, new], ["RR"])


def test_the_baseline_can_be_named():
    runs = [all_at("a", 1), all_at("b", 2), all_at("c", 3)]
    result = compare(QRELS, runs, ["RR"], baseline="b")
    assert [(c.baseline, c.tag) for c in result.comparisons] == [("b", "a"), ("b", "c")]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"baseline": "c"}, "no run 'c'"),
        ({"tests": ["anova"]}, "no test 'anova'"),
        ({"correction": "bonferroni"}, "no correction 'bonferroni'"),
        ({"alternative": "more"}, "no alternative 'more'"),
        ({"alpha": 0.0}, "alpha 0.0 is not between 0 and 1"),
        ({"alpha": float("nan")}, "alpha nan is not between 0 and 1"),
        ({"seed": -1}, "seed -1 is negative"),
    ],
)
def test_settings_that_do_not_exist_are_refused(settings, what):
    with pytest.raises(UsageError) as error:
        compare(QRELS, [all_at("a", 1), all_at("b", 2)], ["RR"], **settings)
    assert error.value.what == what


def test_one_run_is_no_comparison():
    with pytest.raises(UsageError, match="needs two runs, here 1"):
        compare(QRELS, [all_at("a", 1)], ["RR"])


ranks = st.lists(st.sampled_from([1, 2, 3, 4, 10, None]), min_size=12, max_size=12)


@given(ranks, ranks)
def test_swapping_the_runs_negates_the_difference_and_keeps_p(one, other):
    a = run("a", dict(zip(QRELS, one, strict=False)))
    b = run("b", dict(zip(QRELS, other, strict=False)))
    tests = ["wilcoxon", "pratt", "permutation", "t", "sign"]
    measures = ["nDCG@3", "RR", "P@5"]
    forward = compare(QRELS, [a, b], measures, tests=tests).comparisons
    backward = compare(QRELS, [b, a], measures, tests=tests).comparisons
    for there, back in zip(forward, backward, strict=True):
        assert there.delta == pytest.approx(-back.delta, abs=1e-15)
        assert (there.wins, there.losses) == (back.losses, back.wins)
        assert there.changed.added == back.changed.removed
        for name in tests:
            assert there.tests[name].p == pytest.approx(back.tests[name].p, abs=1e-9)
        opposite = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
        assert back.verdict is opposite.get(there.verdict, there.verdict)


def test_the_result_as_json_has_it():
    after = {q: 1 if i % 4 else 3 for i, q in enumerate(QRELS)}
    document = compare(QRELS, [all_at("old", 2), run("new", after)], ["RR"]).to_dict()
    assert list(document) == ["schema_version", "settings", "comparisons", "warnings"]
    assert document["settings"] == {
        "baseline": "old",
        "all_pairs": False,
        "tests": ["wilcoxon", "permutation"],
        "verdict_by": "wilcoxon",
        "correction": "holm",
        "alternative": "two-sided",
        "p_adjusted_of": "p",
        "complete": False,
        "alpha": 0.05,
        "seed": 0,
        "permutations": 100_000,
        "resamples": 10_000,
    }
    (entry,) = document["comparisons"]
    assert list(entry) == [
        "measure",
        "baseline",
        "tag",
        "queries",
        "baseline_mean",
        "mean",
        "delta",
        "ci95",
        "wins",
        "ties",
        "losses",
        "nonzero",
        "tests",
        "effect_size",
        "detectable_effect",
        "verdict",
        "changed",
    ]
    assert list(entry["tests"]["wilcoxon"]) == [
        "statistic",
        "p",
        "p_greater",
        "p_less",
        "p_adjusted",
    ]
    assert list(entry["changed"]) == ["added", "removed", "improved", "degraded", "unchanged"]
    assert entry["verdict"] == "better"


def test_buckets_look_at_the_measures_own_depth_and_grade():
    qrels = {"q": {"good": 1, "best": 2}}
    old = Run("old", {"q": {"x": 3.0, "good": 2.0, "best": 1.0}})
    new = Run("new", {"q": {"good": 3.0, "x": 2.0, "best": 1.0}})

    def bucket(measure):
        changed = compare(qrels, [old, new], [measure]).comparisons[0].changed
        return next(name for name, members in changed.to_dict().items() if members)

    assert bucket("P@1") == "added"
    assert bucket("nDCG@2") == "improved"
    assert bucket("P(rel=2)@3") == "unchanged"
    assert bucket("RR(rel=2)") == "unchanged"
    assert bucket("AP") == "improved"
    # Two are relevant, one is of grade 2; rank 2 holds something, rank 1 does not.
    assert bucket("Rprec") == "unchanged"
    assert bucket("Rprec(rel=2)") == "unchanged"
    assert bucket("RprecMult@0.5") == "added"


@pytest.mark.parametrize(
    "name", [n for n, its in MEASURES.items() if its.quality and not its.of_order]
)
def test_what_a_measure_does_not_look_at_is_not_found_by_it(name):
    ats = {"RprecMult": "@0.5", "IPrec": "@0.3"}
    (measure,) = parse_measures(
        [name + ("@5" if MEASURES[name].cutoff == "required" else ats.get(name, ""))]
    )
    none, late, first = all_at("none", None), all_at("late", 9), all_at("first", 1)
    to_late, to_first = compare(QRELS, [none, late, first], [measure]).comparisons
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
    assert Changes.of(queries).to_dict() == {
        "added": ["e"],
        "removed": ["d"],
        "improved": ["c"],
        "degraded": ["b"],
        "unchanged": ["a", "f"],
    }


GRADED = {f"q{i:02}": {"good": 1, "fair": 1} for i in range(40)}


def shuffled(tag, seed):
    generator = random.Random(seed)
    documents = ["good", "fair", *"abcdefgh"]
    return Run(tag, {q: {doc_id: generator.random() for doc_id in documents} for q in GRADED})


def values_of(comparison):
    return (comparison.delta, comparison.ci95, dict(comparison.tests), comparison.changed)


RUNS = [shuffled(tag, seed) for seed, tag in enumerate("abcd")]


TESTS = ["wilcoxon", "permutation", "bootstrap", "t"]


def test_all_pairs_are_each_run_beside_every_earlier_one():
    result = compare(GRADED, RUNS, ["AP", "RR"], all_pairs=True)
    pairs = list(combinations("abcd", 2))
    assert [(c.measure, c.baseline, c.tag) for c in result.comparisons] == [
        (measure, one, other) for measure in ("AP", "RR") for one, other in pairs
    ]
    assert result.baseline is None


def test_a_comparison_is_the_same_whatever_stands_beside_it():
    together = compare(GRADED, RUNS, ["AP", "nDCG@5"], all_pairs=True, tests=TESTS)
    for comparison in together.comparisons:
        two = [r for r in RUNS if r.tag in (comparison.baseline, comparison.tag)]
        alone = compare(GRADED, two, comparison.measure, tests=TESTS).comparisons[0]
        assert values_of(alone) == values_of(comparison)


SLICES = {q: "odd" if int(q[1:]) % 2 else "even" for q in list(GRADED)[:36]}


def test_a_slice_is_compared_as_if_it_were_all():
    result = compare(GRADED, RUNS[:3], ["AP", "RR"], slices=SLICES, tests=TESTS, tukey=True)
    assert [(c.measure, c.slice, c.tag, c.queries) for c in result.comparisons] == [
        (measure, name, tag, queries)
        for measure in ("AP", "RR")
        for name, queries in (("even", 18), ("odd", 18), ("", 4))
        for tag in "bc"
    ]
    for name in ("even", "odd"):
        inside = {q: GRADED[q] for q in GRADED if SLICES.get(q) == name}
        alone = compare(inside, RUNS[:3], ["AP", "RR"], tests=TESTS, tukey=True)
        within = [c for c in result.comparisons if c.slice == name]
        assert [values_of(c) for c in within] == [values_of(c) for c in alone.comparisons]
        assert [(t.delta, t.p) for t in result.tukey if t.slice == name] == [
            (t.delta, t.p) for t in alone.tukey
        ]
    assert [c.verdict for c in result.comparisons if c.slice == ""] == [Verdict.TOO_FEW] * 4


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
        assert [one.p_adjusted[test] for one in found] == adjust(raw, correction)


def test_slices_can_have_measures_of_their_own():
    asked, other = parse_measures(["AP"]), parse_measures(["RR", "AP"])
    scores = score_runs(GRADED, RUNS[:2], measures_needed([*asked, *other]))
    cut = slice_scores(scores.only(asked), "by", SLICES, {"odd": other})
    result = compare_scores(replace(scores, slices=cut), ComparisonSettings())
    assert [(c.measure, c.slice) for c in result.comparisons] == [
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


ODD = dict(zip(QRELS, [3] * 34 + [1] * 6, strict=True))
EVEN = dict(zip(QRELS, [2] * 34 + [None] * 6, strict=True))


@pytest.mark.parametrize(
    ("before", "after", "test", "reason"),
    [
        # Better, and the same twice: there is nothing to explain.
        (dict.fromkeys(QRELS, 2), dict.fromkeys(QRELS, 1), "wilcoxon", ""),
        (dict.fromkeys(QRELS, 2), dict.fromkeys(QRELS, 2), "wilcoxon", ""),
        (
            dict.fromkeys(QRELS, 2),
            dict.fromkeys(QRELS, 2) | dict.fromkeys(list(QRELS)[:5], 1),
            "wilcoxon",
            "the runs differ for 5 of 40 queries; the test needs 6",
        ),
        # 34 gains of 1/6 are a little less than 6 losses of 1.
        (ODD, EVEN, "wilcoxon", "the wilcoxon test and the mean point different ways"),
        # Of twelve differences nine are up: the sign test sees p .146, the interval leaves out 0.
        (
            dict.fromkeys(QRELS, 2),
            dict.fromkeys(QRELS, 2)
            | dict.fromkeys(list(QRELS)[:9], 1)
            | dict.fromkeys(list(QRELS)[9:12], 3),
            "sign",
            "p 0.1460 by the sign test, which gives the verdict",
        ),
    ],
)
def test_why_no_difference_is_shown(before, after, test, reason):
    found = compare(QRELS, [run("old", before), run("new", after)], ["RR@10"], tests=[test])
    assert found.reason(found[0]) == reason


def test_what_a_correction_takes_away_is_told():
    # Seven of forty are better: p .0156 alone, four times that for four runs.
    better = dict.fromkeys(QRELS, 2) | dict.fromkeys(list(QRELS)[:7], 1)
    runs = [all_at("old", 2), run("new", better), *(all_at(tag, 2) for tag in "abc")]
    found = compare(QRELS, runs, ["RR@10"])
    new = next(one for one in found if one.tag == "new")
    assert new.verdict is Verdict.NOTHING_SHOWN
    assert found.reason(new) == "p 0.0156 alone, 0.0625 corrected for 4 comparisons"


def test_queries_one_by_one_stand_by_their_gain():
    at = dict(zip(QRELS, [None, 3, 2, 1, *[2] * 36], strict=True))
    (one,) = compare(QRELS, [all_at("old", 2), run("new", at)], ["RR@10"])
    first, *ties, fourth, last = one.by_query
    assert first == ("q03", 0.5, 1.0, 0.5, "improved")
    assert [row.query_id for row in ties] == sorted(set(QRELS) - {"q00", "q01", "q03"})
    assert fourth[0] == "q01"
    assert last == ("q00", 0.5, 0.0, -0.5, "removed")
