"""Runs that are scored and compared by answers: what is right, and what the queries demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from judge_tui.cli.inputs import STDIN, Inputs, named_sources
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.formats.answers import Answered
    from judge_tui.model import Query

__all__ = ["from_answers"]


class _Asked(NamedTuple):
    """A query as the runs call it, with what is said of it, and what is right for it."""

    query: Query
    answer: Answered


def from_answers(
    answers: str,
    queries: str | None,
    names: Sequence[str],
    campaign: CampaignChoice | None,
    run_format: str | None,
) -> Inputs:
    """Runs by their `names`, and what a file of answers says of each query, which `queries` call by
    the ids of the runs. Runs by texts, files of `run_format` if that is given, come under these
    ids. Raises `InputError` for a bad file, and `UsageError` where a campaign is named, too, or no
    run, or `-` twice.
    """
    if campaign is not None:
        raise click.UsageError("--answers and --db both say what is right; give one of them")
    if not names:
        raise click.UsageError("Missing argument 'RUN...'")
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats import iter_queries, named_runs
    from judge_tui.formats.answers import cautions_of, read_answers
    from judge_tui.formats.query_names import QueryNames
    from judge_tui.scoring.demands import Demands
    from judge_tui.sources.by_text import runs_under_ids

    named = named_runs(names)
    paths = [path for _, path in named]
    if [answers, queries, *paths].count(STDIN) > 1:
        what = "queries and run" if queries == STDIN else "answers and run"
        what = "answers and queries" if answers == queries else what
        raise UsageError(f"standard input cannot be both {what}", "give one of them a file")
    read = read_answers(answers)
    others: tuple[Query, ...] = ()
    called: Sequence[Answered] = read
    notes: list[str] = []
    if queries is not None:
        lines = list(iter_queries(queries))
        asked, others, called, notes = _among(queries, lines, answers, read)
    else:
        asked = [_Asked(answer.as_query(), answer) for answer in read]
    names_of = QueryNames.of([*(query for query, _ in asked), *others])
    runs = runs_under_ids(named_sources(named), names_of, run_format)
    watch_patterns(answers)
    truths = {query.query_id: answer.truths for query, answer in asked if answer.truths}
    grades = {
        query_id: {truth.key: truth.grade for truth in its} for query_id, its in truths.items()
    }
    about = [query for query, _ in asked]
    return Inputs(
        grades,
        runs,
        (answers, *paths),
        truths=truths,
        queries=[*about, *others],
        demands=Demands.made(about, {query.query_id: answer.demands for query, answer in asked}),
        notes=(
            *cautions_of(called),
            *notes,
        ),
    )


def _among(
    queries: str, lines: Sequence[tuple[int, Query]], path: str, read: Sequence[Answered]
) -> tuple[list[_Asked], tuple[Query, ...], Sequence[Answered], list[str]]:
    """The answers with their queries of the file `queries`, its `lines`, which says what queries
    there are; the other queries of that file; all answers as it calls them; what is to be told."""
    from judge_tui.formats.answers.whose import together, unasked_called
    from judge_tui.scoring.class_terms import misspelt
    from judge_tui.scoring.demands import first_named

    both = together(read, path, lines, queries)
    asked = [_Asked(query, both.answers[query.query_id]) for query in both.queries]
    notes = list(misspelt(query.query_class for _, query in lines))
    if both.unasked:
        those = first_named(unasked_called(both.unasked))
        notes.append(f"answers to queries that are not in {queries}, left out: {those}")
    if both.others:
        those = first_named([query.query_id for query in both.others])
        notes.append(f"queries of {queries} without an answer, left out: {those}")
    return asked, both.others, both.called, notes
