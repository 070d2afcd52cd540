"""What is wrong with a block of a run, said without reading again, line by line, all before it."""

from __future__ import annotations

from collections.abc import Container

from judge_tui.errors import InputError
from judge_tui.formats.problems import Reporter
from judge_tui.formats.read import sound_pairs
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.trec_run import rows_of_lines

__all__ = ["BlockFaultError", "fault_in"]


class BlockFaultError(Exception):
    """No reader of blocks takes this one: `text`, which has `offset` bytes of the run before it,
    with these `queries` and the tag `tag` (None: with no line)."""

    def __init__(
        self, text: bytes, offset: int, queries: Container[str], tag: bytes | None
    ) -> None:
        super().__init__()
        self.text, self.offset, self.queries, self.tag = text, offset, queries, tag


def fault_in(fault: BlockFaultError, source: Source, *, any_tag: bool) -> InputError | None:
    """The first fault of the file, if it is one of this block alone; `source` was just rewound.

    None where it needs what was before: another tag, a query that comes again. And where there is
    none: what the readers of blocks doubt may be right.
    """
    tag = fault.tag
    if tag is None or b"\0" in fault.text:
        return None
    try:
        number = _lines_before(source, fault.offset)
        lines = enumerate(fault.text.split(b"\n"), number + 1)
        report = Reporter(source.path)
        rows = rows_of_lines(lines, report, tagged=bool(tag))
        for row in sound_pairs(rows, report):
            other_tag = row.tag is not None and row.tag.encode() != tag and not any_tag
            if other_tag or row.query_id in fault.queries:
                return None
    except UnreadableError:
        return None
    except InputError as error:
        return error
    return None


def _lines_before(source: Source, offset: int) -> int:
    number = 0
    for piece in source.pieces():
        if offset <= len(piece):
            return number + piece.count(b"\n", 0, offset)
        number += piece.count(b"\n")
        offset -= len(piece)
    return number
