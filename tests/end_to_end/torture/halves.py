"""Commands that are killed at random instants: what they do is done whole, or not at all."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.torture.campaigns import build, integrity
from tests.programs import PROGRAM, run, start

COMMANDS: dict[str, list[str]] = {
    "load queries": ["load", "queries", "more.tsv"],
    "load run": ["load", "run", "more.run", "--skip-unknown"],
    "load docs": ["load", "docs", "more-documents.tsv", "--all"],
    "load qrels": ["load", "qrels", "more.qrels", "--judge", "earlier"],
    "pool": ["pool", "--depth", "60"],
    "assign": [
        *("assign", "--judges", "ann,bob,cy", "--overlap", "0.3", "--repeat", "0.1"),
        *("--gold", "gold.qrels"),
    ],
    "merge": ["merge", "other.db"],
}


_ENTERED = {"assign": ("judges", "gold", "pool", "documents")}
"""The tables that a command fills in a step of its own, before the rest: the plan is made while
others judge, and needs the keys of new judges and gold pairs."""


@dataclass(frozen=True)
class Halved:
    """How often a command was killed before it was done, and how often after."""

    command: str
    before: int
    after: int


def prepare(folder: Path, *, size: int) -> Path:
    """A campaign with files to load, a pool to extend, and a copy that was judged elsewhere."""
    path = build(folder, queries=4, documents=60)
    (folder / "more.tsv").write_text("".join(f"m{i}\tneed {i}\n" for i in range(size)))
    (folder / "more.run").write_text("".join(f"q1 Q0 n{i} {i} {-i} more\n" for i in range(size)))
    (folder / "more-documents.tsv").write_text(
        "".join(f"n{i}\t{'text ' * 40}\n" for i in range(size))
    )
    (folder / "more.qrels").write_text("".join(f"q2 0 n{i} {i % 4}\n" for i in range(size)))
    (folder / "gold.qrels").write_text("".join(f"q{i} 0 known{i} {i}\n" for i in range(4)))
    other = folder / "other.db"
    shutil.copyfile(path, other)
    _run(folder, "load", "qrels", "more.qrels", "--judge", "far", db=other)
    # The pool of the campaign itself has room to grow.
    (folder / "deep.run").write_text("".join(f"q3 Q0 n{i} {i} {-i} deep\n" for i in range(size)))
    _run(folder, "load", "run", "deep.run", "--depth", str(size), db=path)
    return path


def killed_commands(path: Path, names: Iterable[str], *, kills: int, seed: int) -> list[Halved]:
    """Kill each command that many times, at random instants of the time that it takes.

    Raises `AssertionError` where a part of what it does is in the file, or the file is damaged.
    """
    rng = random.Random(seed)
    return [_killed(path, name, kills, rng) for name in names]


def _killed(path: Path, name: str, kills: int, rng: random.Random) -> Halved:
    folder = path.parent
    whole = folder / "whole.db"
    shutil.copyfile(path, whole)
    begun = time.monotonic()
    _run(folder, *COMMANDS[name], db=whole)
    takes = time.monotonic() - begun
    nothing, all_of_it = _content(path), _content(whole)
    assert nothing != all_of_it, f"{name} changes nothing"
    entered = nothing | {table: all_of_it[table] for table in _ENTERED.get(name, ())}
    before = 0
    for _ in range(kills):
        victim = folder / "victim.db"
        for beside in folder.glob("victim.db*"):
            beside.unlink()
        shutil.copyfile(path, victim)
        with Path(os.devnull).open("r+b") as null:
            streams = (null.fileno(),) * 3
            process = start([PROGRAM, *COMMANDS[name], "--db", victim], streams, cwd=folder)
        process.poll(rng.uniform(0.0, 1.05) * takes)
        process.kill()
        assert integrity(victim) == []
        state = _content(victim)
        assert state in (nothing, entered, all_of_it), f"{name} was left half done"
        before += state != all_of_it
        _run(folder, *COMMANDS[name], db=victim)
        assert _content(victim) == all_of_it, f"{name}, done again, came to something else"
    return Halved(name, before, kills - before)


def _run(folder: Path, *arguments: str, db: Path) -> None:
    done = run(*arguments, "--db", db, cwd=folder)
    assert done.returncode == 0, done.stderr


def _content(path: Path) -> dict[str, int]:
    """How many rows each table holds: each command adds many to at least one."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        counts = {
            name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for name in tables
        }
        texts = connection.execute("SELECT count(*) FROM documents WHERE text IS NOT NULL")
        return counts | {"texts": texts.fetchone()[0]}
