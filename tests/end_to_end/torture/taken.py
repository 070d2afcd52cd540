"""Files and disks taken away under the real app: what it says, and what is left."""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.end_to_end.terminal import PROGRAM, Terminal
from tests.end_to_end.torture.campaigns import build, decisions, integrity
from tests.end_to_end.torture.crowd import judged


def files_taken(folder: Path, *, seed: int) -> Iterator[str]:
    """Do each harm once, after a few judgments; yields what came of it.

    Raises `AssertionError` where a judgment that the screen accepted is nowhere, or where the
    screen does not say what happened.
    """
    rng = random.Random(seed)
    for name, harm in _HARMS.items():
        work = folder / name.replace(" ", "-").strip("-")
        work.mkdir()
        path = build(work, queries=1, documents=20)
        given = rng.randrange(1, 8)
        with _at_work(path, given) as terminal:
            harm(path)
            _dismiss(terminal)
            terminal.send("3")
            terminal.wait_for("NOT SAVED")
            assert judged(terminal) == given
            terminal.send("q")
            assert terminal.wait_end() == 2
        places = list(work.glob("*.db"))
        held = {one.name: len(decisions(one, "ann")) for one in places if not integrity(one)}
        assert given in held.values(), f"{name}: {given} given, {held} held"
        yield f"{name}: said; {given} judgments given, held: {held}"
    yield from _written_over(folder, rng)
    yield from _full_disk(folder / "disk", rng.randrange(1, 8))


def _written_over(folder: Path, rng: random.Random) -> Iterator[str]:
    """An older copy is written over the file: that is said, the next key is refused, and
    what stands there now is left alone."""
    for since in (1, rng.randrange(2, 6)):
        work = Path(tempfile.mkdtemp(prefix="written-over-", dir=folder))
        path = build(work, queries=1, documents=20)
        older = Path(shutil.copyfile(path, work / "older.copy"))
        with _at_work(path, since) as terminal:
            wal = path.with_name("campaign.db-wal")
            terminal.wait(lambda _terminal, wal=wal: wal.stat().st_size == 0)
            shutil.copyfile(older, path)
            _dismiss(terminal)
            terminal.send("3")
            terminal.wait_for("NOT SAVED")
            said = " ".join(terminal.text.split())
            assert "another program wrote over the file" in said, said
            terminal.send("q")
            terminal.wait_end()
        assert not integrity(path)
        yield f"written over after {since}: said, and left alone"


def _full_disk(mount: Path, given: int) -> Iterator[str]:
    """A file system of its own that fills up, where this user may mount one."""
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(mount)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        yield "full disk: left out, no file system can be mounted here"
        return
    with ExitStack() as stack:
        stack.callback(subprocess.run, ["umount", str(mount)], check=True)
        path = build(mount, queries=1, documents=20)
        terminal = stack.enter_context(_at_work(path, given))
        filler = mount / "filler"
        _fill(filler)
        terminal.send("3")
        terminal.wait_for("NOT SAVED")
        said = " ".join(terminal.text.split())
        assert "the disk is full" in said
        assert judged(terminal) == given
        assert len(decisions(path, "ann")) == given
        filler.unlink()
        terminal.settle(0.15)  # sooner it would be a key that is held
        terminal.send("3")
        terminal.wait(lambda t: judged(t) == given + 1)
        terminal.send("q")
        assert terminal.wait_end() == 0
        assert integrity(path) == []
        assert len(decisions(path, "ann")) == given + 1
        yield f"full disk: said; the key pressed again was taken; held: {given + 1}"


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 512)
        except OSError:
            return


def _dismiss(terminal: Terminal) -> None:
    """Close what says that the file is lost."""
    terminal.wait_for("FILE LOST")
    terminal.send("\x1b")
    terminal.wait(lambda t: "FILE LOST" not in t.text)


@contextmanager
def _at_work(path: Path, given: int, *, already: int = 0) -> Iterator[Terminal]:
    argv = [PROGRAM, "judge", "--db", str(path), "--judge", "ann"]
    with Terminal(argv, cwd=path.parent, size=(160, 30)) as terminal:
        terminal.wait_for("not judged yet")
        terminal.settle()
        for number in range(given):
            terminal.send("2")
            terminal.wait(lambda t, number=number: judged(t) == already + number + 1)
            terminal.settle(0.15)
        yield terminal


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def _replace(path: Path) -> None:
    Path(shutil.copyfile(path, path.with_name("copy"))).replace(path)


def _remove(suffix: str) -> Callable[[Path], None]:
    return lambda path: path.with_name(path.name + suffix).unlink()


def _remove_all(path: Path) -> None:
    for one in path.parent.glob("campaign.db*"):
        one.unlink()


_HARMS: dict[str, Callable[[Path], None]] = {
    "file deleted": _remove(""),
    "file moved": _move,
    "file replaced by a copy": _replace,
    "-wal deleted": _remove("-wal"),
    "-shm deleted": _remove("-shm"),
    "all three deleted": _remove_all,
}
