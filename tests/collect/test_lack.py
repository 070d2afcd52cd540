"""What this machine lacks is no failure of a system: fewer are asked at once, and none is lost."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge_tui.collect.asking import each
from judge_tui.collect.lack import LackError, telling_lack
from judge_tui.formats import read_run
from judge_tui.model import Query
from tests.collect.asking import OUT, http, one, script, systems_file
from tests.collect.tasks.trying import attempts, chat, prompts

MANY = [Query(f"q{n}", f"text {n}") for n in range(40)]
TOLD = (
    "not all of -j 40 were asked at once: this machine says: Too many open files; give a smaller"
    " -j, or raise the limit of this shell: ulimit -n 4096"
)


@contextmanager
def room_for(files: int) -> Iterator[None]:
    """As long as this lasts, only so many files more can be opened."""
    lowest = os.open(os.devnull, os.O_RDONLY)
    os.close(lowest)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + files, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_of_programs(tmp_path):
    # Each takes four files, and as many more for a moment.
    with room_for(40):
        table = script("import time; time.sleep(.05); print('[]')", retries=0)
        found = one(tmp_path, table, queries=MANY, at_once=40)
    assert not found.failed
    assert found.notes == (TOLD,)


def test_of_a_pattern_over_what_they_print(tmp_path):
    table = script("import time; time.sleep(.05); print('a.py')", retries=0, pattern=r"\w+\.py")
    del table["results"], table["id"]
    with room_for(40):
        found = one(tmp_path, table, queries=MANY, at_once=40)
    assert [len(reply.hits) for reply in found.replies] == [1] * 40


def limited(folder: Path) -> str:
    """What the command says that may have 40 files open: a server in this process may have more."""
    (folder / "q.tsv").write_text("".join(f"{one.query_id}\t{one.text}\n" for one in MANY))
    (folder / "tmp").mkdir()
    program = [sys.executable, "-c", "from judge_tui.cli import main; main()"]
    command = [*program, "collect", "systems.toml", "--queries", "q.tsv"]
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 40 && exec "$@"', "sh", *command, "-o", OUT, "-j", "40"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_of_connections(server, tmp_path):
    server.found = {query.text: [{"id": "d"}] for query in MANY}
    systems_file(tmp_path, {"it": http(server, retries=0)})
    assert limited(tmp_path) == f"it: {TOLD}\n"
    assert len(read_run(tmp_path / OUT / "it.run").scores) == 40


def test_of_checks(server, tmp_path):
    check = [sys.executable, "-S", "-c", "import time; time.sleep(.05)"]
    server.says = lambda _prompt: "a"
    table = chat(server, arms={"plain": {}}, checks={"it": check}, extract="all", retries=9)
    systems_file(tmp_path, {"coder": table})
    assert f"coder: {TOLD}\n" in limited(tmp_path)
    checks = {one["task"]: one["checks"] for one in attempts(tmp_path)}
    assert sum(its["it"]["passed"] for its in checks.values()) == 40
    # An answer that is there is not asked for again since its check had to wait.
    assert len(prompts(server)) == 41
    assert not list((tmp_path / "tmp").iterdir())


def done(room: int, *, items: int = 9, at_once: int = 4) -> tuple[list[int], list[int]]:
    """What is done where there is room for so many, and how many there were at each."""
    came, beside, under_way = [], [], 0

    async def do(item: int) -> None:
        nonlocal under_way
        under_way += 1
        try:
            if under_way > room:
                raise LackError("no room")
            beside.append(under_way)
            await asyncio.sleep(0)
            came.append(item)
        finally:
            under_way -= 1

    lack = asyncio.run(each(range(items), do, at_once, waits=()))
    assert (lack is None) == (room >= at_once)
    return came, beside


@pytest.mark.parametrize("room", [1, 2, 3, 4])
def test_all_is_done_by_as_many_as_there_is_room_for(room):
    came, beside = done(room)
    assert sorted(came) == list(range(9))
    assert max(beside) == room


def test_where_there_is_no_room_for_one_it_waits_and_is_told():
    left = [3]

    async def do(_item: int) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise LackError("no room")

    asyncio.run(each([1], do, 5, waits=(0, 0, 0)))
    left[0] = 4
    with pytest.raises(LackError, match="no room"):
        asyncio.run(each([1], do, 5, waits=(0, 0, 0)))


def test_after_what_was_done_it_waits_as_long_again():
    left = {1: 2, 2: 2}

    async def do(item: int) -> None:
        left[item] -= 1
        if left[item] >= 0:
            raise LackError("no room")

    # Two waits are enough for either, and not for both.
    asyncio.run(each([1, 2], do, 1, waits=(0, 0)))
    assert left == {1: -1, 2: -1}


def test_what_is_no_lack_is_raised_as_it_is():
    for error in (OSError(errno.ENOENT, "none"), ValueError("x")):
        with pytest.raises(type(error)) as raised, telling_lack():
            raise error
        assert raised.value is error
    cause = ExceptionGroup("all", [ValueError(), OSError(errno.ENFILE, "full")])
    with pytest.raises(LackError), telling_lack():
        raise RuntimeError from cause
