"""`judge-tui model`: models as judges, and what they are worth."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.agreement.alt_test import EPSILON
from judge_tui.cli.asking import on_signals
from judge_tui.cli.commands import make_group, option, options
from judge_tui.cli.options import database, output_file, policy
from judge_tui.cli.printing import output_options, print_report, print_warnings, refuse_inputs
from judge_tui.cli.progress import duration, show_steps, time_left
from judge_tui.counts import counted
from judge_tui.errors import JudgeTuiError, UsageError, raise_together
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.store.model_answers import Only
    from judge_tui.models.check import CheckedModel
    from judge_tui.models.cost import Usage
    from judge_tui.models.judge import Candidate, Judged, OnProgress, Plan
    from judge_tui.models.settings import JudgeSettings

_judges = option(
    "--judges",
    metavar="FILE",
    default="judges.toml",
    show_default=True,
    help="The file that says how the model is asked.",
)
_which = options(
    option(
        "--only",
        type=click.Choice(["sample", "unjudged", "all"]),
        default="all",
        show_default=True,
        help="Ask about the pairs that were drawn at random, those that no person graded, or all.",
    ),
    option(
        "--limit",
        type=click.IntRange(min=1),
        help="Ask about at most N pairs, drawn from those of all queries.  [default: all]",
    ),
)


@make_group(manual="model-judges", examples=["model judge umbrela", "model report umbrela -f json"])
@database(expose_value=False)
def command() -> None:
    """Let a model judge, and say what it is worth as a judge."""


@command.command(
    "check",
    manual="asking-models",
    examples=["model check judges.toml", "model check judges.toml --db campaign.db"],
)
@click.argument("judges", metavar="JUDGES.toml")
@database()
def check_command(judges: str, db: Path) -> None:
    """Ask each model about one pair, and store nothing.

    Says whether the endpoint answers, whether it honours a JSON schema, logprobs and a seed, and
    about how long the pool would take and what it would cost.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.models.check import check_model

    errors: list[JudgeTuiError] = []
    with open_campaign(db) as campaign:
        for one in _candidates(campaign, judges):
            try:
                with show_steps() as say:
                    say(f"asking {one.name}")
                    checked = check_model(one)
                _print_check(one, checked)
            except UsageError as error:
                errors.append(UsageError(f"{one.name}: {error.what}", error.mend))
    raise_together(errors)


@command.command(
    "judge",
    manual="asking-models",
    examples=["model judge umbrela", "model judge umbrela --only sample --limit 200"],
)
@click.argument("name")
@database()
@_judges
@_which
def judge_command(name: str, db: Path, judges: str, only: Only, limit: int | None) -> None:
    """Let a model judge the pool, and store each answer as it comes.

    What was answered is never asked again: after an interruption the same command goes on. With
    another prompt, model or setting it is another judge, NAME#2. An answer that is no grade is kept
    with the reason.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.models.judge import Judged, judge_pool, only_asker, plan

    stop = threading.Event()
    with open_campaign(db) as campaign:
        [candidate] = _candidates(campaign, judges, name)
        with only_asker(candidate):
            planned = plan(candidate, only=only, limit=limit)
            _print_plan(candidate, planned)
            judged = Judged()
            try:
                with _stopping(stop), show_steps() as say:
                    tell = _progress(say, name)
                    judge_pool(
                        candidate,
                        planned,
                        judged,
                        only=only,
                        stop=stop,
                        on_progress=tell,
                        on_wait=lambda seconds, why: say(f"{name}: waiting {seconds:.0f} s: {why}"),
                    )
            finally:
                _print_judged(candidate.settings, judged)
    if stop.is_set():
        click.echo("interrupted; the same command goes on where it stopped", err=True)
        raise KeyboardInterrupt


@command.command(
    "export",
    manual="asking-models",
    examples=[
        "model export umbrela -o batch.jsonl",
        "model export umbrela --limit 9 -o a.jsonl",
    ],
)
@click.argument("name")
@database()
@_judges
@_which
@output_file("Write to FILE.", required=True)
def export_command(
    name: str, db: Path, judges: str, only: Only, limit: int | None, output: str
) -> None:
    """Write what a model would be asked as a batch of OpenAI's form.

    Vendors and `vllm run-batch` answer such a file; `model load` takes the answers.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.formats.writing import write_lines
    from judge_tui.models.batch import requests_in_lines
    from judge_tui.models.judge import plan

    refuse_inputs(output, [str(db), judges])
    with open_campaign(db) as campaign:
        [candidate] = _candidates(campaign, judges, name, sends=False)
        planned = plan(candidate, only=only, limit=limit)
        write_lines(output, requests_in_lines(candidate, planned.pairs))
        _print_plan(candidate, planned, err=output == "-")


@command.command(
    "load",
    manual="asking-models",
    examples=["model load umbrela answers.jsonl", "model load ours a.jsonl --judges ours.toml"],
)
@click.argument("name")
@click.argument("file")
@database()
@_judges
def load_command(name: str, file: str, db: Path, judges: str) -> None:
    """Store the answers to a batch that `model export` wrote.

    The file is loaded whole or not at all. A request that failed leaves its pair open.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.models.batch import load_answers

    with open_campaign(db) as campaign:
        [candidate] = _candidates(campaign, judges, name, sends=False)
        _print_judged(candidate.settings, load_answers(candidate, file))


@command.command(
    "report",
    manual="model-judges",
    examples=["model report some-model", "model report some-model --kin new -f md -o model.md"],
)
@click.argument("name")
@database()
@option(
    "-m",
    "--measure",
    metavar="MEASURE",
    default="nDCG@10",
    show_default=True,
    help="What the grades of the model and of people order the systems by.",
)
@option(
    "--kin",
    multiple=True,
    metavar="TAG",
    help="A run of the model's own kind, such as one that it made or ranks for; may be repeated.",
)
@option(
    "--epsilon",
    type=float,
    default=EPSILON,
    show_default=True,
    help="What the Alt-Test allows a model for being cheaper: .2 beside experts, .1 beside crowds.",
)
@policy()
@output_options
def report_command(
    db: Path,
    name: str,
    measure: str,
    kin: tuple[str, ...],
    epsilon: float,
    policy: str,
    form: str,
    output: str | None,
) -> None:
    """Compare a model's grades with people's: is it any good as a judge?

    Agreement stands beside that of two people on the same pairs, and the order of the systems under
    the model's grades beside that under people's.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.model_study import model_study
    from judge_tui.report.model_judge import model_report
    from judge_tui.scoring import parse_measure

    with open_campaign(db) as campaign, show_steps() as say:
        say("comparing the model with people")
        study = model_study(
            campaign, name, parse_measure(measure), kin=kin, epsilon=epsilon, policy=policy
        )
        scale = campaign.settings.scale
    print_report(model_report(study, scale, policy), form, output)


def _candidates(
    campaign: Campaign, judges: str, only: str | None = None, *, sends: bool = True
) -> list[Candidate]:
    from judge_tui.collect.secrets import UnsentSecrets
    from judge_tui.models.judge import read_candidates

    secrets = None if sends else UnsentSecrets()
    found = read_candidates(campaign, judges, only=only, secrets=secrets)
    print_warnings(
        f"{one.name}: the campaign has no guidelines for this prompt; write some, and load them by"
        " judge-tui settings guidelines FILE"
        for one in found
        if one.prompt.lacks_guidelines
    )
    return found


@contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    """However it is ended, the answers that are under way are waited for; by Ctrl+c the second time
    not."""

    def end(ending: int, _frame: object) -> None:
        # A terminal that goes may tell it twice.
        if stop.is_set() and ending == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    with on_signals(end, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        yield


def _progress(
    say: Callable[[str], None], name: str, clock: Callable[[], float] = time.monotonic
) -> OnProgress:
    begun = clock()

    def tell(done: int, total: int) -> None:
        seconds = clock() - begun
        rate = f"{done / seconds:.1f} a second" if done and seconds else ""
        left = time_left(done, total, seconds)
        say(" · ".join(filter(None, (f"{name} {done:,}/{total:,}", rate, left))))

    return tell


def _print_check(candidate: Candidate, checked: CheckedModel) -> None:
    answer = checked.answer
    grade = f"none ({answer.reason})" if answer.grade is None else f"grade {answer.grade}"
    told = f"{checked.model or 'no model that it names'} answers in {answer.seconds or 0:.1f} s"
    lines = [
        f"{candidate.name}: {told}",
        f"  {checked.query_id} {checked.doc_id}: {grade}",
        f"  JSON schema {checked.json_schema}, logprobs {checked.logprobs}, seed {checked.seed}",
        f"  {counted(checked.pairs, 'open pair')}: about {duration(checked.seconds)}"
        + ("" if checked.usage is None else f", {_cost(candidate.settings, checked.usage)}"),
    ]
    for line in lines:
        click.echo(visible_line(line))


def _print_plan(candidate: Candidate, planned: Plan, *, err: bool = False) -> None:
    parts = [
        counted(len(planned.pairs), "pair"),
        f"{planned.answered:,} answered before" if planned.answered else "",
        f"{planned.without_text:,} without a text" if planned.without_text else "",
    ]
    line = f"{candidate.name}: {', '.join(filter(None, parts))}"
    if planned.pairs and candidate.settings.price_in is not None:
        line += f"; about {_cost(candidate.settings, planned.expected)}"
    click.echo(visible_line(line), err=err)


def _print_judged(settings: JudgeSettings, judged: Judged) -> None:
    from judge_tui.models.cost import NOTHING

    for name, changes in judged.judges.items():
        if changes:
            click.echo(visible_line(f"{name}: another judge than before: {changes}"))
    parts = [
        counted(judged.graded, "pair graded", "pairs graded"),
        f"{judged.known:,} answered before" if judged.known else "",
        f"{counted(judged.cut, 'document')} cut" if judged.cut else "",
        _cost(settings, judged.usage) if judged.usage != NOTHING else "",
    ]
    if judged.judges:
        click.echo(visible_line(f"{', '.join(judged.judges)}: {', '.join(filter(None, parts))}"))
    _print_reasons("no grade", judged.none)
    _print_reasons("no answer, still open", judged.failed)


def _print_reasons(what: str, reasons: Counter[str]) -> None:
    for reason, count in reasons.most_common():
        click.echo(visible_line(f"  {what}: {count:,} ({reason})"))


def _cost(settings: JudgeSettings, usage: Usage) -> str:
    from judge_tui.models.cost import price

    money = price(settings, usage)
    tokens = f"{usage.tokens_in:,} tokens read and {usage.tokens_out:,} written"
    return tokens if money is None else f"{tokens}, cost {money:,.4f}"
