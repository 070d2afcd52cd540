"""Searches by a process of their own: what `re` finds, and an end for what finds none."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from judge_tui.collect.matching import Matching, matching
from judge_tui.collect.reply import AskError
from judge_tui.model import Query
from tests.collect.asking import asked, failure, http, script

ENDLESS = "(a+)+$"
SLOW = f"{'a' * 60}!"


def searched(search, seconds: float = 30):
    """What `search` finds, given the searches."""

    async def found():
        async with matching(seconds) as searches:
            return await search(searches)

    return asyncio.run(found())


TEXTS = ["", "see docs://a/1 (wiki://b)\nagain docs://a/1", "é\x00\u2028\n" * 3, "x" * 3_000_000]
PATTERNS = [
    re.compile(r"(docs|wiki)://(?P<id>[^\s)]+)"),
    re.compile(r"(?i)DOCS|(é)"),
    re.compile(r"^again", re.MULTILINE),
    re.compile(r"x{1000}"),
]


@pytest.mark.parametrize("text", TEXTS, ids=["nothing", "ids", "odd", "much"])
def test_what_is_found_is_what_re_finds(text):
    async def search(searches: Matching):
        return [
            [await searches.first(one, groups, text), await searches.all(one, groups, text)]
            for one in PATTERNS
            for groups in groups_in(one)
        ]

    assert searched(search) == [
        [found[0] if found else None, found]
        for one in PATTERNS
        for groups in groups_in(one)
        for found in [[of_match(match, groups) for match in one.finditer(text)]]
    ]


def groups_in(pattern: re.Pattern[str]) -> list[tuple[int, ...]]:
    """Each of the groups alone, none of them, and all of them, the last one first."""
    every = tuple(range(pattern.groups, 0, -1))
    return [*((one,) for one in range(pattern.groups + 1)), (), every]


def of_match(match: re.Match[str], groups: tuple[int, ...]) -> tuple[str, bool]:
    for group in groups:
        if match[group] is not None:
            return match[group], True
    return match[0], False


def test_one_that_has_no_end_is_ended_and_the_next_ones_go_on():
    async def search(searches: Matching):
        endless = asyncio.create_task(searches.all(re.compile(ENDLESS), (0,), SLOW))
        other = asyncio.create_task(searches.all(re.compile("a!"), (0,), SLOW))
        with pytest.raises(AskError) as raised:
            await endless
        return raised.value.line(str), await other

    said, found = searched(search, 0.5)
    assert said.startswith("pattern '(a+)+$' takes longer than 0.5 s on the answer")
    assert found == [("a!", True)]


def test_what_is_cancelled_leaves_nothing_at_work(monkeypatch):
    started = []
    usual = asyncio.create_subprocess_exec

    async def telling(*args, **more):
        started.append(await usual(*args, **more))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", telling)

    async def search(searches: Matching):
        endless = asyncio.create_task(searches.all(re.compile(ENDLESS), (0,), SLOW))
        await asyncio.sleep(0.05)
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless
        return await searches.all(re.compile("a!"), (0,), SLOW)

    assert searched(search) == [("a!", True)]
    assert [process.returncode is not None for process in started] == [True, True]


def test_one_that_somebody_else_ends_is_made_again_once():
    async def search(searches: Matching):
        os.kill((await searches.begin()).pid, signal.SIGKILL)
        found = await searches.all(re.compile("a!"), (0,), SLOW)
        endless = asyncio.create_task(searches.all(re.compile(ENDLESS), (0,), SLOW))
        ended = set()
        while len(ended) < 2:
            await asyncio.sleep(0)
            # Between the two there is none, and the second one is another.
            process = searches._process
            if process is not None and process.pid not in ended:
                ended.add(process.pid)
                os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(AskError) as raised:
            await endless
        return found, str(raised.value)

    assert searched(search) == ([("a!", True)], "the search for pattern '(a+)+$' broke off twice")


@pytest.fixture
def hasty(monkeypatch):
    """Searches that have less time than the systems have for an answer."""

    class Hasty(Matching):
        def __init__(self, seconds):
            super().__init__(min(seconds, 0.5))

    monkeypatch.setattr("judge_tui.collect.matching.Matching", Hasty)


def by_pattern(table, pattern: str, **more):
    """A system of which a pattern finds the ids."""
    return {name: value for name, value in table.items() if name not in ("results", "id")} | {
        "pattern": pattern,
        **more,
    }


@pytest.mark.usefixtures("hasty")
def test_a_query_at_which_a_pattern_has_no_end_has_failed(tmp_path: Path):
    code = "print('aaa' if sys.argv[1] == 'well' else 'a' * 60 + '!')"
    table = by_pattern(script(code), ENDLESS, timeout=30)
    reply = asked(tmp_path, table, "ill")
    assert reply.failure.startswith("pattern '(a+)+$' takes longer than 0.5 s on the answer")
    assert reply.tries == 1
    rows = (tmp_path / "out" / "it.latency.csv").read_text().splitlines()
    assert "takes longer than 0.5 s" in rows[2]


@pytest.mark.usefixtures("hasty")
def test_of_an_api_too(server, tmp_path: Path):
    server.found["well"] = [{"id": "aaa"}]
    server.found["ill"] = [{"id": SLOW}]
    table = by_pattern(http(server), r'"id": "((?:a+)+)"', timeout=30)
    assert "takes longer than 0.5 s" in asked(tmp_path, table, "ill").failure


@pytest.mark.usefixtures("hasty")
def test_a_system_whose_pattern_never_ends_is_refused_at_its_line(tmp_path: Path):
    table = by_pattern(script("print('a' * 60 + '!')"), ENDLESS, timeout=30)
    said = failure(tmp_path, table, queries=[Query("q", "what")])
    assert said.startswith("systems.toml:1: system it: does not answer query q: pattern '(a+)+$'")


@pytest.mark.usefixtures("hasty")
def test_so_is_one_by_what_it_should_say_of_itself(tmp_path: Path):
    table = script("print('[]')", timeout=30)
    table["identify"] = {"argv": ["echo", SLOW], "expect": ENDLESS}
    said = failure(tmp_path, table)
    assert said.startswith("systems.toml:1: system it: pattern '(a+)+$' takes longer than 0.5 s")
