"""What to do next: the most pressing first, with the command that does it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge_tui.agreement.estimates import Estimate
from judge_tui.analysis.enough import Answer, Enough
from judge_tui.campaign.overview.disagreements import Disputes
from judge_tui.campaign.overview.enough import EnoughNow
from judge_tui.campaign.overview.progress import JudgeProgress, Progress, RunCoverage
from judge_tui.campaign.overview.status import next_steps
from judge_tui.campaign.store.pool import LatestRound


def person(name: str, pairs: int, done: int, **more: object) -> JudgeProgress:
    return JudgeProgress(name, "judge", "human", pairs, done, 0, 0, 0, **more)


def coverage(tag: str, judged: int) -> RunCoverage:
    return RunCoverage(tag, 10, 10, judged)


DONE = Progress(
    path=Path("campaign.db"),
    queries=2,
    runs=2,
    documents=6,
    documents_with_text=6,
    pairs=6,
    assigned=None,
    judged=6,
    unresolved=0,
    missing=(),
    judges=(person("ann", 6, 6),),
    coverage=(coverage("alpha", 10), coverage("beta", 10)),
    to_pool=0,
    to_judge=0,
)
SETTLED = [
    "All that is pooled is judged: see the results: judge-tui results",
    "Write the report: judge-tui report",
    "Export the grades: judge-tui export qrels -o FILE",
]
SO_FAR = "See how the systems stand so far: judge-tui results"
ANN_LEFT = "ann: 4 of 6 pairs left: judge-tui judge --judge ann"
BEGUN = {"judges": (person("ann", 6, 2),), "judged": 2}
NO_TEXT = "2 pooled documents have no text: judge-tui load docs FILE"
LOAD_RUNS = "Load the systems' runs: judge-tui load run FILE..."
LEAST = "beta has 40 % of its top 10 judged (unjudged counts as not relevant):"
UNCOVERED = {"coverage": (coverage("alpha", 9), coverage("beta", 4))}

CASES = [
    ({}, SETTLED),
    ({"queries": 0}, ["Load the queries: judge-tui load queries FILE"]),
    ({"runs": 0}, [LOAD_RUNS]),
    ({"pairs": 0}, ["Build the pool: judge-tui pool"]),
    ({"is_part": True, **BEGUN}, [ANN_LEFT, "Send this file home; there: judge-tui merge FILE"]),
    ({"missing": ("d1", "d2")}, [NO_TEXT, *SETTLED]),
    ({"missing": ("d1", "d2"), "runs": 0}, [NO_TEXT, LOAD_RUNS]),
    # The furthest behind comes first; a hidden repeat is no pair; many are counted.
    (
        {"judges": (person("bob", 10, 9, repeats=1), person("ann", 6, 2)), "judged": 6},
        [ANN_LEFT, "bob: 1 of 10 judgments left: judge-tui judge --judge bob", SO_FAR],
    ),
    (
        {"judges": tuple(person(name, 6, 5) for name in "abcd")},
        ["4 judges: 4 of 24 judgments left: judge-tui judge --judge NAME", SO_FAR],
    ),
    # A model is nobody to remind.
    ({"judges": (replace(person("bot", 6, 2), kind="model"), person("ann", 6, 6))}, SETTLED),
    (
        {"judges": (person("ann", 3, 3), person("anm", 3, 0)), "judged": 3, "assigned": 6},
        ["anm: 3 of 3 pairs left: judge-tui judge --judge anm", SO_FAR],
    ),
    ({"judges": (), "judged": 0}, ["Let somebody judge: judge-tui judge --judge NAME"]),
    (
        {"assigned": 5},
        ["1 pair is given to nobody: judge-tui assign --judges ann", *SETTLED],
    ),
    # What was skipped, or cannot be judged, is not to be judged again.
    ({**BEGUN, **UNCOVERED}, [ANN_LEFT, f"{LEAST} 6 to judge", SO_FAR]),
    (UNCOVERED, [f"{LEAST} 6 skipped or not to be judged", *SETTLED]),
    ({**UNCOVERED, "assigned": 6}, [f"{LEAST} 6 skipped or not to be judged", *SETTLED]),
    (
        {"coverage": (coverage("alpha", 9), RunCoverage("beta", 10, 8, 4, unresolved=1))},
        [
            "beta has 40 % of its top 10 judged, 1 of them unresolved (unjudged counts as not"
            " relevant): 4 skipped or not to be judged, 2 not in the pool: judge-tui pool"
            " --depth 10",
            *SETTLED,
        ],
    ),
]


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(("changes", "steps"), CASES)
def test_steps(tmp_path, changes, steps):
    found = next_steps(replace(DONE, path=tmp_path / "campaign.db", **changes))
    assert [*map(str, found)] == steps


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(
    ("disputes", "unresolved", "what"),
    [
        (
            Disputes(41, 12),
            5,
            "41 disagreements are open: 12 can change the order of the systems, 5 unresolved"
            " (no majority), counted as unjudged",
        ),
        (Disputes(3, None), 0, "3 disagreements are open"),
    ],
)
def test_disagreements_come_before_the_results_where_they_matter(
    tmp_path, disputes, unresolved, what
):
    state = replace(DONE, path=tmp_path / "campaign.db", unresolved=unresolved)
    step = f"{what}: judge-tui settle --lead NAME"
    steps = [*map(str, next_steps(state, disputes))]
    assert steps == ([step, SO_FAR] if unresolved else [step, *SETTLED])


@pytest.mark.parametrize(
    ("alpha", "changes", "first"),
    [
        (Estimate(0.6669, (0.4, 0.6)), BEGUN, "alpha 0.6669 (0.40 to 0.60)"),
        (Estimate(0.5, (0.1, 0.9)), BEGUN, None),
        (Estimate(0.5, (0.1, 0.9)), {}, "alpha 0.50 (0.10 to 0.90)"),
        (Estimate(0.7, (0.4, 0.8)), {}, None),
        (Estimate(None, None, "all grades are the same"), {}, None),
    ],
)
def test_weak_agreement_comes_first_where_it_is_no_accident(alpha, changes, first):
    step = next_steps(replace(DONE, **changes), None, alpha)[0]
    assert (step.door == "settle") == (first is not None)
    assert step.what.endswith(first or "")


def test_damage_comes_first():
    steps = next_steps(replace(DONE, damaged=True, queries=0))
    assert steps[0].command == "judge-tui check campaign.db"
    assert len(steps) == 2


def pair(tag: str, answer: Answer, more: int | None = None) -> Enough:
    why = "" if more else "draw a sample"
    return Enough("alpha", tag, "nDCG@10", answer, (0.1, 0.2), more=more, left=200, why=why)


OPEN_PAIRS = [
    (
        [pair("beta", Answer.OPEN, 120), pair("c d", Answer.OPEN, 40), pair("e", Answer.LIKELY)],
        "c d is not told from alpha yet: about 40 random pairs more: judge-tui pool"
        " --strategy settle --between alpha 'c d' --depth 20 --budget 10 --until settled",
        None,
    ),
    (
        [replace(pair("beta", Answer.OPEN, 200), measure="P@5")],
        "beta is not told from alpha yet: judge all 200 that are left: judge-tui pool --strategy"
        " settle --between alpha beta -m P@5 --depth 20 --budget 10 --until settled",
        None,
    ),
    (
        [pair("beta", Answer.SETTLED), pair("gamma", Answer.OPEN)],
        "gamma is not told from alpha yet: draw a sample",
        None,
    ),
    (
        [pair("beta", Answer.SETTLED), pair("gamma", Answer.TOO_FEW)],
        None,
        "beta is told from alpha (settled): see the results: judge-tui results",
    ),
    (
        [pair("beta", Answer.SETTLED), pair("gamma", Answer.LIKELY)],
        None,
        "beta, gamma are told from alpha (settled or likely settled): see the results:"
        " judge-tui results",
    ),
    ([replace(pair("beta", Answer.SETTLED), bounds=(0.0, 0.0))], None, None),
]


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(("answers", "step", "told"), OPEN_PAIRS)
def test_what_tells_runs_apart_comes_once_all_is_judged(tmp_path, answers, step, told):
    """And where a sample tells, no pool of all that is not judged is offered."""
    state = replace(DONE, path=tmp_path / "campaign.db", **UNCOVERED)
    enough = EnoughNow(tuple(answers), sampled=True)
    steps = [*map(str, next_steps(state, enough=enough, latest=LatestRound(4, 20)))]
    assert steps == [*([step] if step else []), told or SETTLED[0], *SETTLED[1:]]
    waiting = replace(state, **BEGUN)
    assert [*map(str, next_steps(waiting, enough=enough))] == [ANN_LEFT, told or SO_FAR]
