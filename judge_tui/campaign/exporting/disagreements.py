"""The lead's list: where judges differ, what it does to the order of systems, what was settled."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from judge_tui.agreement.ratings import too_few_judges
from judge_tui.campaign.exporting import ExportCounts
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.overview.disagreements import SWAPS_BY, OrderedCases, ordered_cases
from judge_tui.campaign.overview.model_grades import model_against
from judge_tui.campaign.store.adjudication import adjudications
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import doc_ids_by_key
from judge_tui.campaign.store.judgments import notes
from judge_tui.campaign.store.queries import query_names
from judge_tui.errors import UsageError
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writing import form_of, write_lines
from judge_tui.scoring import Measure

_COLUMNS = ("query_id", "doc_id", "swaps", "change", "spread", "settled", "settled_by", "reason")
_WORDS: dict[int, str | None] = {NOT_DECIDED: None, SKIPPED: "skip", CANNOT: "cannot"}


def export_disagreements(
    campaign: Campaign,
    path: str | os.PathLike[str],
    measure: Measure = SWAPS_BY,
    *,
    form: str | None = None,
    include_models: bool | None = None,
    against: str | None = None,
) -> ExportCounts:
    """Write every disagreement to `path`, as CSV or JSON Lines, those first that matter most;
    `against`: those of people and the model of that name.

    Raises `UsageError` for a file whose form is not known, where there is nobody or nothing to
    compare, and as `model_against`; `InputError` where it cannot be written.
    """
    form = form_of(path, form)
    with campaign.reading():
        model = model_against(campaign, against, include_models=include_models)
        found = ordered_cases(campaign, measure, include_models=include_models, against=model)
        if model is not None:
            _refuse_nothing_shared(found.cases, model.name)
        elif (graded := int((found.cases.grades >= 0).any(axis=0).sum())) < 2:
            raise too_few_judges(graded)
        rows = list(_rows(campaign, found))
    if form == "csv":
        names = [judge.name for judge in found.cases.judges]
        columns = [*_COLUMNS, *(f"{of}:{name}" for of in ("grade", "note") for name in names)]
        cells = (
            [
                *(row[column] for column in _COLUMNS),
                *(row[of].get(name) for of in ("grades", "notes") for name in names),
            ]
            for row in rows
        )
        write_lines(path, csv_lines(columns, cells))
    else:
        write_lines(path, jsonl_lines(rows))
    details = {"settled by a lead": sum(row["settled"] is not None for row in rows)}
    if found.effects is not None:
        swapping = int((found.effects.swaps > 0).sum())
        details[f"can change the order of two systems by {measure}"] = swapping
    return ExportCounts({"disagreements": len(rows)}, details)


def _refuse_nothing_shared(cases: Cases, name: str) -> None:
    if not ((cases.sides >= 0).sum(axis=1) > 1).any():
        raise UsageError(
            f"no pair has a final grade of people and a grade of {name!r}",
            f"let people judge some of its pairs: assign --judges A,B --by-model {name}",
        )


def _rows(campaign: Campaign, found: OrderedCases) -> Iterator[dict[str, Any]]:
    """The rows in their order. `swaps` and `change` are None where nothing is known of systems;
    `settled`, `settled_by` and `reason` are the lead's, None where the pair is open.

    `grades`: by judge, in the order of their names, the grade or `skip` or `cannot`; who did not
    decide the pair is not among them. `notes`: of those judges who wrote any, two looks' in two
    lines.
    """
    cases, effects, places = found.cases, found.effects, found.places
    queries, settled, written = query_names(campaign), adjudications(campaign), notes(campaign)
    documents = doc_ids_by_key(campaign, cases.documents[places].tolist())
    rows = zip(
        cases.pairs[places].tolist(),
        cases.queries[places].tolist(),
        cases.documents[places].tolist(),
        cases.spread[places].tolist(),
        cases.grades[places].tolist(),
        strict=True,
    )
    for at, (pair, query, document, spread, grades) in enumerate(rows):
        holds = settled.get(pair)
        yield {
            "query_id": queries[query].query_id,
            "doc_id": documents[document],
            "swaps": None if effects is None else int(effects.swaps[at]),
            "change": None if effects is None else float(effects.change[at]),
            "spread": spread,
            "settled": None if holds is None else holds.grade,
            "settled_by": None if holds is None else holds.judge.name,
            "reason": None if holds is None else holds.reason,
            "grades": {
                judge.name: word
                for judge, grade in zip(cases.judges, grades, strict=True)
                if (word := _WORDS.get(grade, grade)) is not None
            },
            "notes": {
                judge.name: "\n".join(dict.fromkeys(written[pair, judge.key]))
                for judge in cases.judges
                if (pair, judge.key) in written
            },
        }
