"""Home: the campaign at a glance, and the door to judging."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.screens.lead import LeadOverlay
from judge_tui.tui.screens.review import ReviewScreen
from judge_tui.tui.widgets import LineList
from tests.grades_by_file import grade_by_file
from tests.in_the_app import grade_in_the_app


def text(app: JudgeTuiApp, name: str) -> str:
    return str(app.screen_stack[0].query_one(f"#{name}").render())


def judges(app: JudgeTuiApp) -> list[str]:
    rows = app.screen_stack[0].query_one("#judges", LineList)
    return [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def test_home_shows_progress_coverage_agreement_and_what_is_next(
    campaign: Campaign,
) -> None:
    grades = {
        "ann": "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\nq2 0 json.load 0\n",
        "bob": "q1 0 csv.reader 2\nq1 0 csv.writer 1\nq2 0 sorted 3\n",
    }
    for name, lines in grades.items():
        grade_in_the_app(campaign, name, lines)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert "2 queries   2 runs   6 pairs in the pool   4 judged, 1 of them unresolved" in text(
            app, "counts"
        )
        rows = judges(app)
        assert rows[0].split() == ["ann", "████████████████░░░░░░░░", "4/6"]
        assert rows[1].split()[-1] == "3/6"
        assert rows[2].strip() == "new judge …"
        # By hand: alpha's top four of the two queries hold 3 judged of 4, one of them unresolved.
        assert "50 %" in text(app, "coverage")
        # csv.reader, which both have: 3 or 2.
        assert text(app, "coverage").count("   1 unresolved") == 2
        assert "results count it as unjudged" in text(app, "coverage")
        assert "alpha (ordinal) 0." in text(app, "agreement")
        assert "3 pairs shared" in text(app, "agreement")
        assert "ann has 2 of 6 pairs left" in text(app, "next")
        assert "1 disagreement is open" in text(app, "next")
        assert "1 unresolved (no majority)" in " ".join(text(app, "next").split())


@pytest.mark.parametrize("is_beside", [False, True])
async def test_a_judge_from_a_file_is_nobody_to_wait_for(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, is_beside: bool
) -> None:
    grade_by_file(campaign, "sheet", "q1 0 csv.reader 3\nq2 0 sorted 1\n")
    if is_beside:
        monkeypatch.setattr("judge_tui.tui.counting._GREATEST_SMALL", -1)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await counted(pilot)
        assert judges(app)[0].split() == [
            "sheet",
            "████████░░░░░░░░░░░░░░░░",
            *["2/6", "from", "a", "file"],
        ]
        assert text(app, "next").startswith("n  Let somebody judge: no file has graded 4 of 6")
        assert "sheet has" not in text(app, "next")
        # Enter leads to a desk of one's own, not to that of the file.
        await press(pilot, "enter", *"ann", "enter", "1", "q")
        await counted(pilot)
        assert [judge.name for judge in all_judges(campaign)] == ["sheet", "ann"]
        assert "ann has 5 of 6 pairs left\n" in text(app, "next")
        assert "behind" not in text(app, "next")
        assert "Let somebody judge" not in text(app, "next")


async def test_enter_judges_as_the_chosen_judge_and_q_comes_back(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "enter")
        assert isinstance(app.screen, JudgeScreen)
        await press(pilot, "3", "q")
        assert isinstance(app.screen, HomeScreen)
        assert "1/6" in judges(app)[0]
        await press(pilot, "q")
    assert app.return_code == 0


async def test_a_new_judge_is_made_and_a_near_name_is_asked_about(campaign: Campaign) -> None:
    add_judge(campaign, "anna")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "n", *"Anna", "enter")
        assert "nearly the name of anna" in str(app.screen.query_one(".hint").render())
        assert [judge.name for judge in all_judges(campaign)] == ["anna"]
        await press(pilot, "escape", "n", *"bob", "enter")
        assert isinstance(app.screen, JudgeScreen)
        assert [judge.name for judge in all_judges(campaign)] == ["anna", "bob"]


async def test_an_empty_campaign_says_what_to_do(tmp_path: Path) -> None:
    from judge_tui.campaign import create_campaign
    from judge_tui.model import DEFAULT_SCALE

    with create_campaign(tmp_path / "c.db", name="new", scale=DEFAULT_SCALE) as campaign:
        app = JudgeTuiApp(campaign)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "n", *"ann", "enter")
            assert isinstance(app.screen, HomeScreen)
            assert "load queries" in text(app, "next")
            assert "nothing to judge yet" in text(app, "said")
            assert all_judges(campaign) == []


async def test_a_models_name_is_no_way_onto_its_desk(campaign: Campaign) -> None:
    grade_by_file(campaign, "bot", "q1 0 csv.reader 3\n", kind="model")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "n", *"bot", "enter")
        assert isinstance(app.screen, HomeScreen)
        assert "of kind model" in text(app, "said")


async def test_a_name_that_cannot_be_is_refused_where_it_is_typed(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "n", "x")
        for name in ("a,b", "y" * 61):
            app.screen.query_one("Input").value = name
            await press(pilot, "enter")
            assert "cannot be a judge's name" in str(app.screen.query_one(".hint").render())
            assert app.screen.query_one("Input").value == name
        assert all_judges(campaign) == []


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a campaign is, it is counted in a thread."""
    monkeypatch.setattr("judge_tui.tui.counting._GREATEST_SMALL", -1)


async def counted(pilot: Pilot[None]) -> None:
    home = pilot.app.screen_stack[0]
    assert isinstance(home, HomeScreen)
    while home.counting:
        await pilot.pause(0.01)
    await pilot.pause()


@pytest.mark.usefixtures("beside")
async def test_what_is_counted_beside_is_what_is_counted_at_once(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, lines in (("ann", "q1 0 csv.reader 3\nq2 0 sorted 1\n"), ("bob", "q2 0 sorted 3\n")):
        grade_by_file(campaign, name, lines)
    parts = ("counts", "next", "agreement", "coverage")
    seen = []
    for small in (-1, 1_000):
        monkeypatch.setattr("judge_tui.tui.counting._GREATEST_SMALL", small)
        app = JudgeTuiApp(campaign)
        async with app.run_test(size=(100, 40)) as pilot:
            await counted(pilot)
            seen.append(([text(app, part) for part in parts], judges(app)))
    assert seen[0] == seen[1]
    assert "2 judged" in seen[0][0][0]


@pytest.mark.usefixtures("beside")
async def test_keys_work_while_home_counts(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        home = app.screen_stack[0]
        assert isinstance(home, HomeScreen)
        assert "ann" in judges(app)[0]
        await press(pilot, "r", "r", "enter")
        assert isinstance(app.screen, JudgeScreen)
        assert not home.counting
        await press(pilot, "2", "q")
        await counted(pilot)
        assert "1/6" in judges(app)[0]


@pytest.mark.usefixtures("beside")
async def test_a_file_that_cannot_be_read_is_said(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await counted(pilot)
        with campaign.writing():
            campaign.execute("ALTER TABLE pool RENAME COLUMN stratum TO other")
            campaign.execute("ALTER TABLE runs RENAME TO elsewhere")
        await press(pilot, "r")
        await counted(pilot)
        assert "NOT DONE" in text(app, "said")
        assert "6 pairs in the pool" in text(app, "counts")


async def test_v_asks_who_leads_and_opens_review_and_q_comes_back(campaign: Campaign) -> None:
    disagree(campaign)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert "1 disagreement is open" in text(app, "next")
        assert "v      1 disagreement" in text(app, "next")
        await press(pilot, "v")
        assert isinstance(app.screen, LeadOverlay)
        await press(pilot, *"lena", "enter")
        assert isinstance(app.screen, ReviewScreen)
        [lead] = [judge for judge in all_judges(campaign) if judge.name == "lena"]
        assert lead.role == "lead"
        await painted(pilot)
        await press(pilot, "2", "q")
        assert isinstance(app.screen, HomeScreen)
        # Counted anew: what was settled is not open any more.
        assert "disagreement" not in text(app, "next")
        assert judges(app)[2].split() == ["lena", "leads"]
        assert text(app, "judges-heading") == "Judges (2)"


def disagree(campaign: Campaign) -> None:
    """Two judges, two pairs, one of which they differ about."""
    for name, lines in (
        ("ann", "q1 0 csv.reader 3\nq2 0 sorted 1\n"),
        ("bob", "q1 0 csv.reader 0\nq2 0 sorted 1\n"),
    ):
        grade_in_the_app(campaign, name, lines)


async def painted(pilot: Pilot[None]) -> None:
    """A grade counts only once the document was painted."""
    for _ in range(1500):
        screen = pilot.app.screen
        if not isinstance(screen, ReviewScreen) or not screen.guard.waiting:
            return
        await pilot.pause(0.02)


async def test_home_covers_by_the_grades_that_count_and_tells_of_the_others(
    campaign: Campaign,
) -> None:
    for name, kind, lines in (
        ("ann", "human", "q1 0 csv.reader 3\n"),
        ("gpt", "model", "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\nq2 0 list.sort 0\n"),
        ("bob", "human", "q1 0 csv.reader 3\n"),
    ):
        grade_by_file(campaign, name, lines, kind=kind)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert text(app, "counts").endswith("1 judged")
        assert "100 %" not in text(app, "coverage")
        assert text(app, "coverage").count("25 %") == 2
        assert "alpha has 25 % of its top 10 judged" in text(app, "next")
