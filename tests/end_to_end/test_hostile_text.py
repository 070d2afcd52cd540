"""Hostile text in a real terminal: nothing comes out but what Textual itself sends.

The campaign holds escape sequences, C1, bidi controls, markup and tabs in every place that
foreign text can be in; the app is driven through all of its screens, and every table is printed.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from judge_tui.formats.ids import id_in
from judge_tui.visible import visible_line
from tests.end_to_end.hostile import EVERYTHING, JUDGE, PASTED, refused, write_files
from tests.end_to_end.terminal import ESCAPE, PALETTE, PROGRAM, Terminal
from tests.programs import run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign full of it; nothing was said while it was made that should not be."""
    folder = tmp_path_factory.mktemp("hostile")
    write_files(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for arguments in (
            ("init", "--name", EVERYTHING, "--guidelines", "guidelines.md", "--seed", "3"),
            ("load", "queries", "q.jsonl"),
            ("load", "run", "r.run"),
            ("load", "docs", "d.jsonl"),
            ("pool", "--depth", "100"),
            ("settings", "least-look", "0"),
        ):
            printed(*arguments)
    return folder


@pytest.fixture
def hostile(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That campaign and its files, in the folder where one is."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("JUDGE_TUI_CONFIG", "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(*arguments: str, code: int = 0) -> str:
    """Run a command; what it prints, and says beside it, holds nothing to obey."""
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    for stream in (done.stdout, done.stderr):
        assert refused(stream) == set(), arguments
        assert b"\x1b" not in stream, arguments
        assert b"Traceback" not in stream
    return done.stdout.decode("utf-8")


def painted(terminal: Terminal, text: bytes) -> None:
    terminal.wait(lambda t: text in t.raw)


def test_hostile_text_is_shown_and_never_obeyed_while_judging(hostile: Path) -> None:
    argv = [PROGRAM, "judge", "--judge", JUDGE]
    with Terminal(argv, cwd=hostile, size=(120, 40), draw=False) as terminal:
        painted(terminal, b"not judged yet")
        terminal.settle()
        # Every overlay, and the palette; what is typed and pasted into its lines.
        for opened in ("?", "o", "t", "F", "i", "I", "e", PALETTE):
            terminal.press(opened, "j ", ESCAPE)
        terminal.press("D", ESCAPE, "c", "[/] note", PASTED, "\r")
        terminal.press("/", "read", "\r", "n", "N", ESCAPE, "/", PASTED, "\r", ESCAPE)
        terminal.press("o", PASTED, ESCAPE, PALETTE, PASTED, ESCAPE)
        terminal.press("f", "F", "\r")
        # Each document: rendered, raw, not wrapped and moved sideways, and back.
        for grade in "3sx2" * 3:
            terminal.press("vwlG", "ghwv", grade)
        painted(terminal, b"Thank you")
        terminal.press("[", "f", "t", ESCAPE, "u")
        terminal.settle()
        terminal.press("u")
        for columns, lines in ((80, 24), (200, 60)):
            terminal.resize(columns, lines)
            terminal.settle()
            terminal.press("i", "?", ESCAPE, "[")
        assert terminal.leave() == 0
        assert refused(terminal.raw) == set()


def test_an_id_is_copied_as_it_is_shown(hostile: Path) -> None:
    """Pasted into a shell, a newline or an escape sequence in it would be obeyed."""
    argv = [PROGRAM, "judge", "--judge", "ann"]
    with Terminal(argv, cwd=hostile, draw=False) as terminal:
        painted(terminal, b"not judged yet")
        terminal.settle()
        terminal.send("y")
        painted(terminal, b"copied:")
        terminal.settle()
        copies = {one for one in refused(terminal.raw) if one.startswith(b"\x1b]52;")}
        assert len(copies) == 1
        shown = [visible_line(id_in(doc_id)) for doc_id in write_files(hostile)]
        assert any(refused(terminal.raw, copied=one) == set() for one in shown)


def test_hostile_text_is_shown_and_never_obeyed_at_home(hostile: Path) -> None:
    printed("load", "qrels", "a.qrels", "--judge", JUDGE)
    printed("load", "qrels", "a.qrels", "--judge", f"{JUDGE}2", "--kind", "model")
    env = {"NO_COLOR": "1"}
    with Terminal([PROGRAM], cwd=hostile, env=env, size=(120, 40), draw=False) as terminal:
        painted(terminal, b"Next steps")
        terminal.settle()
        terminal.press("i", ESCAPE, "?", ESCAPE, PALETTE, ESCAPE, "n", PASTED, ESCAPE, "r", " ")
        for columns, lines in ((80, 24), (200, 60)):
            terminal.resize(columns, lines)
            terminal.settle()
        assert terminal.leave() == 0
        assert refused(terminal.raw) == set()


def test_hostile_text_is_shown_and_never_obeyed_in_what_is_printed(hostile: Path) -> None:
    Path("other.db").write_bytes(Path("campaign.db").read_bytes())
    printed("load", "qrels", "a.qrels", "--judge", JUDGE)
    printed("load", "qrels", "a.qrels", "--judge", f"{JUDGE}2")
    for db in ("other.db", "campaign.db"):
        name = f"{JUDGE}3"
        printed("load", "qrels", "a.qrels", "--judge", name, "--db", db)
    Path("again.run").write_text(Path("r.run").read_text().replace(" tag", " another"))
    printed("export", "qrels", "-o", "out.qrels", "--unresolved", "skip")
    assign = ("assign", "--judges", f"{JUDGE},ann", "--gold", "gold.qrels", "--overlap", "1")
    for form in ("table", "json", "csv", "md", "latex"):
        printed("status", "-f", form)
    for form in ("table", "csv"):
        printed(*assign, "-f", form)
        printed("agreement", "-f", form)
        printed("merge", "other.db", "-f", form)
        printed("pool", "-f", form)
        printed("score", "out.qrels", "r.run", "-q", "-f", form)
        printed("score", "--db", "campaign.db", "--by", "class", "-f", form)
        printed("compare", "out.qrels", "r.run", "again.run", "-f", form)
    printed("check", "r.run", "q.jsonl", "d.jsonl", "out.qrels")


def test_hostile_names_are_harmless_in_errors(hostile: Path) -> None:
    Path("d2.jsonl").write_text(json.dumps({"doc_id": "x", "text": EVERYTHING}) + "\n{")
    Path("config.toml").write_text("theme = " + json.dumps(f"{JUDGE}") + "\n")
    for arguments in (
        ("load", "queries", EVERYTHING),
        ("load", "docs", "d2.jsonl"),
        ("load", "run", "q.jsonl"),
        ("load", "qrels", "q.jsonl", "--judge", JUDGE),
        ("judge", "--judge", EVERYTHING),
        ("status", "--db", EVERYTHING),
        ("merge", EVERYTHING),
        (EVERYTHING,),
        ("score", EVERYTHING, "r.run"),
        ("score", "a.qrels", "r.run", "-m", EVERYTHING),
        ("export", "qrels", "-o", "x.qrels", "--policy", EVERYTHING),
        ("agreement", "--judges", f"{JUDGE},nobody"),
    ):
        said = printed(*arguments, code=2)
        assert said == ""


def test_a_lone_surrogate_is_refused_where_it_comes_in(hostile: Path) -> None:
    Path("s.jsonl").write_text('{"doc_id": "unknown", "text": "a\\ud800b"}\n')
    done = run("load", "docs", "s.jsonl", "--all")
    assert done.returncode == 2
    assert re.match(rb"error: s\.jsonl:1: .*surrogate", done.stderr)
