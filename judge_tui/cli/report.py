"""`judge-tui report`: the page for people who were not there."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import (
    database,
    include_models,
    measures_option,
    output_file,
    policy,
)
from judge_tui.cli.printing import print_text
from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

__all__ = ["command"]

_FORMS = (".html", ".md")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@database
@output_file("The page: FILE.html, or FILE.md for Markdown.", required=True)
@policy()
@click.option(
    "--baseline",
    metavar="TAG",
    help="The run that the others are compared with.  [default: the campaign's, else the first]",
)
@measures_option(
    "As ir_measures names it; may be repeated, and the first is what the page goes by."
    "  [default: nDCG@10 and the usual others]"
)
@click.option("--anonymous", is_flag=True, help="Letters in place of the judges' names.")
@include_models
def command(
    db: Path,
    output: str,
    policy: str,
    baseline: str | None,
    measures: tuple[str, ...],
    anonymous: bool,
    include_models: bool | None,
) -> None:
    """Write one page for people who were not there: which system is better, by how much, how sure
    that is, where it fails, and how the grades came about.

    The page is one file that needs nothing from elsewhere: for a browser, or for paper. Without
    -m, measures that look deeper than the campaign keeps its runs are left out, and the page says
    so.
    """
    from judge_tui.analysis.basis import Question
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.report_data import report_data
    from judge_tui.campaign.store.documents import document_names
    from judge_tui.formats.writing import refuse_target
    from judge_tui.report.page import findings_of, page_html, page_markdown, report_page

    ending = Path(output).suffix.lower()
    if ending not in _FORMS:
        raise UsageError(f"{output!r} is neither HTML nor Markdown", "name it FILE.html or FILE.md")
    refuse_target(output)
    asked = Question(
        measures=measures,
        baseline=baseline,
        policy=policy,
        include_models=include_models,
    )
    with open_campaign(db) as campaign, campaign.reading():
        found = findings_of(report_data(campaign, asked, anonymous=anonymous))
        page = report_page(found, document_names(campaign, found.documents))
    print_text(page_html(page) if ending == ".html" else page_markdown(page), output)
    click.echo(f"{visible_line(output)}: {len(page.sections)} sections")
