"""What the Results screen writes and reads: the pool, exports, what others wrote meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.pool import pool_size
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.results.exporting import ExportOverlay, file_name
from judge_tui.tui.widgets.entry_line import EntryLine
from tests.as_typed import invoke
from tests.tui.results_screen import (
    at_results,
    graded,
    line,
    press,
    rows,
    screen,
    with_run,
)

# never.retrieved is in no other run, and not in the pool.
GAMMA = "q1 Q0 never.retrieved 1 3.0 gamma\nq1 Q0 csv.reader 2 2.0 gamma\n"


@pytest.fixture
def looked_at(judged: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Judged, with a run that has a document from outside of the pool; in the folder of the
    files."""
    with_run(judged, files, "gamma", GAMMA)
    monkeypatch.chdir(files)
    return judged


def pooled(campaign: Campaign) -> list[tuple[str]]:
    return campaign.rows(
        "SELECT p.stratum FROM pool AS p JOIN documents AS d ON d.id = p.document"
        " WHERE d.doc_id = 'never.retrieved'"
    )


async def at_gamma(app: JudgeTuiApp, pilot: Pilot[None]) -> None:
    """On never.retrieved, the first of gamma for q1."""
    while not line(app, "below").startswith("gamma"):
        await press(pilot, "j")
    await press(pilot, "enter", "enter")
    assert line(app, "below").startswith("never.retrieved")


async def test_an_unjudged_document_is_sent_to_the_pool(looked_at: Campaign) -> None:
    async with at_results(looked_at) as (app, pilot):
        await at_gamma(app, pilot)
        assert "unjudged, and not in the pool" in line(app, "below")
        await press(pilot, "p")
        assert "in the pool now: it counts here once a judge has graded it" in line(app, "said")
        # Last of the three that q1 had.
        assert pooled(looked_at) == [("results",)]
        assert pool_size(looked_at).by_stratum["results"] == 1
        assert "in the pool, and not judged" in line(app, "below")
        assert "·+new" in rows(app)[0].replace(" ", "")
        assert "2 not judged" in line(app, "rests")
        await press(pilot, "p")
        assert "in the pool already" in line(app, "said")
        assert pooled(looked_at) == [("results",)]
    # Without assignments everybody judges the whole pool.
    desk = Desk(looked_at, add_judge(looked_at, "bob"))
    q1 = next(query.key for query in desk.queries() if query.query_id == "q1")
    assert "never.retrieved" in [pair.doc_id for pair in desk.pairs(q1)]


async def test_the_command_that_gives_it_out_names_the_file_and_is_harmless(
    looked_at: Campaign, files: Path
) -> None:
    assign(looked_at, ["ann", "bob"], overlap=0.5)
    looked_at.close()
    shutil.copyfile(looked_at.path, files / "\x1b[31m.db")
    with open_campaign("\x1b[31m.db") as campaign:
        async with at_results(campaign) as (app, pilot):
            await at_gamma(app, pilot)
            await press(pilot, "p")
            said = line(app, "said")
            assert "given to nobody: judge-tui assign --db '␛[31m.db' --judges …" in said
            assert "\x1b" not in said


async def test_a_judged_document_or_none_is_not_sent(looked_at: Campaign) -> None:
    before = pool_size(looked_at).pairs
    async with at_results(looked_at) as (app, pilot):
        await press(pilot, "p")
        assert "go to a document" in line(app, "said")
        await at_gamma(app, pilot)
        await press(pilot, "j", "p")
        assert "this document has a final grade" in line(app, "said")
    assert pool_size(looked_at).pairs == before


async def test_a_file_that_is_held_is_said(looked_at: Campaign) -> None:
    async with at_results(looked_at) as (app, pilot):
        await at_gamma(app, pilot)
        looked_at.wait_at_most(10)
        with open_campaign(looked_at.path) as other, other.writing():
            await press(pilot, "p")
            assert "NOT SAVED" in line(app, "said")
        assert pooled(looked_at) == []
        await press(pilot, "p")
        assert pooled(looked_at) == [("results",)]


async def written(app: JudgeTuiApp, pilot: Pilot[None], name: str) -> None:
    """Type a name over the one that is there, and enter."""
    await press(pilot, "e")
    assert isinstance(app.screen, ExportOverlay)
    app.screen.query_one(EntryLine).value = name
    await press(pilot, "enter")


def printed(campaign: Campaign, *arguments: str) -> str:
    done = invoke("results", "--db", str(campaign.path), *arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


EXTENSIONS = {
    "csv": "csv",
    "md": "md",
    "json": "json",
    "svg": "svg",
    "tex": "latex",
    "txt": "table",
}


@pytest.mark.parametrize(
    ("keys", "arguments"),
    [
        ((), ()),
        (("j", "enter"), ("--delta", "alpha", "beta")),
        (("2",), ("--failures", "alpha")),
        (("3",), ("--histogram",)),
        (("4",), ("--by", "class")),
        (("4", "right_square_bracket"), ("--by", "document.kind")),
        (("5",), ("--disagreements",)),
        (("j", "enter", "enter"), ("-k", "2", "--query", "q2", "alpha", "beta")),
    ],
    ids=lambda one: "-".join(one).strip("-") if isinstance(one, tuple) else one,
)
async def test_a_view_is_written_as_the_command_line_prints_it(
    judged: Campaign,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    keys: tuple[str, ...],
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(files)
    # Every form of one view, and two of each.
    written_as = EXTENSIONS if "--delta" in arguments else {"csv": "csv", "txt": "table"}
    async with at_results(judged, Question(k=2) if "-k" in arguments else None) as (app, pilot):
        await press(pilot, *keys)
        for extension in written_as:
            await written(app, pilot, f"view.{extension}")
            assert line(app, "said").startswith(f"written: view.{extension}")
    for extension, form in written_as.items():
        text = (files / f"view.{extension}").read_text()
        assert text == printed(judged, *arguments, "-f", form, "-o", "-"), extension


async def test_what_is_there_is_only_replaced_if_asked_again(
    looked_at: Campaign, files: Path
) -> None:
    (files / "there.csv").write_text("precious")
    async with at_results(looked_at) as (app, pilot):
        await written(app, pilot, "there.csv")
        assert "is there already" in str(app.screen.query_one(".hint").render())
        assert (files / "there.csv").read_text() == "precious"
        await press(pilot, "escape")
        assert (files / "there.csv").read_text() == "precious"
        await written(app, pilot, "there.csv")
        await press(pilot, "enter")
        assert (files / "there.csv").read_text().startswith("tag,")


async def test_a_file_that_cannot_be_is_said_in_words(looked_at: Campaign, files: Path) -> None:
    (files / "folder.csv").mkdir()
    async with at_results(looked_at) as (app, pilot):
        for name, said in (
            ("", "says the form"),
            ("view", "says the form"),
            ("view.exe", "says the form"),
            ("nowhere/view.csv", "cannot be written"),
            ("folder.csv", "is there already"),
            ("~nobody-of-that-name/view.csv", "NOT WRITTEN"),
            ("x" * 300 + ".csv", "NOT WRITTEN"),
        ):
            await written(app, pilot, name)
            assert said in str(app.screen.query_one(".hint").render()), name
            await press(pilot, "enter")
            assert isinstance(app.screen, ExportOverlay)
            await press(pilot, "escape")
            assert screen(app).is_current
        await written(app, pilot, "campaign.db.csv")
        assert (files / "campaign.db.csv").is_file()


async def test_the_campaign_itself_is_not_written_over(looked_at: Campaign, files: Path) -> None:
    looked_at.checkpoint()
    (files / "link.csv").symlink_to(looked_at.path)
    before = looked_at.path.read_bytes()
    async with at_results(looked_at) as (app, pilot):
        await written(app, pilot, "link.csv")
        await press(pilot, "enter")
        assert "perhaps a campaign" in str(app.screen.query_one(".hint").render())
    assert looked_at.path.read_bytes()[:16] == before[:16]


@pytest.mark.parametrize(
    ("view", "name"),
    [
        ("deltas-dense", "deltas-dense.csv"),
        ("deltas-../../etc/passwd", "deltas-..-..-etc-passwd.csv"),
        ("rankings-\x1b[2J a\nb", "rankings-2J-a-b.csv"),
        ("...", "results.csv"),
        ("é" * 500, "é" * 80 + ".csv"),
    ],
)
def test_the_name_of_a_file_is_harmless(view: str, name: str) -> None:
    assert file_name(view) == name


async def test_what_others_wrote_is_noticed_and_read_on_demand(
    looked_at: Campaign, files: Path
) -> None:
    async with at_results(looked_at) as (app, pilot):
        await press(pilot, "j", "enter")
        assert "5 grades" in line(app, "rests")
        with open_campaign(looked_at.path) as other:
            graded(other, files, "q2 0 list.sort 2\n", judge="bob")
        while "written to since" not in line(app, "rests"):
            await pilot.pause(0.05)
        # What is on screen is still of one moment.
        assert "5 grades" in line(app, "rests")
        await press(pilot, "r")
        assert "6 grades" in line(app, "rests")
        assert "written to since" not in line(app, "rests")
        assert "Per query" in line(app, "title")
        await press(pilot, "p")
        assert "written to since" not in line(app, "rests")


async def test_a_file_that_cannot_be_read_again_is_said(looked_at: Campaign) -> None:
    async with at_results(looked_at) as (app, pilot):
        shown = rows(app)
        with looked_at.writing():
            looked_at.execute("ALTER TABLE results RENAME TO elsewhere")
        await press(pilot, "r")
        assert "CANNOT READ" in line(app, "said")
        assert rows(app) == shown
