"""A campaign as a report: how far it is, its judges, its pool, and what commands changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge_tui.agreement.wording import shown_alpha, shown_span, verdict_of
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    counts,
    plain,
    reader_table,
    short_number,
    text,
    words,
)

if TYPE_CHECKING:
    from judge_tui.campaign.assign import Assigned
    from judge_tui.campaign.overview.agreement import Agreed
    from judge_tui.campaign.overview.disagreements import Disputes
    from judge_tui.campaign.overview.progress import JudgeProgress, Progress
    from judge_tui.campaign.overview.status import StatusNow
    from judge_tui.campaign.store.merge import DecidedTwice, MergedFile
    from judge_tui.campaign.store.pool import PoolSize

__all__ = [
    "assigned_report",
    "coverage_table",
    "judges_report",
    "judges_table",
    "merge_report",
    "pool_report",
    "status_report",
]

_LISTED = 20
"""Readers get so many: of missing documents, of pairs decided on both sides, of queries pooled."""


def status_report(name: str, now: StatusNow) -> Report:
    """The campaign `name`: counts, judges, coverage, missing documents, and what comes next."""
    state, agreement, disputes, steps = now
    whole = list(_counts(state, disputes))
    return Report(
        [
            reader_table(
                "",
                [text("", name), Column("", "")],
                [(title, one) for _, title, one in whole if title and one is not None],
            ),
            judges_table(state.judges),
            Table("campaign", [Column(key) for key, _, _ in whole], [[one for *_, one in whole]]),
            coverage_table(state),
            Table(
                "asked",
                [
                    text("tag", "run"),
                    Column("queries", "queries asked"),
                    Column("nothing_found", "found nothing"),
                    Column("failed", "of them failed"),
                    Column("median_s", "median s", short_number),
                    Column("p95_s", "p95 s", short_number),
                ],
                [
                    (tag, one.queries, one.nothing_found, one.failed, one.median_s, one.p95_s)
                    for tag, one in state.asked.items()
                ],
                "What systems were asked",
            ),
            _agreement(agreement),
            Table(
                "missing",
                [text("doc_id", "without a text")],
                [(doc_id,) for doc_id in state.missing],
                most=_LISTED,
            ),
            Table("next", [text("step", "next")], [(str(step),) for step in steps]),
        ],
        {"name": name, "include_models": state.models, "depth": state.depth},
    )


def _counts(state: Progress, disputes: Disputes) -> Iterator[tuple[str, str, Cell]]:
    """Key, title for readers ("" where they do not get it), and count; None where nothing is
    counted: the pairs assigned where every judge sees the whole pool, and the disagreements that
    can change an order of fewer than two runs."""
    top = f"documents of a top {state.depth}"
    yield "queries", "queries", state.queries
    yield "runs", "runs", state.runs
    yield "documents", "documents", state.documents
    yield "documents_with_text", "documents with text", state.documents_with_text
    yield "pairs", "pairs in the pool", state.pairs
    yield "assigned", "pairs assigned", state.assigned
    yield "judged", "pairs judged", state.judged
    aside = "pairs graded by models alone" if state.aside else ""
    yield "graded_by_models_alone", aside, state.aside
    yield "unresolved", "pairs unresolved", state.unresolved
    yield "disagreements", "disagreements open", disputes.open
    yield "can_change_order", "that can change the order of the systems", disputes.swapping
    yield "missing", "documents missing", len(state.missing)
    yield "to_pool", f"{top} not in the pool", state.to_pool
    yield "to_judge", f"{top} to judge", state.to_judge
    yield "damaged", "", state.damaged


def judges_table(
    judges: Sequence[JudgeProgress],
    settled: Mapping[str, int] = MappingProxyType({}),
    *,
    title: str = "Judges",
) -> Table:
    """A row for each judge; `settled`: by name, how many pairs as a lead. Readers do not get what
    is 0 for everybody."""
    columns = [
        *words("judge", "kind", "role"),
        *counts("pairs", "graded", "skipped"),
        Column("cannot", "cannot be judged"),
        *counts("flagged", "left", "repeats", "repeats_graded", "outside", "settled"),
    ]
    rows = [
        (
            *(one.name, one.kind, one.role, one.pairs, one.graded, one.skipped, one.cannot),
            *(one.flagged, one.left, one.repeats, one.repeats_graded, one.outside),
            settled.get(one.name, 0),
        )
        for one in judges
    ]
    always = {"judge", "kind", "role", "pairs", "graded", "left"}
    columns = [
        column
        if column.key in always or any(row[place] for row in rows)
        else column._replace(title=None)
        for place, column in enumerate(columns)
    ]
    return Table("judges", columns, rows, title, key_columns=1)


def coverage_table(state: Progress) -> Table:
    """How much of the top of each run is judged."""
    return Table(
        "coverage",
        [
            text("tag", "run"),
            *counts("results", "pooled", "judged", "unresolved"),
            Column("", "final grade"),
        ],
        [
            (one.tag, one.results, one.pooled, one.judged, one.unresolved, share)
            for one in state.coverage
            for share in [_share(one.judged - one.unresolved, one.results)]
        ],
        f"Coverage: the top {state.depth} of each run",
    )


def _agreement(found: Agreed) -> Table:
    columns = [
        Column("alpha"),
        *(Column("ci95_low"), Column("ci95_high")),
        Column("", "alpha ordinal"),
        Column("", "95 % interval"),
        Column("pairs", "pairs"),
        text("is", "is"),
    ]
    rows: list[tuple[Cell, ...]] = []
    if (alpha := found.alpha) is not None and alpha.value is not None:
        span = shown_span(alpha.ci95) if alpha.ci95 else None
        strength = verdict_of(alpha, found.shared)
        ends = alpha.ci95 or (None, None)
        rows = [(alpha.value, *ends, shown_alpha(alpha.value), span, found.shared, strength)]
    return Table("agreement", columns, rows, "Agreement")


def _share(part: int, whole: int) -> Cell:
    return percent(part / whole, 1, short=True) if whole else None


def judges_report(
    judges: Sequence[JudgeProgress],
    formerly: Mapping[str, str],
    settled: Mapping[str, int],
    last_written: Mapping[str, str],
    *,
    include_models: bool,
) -> Report:
    """A row for each judge, in the order of their coming. `formerly`, `settled` (how many pairs, as
    a lead) and `last_written` are by name, of those who have any."""
    table = judges_table(judges, settled, title="")
    columns = [text("formerly", "formerly"), text("last_written", "last written (UTC)", _minute)]
    rows = [
        (*row, formerly.get(one.name, ""), last_written.get(one.name, ""))
        for one, row in zip(judges, table.rows, strict=True)
    ]
    whole = table._replace(columns=[*table.columns, *columns], rows=rows)
    return Report([whole], {"include_models": include_models})


def _minute(cell: Cell) -> str:
    """Of a time with its zone, what a reader wants: 2026-03-01 14:05."""
    return str(cell)[:16].replace("T", " ")


def pool_report(size: PoolSize, added: int, budget: int | None) -> Report:
    """`size` of the whole pool, and how many pairs the command `added`, as its latest round, with
    that `budget`."""
    latest = max(size.by_round, default=0)
    parts: dict[str, Mapping[str, int]] = {
        "stratum": size.by_stratum,
        "round": {str(number): pairs for number, pairs in size.by_round.items()},
        "run": size.by_run,
        "query": size.by_query,
    }
    before = size.pairs - added
    full = budget is not None and before >= budget
    return Report(
        [
            Table(
                "pool",
                [text("of"), text("name"), Column("pairs")],
                [
                    ("all", "", size.pairs),
                    ("new", "", added),
                    *((of, name, pairs) for of in parts for name, pairs in parts[of].items()),
                ],
            ),
            reader_table(
                "",
                [Column("", name) for name in ("pairs in the pool", "new", "round")],
                [(size.pairs, added, latest)],
            ),
            *(
                reader_table(
                    "", [text("", of), Column("", "pairs in the pool")], [*by_name.items()]
                )._replace(most=_LISTED)
                for of, by_name in parts.items()
            ),
        ],
        {"round": latest, "budget": budget},
        [f"the pool holds {counted(before, 'pair')} already; a larger --budget adds"]
        if full
        else [],
    )


def assigned_report(assigned: Assigned) -> Report:
    """Each judge's pairs by purpose, and how many every two judges share."""
    purposes = ("queries", "normal", "overlap", "gold", "repeat", "pairs", "shared", "judged")
    return Report(
        [
            Table(
                "judges",
                [text("judge", "judge"), *counts(*purposes)],
                [
                    (one.judge, *(getattr(one, what) for what in purposes))
                    for one in assigned.judges
                ],
            ),
            Table(
                "overlap",
                [text("judge", "judge"), text("other", "judge"), Column("pairs", "pairs shared")],
                [(*two, pairs) for two, pairs in assigned.shared.items()],
                "Overlap",
            ),
            Table(
                "dealt",
                [Column("added", "assignments made"), Column("removed", "taken back")],
                [(assigned.added, assigned.removed)],
            ),
        ],
        {"pairs": assigned.pairs, "gold": assigned.gold},
    )


def merge_report(name: str, files: Sequence[MergedFile]) -> Report:
    """What came into the campaign `name`, per file and judge, and the pairs that one judge decided
    on both sides, or leads settled."""
    return Report(
        [
            Table(
                "came",
                [*words("file", "judge"), *counts("events", "here_already", "new_pairs")],
                [row for one in files for row in _came(one)],
                "What came",
            ),
            Table(
                "decided_twice",
                [
                    text("file", "file"),
                    text("judge", "judge", lambda judge: plain(judge) or "settled by leads"),
                    text("repeat", "", lambda repeat: "hidden repeat" if repeat else ""),
                    text("query_id", "query"),
                    text("doc_id", "document"),
                    text("holds", "holds"),
                ],
                [_twice(one.file, pair) for one in files for pair in one.decided_twice],
                "Decided on both sides",
                key_columns=5,
                most=_LISTED,
            ),
        ],
        {"name": name},
    )


def _came(one: MergedFile) -> list[tuple[Cell, ...]]:
    """A row for each judge; one without a judge where nothing came."""
    by_judge = one.events.items() or [("this campaign itself" if one.itself else "", 0)]
    return [(one.file, judge, events, one.known, one.pairs) for judge, events in by_judge]


def _twice(file: str, pair: DecidedTwice) -> tuple[Cell, ...]:
    words = {"skip": "skipped", "cannot": "cannot be judged", None: "not decided"}
    holds = words.get(pair.holds) or pair.holds  # type: ignore[arg-type]
    return file, pair.judge, pair.repeat, pair.query_id, pair.doc_id, holds
