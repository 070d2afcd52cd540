"""Blind: what a judge sees, and what is read for it, is the same whatever runs and others say.

On a desk with everything that must not be told: pairs that others judge too, gold pairs, hidden
repeats, another judge's grades, flags and notes, an adjudication, a model's grades.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.pilot import Pilot

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.model_answers import ModelAnswer, add_model_judge, store_answers
from judge_tui.model import Scale
from judge_tui.tui.app import judging
from judge_tui.tui.pace import LookTimer
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.widgets.document_view import DocumentView
from tests.as_typed import judge_tui
from tests.campaigns import load_run
from tests.tui.pilots import painted as wait_until_painted
from tests.tui.pilots import press_after_look, running, until

OTHER, MODEL = "Zebulon", "oracle-9"
SECRETS = (
    OTHER,
    MODEL,
    "marmalade",
    "verdict",
    "planted",
    "secretrun",
    "gold",
    "overlap",
    "repeat",
    "purpose",
)

Look = list[list[tuple[str, str]]]
"""What is on the terminal, row by row, each stretch with its style."""

# Every key of the screen and every dialog; the terminal is looked at after each line.
TOUR = """\
left_square_bracket f
c h i
enter
s
u
ctrl+r
left_square_bracket x
u 2
C h i
enter
slash e enter n
escape v y O
tab
left_square_bracket right_square_bracket
o down
enter
F down
enter
D
escape i
escape t
escape question_mark
escape ctrl+p u n
escape escape
""".splitlines()


@pytest.fixture
def desk(files: Path) -> Path:
    """A file with ann's desk: two queries, some of whose pairs come to her twice."""
    return made(files)


def made(files: Path, **options: Any) -> Path:
    path = files / "blind.db"
    options = {"guidelines": "# Read\n\nThen grade.", "seed": 7, **options}
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    with create_campaign(path, name="blind", scale=scale, **options) as campaign:
        queries, names = ("q1", "q2"), [f"d{number}" for number in range(5)]
        (files / "q.tsv").write_text("".join(f"{query}\tabout {query}\n" for query in queries))
        load_queries(campaign, files / "q.tsv")
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
        extend_pool(campaign, depth=5)
        (files / "gold.qrels").write_text("q1 0 d0 3\nq2 0 d3 0\nq2 0 d9 1\n")
        assign(campaign, ["ann", OTHER], overlap=0.5, repeat=0.8, gold=files / "gold.qrels")
        other, model = add_judge(campaign, OTHER), add_model_judge(campaign, MODEL, "", MODEL, "{}")
        for at, (pair,) in enumerate(campaign.rows("SELECT id FROM pool")):
            its = {"judge": other.key, "pair": pair}
            append_event(campaign, **its, action="grade", grade=at % 4, looked=99.0)
            append_event(campaign, **its, action="comment", note=f"marmalade {at}")
            append_event(campaign, **its, action=("flag", "skip", "cannot")[at % 3])
            said = ModelAnswer(pair, f"verdict {at}", at % 2)
            fooled = said._replace(probe="claim", raw=f"planted {at}", grade=3)
            store_answers(campaign, model.key, [said, fooled])
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
        DROP TRIGGER model_answers_refuse_delete;
        DELETE FROM model_answers;
        DELETE FROM model_judges;
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


def let_the_model_say_otherwise(path: Path) -> None:
    """About the same pairs and probes."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        """
        DROP TRIGGER events_refuse_update;
        DROP TRIGGER model_answers_refuse_update;
        UPDATE model_answers SET raw = 'other ' || raw, grade = 1 - grade WHERE probe = '';
        UPDATE model_answers SET raw = 'other ' || raw, grade = 0 WHERE probe <> '';
        UPDATE events SET grade = 1 - grade WHERE judge IN (SELECT judge FROM model_judges);
        UPDATE judgments SET grade = 1 - grade WHERE judge IN (SELECT judge FROM model_judges);
        """
    )
    connection.close()


async def look_at(pilot: Pilot[None]) -> Look:
    """What is painted, once nothing is worked out any more."""
    await until(pilot, lambda: not pilot.app.workers)
    strips = pilot.app.screen._compositor.render_strips(pilot.app.size)
    return [[(part.text, str(part.style)) for part in one.simplify()] for one in strips]


def text_of(*looks: Look) -> str:
    return "\n".join("".join(part for part, _ in row) for one in looks for row in one)


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
    # Empty, as the pool is not shared.
    "taken": None,
    "sharing": None,
    # That the writer of an event is one, and her own row, which is kept with what she does: that it
    # is no other's, what each statement finds tells below.
    "judges": {"", "id", "name", "role", "kind", "formerly", "removed"},
}
# Asks what came last to the file, whoever wrote it.
_NEWEST = re.compile(r"SELECT (coalesce\()?max\(id\)(, ''\))? FROM events")


@dataclass
class Session:
    """What was painted, and what SQLite said was read for it."""

    looks: list[Look] = field(default_factory=list)
    documents: dict[tuple[int, int], Look] = field(default_factory=dict)
    """By pair and turn: below the query, right of the list of documents."""
    columns: set[tuple[str, str]] = field(default_factory=set)
    statements: dict[str, None] = field(default_factory=dict)

    async def run(self, path: Path) -> Session:
        with open_campaign(path) as campaign:
            ann = add_judge(campaign, "ann")
            connection = campaign.backend.connection
            connection.set_authorizer(self._authorize)
            connection.set_trace_callback(lambda sql: self.statements.update({sql: None}))
            async with running(campaign, judging(ann), size=(100, 24)) as pilot:
                await wait_until_painted(pilot)
                await self._judge_to_the_end(pilot)
                for line in TOUR:
                    await press_after_look(pilot, *line.split())
                    self.looks.append(await look_at(pilot))
            connection.set_trace_callback(None)
            connection.set_authorizer(None)
        return self

    async def _judge_to_the_end(self, pilot: Pilot[None]) -> None:
        judge = pilot.app.screen
        assert isinstance(judge, JudgeScreen)
        while "Thank you" not in text_of(look := await look_at(pilot)):
            self.looks.append(look)
            assert judge._cursor.pair is not None
            width = judge.query_one("#pairs").size.width + 4
            self.documents[judge._cursor.pair.slot] = [_right_of(row, width) for row in look[4:-3]]
            await press_after_look(pilot, "2")
        self.looks.append(look)

    def _authorize(self, action: int, first: str | None, second: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            self.columns.add((str(first), str(second)))
        return sqlite3.SQLITE_OK


def _right_of(row: list[tuple[str, str]], cells: int) -> list[tuple[str, str]]:
    at, found = 0, []
    for text, style in row:
        if at + len(text) > cells:
            found.append((text[max(0, cells - at) :], style))
        at += len(text)
    return found


def test_the_tour_presses_every_key_of_the_screen() -> None:
    pressed = {*" ".join(TOUR).split()}
    # Scrolling reads nothing.
    reading = {"document.find", "document.raw", "document.copy-id", "document.open-url"}
    for one in (*JudgeScreen.BINDINGS, *DocumentView.BINDINGS):
        assert isinstance(one, Binding)
        assert one.id is not None
        area, _, name = one.id.partition(".")
        if (area == "judge" and not re.match("grade|leave", name)) or one.id in reading:
            assert one.key in pressed, one.id


async def test_nothing_that_would_tell_is_painted_or_read(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every screen is the same in a file without anything of others, and so is what each statement
    found; SQLite says of each which columns it reads."""
    # Each document is looked at for seven seconds.
    monkeypatch.setattr(LookTimer, "seconds", lambda *_: 7.0)
    other = without_others(desk, tmp_path / "other.db")
    ours = await Session().run(desk)
    theirs = await Session().run(other)
    assert len(ours.looks) == len(theirs.looks) > 30
    for at, (one, another) in enumerate(zip(ours.looks, theirs.looks, strict=True)):
        assert one == another, at
    text = text_of(*ours.looks)
    # It was a session worth the name.
    for word in ("Thank you", "that came to you twice", "undone", "Comment on"):
        assert word in text
    for secret in SECRETS:
        assert secret.lower() not in text.lower(), secret

    # A repeat looks like a document that is met for the first time.
    repeats = [pair for pair, turn in ours.documents if turn == 1]
    assert len(repeats) >= 5
    for pair in repeats:
        assert ours.documents[pair, 1] == ours.documents[pair, 0]

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


async def test_ranks_are_shown_where_a_campaign_was_made_for_it(files: Path) -> None:
    """And nothing else of what others did."""
    with open_campaign(made(files, show_ranks=True)) as campaign:
        ann = add_judge(campaign, "ann")
        async with running(campaign, judging(ann), size=(100, 24)) as pilot:
            await wait_until_painted(pilot)
            text = text_of(await look_at(pilot))
            for key in ("2", "t", "escape"):
                await press_after_look(pilot, key)
                text += text_of(await look_at(pilot))
    assert "secretrun-a" in text
    for secret in set(SECRETS) - {"secretrun"}:
        assert secret.lower() not in text.lower(), secret


async def test_before_the_results_nothing_tells_what_a_model_said(
    desk: Path, tmp_path: Path
) -> None:
    """Home, `status` and a bundle are the same whatever it said."""

    async def shown() -> tuple[Look, str, str]:
        status = judge_tui("status", "--db", desk, "-f", "json").stdout
        to = tmp_path / "ann.db"
        to.unlink(missing_ok=True)
        with open_campaign(desk) as campaign:
            export_bundle(campaign, to, judge="ann")
            async with running(campaign, size=(100, 40)) as pilot:
                home = await look_at(pilot)
        connection = sqlite3.connect(to)
        # When its schema was made is all that differs.
        dump = [line for line in connection.iterdump() if "_sqlite_migrations" not in line]
        connection.close()
        return home, status, "\n".join(dump)

    home, status, bundle = await shown()
    let_the_model_say_otherwise(desk)
    assert await shown() == (home, status, bundle)
    # That it judged is told to who opens the campaign, and to nobody by a bundle.
    assert MODEL in text_of(home)
    assert MODEL in status
    for secret in ("verdict", "planted"):
        assert secret not in text_of(home) + status + bundle
    assert MODEL not in bundle
