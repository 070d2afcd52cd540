"""`judge-tui model`: models as judges, and what they are worth."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from judge_tui.agreement.alt_test import EPSILON
from judge_tui.cli.asking import on_signals
from judge_tui.cli.commands import make_group, option, options
from judge_tui.cli.model_printing import (
    print_check,
    print_outcome,
    print_plan,
    print_probes,
    progress,
)
from judge_tui.cli.options import database, output_file, policy
from judge_tui.cli.printing import output_options, print_report, print_warnings, refuse_inputs
from judge_tui.cli.progress import show_steps
from judge_tui.errors import JudgeTuiError, UsageError, raise_together
from judge_tui.place import Place

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.store.model_answers import AskedModel, Only
    from judge_tui.models.candidate import Candidate
    from judge_tui.models.judge import AskOutcome, Replan
    from judge_tui.models.plan import AskPlan

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
    option(
        "--probes",
        metavar="N",
        type=click.IntRange(min=0),
        default=20,
        show_default=True,
        help="Ask again about N documents that people found irrelevant, with words of the query"
        " planted in them, and with a claim that they are relevant; 0: about none.",
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
def check_command(judges: str, db: Place) -> None:
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
                print_check(one, checked)
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
def judge_command(
    name: str, db: Place, judges: str, only: Only, limit: int | None, probes: int
) -> None:
    """Let a model judge the pool, and store each answer as it comes.

    What was answered is never asked again: after an interruption the same command goes on. With
    another prompt, model or setting it is another judge, NAME#2. An answer that is no grade is kept
    with the reason.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.models.judge import AskOutcome, judge_pool, only_asker
    from judge_tui.models.plan import plan_pairs, plan_probes

    stop = threading.Event()
    with open_campaign(db) as campaign:
        [candidate] = _candidates(campaign, judges, name)

        def ask(planned: AskPlan, outcome: AskOutcome, replan: Replan) -> AskedModel | None:
            with _stopping(stop), show_steps() as say:
                return judge_pool(
                    candidate,
                    planned,
                    outcome,
                    replan=replan,
                    stop=stop,
                    on_progress=progress(say, name),
                    on_wait=lambda seconds, why: say(f"{name}: waiting {seconds:.0f} s: {why}"),
                )

        with only_asker(candidate):
            planned = plan_pairs(candidate, only=only, limit=limit)
            print_plan(candidate, planned)
            outcome = AskOutcome()
            try:
                judge = ask(
                    planned,
                    outcome,
                    lambda judge, left: plan_pairs(candidate, only=only, limit=left, judge=judge),
                )
                if probes and not stop.is_set():
                    planned = plan_probes(candidate, judge, probes)
                    print_probes(candidate, planned)
                    ask(planned, outcome, lambda judge, _: plan_probes(candidate, judge, probes))
            finally:
                print_outcome(candidate.settings, outcome)
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
    name: str,
    db: Place,
    judges: str,
    only: Only,
    limit: int | None,
    probes: int,
    output: str,
) -> None:
    """Write what a model would be asked as a batch of OpenAI's form.

    Vendors and `vllm run-batch` answer such a file; `model load` takes the answers.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.formats.writing import write_lines
    from judge_tui.models.batch import requests_in_lines
    from judge_tui.models.plan import plan_pairs, plan_probes

    refuse_inputs(output, [str(db), judges])
    with open_campaign(db) as campaign:
        [candidate] = _candidates(campaign, judges, name, sends=False)
        pairs = plan_pairs(candidate, only=only, limit=limit)
        probed = plan_probes(candidate, pairs.judge, probes)
        questions = pairs.questions + probed.questions
        write_lines(output, requests_in_lines(candidate, questions))
        print_plan(candidate, pairs, err=output == "-")
        if probes:
            print_probes(candidate, probed, err=output == "-")


@command.command(
    "load",
    manual="asking-models",
    examples=["model load umbrela answers.jsonl", "model load ours a.jsonl --judges ours.toml"],
)
@click.argument("name")
@click.argument("file")
@database()
@_judges
def load_command(name: str, file: str, db: Place, judges: str) -> None:
    """Store the answers to a batch that `model export` wrote.

    The file is loaded whole or not at all. A request that failed leaves its pair open.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.models.batch import load_answers

    with open_campaign(db) as campaign:
        [candidate] = _candidates(campaign, judges, name, sends=False)
        print_outcome(candidate.settings, load_answers(candidate, file))


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
    db: Place,
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
    print_report(model_report(study, scale), form, output)


def _candidates(
    campaign: Campaign, judges: str, only: str | None = None, *, sends: bool = True
) -> list[Candidate]:
    from judge_tui.collect.secrets import UnsentSecrets
    from judge_tui.models.candidate import read_candidates

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
