"""How often a system is asked, and after which waits. Instants are the loop's own, which is run by
hand: nothing waits."""

from __future__ import annotations

import asyncio
import selectors
from email.utils import formatdate
from itertools import pairwise

import pytest

from judge_tui.collect.answer import AskError
from judge_tui.collect.over_http import _seconds_to_wait
from judge_tui.collect.pace import GaveUpError, Pace, Patience
from judge_tui.model import Query
from tests.collect.asking import asked, http, one


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


def timed(patience: Patience, *turns):
    """When each of `turns` was called: an error is raised, what else there is returned."""
    loop = _Clock()
    called = []
    left = list(turns)

    async def once():
        called.append(round(loop.time(), 3))
        turn = left.pop(0)
        if isinstance(turn, Exception):
            raise turn
        return turn

    async def all_of_them():
        pace = Pace(patience)
        outcomes = []
        while left:
            try:
                outcomes.append((await pace.trying(once)).value)
            except GaveUpError as error:
                outcomes.append(f"{error.what} after {error.tries}")
        return outcomes

    try:
        return called, loop.run_until_complete(all_of_them())
    finally:
        loop.close()


BUSY = AskError("busy", again=True)


def test_waits_grow():
    called, outcomes = timed(Patience(retries=4), BUSY, BUSY, BUSY, BUSY, "a", "b")
    assert called == [0, 0.5, 1.5, 3.5, 7.5, 7.5]
    assert outcomes == ["a", "b"]


def test_waits_grow_no_longer_than_is_wanted():
    called, _ = timed(Patience(retries=3, longest_wait=0.7), BUSY, BUSY, BUSY, "a")
    assert called == [0, 0.5, 1.2, 1.9]


def test_after_so_many_tries_it_is_given_up():
    assert timed(Patience(retries=2), BUSY, BUSY, BUSY, "next") == (
        [0, 0.5, 1.5, 1.5],
        ["busy after 3", "next"],
    )
    assert timed(Patience(retries=0), BUSY, "next")[1] == ["busy after 1", "next"]


def test_what_does_not_pass_is_not_tried_again():
    assert timed(Patience(), AskError("no such index"), "next") == (
        [0, 0],
        ["no such index after 1", "next"],
    )


def test_a_system_is_left_alone_as_long_as_it_asks_for():
    asked_for = AskError("busy", again=True, wait=60)
    assert timed(Patience(), asked_for, "a", "b")[0] == [0, 60, 60]


def test_waits_grow_also_where_it_asks_for_none_as_by_a_date_that_is_over():
    now = AskError("HTTP 429", again=True, wait=0)
    assert timed(Patience(retries=3), now, now, now, "a")[0] == [0, 0.5, 1.5, 3.5]


def test_longer_than_is_wanted_fails_at_once_and_says_so():
    asked_for = AskError("HTTP 429", again=True, wait=3600)
    assert timed(Patience(), asked_for, "next") == (
        [0, 0],
        ["HTTP 429 (it asks to be left alone for 3,600 s) after 1", "next"],
    )


def test_no_more_than_so_many_a_second_tries_again_among_them():
    called, _ = timed(Patience(rate=4), "a", "b", "c", BUSY, "d", "e")
    assert called == [0, 0.25, 0.5, 0.75, 1.25, 1.5]


def test_what_one_is_told_to_wait_all_wait_and_the_rate_holds_for_all():
    loop = _Clock()
    called = []

    async def once():
        called.append(round(loop.time(), 3))
        if len(called) == 2:
            raise AskError("busy", again=True, wait=5)

    async def together():
        pace = Pace(Patience(rate=10))
        await asyncio.gather(*(pace.trying(once) for _ in range(4)))

    loop.run_until_complete(together())
    loop.close()
    assert called[:2] == [0, 0.1]
    assert called[2] >= 5
    gaps = [after - before for before, after in pairwise(called[2:])]
    assert len(called) == 5
    assert all(gap == pytest.approx(0.1) for gap in gaps)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("٣", None),
        ("9" * 400, 999_999_999_999.0),
        ("Mon, 01 Jan 1990 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after(header, seconds):
    assert _seconds_to_wait(header) == seconds


def test_retry_after_a_date_before_all_dates():
    assert _seconds_to_wait("Mon, 01 Jan 0001 00:00:00 +2300") in (None, 0.0)


def test_retry_after_a_date():
    found = _seconds_to_wait(formatdate(4_102_444_800, usegmt=True))  # the year 2100
    assert found is not None
    assert found > 1e9


def test_a_real_server_is_left_alone_as_it_says(server, tmp_path):
    server.retry_after = "1"
    table = http(server, "/once/429/1/search?q={query}", longest_wait=2)
    found = one(tmp_path, table, queries=[Query("q", "sort a list")])
    assert len(found.answers[0].hits) == 1
    first, second = (at for *_, at in server.asked[:2])
    assert second - first >= 1


def test_a_real_server_that_wants_too_much_is_no_reason_to_wait(server, tmp_path):
    server.retry_after = "7200"
    server.replies["/well"] = (200, {}, b'{"results": []}')
    table = http(server, "/{query}")
    answer = asked(tmp_path, {**table, "url": f"{server.url}/{{query}}"}, "429")
    assert answer.failure == (
        "HTTP 429 Too Many Requests (it asks to be left alone for 7,200 s):"
        ' {"error": "this one is not to be had"}'
    )
    assert (answer.tries, answer.hits) == (1, ())
