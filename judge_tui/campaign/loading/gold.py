"""Gold pairs: pairs of known grade, which every judge gets among the others."""

from __future__ import annotations

import os
from collections.abc import Iterable

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.pool import add_gold, gold_grades
from judge_tui.campaign.store.queries import known_queries
from judge_tui.errors import InputError
from judge_tui.formats.pair_rows import QrelsRow
from judge_tui.formats.rows import iter_qrels

__all__ = ["load_gold", "read_gold"]


def read_gold(path: str | os.PathLike[str]) -> list[QrelsRow]:
    """The rows of a qrels file. Raises `InputError`."""
    return list(iter_qrels(path))


def load_gold(campaign: Campaign, path: str | os.PathLike[str], rows: Iterable[QrelsRow]) -> int:
    """Make the rows of the file `path` gold pairs; returns how many are new.

    Pairs outside the pool join it, with stratum `gold`. Raises `InputError` for a grade off the
    scale, a query that the campaign does not have, and a gold pair that has another grade already.
    """
    with campaign.writing():
        queries = known_queries(campaign, path)
        rows = [row._replace(query_id=queries.get(row.line, row.query_id).query_id) for row in rows]
        known = gold_grades(campaign)
        for row in rows:
            _refuse_off_scale(campaign, path, row)
            grade = known.setdefault((row.query_id, row.doc_id), row.grade)
            if grade != row.grade:
                raise InputError(
                    path,
                    row.line,
                    f"the gold grade of {row.doc_id!r} for {row.query_id!r} is {grade} already,"
                    f" not {row.grade}",
                    "mend the line: a gold grade stays what it is",
                )
        return add_gold(campaign, {(row.query_id, row.doc_id): row.grade for row in rows})


def _refuse_off_scale(campaign: Campaign, path: str | os.PathLike[str], row: QrelsRow) -> None:
    scale = campaign.settings.scale
    if row.grade not in scale:
        raise InputError(
            path, row.line, scale.off_scale(row.grade), "mend the grade, or take the line out"
        )
