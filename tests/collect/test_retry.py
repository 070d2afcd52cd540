"""How often a system is asked, and after which waits. Instants are the loop's own, which is run by
hand: nothing waits."""

from __future__ import annotations

import asyncio
import selectors
import time

import pytest

from judge_tui.collect.command_system import CommandSearch
from judge_tui.collect.retry import Throttle, do_each
from judge_tui.collect.search_system import Hit, SearchError
from judge_tui.collect.settings import Limits
from judge_tui.model import Query
from tests.collect.asking import one, program


class _NoWaiting(selectors.SelectSelector):
    """Says at once that the time is up, and how much of it was waited for."""

    waited = 0.0

    def select(self, timeout=None):
        self.waited += timeout or 0.0
        return super().select(0)


class _Clock(asyncio.SelectorEventLoop):
    def __init__(self):
        self.selector = _NoWaiting()
        super().__init__(self.selector)

    def time(self):
        return self.selector.waited


def timed(limits: Limits, *turns, count, jobs=1):
    """When each of `turns` was called by `count` queries: an error is raised, what else there is
    returned."""
    loop = _Clock()
    called = []
    left = list(turns)

    async def fetch():
        called.append(round(loop.time(), 3))
        turn = left.pop(0)
        if isinstance(turn, Exception):
            raise turn
        return turn

    outcomes = []
    throttle = Throttle(limits)

    async def ask(_n):
        answer = await throttle.call(fetch)
        outcome = answer.outcome
        failed = isinstance(outcome, SearchError)
        outcomes.append(f"{outcome.what} after {answer.tries}" if failed else outcome)

    try:
        loop.run_until_complete(do_each(range(count), ask, jobs))
    finally:
        loop.close()
    return called, outcomes


BUSY = SearchError("busy", transient=True)


def rest(seconds: float) -> SearchError:
    return SearchError("HTTP 429", transient=True, retry_after=seconds)


@pytest.mark.parametrize(
    ("limits", "turns", "called", "outcomes"),
    [
        # Waits grow, no longer than is wanted.
        (Limits(retries=4), [BUSY] * 4 + ["a", "b"], [0, 0.5, 1.5, 3.5, 7.5, 7.5], ["a", "b"]),
        (Limits(retries=3, max_wait=0.7), [BUSY] * 3 + ["a"], [0, 0.5, 1.2, 1.9], ["a"]),
        # After so many tries it is given up.
        (Limits(retries=2), [BUSY] * 3 + ["a"], [0, 0.5, 1.5, 1.5], ["busy after 3", "a"]),
        (Limits(retries=0), [BUSY, "a"], [0, 0], ["busy after 1", "a"]),
        # What does not pass is not tried again.
        (Limits(), [SearchError("no index"), "a"], [0, 0], ["no index after 1", "a"]),
        # A pause that is asked for uses up no try, and is as long as it says.
        (Limits(retries=1), [rest(60), rest(50), "a"], [0, 60, 110], ["a"]),
        (Limits(retries=1), [rest(0), BUSY, "a"], [0, 0.5, 1.0], ["a"]),
        # Together they may be no longer than max_wait.
        (
            Limits(max_wait=100),
            [rest(60), rest(60), "a"],
            [0, 60, 60],
            ["HTTP 429 (it asks to be left alone for 60 s) after 2", "a"],
        ),
        (
            Limits(retries=0),
            [rest(1), "a"],
            [0, 0],
            ["HTTP 429 (it asks to be left alone for 1 s) after 1", "a"],
        ),
        # A rate is a least gap, retries counted.
        (Limits(rate=2), ["a", "b", BUSY, "c"], [0, 0.5, 1.0, 1.5], ["a", "b", "c"]),
        (Limits(rate=0.5), [BUSY, "a", "b"], [0, 2, 4], ["a", "b"]),
    ],
)
def test_when_it_is_asked(limits, turns, called, outcomes):
    assert timed(limits, *turns, count=len(outcomes)) == (called, outcomes)


def test_what_one_is_told_to_wait_all_wait():
    called, outcomes = timed(Limits(), rest(30), "a", "b", "c", count=3, jobs=2)
    assert called == [0, 30, 30, 30]
    assert sorted(outcomes) == ["a", "b", "c"]


def test_a_gap_is_between_all_who_ask():
    assert timed(Limits(rate=4), *"abcdef", count=6, jobs=3)[0] == [0, 0.25, 0.5, 0.75, 1.0, 1.25]


def test_the_first_error_ends_all_of_it():
    done = []

    async def do(n):
        await asyncio.sleep(0)
        if n == 2:
            raise ValueError("two")
        done.append(n)

    with pytest.raises(ValueError, match="two"):
        asyncio.run(do_each(range(9), do, 2))
    assert done[:2] == [0, 1]
    assert len(done) < 5


@pytest.mark.parametrize("fails", [False, True])
def test_to_read_results_out_of_an_answer_takes_the_system_no_time(tmp_path, monkeypatch, fails):
    async def answer(*_query):
        return ""

    def read_slowly(*_reply):
        time.sleep(0.2)
        if fails and list(tmp_path.glob("out/*.jsonl")):
            raise SearchError("no results in it", "x")
        return [Hit("a")]

    monkeypatch.setattr(CommandSearch, "fetch", answer)
    monkeypatch.setattr(CommandSearch, "find_hits", read_slowly)
    (reply,) = one(tmp_path, program("true", "{query}"), queries=[Query("q", "what")]).replies
    assert reply.failure == ("no results in it: x" if fails else "")
    assert len(reply.hits) == (not fails)
    assert reply.seconds < 0.2
