"""Who judges, and how much, as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.grids import Field, Records, Report

if TYPE_CHECKING:
    from judge_tui.campaign.overview.progress import JudgeProgress

__all__ = ["judges_report"]

_FIELDS = (
    Field("judge", "judge", right=False),
    Field("formerly", "formerly", right=False),
    Field("kind", "kind", right=False),
    Field("role", "role", right=False),
    *(Field(key, key) for key in ("pairs", "graded", "skipped", "cannot", "settled")),
    Field("last_written", "last written", right=False),
)


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
    table = Records(
        "judges",
        _FIELDS,
        [
            (
                *(judge.name, formerly.get(judge.name, ""), judge.kind, judge.role),
                *(judge.pairs, judge.graded, judge.skipped, judge.cannot),
                settled.get(judge.name, 0),
                last_written.get(judge.name, ""),
            )
            for judge in judges
        ],
    )
    return Report(
        document={
            "schema_version": 1,
            "settings": {"include_models": include_models},
            table.name: table.to_dicts(),
            "warnings": [],
        },
        header=table.header,
        rows=table.lines(),
        grids=[table.grid()],
    )
