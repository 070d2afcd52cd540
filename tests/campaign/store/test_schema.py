"""Files of earlier versions: opened, they have the tables of a new file, and all that was done."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import find_judge
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.model_answers import ModelAnswer, model_answers
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.schema import APPLICATION_ID, SCHEMA_VERSION
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from tests.campaigns import redo_last, undo_last

# What the versions that made them exported: median, lea settled csv.reader.
QRELS = "q1 0 csv.reader 3\nq1 0 csv.writer 0\n"
OLD = {
    1: QRELS + "q2 0 heapq 1\nq2 0 list.sort 1\nq2 0 sorted 1\n",
    7: QRELS + "q2 0 list.sort 1\nq2 0 sorted 1\n",
    12: QRELS + "q2 0 heapq 1\nq2 0 list.sort 1\nq2 0 sorted 1\n",
}


def made_by(version: int, folder: Path, *changes: str) -> Path:
    """A campaign file of that schema, with further changes by another program."""
    path = folder / f"schema_{version}.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(Path(__file__).with_name(f"schema_{version}.sql").read_text())
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        for change in changes:
            connection.execute(change)
    return path


def shape(path: Path) -> dict[str, Any]:
    """By name, what matters of each table (columns, foreign keys, strictness), index and trigger.
    The order of columns is that in which versions added them."""
    with closing(sqlite3.connect(path)) as connection:

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(sql).fetchall()

        found: dict[str, Any] = {}
        for kind, name, table in rows("SELECT type, name, tbl_name FROM sqlite_schema"):
            found[name] = (kind, table)
            if kind == "table":
                columns = sorted(row[1:] for row in rows(f"PRAGMA table_info({name})"))
                keys = sorted(row[2:5] for row in rows(f"PRAGMA foreign_key_list({name})"))
                form = rows(f"SELECT wr, strict FROM pragma_table_list WHERE name = '{name}'")
                found[name] = (columns, keys, form)
            elif kind == "index":
                found[name] = (table, [row[2] for row in rows(f"PRAGMA index_info({name})")])
        return found


@pytest.mark.parametrize("version", OLD)
def test_an_old_file_gets_the_tables_of_a_new_one_and_exports_the_same(tmp_path, version):
    old = made_by(version, tmp_path)
    with open_campaign(old) as campaign:
        assert campaign.rows("PRAGMA user_version") == [(SCHEMA_VERSION,)]
        assert campaign.rows("PRAGMA foreign_key_check") == []
        assert campaign.settings.campaign_id
        assert set(campaign.rows("SELECT round FROM pool WHERE stratum = 'depth'")) == {(1,)}
        export_qrels(campaign, tmp_path / "out", policy="median")
        assert (tmp_path / "out").read_text() == OLD[version]
        # bob goes on where he was.
        bob = find_judge(campaign, "bob")
        assert bob is not None
        desk = Desk(campaign, bob)
        undone = undo_last(desk)
        assert undone is not None
        assert redo_last(desk) == undone
    new = tmp_path / "new.db"
    create_campaign(new, name="new", scale=DEFAULT_SCALE).close()
    assert shape(old) == shape(new)


def test_what_holds_in_an_old_file_is_worked_out_anew(tmp_path):
    with open_campaign(made_by(7, tmp_path)) as campaign:
        found = campaign.rows(
            "SELECT j.name, d.doc_id, x.turn, x.decision, x.grade, x.note, x.flagged"
            " FROM judgments AS x JOIN judges AS j ON j.id = x.judge"
            " JOIN pool AS p ON p.id = x.pair JOIN documents AS d ON d.id = p.document"
        )
        assert len(found) == 14
        assert ("bob", "csv.reader", 0, "grade", 2, "odd", 1) in found
        assert ("cleo", "csv.reader", 0, "grade", 0, "", 0) in found
        assert campaign.rows("SELECT grade, note FROM adjudications") == [(3, "why")]
        bob = find_judge(campaign, "bob")
        assert bob is not None
        visits = [(visit.pairs, visit.decided) for visit in Desk(campaign, bob).queries()]
        assert visits == [(2, 2)] * 3


def test_a_copy_that_an_earlier_version_judged_on_comes_home(tmp_path):
    """ann graded one document and took back another grade, in a file that is still of schema 12."""
    (tmp_path / "away").mkdir()
    away = made_by(
        12,
        tmp_path / "away",
        *(
            f"INSERT INTO events SELECT '01a2ffff-ba32-74ce-8384-64561{end}', judge, pair, {what},"
            f" looked, painted_at, written_at, turn FROM events WHERE {of}"
            for end, what, of in (
                ("1111111", "'grade', 2, '', NULL", "judge = 1 AND pair = 4"),
                ("2222222", "'undo', NULL, '', id", "judge = 1 AND pair = 3 AND action = 'grade'"),
            )
        ),
    )
    with open_campaign(made_by(12, tmp_path)) as campaign:
        [came] = merge(campaign, [away])
        assert came.events == {"ann": 2}
        held = dict(campaign.rows("SELECT pair, grade FROM judgments WHERE judge = 1"))
        assert held == {1: 0, 2: 3, 4: 2, 5: 2}


def test_answers_of_before_there_were_probes_stay(tmp_path):
    """The tables are those of schema 16; m016 leaves alone those that are there."""
    before = (
        "CREATE TABLE model_judges (judge INTEGER PRIMARY KEY REFERENCES judges,"
        " called TEXT NOT NULL, identity TEXT NOT NULL, model TEXT NOT NULL, rest TEXT NOT NULL,"
        " UNIQUE (called, identity)) STRICT",
        "INSERT INTO model_judges VALUES (1, 'gpt', '0', 'served', '{}')",
        "CREATE TABLE model_answers (judge INTEGER NOT NULL REFERENCES model_judges,"
        " pair INTEGER NOT NULL REFERENCES pool, raw TEXT NOT NULL, grade INTEGER,"
        " reason TEXT NOT NULL CHECK ((reason = '') = (grade IS NOT NULL)), probabilities TEXT,"
        " tokens_in INTEGER, tokens_out INTEGER, seconds REAL, chars_seen INTEGER NOT NULL,"
        " written_at TEXT NOT NULL, PRIMARY KEY (judge, pair)) STRICT, WITHOUT ROWID",
        "INSERT INTO model_answers VALUES"
        " (1, 4, 'raw', 2, '', '{\"2\": 0.9}', 300, 6, 0.5, 17, '2')",
    )
    with open_campaign(made_by(12, tmp_path, *before)) as campaign, campaign.reading():
        answers = [one for *_, one in model_answers(campaign, 1)]
    assert answers == [ModelAnswer(4, "raw", 2, "", {2: 0.9}, 300, 6, 0.5, 17, "2", "")]
    new = tmp_path / "new.db"
    create_campaign(new, name="new", scale=DEFAULT_SCALE).close()
    assert shape(tmp_path / "schema_12.db") == shape(new)


def test_ids_get_the_form_that_they_are_read_in(tmp_path):
    old = made_by(
        7,
        tmp_path,
        "UPDATE queries SET query_id = 'q\t1' WHERE query_id = 'q1'",
        "UPDATE documents SET doc_id = 'my file\u00a0é' WHERE doc_id = 'csv.reader'",
        "UPDATE documents SET doc_id = 'my%20file' WHERE doc_id = 'csv.writer'",
        "UPDATE judges SET name = 'Zoe\u0301' WHERE name = 'bob'",
    )
    with open_campaign(old) as campaign:
        pairs = pair_keys(campaign)
        assert ("q%091", "my%20file%C2%A0é") in pairs
        assert ("q%091", "my%20file") in pairs
        assert campaign.rows("SELECT 1 FROM judges WHERE name = 'Zo\u00e9'")


def test_two_ids_that_would_be_one_are_refused_and_nothing_is_changed(tmp_path):
    old = made_by(
        7,
        tmp_path,
        "UPDATE documents SET doc_id = 'my file' WHERE doc_id = 'csv.reader'",
        "UPDATE documents SET doc_id = 'my%20file' WHERE doc_id = 'csv.writer'",
    )
    with pytest.raises(UsageError, match=r"document 'my file' would be the same as .*'my%20file'"):
        open_campaign(old)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (7,)
        assert connection.execute("SELECT 1 FROM documents WHERE doc_id = 'my file'").fetchone()
