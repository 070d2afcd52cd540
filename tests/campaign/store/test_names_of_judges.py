"""One judge has one name, in whichever form of Unicode a system has it: NFC, or NFD as of a Mac."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.judges import add_judge, all_judges, find_judge
from judge_tui.campaign.store.merge import merge
from judge_tui.cli import cli
from tests.campaign.copies import copied, events_of, graded, tampered

NFC, NFD = "Zo\u00eb", "Zoe\u0308"


def names(campaign: Campaign) -> list[str]:
    return [judge.name for judge in all_judges(campaign)]


def of_an_earlier_version(path: Path, *statements: str) -> Path:
    """The file as the version before kept it, with a name in NFD."""
    tampered(
        path,
        f"UPDATE judges SET name = '{NFD}' WHERE name = '{NFC}'",
        *statements,
        "ALTER TABLE judges DROP COLUMN formerly",
        "ALTER TABLE judges DROP COLUMN removed",
        "ALTER TABLE pool DROP COLUMN round",
        "ALTER TABLE pool DROP COLUMN probability",
        "ALTER TABLE campaign DROP COLUMN baseline",
        "UPDATE campaign SET schema_version = 11",
        "DELETE FROM _sqlite_migrations WHERE name LIKE 'm012%'",
        "PRAGMA user_version = 11",
    )
    return path


def test_a_judge_is_made_once_and_found_by_either_form(campaign: Campaign) -> None:
    made = add_judge(campaign, NFD)
    assert made == add_judge(campaign, NFC) == find_judge(campaign, NFD)
    assert names(campaign) == [NFC]


def test_names_that_an_earlier_version_kept_are_composed(campaign: Campaign) -> None:
    graded(campaign, NFC, "csv.reader", 3)
    graded(campaign, "other", "sorted", 2)
    path = of_an_earlier_version(copied(campaign, "old.db"))
    # Nobody opened it yet: its events are known all the same.
    (came,) = merge(campaign, [path]).files
    assert (came.events, came.known) == ({}, 2)
    with open_campaign(path) as old:
        assert add_judge(old, NFD) == find_judge(old, NFC)
        assert events_of(old) == events_of(campaign)
        assert names(old) == [NFC, "other"]


def test_the_commands_take_either_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.tsv").write_text("q1\tone\nq2\ttwo\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2 a\nq2 Q0 d1 1 2 a\n")
    (tmp_path / "g.txt").write_text("q1 0 d1 1\nq2 0 d1 2\n")
    rows = [
        {"query_id": "q1", "doc_id": "d1", "judge": NFD, "decision": "grade", "grade": 1},
        {"query_id": "q2", "doc_id": "d1", "judge": NFC, "decision": "grade", "grade": 0},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("init", "--db", "c.db", "--name", "c")
    run("load", "queries", "--db", "c.db", "q.tsv")
    run("load", "run", "--db", "c.db", "a.run")
    run("load", "qrels", "--db", "c.db", "--judge", "ann", "g.txt")
    run("load", "qrels", "--db", "c.db", "rows.jsonl")
    with open_campaign("c.db") as campaign:
        assert names(campaign) == ["ann", NFC]
        assert grades_by_judge(campaign)[NFC] == {("q1", "d1"): 1, ("q2", "d1"): 0}
    for number, name in enumerate([NFC, NFD]):
        run("agreement", "--db", "c.db", "--judges", f"ann,{name}")
        run("results", "--db", "c.db", "--policy", f"judge:{name}", "-f", "csv")
        named = ["--policy", f"judge:{name}"]
        run("report", "--db", "c.db", *named, "--anonymous", "-o", f"{number}.html")
        output = f"{number}.json"
        run(
            "export",
            "judgments",
            "--db",
            "c.db",
            "--judge",
            name,
            "-f",
            "label-studio",
            "-o",
            output,
        )
        assert len(json.loads((tmp_path / output).read_text())) == 2
        run("assign", "--db", "c.db", "--judges", f"ann,{name}")
        run("export", "bundle", "--db", "c.db", "--judge", name, "-o", f"{number}.db")
        with open_campaign(tmp_path / f"{number}.db") as bundle:
            assert names(bundle) == [NFC]


def run(*words: str) -> None:
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
