"""A whole run read plainly, for a file without faults: several times as fast as line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge_tui.errors import InputError
from judge_tui.formats.blocks import SMALL_BLOCK, blocks
from judge_tui.formats.plain_lists import go_together, lists_in, scores_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source, UnreadableError

if TYPE_CHECKING:
    from judge_tui.formats.registry import Format

__all__ = ["PlainRun", "plain_rows", "plain_run"]


class PlainRun(NamedTuple):
    """A run as the plain reader found it, a query that it names without documents with none; `tag`
    is None where no line has one."""

    scores: dict[str, dict[str, float]]
    tag: str | None


def plain_run(source: Source, *, any_tag: bool = False) -> PlainRun | None:
    """What a run of TREC holds, all at once; queries need not be contiguous.

    None means that something is wrong, or might be: the caller reads again, line by line. Two tags
    are a fault unless `any_tag`; which is then found is not said.
    """
    scores: dict[str, dict[str, float]] = {}
    tag: bytes | None = None
    try:
        for block in blocks(source.read_into, SMALL_BLOCK):
            lists = lists_in(block, any_tag=any_tag)
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


def plain_rows(source: Source, chosen: Format, *, any_tag: bool = False) -> PlainRun | None:
    """The same of a run in any other form, whose rows no duplicates are looked for among but by the
    lists that they make."""
    report = Reporter(source.path)
    scores: dict[str, dict[str, float]] = {}
    docs: dict[str, float] = {}
    tag: str | None = None
    last = None
    try:
        for _, query_id, doc_id, score, its_tag in chosen.rows(source, report):
            if query_id != last:
                docs, last = scores.setdefault(query_id, {}), query_id
            if doc_id in docs or (its_tag != tag and tag is not None and not any_tag):
                return None
            docs[doc_id] = score
            tag = tag or its_tag
    except InputError:
        return None
    return None if report.lone_queries or not scores else PlainRun(scores, tag)
