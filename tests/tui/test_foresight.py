"""The next document is made ready while one is read: what is shown is the same as without that."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import settings
from pygments.lexer import Lexer
from pygments.token import Token
from textual.geometry import Size
from textual.pilot import Pilot

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.model import Document
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.reading import highlighting, reading_of
from judge_tui.tui.screens.judge.foresight import Foresight
from tests.tui.judging import actions, here, opened, press, screen, shown
from tests.tui.reading.readings import whole

SIZE = (100, 30)
SCREEN = Size(60, 20)

# Of each kind one whose beginning needs more than a part, and tables that are laid out by the room.
_TABLE = "| one | two |\n|---|---|\n" + "| a cell of some length | and another one there |\n" * 40
TEXTS = {
    "text": "".join(f"line {number} with a CSV file\n" for number in range(900)),
    "markdown": f"# Title\n\nA **strong** word.\n\n{_TABLE}\n" * 5 + "\n\nThe *end*.",
    "html": "<h1>Title</h1><p>Some <b>bold</b> text.</p>" * 300 + "<p>The end.",
    "text/x-python": "def read(path):\n    '''Read.'''\n    return open(path)  # now\n\n" * 150,
    "application/json": '{"a": [1, 2, "three"]}\n' * 400,
}


def ready(foresight: Foresight) -> None:
    for _ in range(100_000):
        if not foresight.go_on():
            return
    raise AssertionError("never ready")


@pytest.mark.parametrize("change", ["text", "kind", "raw", "room", "meta", "title"])
def test_anything_else_is_read_anew(change: str) -> None:
    document = Document("d", text="# A *title*\n\n" + "words " * 500, kind="markdown")
    raw, room, other = False, 60, document
    foresight = Foresight()
    foresight.begin(document, raw=raw, room=room, screen=SCREEN)
    ready(foresight)
    if change == "raw":
        raw = True
    elif change == "room":
        room = 61
    else:
        value = {"a": 1} if change == "meta" else "text/plain"
        other = replace(document, **{change: value})  # type: ignore[arg-type]
    found = foresight.reading_of(other, raw=raw, room=room)
    assert whole(found) == whole(reading_of(other, raw=raw, room=room))
    # And what was ready is forgotten.
    assert not foresight.go_on()


# On the screen


@pytest.fixture
def kinds(campaign: Campaign) -> Campaign:
    """Six long documents of all kinds."""
    documents = campaign.rows("SELECT id FROM documents ORDER BY id")
    for at, (key,) in enumerate(documents):
        kind = list(TEXTS)[at % len(TEXTS)]
        campaign.execute(
            "UPDATE documents SET kind = ?, text = ? WHERE id = ?",
            (kind, f"{TEXTS[kind]}", key),
        )
    return campaign


def assert_as_read(app: JudgeTuiApp) -> None:
    """The document in front of the judge stands there as it is read from the file now."""
    judging = screen(app)
    pair = judging.route.pair
    assert pair is not None
    document, _ = judging.desk.document(pair)
    assert judging._document is not None
    assert judging._document[0] == document
    alone = StyledText(reading_of(document, raw=judging.raw, room=judging.view.room))
    while not alone.done:
        alone.take(4096)
    on_screen = judging.view._document.styled
    start = on_screen._body
    assert on_screen.text[start:] == alone.text
    assert _looks(on_screen, start) == _looks(alone, 0)


def _looks(styled: StyledText, start: int) -> list[tuple[str, ...]]:
    looks: list[tuple[str, ...]] = []
    for left, right, names in styled.runs(start, len(styled.text)):
        looks += [()] * (left - start - len(looks)) + [names] * (right - left)
    return looks + [()] * (len(styled.text) - start - len(looks))


async def settle(app: JudgeTuiApp, pilot: Pilot[None]) -> None:
    for _ in range(3000):
        await pilot.pause(0.01)
        if screen(app).view.settled and not screen(app).guard.waiting:
            return
    raise AssertionError("the document was never made ready")


MOVES = (
    *("2", "2", "2", "0", "s", "x", "u", "u", "ctrl+r", "v", "w"),
    *("right_square_bracket", "left_square_bracket", "tab", "jump", "narrow", "wide", "change"),
)


@pytest.mark.hypothesis
@pytest.mark.parametrize("seed", range(1 + settings().max_examples // 50))
async def test_whatever_comes_between_the_right_document_is_shown(
    app: JudgeTuiApp, kinds: Campaign, seed: int
) -> None:
    """Raw, another size, undo, a jump, a change in the file, while the next one is made ready."""
    chance = random.Random(seed)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        for _ in range(20):
            move = chance.choice(MOVES)
            if move == "jump":
                await press(pilot, "o", chance.choice(["up", "down"]), "enter")
            elif move in ("narrow", "wide"):
                await pilot.resize_terminal(*((44, 20) if move == "narrow" else SIZE))
            elif move == "change":
                with open_campaign(kinds.path) as other, other.writing():
                    other.execute(
                        "UPDATE documents SET text = text || ? WHERE id = ?",
                        (f" changed {chance.random()}", chance.randrange(1, 7)),
                    )
                # Whatever is on screen is shown anew before a key does anything to it.
                await pilot.press("2")
            else:
                await pilot.press(move)
            await pilot.pause(chance.choice([0, 0, 0.002, 0.02, 0.15]))
            if screen(app).route.all_judged:
                await press(pilot, "u")
            if chance.random() < 0.4:
                await settle(app, pilot)
                assert_as_read(app)
        await settle(app, pilot)
        assert_as_read(app)


async def foreseen(app: JudgeTuiApp, pilot: Pilot[None]) -> Document:
    """Wait until the next document is begun; which one that is."""
    await opened(pilot)
    for _ in range(6000):
        key = screen(app)._foresight._key
        if key is not None:
            return key[0]
        await pilot.pause(0.005)
    raise AssertionError("nothing was foreseen")


async def test_a_document_changed_after_it_was_begun_is_shown_as_it_is_now(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        document = await foreseen(app, pilot)
        with open_campaign(campaign.path) as other, other.writing():
            other.execute(
                "UPDATE documents SET text = 'all new' WHERE doc_id = ?", (document.doc_id,)
            )
        await press(pilot, "2")
        assert here(app) == document.doc_id
        assert shown(app)[0].endswith(" all new")
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 2), ("grade", 3)]


async def test_a_reading_that_fails_waits_for_its_turn(
    app: JudgeTuiApp, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And then says what there is to say; nobody is kept from the documents around it."""
    campaign.execute("UPDATE documents SET kind = 'text/html', text = '<p>text ' || doc_id")

    def fail(*_: object) -> None:
        raise RuntimeError("a parser's fault")

    monkeypatch.setattr("judge_tui.tui.reading.html_writer.HtmlWriter.data", fail)
    async with app.run_test(size=SIZE) as pilot:
        await foreseen(app, pilot)
        await pilot.pause(0.05)
        await press(pilot, "2", "3")
        assert actions(campaign) == [("grade", 2), ("grade", 3)]
        assert any("cannot be rendered" in row for row in shown(app))
        await press(pilot, "v")
        assert shown(app)[0].strip().startswith("<p>text ")


class Hanging(Lexer):  # type: ignore[misc]
    """A lexer whose expression takes longer than anybody lives."""

    name = "hanging"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, object, str]]:
        yield 0, Token.Keyword, text[:3]
        re.match(r"(x+)+y", "x" * 100)
        yield 3, Token.Text, text[3:]


async def test_a_lexer_that_hangs_ahead_of_time_is_called_off(
    app: JudgeTuiApp, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highlighting, "_lexer", lambda _language: Hanging())
    monkeypatch.setattr(highlighting, "_LONGEST_FIRST", 0.1)
    monkeypatch.setattr(highlighting, "_forgiven", set())
    text = "".join(f"line {number}\n" for number in range(3000))
    campaign.execute("UPDATE documents SET text = ?", (text,))
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        first = here(app)
        campaign.execute("UPDATE documents SET kind = 'text/x-python' WHERE doc_id <> ?", (first,))
        await foreseen(app, pilot)
        await press(pilot, "2")
        assert actions(campaign) == [("grade", 2)]
        assert here(app) != first
        assert shown(app)[0].split() == ["1", "line", "0"]
        await press(pilot, "G")
        await settle(app, pilot)
        assert_as_read(app)
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 2), ("grade", 3)]


# What rests meanwhile


@pytest.fixture
def long(campaign: Campaign) -> Campaign:
    text = "".join(
        f"row {at} {'needle' if at == 19_990 else 'hay'} file lists\n" for at in range(20_000)
    )
    campaign.execute("UPDATE documents SET text = ?", (text,))
    return campaign


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["G"], "row 19999 hay"),
        (["slash", *"needle", "enter"], "row 19990 needle"),
        (["space"] * 20, "row 400 hay"),
        (["w", "G"], "row 19999 hay"),
        (["v", "G"], "row 19999 hay"),
    ],
    ids=["end", "find", "pages", "unwrapped", "raw"],
)
async def test_what_rests_is_made_ready_for_who_goes_there(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch, keys: list[str], expected: str
) -> None:
    """Even if nothing ever wakes it."""
    monkeypatch.setattr("judge_tui.tui.screens.judge.meaning._REST_LATER", 1e6)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.pause(0.02)
        for key in keys:
            await pilot.press(key)
        for _ in range(3000):
            await pilot.pause(0.01)
            if any(expected in row for row in shown(app)):
                break
        assert any(expected in row for row in shown(app))
