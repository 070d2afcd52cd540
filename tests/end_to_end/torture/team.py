"""Many judges on one PostgreSQL server, each by a role of their own, while it crashes and comes
back again and again."""

from __future__ import annotations

import multiprocessing
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.campaign.store.desk import Desk, DeskPair
from judge_tui.campaign.store.grants import grant
from judge_tui.campaign.store.judges import add_judge, known_judge
from judge_tui.errors import CampaignError
from judge_tui.place import Address
from tests.campaigns import record
from tests.postgres import Server, running_server

_PAUSE = 0.1
"""Seconds between two keys of a judge."""

_WAITS = 1_000
"""Milliseconds that a key waits, as in the app."""

_CAMPAIGN = "crowd"


@dataclass
class Team:
    """How many judgments were accepted, how many keys were refused in words, and the milliseconds
    that each of the others took, ascending."""

    accepted: int = 0
    refused: int = 0
    milliseconds: list[float] = field(default_factory=list)


def team(path: Path, *, judges: int, crashes: int, down: float, seconds: float, seed: int) -> Team:
    """Let them judge for so long, each a process, while the server crashes so many times and stays
    away for `down` seconds.

    Raises `AssertionError` where an accepted judgment is not there, is there twice, or one is there
    that nobody was told of.
    """
    with running_server(durable=True) as server:
        addresses = _granted(path, server, judges)
        context = multiprocessing.get_context("fork")
        workers, end = [], time.monotonic() + seconds
        for number, address in enumerate(addresses):
            mine, theirs = context.Pipe(duplex=False)
            worker = context.Process(target=_judge, args=(address, number, end, theirs))
            worker.start()
            theirs.close()
            workers.append((worker, mine))
        for _, mine in workers:
            mine.recv()  # that it sits at its desk
        rng = random.Random(seed)
        for left in range(crashes, 0, -1):
            at = end - (left + rng.uniform(-0.5, 0.5)) * seconds / (crashes + 1)
            time.sleep(max(0, at - time.monotonic()))
            server.stop("immediate")
            time.sleep(down)
            server.start()
        found, accepted = Team(), []
        for worker, mine in workers:
            its, refused, milliseconds = mine.recv()
            worker.join()
            accepted += its
            found.refused += refused
            found.milliseconds += milliseconds
        with open_campaign(server.address(_CAMPAIGN)) as campaign:
            stored = campaign.rows("SELECT judge, pair, grade FROM events ORDER BY judge, pair")
    assert len(stored) == len({row[:2] for row in stored}), "a judgment is there twice"
    assert sorted(accepted) == stored, "not what judges were told"
    found.accepted = len(accepted)
    found.milliseconds.sort()
    return found


def _granted(path: Path, server: Server, judges: int) -> list[Address]:
    """The campaign copied to the server; for each judge its address there by the judge's role."""
    with open_campaign(path) as campaign:
        for number in range(judges):
            add_judge(campaign, f"judge {number}")
        copy_campaign(campaign, server.address(_CAMPAIGN))
    with open_campaign(server.address(_CAMPAIGN)) as campaign:
        for number in range(judges):
            campaign.backend.execute(f"CREATE ROLE judge_{number} LOGIN")
            grant(campaign, f"judge_{number}", f"judge {number}")
    return [server.address(_CAMPAIGN, f"judge_{number}") for number in range(judges)]


def _judge(address: Address, number: int, end: float, out: Connection) -> None:
    """One judge, who looks at what was not saved, and gives the key again where it is not there."""
    accepted, refused, milliseconds = [], 0, []
    with open_campaign(address) as campaign:
        campaign.wait_at_most(_WAITS)
        desk = Desk(campaign, known_judge(campaign, f"judge {number}"))
        pairs = [pair for query in desk.queries() for pair in desk.pairs(query.key)]
        out.send(None)
        for pair in pairs:
            if time.monotonic() > end:
                break
            grade, is_saved = (pair.key + number) % 4, False
            while not is_saved:
                begun = time.monotonic()
                try:
                    record(desk, "grade", pair, grade=grade)
                except CampaignError:
                    refused += 1
                    is_saved = _is_there(desk, pair)
                else:
                    is_saved = True
                    milliseconds.append((time.monotonic() - begun) * 1000)
                time.sleep(_PAUSE)
            accepted.append((desk.judge.key, pair.key, grade))
    out.send((accepted, refused, milliseconds))


def _is_there(desk: Desk, pair: DeskPair) -> bool:
    with suppress(CampaignError):
        return desk.state(pair).decision is not None
    return False
