"""A team on a PostgreSQL server: a key over a slow line, fifty judges at once, a server that
crashes."""

from __future__ import annotations

import contextlib
import heapq
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import TypeVar

from judge_tui.campaign import open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.grants import grant
from judge_tui.campaign.store.judges import known_judge
from judge_tui.place import Address, Place
from tests.benchmarks.big_campaign import JUDGE, Size, load_big, write_big
from tests.benchmarks.judge_screen import DOCUMENTS, build
from tests.benchmarks.stopwatch import KEYS, TOKEN, Goal, judging, pressed, quiet, report, wait
from tests.end_to_end.torture.team import team
from tests.postgres import Server, missing_server, running_server

DELAY = 0.010
"""Seconds that the line takes there and back."""

_AT_ONCE = 65_536

AnyPlace = TypeVar("AnyPlace", Path, Address)


def measure_team(work: Path) -> None:
    """Print both; nothing but a word where there is no server."""
    if why := missing_server():
        print(f"team: left out: {why}\n")
        return
    with running_server(durable=True) as server:
        _keys(work, server)
        _roles(work, server)
    _crowd(work)


def _keys(work: Path, server: Server) -> None:
    print("grade key to the next document painted, nothing more being drawn (ms)")
    name, shape = next(iter(DOCUMENTS.items()))
    path = work / "team.db"
    build(path, work, shape)
    _press(f"{name}, in a file", _copied(path, work / "alone.db"))
    _press(f"{name}, on a server", _copied(path, server.address("near")))
    address = _copied(path, server.address("far"))
    with slow_line(server.socket, DELAY) as port:
        _press(f"{name}, line of 10 ms", server.address(address.schema, port=port), Goal(60))
    print()


def _roles(work: Path, server: Server) -> None:
    folder = work / "roles"
    folder.mkdir()
    size = Size(500, 20_000, 0)
    load_big(folder / "campaign.db", write_big(folder, size))
    address = _copied(folder / "campaign.db", server.address("roles"))
    with open_campaign(address) as campaign:
        assign(campaign, [JUDGE, "other"], overlap=0)
        campaign.backend.execute("ANALYZE")  # as the server does by itself after a while
        campaign.backend.execute("CREATE ROLE judge LOGIN")
        grant(campaign, "judge", JUDGE)
    print(f"{size.pairs:,} pairs, assigned to two judges, on a server (ms in the middle of 20)")
    for who, user in (("who made the campaign", "postgres"), ("a judge's own role", "judge")):
        with open_campaign(server.address("roles", user)) as campaign:
            print(f"  {who}: {', '.join(_of_desk(Desk(campaign, known_judge(campaign, JUDGE))))}")
    print()


def _of_desk(desk: Desk) -> Iterator[str]:
    visit = next(one.visit for one in desk.queries() if one.decided < one.pairs)
    first, *pairs = desk.pairs(*visit)
    rest = iter(pairs)
    for what, work in (
        ("queries", desk.queries),
        ("pairs of a query", lambda: desk.pairs(*visit)),
        ("look", lambda: desk.look(first)),
        (
            "grade",
            lambda: append_event(
                desk.campaign, judge=desk.judge.key, pair=next(rest).key, action="grade", grade=1
            ),
        ),
    ):
        yield f"{what} {median(_milliseconds(work) for _ in range(20)):.1f}"


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _copied(path: Path, place: AnyPlace) -> AnyPlace:
    with open_campaign(path) as campaign:
        copy_campaign(campaign, place)
    return place


def _press(name: str, place: Place, goal: Goal | None = None) -> None:
    with judging(place, "bench") as terminal:
        wait(terminal, TOKEN)
        quiet(terminal)
        report(name, [pressed(terminal, "2") for _ in range(KEYS)], goal)


def _crowd(work: Path) -> None:
    folder = work / "crowd"
    folder.mkdir()
    load_big(folder / "campaign.db", write_big(folder, Size(10, 1_000, 0, 0)))
    for crashes in (0, 20):
        found = team(
            folder / "campaign.db", judges=50, crashes=crashes, down=0, seconds=60, seed=20
        )
        some = found.milliseconds
        middle, late = some[len(some) // 2], some[len(some) * 95 // 100]
        print(
            f"50 judges for 60 s, {crashes} crashes of the server: {found.accepted:,} judgments"
            f" accepted, all there and none twice; {found.refused:,} keys not saved and pressed"
            f" again; {middle:.0f} ms in the middle, p95 {late:.0f} ms"
        )
    print()


@contextlib.contextmanager
def slow_line(target: Path, delay: float) -> Iterator[int]:
    """A port of this machine that leads to a socket in the file system; what goes through it is
    late by half of `delay` seconds each way."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_accept, args=(listener, target, delay / 2), daemon=True).start()
        yield listener.getsockname()[1]


def _accept(listener: socket.socket, target: Path, delay: float) -> None:
    with contextlib.suppress(OSError):
        while True:
            near, _ = listener.accept()
            far = socket.socket(socket.AF_UNIX)
            far.connect(str(target))
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_carry, args=(near, far, delay), daemon=True).start()


def _carry(near: socket.socket, far: socket.socket, delay: float) -> None:
    """Both ways, each piece when its time has come."""
    under_way: list[tuple[float, int, socket.socket, bytes]] = []
    order = count()
    with near, far, selectors.DefaultSelector() as ready, contextlib.suppress(OSError):
        ready.register(near, selectors.EVENT_READ, far)
        ready.register(far, selectors.EVENT_READ, near)
        while True:
            left = under_way[0][0] - time.monotonic() if under_way else None
            for key, _ in ready.select(None if left is None else max(0.0, left)):
                source: socket.socket = key.fileobj  # type: ignore[assignment]
                data = source.recv(_AT_ONCE)
                if not data:
                    return
                heapq.heappush(under_way, (time.monotonic() + delay, next(order), key.data, data))
            while under_way and under_way[0][0] <= time.monotonic():
                _, _, goal, data = heapq.heappop(under_way)
                goal.sendall(data)
