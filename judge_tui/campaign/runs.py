"""The runs of a campaign: the kept top of every ranked list."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.campaign.file import Campaign

__all__ = ["RunRecord", "all_runs", "kept_rankings"]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the campaign knows of a run: `depth` is how much of each list was kept."""

    tag: str
    source: str
    sha256: str
    depth: int
    queries: int


def all_runs(campaign: Campaign) -> list[RunRecord]:
    """The runs in the order in which they were loaded."""
    rows = campaign.rows(
        "SELECT tag, source, sha256, depth,"
        " (SELECT count(DISTINCT query) FROM results WHERE run = runs.id)"
        " FROM runs ORDER BY loaded_at, id"
    )
    return [RunRecord(*row) for row in rows]


def kept_rankings(campaign: Campaign, depth: int | None = None) -> dict[str, dict[str, list[str]]]:
    """The kept lists, down to `depth`: tag -> query_id -> doc_ids, best first."""
    queries = dict(campaign.rows("SELECT id, query_id FROM queries"))
    # One string for each document, however many lists it is in.
    documents = dict(
        campaign.rows("SELECT id, doc_id FROM documents WHERE id IN (SELECT document FROM results)")
    )
    rankings: dict[str, dict[str, list[str]]] = {}
    for key, tag in campaign.rows("SELECT id, tag FROM runs ORDER BY loaded_at, id"):
        lists = rankings[tag] = {}
        with campaign.in_words():
            for query, document in campaign.connection.execute(
                "SELECT query, document FROM results WHERE run = ? AND rank <= coalesce(?, rank)"
                " ORDER BY query, rank",
                (key, depth),
            ):
                lists.setdefault(queries[query], []).append(documents[document])
    return rankings
