"""Tables that hold the results of several systems, which a column tells apart: a run is of one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from judge_tui.formats.ids import decode_id
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.seen import FirstLines
from judge_tui.formats.table import Pair, Table

__all__ = ["Systems"]

_COLUMNS = ("tag", "system", "system_id", "run", "run_id", "run_name", "model")


class Systems:
    """Where a document of a query, or a rank, comes again for another system of such a column, that
    is reported, once; and from there on the rows of the first system count alone.

    Any column may be called so: where nothing comes again, it tells nothing.
    """

    def __init__(self, table: Table, report: Reporter) -> None:
        names = table.header.names
        place = next((place for place, name in enumerate(names) if name in _COLUMNS), None)
        self.places: Sequence[int] = [] if place is None else [place]
        self._column = "" if place is None else table.header.written[place].strip()
        self._report = report
        self._any, self._own = FirstLines(), FirstLines()
        self._first: str | None = None
        self._told = False

    def is_other(self, row: Pair, rank: str | None, system: str) -> bool:
        """Whether the row is of another system; `rank`: the cell of its rank, if that counts."""
        self._first = system if self._first is None else self._first
        if self._told:
            return system != self._first
        said: list[tuple[str, Hashable]] = [
            (f"document {quoted(decode_id(row.doc_id))}", row.doc_id)
        ]
        said += [(f"rank {quoted(rank)}", (rank,))] if rank else []
        for called, key in said:
            before = self._any.of((row.query_id, key), row.line)
            again = self._own.of((row.query_id, key, system), row.line)
            if before is not None and again is None:
                self._told = True
                column = quoted(self._column)
                self._report(
                    row.line,
                    f"{called} of query {quoted(decode_id(row.query_id))}, line {before}, comes"
                    f" again for another {column}, {quoted(system)}: a table holds one run",
                    f"write a file for each {column}, and give score or compare all of them",
                )
                return True
        return False
