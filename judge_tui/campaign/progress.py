"""How far a campaign is: judges, runs, what is missing. The lead's view, not the judges'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.agreement.decide import Pair, decide_all
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
    """How much of a run's top results has been graded by anybody, over all its queries."""

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
    documents_with_text: int
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
    with campaign.reading():
        (queries, runs, documents, with_text, pairs) = campaign.rows(
            "SELECT (SELECT count(*) FROM queries), (SELECT count(*) FROM runs),"
            " (SELECT count(*) FROM documents), (SELECT count(text) FROM documents),"
            " (SELECT count(*) FROM pool)"
        )[0]
        judges = tuple(_judges(campaign, pairs))
        grades = grades_by_judge(campaign, include_models=True)
        settled = adjudications(campaign)
        people = {judge.name: grades[judge.name] for judge in judges if _is_person(judge, grades)}
        return Progress(
            queries=queries,
            runs=runs,
            documents=documents,
            documents_with_text=with_text,
            pairs=pairs,
            judged=judged_pairs(campaign),
            unresolved=_unresolved(people, settled),
            unresolved_with_models=_unresolved(grades, settled),
            missing=tuple(missing_documents(campaign)),
            judges=judges,
            coverage=tuple(_coverage(campaign, depth)),
            depth=depth,
        )


def _is_person(judge: JudgeProgress, grades: Mapping[str, object]) -> bool:
    return judge.kind == "human" and judge.name in grades


def _unresolved(grades: Mapping[str, Mapping[Pair, int]], settled: Mapping[Pair, int]) -> int:
    return len(decide_all(grades, "majority", adjudicated=settled).unresolved)


def _judges(campaign: Campaign, pairs: int) -> list[JudgeProgress]:
    rows = campaign.rows(
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
    rows = campaign.rows(
        "SELECT runs.tag, count(r.rank), count(p.id),"
        " count(*) FILTER (WHERE p.id IN (SELECT pair FROM decisions WHERE action = 'grade'))"
        " FROM runs LEFT JOIN results AS r ON r.run = runs.id AND r.rank <= ?"
        " LEFT JOIN pool AS p ON p.query = r.query AND p.document = r.document"
        " GROUP BY runs.id ORDER BY runs.id",
        (depth,),
    )
    return [RunCoverage(*row) for row in rows]
