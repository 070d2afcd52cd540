"""The campaign file: created whole, recognised, refused in words, written safely."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.settings import change_setting
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE
from tests.waiting import until


def made(path: Path) -> None:
    create_campaign(path, name="n", scale=DEFAULT_SCALE, seed=1).close()


def test_a_new_campaign_keeps_its_settings_and_is_one_file(tmp_path):
    path = tmp_path / "c.db"
    given = {"name": "docs", "guidelines": "# Hi", "seed": 42, "show_ranks": True}
    # Drafts of programs that were killed are removed; what others may be writing is not.
    old, new, other = (tmp_path / f".{name}.draft" for name in ("c.db.1", "c.db.2", "d.db.1"))
    for draft in (old, new, other):
        draft.touch()
        if draft != new:
            os.utime(draft, (0, 0))
    create_campaign(path, scale=DEFAULT_SCALE, **given).close()
    assert {one.name for one in tmp_path.iterdir()} == {"c.db", new.name, other.name}
    with open_campaign(path) as campaign:
        settings = campaign.settings
    assert settings.scale == DEFAULT_SCALE
    assert {name: getattr(settings, name) for name in given} == given


@pytest.mark.parametrize(
    ("name", "there", "what"),
    [
        ("c.db", "c.db", "already exists"),
        ("c.db", "c.db-wal", "left behind by an earlier campaign of that name.*move it away"),
        ("none/c.db", "x", "there is no folder .*none; make it, or name another file"),
    ],
)
def test_no_campaign_is_made_where_it_would_harm_or_cannot_be(tmp_path, name, there, what):
    (tmp_path / there).write_text("mine")
    with pytest.raises(CampaignError, match=what):
        made(tmp_path / name)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(there, "mine")]


@pytest.mark.about_files
def test_durability_settings(campaign):
    read = {
        name: campaign.row(f"PRAGMA {name}")[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    }
    full = 2
    assert read == {
        "journal_mode": "wal",
        "synchronous": full,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
    }


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")


@pytest.mark.parametrize(
    "write",
    [
        Path.touch,
        lambda path: path.write_text("just some text, long enough to be looked at" * 50),
        lambda path: path.write_bytes(bytes(range(256)) * 40),
        of_another_program,
    ],
    ids=["empty", "text", "bytes", "another database"],
)
def test_a_file_that_is_no_campaign(tmp_path, write):
    path = tmp_path / "x.db"
    write(path)
    before = path.read_bytes()
    with pytest.raises(CampaignError, match="not a judge_tui campaign"):
        open_campaign(path)
    assert path.read_bytes() == before


def test_a_failed_transaction_leaves_nothing(campaign):
    with pytest.raises(ZeroDivisionError), campaign.writing():  # noqa: PT012
        campaign.execute("INSERT INTO judges (name, role, kind) VALUES ('a', 'judge', 'human')")
        _ = 1 / 0
    assert campaign.row("SELECT count(*) FROM judges") == (0,)


def test_events_cannot_be_changed_or_deleted(campaign):
    execute = campaign.backend.execute
    execute("INSERT INTO judges (name, role, kind) VALUES ('a', 'judge', 'human')")
    execute(
        "INSERT INTO events (id, judge, pair, action, grade, note, written_at)"
        " VALUES ('e', 1, 1, 'grade', 2, '', '')"
    )
    for statement in ("UPDATE events SET grade = 3", "DELETE FROM events"):
        with pytest.raises(campaign.backend.errors, match="append-only"):
            execute(statement)


@pytest.mark.about_files
def test_a_full_disk_is_said_in_words_and_nothing_is_written(campaign):
    pages = campaign.row("PRAGMA page_count")[0]
    campaign.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CampaignError, match="the disk is full"), campaign.writing():
        campaign.execute(
            "INSERT INTO documents (doc_id, text) VALUES ('big', ?)", ("x" * 1_000_000,)
        )
    rows = campaign.rows("SELECT count(*) FROM documents WHERE doc_id = 'big'")
    assert rows == [(0,)]


def test_what_is_read_inside_reading_is_of_one_moment(campaign):
    with open_campaign(campaign.path) as other, campaign.reading():
        assert campaign.rows("SELECT count(*) FROM judges") == [(0,)]
        with other.writing():
            other.execute("INSERT INTO judges (name, role, kind) VALUES ('a', 'judge', 'human')")
        assert campaign.rows("SELECT count(*) FROM judges") == [(0,)]
    assert campaign.rows("SELECT count(*) FROM judges") == [(1,)]


def test_writing_inside_reading_is_refused_and_not_lost_in_silence(campaign):
    with (
        campaign.reading(),
        pytest.raises(RuntimeError, match="cannot begin inside reading"),
        campaign.writing(),
    ):
        raise AssertionError("must not get here")


def test_who_reads_alone_is_taken_for_no_writer(campaign):
    """What is read again because it was written to must have been."""
    campaign.tend()
    before = campaign.version()
    with open_campaign(campaign.path) as other:
        assert other.rows("SELECT count(*) FROM events")
    assert campaign.version() == before
    with open_campaign(campaign.path) as other, other.writing():
        other.execute("UPDATE campaign SET name = 'another'")
    until(lambda: campaign.version() != before)


def test_work_that_one_alone_does(campaign):
    with open_campaign(campaign.path) as other:
        with campaign.alone("ask") as first, other.alone("ask") as second:
            assert (first, second) == (True, False)
            with other.alone("tidy") as another:
                assert another
        with other.alone("ask") as now_theirs:
            assert now_theirs


def test_judges_see_no_field_of_documents_that_the_settings_do_not_name(campaign, files):
    """A column of grades would end blindness."""
    (files / "more.csv").write_text(
        "doc_id,text,author,nist_rel\ncsv.reader,Reads a CSV file.,ann,3\n"
    )
    load_document_files(campaign, [files / "more.csv"], replace=True)
    desk = Desk(campaign, add_judge(campaign, "cleo"))
    [pair] = [one for one in desk.pairs(1) if one.doc_id == "csv.reader"]
    assert desk.look(pair).document.meta == {}
    change_setting(campaign, "show-fields", "author")
    assert desk.look(pair).document.meta == {"author": "ann"}
    with open_campaign(campaign.path) as again:
        assert again.settings.show_fields == ("author",)
