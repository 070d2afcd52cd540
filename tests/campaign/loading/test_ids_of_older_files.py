"""Files of before schema 8 hold ids with white space: it is coded as they are opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.runs import kept_rankings
from judge_tui.errors import UsageError


def older(campaign: Campaign, *renames: tuple[str, str, str]) -> Path:
    """The campaign's file as it was under schema 7, with some ids in it."""
    campaign.close()
    connection = sqlite3.connect(campaign.path)
    for table, before, now in renames:
        column = {"queries": "query_id", "documents": "doc_id"}[table]
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (now, before))
    connection.execute("PRAGMA user_version = 7")
    connection.execute(
        "DELETE FROM _sqlite_migrations WHERE migration_set = 'judge_tui' AND name LIKE 'm008%'"
    )
    connection.commit()
    connection.close()
    return campaign.path


def test_white_space_becomes_its_code_and_nothing_else_changes(campaign: Campaign) -> None:
    path = older(
        campaign,
        ("queries", "q1", "q\t1"),
        ("documents", "sorted", "my file\u00a0é.txt"),
        ("documents", "list.sort", "my%20file"),
        ("documents", "json.load", " json"),
    )
    with open_campaign(path) as again:
        assert kept_rankings(again)["alpha"] == {
            "q%091": ["csv.reader", "csv.writer"],
            "q2": ["my%20file", "my%20file%C2%A0é.txt"],
        }
        assert ("q%091", "%20json") in pair_keys(again)


def test_two_ids_that_would_be_one_are_refused(campaign: Campaign) -> None:
    path = older(
        campaign, ("documents", "sorted", "my file"), ("documents", "list.sort", "my%20file")
    )
    with pytest.raises(UsageError, match="document 'my file' would have the id of document 'my%20"):
        open_campaign(path)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (7,)
    assert connection.execute("SELECT 1 FROM documents WHERE doc_id = 'my file'").fetchone()
    connection.close()
