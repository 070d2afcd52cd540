"""`judge-tui init`: create a campaign file."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import database
from judge_tui.model import DEFAULT_SCALE, Scale
from judge_tui.place import Place
from judge_tui.visible import visible_line


@make_command(
    manual="first-campaign",
    examples=["init --name Handbook", 'init --scale "0=no,1=partly,2=yes" --seed 7'],
)
@database()
@option("--name", metavar="NAME", help="What the campaign is called.  [default: the file's name]")
@option(
    "--scale",
    default=str(DEFAULT_SCALE),
    show_default=True,
    metavar="GRADES",
    help="The grades, 0 to 9, with their labels, or alone as 0-3.",
)
@option(
    "--guidelines",
    type=click.Path(path_type=Path),
    metavar="FILE.md",
    help="The guidelines for the judges, in Markdown.",
)
@option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    help="Fixes what is drawn: samples for the pool, shares and orders of judges, intervals."
    "  [default: drawn, and kept in the file]",
)
@option(
    "--show-ranks", is_flag=True, group="Judging", help="Show judges where runs rank a document."
)
@option("--include-models", is_flag=True, group="Judging", help="Count the grades of models.")
def command(
    db: Place,
    name: str | None,
    scale: str,
    guidelines: Path | None,
    seed: int | None,
    show_ranks: bool,
    include_models: bool,
) -> None:
    """Create a campaign file."""
    from judge_tui.campaign import create_campaign
    from judge_tui.formats.whole_files import read_text

    with create_campaign(
        db,
        name=name or db.stem,
        scale=Scale.parse(scale),
        guidelines=read_text(guidelines) if guidelines else "",
        seed=seed,
        show_ranks=show_ranks,
        include_models=include_models,
    ) as campaign:
        settings = campaign.settings
    blind = "ranks are shown to judges" if show_ranks else "judging is blind"
    created = f"{db}: created, scale {settings.scale}, seed {settings.seed}, {blind}"
    click.echo(visible_line(created))
