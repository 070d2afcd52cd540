"""What a merge brought, as a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from judge_tui.report.layout import Column, Grid, Report, plain

if TYPE_CHECKING:
    from judge_tui.campaign.merge import Came, DecidedOtherwise, Merged, SettledOtherwise

__all__ = ["merge_report"]

_COUNTS = ("judges", "queries", "documents", "texts", "pairs", "gold", "assignments", "runs")
_CONFLICT = ("file", "of", "name", "field", "here", "there")
_DECIDED = ("file", "judge", "query", "document", "here", "there", "holds")
_SETTLED = ("file", "query", "document", "here", "there", "holds")
_CONFLICTS_SHOWN = 20


def merge_report(name: str, merged: Merged) -> Report:
    """What came into the campaign `name` from each file, and every value that differs."""
    conflicts = [tuple(asdict(one).values()) for one in merged.conflicts]
    told = [what for what in _COUNTS if any(getattr(came, what) for came in merged.files)]
    decided = [one for came in merged.files for one in came.decided_otherwise]
    settled = [one for came in merged.files for one in came.settled_otherwise]
    more = [
        f"and {left:,} more that {what}: -f json has all"
        for left, what in (
            (len(conflicts) - _CONFLICTS_SHOWN, "differ"),
            (len(decided) - _CONFLICTS_SHOWN, "were decided otherwise"),
            (len(settled) - _CONFLICTS_SHOWN, "were settled otherwise"),
        )
        if left > 0
    ]
    notes = [note for came in merged.files for note in _notes(came)]
    return Report(
        document={
            "schema_version": 1,
            "name": name,
            "files": [_file(came) for came in merged.files],
            "conflicts": [asdict(one) for one in merged.conflicts],
            "decided_otherwise": [asdict(one) for one in decided],
            "settled_otherwise": [asdict(one) for one in settled],
            "notes": notes,
        },
        header=_CONFLICT,
        rows=[
            *(row for came in merged.files for row in _rows(came)),
            *conflicts,
            *((one.file, "decision", *_deciding(one)) for one in decided),
            *((one.file, "settling", *_settling(one)) for one in settled),
        ],
        grids=[
            Grid(
                "What came",
                [Column("file", plain, right=False), *map(Column, (*told, "events"))],
                [
                    (came.file, *(getattr(came, what) for what in told), _total(came))
                    for came in merged.files
                ],
            ),
            *_conflict_grids(conflicts[:_CONFLICTS_SHOWN]),
            *_decided_grids(decided[:_CONFLICTS_SHOWN]),
            *_settled_grids(settled[:_CONFLICTS_SHOWN]),
        ],
        notes=[*more, *notes],
    )


def _conflict_grids(conflicts: list[tuple[str, ...]]) -> Iterator[Grid]:
    if conflicts:
        columns = [Column(name, plain, right=False) for name in _CONFLICT]
        yield Grid("What differs: what is here stays", columns, conflicts)


def _decided_grids(decided: list[DecidedOtherwise]) -> Iterator[Grid]:
    if decided:
        columns = [Column(name, plain, right=False) for name in _DECIDED]
        rows = [
            (
                one.file,
                one.judge + (" (hidden repeat)" if one.repeat else ""),
                one.query_id,
                one.doc_id,
                *(_decision(what) for what in (one.here, one.there, one.holds)),
            )
            for one in decided
        ]
        yield Grid("Decided otherwise there by the same judge", columns, rows)


def _decision(what: int | str) -> str:
    return {"skip": "skipped", "cannot": "cannot be judged"}.get(str(what), str(what))


def _deciding(one: DecidedOtherwise) -> tuple[str, str, str, str]:
    """For CSV, as a value that differs."""
    here, there = (
        f"{_decision(what)} ({one.judge}){', holds' if what == one.holds else ''}"
        for what in (one.here, one.there)
    )
    if one.holds not in (one.here, one.there):
        here += f", {_decision(one.holds)} holds"
    field = "hidden repeat" if one.repeat else "decision"
    return f"{one.query_id} {one.doc_id}", field, here, there


def _settled_grids(settled: list[SettledOtherwise]) -> Iterator[Grid]:
    if settled:
        columns = [Column(name, plain, right=False) for name in _SETTLED]
        rows = [
            (
                one.file,
                one.query_id,
                one.doc_id,
                f"{one.grade_here} ({one.lead_here})",
                f"{one.grade_there} ({one.lead_there})",
                _held(one),
            )
            for one in settled
        ]
        yield Grid("Settled otherwise there: the later settling holds", columns, rows)


def _settling(one: SettledOtherwise) -> tuple[str, str, str, str]:
    """For CSV, as a value that differs."""
    ends = {one.holds: ", holds"}
    return (
        f"{one.query_id} {one.doc_id}",
        "grade",
        f"{one.grade_here} ({one.lead_here}){ends.get('here', '')}",
        f"{one.grade_there} ({one.lead_there}){ends.get('there', '')}",
    )


def _held(one: SettledOtherwise) -> str:
    return str(one.grade_here if one.holds == "here" else one.grade_there)


def _total(came: Came) -> int:
    return sum(came.events.values())


def _known(came: Came) -> int:
    return came.events_there - _total(came) - came.events_left_out


def _file(came: Came) -> dict[str, object]:
    return {
        "file": came.file,
        "itself": came.itself,
        "came": {**{what: getattr(came, what) for what in _COUNTS}, "events": _total(came)},
        "events_by_judge": came.events,
        "events_there_already": _known(came),
        "pairs_only_here": came.pairs_only_here,
        "pairs_only_there": came.pairs,
        "placed_otherwise": came.placed_otherwise,
        "other_queries": list(came.other_queries),
        "pairs_left_out": came.pairs_left_out,
        "events_left_out": came.events_left_out,
        "near_names": {name: list(near) for name, near in came.near_names.items()},
    }


def _rows(came: Came) -> Iterator[tuple[str, str, str, str, int, int | None]]:
    """For CSV: of each count how much there was new, and of events how much was here already."""
    for what in _COUNTS:
        yield came.file, "came", what, "new", getattr(came, what), None
    for judge, count in came.events.items():
        yield came.file, "judge", judge, "new events", count, None


def _notes(came: Came) -> Iterator[str]:
    if came.itself:
        yield f"{came.file}: is this campaign itself; there is nothing to merge"
        return
    known = _known(came)
    if came.other_queries:
        yield (
            f"{came.file}: queries that are other ones here are left out, with"
            f" {_counted(came.pairs_left_out, 'new pair')} and"
            f" {_counted(came.events_left_out, 'event')}: {', '.join(came.other_queries)}"
        )
    if not _total(came) and not any(getattr(came, what) for what in _COUNTS):
        yield f"{came.file}: nothing new; {_counted(known, 'event')} here already"
    for judge, count in came.events.items():
        yield f"{came.file}: {_counted(count, 'event')} of {judge}"
    for judge, near in came.near_names.items():
        yield (
            f"{came.file}: judge {judge!r} is new, and nearly the name of"
            f" {', '.join(map(repr, near))}: two judges, though it may be one person"
        )
    for told in came.told:
        yield f"{came.file}: {told}"
    if came.pairs:
        yield (
            f"{came.file}: the pool was another there:"
            f" {_counted(came.pairs, 'pair')} only there until now"
        )
    decided = dict.fromkeys((one.judge, one.query_id, one.doc_id) for one in came.decided_otherwise)
    for judge, count in Counter(judge for judge, _, _ in decided).items():
        yield (
            f"{came.file}: {judge} decided {_counted(count, 'pair')} otherwise there:"
            " the later decision holds, but that of the app over a file that was loaded without it"
        )
    if came.settled_otherwise:
        yield (
            f"{came.file}: {_counted(len(came.settled_otherwise), 'pair')} settled otherwise there:"
            " the later settling holds; Review shows both"
        )
    if came.placed_otherwise:
        yield (
            f"{came.file}: {_counted(came.placed_otherwise, 'assignment')} at another place of the"
            " desk there; the order of the desks here stays"
        )


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
