"""A whole run read plainly, for a file without faults: several times as fast as line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.formats.blocks import SMALL_BLOCK, blocks
from judge_tui.formats.plain_lists import Lists, go_together, lists_in, scores_in
from judge_tui.formats.source import Source, UnreadableError

if TYPE_CHECKING:
    from judge_tui.formats.format import Format

__all__ = ["PlainRun", "plain_run"]


class PlainRun(NamedTuple):
    """A run as the plain reader found it, a query that it names without documents with none; `tag`
    is None where no line has one."""

    scores: dict[str, dict[str, float]]
    tag: str | None


def plain_run(source: Source, chosen: Format, *, any_tag: bool = False) -> PlainRun | None:
    """What a run of that format holds, all at once; queries need not be contiguous.

    None means that something is wrong, or might be: the caller reads again, line by line. Two tags
    are a fault unless `any_tag`; which is then found is not said.
    """
    if chosen.name == "json":
        from judge_tui.formats.plain_json import plain_json  # noqa: PLC0415 - few runs are

        found = plain_json(source)
        return None if found is None else PlainRun(found, None)
    scores: dict[str, dict[str, float]] = {}
    tag: bytes | None = None
    try:
        for lists in _lists(source, chosen, any_tag=any_tag):
            if lists is None:
                return None
            if lists.by_query:
                if not go_together(tag, lists.tag, any_tag=any_tag):
                    return None
                tag = lists.tag
            for query, columns in lists.by_query.items():
                more = scores_in(columns)
                if more is None:
                    return None
                of_query = scores.setdefault(query.decode(), {})
                number = len(of_query) + len(more)
                of_query.update({doc.decode(): score for doc, score in more.items()})
                if len(of_query) != number:
                    return None
    except UnreadableError:
        return None
    return PlainRun(scores, tag.decode() or None) if tag is not None else None


def _lists(source: Source, chosen: Format, *, any_tag: bool) -> Iterator[Lists | None]:
    """Those of each block; none after one that is None."""
    if chosen.name == "trec":
        for block in blocks(source.read_into, SMALL_BLOCK):
            yield lists_in(block, any_tag=any_tag)
    elif chosen.lists is not None:
        from judge_tui.formats.plain_table import OddTableError  # noqa: PLC0415

        try:
            yield from chosen.lists(source, any_tag)
        except OddTableError:
            yield None
