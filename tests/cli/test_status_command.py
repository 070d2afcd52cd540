"""`judge-tui status`: how far the campaign is, and what to do next, in every form."""

from __future__ import annotations

import json

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.judges import add_judge
from tests.as_typed import invoke
from tests.campaigns import grade_in_the_app


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    for name, lines in (
        ("ann", "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 0\nq2 0 list.sort 0\n"),
        ("bob", "q1 0 csv.reader 0\nq1 0 csv.writer 1\nq2 0 sorted 0\nq2 0 list.sort 0\n"),
    ):
        grade_in_the_app(campaign, name, lines)
    return campaign


STEPS = [
    "ann: 2 of 6 pairs left: judge-tui judge --judge ann",
    "bob: 2 of 6 pairs left: judge-tui judge --judge bob",
    # csv.reader is alpha's first and beta's second: with 3 alpha leads, with 0 it still has
    # csv.writer, which beta has not. By nDCG@10 alpha is ahead either way.
    "1 disagreement is open: 0 can change the order of the systems, 1 unresolved"
    " (no majority), counted as unjudged: judge-tui settle --lead NAME",
    "beta has 50 % of its top 10 judged, 1 of them unresolved (unjudged counts as not relevant):"
    " 2 to judge",
    "See how the systems stand so far: judge-tui results",
]


def printed(campaign: Campaign, form: str) -> str:
    args = ["status", "--db", str(campaign.path), "-f", form]
    result = invoke(*args)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.usefixtures("usual")
def test_the_steps_are_the_same_in_every_form(judged: Campaign) -> None:
    assert [one["step"] for one in json.loads(printed(judged, "json"))["next"]] == STEPS
    for form in ("table", "md", "latex"):
        # The commands hold what LaTeX and Markdown write in another way.
        said = printed(judged, form)
        places = [said.index(step[:11]) for step in STEPS]
        assert places == sorted(places)


def test_coverage_says_what_no_majority_decides(judged: Campaign) -> None:
    found = json.loads(printed(judged, "json"))["coverage"]
    # csv.reader, 3 or 0, is in both runs; all 4 of alpha's are judged, 2 of beta's 4.
    assert [(run["judged"], run["unresolved"]) for run in found] == [(4, 1), (2, 1)]
    [row] = [line for line in printed(judged, "md").splitlines() if "| alpha |" in line]
    assert [cell.strip() for cell in row.strip("|").split("|")] == [
        "alpha",
        "4",
        "4",
        "4",
        "1",
        "75.0 %",
    ]
    lead = add_judge(judged, "lea", role="lead")
    settle(judged, lead, judged.rows("SELECT min(id) FROM pool")[0][0], 3)
    assert [run["unresolved"] for run in json.loads(printed(judged, "json"))["coverage"]] == [0, 0]
