"""What is the system's time, and that it is kept: an answer is whole within it, or has failed."""

from __future__ import annotations

import asyncio
import time

import pytest

from judge_tui.collect.asking import ask
from judge_tui.collect.limit import within
from judge_tui.collect.pace import Pace, Patience
from judge_tui.collect.reply import AskError, Hit
from judge_tui.collect.secrets import Secrets
from judge_tui.model import Query


def test_what_is_done_in_time_is_done():
    async def work() -> str:
        async with within(30):
            await asyncio.sleep(0)
            return "done"

    assert asyncio.run(work()) == "done"


def test_what_is_done_too_late_is_not_in_time_though_nobody_could_end_it():
    async def late() -> None:
        async with within(0.01):
            time.sleep(0.02)  # this process is at work on something else

    with pytest.raises(TimeoutError):
        asyncio.run(late())


@pytest.mark.parametrize("fails", [False, True])
def test_to_read_results_out_of_an_answer_takes_the_system_no_time(fails):
    class Large:
        async def ask(self, _query, _k):
            async def read() -> list[Hit]:
                await asyncio.sleep(0.2)
                if fails:
                    raise AskError("no results in it", "x")
                return [Hit("a")]

            return read

    query, pace = Query("q", "what"), Pace(Patience())
    reply = asyncio.run(ask(Large(), pace, query, 5, Secrets({})))
    assert reply.failure == ("no results in it: x" if fails else "")
    assert len(reply.hits) == (not fails)
    assert reply.seconds < 0.1
