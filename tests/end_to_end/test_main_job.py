"""The main job, as a user does it: commands, the real app in a terminal, a kill in the middle.

Every expected grade and number is worked out here by hand, from the grades given below.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from pathlib import Path

import pytest

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
