"""The inputs of a command scored: by their qrels, or by the answers in their place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar, cast

import click

from judge_tui.cli.inputs import Inputs
from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring import Measure, Rules, Scores
from judge_tui.streaming import score_sources

if TYPE_CHECKING:
    from judge_tui.scoring.demands import Demands, Met
    from judge_tui.scoring.truths import Credit

__all__ = [
    "answers_options",
    "credited",
    "refuse_beside_answers",
    "refuse_without_right",
    "score_inputs",
]

Command = TypeVar("Command", bound=Callable[..., object])


def answers_options(command: Command) -> Command:
    """`--answers` and `--credit`; the command gets `answers` and `credit`, None where not given."""
    credit = click.option(
        "--credit",
        type=click.Choice(["once", "every"]),
        help="With --answers: an answer counts once, at the first result that is right by it, in"
        " nDCG, AP and RR; or every right result does, as in tools that know no answers, and nDCG"
        " may exceed 1.  [default: once]",
    )
    answers = click.option(
        "--answers",
        metavar="FILE",
        help="Right answers in place of QRELS: paths, path:start-end lines or regular expressions"
        " (JSON, JSONL, TOML, CSV).",
    )
    return answers(credit(command))


def refuse_beside_answers(
    answers: str | None, credit: str | None, others: Iterable[tuple[str, object]]
) -> None:
    """Raise `UsageError` for options that mean nothing with, or without, answers. `others`: options
    that have no meaning beside answers, and what they were given."""
    if answers is None:
        if credit is not None:
            raise click.UsageError("--credit is about answers; give --answers FILE")
        return
    for option, given in others:
        if given:
            raise UsageError(
                f"{option} needs grades of documents, and answers have none",
                "leave one of them out",
            )


def refuse_without_right(inputs: Inputs, asked: Iterable[str]) -> None:
    """Raise `UsageError` for what is about measures, where answers say of no query what is right.
    `asked`: it as it is called."""
    for what in asked if inputs.truths == {} else ():
        raise UsageError(
            f"{what} is about measures, and the answers have nothing that is right, only what is to"
            " come first",
            "leave it out, or hold to what comes first: --by class --require modern/prefer>=0.8",
        )


def credited(credit: str | None) -> Credit:
    """How answers are credited, also where that is not said."""
    return cast("Credit", credit or "once")


def score_inputs(
    inputs: Inputs,
    measures: Sequence[Measure],
    *,
    rules: Rules,
    credit: str | None,
    format: str | None,
    told: Callable[[int, int], None] | None,
    met: dict[str, Met],
    precision: Literal[64, 32] = 64,
    jobs: int | None = None,
    grades: Sequence[int] | None = None,
    beside: bool = True,
) -> Scores:
    """Score the runs of the inputs; arguments and errors are those of `score_sources` and of
    `score_by_answers`. `met` is filled: tag -> how the run meets what queries demand, by
    `depth` results a query at most."""
    demands = inputs.demands
    demanding = demands.query_ids if demands else ()
    if inputs.truths is None:
        scores = score_sources(
            inputs.qrels,
            inputs.runs,
            measures,
            rules=rules,
            precision=precision,
            jobs=jobs,
            format=format,
            grades=grades,
            told=told,
            beside=beside,
            demanding=demanding,
        )
        if demands:
            for run in _each_run(inputs, format, single=precision == 32):
                met[run.tag] = _met(run, demands, rules.depth)
        return scores
    from judge_tui.scoring.by_answers import score_by_answers

    runs = _each_run(inputs, format, single=precision == 32, beside=beside)
    if demands:
        runs = _held(runs, demands, met, rules.depth)
    return score_by_answers(
        inputs.truths,
        runs,
        measures if inputs.truths else (),
        rules=rules,
        credit=credited(credit),
        demanding=demanding,
    )


def _held(
    runs: Iterable[Run], demands: Demands, met: dict[str, Met], depth: int | None
) -> Iterator[Run]:
    """The runs, of each of which it is noted how it meets the demands."""
    for run in runs:
        met[run.tag] = _met(run, demands, depth)
        yield run


def _met(run: Run, demands: Demands, depth: int | None) -> Met:
    from judge_tui.scoring.demands import meet

    asked = demands.query_ids
    lists = {query: rank(its) for query, its in run.scores.items() if query in asked}
    return meet(demands, lists, depth=depth)


def _each_run(
    inputs: Inputs,
    format: str | None,
    *,
    single: bool,
    beside: bool = False,
) -> Iterator[Run]:
    """The runs, one after the other; `single`: their scores rounded to 32 bits; `beside`: with the
    queries that the file beside each says it was asked in vain."""
    from judge_tui.formats import read_run
    from judge_tui.formats.asked_beside import asked_beside
    from judge_tui.formats.plain_block import rounded
    from judge_tui.sources import NamedFile, Tags

    tags = Tags()
    for source in inputs.runs:
        if isinstance(source, Run):
            run, origin = source, source.tag
        elif isinstance(source, NamedFile):
            run = read_run(source.path, tag=source.tag, format=format)
            origin = os.fspath(source.path)
        else:
            run, origin = read_run(source, format=format), source
        tags.take(run.tag, origin)
        if beside and not isinstance(source, Run):
            run = replace(run, asked=run.asked | asked_beside(origin).keys())
        if single:
            run = replace(run, scores={q: rounded(of) for q, of in run.scores.items()})
        yield run
