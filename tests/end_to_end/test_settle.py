"""Settling in a real terminal: from the judges' grades to the qrels, with a kill in the middle."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.judges import find_judge
from tests.end_to_end.hostile import EVERYTHING, JUDGE, PASTED, refused, write_files
from tests.end_to_end.terminal import ESCAPE, PALETTE, PROGRAM, Terminal
from tests.programs import run
from tests.tui.campaigns import disputed


@pytest.fixture
def file(campaign: Campaign) -> Path:
    disputed(campaign)
    campaign.close()
    return campaign.path


def settling(
    file: Path, *more: str, size: tuple[int, int] = (100, 30), env: Mapping[str, str] | None = None
) -> Terminal:
    argv = [PROGRAM, "settle", "--db", file.name, *(more or ("--lead", "lea"))]
    return Terminal(argv, cwd=file.parent, size=size, env=env)


def ready(terminal: Terminal) -> None:
    """Wait until the first case is there, and was looked at."""
    terminal.wait_for("not settled")
    terminal.wait_for("Reads JSON.")
    look(terminal)


def look(terminal: Terminal) -> None:
    """For as long as a grade takes to count."""
    terminal.settle(0.3)


def settled(file: Path) -> list[tuple[str, int, str]]:
    connection = sqlite3.connect(file)
    found = connection.execute(
        "SELECT d.doc_id, a.grade, a.note FROM adjudications AS a JOIN pool AS p ON p.id = a.pair"
        " JOIN documents AS d ON d.id = p.document ORDER BY d.doc_id"
    ).fetchall()
    connection.close()
    return found


def written(file: Path) -> int:
    connection = sqlite3.connect(file)
    (count,) = connection.execute(
        "SELECT count(*) FROM events WHERE action = 'adjudicate'"
    ).fetchone()
    connection.close()
    return int(count)


def command(file: Path, *arguments: str, code: int = 0) -> str:
    done = run(*arguments, "--db", file, cwd=file.parent)
    assert done.returncode == code, done.stderr
    return (done.stdout + done.stderr).decode()


def test_from_disagreements_to_qrels(file: Path) -> None:
    command(file, "export", "qrels", "-o", "early.qrels", code=2)
    with settling(file) as terminal:
        ready(terminal)
        assert "ann" not in terminal.text
        terminal.send("1")
        terminal.wait_for("settled: 1 some")
        look(terminal)
        terminal.send("c")
        terminal.wait_for("goes with the grade")
        look(terminal)
        terminal.send("a list in place is not sorted()\r")
        terminal.wait_for("kept until you settle it")
        look(terminal)
        terminal.send("3")
        terminal.wait_for("settled: 3 perfect")
        look(terminal)
        # What was on screen was accepted: it is there after a kill.
        terminal.kill()
    reason = "a list in place is not sorted()"
    assert settled(file) == [("json.load", 1, ""), ("sorted", 3, reason)]
    with settling(file) as terminal:
        terminal.wait_for("Sorts the list in place.")
        look(terminal)
        assert "2 of 3 settled" in terminal.text
        terminal.send("2")
        terminal.wait_for("all of these cases are settled")
        look(terminal)
        terminal.send("q")
        assert terminal.wait_end() == 0
    said = command(file, "export", "qrels", "-o", "final.qrels")
    assert "3" in said
    lines = (file.parent / "final.qrels").read_text().splitlines()
    assert {"q1 0 json.load 1", "q2 0 sorted 3", "q2 0 list.sort 2"} < set(lines)


def test_a_burst_of_keys_settles_the_case_that_was_seen_and_no_other(file: Path) -> None:
    with settling(file) as terminal:
        ready(terminal)
        terminal.send("1" * 20)
        terminal.wait(lambda _terminal: settled(file))
        look(terminal)
        assert settled(file) == [("json.load", 1, "")]
        assert written(file) == 1
        terminal.send("u" * 20)
        terminal.wait(lambda _terminal: not settled(file))
        terminal.wait_for("Reads JSON.")


def test_the_mouse_settles_and_moves(file: Path) -> None:
    with settling(file) as terminal:
        ready(terminal)
        click(terminal, len(terminal.lines) - 2, "2 good")
        terminal.wait_for("settled: 2 good")
        look(terminal)
        row = next(at for at, line in enumerate(terminal.lines) if "list.sort" in line)
        click(terminal, row, "list.sort")
        terminal.wait_for("Sorts the list in place.")
        look(terminal)
        click(terminal, len(terminal.lines) - 1, "u undo")
        terminal.wait_for("undone: 2 good")
        look(terminal)
        assert settled(file) == []


def click(terminal: Terminal, row: int, text: str) -> None:
    column = terminal.lines[row].index(text) + 1
    terminal.send(f"\x1b[<0;{column};{row + 1}M\x1b[<0;{column};{row + 1}m")


def settled_with_reason(terminal: Terminal, file: Path) -> None:
    """One case settled for a reason, and one settled and taken back, all folded into the file."""
    ready(terminal)
    terminal.send("c")
    terminal.wait_for("goes with the grade")
    look(terminal)
    terminal.send("no [/] rows\r")
    terminal.wait_for("kept until you settle it")
    look(terminal)
    for keys, words in (("1", "settled: 1 some"), ("3", "settled: 3 perfect"), ("u", "undone: 3")):
        terminal.send(keys)
        terminal.wait_for(words)
        look(terminal)
    wal = file.with_name(f"{file.name}-wal")
    terminal.wait(lambda _terminal: wal.stat().st_size == 0)


def lost(terminal: Terminal, *words: str) -> None:
    """It is said once the file is lost; a key settles nothing then, and leaving says it again."""
    terminal.wait_for("FILE LOST")
    terminal.send("\x1b")
    terminal.wait(lambda t: "FILE LOST" not in t.text)
    terminal.send("0")
    look(terminal)
    said = " ".join(terminal.text.split())
    assert "settled: 0" not in said
    for word in words:
        assert word in said
    terminal.send("q")
    assert terminal.wait_end() == 2
    assert b"Traceback" not in terminal.raw


def test_a_file_that_is_taken_away_is_kept_whole_with_what_was_settled(file: Path) -> None:
    with settling(file, size=(220, 30)) as terminal:
        settled_with_reason(terminal, file)
        file.unlink()
        lost(terminal, "all up to now is in campaign-kept.db")
    assert not file.exists()
    assert settled(file.with_name("campaign-kept.db")) == [("json.load", 1, "no [/] rows")]


def test_a_new_lead_is_made_and_a_near_name_asked_about(file: Path) -> None:
    with settling(file, "--lead", "leander") as terminal:
        ready(terminal)
        terminal.send("q")
        assert terminal.wait_end() == 0
    with open_campaign(file) as campaign:
        lead = find_judge(campaign, "leander")
        assert lead is not None
        assert (lead.role, lead.kind) == ("lead", "human")
    with settling(file, "--lead", "Leander") as terminal:
        terminal.wait_for("nearly the name of 'leander'")
        terminal.send("n\r")
        assert terminal.wait_end() == 130


def made(folder: Path) -> None:
    """A campaign full of attacks, in which two judges with hostile names and notes disagree."""
    documents = write_files(folder)
    encoded = (folder / "a.qrels").read_text().split(" 0 ")[0]
    lines = (folder / "r.run").read_text().split("\n")[:-1]
    rows = [line.split(" Q0 ")[1].split(" ")[0] for line in lines]
    assert len(rows) == len(documents)
    for name, grade in (("one", 0), ("other", 3)):
        text = "".join(f"{encoded} 0 {doc_id} {grade}\n" for doc_id in rows)
        (folder / f"{name}.qrels").write_text(text)
    (folder / "second.run").write_text((folder / "r.run").read_text().replace(" tag", " another"))
    for arguments in (
        ("init", "--name", EVERYTHING, "--guidelines", "guidelines.md", "--seed", "3"),
        ("load", "queries", "q.jsonl"),
        ("load", "run", "r.run"),
        ("load", "run", "second.run"),
        ("load", "docs", "d.jsonl"),
        ("pool", "--depth", "100"),
        ("settings", "least-look", "0"),
        ("load", "qrels", "one.qrels", "--judge", JUDGE),
        ("load", "qrels", "other.qrels", "--judge", f"{JUDGE}2"),
    ):
        done = run(*arguments, cwd=folder)
        assert done.returncode == 0, done.stderr
    with open_campaign(folder / "campaign.db") as campaign:
        connection = campaign.backend.connection
        for number, pair in enumerate(campaign.rows("SELECT id FROM pool")):
            connection.execute(
                "INSERT INTO events (id, judge, pair, action, note, written_at)"
                " SELECT ?, id, ?, 'comment', ?, '' FROM judges LIMIT 1",
                (f"ffffffff-ffff-7fff-bfff-{number:012d}", pair[0], EVERYTHING),
            )


def test_hostile_text_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    """Without colours."""
    made(tmp_path)
    argv = [PROGRAM, "settle", "--lead", f"{JUDGE}3", "--yes"]
    env = {"NO_COLOR": "1"}
    with Terminal(argv, cwd=tmp_path, env=env, size=(120, 40), draw=False) as terminal:
        terminal.wait(lambda t: b"not settled" in t.raw)
        look(terminal)
        for opened in ("?", "M", "a", "F", "i", PALETTE):
            terminal.press(opened, "j ", ESCAPE)
        terminal.press(
            "R", "\t", "\t", "G", "\t", "M", ESCAPE, "a", "5", ESCAPE, "F", PASTED, ESCAPE
        )
        terminal.press("F", "query", "\r", "F", "\r", "c", PASTED, "\r", "1", "D", ESCAPE)
        for grade in "320":
            terminal.press("vwlG", "ghwv", grade)
        terminal.press("/", "read", "\r", "n", ESCAPE, "u", "C", ESCAPE, "R", "r")
        for columns, lines in ((80, 24), (200, 60), (40, 12)):
            terminal.resize(columns, lines)
            look(terminal)
            terminal.press("]", "[")
        assert terminal.leave() == 0
        assert refused(terminal.raw) == set()
        assert all(map(is_grey, re.findall(rb"\x1b\[[0-9;]*(?:38|48);[25];[0-9;]*m", terminal.raw)))


def is_grey(sequence: bytes) -> bool:
    """Whether every colour that is set has as much red as green and blue."""
    colours = re.findall(rb"[34]8;2;(\d+);(\d+);(\d+)", sequence)
    return bool(colours) and all(len(set(colour)) == 1 for colour in colours)
