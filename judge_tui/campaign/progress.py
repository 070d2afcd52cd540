"""How far a campaign is: judges, runs, what is missing. The lead's view, not the judges'."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.agreement.decide import decide_all
from judge_tui.campaign.documents import missing_documents
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.grades import adjudications, grades_by_judge, judged_pairs

__all__ = ["JudgeProgress", "Progress", "RunCoverage", "progress"]

COVERAGE_DEPTH = 10


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """Counts of pairs for one judge; `pairs` is what the judge has been given."""

    name: str
    role: str
    kind: str
    pairs: int
    graded: int
    skipped: int
    cannot: int
    flagged: int

    @property
    def left(self) -> int:
        """Pairs not decided yet."""
        return self.pairs - self.graded - self.skipped - self.cannot


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """How much of a run's top results has been graded by anybody, over the pooled queries."""

    tag: str
    results: int
    pooled: int
    judged: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The campaign at a glance.

    `unresolved` counts pairs that no majority of the people decides, `unresolved_with_models` those
    that none decides where models vote, too: what an export would meet without and with
    `--include-models`.
    """

    queries: int
    runs: int
    documents: int
    pairs: int
    judged: int
    unresolved: int
    unresolved_with_models: int
    missing: tuple[str, ...]
    judges: tuple[JudgeProgress, ...]
    coverage: tuple[RunCoverage, ...]
    depth: int = COVERAGE_DEPTH


def progress(campaign: Campaign, *, depth: int = COVERAGE_DEPTH) -> Progress:
    """Count everything; `depth` is how far down the runs coverage looks."""
    (queries, runs, documents, pairs) = campaign.connection.execute(
        "SELECT (SELECT count(*) FROM queries), (SELECT count(*) FROM runs),"
        " (SELECT count(*) FROM documents), (SELECT count(*) FROM pool)"
    ).fetchone()
    return Progress(
        queries=queries,
        runs=runs,
        documents=documents,
        pairs=pairs,
        judged=judged_pairs(campaign),
        unresolved=_unresolved(campaign, include_models=False),
        unresolved_with_models=_unresolved(campaign, include_models=True),
        missing=tuple(missing_documents(campaign)),
        judges=tuple(_judges(campaign, pairs)),
        coverage=tuple(_coverage(campaign, depth)),
        depth=depth,
    )


def _unresolved(campaign: Campaign, *, include_models: bool) -> int:
    grades = grades_by_judge(campaign, include_models=include_models)
    return len(decide_all(grades, "majority", adjudicated=adjudications(campaign)).unresolved)


def _judges(campaign: Campaign, pairs: int) -> list[JudgeProgress]:
    rows = campaign.connection.execute(
        "SELECT j.name, j.role, j.kind, ?,"
        " count(*) FILTER (WHERE x.action = 'grade'),"
        " count(*) FILTER (WHERE x.action = 'skip'),"
        " count(*) FILTER (WHERE x.action = 'cannot'),"
        " (SELECT count(*) FROM (SELECT max(id), action FROM live_events AS f"
        "  WHERE f.judge = j.id AND f.action IN ('flag', 'unflag') GROUP BY pair)"
        "  WHERE action = 'flag')"
        " FROM judges AS j LEFT JOIN decisions AS x ON x.judge = j.id"
        " GROUP BY j.id ORDER BY j.id",
        (pairs,),
    )
    return [JudgeProgress(*row) for row in rows]


def _coverage(campaign: Campaign, depth: int) -> list[RunCoverage]:
    rows = campaign.connection.execute(
        "SELECT runs.tag, count(r.rank), count(p.id),"
        " count(*) FILTER (WHERE p.id IN (SELECT pair FROM decisions WHERE action = 'grade'))"
        " FROM runs LEFT JOIN results AS r ON r.run = runs.id AND r.rank <= ?"
        " LEFT JOIN pool AS p ON p.query = r.query AND p.document = r.document"
        " GROUP BY runs.id ORDER BY runs.id",
        (depth,),
    )
    return [RunCoverage(*row) for row in rows]
