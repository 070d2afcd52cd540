"""Blind: what a judge sees, and what is read for it, is the same whatever runs and others say.

On a desk with everything that must not be told: pairs that others judge too, gold pairs, hidden
repeats, another judge's grades, flags and notes, an adjudication, a model's grades.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.pilot import Pilot

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import Scale
from judge_tui.tui.app import judging
from judge_tui.tui.pace import LookTimer
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.widgets.document_view import DocumentView
from tests.campaigns import load_run
from tests.tui.pilots import painted as wait_until_painted
from tests.tui.pilots import press_after_look, running

OTHER, MODEL = "Zebulon", "oracle-9"
SECRETS = (
    OTHER,
    MODEL,
    "marmalade",
    "verdict",
    "secretrun",
    "gold",
    "overlap",
    "repeat",
    "purpose",
)

# What is pressed after a key: before what it opens is closed, and to take back what is not a grade.
_WITHIN = {
    "s": ("u",),
    "x": ("u",),
    "slash": ("e", "enter", "n", "N", "escape"),
    "c": ("h", "i", "enter"),
    "C": ("h", "i", "enter"),
    "o": ("down", "enter"),
    "F": ("down", "enter"),
    "ctrl+p": ("u", "n", "escape", "escape"),
}


@pytest.fixture
def desk(files: Path) -> Path:
    """A file with ann's desk: three queries, some of whose pairs come to her twice."""
    return made(files)


def made(files: Path, *, show_ranks: bool = False) -> Path:
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    path = files / "blind.db"
    with create_campaign(
        path,
        name="blind",
        scale=scale,
        guidelines="# Read\n\nThen grade.",
        seed=7,
        show_ranks=show_ranks,
    ) as campaign:
        queries = ("q1", "q2", "q3")
        (files / "q.tsv").write_text("".join(f"{query}\tabout {query}\n" for query in queries))
        load_queries(campaign, files / "q.tsv")
        names = [f"d{number}" for number in range(6)]
        texts = "".join(f'{{"doc_id": "{name}", "text": "Text of {name}."}}\n' for name in names)
        (files / "d.jsonl").write_text(texts)
        for tag, order in (("secretrun-a", names), ("secretrun-b", names[::-1])):
            (files / f"{tag}.run").write_text(
                "".join(
                    f"{query} Q0 {name} {rank} {7 - rank} {tag}\n"
                    for query in queries
                    for rank, name in enumerate(order, 1)
                )
            )
            load_run(campaign, files / f"{tag}.run")
        load_document_files(campaign, [files / "d.jsonl"])
        extend_pool(campaign, depth=6)
        (files / "gold.qrels").write_text("q1 0 d0 3\nq2 0 d3 0\nq2 0 d9 1\n")
        assign(campaign, ["ann", OTHER], overlap=0.5, repeat=0.5, gold=files / "gold.qrels")
        other, model = add_judge(campaign, OTHER), add_judge(campaign, MODEL, kind="model")
        for at, (pair,) in enumerate(campaign.rows("SELECT id FROM pool")):
            its = {"judge": other.key, "pair": pair}
            append_event(campaign, **its, action="grade", grade=at % 4, looked=99.0)
            append_event(campaign, **its, action="comment", note=f"marmalade {at}")
            append_event(campaign, **its, action=("flag", "skip", "cannot")[at % 3])
            append_event(campaign, judge=model.key, pair=pair, action="grade", grade=at % 2)
            if at % 2:
                append_event(campaign, **its, action="adjudicate", grade=2, note="verdict")
        purposes = {one for (one,) in campaign.rows("SELECT purpose FROM assignments")}
        assert purposes >= {"overlap", "gold", "repeat"}
    return path


def without_others(path: Path, to: Path) -> Path:
    """A copy in which nobody but ann did anything, and all that she must not know is otherwise."""
    shutil.copy(path, to)
    connection = sqlite3.connect(to, isolation_level=None)
    connection.executescript(
        """
        DROP TRIGGER events_refuse_delete;
        DELETE FROM events WHERE judge <> (SELECT id FROM judges WHERE name = 'ann');
        DELETE FROM assignments WHERE judge <> (SELECT id FROM judges WHERE name = 'ann');
        DELETE FROM judgments WHERE judge <> (SELECT id FROM judges WHERE name = 'ann');
        DELETE FROM adjudications;
        UPDATE assignments SET purpose = 'normal' WHERE turn = 0;
        UPDATE judges SET name = 'nobody ' || id WHERE name <> 'ann';
        DELETE FROM gold;
        DELETE FROM results;
        UPDATE runs SET tag = 'run ' || id, source = '';
        UPDATE pool SET stratum = '';
        """
    )
    connection.close()
    return to


@contextmanager
def steady(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each document is looked at for seven seconds; the gutter, which comes a moment after the
    text, is left out."""
    with monkeypatch.context() as patch:
        patch.setattr(LookTimer, "seconds", lambda *_: 7.0)
        patch.setattr(DocumentView, "_lay_gutter", lambda *_: None)
        yield


def painted(pilot: Pilot[None]) -> list[list[tuple[str, str]]]:
    """What is on the terminal, row by row, each stretch with its style."""
    strips = pilot.app.screen._compositor.render_strips(pilot.app.size)
    return [[(part.text, str(part.style)) for part in strip.simplify()] for strip in strips]


async def use_every_key(pilot: Pilot[None]) -> list[list[list[tuple[str, str]]]]:
    """Every key of the Judge screen, the desk judged to its end; each screen that was painted."""
    seen = []
    pilot.app.animation_level = "none"

    async def use(key: str) -> None:
        await press_after_look(pilot, key)
        # A busy machine may still be opening or closing something.
        look = None
        while look != (look := painted(pilot)):
            await pilot.pause(0.02)
        seen.append(look)

    judging = pilot.app.screen
    # Scrolling reads nothing.
    reading = {"document.find", "document.raw", "document.copy-id", "document.open-url"}
    of_documents = [one for one in DocumentView.BINDINGS if one.id in reading]
    assert len(of_documents) == len(reading)
    bound = [*JudgeScreen.BINDINGS, *of_documents]
    for one in (*bound, Binding("ctrl+p", "", id="app.palette")):
        assert isinstance(one, Binding)
        if one.id == "judge.leave":
            continue
        key = one.key.split(",")[0]
        await use(key)
        for within in _WITHIN.get(key, ()):
            await use(within)
        if pilot.app.screen is not judging:
            await use("j")
            await use("escape")
        assert pilot.app.screen is judging, one.id
    for _ in range(60):
        if thanked(pilot):
            break
        await use("2")
    assert thanked(pilot)
    for key in ("F", "escape", "t", "escape", "o", "escape", "left_square_bracket", "u", "ctrl+r"):
        await use(key)
    return seen


def thanked(pilot: Pilot[None]) -> bool:
    """Whether everything is judged."""
    return "Thank you" in text_of([painted(pilot)])


# Everything that may be read for the Judge screen; column -> what SQLite calls a whole row.
_READABLE = {
    "sqlite_master": None,
    "json_each": None,
    "campaign": None,
    "queries": None,
    "documents": None,
    "pool": {"", "id", "query", "document", "ROWID"},
    "assignments": {"", "judge", "pair", "turn", "position"},
    "judgments": None,
    "events": None,
    # That the writer of an event is one, and her own row, which is kept with what she does: that it
    # is no other's, what each statement finds tells below.
    "judges": {"", "id", "name", "role", "kind", "formerly", "removed"},
}
# Asks what came last to the file, whoever wrote it.
_NEWEST = re.compile(r"SELECT (coalesce\()?max\(id\)(, ''\))? FROM events")


@dataclass
class Session:
    """What was painted, and what SQLite said was read for it."""

    painted: list[list[list[tuple[str, str]]]] = field(default_factory=list)
    columns: set[tuple[str, str]] = field(default_factory=set)
    statements: dict[str, None] = field(default_factory=dict)

    async def run(self, path: Path) -> Session:
        with open_campaign(path) as campaign:
            ann = add_judge(campaign, "ann")
            campaign.backend.connection.set_authorizer(self._authorize)
            campaign.backend.connection.set_trace_callback(
                lambda sql: self.statements.update({sql: None})
            )
            async with running(campaign, judging(ann), size=(100, 24)) as pilot:
                await wait_until_painted(pilot)
                self.painted = await use_every_key(pilot)
            campaign.backend.connection.set_trace_callback(None)
            campaign.backend.connection.set_authorizer(None)
        return self

    def _authorize(self, action: int, first: str | None, second: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            self.columns.add((str(first), str(second)))
        return sqlite3.SQLITE_OK


def text_of(screens: list[list[list[tuple[str, str]]]]) -> str:
    return "\n".join("".join(part for part, _ in row) for one in screens for row in one)


async def test_nothing_that_would_tell_is_painted_or_read(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every screen is the same in a file without anything of others, and so is what each statement
    found; SQLite says of each which columns it reads."""
    other = without_others(desk, tmp_path / "other.db")
    with steady(monkeypatch):
        ours = await Session().run(desk)
        theirs = await Session().run(other)
    assert len(ours.painted) == len(theirs.painted) > 75
    for at, (one, another) in enumerate(zip(ours.painted, theirs.painted, strict=True)):
        assert one == another, at
    text = text_of(ours.painted)
    # It was a session worth the name.
    for word in ("Thank you", "with yourself", "that came to you twice", "undone"):
        assert word in text
    for secret in SECRETS:
        assert secret.lower() not in text.lower(), secret

    assert {("events", "grade"), ("documents", "text"), ("assignments", "pair")} <= ours.columns
    for table, column in sorted(ours.columns):
        assert table in _READABLE, (table, column)
        columns = _READABLE[table]
        assert columns is None or column in columns, (table, column)

    told = [sql for sql in ours.statements if sql.startswith("SELECT") and not _NEWEST.match(sql)]
    assert len(told) > 50
    full = sqlite3.connect(desk)
    bare = sqlite3.connect(without_others(desk, tmp_path / "bare.db"))
    for sql in told:
        assert full.execute(sql).fetchall() == bare.execute(sql).fetchall(), sql
    full.close()
    bare.close()


async def test_a_repeat_looks_like_a_document_that_is_met_for_the_first_time(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for how many are done, and for its place in another order."""
    looks: dict[tuple[int, int], list[list[tuple[str, str]]]] = {}
    with open_campaign(desk) as campaign, steady(monkeypatch):
        ann = add_judge(campaign, "ann")
        async with running(campaign, judging(ann), size=(100, 24)) as pilot:
            for _ in range(60):
                await wait_until_painted(pilot)
                if thanked(pilot):
                    break
                # Below the query, and right of the list of documents.
                width = pilot.app.screen.query_one("#pairs").size.width + 4
                look = [_right_of(row, width) for row in painted(pilot)[4:-3]]
                await press_after_look(pilot, "2")
                [last] = campaign.rows("SELECT pair, turn FROM events ORDER BY id DESC LIMIT 1")
                looks[last] = look
    repeats = [slot for slot in looks if slot[1] == 1]
    assert len(repeats) >= 5
    for pair_key, _ in repeats:
        assert looks[pair_key, 1] == looks[pair_key, 0]


def _right_of(row: list[tuple[str, str]], cells: int) -> list[tuple[str, str]]:
    at, kept = 0, []
    for text, style in row:
        if at + len(text) > cells:
            kept.append((text[max(0, cells - at) :], style))
        at += len(text)
    return kept


async def test_ranks_are_shown_where_a_campaign_was_made_for_it(files: Path) -> None:
    """And nothing else of what others did."""
    with open_campaign(made(files, show_ranks=True)) as campaign:
        ann = add_judge(campaign, "ann")
        async with running(campaign, judging(ann), size=(100, 24)) as pilot:
            await wait_until_painted(pilot)
            seen = [painted(pilot)]
            for key in ("2", "F", "escape", "t", "escape", "o", "escape", "D", "escape", "2"):
                await press_after_look(pilot, key)
                seen.append(painted(pilot))
    text = text_of(seen)
    assert "secretrun-a" in text
    for secret in set(SECRETS) - {"secretrun"}:
        assert secret.lower() not in text.lower(), secret
