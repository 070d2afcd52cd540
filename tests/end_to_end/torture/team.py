"""Many judges on one PostgreSQL server, which crashes and comes back again and again."""

from __future__ import annotations

import multiprocessing
import random
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import CampaignError
from judge_tui.place import Address
from tests.campaigns import record
from tests.postgres import running_server

_PAUSE = 0.1
"""Seconds between two keys of a judge."""


@dataclass
class Team:
    """How many judgments were accepted, how many tries were refused in words, and the milliseconds
    that each accepted one took, ascending."""

    accepted: int = 0
    refused: int = 0
    milliseconds: list[float] = field(default_factory=list)


def team(path: Path, *, judges: int, restarts: int, seconds: float, seed: int) -> Team:
    """Let them judge for so long, each a process, while the server crashes so many times.

    Raises `AssertionError` where an accepted judgment is not there, is there twice, or one is there
    that nobody was told of.
    """
    with running_server(durable=True) as server:
        address = server.address("crowd")
        with open_campaign(path) as campaign:
            for number in range(judges):
                add_judge(campaign, f"judge {number}")
            copy_campaign(campaign, address)
        context = multiprocessing.get_context("fork")
        workers, end = [], time.monotonic() + seconds
        for number in range(judges):
            mine, theirs = context.Pipe(duplex=False)
            worker = context.Process(target=_judge, args=(address, number, end, theirs))
            worker.start()
            theirs.close()
            workers.append((worker, mine))
        rng = random.Random(seed)
        for _ in range(restarts):
            time.sleep(rng.uniform(0.5, 1.5) * seconds / (restarts + 1))
            server.stop("immediate")
            server.start()
        found, accepted = Team(), set()
        for worker, mine in workers:
            its, refused, milliseconds = mine.recv()
            worker.join()
            accepted |= its
            found.refused += refused
            found.milliseconds += milliseconds
        with open_campaign(address) as campaign:
            stored = campaign.rows("SELECT id, judge, pair, grade FROM events")
    assert len(stored) == len({row[0] for row in stored})
    assert accepted == {row[0] for row in stored}, "not what judges were told"
    slots = [row[1:3] for row in stored]
    assert len(slots) == len(set(slots)), "a judgment is there twice"
    found.accepted = len(accepted)
    found.milliseconds.sort()
    return found


def _judge(address: Address, number: int, end: float, out: Connection) -> None:
    """One judge, who gives a key again that was not saved."""
    accepted, refused, milliseconds = set(), 0, []
    with open_campaign(address) as campaign:
        desk = Desk(campaign, add_judge(campaign, f"judge {number}"))
        pairs = [pair for query in desk.queries() for pair in desk.pairs(query.key)]
        rest = iter(pairs)
        pair = next(rest)
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                event = record(desk, "grade", pair, grade=(pair.key + number) % 4)
            except CampaignError:
                refused += 1
            else:
                accepted.add(event.id)
                milliseconds.append((time.monotonic() - begun) * 1000)
                pair = next(rest)
            time.sleep(_PAUSE)
    out.send((accepted, refused, milliseconds))
