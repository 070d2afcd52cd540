"""What is not merged: other campaigns, damaged and hostile files. Nothing of them comes in."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.store.events import undo
from judge_tui.campaign.store.foreign_file import foreign_file
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.opening import SCHEMA_VERSION
from judge_tui.errors import CampaignError
from judge_tui.model import Scale
from tests.campaign.copies import copied, events_of, graded, graded_in, tampered, whole

GOOD_ID = "019aa000-0000-7000-8000-000000000000"


@pytest.fixture
def other(campaign: Campaign) -> Path:
    """A copy in which ann graded three documents and took one grade back."""
    path = copied(campaign, "other.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    graded_in(path, "ann", {"csv.reader": 3, "sorted": 1})
    from judge_tui.campaign import open_campaign

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
    assert campaign.rows("SELECT name FROM temp.sqlite_schema") == []
    graded(campaign, "zoe", "sorted", 1)


def test_another_campaign_is_refused_with_both_names(campaign: Campaign, files: Path) -> None:
    scale = campaign.settings.scale
    create_campaign(files / "x.db", name="large", scale=scale, seed=7).close()
    refused(campaign, files / "x.db", match="belongs to the campaign 'large', and this is 'small'")
    create_campaign(files / "y.db", name="small", scale=scale, seed=7).close()
    refused(campaign, files / "y.db", match="another campaign of the same name, 'small'")


def test_a_scale_of_other_grades_is_refused_with_both(campaign: Campaign, other: Path) -> None:
    tampered(other, "UPDATE campaign SET scale = '0=no,1=some,2=good,4=wonderful'")
    refused(campaign, other, match=r'its scale is "0=no.*4=wonderful", and here it is ".*3=perfect')


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "no such file"),
        (b"", "not a judge_tui campaign"),
        (b"some text that is long enough to be looked at" * 50, "not a judge_tui campaign"),
        (bytes(range(256)) * 40, "not a judge_tui campaign"),
    ],
)
def test_a_file_that_is_no_campaign(
    campaign: Campaign, files: Path, content: bytes | None, what: str
) -> None:
    if content is not None:
        (files / "x.db").write_bytes(content)
    refused(campaign, files / "x.db", match=what)


def test_a_folder_and_another_programs_database(campaign: Campaign, files: Path) -> None:
    refused(campaign, files, match="not a file")
    with closing(sqlite3.connect(files / "x.db")) as connection:
        connection.execute("CREATE TABLE campaign (a)")
    refused(campaign, files / "x.db", match="not a judge_tui campaign")


def test_a_newer_schema(campaign: Campaign, other: Path) -> None:
    tampered(other, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    refused(campaign, other, match="upgrade judge-tui")


def test_one_bad_file_keeps_all_out(campaign: Campaign, other: Path) -> None:
    good = copied(campaign, "good.db")
    graded_in(good, "bob", {"csv.reader": 2})
    tampered(other, "UPDATE events SET grade = 7 WHERE action = 'grade'")
    refused(campaign, good, other, match="a grade off the scale, 7")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_file(campaign: Campaign, other: Path, share: float) -> None:
    os.truncate(other, int(other.stat().st_size * share))
    refused(campaign, other, match="damaged|cannot be read")


def test_pages_written_over(campaign: Campaign, other: Path) -> None:
    """Every page in turn but the first: refused in words, or a page that holds nothing."""
    data = other.read_bytes()
    size = 4096
    told: list[CampaignError] = []
    for start in range(size, len(data), size):
        other.write_bytes(data[:start] + b"\xa5" * size + data[start + size :])
        try:
            with foreign_file(other, campaign) as theirs:
                list(theirs.events())
        except CampaignError as error:
            told.append(error)
    assert len(told) > len(data) / size / 2
    assert {error.path for error in told} == {str(other)}


STRANGE = {
    "a view in place of a table": (
        "ALTER TABLE pool RENAME TO others",
        "CREATE VIEW pool AS SELECT * FROM others",
    ),
    "a table less": ("PRAGMA foreign_keys = OFF", "ALTER TABLE judges RENAME TO others"),
    "a column that computes": (
        "PRAGMA foreign_keys = OFF",
        "ALTER TABLE judges ADD COLUMN more TEXT AS (hex(name))",
    ),
    "a virtual table": (
        "PRAGMA foreign_keys = OFF",
        "ALTER TABLE documents RENAME TO others",
        "CREATE VIRTUAL TABLE documents USING fts5(id, doc_id, title, text, url, kind, meta)",
    ),
}


@pytest.mark.parametrize("strange", STRANGE)
def test_tables_that_judge_tui_does_not_make(campaign: Campaign, other: Path, strange: str) -> None:
    sql = STRANGE[strange]
    tampered(other, *sql)
    refused(campaign, other, match="its tables are not those that judge_tui makes")


DEEP = "[" * 900 + "]" * 900

VALUES = {
    "the id of an event": "UPDATE events SET id = 'not-a-uuid' WHERE action = 'undo'",
    "the id of an event, 'ABC": "UPDATE events SET id = 'ABC' || substr(id, 4)"
    " WHERE action = 'undo'",
    "more than 100 years ahead": "UPDATE events SET id = 'e677d21f-dbff-7fff-bfff-ffffffffffff'"
    " WHERE action = 'undo'",
    "a grade off the scale": "UPDATE events SET grade = -1 WHERE action = 'grade'",
    "undo or redo": "UPDATE events SET action = 'redo' WHERE action = 'undo'",
    "an undo": "UPDATE events SET pair = 1 + pair % 6 WHERE action = 'undo'",
    "cannot undo": "UPDATE events SET turn = 1 WHERE action = 'undo'",
    "cannot undo or redo": "UPDATE events SET target = id WHERE action = 'undo'",
    "somebody looked": "UPDATE events SET looked = -1.0",
    "looked, inf": "UPDATE events SET looked = 9e999",
    "the time of an event": "UPDATE events SET written_at = 'yesterday'",
    "time of an event, '<": "UPDATE events SET painted_at = '<b>'",
    "cannot be a judge's name": "UPDATE judges SET name = 'a,b'",
    "the judge's name": "UPDATE judges SET name = ' ann'",
    "a judge needs a name": "UPDATE judges SET name = ''",
    "there is no id": "UPDATE documents SET doc_id = ' ' WHERE doc_id = 'sorted'",
    "wrote this: there is no id": "UPDATE queries SET query_id = '' WHERE query_id = 'q1'",
    "meta of queries": "UPDATE queries SET meta = 'none'",
    "meta of documents": "UPDATE documents SET meta = '[1]', doc_id = doc_id || 'x'",
    "meta of documents, ": "UPDATE documents SET doc_id = doc_id || 'x',"
    f""" meta = '{{"a":{DEEP}{DEEP}}}'""",
    "without an id": "UPDATE campaign SET campaign_id = ''",
    "the scale has only one grade": "UPDATE campaign SET scale = '0'",
    "is not UTF-8": "UPDATE documents SET text = CAST(x'ff41' AS TEXT), doc_id = doc_id || 'x'",
    "a text is not UTF-8": "UPDATE events SET note = CAST(x'eda080' AS TEXT)",
    "a campaign without an id": "DELETE FROM campaign",
}


@pytest.mark.parametrize("what", VALUES)
def test_values_that_judge_tui_does_not_write(campaign: Campaign, other: Path, what: str) -> None:
    tampered(other, VALUES[what])
    refused(campaign, other, match=what)


BROKEN = {
    "CHECK constraint": "UPDATE events SET action = 'praise' WHERE action = 'undo'",
    "CHECK constraint failed": "UPDATE events SET grade = NULL",
    "belongs to nothing in 'pool'": "UPDATE events SET pair = 99",
    "belongs to nothing in 'judges'": "UPDATE events SET judge = 99",
    "belongs to nothing in 'events'": "UPDATE events SET target = '"
    + GOOD_ID
    + "' WHERE action = 'undo'",
    "belongs to nothing in 'documents'": "DELETE FROM documents WHERE doc_id = 'sorted'",
}


@pytest.mark.parametrize("what", BROKEN)
def test_rules_that_the_tables_have_and_the_rows_break(
    campaign: Campaign, other: Path, what: str
) -> None:
    tampered(other, BROKEN[what])
    refused(campaign, other, match=f"the file is damaged.*{what}")


@pytest.mark.parametrize("column", ["grade = 0", "note = 'x'", "looked = 1.5", "turn = 1"])
def test_an_event_that_is_here_with_another_content(
    campaign: Campaign, other: Path, column: str
) -> None:
    merge(campaign, [other])
    tampered(other, f"UPDATE events SET {column} WHERE id = (SELECT min(id) FROM events)")
    refused(campaign, other, match="is in this campaign with another content")


def test_two_files_with_one_event_of_two_contents(campaign: Campaign, other: Path) -> None:
    second = other.with_name("second.db")
    second.write_bytes(other.read_bytes())
    tampered(second, "UPDATE events SET note = 'x' WHERE id = (SELECT min(id) FROM events)")
    refused(campaign, other, second, match="is in this campaign with another content")


def test_the_events_of_this_campaign_cannot_be_rewritten_under_another_judges_name(
    campaign: Campaign,
) -> None:
    graded(campaign, "ann", "csv.reader", 3)
    other = copied(campaign, "other.db")
    tampered(other, "UPDATE judges SET name = 'bob'")
    before = events_of(campaign)
    refused(campaign, other, match="with another content")
    assert events_of(campaign)[: len(before)] == before


def test_hostile_text_is_no_reason_to_refuse(campaign: Campaign, other: Path) -> None:
    """It is what judges are given; it is made harmless where it is shown."""
    hostile = "\x1b]52;c;b3duZWQ=\x07\x9b2J\u202e[/][@click=app.quit]\t"
    text = f"'{hostile}' || char(0)"
    tampered(
        other,
        f"UPDATE judges SET name = 'x{hostile}y'",
        f"UPDATE events SET note = {text}",
        f"UPDATE documents SET text = {text}, doc_id = '{hostile}' WHERE doc_id = 'json.load'",
    )
    merged = merge(campaign, [other])
    assert merged[0].events == {f"x{hostile}y": 4}
    assert merged[0].pairs == 1


def test_a_scale_is_compared_by_what_it_says(campaign: Campaign, other: Path) -> None:
    tampered(other, "UPDATE campaign SET scale = '3=perfect, 2=good,1=some ,0=no'")
    assert campaign.settings.scale == Scale.parse("0=no,1=some,2=good,3=perfect")
    assert merge(campaign, [other])[0].events == {"ann": 4}
