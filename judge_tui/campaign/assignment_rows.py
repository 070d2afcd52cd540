"""The rows of a plan, written as a difference to what is there, in the least time alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import OnRows, roomy
from judge_tui.pooling.assignment import Hand, Plan, QueryPairs
from judge_tui.pooling.repeats import first_visit_position

__all__ = ["Difference"]

_AT_ONCE = 50_000
"""Rows that are written at a time."""


class Difference:
    """What makes the plan of what everybody has.

    `keys`: of judges by name, `hands`: what they have; both of everybody in the plan. `added` and
    `removed` count rows, a hidden repeat being one.
    """

    def __init__(
        self,
        queries: Sequence[QueryPairs],
        keys: Mapping[str, int],
        hands: Mapping[str, Hand],
        plan: Plan,
    ) -> None:
        self._added: list[tuple[int, int, int, int, str]] = []
        self._changed: list[tuple[int, str, int, int, int]] = []
        self._removed: list[tuple[int, int, int]] = []
        place_of = {pair: query.place for query in queries for pair in query.pairs}

        def first(pair: int, purpose: object) -> tuple[int, str]:
            return first_visit_position(place_of[pair]), str(purpose)

        def again(_pair: int, position: object) -> tuple[int, str]:
            return cast(int, position), "repeat"

        for name, key in keys.items():
            self._judge(key, 0, hands[name].given, plan.given[name], first)
            self._judge(key, 1, hands[name].repeats, plan.repeats[name], again)

    def _judge(
        self,
        key: int,
        turn: int,
        before: Mapping[int, object],
        after: Mapping[int, object],
        row: Callable[[int, object], tuple[int, str]],
    ) -> None:
        """`row`: position and purpose of a pair and what stands there for it."""
        self._removed += ((key, pair, turn) for pair in sorted(before.keys() - after.keys()))
        for pair in sorted(after):
            if pair not in before:
                self._added.append((key, pair, turn, *row(pair, after[pair])))
            elif before[pair] != after[pair]:
                self._changed.append((*row(pair, after[pair]), key, pair, turn))

    @property
    def added(self) -> int:
        return len(self._added)

    @property
    def removed(self) -> int:
        return len(self._removed)

    @contextmanager
    def staged(self, campaign: Campaign) -> Iterator[None]:
        """Inside the block `write` is possible; what it writes stands beside the file already."""
        self._campaign = campaign
        connection = campaign.connection
        with campaign.in_words():
            connection.execute("DROP TABLE IF EXISTS temp.planned")
            connection.execute(
                "CREATE TEMP TABLE planned (id INTEGER PRIMARY KEY, judge INTEGER, pair INTEGER,"
                " turn INTEGER, position INTEGER, purpose TEXT)"
            )
            try:
                # Of its own: the file itself is not locked by it.
                connection.execute("BEGIN")
                connection.executemany(
                    "INSERT INTO temp.planned (judge, pair, turn, position, purpose)"
                    " VALUES (?, ?, ?, ?, ?)",
                    self._added,
                )
                connection.execute("COMMIT")
                yield
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                connection.execute("DROP TABLE temp.planned")

    def write(self, on_rows: OnRows) -> None:
        """Make the difference, as part of a transaction; `on_rows` hears how much of it is made."""
        connection = self._campaign.connection
        judges = {row[0] for rows in (self._added, self._removed) for row in rows}
        judges.update(row[2] for row in self._changed)
        with roomy(connection):
            connection.executemany(
                "DELETE FROM assignments WHERE judge = ? AND pair = ? AND turn = ?", self._removed
            )
            connection.executemany(
                "UPDATE assignments SET position = ?, purpose = ?"
                " WHERE judge = ? AND pair = ? AND turn = ?",
                self._changed,
            )
            for at in range(0, len(self._added), _AT_ONCE):
                connection.execute(
                    "INSERT INTO assignments (judge, pair, turn, position, purpose)"
                    " SELECT judge, pair, turn, position, purpose FROM temp.planned"
                    " WHERE id > ? AND id <= ? ORDER BY id",
                    (at, at + _AT_ONCE),
                )
                on_rows(len(self._removed) + min(at + _AT_ONCE, len(self._added)))
