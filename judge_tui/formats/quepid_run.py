"""Runs as Quepid exports them: the results of a case (detailed CSV), or of snapshots."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.columns import QUEPID_SNAPSHOT
from judge_tui.formats.ids import as_field
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.quepid_tables import has_columns, quepid_rows
from judge_tui.formats.ranks import Ranks
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import header_of
from judge_tui.formats.trec_run import RunRow

__all__ = ["rows"]


_TIME, _RATING = "snapshot_time", "rating"


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every well-formed row that has a position, which is the rank; one with a rating alone was
    not returned. The tag is the snapshot's name. A query without documents was asked, and nothing
    was found. Raises `UnreadableError` for two snapshots of one name, which were made at two times.
    """
    header = header_of(Sample(source))
    columns = [name for name in (QUEPID_SNAPSHOT, _TIME, _RATING) if has_columns(header, name)]
    tags = QUEPID_SNAPSHOT if QUEPID_SNAPSHOT in columns else None
    ranks: dict[str | None, Ranks] = {}
    times: dict[str, tuple[str, int]] = {}
    found = quepid_rows(source, report, "doc_position", *columns, tags=tags)
    for line, query_id, doc_id, (cell, *more) in found:
        beside = dict(zip(columns, more, strict=True))
        if not cell and beside.get(_RATING):
            continue
        tag = as_field(name) if (name := beside.get(QUEPID_SNAPSHOT)) else None
        if tag and (time := beside.get(_TIME)):
            before, its_line = times.setdefault(tag, (time, line))
            if before != time:
                raise UnreadableError(
                    source.path,
                    line,
                    f"two snapshots are called {quoted(name or '')}: of {before}, line {its_line},"
                    f" and of {time}",
                    "give one of them another name, in all its rows",
                )
        score = ranks.setdefault(tag, Ranks(report)).score(line, query_id, cell)
        if score is not None:
            yield RunRow(line, query_id, doc_id, score, tag)
    snapshots = dict.fromkeys((*ranks, *(lone.tag for lone in report.lone_queries)))
    if len(snapshots) > 1:
        each = ", ".join(quoted(tag or "") for tag in snapshots)
        report.notes.append(f"{len(snapshots)} snapshots, each a run: {each}")
