"""Folders of checks: what somebody killed has left is removed, what somebody works in is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from judge_tui.collect.tasks import folders
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
    os.utime(dead, (0, 0))
    other = room / "judge_tui-check-file"
    other.touch()
    (tmp_path / "elsewhere").mkdir()
    link = room / "judge_tui-check-link"
    link.symlink_to(tmp_path / "elsewhere")
    with empty_folder() as living:
        tried(
            tmp_path,
            {"coder": chat(server, arms={"plain": {}}, checks={"a": check("")})},
            TASKS[:1],
        )
        assert sorted(room.iterdir()) == sorted([living, other, link])
    assert [place for place in (dead, young) if place.exists()] == []


def test_one_that_is_taken_before_it_is_held_is_made_again(tmp_path, monkeypatch):
    """As by another start, at that very moment."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    held = folders._held
    taken: list[Path] = []

    def late(place: Path) -> int | None:
        if not taken:
            taken.append(place)
            folders.remove_left_behind()
        return held(place)

    monkeypatch.setattr(folders, "_held", late)
    with empty_folder() as here:
        assert here != taken[0]
        assert list(tmp_path.iterdir()) == [here]
