"""The main job, as a user does it: commands, the real app in a terminal, a kill in the middle.

Every expected grade and number is worked out here by hand, from the grades given below.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from tests.end_to_end.terminal import PROGRAM, Terminal
from tests.programs import run

GRADES = {
    ("q1", "csv.reader"): 3,
    ("q1", "csv.writer"): 1,
    ("q1", "json.load"): 0,
    ("q2", "list.sort"): 2,
    ("q2", "sorted"): 3,
    ("q2", "json.load"): 0,
}

QRELS = """\
q1 0 csv.reader 3
q1 0 csv.writer 1
q1 0 json.load 0
q2 0 json.load 0
q2 0 list.sort 2
q2 0 sorted 3
"""


@pytest.fixture
def work(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_TUI_DB", str(files / "campaign.db"))
    monkeypatch.chdir(files)
    return files


@pytest.fixture
def built(work: Path, campaign: Campaign) -> Path:
    """With the small campaign, closed."""
    campaign.close()
    return work


def command(*arguments: str) -> str:
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def pair_on_screen(terminal: Terminal) -> tuple[str, str] | None:
    """What a judge reads off the screen: the query's id and the document that the list is at."""
    row = row_on_screen(terminal)
    return (terminal.lines[0].split()[1], row[-1]) if row else None


def state_on_screen(terminal: Terminal) -> str:
    row = row_on_screen(terminal)
    return row[0] if row else ""


def row_on_screen(terminal: Terminal) -> list[str]:
    """The row of the list of documents that is named below it: its state and the id."""
    lines = terminal.lines
    tops = [at for at, line in enumerate(lines) if line.startswith("╭─ Documents")]
    for top in tops:
        bottom = next(line for line in lines[top:] if line.startswith("╰"))
        place = re.search(r"(\d+) of \d+ ─╯", bottom)
        return lines[top + int(place[1])].split("│")[1].split() if place else []
    return []


def judge(terminal: Terminal, pairs: int, wrong: int | None = None) -> list[tuple[str, str]]:
    """Grade that many pairs by keys, one after another, each once its document is on screen."""
    judged = []
    for _ in range(pairs):
        # What others did meanwhile may have changed the screen since it was read.
        # A grade counts once the document has been looked at.
        terminal.settle(0.25)
        before = pair_on_screen(terminal)
        assert before is not None
        terminal.send(str(GRADES[before] if wrong is None else wrong))
        judged.append(before)
        terminal.wait(
            lambda t, before=before: (
                pair_on_screen(t) not in (None, before) or "all judged" in t.text
            )
        )
    terminal.settle(0.1)
    return judged


def grades_in_the_file(path: Path) -> list[tuple[str, str, int]]:
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT q.query_id, d.doc_id, x.grade FROM judgments AS x JOIN pool AS p ON p.id = x.pair"
        " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
        " WHERE x.decision IS NOT NULL AND x.turn = 0"
    ).fetchall()
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    return rows


def test_from_runs_to_a_verdict_through_a_kill(work: Path) -> None:
    command("init", "--seed", "11", "--name", "small")
    command("load", "queries", "queries.jsonl")
    command("load", "run", "alpha.run", "beta.run")
    command("load", "docs", "documents.jsonl")
    command("pool")

    with Terminal([PROGRAM, "judge", "--judge", "ann"], cwd=work) as terminal:
        terminal.wait_for("0/6 in all")
        terminal.settle()
        judged = judge(terminal, 3)
        terminal.kill()
    kept = grades_in_the_file(work / "campaign.db")
    assert sorted(kept) == sorted((*pair, GRADES[pair]) for pair in judged)

    with Terminal([PROGRAM, "judge", "--judge", "ann"], cwd=work) as terminal:
        # It resumes at a pair that was not judged, and counts what was.
        terminal.wait_for("3/6 in all")
        terminal.settle()
        assert pair_on_screen(terminal) not in judged
        # A slip, undone, and the right grade.
        slipped = judge(terminal, 1, wrong=1)[0]
        terminal.send("u")
        terminal.wait(lambda t: pair_on_screen(t) == slipped and state_on_screen(t) == "·")
        terminal.wait_for("3/6 in all")
        terminal.settle()
        judge(terminal, 3)
        terminal.wait_for("all judged")
        terminal.wait_for("6/6 in all")
        terminal.send("q")
        assert terminal.wait_end() == 0
    assert {path.name for path in work.glob("campaign.db*")} == {"campaign.db"}

    said = command("export", "qrels", "-o", "final.qrels")
    assert "6 pairs, 2 queries" in said
    assert (work / "final.qrels").read_text() == QRELS
    provenance = json.loads((work / "final.qrels.provenance.json").read_text())
    assert provenance["counts"]["rules"] == {"single judge": 6}

    scored = json.loads(
        command("score", "final.qrels", "alpha.run", "beta.run", "-f", "json", "-q")
    )
    log3 = math.log2(3)
    ideal = {"q1": 3 + 1 / log3, "q2": 3 + 2 / log3}
    expected = {
        "alpha": {"q1": (3 + 1 / log3) / ideal["q1"], "q2": (2 + 3 / log3) / ideal["q2"]},
        "beta": {"q1": (0 + 3 / log3) / ideal["q1"], "q2": 3 / ideal["q2"]},
    }
    reciprocal = {"alpha": {"q1": 1.0, "q2": 1.0}, "beta": {"q1": 0.5, "q2": 1.0}}
    for scores in scored["runs"]:
        for query_id, value in expected[scores["tag"]].items():
            assert scores["per_query"][query_id]["nDCG@10"] == pytest.approx(value, abs=1e-12)
            assert scores["per_query"][query_id]["RR@10"] == reciprocal[scores["tag"]][query_id]
            assert scores["per_query"][query_id]["Judged@10"] == 1.0
        assert scores["mean"]["nDCG@10"] == pytest.approx(
            sum(expected[scores["tag"]].values()) / 2, abs=1e-12
        )
        # Two relevant at rank 1 and 2 of two retrieved, over a cutoff of five; one for beta.
        assert scores["mean"]["P@5"] == pytest.approx({"alpha": 0.4, "beta": 0.2}[scores["tag"]])

    compared = json.loads(
        command("compare", "final.qrels", "alpha.run", "beta.run", "-m", "nDCG@10", "-f", "json")
    )
    comparison = compared["comparisons"][0]
    delta = sum(expected["beta"].values()) / 2 - sum(expected["alpha"].values()) / 2
    assert comparison["delta"] == pytest.approx(delta, abs=1e-12)
    assert (comparison["wins"], comparison["ties"], comparison["losses"]) == (0, 0, 2)
    assert comparison["verdict"] == "too few queries"


def test_two_apps_on_one_file_at_once(built: Path) -> None:
    with (
        Terminal([PROGRAM, "judge", "--judge", "ann"], cwd=built) as one,
        Terminal([PROGRAM, "judge", "--judge", "bob"], cwd=built) as two,
    ):
        for terminal in (one, two):
            terminal.wait_for("0/6 in all")
            terminal.settle()
        for _ in range(3):
            judge(one, 1)
            judge(two, 1)
        for terminal in (one, two):
            terminal.send("q")
            assert terminal.wait_end() == 0
    assert len(grades_in_the_file(built / "campaign.db")) == 6
    agreed = json.loads(command("agreement", "-f", "json"))
    assert set(agreed["judges"]) == {"ann", "bob"}


def test_home_opens_in_a_terminal_and_leads_to_judging(built: Path) -> None:
    with Terminal([PROGRAM], cwd=built) as terminal:
        terminal.wait_for("Next steps")
        terminal.settle()
        terminal.send("n")
        terminal.wait_for("Who judges?")
        terminal.settle()
        terminal.send("cleo\r")
        terminal.wait_for("Create judge")
        terminal.settle()
        terminal.send("y")
        terminal.wait_for("0/6 in all")
        terminal.settle()
        judge(terminal, 1)
        terminal.send("q")
        terminal.wait_for("Next steps")
        terminal.wait_for("1/6")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_end() == 0


def test_a_file_put_in_the_place_of_ours_keeps_its_own_judgments(built: Path) -> None:
    """A sync tool puts a copy in the file's place; another judge goes on with the copy."""
    with Terminal([PROGRAM, "judge", "--judge", "ann"], cwd=built) as ann:
        ann.wait_for("0/6 in all")
        ann.settle()
        judge(ann, 1)
        shutil.copy(built / "campaign.db", built / "copy.db")
        (built / "copy.db").replace(built / "campaign.db")
        with Terminal([PROGRAM, "judge", "--judge", "bob"], cwd=built) as bob:
            bob.wait_for("0/6 in all")
            bob.settle()
            judge(bob, 3)
            ann.wait_for("FILE LOST")
            ann.send("\x1b")
            ann.wait(lambda one: "FILE LOST" not in one.text)
            ann.send("3")
            ann.wait_for("NOT SAVED")
            ann.send("q")
            assert ann.wait_end() == 2
            assert b"deleted, moved or replaced" in ann.raw
            judge(bob, 1)
            bob.send("q")
            assert bob.wait_end() == 0
    connection = sqlite3.connect(built / "campaign.db")
    by_judge = dict(
        connection.execute(
            "SELECT j.name, count(decision) FROM judgments AS d JOIN judges AS j ON j.id = d.judge"
            " WHERE turn = 0 GROUP BY j.name"
        )
    )
    connection.close()
    assert by_judge["bob"] == 4
