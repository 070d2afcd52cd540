"""`judge-tui report`: the page for people who were not there."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import (
    database,
    include_models,
    measures_option,
    output_file,
    policy,
    unjudged,
    with_model,
)
from judge_tui.cli.printing import print_text
from judge_tui.errors import UsageError
from judge_tui.place import Place
from judge_tui.scoring.filled import StandIn
from judge_tui.visible import visible_line


@make_command(
    manual="report",
    examples=["report", "report -o page.md --baseline bm25"],
)
@database()
@option(
    "--baseline",
    metavar="TAG",
    help="The run that the others are compared with.  [default: the campaign's, else the first]",
)
@measures_option(
    "Test and rank the systems by it; may be repeated, and the first is what the page goes by."
    "  [default: nDCG@10, with the usual others beside it]"
)
@unjudged()
@with_model
@policy()
@include_models
@output_file(
    "The page: FILE.html, or FILE.md for Markdown.", default="report.html", show_default=True
)
def command(
    db: Place,
    output: str,
    unjudged: StandIn,
    with_model: str,
    policy: str,
    baseline: str | None,
    measures: tuple[str, ...],
    include_models: bool | None,
) -> None:
    """Write one page for people who were not there: the answer first.

    Which system to take, how sure that is, what could change it, where systems fail, and how the
    grades came about, in one file that needs nothing from elsewhere.
    """
    from judge_tui.analysis.basis import Question
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.report_data import report_data
    from judge_tui.campaign.store.documents import document_names
    from judge_tui.report.page import page_html, page_markdown, report_page

    forms = {".html": page_html, ".md": page_markdown}
    render = forms.get(Path(output).suffix.lower())
    if render is None:
        raise UsageError(f"{output!r} is neither HTML nor Markdown", "name it FILE.html or FILE.md")
    question = Question(
        measures=measures,
        baseline=baseline,
        policy=policy,
        include_models=include_models,
        unjudged=unjudged,
        with_model=with_model,
    )
    with open_campaign(db) as campaign, campaign.reading():
        data = report_data(campaign, question)
        page = report_page(data, partial(document_names, campaign))
    print_text(render(page), output)
    click.echo(f"wrote {visible_line(output)}: {page.answer[0]}")
