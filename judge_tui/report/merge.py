"""What a merge brought, as a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from judge_tui.report.grids import Cell, Grid, Report, columns_of

if TYPE_CHECKING:
    from judge_tui.campaign.store.merge import DecidedTwice, MergedFile

__all__ = ["merge_report"]

_CAME = ("file", "judge", "events", "here already", "new pairs")
_TWICE = ("file", "judge", "query", "document", "holds")
_SHOWN = 20
_WORDS: dict[int | str | None, str] = {
    "skip": "skipped",
    "cannot": "cannot be judged",
    None: "not decided",
}


def merge_report(name: str, files: Sequence[MergedFile]) -> Report:
    """What came into the campaign `name`, per file and judge, and the pairs that one judge decided
    on both sides, or leads settled."""
    came = [row for one in files for row in _came(one)]
    twice = [_twice(one.file, pair) for one in files for pair in one.decided_twice]
    grids = [Grid("What came", columns_of(_CAME, 2), came)]
    few = f", the first {_SHOWN} of {len(twice):,}" if len(twice) > _SHOWN else ""
    grids.append(Grid(f"Decided on both sides{few}", columns_of(_TWICE, 5), twice[:_SHOWN]))
    return Report(
        document={
            "schema_version": 1,
            "name": name,
            "files": [
                {
                    "file": one.file,
                    "itself": one.itself,
                    "events": one.events,
                    "events_here_already": one.known,
                    "pairs": one.pairs,
                    "decided_twice": [asdict(pair) for pair in one.decided_twice],
                }
                for one in files
            ],
        },
        header=("file", "of", "judge", "name", "value"),
        rows=[
            *((file, "came", judge, "events", events) for file, judge, events, *_ in came),
            *((f, "twice", judge, f"{q} {d}", holds) for f, judge, q, d, holds in twice),
        ],
        grids=grids,
    )


def _came(one: MergedFile) -> list[tuple[Cell, ...]]:
    """A row for each judge; one without a judge where nothing came."""
    by_judge = one.events.items() or [("this campaign itself" if one.itself else "", 0)]
    return [(one.file, judge, events, one.known, one.pairs) for judge, events in by_judge]


def _twice(file: str, pair: DecidedTwice) -> tuple[Cell, ...]:
    judge = pair.judge or "settled by leads"
    repeat = " (hidden repeat)" if pair.repeat else ""
    holds = _WORDS.get(pair.holds, str(pair.holds))
    return file, judge + repeat, pair.query_id, pair.doc_id, holds
