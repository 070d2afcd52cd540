"""Transcripts of commands: what is printed, what is said on standard error, and the exit code.

Each file of `golden/` begins in a folder with `golden/files`; with `# after NAME` first, where the
commands of NAME.txt left it. `$ cat FILE` shows what a command wrote. `UPDATE_GOLDEN=1 pytest
tests/cli/test_golden.py` writes them anew, from the commands that stand in them; what changed is to
be read. The numbers are those of the version that was held against trec_eval, SciPy and brute force
(`tests/scoring`, `tests/comparison`).

Whatever is refused in them has changed no file, printed nothing and said lines of `error: `.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from judge_tui.cli import NAMES
from tests.as_typed import invoke

GOLDEN = Path(__file__).with_name("golden")
COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
AFTER = re.compile(r"^# after (\S+)\n")
TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:[\d.]+(Z|\+00:00))?)?")


def transcript(commands: list[str]) -> str:
    """The commands, one after the other in this folder, with all that they say."""
    return "".join(f"$ {command}\n{_said(shlex.split(command))}" for command in commands)


def _said(words: list[str]) -> str:
    if words[0] == "cat":
        return TIME.sub("TIME", Path(words[1]).read_text())
    before = kept()
    result = invoke(*words[1:])
    if result.exit_code == 2:
        assert kept() == before
        assert all(line.startswith("error: ") for line in result.stderr.splitlines())
        assert result.stdout == "" or words[1] == "check"
    errors = f"--- stderr\n{result.stderr}" if result.stderr else ""
    return TIME.sub("TIME", f"{result.stdout}{errors}--- exit {result.exit_code}\n")


def kept() -> dict[str, str | bytes]:
    """What is in the files of this folder."""
    return {
        str(path): _rows(path) if path.suffix == ".db" else path.read_bytes()
        for path in sorted(Path().rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm", ".lock"))
    }


def _rows(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())


@cache
def folder_after(name: str) -> Path:
    """The folder that the commands of that transcript leave behind."""
    folder = Path(mkdtemp(prefix="golden"))
    shutil.copytree(GOLDEN / "files", folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        transcript(COMMAND.findall((GOLDEN / f"{name}.txt").read_text()))
    return folder


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_commands_say_what_they_said(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = path.read_text()
    after = AFTER.match(written)
    begin = folder_after(after[1]) if after else GOLDEN / "files"
    shutil.copytree(begin, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    now = (after[0] if after else "") + transcript(COMMAND.findall(written))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(now)
    assert now == written


def test_every_command_has_a_transcript() -> None:
    commands = "".join(path.read_text() for path in GOLDEN.glob("*.txt"))
    shown = set(re.findall(r"^\$ judge-tui (?:--db \S+ )?([a-z]+)", commands, re.MULTILINE))
    # `demo` has its own (tests/end_to_end/test_demo.py), the manual, too.
    assert set(NAMES) - shown == {"demo", "help"}
