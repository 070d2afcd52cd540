"""What a lead settled in a session, in memory: where the file is written over, it is all there is.

Grades alone would be the judges' again: a settling has an author, a reason and a history. So it is
kept as a small copy of the campaign, which merging takes for what it is.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge_tui.campaign.events import OF_SETTLING
from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.incoming import EVENT_FIELDS, QUERY_FIELDS
from judge_tui.campaign.judges import Judge
from judge_tui.campaign.typed import typed
from judge_tui.campaign.witness import free_name, typed_path
from judge_tui.errors import CampaignError

__all__ = ["KeptSettlings", "kept_settlings"]

_QUERY = ("query_id", *QUERY_FIELDS)
_EVENT = ("id", *EVENT_FIELDS)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A pair by its ids, and all that the lead ever settled of it, as rows of the file."""

    query: tuple[Any, ...]
    doc_id: str
    events: list[tuple[Any, ...]]


class KeptSettlings:
    """The pairs that one lead settled, or took back, since the file was opened."""

    def __init__(self, settings: Settings, lead: Judge) -> None:
        self._settings = settings
        self.judge = lead
        self._held: dict[int, _Pair] = {}

    def hold(self, campaign: Campaign, pair: int) -> None:
        """Take in what the file has of a pair (a key) now. Raises `CampaignError`."""
        with campaign.reading():
            named = campaign.rows(_NAMES_OF, (pair,))
            events = campaign.rows(_EVENTS_OF, (self.judge.key, pair))
        for *query, doc_id in named:
            self._held[pair] = _Pair(tuple(query), doc_id, events)

    def is_in(self, copy: sqlite3.Connection) -> bool:
        """Whether a copy of the file holds all of them."""
        return all(
            copy.execute(_NAMES_OF, (key,)).fetchall() == [(*pair.query, pair.doc_id)]
            and copy.execute(_EVENTS_OF, (self.judge.key, key)).fetchall() == pair.events
            for key, pair in self._held.items()
        )

    def write(self, place: Path, path: Path) -> str | None:
        """Write them beside `place`, which the shell calls `path`; the command that brings them
        back. None where there is nothing to write, or no room."""
        # Seldom needed, and start-up counts.
        from judge_tui.campaign.creation import new_file  # noqa: PLC0415

        if not self._held:
            return None
        draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
        lead = self.judge
        try:
            with new_file(draft, self._settings) as connection:
                connection.execute(
                    "INSERT INTO judges (id, name, role, kind) VALUES (1, ?, ?, ?)",
                    (lead.name, lead.role, lead.kind),
                )
                for key, pair in self._held.items():
                    connection.execute(_ADD_QUERY, pair.query)
                    connection.execute(_ADD_DOCUMENT, (pair.doc_id,))
                    connection.execute(_ADD_PAIR, (key, pair.query[0], pair.doc_id))
                    connection.executemany(_ADD_EVENT, [(key, *event) for event in pair.events])
            named = free_name(place.with_name(f"{place.stem}-kept{place.suffix}"))
            if named is None:
                return None
            draft.replace(named)
        except (OSError, CampaignError):
            return None
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
        return typed(path, "merge", typed_path(path.with_name(named.name)))


def kept_settlings(campaign: Campaign, lead: Judge) -> KeptSettlings:
    """The one of a lead and an open campaign."""
    key = (KeptSettlings, lead.key)
    found = campaign.rescues.get(key)
    if not isinstance(found, KeptSettlings):
        found = campaign.rescues[key] = KeptSettlings(campaign.settings, lead)
    return found


_NAMES_OF = (
    f"SELECT {', '.join(f'q.{name}' for name in _QUERY)}, d.doc_id"  # noqa: S608
    " FROM pool AS p JOIN queries AS q ON q.id = p.query"
    " JOIN documents AS d ON d.id = p.document WHERE p.id = ?"
)
_EVENTS_OF = (
    f"SELECT {', '.join(_EVENT)} FROM events AS e"  # noqa: S608
    # The + keeps SQLite at the index of pairs.
    f" WHERE +judge = ? AND pair = ? AND {OF_SETTLING} ORDER BY id"
)
_ADD_QUERY = (
    f"INSERT OR IGNORE INTO queries ({', '.join(_QUERY)})"  # noqa: S608
    f" VALUES ({', '.join('?' * len(_QUERY))})"
)
_ADD_DOCUMENT = "INSERT OR IGNORE INTO documents (doc_id) VALUES (?)"
_ADD_PAIR = (
    "INSERT INTO pool (id, query, document, priority, stratum) SELECT ?, q.id, d.id, 0, ''"
    " FROM queries AS q, documents AS d WHERE q.query_id = ? AND d.doc_id = ?"
)
_ADD_EVENT = (
    f"INSERT INTO events (judge, pair, {', '.join(_EVENT)})"  # noqa: S608
    f" VALUES (1, ?, {', '.join('?' * len(_EVENT))})"
)
