"""What unjudged documents leave open of the means of a campaign's runs."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.leaderboard import mean_bounds
from judge_tui.scoring import MEASURES, parse_measure, parse_measures
from judge_tui.scoring.bounds import open_beyond, unbounded
from tests.analysis.small import judged_runs_of


def test_the_worked_example_of_the_design():
    # Qrels {d1: 1}, a run d1, u2 ... u10: nDCG is 1 with all others 0, .853 with all others 3, and
    # less where only the later ones are 3.
    judged = judged_runs_of({"r": {"q": "abcdefghij"}}, {"q": "a1"})
    low, high = mean_bounds(judged, parse_measures("nDCG@10"), (0, 1, 2, 3)).of["nDCG@10"]["r"]
    assert high == 1.0
    assert low <= 0.853


def every_measure(*, at: str = "", cutoff: str = "") -> Iterator[str]:
    """Each of the registry, with that after the @, or with what it needs there."""
    for name, definition in MEASURES.items():
        if definition.at is not None:
            yield f"{name}@{at or definition.at.default}"
        elif definition.cutoff == "required" or (cutoff and definition.cutoff == "optional"):
            yield f"{name}@{cutoff or 3}"
        else:
            yield name


def test_measures_without_bounds_say_why():
    judged = judged_runs_of({"r": {"q": "ab"}}, {"q": "a1"})
    names = ["Judged@2", "nDCG@2", "ERR(max_rel=1)@2"]
    found = mean_bounds(judged, parse_measures(names), (0, 1, 2))
    assert list(found.of) == ["nDCG@2"]
    assert found.why["Judged@2"] == unbounded(parse_measure("Judged@2"))
    assert "grade 2, above the greatest" in found.why["ERR(max_rel=1)@2"]


def test_what_is_below_a_cut_matters_to_some_measures_alone():
    # Grading a document behind the cutoff changes what these are worth, or it does not.
    judged = judged_runs_of({"r": {"q": "ab"}}, {"q": "a1"})
    longer = judged_runs_of({"r": {"q": "abc"}}, {"q": "a1"})
    alone = set()
    for name in every_measure(cutoff="2"):
        cut, whole = (mean_bounds(one, [parse_measure(name)], (0, 1)) for one in (judged, longer))
        if cut.of != whole.of:
            assert name in cut.of_kept
        alone |= cut.of.keys() - cut.of_kept
    assert alone == {"RR@2", "P@2", "Success@2", "RBP@2", "ERR@2", "SetP@2"}


def test_every_bounded_measure_of_the_registry_is_bounded_here():
    judged = judged_runs_of({"r": {"q": "abcd"}}, {"q": "a1 c0"})
    for name in every_measure():
        measure = parse_measure(name)
        found = mean_bounds(judged, [measure], (0, 1, 2))
        assert (measure.name in found.of) == (unbounded(measure) is None)


def test_which_measures_a_document_that_only_others_found_takes_below_the_low_bound():
    # r has a, relevant, and b, unjudged; c is in the lists of another alone.
    lists = {"r": {"q": "ab"}, "s": {"q": "c"}}
    now, later = (judged_runs_of(lists, {"q": grades}) for grades in ("a1", "a1 c1"))
    below, said = set(), set()
    for name in (*every_measure(at="1"), "Utility(miss=-1)"):
        measure = parse_measure(name)
        ends = mean_bounds(now, [measure], (0, 1))
        if measure.name in ends.of:
            bounds = ends.of[measure.name]["r"]
            assert bounds is not None
            if later.means(measure)[0] < bounds[0] - 1e-9:
                below.add(name)
            said |= {name} if open_beyond(measure) else set()
    assert {name for name in said if "@" in name} == {name for name in below if "@" in name}
    assert below <= said
