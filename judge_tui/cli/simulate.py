"""`judge-tui pool --simulate`: what strategies would have judged, where grades are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from judge_tui.cli.commands import gather_options, option, options
from judge_tui.cli.options import Share, is_given, unjudged
from judge_tui.cli.printing import print_report, print_text, print_warnings, refuse_inputs
from judge_tui.cli.progress import show_steps
from judge_tui.errors import UsageError
from judge_tui.place import Place

if TYPE_CHECKING:
    from judge_tui.scoring.filled import StandIn

SVG = "svg"
SHARES = [tenth / 10 for tenth in range(1, 11)]
FOR_A_POOL = {
    "budget": "give --budgets 10%,20% to replay some",
    "until": "leave it out of a replay",
    "between": "give the files of those two: --simulate QRELS RUN RUN",
}
"""Options of `pool` that a replay does not take, and what to do instead."""


class Shares(click.ParamType):  # type: ignore[type-arg]
    """Shares above 0 with commas between, ascending, each once."""

    name = "shares"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[float]:
        """Read them."""
        shares = {Share(1).convert(one, param, ctx) for one in value.split(",")}
        if 0 in shares:
            self.fail(f"{value!r} holds a budget of nothing; give shares above 0")
        return sorted(shares)


class SimulateOptions(NamedTuple):
    """The options of a replay. `simulate`: the known grades; None for no replay."""

    simulate: str | None
    budgets: list[float] | None
    unjudged: StandIn


simulate_options = options(
    option(
        "--simulate",
        group="Simulation",
        metavar="QRELS",
        help="Add nothing: replay strategies on these grades, with the RUNs or the campaign's.",
    ),
    option(
        "--budgets",
        group="Simulation",
        type=Shares(),
        metavar="SHARE,...",
        help="Shares of all pairs with a grade, such as 10%,50%.  [default: 10%,20%,...,100%]",
    ),
    unjudged(models=False),
    gather_options("simulation", SimulateOptions),
)
"""What a replay takes beside the options of `pool`, as `simulation`."""


def simulate(
    asked: SimulateOptions,
    runs: Sequence[str],
    db: Place,
    *,
    strategies: Sequence[str],
    depth: int | None,
    audit: float | None,
    measure: str,
    form: str,
    output: str | None,
) -> None:
    """Replay the strategies, all that can be unless some are named, and print what comes of it."""
    from judge_tui.analysis.replay import ReplaySettings, replayable
    from judge_tui.evaluation.named_files import inputs_of_files
    from judge_tui.evaluation.replays import campaign_inputs, replay_inputs
    from judge_tui.report.plots import document
    from judge_tui.report.replays import replay_charts, replays_report
    from judge_tui.scoring import parse_measure

    for name, mend in FOR_A_POOL.items():
        if is_given(name):
            raise UsageError(f"--{name} is for a pool", mend)
    if isinstance(audit, int):
        what = f"--audit {audit} is a number of pairs"
        raise UsageError(what, "give a share of each budget, such as 10%")
    qrels, seed = str(asked.simulate), 0
    if runs:
        inputs = inputs_of_files([qrels, *runs])
    else:
        inputs, seed = campaign_inputs(qrels, db)
    refuse_inputs(output, inputs.files)
    by_measure = parse_measure(measure)
    settings = ReplaySettings(
        by_measure,
        strategies or replayable(by_measure),
        asked.budgets or SHARES,
        asked.unjudged,
        audit,
        seed,
    )
    with show_steps() as say:
        found = replay_inputs(inputs, settings, depth=depth, on_step=say)
    report = replays_report(found)
    if form == SVG:
        print_text(document(replay_charts(found)), output)
        print_warnings(report.warnings)
    else:
        print_report(report, form, output)


def refuse_simulation(runs: Sequence[str], form: str) -> None:
    """Raise `UsageError` for what has a meaning in a replay alone."""
    given = [f"--{name}" for name in ("budgets", "unjudged") if is_given(name)]
    given += [f"RUN {runs[0]!r}"] if runs else []
    given += [f"-f {SVG}"] if form == SVG else []
    if given:
        raise UsageError(f"{given[0]} is for a replay", "give the known grades: --simulate QRELS")
