"""What `score` and `compare` read, and what came of gates: what both do alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from judge_tui.cli.options import columns, form_of, include_models, labels, policy
from judge_tui.errors import UsageError
from judge_tui.evaluation.gates import NO_REGRESSION, GateResult
from judge_tui.evaluation.inputs import EvaluationInputs, inputs_of_campaign, inputs_of_files
from judge_tui.visible import visible_line

__all__ = ["gate_options", "input_options", "open_inputs", "say_unmet"]

Command = TypeVar("Command", bound=Callable[..., object])


def input_options(command: Command) -> Command:
    """What both read: which results, grades, queries and campaign."""
    for option in (
        click.option(
            "--ignore-self",
            is_flag=True,
            help="Leave out results whose doc_id is the query's id, as BEIR does (ArguAna, Quora).",
        ),
        include_models,
        policy(None, where="With --db, "),
        click.option(
            "-d",
            "--db",
            metavar="FILE",
            help="Take the current grades and the kept runs of this campaign in place of files;"
            " RUNs are then tags.",
        ),
        labels,
        columns,
        click.option(
            "--queries",
            metavar="FILE",
            help="The queries, for --by, and where a file names them by their texts: TSV, a"
            " table, JSONL or TREC topics.  [default: those of the campaign or the answers]",
        ),
        click.option(
            "--by",
            metavar="FIELD",
            help="Each slice of the queries by itself: class, or any other field of the queries."
            " A class whose queries declare measures is shown by these.",
        ),
        click.option(
            "--credit",
            type=click.Choice(["once", "every"]),
            default="once",
            show_default=True,
            help="With --answers, in nDCG, AP and RR: an answer counts once, at the first result"
            " that is right by it, or every right result does, and nDCG may exceed 1.",
        ),
        click.option(
            "--answers",
            metavar="FILE",
            help="Right answers in place of QRELS: paths, path:start-end lines or regular"
            " expressions (JSON, JSONL, TOML, CSV).",
        ),
    ):
        command = option(command)
    return command


def gate_options(forms: str) -> Callable[[Command], Command]:
    """`--require` and `--allow-missing`; `forms`: what gates there are."""

    def options(command: Command) -> Command:
        allow = click.option(
            "--allow-missing",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="Let gates hold although a run lacks results for N queries.  [default: 0]",
        )
        return click.option(
            "--require",
            "required",
            multiple=True,
            metavar="GATE",
            help=f"Exit with 1 unless it holds: {forms}. May be repeated.",
        )(allow(command))

    return options


def open_inputs(
    files: Sequence[str],
    *,
    answers: str | None,
    queries: str | None,
    by: str | None,
    db: str | None,
    policy: str | None,
    include_models: bool | None,
    columns: str | None,
    labels: str | None,
) -> EvaluationInputs:
    """The files that are named, or the campaign. Raises `InputError` and `UsageError`."""
    if db is None:
        if policy is not None or include_models is not None:
            raise UsageError(
                "--policy and --include-models are about a campaign", "name it with --db"
            )
        form = form_of(None, columns, labels) if columns or labels else None
        return inputs_of_files(files, answers=answers, queries=queries, by=by, form=form)
    if columns or labels:
        raise UsageError("--columns and --labels are about files", "leave them out with --db")
    if answers is not None:
        raise UsageError("--answers and --db both say what is right", "give one of them")
    from judge_tui.campaign import open_campaign

    with open_campaign(Path(db)) as campaign:
        return inputs_of_campaign(
            campaign,
            files,
            policy=policy or "majority",
            include_models=include_models,
            queries=queries,
        )


def say_unmet(results: Iterable[GateResult]) -> int:
    """Name the gates that were not met, on standard error; the exit code."""
    unmet = [one for one in results if not one.met]
    for one in unmet:
        click.echo(f"gate not met: {visible_line(f'{one.gate}: {one.why}')}", err=True)
    return 1 if unmet else 0


BESIDE_BASELINE = f'"nDCG@10>=baseline-0.01" and {NO_REGRESSION} (no verdict is worse)'
