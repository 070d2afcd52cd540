"""Runs as MS MARCO takes them: `qid<TAB>pid<TAB>rank`, without a header, scores or a tag.

Ids have the codes that they have in the qrels beside them, which are TREC's, so that the two can be
joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.problems import Reporter
from judge_tui.formats.ranks import Ranks
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records
from judge_tui.formats.trec_run import RunRow

if TYPE_CHECKING:
    from judge_tui.formats.plain_lists import Lists

__all__ = ["rows"]

_LAYOUT = "qid<TAB>pid<TAB>rank"
_TELLING = 3


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every well-formed line."""
    ranks = Ranks(report)
    for line, (query, doc, rank) in tab_records(source, report, (3,), _LAYOUT):
        if is_blank(query) or is_blank(doc):
            noun = "query" if is_blank(query) else "document"
            report(line, f"the line has no {noun}", f"give each line a {noun}")
            continue
        query_id = as_field(query)
        score = ranks.score(line, query_id, rank.strip())
        if score is not None:
            yield RunRow(line, query_id, as_field(doc), score, None)


def lists(source: Source, _any_tag: bool) -> Iterator[Lists]:
    from judge_tui.formats.plain_table import lists_of_ranking  # noqa: PLC0415 - start-up is counted

    return lists_of_ranking(source)
