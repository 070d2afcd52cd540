"""Ids that look the same as what is right and are not: `é` as one character, or as two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge_tui.analysis.evaluation import EvaluatedQuery
from judge_tui.model import composed

__all__ = ["look_alikes"]


def look_alikes(queries: Iterable[EvaluatedQuery]) -> Iterator[str]:
    """One sentence for each system that finds nothing right for a query among its first results,
    and would if Unicode's NFC and NFD were one; with the first such query."""
    seen: dict[str, tuple[int, str, str]] = {}
    for query in queries:
        wanted = {composed(expected) for expected, _grade in query.expected}
        for tag, found in query.found.items():
            if found.first is not None:
                continue
            like = [one for one, _grade in found.top if composed(one) in wanted]
            if like:
                count, first, doc_id = seen.get(tag, (0, query.query_id, like[0]))
                seen[tag] = count + 1, first, doc_id
    for tag, (count, first, doc_id) in seen.items():
        queries_of = "query" if count == 1 else "queries"
        yield (
            f"{tag}: for {count:,} {queries_of} (as {first}) a result looks like what is right, and"
            f" is written otherwise: {doc_id!a}; write both in one Unicode form, NFC or NFD"
        )
