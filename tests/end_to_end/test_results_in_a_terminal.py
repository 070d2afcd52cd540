"""`judge-tui results` in a real terminal: opening, leaving, sizes, hostile text in all views."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.visible import visible_line
from tests.end_to_end.hostile import EVERYTHING, JUDGE, PASTED, refused, write_files
from tests.end_to_end.terminal import ESCAPE, PALETTE, PROGRAM, Terminal
from tests.programs import run
from tests.tui.campaigns import graded, with_run

# Every view, with what lies behind its rows, and every dialog.
AROUND = (
    *("1", "g", "B", "\r", "j", "\r", "\r", "\r", "q", "\t", "\r"),
    *("q", "l", "]", "[", "G", ESCAPE, "]", "m", ESCAPE),
    *("2", "j", "\r", ESCAPE, "k", "\r", ESCAPE, "]"),
    *("3", "\r", ESCAPE, "4", "j", "\r", ESCAPE, "]", "]", "]", "G", "5", "\r", ESCAPE, "1"),
    *("s", "\r", "m", "\r", "F", ESCAPE, "?", ESCAPE, "W", ESCAPE),
)
WORKED_OUT = "high: 1.000"
"""What unjudged results leave open of alpha, the last number that is worked out."""


@pytest.fixture
def file(campaign: Campaign) -> Path:
    graded(campaign)
    with_run(campaign, "gamma", "q1 Q0 never.retrieved 1 3.0 gamma\n")
    campaign.close()
    return campaign.path


def terminal_of(folder: Path, *arguments: str, size: tuple[int, int] = (100, 30)) -> Terminal:
    return Terminal([PROGRAM, "results", *arguments], cwd=folder, size=size)


def test_the_command_opens_at_the_leaderboard_and_q_ends_it(file: Path) -> None:
    with terminal_of(file.parent, "--baseline", "beta", "-m", "RR@10") as terminal:
        terminal.wait_for("beside beta")
        terminal.wait_for("RR@10 over")
        terminal.send("q")
        assert terminal.wait_end() == 0
    assert [one.name for one in file.parent.glob("campaign.db*")] == ["campaign.db"]


def test_a_document_is_sent_to_the_pool_and_a_view_written(file: Path) -> None:
    with terminal_of(file.parent) as terminal:
        terminal.wait_for(WORKED_OUT)
        # gamma is the last one: it has nothing relevant.
        terminal.press("G", "\r", "\r", "\t")
        terminal.wait_for("never.retrieved")
        terminal.press("p")
        terminal.wait_for("in the pool now")
        terminal.press("e", "\x15", "both.json", "\r")
        terminal.wait_for("written: both.json")
        terminal.send("\x11")
        assert terminal.wait_end() == 0
    document = json.loads((file.parent / "both.json").read_text())
    assert {row["query_id"] for row in document["runs"]} == {"q1"}
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT count(*) FROM pool WHERE stratum = 'results'").fetchone() == (
        1,
    )
    connection.close()


def made(folder: Path) -> None:
    """A campaign full of hostile text, with two runs, one judge and failures."""
    folder.mkdir()
    write_files(folder)
    lines = (folder / "r.run").read_text().replace(" tag", " another").split("\n")
    (folder / "again.run").write_text("\n".join(lines[1:]))
    for arguments in (
        ("init", "--name", EVERYTHING, "--seed", "3"),
        ("load", "queries", "q.jsonl"),
        ("load", "run", "r.run", "again.run"),
        ("load", "docs", "d.jsonl"),
        ("pool", "--depth", "3"),
        ("load", "qrels", "a.qrels", "--judge", JUDGE),
    ):
        done = run(*arguments, cwd=folder)
        assert done.returncode == 0, done.stderr


def test_hostile_text_is_shown_and_never_obeyed_in_the_results(tmp_path: Path) -> None:
    """In the colours of the terminal."""
    folder = tmp_path / "hostile"
    made(folder)
    (folder / "config.toml").write_text('theme = "ansi-light"\n')
    env = {"JUDGE_TUI_CONFIG": str(folder / "config.toml")}
    argv = [PROGRAM, "results", "-k", "1"]
    with Terminal(argv, cwd=folder, env=env, size=(120, 40), draw=False) as terminal:
        terminal.wait(lambda t: b"warning" in t.raw)
        terminal.settle()
        terminal.press(*AROUND)
        # Textual's own palette has colours of its own.
        assert not re.search(rb"\x1b\[[0-9;]*(?:38|48);[25];[0-9;]*m", terminal.raw)
        terminal.press(PALETTE, "f", ESCAPE, "r")
        for columns, lines in ((80, 24), (200, 60)):
            terminal.resize(columns, lines)
            terminal.settle()
            terminal.press(*"12345")
        # To the pool, and to files: the name that is offered, and one that is pasted.
        # The last result is one of the longer list.
        terminal.press("5", "\r", "G", "p", "\t", "p")
        terminal.wait(lambda t: b"in the pool now" in t.raw)
        terminal.press("e", "\r")
        terminal.wait(lambda t: b"written" in t.raw)
        terminal.press("e", PASTED, "\r", ESCAPE)
        assert terminal.leave() == 0
        assert refused(terminal.raw) == set()
    written = [one for one in folder.iterdir() if one.name.startswith("rankings-")]
    assert len(written) == 1
    assert visible_line(written[0].name) == written[0].name
    assert " " not in written[0].name
