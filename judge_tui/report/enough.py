"""Whether enough is judged, as a table: the same in `status`, after `pool` and on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge_tui.counts import counted
from judge_tui.report.layout import (
    Cell,
    Column,
    Decimals,
    Table,
    interval,
    short_difference,
    word,
)

if TYPE_CHECKING:
    from judge_tui.analysis.enough import Enough
    from judge_tui.analysis.unbiased import Missed
    from judge_tui.campaign.overview.enough import EnoughNow


def enough_tables(enough: EnoughNow) -> tuple[Table, Table]:
    """Whether enough is judged, and how much of what is relevant nobody has seen."""
    since = ""
    if enough.as_of is not None:
        since = f" (as of round {enough.as_of.round}, {enough.as_of.judged:,} judged)"
    return enough_table(enough.answers, since), missed_table(enough.missed, since)


def as_of(enough: EnoughNow) -> dict[str, int] | None:
    """The round as of which there are estimates, as a setting; None where that is now."""
    return None if enough.as_of is None else enough.as_of._asdict()


def enough_table(enough: Sequence[Enough], since: str) -> Table:
    """A row for each pair of runs: the unbiased difference and the interval that holds at every
    look, the bounds that the unjudged leave open, and the answer. Readers do not get a column in
    which nothing is known."""
    columns = [
        word("tag", "run"),
        *map(word, ("baseline", "measure")),
        Column("delta", "difference", short_difference),
        interval("interval", "at every look", short_difference),
        interval("bounds", "bounds", short_difference),
        word("", "enough?", str),
        word("answer", get=lambda one: str(one.answer)),
        *map(Column, ("more", "left", "queries")),
        word("why"),
    ]
    title = ""
    if enough:
        alone = f"{enough[0].tag} " if len(enough) == 1 else ""
        title = f"Enough? {enough[0].measure}, {alone}beside {enough[0].baseline}{since}"
    numbers = ("delta", "interval", "bounds")
    unknown = [key for key in numbers if all(getattr(one, key) is None for one in enough)]
    return Table.of(title, columns, enough, "enough", key_columns=1).hide(*unknown)


def missed_table(missed: Missed | None, since: str) -> Table:
    """How many relevant documents are not judged yet: of all runs, and of the top of each."""
    columns = [
        word("tag", "run"),
        Column("missed", "relevant", _WHOLE),
        interval("missed_ci95", "95 % interval", _WHOLE),
    ]
    rows: list[list[Cell]] = []
    title = ""
    if missed is not None:
        rows = [["all", missed.relevant, missed.interval]]
        rows += [[tag, number, None] for tag, number in missed.by_run.items()]
        of = counted(missed.unjudged, "unjudged document")
        title = f"Missed so far: relevant ones (grade {missed.rel} or more) among {of}{since}"
    return Table(title, columns, rows, "missed", key_columns=1)


_WHOLE = Decimals(0)
