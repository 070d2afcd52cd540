"""Runs that are scored and compared by answers: what is right, and what the queries demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from judge_tui.cli.inputs import STDIN, Inputs, named_sources
from judge_tui.errors import InputError, UsageError

if TYPE_CHECKING:
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.formats.answers import Answered
    from judge_tui.scoring.demands import Demands

__all__ = ["from_answers"]


def from_answers(answers: str, names: Sequence[str], campaign: CampaignChoice | None) -> Inputs:
    """Runs by their `names`, and what a file of answers says of each query. Raises `InputError` for
    a bad file, and `UsageError` where a campaign is named, too, or no run, or `-` as both.
    """
    if campaign is not None:
        raise click.UsageError("--answers and --db both say what is right; give one of them")
    if not names:
        raise click.UsageError("Missing argument 'RUN...'")
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats import named_runs
    from judge_tui.formats.answers import cautions_of, read_answers, unanswerable
    from judge_tui.formats.ids import plain_field
    from judge_tui.formats.queries_and_documents import has_queries_by_text

    named = named_runs(names)
    paths = [path for _, path in named]
    if answers == STDIN and STDIN in paths:
        raise UsageError("standard input cannot be both answers and run", "give one of them a file")
    read = read_answers(answers)
    if all(has_queries_by_text(path, "run") for path in paths):
        read = _called_by_text(answers, read)
    watch_patterns(answers)
    truths = {plain_field(answer.query_id): answer.truths for answer in read if answer.truths}
    queries = [answer.as_query() for answer in read]
    grades = {
        query_id: {truth.key: truth.grade for truth in its} for query_id, its in truths.items()
    }
    return Inputs(
        grades,
        named_sources(named),
        (answers, *paths),
        truths=truths,
        queries=queries,
        demands=_demands(read),
        notes=(*cautions_of(read), *unanswerable(read)),
    )


def _called_by_text(path: str, read: Iterable[Answered]) -> list[Answered]:
    """The same under the texts of their queries, which is what the runs call them. Raises
    `InputError` for one that is there twice."""
    from judge_tui.formats.problems import quoted

    called: dict[str, Answered] = {}
    for answer in read:
        text = " ".join(answer.query.split()) or answer.query_id
        if (first := called.get(text)) is not None:
            raise InputError(
                path,
                answer.line,
                f"query {quoted(text)} is there already, in line {first.line}, and the runs name"
                " queries by their texts",
                "write what is right for it in one place",
            )
        called[text] = replace(answer, query_id=text)
    return list(called.values())


def _demands(read: Iterable[Answered]) -> Demands:
    from judge_tui.formats.ids import plain_field
    from judge_tui.scoring.class_terms import class_called
    from judge_tui.scoring.demands import Demands, subset_called

    by_id = {plain_field(answer.query_id): answer for answer in read}
    return Demands(
        {query_id: one.demands for query_id, one in by_id.items()},
        {query_id: class_called(one.query_class) for query_id, one in by_id.items()},
        {query_id: subset_called(one.subset) for query_id, one in by_id.items() if one.subset},
    )
