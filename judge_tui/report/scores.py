"""Scores as a report: one row a run, one column a measure."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.layout import Cell, Column, Grid, Report, number, plain
from judge_tui.scoring import Measure, Scores, parse_measure

__all__ = ["judged_beside", "judged_grid", "score_report"]


def judged_beside(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The Judged@k to print beside measures that have none: one for each cutoff in use.

    Measures of the whole list alone are given Judged@10.
    """
    if any(measure.definition.name == "Judged" for measure in measures):
        return ()
    cutoffs = sorted({measure.cutoff for measure in measures if measure.cutoff is not None})
    return tuple(parse_measure(f"Judged@{cutoff}") for cutoff in cutoffs or (10,))


def score_report(
    scores: Scores, *, beside: Sequence[Measure] = (), per_query: bool = False
) -> Report:
    """`scores` in its measures; `beside` are measures that only readers' tables get in addition.

    The values of `beside` must be among those of the runs.
    """
    shown = (*scores.measures, *beside)
    grids = [_means(scores, shown)]
    if per_query:
        grids.append(_per_query(scores, shown))
    notes = [f"warning: {warning}" for warning in scores.warnings]
    if scores.complete:
        notes.append("every query of the qrels is averaged; one without results counts as 0")
    if scores.judged_only:
        notes.append(
            "lists are condensed to judged documents before they are scored, but for Judged"
        )
    return Report(
        document=scores.to_dict(per_query=per_query),
        header=("tag", "query_id", "measure", "value"),
        rows=scores.to_rows(per_query=per_query),
        grids=grids,
        notes=notes,
        aside=[
            f"{run.tag}: {len(run.query_ids)} queries averaged, "
            f"{len(run.missing_run)} not in the run, {len(run.missing_qrels)} not in the qrels"
            for run in scores.runs
        ],
    )


def judged_grid(scores: Scores, measures: Sequence[Measure]) -> Grid:
    """How much of each run's results is judged: what every other number rests on."""
    columns = [Column("run", plain, right=False), *(Column(str(m), number) for m in measures)]
    return Grid(
        "Judged",
        columns,
        [(run.tag, *(run.mean(measure) for measure in measures)) for run in scores.runs],
    )


def _means(scores: Scores, measures: Sequence[Measure]) -> Grid:
    columns = [
        Column("run", plain, right=False),
        Column("queries"),
        Column("not in run"),
        Column("not in qrels"),
        *(Column(str(measure), number) for measure in measures),
    ]
    rows: list[Sequence[Cell]] = [
        (
            run.tag,
            len(run.query_ids),
            len(run.missing_run),
            len(run.missing_qrels),
            *(run.mean(measure) for measure in measures),
        )
        for run in scores.runs
    ]
    return Grid("", columns, rows)


def _per_query(scores: Scores, measures: Sequence[Measure]) -> Grid:
    columns = [
        Column("run", plain, right=False),
        Column("query", plain, right=False),
        *(Column(str(measure), number) for measure in measures),
    ]
    rows: list[Sequence[Cell]] = [
        (run.tag, query_id, *(run.values[str(measure)][place] for measure in measures))
        for run in scores.runs
        for place, query_id in enumerate(run.query_ids)
    ]
    return Grid("By query", columns, rows)
