"""How often a system is asked, and after which waits. Instants are the loop's own, which is run by
hand: nothing waits."""

from __future__ import annotations

import asyncio
import contextlib
import math
import selectors
from email.utils import formatdate
from functools import partial
from itertools import pairwise

import httpx
import pytest

from judge_tui.collect.over_http import send
from judge_tui.collect.pace import GaveUpError, Pace, Patience
from judge_tui.collect.reply import AskError
from judge_tui.model import Query
from tests.collect.asking import asked, failure, http, one

LESS = "to ask it less: rate in the systems file, or a smaller -j"
FULL = f"full (nobody was let in for 120 s; {LESS}; to wait longer: longest_wait)"


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


SENT_AWAY = AskError("full", again=True, too_many=True)


def test_who_is_sent_away_is_asked_again_as_long_as_the_system_may_be_left_alone():
    called, outcomes = timed(Patience(retries=1, longest_wait=10), *[SENT_AWAY] * 5, "a", "b")
    assert called == [0, 0.5, 1.5, 3.5, 7.5, 10, 10]
    assert outcomes == ["a", "b"]


def test_once_it_has_let_nobody_in_for_so_long_a_query_has_its_retries_and_no_more():
    patience = Patience(retries=1, longest_wait=3)
    called, outcomes = timed(patience, *[SENT_AWAY] * 7, "c", *[SENT_AWAY] * 2, "d")
    # The first query until 3 s are over, and once more; the next one twice; from an answer on it
    # may be full for as long again.
    assert called == [0, 0.5, 1.5, 3, 3.5, 4.5, 5, 6, 6, 6.5, 7.5]
    told = FULL.replace("120", "3")
    assert outcomes == [f"{told} after 5", f"{told} after 2", "c", "d"]


def test_who_was_asked_before_the_rest_lets_nobody_in_beside_the_first_after_it():
    """Two of four are sent away, two are answered later: after the wait one is asked alone."""
    loop = _Clock()
    pace = Pace(Patience())
    under_way, beside = 0, []

    async def once(answered):
        nonlocal under_way
        under_way += 1
        beside.append((loop.time(), under_way))
        try:
            first = loop.time() == 0
            await asyncio.sleep(1)
            if first and not answered:
                raise AskError("full", again=True, wait=10)
            await asyncio.sleep(1)
        finally:
            under_way -= 1

    async def together():
        turns = (partial(once, answered) for answered in (False, False, True, True))
        await asyncio.gather(*map(pace.trying, turns))

    loop.run_until_complete(together())
    loop.close()
    assert [one for one in beside if one[0]] == [(11, 1), (13, 1)]


@pytest.mark.parametrize("took", [(2, 1), (1, 1), (1, 2)])
def test_who_is_sent_away_among_others_has_not_used_up_a_try(took):
    """Two at once are sent away, whichever first, then each alone: one try more is left to both."""
    loop = _Clock()
    pace = Pace(Patience(retries=1))
    tries = [0, 0]

    async def once(which):
        tries[which] += 1
        await asyncio.sleep(took[which])
        if tries[which] < 3:
            raise AskError("HTTP 503", again=True, wait=5)
        return tries[which]

    async def together():
        return await asyncio.gather(*(pace.trying(partial(once, which)) for which in (0, 1)))

    try:
        tried = loop.run_until_complete(together())
    finally:
        loop.close()
    assert [(one.value, one.tries) for one in tried] == [(3, 3), (3, 3)]


def test_who_is_sent_away_alone_has_used_up_a_try():
    busy = AskError("HTTP 503", again=True, wait=5)
    assert timed(Patience(retries=1), busy, busy, "next") == (
        [0, 5, 10],
        ["HTTP 503 after 2", "next"],
    )


def test_without_retries_it_is_asked_once_and_the_mend_is_retries():
    told = f"full ({LESS}; to wait until it lets one in: retries) after 1"
    assert timed(Patience(retries=0), SENT_AWAY, "next") == ([0, 0.5], [told, "next"])


def test_a_rest_that_it_asks_for_is_not_cut_short():
    rest = AskError("full", again=True, wait=8, too_many=True)
    assert timed(Patience(longest_wait=10), rest, rest, rest, "a")[0] == [0, 8, 16, 24]


def rests(patience: Patience, *turns, at_once=1):
    """What is told of rests while each of `turns`, then whatever is asked again, takes half a
    second, `at_once` at a time: when, for how long and why."""
    loop = _Clock()
    told = []
    left = list(turns)

    def rested(rest):
        told.append((round(loop.time(), 3), rest and round(rest.seconds, 3), rest and rest.why))

    async def once():
        turn = left.pop(0) if left else "answer"
        await asyncio.sleep(0.5)
        if isinstance(turn, Exception):
            raise turn

    async def job(pace):
        while left:
            with contextlib.suppress(GaveUpError):
                await pace.trying(once)

    async def together():
        pace = Pace(patience, rested)
        await asyncio.gather(*(job(pace) for _ in range(at_once)))

    loop.run_until_complete(together())
    loop.close()
    return told


def test_a_rest_is_told_as_it_begins_and_ends():
    rest = AskError("full", again=True, wait=30, too_many=True)
    again = AskError("down for a while", again=True, wait=7)
    assert rests(Patience(), "a", rest, again, "b", "c") == [
        (1, 30, "full"),
        (31, None, None),
        (31.5, 7, "down for a while"),
        (38.5, None, None),
    ]


def test_a_rest_of_many_is_told_once_and_again_where_it_lasts_longer():
    rest = AskError("full", again=True, wait=30, too_many=True)
    assert rests(Patience(), *[rest] * 4, *"abcd", at_once=4) == [
        (0.5, 30, "full"),
        (30.5, None, None),
    ]
    longer = AskError("full", again=True, wait=40, too_many=True)
    assert rests(Patience(), rest, longer, *"abcd", at_once=2) == [
        (0.5, 30, "full"),
        (0.5, 40, "full"),
        (40.5, None, None),
    ]


def test_no_rest_is_told_where_nobody_waits_for_one():
    rest = AskError("full", again=True, wait=30, too_many=True)
    assert rests(Patience(retries=0), "a", rest) == []
    assert rests(Patience(rate=0.1), "a", BUSY, "b") == []
    assert rests(Patience(longest_wait=10), rest, "a") == []


class _Limiter:
    """A system that answers so many in any `window` of seconds, each `after` so many; it says how
    long to wait, unless it `says` nothing."""

    def __init__(self, most, window, *, after=0.25, says=True):
        self.most, self.window, self.after, self.says = most, window, after, says
        self.let_in, self.sent_away = [], 0
        self.at_work = self.most_at_work = 0

    async def once(self):
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        try:
            return await self._answer()
        finally:
            self.at_work -= 1

    async def _answer(self):
        now = asyncio.get_running_loop().time()
        self.let_in = [at for at in self.let_in if now - at < self.window]
        full = len(self.let_in) >= self.most
        # Told in full milliseconds, as it has to be in full seconds by HTTP.
        wait = round(self.window - (now - self.let_in[0]) + 0.001, 3) if self.let_in else 0
        if not full:
            self.let_in.append(now)
        await asyncio.sleep(self.after)
        if full:
            self.sent_away += 1
            raise AskError("full", again=True, wait=wait if self.says else None, too_many=True)
        return "answer"


def through(limiter, queries, at_once, patience=None):
    """What comes of so many queries, how often each was asked, and how long all of it took."""
    loop = _Clock()
    outcomes = []

    async def job(left):
        for _ in left:
            try:
                outcomes.append((await pace.trying(limiter.once)).tries)
            except GaveUpError as error:
                outcomes.append(error.what)

    async def together():
        left = iter(range(queries))
        await asyncio.gather(*(job(left) for _ in range(at_once)))

    pace = Pace(patience or Patience())
    loop.run_until_complete(together())
    took = loop.time()
    loop.close()
    return outcomes, took


@pytest.mark.parametrize("at_once", [1, 8, 16, 64])
@pytest.mark.parametrize(
    ("most", "window", "says"),
    [(5, 2, True), (1, 1, True), (20, 60, True), (5, 1, False), (1, 1, False), (20, 1.5, False)],
)
def test_no_query_fails_at_a_limiter_that_lets_so_many_in(at_once, says, most, window):
    limiter = _Limiter(most, window, says=says)
    outcomes, took = through(limiter, 80, at_once)
    assert [one for one in outcomes if not isinstance(one, int)] == []
    assert len(outcomes) == 80
    # It is not asked in vain more often than those who were under way together, and once or twice
    # a window then.
    assert limiter.sent_away <= at_once + 3 * took / window


@pytest.mark.parametrize("at_once", [1, 8, 64])
@pytest.mark.parametrize(("most", "window"), [(4, 3), (1, 20), (20, 60), (3, 100)])
def test_no_query_fails_at_a_limiter_of_a_long_window_that_says_nothing(at_once, most, window):
    limiter = _Limiter(most, window, says=False)
    outcomes, took = through(limiter, 80, at_once, Patience(retries=1))
    assert [one for one in outcomes if not isinstance(one, int)] == []
    assert len(outcomes) == 80
    # The waits of a window grow twofold, from half a second to no longer than two of it.
    doublings = math.log2(window / 0.5) + 2
    assert limiter.sent_away <= at_once + doublings * took / window


def test_who_was_sent_away_goes_first_and_one_at_a_time():
    loop = _Clock()
    called = []

    async def once(name):
        called.append((name, round(loop.time(), 2)))
        await asyncio.sleep(0.1)
        if len(called) <= 3:
            raise AskError("full", again=True, wait=10, too_many=True)

    async def together():
        pace = Pace(Patience(retries=1))
        first = [asyncio.create_task(pace.trying(lambda name=name: once(name))) for name in "abc"]
        await asyncio.sleep(5)
        then = [asyncio.create_task(pace.trying(lambda name=name: once(name))) for name in "xyz"]
        await asyncio.gather(*first, *then)

    loop.run_until_complete(together())
    loop.close()
    # By one, then two: what was sent away first is asked first, and the others in their order.
    assert [name for name, _ in called] == list("abcabcxyz")
    assert [at for _, at in called] == [0, 0, 0, 10.1, 10.2, 10.2, 10.3, 10.3, 10.4]


def test_a_system_that_never_lets_anybody_in_is_given_up():
    outcomes, took = through(_Limiter(0, 1, says=False), 10, 4)
    assert outcomes == [FULL] * 10
    # The longest wait once; then for each query two retries, three answers and the rests behind.
    assert took < 121 + 10 * (0.5 + 1 + 2 + 3 * 0.25)


def test_it_is_asked_by_more_and_more_after_a_rest():
    limiter = _Limiter(100, 3600, says=False)
    through(limiter, 100, 16)
    outcomes, _ = through(limiter, 1, 1)
    assert outcomes == [FULL]
    limiter.let_in, limiter.most, limiter.most_at_work = limiter.let_in[:99], 10_000, 0
    pace_of_all, _ = through(limiter, 200, 16)
    assert limiter.most_at_work == 16
    assert len(pace_of_all) == 200


def asked_for(server, header):
    """How long a server of that Retry-After asks to be left alone."""
    # As bytes of UTF-8, which http.server takes for Latin-1.
    headers = {} if header is None else {"Retry-After": header.encode().decode("latin-1")}
    server.replies["/busy"] = (429, headers, b"")

    async def sent():
        async with httpx.AsyncClient() as client:
            await send(client, 5, "GET", f"{server.url}/busy")

    with pytest.raises(AskError) as raised:
        asyncio.run(sent())
    return raised.value.wait


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("-5", None),
        ("1.5", 1.5),
        (" 0.01", 0.01),
        ("-1.5", None),
        ("1e3", None),
        (".", None),
        ("1.", None),
        ("inf", None),
        ("nan", None),
        ("1.5.5", None),
        ("soon", None),
        ("٣", None),
        ("9" * 400, 999_999_999_999.0),
        ("9" * 400 + ".5", 999_999_999_999.0),
        ("Mon, 01 Jan 1990 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after(server, header, seconds):
    assert asked_for(server, header) == seconds


def test_retry_after_a_date_before_all_dates(server):
    assert asked_for(server, "Mon, 01 Jan 0001 00:00:00 +2300") in (None, 0.0)


def test_retry_after_a_date(server):
    found = asked_for(server, formatdate(4_102_444_800, usegmt=True))  # the year 2100
    assert found is not None
    assert found > 1e9


def test_a_real_server_is_left_alone_as_it_says(server, tmp_path):
    server.retry_after = "1"
    table = http(server, "/once/429/1/search?q={query}", longest_wait=2)
    found = one(tmp_path, table, queries=[Query("q", "sort a list")])
    assert len(found.replies[0].hits) == 1
    first, second = (at for *_, at in server.asked[:2])
    assert second - first >= 1


def test_the_query_that_a_system_is_tried_with_counts_in_its_rate(server, tmp_path):
    one(tmp_path, http(server, rate=2), queries=[Query("q", "sort a list")])
    tried, asked_then = (at for *_, at in server.asked)
    assert asked_then - tried > 0.3


def test_at_a_real_server_that_counts_no_query_fails(server, tmp_path):
    queries = [Query(f"q{number}", "sort a list") for number in range(24)]
    table = http(server, "/window/4/1/search?q={query}", longest_wait=2)
    found = one(tmp_path, table, queries=queries, at_once=16)
    assert not found.failed
    assert [len(reply.hits) for reply in found.replies] == [1] * 24


def test_at_a_real_server_that_counts_and_says_nothing_no_query_fails(server, tmp_path):
    server.tells_when = False
    queries = [Query(f"q{number}", "sort a list") for number in range(6)]
    table = http(server, "/window/4/1/search?q={query}", longest_wait=30, retries=1)
    found = one(tmp_path, table, queries=queries, at_once=1)
    assert not found.failed
    assert [len(reply.hits) for reply in found.replies] == [1] * 6


def test_a_real_server_that_lets_nobody_in_is_given_up(server, tmp_path):
    table = http(server, "/429/search?q={query}", longest_wait=0.7, retries=1)
    told = failure(tmp_path, table, queries=[Query("q", "sort a list")])
    assert (
        "does not answer query q: HTTP 429 Too Many Requests (nobody was let in for 0.7 s;"
        f" {LESS}; to wait longer: longest_wait)"
    ) in told


def test_a_real_server_that_wants_too_much_is_no_reason_to_wait(server, tmp_path):
    server.retry_after = "7200"
    server.replies["/well"] = (200, {}, b'{"results": []}')
    table = http(server, "/{query}")
    reply = asked(tmp_path, {**table, "url": f"{server.url}/{{query}}"}, "429")
    assert reply.failure == (
        "HTTP 429 Too Many Requests (it asks to be left alone for 7,200 s):"
        ' {"error": "this one is not to be had"}'
    )
    assert (reply.tries, reply.hits) == (1, ())
