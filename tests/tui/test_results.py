"""The Results screen: its views, the ways between them, and what it writes and reads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from math import log2
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Input

from judge_tui.analysis.basis import Question
from judge_tui.analysis.model_judge import ModelStudy
from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.findings import Findings
from judge_tui.campaign.overview.model_study import studied_models
from judge_tui.campaign.store.pool import pool_size
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.report import FORMS, render
from judge_tui.report.layout import short_difference
from judge_tui.tui.app import JudgeTuiApp, showing_results
from judge_tui.tui.on_disk import OnDisk
from judge_tui.tui.screens.results import bars
from judge_tui.tui.screens.results.export import file_name
from judge_tui.tui.screens.results.rankings import rankings
from judge_tui.tui.screens.results.read_findings import read_findings
from judge_tui.tui.screens.results.screen import ResultsScreen
from judge_tui.tui.screens.results.view import MakeView, View
from judge_tui.tui.screens.results.views import (
    deltas,
    divergent,
    failures,
    first_relevant,
    leaderboard,
    models,
    slices,
)
from judge_tui.tui.widgets.table import Table
from judge_tui.tui.widgets.text_panel import TextPanel
from tests.as_typed import invoke
from tests.campaigns import load_run
from tests.report.evaluation import done, make_evaluation
from tests.tui.campaigns import GRADES, graded, with_run
from tests.tui.pilots import burst, lines, lowest, running, said, seen, title, until

# By hand, linear gains. alpha finds csv.reader (3) and csv.writer (1) in the best order for q1; for
# q2 list.sort, which nobody judged, and sorted (3) at rank 2. beta has json.load (0) before
# csv.reader (3) for q1, and sorted (3) first for q2.
BEST = 3 + 1 / log2(3)
ALPHA = (1.0, (3 / log2(3)) / 3)
BETA = ((3 / log2(3)) / BEST, 1.0)
DELTA = sum(BETA) / 2 - sum(ALPHA) / 2

# never.retrieved and unknown are in no other run, and not in the pool.
GAMMA = (
    "q1 Q0 never.retrieved 1 3.0 gamma\nq1 Q0 csv.reader 2 2.0 gamma\nq1 Q0 unknown 3 1.0 gamma\n"
)


def three(value: float) -> str:
    return f"{value:.3f}"


# --- views without an app


def findings(campaign: Campaign, question: Question | None = None) -> Findings:
    """All that the screen knows once nothing is to come any more."""
    found = read_findings(campaign, campaign, question or Question(), None)
    found.work_out()
    found.study_models(campaign)
    return found


def grid(view: View, side: int = 0) -> list[list[str]]:
    """What stands in the rows."""
    columns = view.columns(side)
    return [[one.cell(row).plain for one in columns] for row in range(len(view.keys))]


def heads(view: View, side: int = 0) -> list[str]:
    return [one.heading.title for one in view.columns(side)]


def column(view: View, title: str) -> list[str]:
    return [row[heads(view).index(title)] for row in grid(view)]


def about(view: View, row: int, side: int = 0) -> str:
    """What is said of a row, below the table."""
    return view.describe(row, side).plain


def test_the_leaderboard_shows_what_is_known(judged: Campaign) -> None:
    found = read_findings(judged, judged, Question(), None)
    view = leaderboard(found)
    assert column(view, "run") == ["alpha", "beta"]
    assert column(view, "nDCG@10") == [three(sum(ALPHA) / 2), three(sum(BETA) / 2)]
    assert not {"delta", "p", "low", "high", "95 % interval"}.intersection(heads(view))
    found.work_out()
    view = leaderboard(found)
    # Half of what alpha has for q2 is unjudged: as 0 it changes nothing, as 3 it is the first, and
    # the best.
    assert column(view, "low") == column(view, "nDCG@10")
    assert column(view, "high") == ["1.000", three(sum(BETA) / 2)]
    assert column(view, "Judged@10") == ["0.750", "1.000"]
    assert column(view, "verdict") == ["baseline", "too few queries"]
    assert column(view, "delta") == ["-", f"{DELTA:+.3f}"]
    # What has no room on screen is said of the row under the cursor.
    assert about(view, 1).startswith(
        f"beta  verdict: too few queries  nDCG@10: {three(sum(BETA) / 2)}"
    )
    assert about(view, 1).endswith("Judged@10: 1.000")


def test_two_rankings_say_grades_and_moves(judged: Campaign) -> None:
    found = findings(judged)
    view = rankings(found, tags=("alpha", "beta"), query_id="q2")
    # list.sort is unjudged, waits in the pool, and beta does not have it.
    assert grid(view) == [["1", "list.sort", "·+", "gone"], ["2", "sorted", "3", "1"]]
    assert grid(view, 1) == [["1", "sorted", "3", "↑1"], ["2", "json.load", "0", "new"]]
    assert about(view, 0, 1) == "3 perfect   rank 1 in beta, 2 in alpha\nsorted"
    assert about(view, 0, 0) == (
        "unjudged: in the pool, and not judged yet"
        "   rank 1 in alpha, not in what is kept of beta\nlist.sort"
    )
    assert heads(view) == ["", "alpha", "", "now at"]
    assert heads(view, 1) == ["", "beta", "", "move"]
    graded(judged, "q1 0 csv.reader 0\n", judge="bob")
    again = rankings(findings(judged), tags=("alpha",), query_id="q1")
    assert about(again, 0).startswith("unresolved: judged, but without a final grade")


def of_own_classes(campaign: Campaign) -> None:
    """Both classes are of the team's own, so that they are measured alike."""
    with campaign.writing():
        campaign.execute("UPDATE queries SET class = 'where-is' WHERE class = 'lookup'")


UNIT = bars.Axis(0.0, 1.0)
DRAWN = [
    (bars.interval(UNIT, (0.0, 1.0), 0.5), "├─────────●─────────┤"),
    (bars.interval(UNIT, (0.4, 0.6), 0.5, 0.2), "    ┊   ├─●─┤        "),
    (bars.interval(UNIT, (-1.0, 9.0), 0.0), "●───────────────────┤"),
    (bars.difference(0.5, 1.0), "          │█████"),
    (bars.difference(-0.25, 1.0), "       ▐██│"),
    # What is not 0 is seen, and 0 is not.
    (bars.difference(1e-9, 1.0), "          │▌"),
    (bars.difference(0.0, 1.0), "          │"),
    (bars.value(UNIT, 1.0), "█" * bars.WIDTH),
    (bars.value(UNIT, 1e-9), "▏"),
    (Content("".join(bars.column(count, 8) for count in (0, 1, 4, 8))), " ▁▄█"),
    (Content(bars.difference_title(0.5)), "-0.50     0     +0.50"),
]


def test_numbers_are_drawn() -> None:
    assert [drawn.plain for drawn, _ in DRAWN] == [expected for _, expected in DRAWN]
    assert bars.Axis.around([0.41, None, 0.78]) == (0.4, 0.8)


def test_the_name_of_a_file_is_harmless() -> None:
    for view, name in (
        ("deltas-dense", "deltas-dense.csv"),
        ("deltas-../../etc/passwd", "deltas-..-..-etc-passwd.csv"),
        ("...", "results.csv"),
        ("é" * 500, "é" * 80 + ".csv"),
    ):
        assert file_name(view) == name


def test_what_is_not_there_is_refused_before_the_app_opens(judged: Campaign) -> None:
    for asked in (
        Question(tags=("delta",)),
        Question(baseline="delta"),
        Question(measures=("nDGC@10",)),
        Question(measures=("Rprec",), unjudged="expected"),
        Question(policy="best"),
    ):
        with pytest.raises(UsageError, match="no "):
            JudgeTuiApp(judged, opening=showing_results(asked))


EXPORTS: list[tuple[MakeView, tuple[str, ...]]] = [
    (leaderboard, ()),
    (partial(deltas, tag="beta"), ("--delta", "alpha", "beta")),
    (partial(failures, tag="alpha"), ("--failures", "alpha")),
    (first_relevant, ("--histogram",)),
    (slices, ("--by", "class")),
    (partial(slices, by="document.kind"), ("--by", "document.kind")),
    (divergent, ("--disagreements",)),
    (
        partial(rankings, tags=("alpha", "beta"), query_id="q2"),
        ("-k", "2", "--query", "q2", "alpha", "beta"),
    ),
]


def test_a_view_is_written_as_the_command_prints_it(judged: Campaign) -> None:
    of_own_classes(judged)
    for place, arguments in EXPORTS:
        found = findings(judged, Question(k=2) if "-k" in arguments else None)
        # Every form of one view.
        for form in FORMS if "--delta" in arguments else ("csv",):
            words = ("results", "--db", str(judged.path), *arguments, "-f", form, "-o", "-")
            printed = invoke(*words)
            assert printed.exit_code == 0, printed.output
            assert render(place(found).report.brief(), form) == printed.stdout, arguments


# --- the screen


@asynccontextmanager
async def at_results(
    campaign: Campaign, question: Question | None = None, *, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Pilot[None]]:
    """The app at the results, with everything there."""
    async with running(campaign, showing_results(question or Question()), size=size) as pilot:
        await known(pilot)
        yield pilot


async def known(pilot: Pilot[None]) -> None:
    """Wait until nothing is to come any more."""
    await until(
        pilot, lambda: not pilot.app.screen_stack or not lowest(pilot, ResultsScreen).working
    )
    await pilot.pause()


async def keys(pilot: Pilot[None], *pressed: str) -> None:
    for key in pressed:
        await pilot.press(key)
        await pilot.pause()
        await known(pilot)


def table(pilot: Pilot[None], name: str = "rows") -> Table:
    return lowest(pilot, ResultsScreen).query_one(f"#{name}", Table)


def words(pilot: Pilot[None], name: str = "rows") -> list[list[str]]:
    """The words of each row of a table, its titles first."""
    return [line.replace("‹", "").split() for line in lines(table(pilot, name))]


def first(pilot: Pilot[None]) -> list[str]:
    return [row[0] for row in words(pilot)[1:]]


def text(pilot: Pilot[None], name: str) -> str:
    return str(lowest(pilot, ResultsScreen).query_one(f"#{name}").render())


async def enter(pilot: Pilot[None], what: str) -> None:
    """Type into the dialog on top, in place of what stands there, and enter."""
    pilot.app.screen.query_one(Input).value = what
    await pilot.pause()
    await keys(pilot, "enter")


async def test_down_to_a_document_and_back(judged: Campaign) -> None:
    async with at_results(judged) as pilot:
        # What enter leads to stands below the few rows, and follows the cursor.
        assert title(pilot, "#beside").startswith("enter: alpha by nDCG@10")
        await keys(pilot, "j")
        assert title(pilot, "#beside").startswith("enter: beta beside alpha")
        await keys(pilot, "enter")
        assert title(pilot, "#rows").startswith("beta beside alpha by nDCG@10")
        assert text(pilot, "path") == "Leaderboard › beta"
        await keys(pilot, "enter")
        assert text(pilot, "path") == "Leaderboard › beta › q2 sort lists"
        assert title(pilot, "#rows") == f"alpha  nDCG@10 {three(ALPHA[1])}"
        assert title(pilot, "#beside") == "beta  nDCG@10 1.000"
        assert words(pilot)[1] == ["1", "list.sort", "·+", "gone"]
        assert words(pilot, "beside")[1] == ["1", "sorted", "3", "↑1"]
        assert "list.sort" in text(pilot, "detail")
        # tab changes the side, and both cursors go together.
        await keys(pilot, "tab")
        assert text(pilot, "detail").startswith("3 perfect")
        await keys(pilot, "j")
        assert "json.load" in text(pilot, "detail")
        assert table(pilot).cursor == table(pilot, "beside").cursor == 1
        await keys(pilot, "enter")
        assert isinstance(pilot.app.screen, TextPanel)
        assert seen(pilot, "Reads JSON.")
        assert seen(pilot, "─ 0 no   json.load   q2 sort lists ─")
        await keys(pilot, "q", "right_square_bracket")
        assert text(pilot, "path").endswith("q1 read a CSV file")
        # The row below has gone on with it.
        await keys(pilot, "escape")
        assert text(pilot, "detail").startswith("q1")
        await keys(pilot, "q")
        assert text(pilot, "detail").startswith("beta")
        # What is done in what stands below makes it the view.
        await keys(pilot, "tab")
        burst(pilot.app, "j", "enter")
        below = "Leaderboard › beta › q1 read a CSV file"
        await until(pilot, lambda: text(pilot, "path") == below)
        await keys(pilot, "escape", "escape", "q")
    assert pilot.app.return_code == 0


async def test_measure_baseline_and_order(judged: Campaign) -> None:
    with_run(judged, "gamma", GAMMA)
    async with at_results(judged) as pilot:
        assert title(pilot, "#rows").endswith("over unequal queries, beside alpha")
        await keys(pilot, "B")
        await enter(pilot, "beta")
        assert title(pilot, "#rows").endswith("beside beta")
        assert f"{-DELTA:+.3f}" in " ".join(words(pilot)[1])
        # RR@10 by hand: alpha 1 and 1/2, beta 1/2 and 1.
        await keys(pilot, "m")
        await enter(pilot, "RR@10")
        assert title(pilot, "#rows").startswith("RR@10 over unequal queries")
        assert ["0.750" in row for row in words(pilot)[1:] if row[0] == "alpha"] == [True]
        await keys(pilot, "s")
        await enter(pilot, "run")
        assert first(pilot) == ["alpha", "beta", "gamma"]
        assert words(pilot)[0][:2] == ["run", "↑"]
        # Once more turns it round, and the cursor stays on its run.
        await keys(pilot, "j", "s")
        await enter(pilot, "run")
        assert first(pilot) == ["gamma", "beta", "alpha"]
        assert text(pilot, "detail").startswith("beta")


async def test_tabs_and_digits_choose_the_view(judged: Campaign) -> None:
    of_own_classes(judged)
    async with at_results(judged, size=(80, 24)) as pilot:
        await keys(pilot, "2")
        assert title(pilot, "#rows").startswith("alpha: nothing relevant")
        await keys(pilot, "right_square_bracket")
        assert title(pilot, "#rows").startswith("beta: nothing relevant")
        await keys(pilot, "4", "enter", "j", "enter")
        assert text(pilot, "path") == "By class › how-to › beta"
        assert first(pilot) == ["q1"]
        # What the slice is is looked up anew, and one that is gone is left.
        with judged.writing():
            judged.execute("UPDATE queries SET class = 'how-to'")
        await keys(pilot, "r")
        assert sorted(first(pilot)) == ["q1", "q2"]
        await keys(pilot, "5", "enter")
        assert text(pilot, "path") == "Dividing queries › q1 read a CSV file"
        await pilot.click("#view-1")
        await known(pilot)
        assert first(pilot) == ["alpha", "beta"]


async def test_models_beside_people(judged: Campaign) -> None:
    # The model puts csv.writer before csv.reader, and finds nothing in json.load, as ann does.
    graded(judged, "q1 0 csv.reader 1\nq1 0 csv.writer 3\nq1 0 json.load 0\n", judge="bot")
    async with at_results(judged) as pilot:
        await keys(pilot, "6")
        assert first(pilot) == ["bot"]
        assert "bot  pairs: 3" in text(pilot, "detail")
        assert "may stand in: cannot be told" in text(pilot, "detail")
        await keys(pilot, "enter", "enter")
        assert text(pilot, "path") == "Models › bot › alpha"
        assert sorted(first(pilot)) == ["q1", "q2"]


async def test_a_campaign_without_models_has_no_tab_for_them(judged: Campaign) -> None:
    async with at_results(judged) as pilot:
        await keys(pilot, "6")
        assert first(pilot) == ["alpha", "beta"]
        assert not pilot.app.screen.query("#view-6")
        assert "no model has graded" in said(pilot)


def test_a_model_without_pairs_in_common_is_no_row(judged: Campaign) -> None:
    graded(judged, "q2 0 list.sort 3\n", judge="bot")
    view = models(findings(judged))
    assert (view.keys, view.empty) == (
        [],
        "No model has graded a pair that people have graded, too.",
    )


async def test_what_the_numbers_rest_on(judged: Campaign) -> None:
    graded(judged, "q1 0 csv.reader 0\n", judge="bob")
    graded(judged, "q2 0 list.sort 3\n", judge="bot")
    async with at_results(judged) as pilot:
        # csv.reader: 3 and 0 are no majority; list.sort was judged by a model alone.
        basis = text(pilot, "basis")
        assert "majority  without models  2 queries, 4 grades" in basis
        assert basis.endswith("1 unresolved  1 not judged")
        assert basis.startswith("W 3 warnings")
        await keys(pilot, "W")
        assert seen(pilot, "policy majority: 4 pairs; left out of the pool: 1 unresolved")
        assert seen(pilot, "seed 7")
        await keys(pilot, "escape", "I")
        assert "with models  2 queries, 5 grades" in text(pilot, "basis")
        assert judged.settings.include_models is False
        assert "models counted here" in said(pilot)
        # What was said is over once one looks at something else.
        await keys(pilot, "j")
        assert said(pilot) == ""


async def test_unjudged_results_are_filled_and_not(judged: Campaign) -> None:
    expected = findings(judged, Question(unjudged="expected"))
    means = {
        filled: [three(one.mean("nDCG@10")) for one in its.scores.runs]
        for filled, its in ((False, findings(judged)), (True, expected))
    }
    assert means[True] != means[False]
    async with at_results(judged) as pilot:
        for filled in (True, False):
            await keys(pilot, "U")
            assert ("filled" in text(pilot, "basis")) == filled
            assert title(pilot, "#rows").startswith("Filled: nDCG@10") == filled
            assert {*means[filled]} <= {word for row in words(pilot) for word in row}
    async with at_results(judged, Question(measures=("Rprec",))) as pilot:
        shown = lines(table(pilot))
        await keys(pilot, "U")
        assert "Rprec has no value" in said(pilot)
        assert lines(table(pilot)) == shown


async def test_a_model_fills_them_too(judged: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge_tui.campaign.overview.model_grades.FEWEST_SHARED", 1)
    graded(judged, f"{GRADES}q2 0 list.sort 3\n", judge="bot")
    assert findings(judged).filling_models == ("bot",)
    means = [
        {
            three(one.mean("nDCG@10"))
            for one in findings(judged, Question(unjudged=name)).scores.runs
        }
        for name in ("expected", "bot", "zero")
    ]
    assert means[0] != means[1] != means[2]
    async with at_results(judged) as pilot:
        for its in means:
            await keys(pilot, "U")
            assert its <= {word for row in words(pilot) for word in row}
        await keys(pilot, "U")
        await keys(pilot, "U")
        await keys(pilot, "I")  # a grade that counts fills nothing
        assert "filled" not in text(pilot, "basis")


@pytest.fixture
def half(tmp_path: Path) -> Iterator[Campaign]:
    """ann judged half of the queries, and the model bot all of them, now and then otherwise."""
    path = make_evaluation(tmp_path)
    every = (tmp_path / "bob.qrels").read_text().splitlines(keepends=True)
    for judge in ("ann", "bob"):
        done("judges", "remove", judge, "--with-judgments", "--yes", "--db", path)
    with open_campaign(path) as campaign:
        graded(campaign, "".join(every[: len(every) // 2]), judge="cleo")
        graded(campaign, (tmp_path / "ann.qrels").read_text(), judge="bot")
        yield campaign


async def test_a_model_makes_means_more_exact(half: Campaign) -> None:
    asked = Question(with_model="bot")
    known = findings(half, asked)
    assert known.estimating_models == ("bot",)
    by_tag = {one.tag: one for one in known.with_model([known.measure], "base") if one.baseline}
    good = by_tag["good"].powered
    assert good is not None
    shown = [short_difference(good.estimate), f"{short_difference(good.ci95[0])} to"]
    assert column(leaderboard(known), "delta with model") == [
        "-"
        if (one := by_tag.get(tag)) is None or one.powered is None
        # The baseline has no difference from itself.
        else short_difference(one.powered.estimate)
        for tag in column(leaderboard(known), "run")
    ]
    # Of a slice there is no estimate: the model's are of all queries.
    assert "with bot" in deltas(known, tag="good").title()
    assert "with bot" not in deltas(known, tag="good", by="class", of="how").title()
    async with at_results(half, size=(160, 40)) as pilot:
        people = lines(table(pilot))
        assert "delta with model" not in people[0]
        await keys(pilot, "M")
        assert "more exact by bot" in text(pilot, "basis")
        assert "delta with model" in lines(table(pilot))[0]
        for number in shown:
            assert number in text(pilot, "detail")
            assert number in title(pilot, "#beside")
        await keys(pilot, "enter")
        assert f"with bot {shown[0]}, {shown[1]}" in title(pilot, "#rows")
        # What fills a gap is no grade of people, and what counts makes nothing more exact.
        for key, back in (("U", "U"), ("I", "I")):
            await keys(pilot, "1", key)
            assert "more exact" not in text(pilot, "basis")
            await keys(pilot, back)
            while "filled" in text(pilot, "basis"):
                await keys(pilot, back)
            assert lines(table(pilot)) == people
            await keys(pilot, "M")
            assert "more exact by bot" in text(pilot, "basis")
        await keys(pilot, "M")
        assert lines(table(pilot)) == people
        assert "of people alone again" in said(pilot)


async def test_no_model_makes_means_more_exact(judged: Campaign) -> None:
    graded(judged, "q2 0 list.sort 3\n", judge="bot")
    async with at_results(judged, Question(with_model="bot")) as pilot:
        assert seen(pilot, "both judged 0 queries, and 6 are needed")
        lowest(pilot, ResultsScreen).post_message(OnDisk(judged.version()))
        await keys(pilot)
        await pilot.pause()
        assert "changed on disk" not in text(pilot, "basis")
        await keys(pilot, "M")
        assert first(pilot) == ["alpha", "beta"]
    async with at_results(judged) as pilot:
        shown = lines(table(pilot))
        await keys(pilot, "M")
        assert "no model judged what people judged, and queries" in said(pilot)
        assert lines(table(pilot)) == shown


async def test_models_are_studied_beside_the_app(
    judged: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    graded(judged, GRADES, judge="bot")
    go_on, threads = Event(), []

    def study(*asked: Any) -> tuple[ModelStudy, ...]:
        threads.append(current_thread())
        assert go_on.wait(60)
        return studied_models(*asked)

    monkeypatch.setattr("judge_tui.campaign.overview.findings.studied_models", study)
    async with at_results(judged) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: bool(threads) and seen(pilot, "reading …"))
        # Keys do what they do meanwhile.
        await pilot.press("1")
        await until(pilot, lambda: first(pilot) == ["alpha", "beta"])
        await pilot.press("6")
        go_on.set()
        await known(pilot)
        assert first(pilot) == ["bot"]
        assert main_thread() not in threads
        await keys(pilot, "W")
        assert seen(pilot, "bot: on fewer than 30 pairs")


async def test_one_run_alone_and_nobody_judged(tmp_path: Path, files: Path) -> None:
    with create_campaign(tmp_path / "one.db", name="one", scale=DEFAULT_SCALE) as campaign:
        load_queries(campaign, files / "queries.jsonl")
        load_run(campaign, files / "alpha.run")
        extend_pool(campaign, depth=10)
        graded(campaign, judge="bot")
        async with at_results(campaign, size=(80, 24)) as pilot:
            assert seen(pilot, "no person has graded yet")
            await keys(pilot, *"25", "enter", "p", "m", "s", "e", "escape", "I")
            assert "models only" in text(pilot, "basis")
            assert seen(pilot, "No query is answered by two runs")
            await keys(pilot, "1", "enter")
            assert title(pilot, "#rows").startswith("alpha by nDCG@10")
            await keys(pilot, "enter")
            # One ranking has the whole width.
            assert first(pilot) == ["1", "2"]
            assert not table(pilot, "beside").display


def pooled(campaign: Campaign) -> list[tuple[Any, ...]]:
    return campaign.rows(
        "SELECT p.stratum FROM pool AS p JOIN documents AS d ON d.id = p.document"
        " WHERE d.doc_id = 'never.retrieved'"
    )


async def at_gamma(pilot: Pilot[None]) -> None:
    """On never.retrieved, the first of gamma for q1."""
    await keys(pilot, *"jj"[: first(pilot).index("gamma")], "enter", "enter", "tab")
    assert "never.retrieved" in text(pilot, "detail")


async def test_an_unjudged_document_is_sent_to_the_pool(judged: Campaign) -> None:
    with_run(judged, "gamma", GAMMA)
    judged.wait_at_most(10)
    async with at_results(judged) as pilot:
        await keys(pilot, "p")
        assert pooled(judged) == []
        await at_gamma(pilot)
        assert "unjudged, and not in the pool" in text(pilot, "detail")
        judged.wait_at_most(10)
        with open_campaign(judged.path) as other, other.writing():
            await pilot.press("p")
            await until(pilot, lambda: "NOT SAVED" in said(pilot))
        assert pooled(judged) == []
        await keys(pilot, "p")
        assert "in the pool now: it counts here once a judge has graded it" in said(pilot)
        assert pooled(judged) == [("results",)]
        assert pool_size(judged).by_stratum["results"] == 1
        assert "in the pool, and not judged" in text(pilot, "detail")
        assert "2 not judged" in text(pilot, "basis")
        await keys(pilot, "p")
        assert "in the pool already" in said(pilot)
        await keys(pilot, "j", "p")
        assert "this document has a final grade" in said(pilot)
        assign(judged, ["ann", "bob"], overlap=0.5)
        await keys(pilot, "j", "p")
        assert "given to nobody: judge-tui assign" in said(pilot)


async def test_nothing_is_written_over_and_what_cannot_be_is_said(
    judged: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    (files / "there.csv").write_text("precious")
    judged.backend.checkpoint()
    (files / "link.csv").symlink_to(judged.path)
    async with at_results(judged) as pilot:
        await keys(pilot, "e")
        for name, why in (
            ("there.csv", "is there already; give another name"),
            ("view.exe", "a name that ends in"),
            ("nowhere/view.csv", "cannot be written"),
            ("link.csv", "perhaps a campaign"),
        ):
            await enter(pilot, name)
            assert seen(pilot, why), name
            assert pilot.app.screen.query_one(Input).value == name
        await enter(pilot, "board.csv")
        assert said(pilot) == "written: board.csv"
        printed = invoke("results", "--db", str(judged.path), "-f", "csv", "-o", "-")
        assert (files / "board.csv").read_text() == printed.stdout
    assert (files / "there.csv").read_text() == "precious"


async def test_what_others_wrote_is_noticed_and_read_on_demand(judged: Campaign) -> None:
    async with at_results(judged) as pilot:
        await keys(pilot, "j", "enter")
        with open_campaign(judged.path) as other:
            graded(other, "q2 0 list.sort 2\n", judge="bob")
        await until(pilot, lambda: "changed on disk: r reloads" in text(pilot, "basis"))
        await keys(pilot, "j")
        # What is on screen is still of one moment.
        assert "5 grades" in text(pilot, "basis")
        await keys(pilot, "r")
        assert "6 grades" in text(pilot, "basis")
        assert "changed on disk" not in text(pilot, "basis")
        assert text(pilot, "path") == "Leaderboard › beta"
        assert text(pilot, "detail").startswith("q1")
        with judged.writing():
            judged.execute("ALTER TABLE results RENAME TO elsewhere")
        shown = words(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "CANNOT READ" in said(pilot))
        assert words(pilot) == shown


async def test_leaving_while_it_is_read_leaves_the_file_alone(judged: Campaign) -> None:
    path = judged.path
    async with running(judged, showing_results(Question())) as pilot:
        await pilot.press("2", "3", "4", "5", "enter", "r", "1", "r", "q")
    assert pilot.app.return_code == 0
    judged.close()
    assert [file.name for file in path.parent.glob(f"{path.name}*")] == [path.name]
