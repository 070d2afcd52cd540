"""Folders of checks: what somebody killed has left is removed, what somebody works in is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from judge_tui.collect.tasks.folders import empty_folder
from tests.collect.tasks.trying import TASKS, chat, check, tried

KILLED = """
import os
from judge_tui.collect.tasks.folders import empty_folder
with empty_folder() as here:
    (here / "answer.py").write_text("x")
    print(here, flush=True)
    os.kill(os.getpid(), 9)
"""


def killed() -> Path:
    """What a process that was killed has left."""
    command = [sys.executable, "-c", KILLED]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    place = Path(done.stdout.strip())
    assert (place / "answer.py").exists()
    return place


def test_what_was_left_by_the_dead_is_removed_at_the_next_start(server, tmp_path, monkeypatch):
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setenv("TMPDIR", str(room))
    monkeypatch.setattr("tempfile.tempdir", str(room))
    dead, young = killed(), killed()
    other = room / "judge_tui-check-file"
    other.touch()
    (tmp_path / "elsewhere").mkdir()
    link = room / "judge_tui-check-link"
    link.symlink_to(tmp_path / "elsewhere")
    with empty_folder() as living:
        for place in (dead, living, other):
            os.utime(place, (0, 0))
        os.utime(link, (0, 0), follow_symlinks=False)
        tried(
            tmp_path,
            {"coder": chat(server, arms={"plain": {}}, checks={"a": check("")})},
            TASKS[:1],
        )
        assert sorted(room.iterdir()) == sorted([young, living, other, link])
