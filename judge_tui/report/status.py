"""The state of a campaign as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from judge_tui.agreement.wording import shown_alpha, shown_span, verdict_of
from judge_tui.percent import percent
from judge_tui.report.grids import Cell, Column, Grid, Report, columns_of, plain, seconds

if TYPE_CHECKING:
    from judge_tui.campaign.overview.agreement import Agreed
    from judge_tui.campaign.overview.disagreements import Disputes
    from judge_tui.campaign.overview.progress import Progress, RunCoverage

__all__ = ["status_report"]

_MISSING_SHOWN = 20


def status_report(
    name: str, state: Progress, agreement: Agreed, disputes: Disputes, steps: Sequence[str]
) -> Report:
    """The campaign `name`: counts, judges, coverage, missing documents, and the next `steps`.

    `assigned` is null in JSON, and absent elsewhere, where every judge sees the whole pool; so is
    the number of open disagreements that can change the order of the systems where there are fewer
    than two of them. The pairs that models alone graded are told apart where their grades do not
    count; in JSON `models_included` says whether they do.
    """
    counts = _of_campaign(state, disputes)
    names = _JUDGE if state.assigned is None else (*_JUDGE, *_ASSIGNED)
    judges: list[tuple[Cell, ...]] = [
        (j.name, j.kind, j.role, j.pairs, j.graded, j.skipped, j.cannot, j.flagged, j.left)
        + (() if state.assigned is None else (j.repeats, j.repeats_graded, j.outside))
        for j in state.judges
    ]
    coverage: list[tuple[Cell, ...]] = [
        (run.tag, *_counts(run), _share(run.judged, run.results)) for run in state.coverage
    ]
    asked: list[tuple[Cell, ...]] = [
        (tag, one.queries, one.nothing_found, one.failed, one.median_s, one.p95_s)
        for tag, one in state.asked.items()
    ]
    return Report(
        document=_document(name, state, agreement, disputes, steps),
        header=("of", "name", "what", "value"),
        rows=[
            *(("campaign", name, what, count) for what, count in counts),
            *_by_name("judge", [names[0], *names[3:]], [(j[0], *j[3:]) for j in judges]),
            *_by_name("run", _COVERAGE[:-1], [row[:-1] for row in coverage]),
            *_by_name("run", _ASKED, asked),
            *(("next", place, "step", step) for place, step in enumerate(steps, 1)),
        ],
        grids=[
            Grid("", (Column(name, plain, right=False), Column("")), counts),
            Grid("Judges", columns_of(names, 3), judges),
            Grid(
                f"Coverage: the top {state.depth} of each run", columns_of(_COVERAGE, 1), coverage
            ),
            Grid("What systems were asked", _ASKED_COLUMNS, asked),
            _agreed(agreement),
            _missing(state.missing),
            Grid("", [Column("next", right=False)], [(step,) for step in steps]),
        ],
    )


def _document(
    name: str, state: Progress, agreement: Agreed, disputes: Disputes, steps: Sequence[str]
) -> dict[str, object]:
    alpha = agreement.alpha
    return {
        "schema_version": 1,
        "name": name,
        "damaged": state.damaged,
        "queries": state.queries,
        "runs": state.runs,
        "documents": state.documents,
        "documents_with_text": state.documents_with_text,
        "pairs": state.pairs,
        "assigned": state.assigned,
        "judged": state.judged,
        "unresolved": state.unresolved,
        "disagreements": {"open": disputes.open, "can_change_order": disputes.swapping},
        "alpha": None if alpha is None else {**alpha.to_dict(), "pairs": agreement.shared},
        "models_included": state.models,
        "graded_by_models_alone": state.aside,
        "missing": list(state.missing),
        "to_pool": state.to_pool,
        "to_judge": state.to_judge,
        "judges": [{**asdict(judge), "left": judge.left} for judge in state.judges],
        "coverage": [{**asdict(run), "depth": state.depth} for run in state.coverage],
        "asked": [{"tag": tag, **asdict(one)} for tag, one in state.asked.items()],
        "next": list(steps),
    }


def _of_campaign(state: Progress, disputes: Disputes) -> list[tuple[str, int]]:
    """The counts of the campaign as a whole, under the names that readers see."""
    swapping = disputes.swapping
    return [
        ("queries", state.queries),
        ("runs", state.runs),
        ("documents", state.documents),
        ("documents with text", state.documents_with_text),
        ("pairs in the pool", state.pairs),
        *([("pairs assigned", state.assigned)] if state.assigned is not None else []),
        ("pairs judged", state.judged),
        *([("pairs graded by models alone", state.aside)] if state.aside else []),
        ("pairs unresolved", state.unresolved),
        ("disagreements open", disputes.open),
        *([] if swapping is None else [("that can change the order of the systems", swapping)]),
        ("documents missing", len(state.missing)),
        (f"documents of a top {state.depth} not in the pool", state.to_pool),
        (f"documents of a top {state.depth} to judge", state.to_judge),
    ]


def _by_name(
    of: str, names: Sequence[str], rows: Sequence[tuple[Cell, ...]]
) -> Iterator[tuple[Cell, ...]]:
    """A row of the CSV for each number of a grid: what it is of, the name in the grid's first
    column, the column's name, and the number."""
    for row in rows:
        for what, value in zip(names[1:], row[1:], strict=True):
            yield of, row[0], what, value


def _missing(doc_ids: Sequence[str]) -> Grid:
    few = f", the first {_MISSING_SHOWN}" if len(doc_ids) > _MISSING_SHOWN else ""
    rows = [(doc_id,) for doc_id in doc_ids[:_MISSING_SHOWN]]
    return Grid("", [Column(f"documents missing{few}", right=False)], rows)


def _counts(run: RunCoverage) -> tuple[int, ...]:
    return run.results, run.pooled, run.judged, run.unresolved


def _agreed(found: Agreed) -> Grid:
    columns = [*map(Column, ("alpha ordinal", "95 %", "pairs")), Column("is", right=False)]
    alpha = found.alpha
    if alpha is None or alpha.value is None:
        return Grid("Agreement", columns, [])
    span = shown_span(alpha.ci95) if alpha.ci95 else None
    row = (shown_alpha(alpha.value), span, found.shared, verdict_of(alpha, found.shared))
    return Grid("Agreement", columns, [row])


_JUDGE = (
    "judge",
    "kind",
    "role",
    "pairs",
    "graded",
    "skipped",
    "cannot be judged",
    "flagged",
    "left",
)
_ASSIGNED = ("repeats", "repeats graded", "outside")
"""Where pairs are assigned: hidden repeats among the pairs, and among what is graded, and what was
decided of others."""

_COVERAGE = ("run", "results", "pooled", "judged", "unresolved", "share")

_ASKED = ("run", "queries asked", "found nothing", "of them failed", "median s", "p95 s")

_ASKED_COLUMNS = (
    Column("run", plain, right=False),
    *(Column(name) for name in _ASKED[1:4]),
    *(Column(name, seconds) for name in _ASKED[4:]),
)


def _share(part: int, whole: int) -> Cell:
    return percent(part / whole, 1, short=True) if whole else None
