"""`judge-tui status`: the campaign at a glance, as Home shows it."""

from __future__ import annotations

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report
from judge_tui.place import Place
from judge_tui.pooling.pool import USUAL_MEASURE


@make_command(
    manual="first-campaign",
    examples=["status", "status --between bm25 dense -m P@5", "status -f json"],
)
@database()
@option(
    "--between",
    nargs=2,
    metavar="RUN RUN",
    help="Say whether enough is judged to tell these two runs apart, in place of all.",
)
@option(
    "-m",
    "--measure",
    group="Measures",
    metavar="MEASURE",
    help="The measure by which runs are told apart.  [default: that of the latest round, else"
    f" {USUAL_MEASURE}]",
)
@output_options
def command(
    db: Place, between: tuple[str, str] | None, measure: str | None, form: str, output: str | None
) -> None:
    """Show progress per judge, coverage per run, what is unresolved, and what to do next.

    Without --between and --measure it says what is enough for the question of the latest round.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.status import status_now
    from judge_tui.report.campaign import status_report

    with open_campaign(db) as campaign:
        now = status_now(campaign, measure=measure, between=between)
        report = status_report(campaign.settings.name, now)
    print_report(report, form, output)
