"""What is scored and compared: qrels and runs from files, or a campaign as it stands now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Query, Run

if TYPE_CHECKING:
    from judge_tui.campaign.judged_runs import JudgedRuns
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.scoring.demands import Demands
    from judge_tui.scoring.truths import Truths
    from judge_tui.sources import NamedFile

__all__ = ["STDIN", "Inputs", "known_queries", "named_sources", "open_inputs"]

STDIN = "-"


class Inputs(NamedTuple):
    """Grades and runs, the latter as files that are not read yet or, from a campaign, whole.

    `files` are all that is read, which no output may replace; `judged` is there with a campaign,
    `truths` with answers in place of qrels: `qrels` then has their grades by key.
    `queries` are those that a campaign, answers or a benchmark hold, for their classes; `demands`
    what these demand, by the ids of the runs. `by_text`: the qrels name queries by their texts.
    `notes`: what else is to be known of them; `warnings`: what makes their numbers look better than
    they are.
    """

    qrels: Qrels
    runs: Sequence[str | NamedFile | Run]
    files: tuple[str, ...]
    judged: JudgedRuns | None = None
    truths: Truths | None = None
    queries: Iterable[Query] | None = None
    demands: Demands | None = None
    by_text: bool = False
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def open_inputs(
    names: Sequence[str],
    campaign: CampaignChoice | None,
    *,
    qrels_format: str | None = None,
    answers: str | None = None,
    queries: str | None = None,
    run_format: str | None = None,
) -> Inputs:
    """What the words of the command line stand for.

    With a file of `answers` they are runs, which call the queries as the file `queries` does, if
    that is given; it says nothing of other inputs. Such runs are files of `run_format`, if that is.
    With a campaign they are tags, all runs if there are none. Else the first is the qrels and the
    others runs (files, folders, patterns, `-`, and `TAG=FILE`, which gives a run a tag); or all of
    them are results, which are run and qrels in one: then the grades of all are put together.
    Raises `InputError` and `UsageError`.
    """
    if answers is not None:
        from judge_tui.cli.answers_inputs import from_answers

        return from_answers(answers, queries, names, campaign, run_format)
    return _opened(names, campaign, qrels_format)


def known_queries(inputs: Inputs) -> Sequence[Query]:
    """The queries, as far as they are known."""
    return tuple(inputs.queries or ())


def _opened(
    names: Sequence[str],
    campaign: CampaignChoice | None,
    qrels_format: str | None,
) -> Inputs:
    if campaign is not None:
        from judge_tui.cli.campaign_inputs import from_campaign

        return from_campaign(names, campaign)
    if not names:
        raise click.UsageError("Missing argument 'QRELS RUN...'; or name a campaign with --db")
    from judge_tui.formats import named_runs
    from judge_tui.formats.runs_and_qrels import read_named_qrels

    results = _results(names) if qrels_format in (None, "results") else []
    if results:
        from judge_tui.cli.results_inputs import from_results

        return from_results(results)
    if len(names) == 1:
        raise UsageError(
            f"{names[0]} alone is not enough: it does not hold both results and their grades",
            "give QRELS RUN..., or a CSV with query_id, doc_id, score or rank, and relevance, or a"
            " detailed CSV of Quepid's",
        )
    qrels, *runs = names
    named = named_runs(runs)
    paths = [path for _, path in named]
    if qrels == STDIN and STDIN in paths:
        raise UsageError("standard input cannot be both qrels and run", "give one of them a file")
    _refuse_one_for_both(qrels, paths)
    notes: list[str] = []
    grades, by_text = read_named_qrels(qrels, format=qrels_format, noted=notes.append)
    return Inputs(
        grades,
        named_sources(named),
        (qrels, *paths),
        queries=_of_benchmark(qrels, qrels_format),
        by_text=by_text,
        notes=tuple(notes),
    )


def _of_benchmark(path: str, format: str | None) -> list[Query] | None:
    """The queries that a file of qrels has, too; None where it is no benchmark, and where it cannot
    be read once more."""
    if path == STDIN or not Path(path).is_file() or not _is_benchmark(path, format):
        return None
    from judge_tui.sources import queries_from

    return queries_from(path)


def _is_benchmark(path: str, format: str | None) -> bool:
    from judge_tui.formats.source import open_source

    with open_source(path) as source:
        if format is None and not source.head.lstrip().startswith((b"[", b"{")):
            return False
        from judge_tui.formats.recognition import format_for

        return format_for(source, "qrels", format).name == "benchmark"


def _refuse_one_for_both(qrels: str, runs: Sequence[str]) -> None:
    """In JSON whole scores look like grades, and a run would be scored by itself."""
    if not Path(qrels).is_file() or _holds_both(qrels):
        return
    for run in runs:
        if Path(run).is_file() and Path(run).samefile(qrels):
            raise UsageError(
                f"{qrels} is given as qrels and as run",
                "give each its own file, or a CSV that holds both results and their grades",
            )


def named_sources(named: Sequence[tuple[str | None, str]]) -> list[str | NamedFile]:
    """Files as runs are read from them: under the tag that was given, else under their own."""
    from judge_tui.sources import NamedFile

    return [path if tag is None else NamedFile(tag, path) for tag, path in named]


def _results(names: Sequence[str]) -> list[tuple[str | None, str]]:
    """The files with their tags, if every one holds results and their grades; else none."""
    from judge_tui.formats import named_runs

    if len(names) == 1 and (alone := named_runs(names))[0][1] == STDIN:
        return alone
    # Only a file that stays can be looked into beforehand, and the first one tells nearly always.
    first = [names[0], *(names[0][at + 1 :] for at, sign in enumerate(names[0]) if sign == "=")]
    if len(names) > 1 and not any(map(_is_results, first)):
        return []
    named = named_runs(names)
    return named if all(_is_results(path) for _, path in named) else []


def _is_results(path: str) -> bool:
    return "\0" not in path and Path(path).is_file() and _holds_both(path)


def _holds_both(path: str) -> bool:
    from judge_tui.formats.recognition import holds_results
    from judge_tui.formats.source import open_source

    with open_source(path) as source:
        return holds_results(source) is not None
