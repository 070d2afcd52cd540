"""`judge-tui pool`: build or extend the pool."""

from __future__ import annotations

import re
from typing import Any

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import Share, database, is_given
from judge_tui.cli.printing import output_options_and, print_report
from judge_tui.cli.progress import show_steps
from judge_tui.cli.simulate import (
    SVG,
    SimulateOptions,
    refuse_simulation,
    simulate,
    simulate_options,
)
from judge_tui.errors import UsageError
from judge_tui.place import Place
from judge_tui.pooling.pool import USUAL_AUDIT, USUAL_DEPTH, USUAL_MEASURE
from judge_tui.pooling.strategies import STRATEGIES

SETTLED = "settled"
LEARNING = [name for name, one in STRATEGIES.items() if one.uses_judgments]


class Until(click.ParamType):  # type: ignore[type-arg]
    """A rule that ends the pool, `SETTLED`, or one that ends a query, as its number."""

    name = "rule"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Read it."""
        if value == SETTLED:
            return SETTLED
        found = re.fullmatch(r"([1-9][0-9]{0,8}) not relevant in a row", " ".join(value.split()))
        if found is None:
            self.fail(f'{value!r} is no rule; give settled or "5 not relevant in a row"')
        return int(found[1])


@make_command(
    manual="pools",
    examples=[
        "pool",
        "pool --strategy mm --depth 50 --budget 500",
        "pool --strategy settle --between bm25 dense --budget 500",
        "pool --simulate qrels.txt runs/*.run --budgets 10%,20%,50%",
    ],
)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@database()
@option(
    "--strategy",
    "strategies",
    multiple=True,
    type=click.Choice(list(STRATEGIES)),
    help="What the pool takes: "
    + "; ".join(f"{one.summary} ({name})" for name, one in STRATEGIES.items())
    + ".  [default: depth; of --simulate, which takes several, all]",
)
@option(
    "--depth",
    type=click.IntRange(max=2**31),
    default=USUAL_DEPTH,
    show_default=True,
    help="How many results of each run and query are looked at.",
)
@option(
    "--budget",
    type=click.IntRange(max=2**31),
    help="At most N pairs in all, shared evenly.",
)
@option(
    "--audit",
    type=Share(1, or_number=True),
    metavar="N|SHARE",
    help="Of the budget, draw N pairs or a share at random from the top --depth of all runs."
    f"  [default: {USUAL_AUDIT:.0%} with {', '.join(LEARNING)}]",
)
@option(
    "--until",
    type=Until(),
    metavar="RULE",
    help='"N not relevant in a row": no more for a query whose last N judged are not relevant;'
    " settled: no round once each run is told from the baseline.",
)
@option(
    "--between",
    nargs=2,
    metavar="RUN RUN",
    help="With --strategy settle or --until settled, the two runs whose difference matters.",
)
@option(
    "-m",
    "--measure",
    group="Measures",
    metavar="MEASURE",
    help="The measure by which settle and settled tell runs apart, and a replay scores them."
    f"  [default: that of the latest round, else {USUAL_MEASURE}]",
)
@simulate_options
@output_options_and(SVG)
def command(
    runs: tuple[str, ...],
    db: Place,
    strategies: tuple[str, ...],
    depth: int,
    budget: int | None,
    audit: float | None,
    until: int | str | None,
    between: tuple[str, str] | None,
    measure: str | None,
    simulation: SimulateOptions,
    form: str,
    output: str | None,
) -> None:
    """Build or extend the pool of pairs to be judged; no pair is ever taken out.

    A round asks how --between stand by --measure, or with --measure alone, how all do beside the
    baseline. Without both it asks what the latest round asked, and so does status.

    With --simulate it adds nothing: strategies pool again what QRELS judge, and a table says how
    soon the runs stand in their order.
    """
    if simulation.simulate is not None:
        simulate(
            simulation,
            runs,
            db,
            strategies=strategies,
            depth=depth if is_given("depth") else None,
            audit=audit,
            measure=measure or USUAL_MEASURE,
            form=form,
            output=output,
        )
        return
    refuse_simulation(runs, form)
    if len(strategies) > 1:
        raise UsageError("a round has one strategy", "name one, or try them with --simulate QRELS")
    strategy = strategies[0] if strategies else "depth"
    for name in ("measure", "between"):
        if is_given(name) and not STRATEGIES[strategy].has_aim and until != SETTLED:
            raise UsageError(f"--{name} says nothing to {strategy}", "give --strategy settle")
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.extend_pool import RoundOutcome, extend_pool
    from judge_tui.campaign.overview.enough import enough_now
    from judge_tui.campaign.store.pool import RoundQuestion, ask, pool_size
    from judge_tui.report.campaign import pool_report

    with open_campaign(db) as campaign, show_steps() as say:
        say("looking whether enough is judged")
        enough = enough_now(campaign, measure=measure, between=between)
        question = RoundQuestion(measure, *(between or ())) if measure or between else None
        outcome = RoundOutcome(0, ())
        if stopped := until == SETTLED and enough.settled:
            if question is not None:
                ask(campaign, question)
        else:
            outcome = extend_pool(
                campaign,
                strategy=strategy,
                depth=depth,
                budget=budget,
                audit=audit,
                question=question,
                until=until if isinstance(until, int) else None,
                on_step=say,
            )
        say("counting the pool")
        size = pool_size(campaign)
    print_report(pool_report(size, outcome, budget, audit, enough, stopped=stopped), form, output)
