"""Queries of the body of a `_rank_eval` request, by the ids of its requests."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.ids import decode_id, is_blank
from judge_tui.formats.json_tree import Bare, Node, id_in, numbered
from judge_tui.formats.problems import Reporter
from judge_tui.formats.rated_lists import listed
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """The query of each request, where its id comes first. Its text is the parameter `query` of a
    template, or the only text among the parameters; a request of its own may hold it anywhere, and
    there the id stands for it."""
    without = 0
    seen: set[str] = set()
    for request, here in numbered(listed(source, report, "requests") or [], "request", report):
        query_id = id_in(request.get("id"), "query", request.line, here)
        if query_id is None or query_id in seen:
            continue
        seen.add(query_id)
        text, native = _text(request), decode_id(query_id)
        without += not text
        yield request.line, Query(native, text or native)
    if without:
        count = "1 query" if without == 1 else f"{without:,} queries"
        report.notes.append(
            f"{count} without a text among the request's 'params', where the id stands for it: a"
            " file with the texts, by load queries FILE --replace, changes that"
        )


def _text(request: Node) -> str:
    params = request.get("params")
    held = params if isinstance(params, Node) else {}
    texts = {
        name: value
        for name, value in held.items()
        if isinstance(value, str) and not isinstance(value, Bare) and not is_blank(value)
    }
    return texts.get("query") or (next(iter(texts.values())) if len(texts) == 1 else "")
