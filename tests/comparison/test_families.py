"""What is compared with what: all pairs, slices, gates; and no comparison changes another."""

import random
from itertools import combinations

import pytest

import judge_tui
from judge_tui import compare
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.family import Settings, Verdict, adjust
from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import parse_measures
from tests.imports import imported_by
from tests.scored import score_runs

QRELS = {f"q{i:02}": {"good": 1, "fair": 1} for i in range(40)}


def run(tag, seed, query_ids=tuple(QRELS)):
    generator = random.Random(seed)
    documents = ["good", "fair", *"abcdefgh"]
    return Run(tag, {q: {doc_id: generator.random() for doc_id in documents} for q in query_ids})


def values_of(comparison):
    return (comparison.delta, comparison.ci95, dict(comparison.tests), comparison.changed)


RUNS = [run(tag, seed) for seed, tag in enumerate("abcd")]
TESTS = ["wilcoxon", "permutation", "bootstrap", "t"]


def test_all_pairs_are_each_run_beside_every_earlier_one():
    result = compare(QRELS, RUNS, ["AP", "RR"], all_pairs=True)
    pairs = list(combinations("abcd", 2))
    assert [(c.measure, c.baseline, c.tag) for c in result.comparisons] == [
        (measure, one, other) for measure in ("AP", "RR") for one, other in pairs
    ]
    assert result.baseline is None


def test_a_comparison_is_the_same_whatever_stands_beside_it():
    together = compare(QRELS, RUNS, ["AP", "nDCG@5"], all_pairs=True, tests=TESTS)
    for comparison in together.comparisons:
        two = [r for r in RUNS if r.tag in (comparison.baseline, comparison.tag)]
        alone = compare(QRELS, two, comparison.measure, tests=TESTS).comparisons[0]
        assert values_of(alone) == values_of(comparison)


def test_all_pairs_have_no_baseline():
    with pytest.raises(UsageError, match="all pairs of runs have no baseline"):
        Settings(baseline="a", all_pairs=True)


SLICES = {q: "odd" if int(q[1:]) % 2 else "even" for q in list(QRELS)[:36]}


def test_a_slice_is_compared_as_if_it_were_all():
    result = compare(QRELS, RUNS[:3], ["AP", "RR"], slices=SLICES, tests=TESTS, tukey=True)
    assert [(c.measure, c.slice, c.tag, c.queries) for c in result.comparisons] == [
        (measure, name, tag, queries)
        for measure in ("AP", "RR")
        for name, queries in (("even", 18), ("odd", 18), ("", 4))
        for tag in "bc"
    ]
    for name in ("even", "odd"):
        inside = {q: QRELS[q] for q in QRELS if SLICES.get(q) == name}
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
    found = compare(QRELS, runs, ["AP", "RR"], correction=correction, **settings).comparisons
    assert len(found) == size
    for test in ("wilcoxon", "permutation"):
        raw = [one.tests[test].p for one in found]
        assert min(p for p in raw if p is not None) < 1 / size  # else all of them become 1
        assert [one.p_adjusted[test] for one in found] == adjust(raw, correction)


def test_slices_can_have_measures_of_their_own():
    asked, other = parse_measures(["AP"]), parse_measures(["RR", "AP"])
    scores = score_runs(QRELS, RUNS[:2], measures_needed([*asked, *other]))
    result = compare_scores(scores, asked, slices=SLICES, measures_of={"odd": other})
    assert [(c.measure, c.slice) for c in result.comparisons] == [
        ("AP", "even"),
        ("AP", "odd"),
        ("AP", ""),
        ("RR", "odd"),
    ]


def test_the_library_has_all_of_it():
    result = judge_tui.compare(QRELS, RUNS, "AP", all_pairs=True, slices=SLICES, tukey=True)
    assert len(result.comparisons) == 18
    assert len(result.tukey) == 18


def test_a_comparison_needs_no_scipy():
    # Its import takes as long as the comparison; only the t test has need of it.
    names = imported_by(
        "import judge_tui; q = {'q': {'a': 1}, 'r': {'a': 1}};"
        "r = {'q': {'a': 1.0}, 'r': {'b': 1.0}};"
        "judge_tui.compare(q, {'x': r, 'y': r}, 'AP', tests=('wilcoxon', 'bootstrap'), tukey=True)"
    )
    assert ("numpy" in names, "scipy" in names) == (True, False)
