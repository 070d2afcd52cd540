"""The grades of all judges: read for agreement and export."""

from __future__ import annotations

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.whose_grades import models_count
from judge_tui.model import Pair

__all__ = ["adjudications", "grades_by_judge"]


def grades_by_judge(
    campaign: Campaign, *, include_models: bool | None = None
) -> dict[str, dict[Pair, int]]:
    """Judge -> (query_id, doc_id) -> grade: the judgments that hold, judges by name.

    Judges without a grade are left out; those of kind `model`, too, unless asked for.
    """
    from judge_tui.campaign.held import held_decisions  # noqa: PLC0415 - numpy is not always needed

    grades: dict[str, dict[Pair, int]] = {}
    names: dict[int, Pair] = {}
    for judge in sorted(all_judges(campaign), key=lambda one: one.name):
        if judge.kind == "human" or models_count(campaign, include_models):
            pairs, given = held_decisions(campaign, judge.key).first_grades()
            if len(pairs):
                # One tuple for each pair, however many judges graded it.
                names = names or {key: pair for pair, key in pair_keys(campaign).items()}
                of_judge = zip(pairs.tolist(), given.tolist(), strict=True)
                grades[judge.name] = {names[key]: grade for key, grade in of_judge}
    return grades


def adjudications(campaign: Campaign) -> dict[Pair, int]:
    """The lead's final grades by (query_id, doc_id)."""
    rows = campaign.rows(
        "SELECT q.query_id, d.doc_id, a.grade FROM adjudications AS a"
        " JOIN pool AS p ON p.id = a.pair JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document ORDER BY p.id"
    )
    return {(query_id, doc_id): grade for query_id, doc_id, grade in rows}
