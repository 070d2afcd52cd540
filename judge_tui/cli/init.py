"""`judge-tui init`: create a campaign file."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import database
from judge_tui.model import DEFAULT_SCALE, Scale
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.command()
@database
@click.option("--name", default="", help="What the campaign is called. Default: the file's name.")
@click.option(
    "--scale",
    default=str(DEFAULT_SCALE),
    show_default=True,
    metavar="GRADES",
    help="The grades, 0 to 9, and their labels.",
)
@click.option(
    "--guidelines",
    type=click.Path(path_type=Path),
    metavar="FILE.md",
    help="What judges read with `i`: Markdown.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    help="Fixes what is sampled for the pool, dealt to judges and put in order for them, and the"
    " intervals of agreement and of means; those of differences between runs have the seed of"
    " compare --seed, 0 elsewhere. Default: drawn, and kept in the file.",
)
@click.option("--show-ranks", is_flag=True, help="Show judges where each run ranks a document.")
@click.option("--include-models", is_flag=True, help="Count the grades of models.")
def command(
    db: Path,
    name: str,
    scale: str,
    guidelines: Path | None,
    seed: int | None,
    show_ranks: bool,
    include_models: bool,
) -> None:
    """Create a campaign file. One that exists is left as it is."""
    from judge_tui.campaign import create_campaign
    from judge_tui.formats.whole_files import read_text

    text = read_text(guidelines) if guidelines else ""
    with create_campaign(
        db,
        name=name or db.stem,
        scale=Scale.parse(scale),
        guidelines=text,
        seed=seed,
        show_ranks=show_ranks,
        include_models=include_models,
    ) as campaign:
        settings = campaign.settings
    blind = "ranks are shown to judges" if show_ranks else "judging is blind"
    said = f"{db}: created, scale {settings.scale}, seed {settings.seed}, {blind}"
    click.echo(visible_line(said))
