"""The lead's list: where judges differ, what it does to the order of systems, what was settled."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.overview.cases import NOT_DECIDED, opinions_of
from judge_tui.campaign.overview.disagreements import OrderedCases, ordered_cases
from judge_tui.campaign.store.adjudication import settlement_of
from judge_tui.campaign.store.arrays import CANNOT, SKIPPED
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import models_count
from judge_tui.errors import UsageError
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.tables import Value, csv_lines
from judge_tui.formats.writing import form_of, write_lines
from judge_tui.scoring import Measure

__all__ = ["Disagreement", "disagreement_rows", "export_disagreements"]

_WORDS: dict[int, int | str | None] = {NOT_DECIDED: None, SKIPPED: "skip", CANNOT: "cannot"}

_COLUMNS = ("query_id", "doc_id", "swaps", "change", "spread", "settled", "settled_by", "reason")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One row of the list. `swaps` and `change` are None where nothing is known of systems.

    `grades`: by judge, in the order of their names, the grade or `skip` or `cannot`; who did not
    decide the pair is not among them. `notes`: of those judges who wrote one. `settled`,
    `settled_by` and `reason` are the lead's, None where the pair is open.
    """

    query_id: str
    doc_id: str
    swaps: int | None
    change: float | None
    spread: int
    settled: int | None
    settled_by: str | None
    reason: str | None
    grades: dict[str, int | str]
    notes: dict[str, str]


def export_disagreements(
    campaign: Campaign,
    path: str | os.PathLike[str],
    measure: Measure,
    *,
    form: str | None = None,
    include_models: bool | None = None,
) -> Exported:
    """Write every disagreement to `path`, as CSV or JSON Lines, those first that matter most.

    Raises `UsageError` for a file whose form is not known and where fewer than two judges who count
    have graded, and `InputError` where it cannot be written.
    """
    form = form_of(path, form)
    with campaign.reading():
        found = ordered_cases(campaign, measure, include_models=include_models)
        _refuse_too_few(found, campaign, include_models=include_models)
        rows = list(disagreement_rows(campaign, found))
    if form == "csv":
        judges = [judge.name for judge in found.cases.judges]
        columns = [*_COLUMNS, *(f"{of}:{name}" for of in ("grade", "note") for name in judges)]
        lines = csv_lines(columns, (_cells(row, judges) for row in rows))
    else:
        lines = jsonl_lines(_document(row) for row in rows)
    write_lines(path, lines)
    counts = {
        "disagreements": len(rows),
        "settled by a lead": sum(row.settled is not None for row in rows),
    }
    if found.effects is not None:
        counts[f"can change the order of two systems by {measure}"] = int(
            (found.effects.swaps > 0).sum()
        )
    return Exported(counts)


def disagreement_rows(campaign: Campaign, found: OrderedCases) -> Iterator[Disagreement]:
    """The rows in their order; put it inside the `campaign.reading()` that `found` was read in."""
    cases, effects = found.cases, found.effects
    spread = cases.spread
    for at, place in enumerate(found.places.tolist()):
        pair = int(cases.pairs[place])
        ((query_id, doc_id),) = campaign.rows(
            "SELECT q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
            " JOIN documents AS d ON d.id = p.document WHERE p.id = ?",
            (pair,),
        )
        held = settlement_of(campaign, pair) if cases.settled[place] != NOT_DECIDED else None
        notes = {
            one.judge.name: one.note
            for one in (
                opinions_of(campaign, pair, include_models=True) if cases.noted[place] else ()
            )
            if one.note and one.judge in cases.judges
        }
        yield Disagreement(
            query_id=query_id,
            doc_id=doc_id,
            swaps=None if effects is None else int(effects.swaps[at]),
            change=None if effects is None else float(effects.change[at]),
            spread=int(spread[place]),
            settled=None if held is None else held.grade,
            settled_by=None if held is None else held.judge.name,
            reason=None if held is None else held.reason,
            grades={
                judge.name: word
                for judge, grade in zip(cases.judges, cases.grades[place].tolist(), strict=True)
                if (word := _WORDS.get(grade, grade)) is not None
            },
            notes=notes,
        )


def _refuse_too_few(
    found: OrderedCases, campaign: Campaign, *, include_models: bool | None
) -> None:
    graded = int((found.cases.grades >= 0).any(axis=0).sum())
    if graded < 2:
        models = "" if models_count(campaign, include_models) else ", or count the models"
        raise UsageError(
            f"a disagreement needs the grades of two judges; {graded} graded",
            f"let a second judge grade some of the pairs{models}",
        )


def _cells(row: Disagreement, judges: Sequence[str]) -> list[Value]:
    return [
        *(getattr(row, column) for column in _COLUMNS),
        *(row.grades.get(name) for name in judges),
        *(row.notes.get(name) for name in judges),
    ]


def _document(row: Disagreement) -> dict[str, object]:
    return {
        **{column: getattr(row, column) for column in _COLUMNS},
        "grades": row.grades,
        "notes": row.notes,
    }
