"""What is not merged: other campaigns, damaged and hostile files. Nothing of them comes in."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.store.events import undo
from judge_tui.campaign.store.foreign_file import foreign_file
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.schema import SCHEMA_VERSION
from judge_tui.errors import CampaignError
from tests.campaign.copies import copied, events_of, graded, graded_in, tampered, whole
from tests.campaign.store.test_schema import made_by


@pytest.fixture
def other(campaign: Campaign) -> Path:
    """A copy in which ann graded three documents and took one grade back."""
    path = copied(campaign, "other.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    graded_in(path, "ann", {"csv.reader": 3, "sorted": 1})
    with open_campaign(path) as away:
        undo(away, graded(away, "ann", "json.load", 0).judge)
    return path


def refused(campaign: Campaign, *paths: Path, match: str) -> None:
    """The merge is refused in words about the last file, and the campaign is as it was."""
    before = whole(campaign.path)
    with pytest.raises(CampaignError, match=match) as caught:
        merge(campaign, paths)
    assert caught.value.path == str(paths[-1])
    assert caught.value.mend
    assert whole(campaign.path) == before
    graded(campaign, "zoe", "sorted", 1)


def test_other_campaigns_and_older_and_newer_files(campaign, other, files):
    for name in ("large", "small"):
        path = files / f"{name}.db"
        create_campaign(path, name=name, scale=campaign.settings.scale, seed=7).close()
        refused(campaign, path, match=f"another campaign, '{name}', and this is 'small'")
    refused(campaign, made_by(1, files), match="schema is version 1, .*; open it once")
    tampered(other, "PRAGMA user_version = 16")
    refused(campaign, other, match="schema is version 16, .*; open it once")
    tampered(other, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    refused(campaign, other, match="upgrade judge-tui")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_file(campaign, other, share):
    os.truncate(other, int(other.stat().st_size * share))
    refused(campaign, other, match="damaged")


def test_pages_written_over(campaign, other):
    """Every page in turn but the first: refused in words, or a page that holds nothing."""
    data = other.read_bytes()
    size = 4096
    told = []
    for start in range(size, len(data), size):
        other.write_bytes(data[:start] + b"\xa5" * size + data[start + size :])
        try:
            with foreign_file(other, campaign) as theirs:
                list(theirs.events())
        except CampaignError as error:
            told.append(error.path)
    assert len(told) > len(data) / size / 2
    assert set(told) == {str(other)}


DEEP = "[" * 900 + "]" * 900
NO_EVENT = "019aa000-0000-7000-8000-000000000000"
UNDO = "WHERE action = 'undo'"
OFF = "PRAGMA foreign_keys = OFF"
TABLES = "its tables are not those that judge_tui makes"


READ = (
    *("campaign", "judges", "queries", "documents", "pool", "events"),
    *("model_judges", "model_answers"),
)
OTHERS = (
    *("judgments", "adjudications", "assignments", "leases"),
    *("gold", "results", "asked", "runs"),
)
# The tables that are read, without any of the rules that judge_tui's have.
BARE = (
    OFF,
    *(f"DROP TABLE {table}" for table in OTHERS),
    *(f"CREATE TABLE of_{table} AS SELECT * FROM {table}" for table in READ),
    *(f"DROP TABLE {table}" for table in reversed(READ)),
    *(f"ALTER TABLE of_{table} RENAME TO {table}" for table in READ),
)


FORGED = {
    # Tables and rules.
    (TABLES, "a view"): ("ALTER TABLE pool RENAME TO o", "CREATE VIEW pool AS SELECT * FROM o"),
    (TABLES, "a table less"): (OFF, "ALTER TABLE judges RENAME TO others"),
    (TABLES, "a column that computes"): (
        OFF,
        "ALTER TABLE judges ADD COLUMN more TEXT AS (hex(name))",
    ),
    (TABLES, "a virtual table"): (
        OFF,
        "ALTER TABLE documents RENAME TO others",
        "CREATE VIRTUAL TABLE documents USING fts5(id, doc_id, title, text, url, kind, meta)",
    ),
    ("damaged.*CHECK", ""): (f"UPDATE events SET action = 'praise' {UNDO}",),
    ("damaged.*nothing in 'pool'", ""): ("UPDATE events SET pair = 99",),
    ("damaged.*nothing in 'events'", ""): (f"UPDATE events SET target = '{NO_EVENT}' {UNDO}",),
    ("damaged.*nothing in 'documents'", ""): ("DELETE FROM documents WHERE doc_id = 'sorted'",),
    # Values that the tables let pass.
    ("the id of an event", "none"): (f"UPDATE events SET id = 'not-a-uuid' {UNDO}",),
    ("the id of an event", "capitals"): (f"UPDATE events SET id = 'ABC' || substr(id, 4) {UNDO}",),
    ("100 years ahead", ""): (
        f"UPDATE events SET id = 'e677d21f-dbff-7fff-bfff-{'f' * 12}' {UNDO}",
    ),
    ("a grade off the scale", ""): ("UPDATE events SET grade = -1 WHERE action = 'grade'",),
    ("undo or redo", "a redo of a grade"): (f"UPDATE events SET action = 'redo' {UNDO}",),
    ("undo or redo", "another pair"): (f"UPDATE events SET pair = 1 + pair % 6 {UNDO}",),
    ("undo or redo", "another turn"): (f"UPDATE events SET turn = 1 {UNDO}",),
    ("undo or redo", "itself"): (f"UPDATE events SET target = id {UNDO}",),
    ("somebody looked, -1", ""): ("UPDATE events SET looked = -1.0",),
    ("somebody looked, inf", ""): ("UPDATE events SET looked = 9e999",),
    ("the time of an event", "written"): ("UPDATE events SET written_at = 'yesterday'",),
    ("the time of an event", "painted"): ("UPDATE events SET painted_at = '<b>'",),
    ("cannot be a judge's name", ""): ("UPDATE judges SET name = 'a,b'",),
    ("cannot be a judge's name", "former"): ("UPDATE judges SET formerly = 'a,b'",),
    ("the judge's name", ""): ("UPDATE judges SET name = ' ann'",),
    ("there is no id", "document"): ("UPDATE documents SET doc_id = ' ' WHERE doc_id = 'sorted'",),
    ("there is no id", "query"): ("UPDATE queries SET query_id = '' WHERE query_id = 'q1'",),
    ("meta of queries", ""): ("UPDATE queries SET meta = 'none'",),
    ("meta of documents", "deep"): (
        f"""UPDATE documents SET doc_id = doc_id || 'x', meta = '{{"a":{DEEP}{DEEP}}}'""",
    ),
    ("a campaign without an id", ""): ("UPDATE campaign SET campaign_id = ''",),
    ("a campaign without an id", "none"): ("DELETE FROM campaign",),
    ("its scale is", ""): ("UPDATE campaign SET scale = '0=no,1=some,2=good,4=wonderful'",),
    ("a text is not UTF-8", "text"): (
        "UPDATE documents SET text = CAST(x'ff41' AS TEXT), doc_id = doc_id || 'x'",
    ),
    ("a text is not UTF-8", "note"): ("UPDATE events SET note = CAST(x'eda080' AS TEXT)",),
    # Tables without their rules.
    ("(?i)wrote this: .*check.*action", ""): (*BARE, f"UPDATE events SET action = 'praise' {UNDO}"),
    ("(?i)wrote this: .*check", ""): (*BARE, "UPDATE events SET grade = NULL"),
    ("(?i)wrote this: .*check.*turn", ""): (*BARE, "UPDATE events SET turn = 2"),
    ("undo or redo", "of nothing"): (*BARE, "UPDATE events SET target = 'x' || target"),
    ("wrote this", "an id of bytes"): (*BARE, "UPDATE events SET id = x'35'"),
    ("wrote this", "an id twice"): (*BARE, "INSERT INTO events SELECT * FROM events"),
    ("a judge who is 'queen'", ""): (*BARE, "UPDATE judges SET role = 'queen'"),
    ("wrote this: cannot store ", ""): (
        *BARE,
        "UPDATE documents SET text = x'35', doc_id = doc_id || 'x'",
    ),
    ("no such column", ""): (*BARE, "ALTER TABLE events DROP COLUMN turn"),
}


@pytest.mark.parametrize(("what", "how"), FORGED)
def test_what_judge_tui_does_not_write(campaign, other, what, how):
    good = copied(campaign, "good.db")
    graded_in(good, "bob", {"csv.reader": 2})
    tampered(other, *FORGED[what, how])
    refused(campaign, good, other, match=what)


@pytest.mark.parametrize("column", ["grade = 0", "note = 'x'", "looked = 1.5", "turn = 1"])
def test_an_event_that_is_here_with_another_content(campaign, other, column):
    second = other.with_name("second.db")
    second.write_bytes(other.read_bytes())
    tampered(second, f"UPDATE events SET {column} WHERE id = (SELECT min(id) FROM events)")
    refused(campaign, other, second, match="is in this campaign with another content")
    merge(campaign, [other])
    refused(campaign, second, match="is in this campaign with another content")


def test_the_events_of_this_campaign_cannot_be_rewritten_under_another_judges_name(campaign):
    graded(campaign, "ann", "csv.reader", 3)
    other = copied(campaign, "other.db")
    tampered(other, "UPDATE judges SET name = 'bob'")
    before = events_of(campaign)
    refused(campaign, other, match="with another content")
    assert events_of(campaign)[: len(before)] == before


def test_what_is_no_reason_to_refuse(campaign, other):
    """Hostile text is what judges are given; it is made harmless where it is shown. Triggers and
    views are not run, and a scale is compared by what it says."""
    hostile = "\x1b]52;c;b3duZWQ=\x07\x9b2J\u202e[/][@click=app.quit]\t"
    text = f"'{hostile}'"
    tampered(
        other,
        f"UPDATE judges SET name = 'x{hostile}y'",
        f"UPDATE events SET note = {text}",
        f"UPDATE documents SET text = {text}, doc_id = '{hostile}' WHERE doc_id = 'json.load'",
        "UPDATE campaign SET scale = '3=perfect, 2=good,1=some ,0=no'",
        "CREATE TRIGGER t AFTER INSERT ON judges BEGIN SELECT RAISE(ABORT, 'run'); END",
        "CREATE VIEW v AS WITH RECURSIVE x (n) AS (SELECT 1 UNION ALL SELECT n FROM x)"
        " SELECT n FROM x",
    )
    (came,) = merge(campaign, [other])
    assert came.events == {f"x{hostile}y": 4}
    assert came.pairs == 1
