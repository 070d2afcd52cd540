"""Runs that are scored and compared by answers: what is right, and what the queries demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from judge_tui.cli.inputs import STDIN, Inputs, named_sources
from judge_tui.errors import InputError, UsageError

if TYPE_CHECKING:
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.formats.answers import Answered
    from judge_tui.model import Query
    from judge_tui.sources.named_alike import OneRun

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
    the ids of the runs. Runs by texts, files of `run_format` if that is given, come under the same
    names (`named_alike`), or all under texts where every run has these. Raises `InputError` for a
    bad file, and `UsageError` where a campaign is named, too, or no run, or `-` twice.
    """
    if campaign is not None:
        raise click.UsageError("--answers and --db both say what is right; give one of them")
    if not names:
        raise click.UsageError("Missing argument 'RUN...'")
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats import iter_queries, named_runs
    from judge_tui.formats.answers import cautions_of, graded_zero_alone, read_answers
    from judge_tui.formats.asked_otherwise import HeldToAsked, asked_of, held_to_asked
    from judge_tui.scoring.demands import Demands
    from judge_tui.sources.named_alike import named_by_text

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
        lines = [(line, _plain(query)) for line, query in iter_queries(queries)]
        asked, others, called, notes = _among(queries, lines, answers, read)
    else:
        lines = [(answer.line, _plain(answer.as_query())) for answer in read]
        asked = [_Asked(query, answer) for (_, query), answer in zip(lines, read, strict=True)]
    runs: Sequence[OneRun] = named_sources(named)
    by_text = named_by_text(runs, [*(query for query, _ in asked), *others], run_format)
    by_id = [path for path, its in zip(paths, by_text, strict=True) if not its]
    told: list[HeldToAsked] = []
    if by_id and queries is not None:
        told = [held_to_asked(queries, lines, asked_of(by_id))]
    elif by_id:
        by_place = "give the queries that the run was asked, with --queries FILE, or ask anew"
        ids = "give the file of these with --queries"
        told = [held_to_asked(answers, lines, asked_of(by_id), mend=by_place, write_ids=ids)]
    if any(by_text):
        _refuse_doubled(answers, asked)
        if not by_id:
            asked, others = _one_of_each_text(asked, others)
        asked, runs = _alike(answers, asked, others, runs, run_format)
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
            *graded_zero_alone(called),
            *notes,
            *(note for one in told for note in one.notes),
        ),
        warnings=tuple(warning for one in told for warning in one.warnings),
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


def _plain(query: Query) -> Query:
    """The query under its id as runs have it."""
    from judge_tui.formats.ids import plain_field

    return replace(query, query_id=plain_field(query.query_id))


def _refuse_doubled(path: str, asked: Sequence[_Asked]) -> None:
    """Raise `InputError` for a text that two answers are about, where a run has nothing else."""
    from judge_tui.formats.problems import quoted

    of_text: dict[str, Answered] = {}
    for query, answer in asked:
        text = _text_of(query)
        first = of_text.setdefault(text, answer)
        if first.query_id != answer.query_id:
            raise InputError(
                path,
                answer.line,
                f"query {quoted(text)} is there already, in line {first.line}, and the runs"
                " name queries by their texts",
                "write what is right for it in one place",
            )


def _one_of_each_text(
    asked: Sequence[_Asked], others: Sequence[Query]
) -> tuple[list[_Asked], tuple[Query, ...]]:
    """Those that texts tell apart, the later of two."""
    of_text = {_text_of(one.query): one for one in asked}
    rest = {_text_of(query): query for query in others if _text_of(query) not in of_text}
    return list(of_text.values()), tuple(rest.values())


def _alike(
    path: str,
    asked: Sequence[_Asked],
    others: Sequence[Query],
    runs: Sequence[OneRun],
    run_format: str | None,
) -> tuple[list[_Asked], list[OneRun]]:
    """The queries and the runs under the same names: texts, where no run has ids."""
    from judge_tui.sources.named_alike import named_alike

    # Answers go with their queries: as if nobody but the runs had names for these.
    queries = [replace(one, own_id=False) for one in (*(query for query, _ in asked), *others)]
    found = named_alike({}, runs, queries, path=path, asked=path, by_text=True, format=run_format)
    called = [
        _Asked(replace(query, query_id=its.query_id), answer)
        for (query, answer), its in zip(asked, found.queries, strict=False)
    ]
    return called, found.runs


def _text_of(query: Query) -> str:
    """By what runs name it that have no ids."""
    from judge_tui.formats.ids import one_blank

    return one_blank(query.text) or query.query_id
