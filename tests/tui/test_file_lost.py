"""The file is taken away, replaced or written over while the app is open: every screen says so in
the same words, for good, and shows and changes nothing of what stands there then."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from judge_tui.analysis.asked import Asked
from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.pool import extend_pool
from judge_tui.campaign.queries import load_queries
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening, judging, reviewing
from judge_tui.tui.screens.results import opening
from judge_tui.tui.widgets import SaidLine
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.visible import visible_line
from tests.campaign.copies import events_of, whole
from tests.loading_runs import load_run
from tests.tui.judging import opened as opened_for_judging
from tests.tui.reviewing import IN_ORDER, disputed, line, opened, queue

OVERWRITTEN = "another program wrote over the file while it was open"
GONE = "the file was deleted, moved or replaced while it was open"
OTHER_ID = "other.document"


def other_campaign(path: Path) -> Path:
    """Of the same shape, so that the keys of this one lead somewhere in that one, too."""
    folder = path.with_name("elsewhere")
    folder.mkdir()
    for name in ("queries.jsonl", "documents.jsonl", "alpha.run", "beta.run"):
        text = path.with_name(name).read_text()
        for word in ("csv.reader", "json.load", "list.sort", "sorted"):
            text = text.replace(word, f"{OTHER_ID}.{word}")
        (folder / name).write_text(text.replace("alpha", "omega").replace("read a", "other need"))
    other = folder / "other.db"
    with create_campaign(
        other, name="another one", scale=DEFAULT_SCALE, guidelines="", seed=3
    ) as campaign:
        load_queries(campaign, folder / "queries.jsonl")
        for name in ("alpha.run", "beta.run"):
            load_run(campaign, folder / name)
        load_documents(campaign, folder / "documents.jsonl")
        extend_pool(campaign, depth=10)
        for judge in ("zoe", "yan", "xia"):
            add_judge(campaign, judge)
    return other


def copied_over(path: Path, other: Path) -> None:
    shutil.copyfile(other, path)


def deleted(path: Path, _other: Path) -> None:
    path.unlink()


def replaced(path: Path, other: Path) -> None:
    shutil.copyfile(other, other.with_name("again.db"))
    other.with_name("again.db").replace(path)


HARMS: dict[Callable[[Path, Path], None], str] = {
    copied_over: OVERWRITTEN,
    deleted: GONE,
    replaced: GONE,
}

# What is pressed on each screen: whatever reads, and whatever writes.
KEYS = {
    "home": ("r", "n", "Z", "enter", "escape", "v", "Z", "enter", "escape", "s", "r", "enter"),
    "judge": ("2", "right_square_bracket", "f", "tab", "u", "3", "s", "c", "x", "enter", "F"),
    "review": ("right_square_bracket", "1", "s", "u", "A", "F", "escape", "r", "0", "M", "escape"),
    "results": ("r", "j", "enter", "enter", "r", "p", "5", "1", "2", "3", "4", "r"),
}


def opened_at(campaign: Campaign, screen: str) -> Opening:
    judges = disputed(campaign)
    if screen == "judge":
        return judging(add_judge(campaign, "cleo"))
    if screen == "review":
        return reviewing(add_judge(campaign, "lea", role="lead"))
    return opening(Asked()) if screen == "results" and judges else AT_HOME


def said(app: JudgeTuiApp) -> str:
    line = app.screen_stack[0].query_one("#said", Static)
    return str(line.render())


def shown(app: JudgeTuiApp) -> str:
    """Every character that is on the terminal."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines)


async def until_lost(app: JudgeTuiApp, pilot: Pilot[None]) -> None:
    for _ in range(400):
        if "FILE LOST" in said(app):
            return
        await pilot.pause(0.02)
    pytest.fail(f"it is not said that the file is lost, but: {said(app)!r}")


@pytest.mark.parametrize("early", [False, True], ids=["after", "before"])
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("name", KEYS)
async def test_a_lost_file_is_said_on_every_screen_and_left_alone(
    campaign: Campaign, name: str, harm: Callable[[Path, Path], None], *, early: bool
) -> None:
    """`early`: keys come before the app has noticed of itself."""
    path = campaign.path
    other = other_campaign(path)
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, name))
    campaign.tend()
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.pause(0.3)
        harm(path, other)
        left = path.read_bytes() if path.exists() else None
        if not early:
            await until_lost(app, pilot)
        for key in KEYS[name]:
            await pilot.press(key)
            await pilot.pause()
            assert OTHER_ID not in shown(app)
            assert "omega" not in shown(app)
            assert "zoe" not in shown(app)
            assert "no such table" not in shown(app)
        while len(app.screen_stack) > 1:
            await pilot.press("escape")
            await pilot.pause()
        await until_lost(app, pilot)
        assert HARMS[harm] in said(app)
        # Nothing that comes later takes it off.
        await pilot.pause(0.6)
        for key in KEYS[name][:2]:
            await pilot.press(key)
            await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert "FILE LOST" in said(app)
        assert HARMS[harm] in said(app)
    with suppress(CampaignError):
        campaign.close()
    assert (path.read_bytes() if path.exists() else None) == left
    if harm in (copied_over, replaced):
        assert whole(path) == whole(other)


@pytest.mark.parametrize("name", KEYS)
async def test_a_deleted_file_is_kept_whole_and_once_whatever_screen_had_it_open(
    campaign: Campaign, name: str
) -> None:
    """Also where nothing was done on it: nobody else may have it any more."""
    path = campaign.path
    opens = opened_at(campaign, name)
    before = events_of(campaign)
    campaign.close()
    session = open_campaign(path)
    app = JudgeTuiApp(session, opening=opens)
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.pause(0.3)
        for file in path.parent.glob("campaign.db*"):
            file.unlink()
        await until_lost(app, pilot)
        for key in KEYS[name]:
            await pilot.press(key)
        await pilot.pause(0.6)
        assert f"FILE LOST  {GONE}; all up to now is in campaign-kept.db beside it" in said(app)
    with pytest.raises(CampaignError, match="campaign-kept"):
        session.close()
    kept = path.with_name("campaign-kept.db")
    assert list(path.parent.glob("*campaign*")) == [kept]
    with open_campaign(kept) as again:
        assert events_of(again) == before


@pytest.mark.parametrize("early", [False, True], ids=["after", "before"])
@pytest.mark.parametrize("harm", [copied_over, deleted])
@pytest.mark.parametrize("name", ["judge", "review"])
async def test_what_a_key_that_was_not_saved_says_stays_with_it(
    campaign: Campaign, name: str, harm: Callable[[Path, Path], None], *, early: bool
) -> None:
    other = other_campaign(campaign.path)
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, name))
    campaign.tend()
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.pause(0.3)
        harm(campaign.path, other)
        if not early:
            await until_lost(app, pilot)
        await pilot.press("2")
        await pilot.pause(0.6)
        assert said(app).startswith("NOT SAVED  FILE LOST")
        assert HARMS[harm] in said(app)
        if harm is deleted:
            assert "all up to now is in campaign-kept.db" in said(app)
        await pilot.press("q")
        await pilot.pause()
    assert app.return_code == 2
    with suppress(CampaignError):
        campaign.close()


@pytest.mark.parametrize("by_home", [False, True], ids=["alone", "from Home"])
@pytest.mark.parametrize("early", [False, True], ids=["after", "before"])
async def test_a_comment_that_was_not_saved_is_printed_when_the_app_is_left(
    campaign: Campaign, capsys: pytest.CaptureFixture[str], *, early: bool, by_home: bool
) -> None:
    """Nobody types it twice: it is whole, and harmless."""
    judge = add_judge(campaign, "cleo")
    opens = AT_HOME if by_home else judging(judge)
    app = JudgeTuiApp(campaign, opening=opens)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.3)
        if by_home:
            await pilot.press("enter")
        await opened_for_judging(pilot)
        doc_id = app.screen.in_front.doc_id  # type: ignore[attr-defined]
        await pilot.press("c")
        await pilot.pause()
        comment = f"[bold]odd\x1b[2J {'word ' * 40}end"
        app.screen.query_one(EntryLine).value = comment
        deleted(campaign.path, campaign.path)
        if not early:
            await pilot.pause(0.6)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("q")
        await pilot.pause()
        if by_home:
            await pilot.press("q")
            await pilot.pause()
    assert app.return_code == 2
    kept = f"NOT SAVED: the comment on {doc_id}, query q1: {visible_line(comment)}"
    assert bare(kept) in bare(capsys.readouterr().err)
    with suppress(CampaignError):
        campaign.close()


@pytest.mark.parametrize("is_lost", [True, False])
async def test_a_reason_that_waits_is_printed_when_the_file_was_lost(
    campaign: Campaign, capsys: pytest.CaptureFixture[str], *, is_lost: bool
) -> None:
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, "review"))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("c", *"why", "enter")
        await pilot.pause()
        if is_lost:
            deleted(campaign.path, campaign.path)
            await until_lost(app, pilot)
        await pilot.press("q")
        await pilot.pause()
        assert app.is_running
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running
    line = f"NOT SAVED: the reason on {IN_ORDER[0]}, query q1: why\n"
    assert capsys.readouterr().err == (line if is_lost else "")
    assert app.return_code == (2 if is_lost else 0)
    with suppress(CampaignError):
        campaign.close()


@contextmanager
def no_room() -> Iterator[None]:
    """No file can be made that is as long as a campaign's."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("keys", [("q",), ("question_mark", "ctrl+q")], ids=["q", "under help"])
@pytest.mark.parametrize("name", KEYS)
async def test_what_may_be_the_only_copy_is_not_left_without_a_word(
    campaign: Campaign, name: str, keys: tuple[str, ...]
) -> None:
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, name))
    campaign.tend()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.3)
        with no_room():
            deleted(campaign.path, campaign.path)
            await until_lost(app, pilot)
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            assert app.is_running
            warned = "NOT KEPT  this may be the only copy  ctrl+q once more leaves without it"
            assert said(app).startswith(f"{warned}  FILE LOST")
            assert bare(warned) in bare(shown(app)) or keys[-1] == "ctrl+q"
            await pilot.press(keys[-1])
            await pilot.pause()
            assert not app.is_running
            with pytest.raises(CampaignError, match="could not be kept beside it"):
                campaign.close()


@pytest.mark.parametrize("name", KEYS)
async def test_who_made_room_leaves_with_what_was_kept(campaign: Campaign, name: str) -> None:
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, name))
    campaign.tend()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.3)
        with no_room():
            deleted(campaign.path, campaign.path)
            await until_lost(app, pilot)
        assert "make room and try again" in said(app)
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running
    with pytest.raises(CampaignError, match=r"all up to now is in campaign-kept\.db"):
        campaign.close()


@pytest.mark.parametrize("harm", [copied_over, deleted])
async def test_the_cases_keep_the_name_of_the_order_that_they_keep(
    campaign: Campaign, harm: Callable[[Path, Path], None]
) -> None:
    other = other_campaign(campaign.path)
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, "review"))
    campaign.tend()
    async with app.run_test(size=(160, 40)) as pilot:
        await opened(pilot)
        order = queue(app)
        assert "most swaps by nDCG@10 first" in line(app, "about")
        harm(campaign.path, other)
        await until_lost(app, pilot)
        await pilot.press("s")
        await pilot.pause(0.6)
        assert queue(app) == order
        assert "most swaps by nDCG@10 first" in line(app, "about")
    with suppress(CampaignError):
        campaign.close()


def bare(text: str) -> str:
    """Wherever its lines break."""
    return "".join(text.split())


async def test_an_error_that_is_too_long_has_a_sign_that_it_goes_on(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, "judge"))
    async with app.run_test(size=(40, 20)) as pilot:
        await pilot.pause(0.3)
        for words in (3, 300, 3):
            app.screen.query_one(SaidLine).say_whole(Content("word " * words))
            await pilot.pause()
            assert (" …" in shown(app).split("word", 1)[1]) == (words == 300)
            assert app.screen.query_one("#said").size.height == (4 if words == 300 else 1)
