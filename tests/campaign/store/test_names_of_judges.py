"""One judge has one name, in whichever form of Unicode a system has it: NFC, or NFD as of a Mac."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.overview.grading import final_grades, grades_by_judge
from judge_tui.campaign.store.judges import add_judge, all_judges, find_judge, name_here
from judge_tui.campaign.store.merge import merge
from judge_tui.cli import cli
from tests.campaign.copies import copied, events_of, graded, graded_in, tampered

NFC, NFD = "Zo\u00eb", "Zoe\u0308"


def names(campaign: Campaign) -> list[str]:
    return [judge.name for judge in all_judges(campaign)]


def of_an_earlier_version(path: Path, new: str = NFD) -> Path:
    """The file with a name as earlier versions kept it."""
    tampered(path, f"UPDATE judges SET name = '{new}' WHERE name = '{NFC}'")
    return path


def test_a_judge_is_made_once_and_found_by_either_form(campaign: Campaign) -> None:
    made = add_judge(campaign, NFD)
    assert made == add_judge(campaign, NFC) == find_judge(campaign, NFD)
    assert names(campaign) == [NFC]


def test_a_name_that_an_earlier_version_kept_is_found_by_either_form(campaign: Campaign) -> None:
    graded(campaign, NFC, "csv.reader", 3)
    with open_campaign(of_an_earlier_version(copied(campaign, "old.db"))) as old:
        assert add_judge(old, NFC) == add_judge(old, NFD) == find_judge(old, NFC)
        assert (names(old), name_here(old, NFC)) == ([NFD], NFD)
        for name in (NFC, NFD):
            final = final_grades(old, policy=f"judge:{name}")
            assert final.qrels == {"q1": {"csv.reader": 3}}


@pytest.mark.parametrize(("here", "there"), [(NFC, NFD), (NFD, NFC)])
def test_copies_of_two_systems_are_of_one_judge(campaign: Campaign, here: str, there: str) -> None:
    one, two = copied(campaign, "one.db"), copied(campaign, "two.db")
    graded_in(one, NFC, {"csv.reader": 3})
    graded_in(two, NFC, {"sorted": 1})
    of_an_earlier_version(one, new=here)
    of_an_earlier_version(two, new=there)
    merged = merge(campaign, [one, two])
    assert [came.events for came in merged.files] == [{NFC: 1}, {NFC: 1}]
    assert grades_by_judge(campaign) == {NFC: {("q1", "csv.reader"): 3, ("q2", "sorted"): 1}}
    again = merge(campaign, [two, one])
    assert [came.events for came in again.files] == [{}, {}]
    with open_campaign(one) as other:
        merge(other, [campaign.path, two])
        assert names(other) == [here]
        assert [row[0] for row in events_of(other)] == [row[0] for row in events_of(campaign)]


def test_an_event_of_one_judge_under_two_forms_is_the_same_event(campaign: Campaign) -> None:
    """It came as one judge's here, and as another one's where an earlier version merged it."""
    mac = copied(campaign, "mac.db")
    graded_in(mac, NFC, {"sorted": 1})
    doubled = copied(campaign, "doubled.db")
    with open_campaign(doubled) as other:
        merge(other, [mac])
    of_an_earlier_version(doubled)
    with open_campaign(doubled) as other:
        other.connection.execute(
            "INSERT INTO judges (name, role, kind) VALUES (?, 'judge', 'human')", (NFC,)
        )
    merge(campaign, [mac])
    graded(campaign, NFC, "csv.reader", 2)
    with open_campaign(doubled) as other:
        (came,) = merge(other, [campaign.path]).files
        assert came.events == {NFC: 1}


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
    of_an_earlier_version(tmp_path / "c.db")
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
            assert names(bundle) == [NFD]


def run(*words: str) -> None:
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
