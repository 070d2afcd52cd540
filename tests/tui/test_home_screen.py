"""Home: the campaign at a glance, and the door to judging."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assignments import assign
from judge_tui.campaign.judges import add_judge, all_judges
from judge_tui.campaign.loading.judgments import load_qrels
from judge_tui.campaign.pool import extend_pool
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.config import Config
from judge_tui.tui.screens import home
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.screens.lead import LeadOverlay
from judge_tui.tui.screens.results import ResultsScreen
from judge_tui.tui.screens.review import ReviewScreen
from judge_tui.tui.widgets import LineList, SplitLine
from tests.in_the_app import grade_in_the_app
from tests.loading_runs import load_run
from tests.tui.judging import until


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
        # By hand: alpha's top four of the two queries hold 3 judged of 4.
        assert "75 %" in text(app, "coverage")
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
    campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch, is_beside: bool
) -> None:
    (files / "sheet.qrels").write_text("q1 0 csv.reader 3\nq2 0 sorted 1\n")
    load_qrels(campaign, files / "sheet.qrels", judge="sheet")
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


async def test_where_nothing_is_unresolved_nothing_is_said_of_it(
    campaign: Campaign, files: Path
) -> None:
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert text(app, "counts").endswith("1 judged")
        assert "unresolved" not in text(app, "coverage")


async def test_with_hidden_repeats_there_are_judgments_not_pairs(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    assign(campaign, ["ann"], repeat=0.5)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert judges(app)[0].endswith("0/9 judgments")


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


async def test_a_models_name_opens_nothing(campaign: Campaign) -> None:
    add_judge(campaign, "bot", kind="model")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "g", "enter")
        assert isinstance(app.screen, HomeScreen)
        assert "bot is a model" in text(app, "said")


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


async def test_a_models_name_is_no_way_onto_its_desk(campaign: Campaign, files: Path) -> None:
    (files / "bot.qrels").write_text("q1 0 csv.reader 3\n")
    load_qrels(campaign, files / "bot.qrels", judge="bot", kind="model")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "n", *"bot", "enter")
        assert isinstance(app.screen, HomeScreen)
        assert "of kind model" in text(app, "said")


async def test_the_cursor_comes_back_to_who_has_just_judged(campaign: Campaign) -> None:
    add_judge(campaign, "annabel")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "n", *"zoe", "enter", "1", "q", "enter", "2", "q")
        rows = campaign.connection.execute(
            "SELECT j.name, e.grade FROM events AS e JOIN judges AS j ON j.id = e.judge"
        ).fetchall()
        assert rows == [("zoe", 1), ("zoe", 2)]


@pytest.mark.parametrize("name", ["a,b", "y" * 61])
async def test_a_name_that_cannot_be_is_refused_where_it_is_typed(
    campaign: Campaign, name: str
) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "n", *name.replace(",", "!"))
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
    campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, lines in (("ann", "q1 0 csv.reader 3\nq2 0 sorted 1\n"), ("bob", "q2 0 sorted 3\n")):
        (files / f"{name}.qrels").write_text(lines)
        load_qrels(campaign, files / f"{name}.qrels", judge=name)
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
async def test_leaving_while_home_counts_leaves_the_file_alone(campaign: Campaign) -> None:
    path = campaign.path
    for _ in range(5):
        app = JudgeTuiApp(campaign)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.press("r", "q")
        assert app.return_code == 0
    campaign.close()
    assert [file.name for file in path.parent.glob(f"{path.name}*")] == [path.name]


@pytest.mark.usefixtures("beside")
async def test_a_file_that_cannot_be_read_is_said(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await counted(pilot)
        with campaign.writing() as connection:
            connection.execute("ALTER TABLE pool RENAME COLUMN stratum TO other")
            connection.execute("ALTER TABLE runs RENAME TO elsewhere")
        await press(pilot, "r")
        await counted(pilot)
        assert "NOT DONE" in text(app, "said")
        assert "6 pairs in the pool" in text(app, "counts")


async def test_many_runs_are_summed_up_and_the_least_judged_are_named(
    campaign: Campaign, files: Path
) -> None:
    for number in range(14):
        doc_id = "csv.reader" if number % 2 else f"unseen{number}"
        (files / "r.run").write_text(f"q1 Q0 {doc_id} 1 1.0 run{number}\n")
        load_run(campaign, files / "r.run")
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 60)) as pilot:
        await pilot.pause()
        lines = text(app, "coverage").splitlines()
        # By hand: seven runs have nothing judged, seven all, alpha and beta one of four.
        assert lines[0].strip() == "16 runs: 0 % to 100 %, median 25 %; the least judged:"
        assert len(lines) == 13
        assert [line.split()[-2] for line in lines[1:]] == ["0"] * 7 + ["25"] * 2 + ["100"] * 3


async def test_many_judges_are_paged(campaign: Campaign) -> None:
    for number in range(25):
        add_judge(campaign, f"judge {number:02} of many")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "G")
        assert judges(app)[-1].strip() == "new judge …"
        assert "Judges (25)" in text(app, "judges-heading")
        await press(pilot, "k", "enter")
        assert isinstance(app.screen, JudgeScreen)
        assert app.screen.desk.judge.name == "judge 24 of many"


async def test_a_judge_who_was_given_nothing(campaign: Campaign) -> None:
    ann, _ = add_judge(campaign, "ann"), add_judge(campaign, "bob")
    with campaign.writing() as connection:
        connection.execute(
            "INSERT INTO assignments (judge, pair, turn, position, purpose)"
            " SELECT ?, min(id), 0, 0, 'normal' FROM pool",
            (ann.key,),
        )
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert judges(app)[0].split()[-1] == "0/1"
        assert judges(app)[1].endswith("nothing assigned")
        assert "5 pairs are given to nobody" in text(app, "next")


async def test_v_asks_who_leads_and_opens_review_and_q_comes_back(
    campaign: Campaign, files: Path
) -> None:
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


async def test_a_lead_counts_as_a_judge_once_she_has_graded(campaign: Campaign) -> None:
    add_judge(campaign, "lena", role="lead")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert judges(app)[0].split() == ["lena", "leads"]
        assert text(app, "judges-heading") == "Judges"
        grade_in_the_app(campaign, "lena", "q1 0 csv.reader 3\n")
        await press(pilot, "r")
        assert judges(app)[0].split()[-1] == "1/6"
        assert text(app, "judges-heading") == "Judges (1)"


async def test_a_judge_may_lead_and_keeps_the_role(campaign: Campaign, files: Path) -> None:
    disagree(campaign)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "v", *"ann", "enter")
        assert isinstance(app.screen, ReviewScreen)
    assert [judge.role for judge in all_judges(campaign)] == ["judge", "judge"]


async def test_s_opens_the_results_and_q_comes_back(campaign: Campaign, files: Path) -> None:
    disagree(campaign)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "s")
        assert isinstance(app.screen, ResultsScreen)
        await press(pilot, "q")
        assert isinstance(app.screen, HomeScreen)


async def test_the_legend_names_the_keys_as_they_are_and_takes_the_mouse(
    campaign: Campaign, files: Path
) -> None:
    disagree(campaign)
    app = JudgeTuiApp(campaign, config=Config(keymap={"home.results": "e", "list.choose": "o"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        legend = str(app.screen.query_one("#keys", SplitLine).render())
        for keys in ("o judge as", "v review", "e results", "? keys", "q leave"):
            assert keys in legend
        assert "e  See how the systems stand so far" in text(app, "next")
        await pilot.click("#keys", offset=(legend.index("e results") + 1, 0))
        await pilot.pause()
        assert isinstance(app.screen, ResultsScreen)


@pytest.mark.parametrize("key", ["v", "s"])
async def test_where_nothing_is_pooled_there_is_nothing_to_lead(tmp_path: Path, key: str) -> None:
    from judge_tui.campaign import create_campaign
    from judge_tui.model import DEFAULT_SCALE

    with create_campaign(tmp_path / "c.db", name="new", scale=DEFAULT_SCALE) as campaign:
        app = JudgeTuiApp(campaign)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, key)
            assert isinstance(app.screen, HomeScreen)
            assert "the pool is empty" in text(app, "said")
            assert all_judges(campaign) == []


@pytest.mark.usefixtures("usual")
async def test_many_steps_are_counted_and_the_first_ones_shown(
    campaign: Campaign, files: Path
) -> None:
    (files / "more.run").write_text("q1 Q0 unseen 1 1.0 more\n")
    load_run(campaign, files / "more.run")
    extend_pool(campaign, depth=1)
    (files / "last.run").write_text("q1 Q0 outside 1 1.0 last\n")
    load_run(campaign, files / "last.run")
    disagree(campaign)
    for name in ("cyd", "dan"):
        add_judge(campaign, name)
    with campaign.writing() as connection:
        connection.execute(
            "INSERT INTO assignments (judge, pair, turn, position, purpose)"
            " SELECT j.id, p.id, 0, p.id, 'normal' FROM judges AS j, pool AS p WHERE p.id < 7"
            " AND j.name <> 'dan'"
        )
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        # No text, given to nobody, three judges, a disagreement; coverage and results are more.
        lines = text(app, "next").splitlines()
        assert "no text" in lines[0]
        assert len(lines) == 7
        assert lines[-1].strip() == "and 2 more: judge-tui status"


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
    campaign: Campaign, files: Path
) -> None:
    for name, kind, lines in (
        ("ann", "human", "q1 0 csv.reader 3\n"),
        ("gpt", "model", "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\nq2 0 list.sort 0\n"),
        ("bob", "human", "q1 0 csv.reader 3\n"),
    ):
        (files / f"{name}.qrels").write_text(lines)
        load_qrels(campaign, files / f"{name}.qrels", judge=name, kind=kind)
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        assert text(app, "counts").endswith("1 judged")
        assert "100 %" not in text(app, "coverage")
        assert text(app, "coverage").count("25 %") == 2
        assert "alpha has 25 % of its top 10 judged" in text(app, "next")


@pytest.mark.parametrize("on_new", [False, True])
async def test_what_others_judge_is_counted_by_itself(
    campaign: Campaign, on_new: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "_OTHERS_EVERY", 0.02)
    add_judge(campaign, "ann")
    add_judge(campaign, "bob")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "down", *(["down"] if on_new else []))
        assert "0 judged" in text(app, "counts")
        with open_campaign(campaign.path) as elsewhere:
            grade_in_the_app(elsewhere, "cy", "q1 0 csv.reader 3\nq2 0 sorted 1\n")
        await until(pilot, lambda: "2 judged" in text(app, "counts"))
        rows = app.screen.query_one("#judges", LineList)
        assert judges(app)[2].split()[-1] == "2/6"
        assert rows.cursor == (3 if on_new else 1)
