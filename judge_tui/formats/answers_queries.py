"""The queries that an answers file holds, with their classes, subsets and demands: what is right is
read elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.errors import InputError
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every query: `q001` and so on where the file has no ids of its own."""
    from judge_tui.formats.answers.reading import answers_in  # noqa: PLC0415 - few files are these

    try:
        answers = answers_in(source, report)
    except InputError as error:
        report.pass_on(error)
        return
    for answer in answers:
        yield answer.line, answer.as_query()
