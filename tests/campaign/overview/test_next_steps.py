"""What to do next: the most pressing first, with the command that does it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge_tui.agreement.estimates import Estimate
from judge_tui.campaign import Campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.disagreements import Disputes
from judge_tui.campaign.overview.next_steps import Step, next_steps, steps_of
from judge_tui.campaign.overview.progress import JudgeProgress, Progress, progress
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from tests.grades_by_file import grade_by_file
from tests.in_the_app import SEEN, grade_in_the_app
from tests.loading_runs import load_run

pytestmark = pytest.mark.usefixtures("usual")


def person(name: str, pairs: int, done: int) -> JudgeProgress:
    return JudgeProgress(name, "judge", "human", pairs, done, 0, 0, 0)


def state(campaign: Campaign, *judges: JudgeProgress) -> Progress:
    return replace(progress(campaign), judges=judges)


def grade(campaign: Campaign, judge: str, *grades: int) -> None:
    """Grade the first pairs of the pool."""
    key = add_judge(campaign, judge).key
    pairs = [pair for (pair,) in campaign.rows("SELECT id FROM pool ORDER BY id")]
    for pair, given in zip(pairs, grades, strict=False):
        append_event(campaign, judge=key, pair=pair, action="grade", grade=given, painted_at=SEEN)


def test_a_new_campaign_is_led_from_one_command_to_the_next(tmp_path: Path, files: Path) -> None:
    from judge_tui.campaign import create_campaign
    from judge_tui.model import DEFAULT_SCALE

    with create_campaign(tmp_path / "campaign.db", name="new", scale=DEFAULT_SCALE) as campaign:

        def first() -> str:
            return next_steps(progress(campaign))[0]

        assert first() == "Load the queries: judge-tui load queries FILE"
        load_queries(campaign, files / "queries.jsonl")
        assert first() == "Load the systems' runs: judge-tui load run FILE..."
        load_run(campaign, files / "alpha.run")
        assert first() == "Build the pool: judge-tui pool"
        extend_pool(campaign, depth=1)
        assert first() == "2 pooled documents have no text: judge-tui load docs FILE"
        assert steps_of(progress(campaign))[1] == Step(
            "Let somebody judge", "judge-tui judge --judge NAME", "new-judge"
        )


def test_who_is_behind_the_others_comes_first_and_is_told_so(campaign: Campaign) -> None:
    judges = (person("ann", 100, 90), person("bob", 50, 10), person("cyd", 100, 100))
    assert [str(step) for step in steps_of(state(campaign, *judges))[:2]] == [
        "bob has 40 of 50 pairs left: judge-tui judge --judge bob",
        "ann has 10 of 100 pairs left: judge-tui judge --judge ann",
    ]


def test_a_model_is_nobody_to_remind(campaign: Campaign) -> None:
    bot = replace(person("bot", 10, 2), kind="model")
    assert not any("left" in step.what for step in steps_of(state(campaign, bot)))


def test_what_files_have_graded_is_nobodys_to_remind(campaign: Campaign) -> None:
    grade_by_file(campaign, "sheet", "q1 0 csv.reader 3\nq2 0 sorted 1\n")
    assert steps_of(progress(campaign))[0] == Step(
        "Let somebody judge: no file has graded 4 of 6 pairs",
        "judge-tui judge --judge NAME",
        "new-judge",
    )
    grade(campaign, "ann", 3)
    steps = steps_of(progress(campaign))
    assert steps[0].what == "ann has 5 of 6 pairs left"
    assert not any("sheet" in step.what or "somebody" in step.what for step in steps)


def test_a_campaign_that_files_have_graded_whole_is_judged(campaign: Campaign) -> None:
    pairs = campaign.rows(
        "SELECT query_id, doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document"
    )
    grade_by_file(campaign, "sheet", "".join(f"{q} 0 {d} 1\n" for q, d in pairs))
    assert steps_of(progress(campaign))[0].what == "All is judged and settled: see the results"


def test_a_lead_who_judges_nothing_is_not_behind(campaign: Campaign) -> None:
    add_judge(campaign, "lena", role="lead")
    steps = steps_of(progress(campaign))
    assert steps[0].what == "Let somebody judge"
    assert not any("left" in step.what for step in steps)
    grade(campaign, "lena", 3)
    assert steps_of(progress(campaign))[0].what == "lena has 5 of 6 pairs left"


def test_a_lead_who_was_given_a_share_is_to_judge_it(campaign: Campaign) -> None:
    add_judge(campaign, "lena", role="lead")
    assign(campaign, ["lena"])
    assert steps_of(progress(campaign))[0].what == "lena has 6 of 6 pairs left"


DONE = (person("ann", 6, 6), person("bob", 6, 6))


@pytest.mark.parametrize(
    ("disputes", "unresolved", "said"),
    [
        (
            Disputes(41, 12),
            5,
            "41 disagreements are open: 12 can change the order of the systems, 5 unresolved"
            " (no majority), counted as unjudged",
        ),
        (Disputes(1, 1), 0, "1 disagreement is open: 1 can change the order of the systems"),
        (Disputes(3, None), 0, "3 disagreements are open"),
        (
            Disputes(2, 0),
            0,
            "2 disagreements are open: 0 can change the order of the systems",
        ),
        (
            Disputes(1, 0),
            1,
            "1 disagreement is open: 0 can change the order of the systems, 1 unresolved"
            " (no majority), counted as unjudged",
        ),
    ],
)
def test_disagreements_and_whether_they_matter(
    campaign: Campaign, disputes: Disputes, unresolved: int, said: str
) -> None:
    grade(campaign, "ann", 1)
    now = replace(state(campaign, *DONE), unresolved=unresolved)
    steps = steps_of(now, disputes)
    assert Step(said, "judge-tui review --lead NAME", "review") in steps
    # What cannot change anything is not in the way of the results.
    settled = not unresolved and not disputes.swapping
    assert any(step.what.startswith("All is judged and settled") for step in steps) == settled
    places = [step.what for step in steps]
    uncovered = next(at for at, what in enumerate(places) if "(unjudged" in what)
    assert (places.index(said) < uncovered) == (not settled)


@pytest.mark.parametrize(
    ("alpha", "left", "told"),
    [
        (Estimate(0.5, (0.4, 0.6)), True, True),
        (Estimate(0.5, (0.1, 0.9)), True, False),
        (Estimate(0.5, (0.1, 0.9)), False, True),
        (Estimate(0.5, None, "no interval"), True, False),
        (Estimate(0.7, (0.4, 0.8)), False, False),
        (Estimate(None, None, "all grades are the same"), False, False),
        (None, False, False),
    ],
)
def test_weak_agreement_is_told_early_where_it_is_certain(
    campaign: Campaign, alpha: Estimate | None, left: bool, told: bool
) -> None:
    judges = (person("ann", 6, 2), DONE[1]) if left else DONE
    steps = steps_of(state(campaign, *judges), None, alpha)
    assert any("agree weakly, alpha 0.50" in step.what for step in steps) == told
    if told:
        assert "agree weakly" in steps[0].what


def test_weak_agreement_is_told_by_a_number_that_is_weak(campaign: Campaign) -> None:
    alpha = Estimate(0.6669, (0.61, 0.797))
    steps = steps_of(state(campaign, *DONE), None, alpha)
    assert "agree weakly, alpha 0.666 (0.61 to 0.797)" in steps[0].what


def test_what_is_not_covered_says_how_much_is_to_be_done(campaign: Campaign, files: Path) -> None:
    # alpha has csv.reader, csv.writer, list.sort, sorted; beta json.load twice, csv.reader, sorted.
    grade_in_the_app(campaign, "ann", "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\n")
    [step] = [one for one in steps_of(progress(campaign)) if "unjudged" in one.what]
    assert step == Step(
        "beta has 50 % of its top 10 judged (unjudged counts as not relevant): 3 to judge",
        door="judge",
    )
    (files / "gamma.run").write_text(
        "q1 Q0 never.retrieved 1 2.0 gamma\nq2 Q0 never.retrieved 1 2.0 gamma\n"
    )
    load_run(campaign, files / "gamma.run")
    [step] = [one for one in steps_of(progress(campaign)) if "unjudged" in one.what]
    assert step == Step(
        "gamma has 0 % of its top 10 judged"
        " (unjudged counts as not relevant): 3 to judge, 2 not in the pool",
        "judge-tui pool --depth 10",
    )


def test_what_was_skipped_is_not_to_be_judged_again(campaign: Campaign) -> None:
    ann = add_judge(campaign, "ann").key
    for (pair,) in campaign.rows("SELECT id FROM pool ORDER BY id"):
        action = "skip" if pair == 1 else "grade"
        grade = None if pair == 1 else 1
        append_event(campaign, judge=ann, pair=pair, action=action, grade=grade, painted_at=SEEN)
    [step] = [one for one in steps_of(progress(campaign)) if "unjudged" in one.what]
    assert step.what.endswith("1 skipped or not to be judged")


def test_what_was_given_to_nobody_is_still_to_be_judged(campaign: Campaign) -> None:
    """Though all have done their share, and though a model has graded it."""
    assign(campaign, ["ann", "bob"], overlap=1.0)
    with campaign.writing():
        campaign.execute("DELETE FROM assignments WHERE pair = 1")
    for name in ("ann", "bob"):
        key = add_judge(campaign, name).key
        for pair in range(2, 7):
            append_event(campaign, judge=key, pair=pair, action="grade", grade=1)
    bot = add_judge(campaign, "bot", kind="model").key
    append_event(campaign, judge=bot, pair=1, action="grade", grade=1)
    [step] = [one for one in steps_of(progress(campaign)) if "unjudged" in one.what]
    assert step.what.endswith("(unjudged counts as not relevant): 1 to judge")


def test_all_done_leads_to_results_report_and_export(campaign: Campaign) -> None:
    for judge in ("ann", "bob"):
        grade(campaign, judge, *range(3), *range(3))
    assert next_steps(progress(campaign), Disputes(0, None)) == [
        "All is judged and settled: see the results: judge-tui results",
        "Write the report: judge-tui report -o FILE.html",
        "Export the grades: judge-tui export qrels -o FILE",
    ]


def test_what_was_given_to_nobody(campaign: Campaign, files: Path) -> None:
    assign(campaign, ["ann", "bob"])
    (files / "gamma.run").write_text("q1 Q0 never.retrieved 1 2.0 gamma\n")
    load_run(campaign, files / "gamma.run")
    extend_pool(campaign, depth=10)
    assert "1 pair is given to nobody: judge-tui assign --judges ann,bob" in next_steps(
        progress(campaign)
    )


def test_a_name_under_which_nothing_was_done_is_nobody_who_is_behind(campaign: Campaign) -> None:
    """Unless pairs were given to it, or nobody has begun."""
    mistyped = person("anm", 6, 0)
    begun, done = person("ann", 6, 1), person("ann", 6, 6)

    def told(found: Progress) -> str:
        return " ".join(step.what for step in steps_of(found))

    assert "anm" not in told(state(campaign, begun, mistyped))
    assert "ann has 5 of 6" in told(state(campaign, begun, mistyped))
    assert "left" not in told(state(campaign, done, mistyped))
    assert "anm has 6 of 6" in told(state(campaign, mistyped))
    assert "anm has 6 of 6" in told(replace(state(campaign, done, mistyped), assigned=6))
