"""Whether a campaign is sound: its pages, its rows, and what holds of its events."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign.store.campaign_file import open_campaign
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.errors_in_words import ERRORS, damaged, in_words
from judge_tui.campaign.store.events import rebuild
from judge_tui.campaign.store.foreign_file import copy_file
from judge_tui.campaign.store.model_answers import GRADES_WITHOUT_EVENTS
from judge_tui.campaign.store.sqlite import SqliteTables, connected
from judge_tui.errors import CampaignError

_AT_ONCE = 4 * 2**20
"""Bytes that are looked at, indexes and all, within 50 ms."""

_QUICKLY = 32 * 2**20
"""Bytes that are looked at, indexes and all, within half a second."""


def refuse_damage(campaign: Campaign) -> None:
    """Raise `CampaignError` for pages that contradict each other, and for rows that belong to
    nothing. Reads the whole file: 5 s for a million pairs."""
    for what in campaign.damage():
        raise damaged(campaign.path, what)


def refuse_small_damage(campaign: Campaign) -> None:
    """As `refuse_damage`, of a file that is so small that nobody has to wait for it."""
    if campaign.backend.size() <= _AT_ONCE:
        refuse_damage(campaign)


def looks_damaged(campaign: Campaign) -> bool:
    """Whether the file contradicts itself; False for one so large that a look would take long."""
    return campaign.backend.size() <= _QUICKLY and any(campaign.damage())


@dataclass(frozen=True, slots=True)
class CampaignCheck:
    """How many there are of what, in the order of the work, and all that is wrong."""

    counts: dict[str, int]
    problems: tuple[CampaignError, ...]


_TABLES = {
    "queries": "queries",
    "documents": "documents",
    "runs": "runs",
    "pairs": "pool",
    "judges": "judges",
    "events": "events",
    "judgments": "judgments",
    "answers of models": "model_answers",
}


def check_campaign(path: Path) -> CampaignCheck:
    """Look at all of a campaign file, which stays as it is. Raises `CampaignError` where it cannot
    be opened."""
    with tempfile.TemporaryDirectory(prefix="judge-tui-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            copy_file(path, copy)
            with open_campaign(copy) as campaign:
                found = [*campaign.damage()]
                counts = {} if found else _counts(campaign)
            if not found:
                # Here no key is checked again, and nothing waits for the disk: in all it takes 12 s
                # for a million pairs, not 14.
                with closing(connected(copy)) as connection:
                    found = [*_not_of_the_events(connection), *_without_events(connection)]
        except CampaignError as error:
            raise CampaignError(path, error.what, error.mend) from error
        except (*ERRORS, OSError) as error:
            raise in_words(path, error) from error
    return CampaignCheck(counts, tuple(damaged(path, what) for what in found))


def _counts(campaign: Campaign) -> dict[str, int]:
    return {
        name: campaign.row(f"SELECT count(*) FROM {table}")[0] for name, table in _TABLES.items()
    }


_LOOKS = {"judgments": "x.turn", "adjudications": "0"}
"""The tables that follow from the events, and which look a row is of."""


def _not_of_the_events(connection: sqlite3.Connection) -> list[str]:
    """Where what stands in the tables is not what follows from the events, which then stands
    there."""
    for table in _LOOKS:
        connection.execute(f"CREATE TEMP TABLE {table}_there AS SELECT * FROM {table}")
    connection.execute("BEGIN")
    rebuild(SqliteTables(connection))
    found = []
    for table, turn in _LOOKS.items():
        there, follows = f"SELECT * FROM {table}_there", f"SELECT * FROM {table}"
        for judge, query_id, doc_id, look in connection.execute(
            f"SELECT DISTINCT j.name, q.query_id, d.doc_id, {turn} FROM"
            f" (SELECT * FROM ({there} EXCEPT {follows}) AS a"
            f" UNION ALL SELECT * FROM ({follows} EXCEPT {there}) AS b) AS x"
            " JOIN judges AS j ON j.id = x.judge JOIN pool AS p ON p.id = x.pair"
            " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
            " ORDER BY 1, 2, 3, 4"
        ):
            which = f"the {'second' if look else 'first'} look of judge {judge!r} at"
            found.append(
                f"{table}: {which} document {doc_id!r} for query {query_id!r} is not what"
                " the events say"
            )
    return found


def _without_events(connection: sqlite3.Connection) -> list[str]:
    """The grades of models that are answers and no events, so that they do not count."""
    return [
        f"model_answers: the grade of model {judge!r} for document {doc_id!r} and query"
        f" {query_id!r} is not among the events"
        for judge, query_id, doc_id in connection.execute(
            f"SELECT j.name, q.query_id, d.doc_id FROM ({GRADES_WITHOUT_EVENTS}) AS x"
            " JOIN judges AS j ON j.id = x.judge JOIN pool AS p ON p.id = x.pair"
            " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
            " ORDER BY 1, 2, 3"
        )
    ]
