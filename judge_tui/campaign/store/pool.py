"""The pool: the (query, document) pairs to be judged. It only ever grows."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import add_document_ids
from judge_tui.campaign.store.queries import query_keys
from judge_tui.errors import UsageError, check_known
from judge_tui.model import Pair
from judge_tui.pooling.pool import NO_POPULATION, Pool, Population
from judge_tui.pooling.strategies import AUDIT, FROM_RESULTS, GOLD

if TYPE_CHECKING:
    from judge_tui.pooling.pool import Round


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Pairs in the pool: in all, by stratum, by round (0: those that came by themselves), by query,
    and by run (its own share of the pool)."""

    pairs: int
    by_stratum: dict[str, int]
    by_round: dict[int, int]
    by_query: dict[str, int]
    by_run: dict[str, int]


class RoundQuestion(NamedTuple):
    """What a round is to decide: by a `measure`, None for the usual one, how the run `tag` stands
    beside the run `baseline`; without the two, how all stand beside the campaign's baseline."""

    measure: str | None = None
    baseline: str | None = None
    tag: str | None = None

    @property
    def between(self) -> tuple[str, str] | None:
        """The two runs, None for all."""
        return (self.baseline, self.tag) if self.baseline and self.tag else None

    def refuse_other_runs(self, tags: Sequence[str]) -> None:
        """Raise `UsageError` for a run that is not among these, and for one beside itself."""
        for tag in self.between or ():
            check_known("run", tag, tags)
        if self.between and self.baseline == self.tag:
            raise UsageError(
                f"run {self.tag!r} stands beside itself", "name two runs: --between A B"
            )


def add_pairs(campaign: Campaign, pairs: Sequence[Pair], stratum: str) -> None:
    """Put pairs that came by themselves into the pool.

    Those there already stay as they are; but where others are new, those that had been drawn at
    random came for the same reason as these, and no longer stand for what nobody chose.
    """
    with campaign.writing():
        queries = query_keys(campaign)
        add_document_ids(campaign, (doc_id for _, doc_id in pairs))
        rows = [(stratum, queries[query_id], doc_id) for query_id, doc_id in pairs]
        new = campaign.execute_many(
            "INSERT INTO pool (stratum, query, document) SELECT ?, ?, id FROM documents"
            " WHERE doc_id = ? ON CONFLICT DO NOTHING",
            rows,
        )
        if new:
            campaign.execute_many(
                "UPDATE pool SET stratum = ?, probability = NULL WHERE stratum = ? AND query = ?"
                " AND document = (SELECT id FROM documents WHERE doc_id = ?)",
                ((stratum, AUDIT, *pair) for stratum, *pair in rows),
            )


def add_round(
    campaign: Campaign, strategy: str, depth: int, question: RoundQuestion, latest: Round
) -> int:
    """Put a round into the pool, unless it changes nothing but the question; returns how many
    pairs are new. Its pairs are of what runs retrieved, none of those `added` pooled yet."""
    added, chosen = (
        [(query_id, choice) for query_id, choices in by_query.items() for choice in choices]
        for by_query in (latest.added, latest.chosen)
    )
    with campaign.writing():
        if not added and not chosen and latest.population == latest_population(campaign):
            ask(campaign, question)
            return 0
        (number,) = campaign.row(
            "SELECT 1 + coalesce(max(round), 0) FROM"
            " (SELECT max(round) AS round FROM pool UNION SELECT max(round) FROM rounds) AS x"
        )
        campaign.execute(
            "INSERT INTO rounds (round, strategy, depth, population_depth, retrieved, drawn,"
            " measure, baseline, tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, strategy, depth, *latest.population, *question),
        )
        queries = query_keys(campaign)
        documents = dict(
            campaign.rows(
                "SELECT doc_id, id FROM documents WHERE id IN"
                " (SELECT document FROM results UNION SELECT document FROM pool)"
            )
        )
        campaign.execute_many(
            "UPDATE pool SET stratum = ?, chosen = ? WHERE query = ? AND document = ?",
            (
                (choice.stratum, number, queries[query_id], documents[choice.doc_id])
                for query_id, choice in chosen
            ),
        )
        campaign.execute_many(
            "UPDATE pool SET round = CASE WHEN probability IS NULL AND ? IS NOT NULL THEN ?"
            " ELSE round END, probability = ? WHERE query = ? AND document = ?",
            (
                (chance, number, chance, queries[query_id], documents[doc_id])
                for (query_id, doc_id), chance in latest.probabilities.items()
            ),
        )
        return campaign.execute_many(
            "INSERT INTO pool (query, document, stratum, round, probability)"
            " VALUES (?, ?, ?, ?, ?)",
            (
                (queries[query_id], documents[doc_id], stratum, number, probability)
                for query_id, (doc_id, _, stratum, probability) in added
            ),
        )


def ask(campaign: Campaign, question: RoundQuestion) -> None:
    """Let the latest round ask this."""
    with campaign.writing():
        if question != latest_question(campaign):
            campaign.execute(
                "UPDATE rounds SET measure = ?, baseline = ?, tag = ?"
                " WHERE round = (SELECT max(round) FROM rounds)",
                question,
            )


def latest_question(campaign: Campaign) -> RoundQuestion:
    """What the latest round is to decide; how all runs stand, where one of the two is gone."""
    rows = campaign.rows(
        "SELECT measure, baseline, tag FROM rounds"
        " WHERE round = (SELECT max(round) FROM rounds) AND (tag IS NULL OR"
        " (tag IN (SELECT tag FROM runs) AND baseline IN (SELECT tag FROM runs)))"
    )
    return RoundQuestion(*rows[0]) if rows else RoundQuestion()


class LatestRound(NamedTuple):
    """The latest round: how many pairs came with it, and how deep it looked; None where all came by
    themselves."""

    pairs: int = 0
    depth: int | None = None


def latest_round(campaign: Campaign) -> LatestRound:
    """What the latest round was."""
    (pairs,) = campaign.row(
        "SELECT count(*) FROM pool WHERE round > 0 AND round = (SELECT max(round) FROM pool)"
    )
    depths = campaign.rows("SELECT depth FROM rounds ORDER BY round DESC LIMIT 1")
    return LatestRound(int(pairs), *(depths[0] if depths else ()))


def latest_population(campaign: Campaign) -> Population:
    """What pairs were drawn from, as the last round left it; `NO_POPULATION` for nothing."""
    rows = campaign.rows(
        "SELECT population_depth, retrieved, drawn FROM rounds ORDER BY round DESC LIMIT 1"
    )
    return Population(*rows[0]) if rows else NO_POPULATION


def pool_of_now(campaign: Campaign) -> Pool:
    """The pool that the next round begins with."""
    rows = campaign.rows(
        "SELECT q.query_id, d.doc_id, p.probability FROM pool AS p"
        " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
        " WHERE p.stratum = ?",
        (AUDIT,),
    )
    drawn = {(query_id, doc_id): probability for query_id, doc_id, probability in rows}
    return Pool(pair_keys(campaign).keys() - drawn.keys(), drawn, latest_population(campaign))


def pool_state(campaign: Campaign) -> tuple[object, ...]:
    """What tells one pool, and one set of runs to choose from, from another."""
    # Not the keys of runs: SQLite gives that of a run that was replaced to the next one.
    runs = campaign.rows("SELECT tag, sha256, depth FROM runs ORDER BY tag")
    latest = campaign.row("SELECT max(round) FROM rounds")
    return (*runs, campaign.row("SELECT count(*), max(id) FROM pool"), latest)


def pairs_pooled(campaign: Campaign) -> int:
    """How many pairs are in the pool."""
    (count,) = campaign.row("SELECT count(*) FROM pool")
    return int(count)


def refuse_empty_pool(campaign: Campaign) -> None:
    """Raise `UsageError` where nothing can be judged yet."""
    if not campaign.rows("SELECT 1 FROM pool LIMIT 1"):
        raise UsageError("the pool is empty", f"first: {first_step(campaign)}")


def first_step(campaign: Campaign, judge: str = "NAME") -> str:
    """The command that comes next in a campaign of which this judge has graded nothing yet."""
    if campaign.rows("SELECT 1 FROM pool LIMIT 1"):
        return shell_command(campaign.path, "judge", f"--judge {shlex.quote(judge)}")
    if campaign.rows("SELECT 1 FROM runs LIMIT 1"):
        return shell_command(campaign.path, "pool")
    if campaign.rows("SELECT 1 FROM queries LIMIT 1"):
        return shell_command(campaign.path, "load run", "FILE...")
    return shell_command(campaign.path, "load queries", "FILE")


def is_part(campaign: Campaign) -> bool:
    """Whether the file is one judge's part of a campaign (`export_bundle`): it has no run of its
    own, and its pairs do not tell why they are in the pool."""
    return campaign.rows("SELECT stratum FROM pool LIMIT 1") == [("",)] and not campaign.rows(
        "SELECT 1 FROM runs WHERE depth > 0 LIMIT 1"
    )


def pair_keys(campaign: Campaign) -> dict[tuple[str, str], int]:
    """The integer keys of the pooled pairs by (query_id, doc_id)."""
    # One string for each id, however many pairs it is in.
    queries = dict(campaign.rows("SELECT id, query_id FROM queries"))
    documents = dict(
        campaign.rows("SELECT id, doc_id FROM documents WHERE id IN (SELECT document FROM pool)")
    )
    pairs = campaign.each("SELECT id, query, document FROM pool ORDER BY id")
    return {(queries[query], documents[document]): key for key, query, document in pairs}


def pool_size(campaign: Campaign) -> PoolSize:
    """How large the pool is. Queries without a pair count as 0."""
    by_query = dict(
        campaign.rows(
            "SELECT query_id, count(pool.id) FROM queries"
            " LEFT JOIN pool ON pool.query = queries.id GROUP BY queries.id ORDER BY queries.id"
        )
    )
    by_run = dict(
        campaign.rows(
            "SELECT tag, count(pool.id) FROM runs LEFT JOIN results ON results.run = runs.id"
            " LEFT JOIN pool ON pool.query = results.query AND pool.document = results.document"
            " GROUP BY runs.id ORDER BY runs.id"
        )
    )
    by_stratum: Counter[str] = Counter()
    by_round: Counter[int] = Counter()
    for stratum, number, count in campaign.rows(
        "SELECT stratum, round, count(*) FROM pool GROUP BY stratum, round ORDER BY stratum, round"
    ):
        by_stratum[stratum] += count
        by_round[number] += count
    return PoolSize(
        by_stratum.total(), dict(by_stratum), dict(sorted(by_round.items())), by_query, by_run
    )


def send_to_pool(campaign: Campaign, query: int, document: int) -> bool:
    """Put the pair of a query and a document, by their keys, into the pool; whether it is new.

    Raises `LockedError` while another program holds the file, `CampaignError` where nothing can be
    written.
    """
    with campaign.writing():
        count = campaign.execute(
            "INSERT INTO pool (query, document, stratum) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (query, document, FROM_RESULTS),
        )
    return count == 1


def pooled_documents(campaign: Campaign, query: int) -> frozenset[int]:
    """The documents (keys) that are in the pool of a query."""
    rows = campaign.rows("SELECT document FROM pool WHERE query = ?", (query,))
    return frozenset(document for (document,) in rows)


def add_gold(campaign: Campaign, grades: Mapping[Pair, int]) -> int:
    """Make pairs gold, those outside the pool with stratum `gold`; returns how many are new. One
    that is gold already keeps its grade."""
    with campaign.writing():
        add_pairs(campaign, [*grades], GOLD)
        return campaign.execute_many(
            "INSERT INTO gold (pair, grade) SELECT p.id, ? FROM pool AS p"
            " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
            " WHERE q.query_id = ? AND d.doc_id = ? ON CONFLICT DO NOTHING",
            ((grade, query_id, doc_id) for (query_id, doc_id), grade in grades.items()),
        )


def gold_pairs(campaign: Campaign) -> frozenset[int]:
    """The keys of the gold pairs."""
    return frozenset(pair for (pair,) in campaign.rows("SELECT pair FROM gold"))


def gold_grades(campaign: Campaign) -> dict[Pair, int]:
    """The gold pairs by (query_id, doc_id), with their grades."""
    rows = campaign.rows(
        "SELECT q.query_id, d.doc_id, g.grade FROM gold AS g JOIN pool AS p ON p.id = g.pair"
        " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
    )
    return {(query_id, doc_id): grade for query_id, doc_id, grade in rows}
