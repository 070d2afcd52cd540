"""`judge-tui settings`: what holds for the whole campaign, shown or changed."""

from __future__ import annotations

import click

from judge_tui.cli.commands import make_command
from judge_tui.cli.options import database
from judge_tui.counts import counted
from judge_tui.place import Place
from judge_tui.visible import visible_line


@make_command(manual="first-campaign", examples=["settings", "settings baseline bm25"])
@database()
@click.argument("key", required=False)
@click.argument("value", required=False)
def command(db: Place, key: str | None, value: str | None) -> None:
    """Show the settings, or KEY alone, or change KEY to VALUE.

    \b
    name            what the campaign is called
    labels          what the grades are called, as 0=not relevant,1=related; all of them
    guidelines      what judges read; VALUE is a Markdown file
    baseline        the run that others are compared with, by its tag; "" for the first
    show-ranks      on or off: judges see where each run ranks a document
    show-fields     the fields of documents' metadata that judges see, as a,b,c; "" for none
    least-look      the seconds a document is on screen before a grade counts
    include-models  on or off: grades of models count, in every command and screen
    share-pool      on or off: one person judges each pair, where nothing is assigned
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.settings import change_setting, shown_settings
    from judge_tui.errors import check_known
    from judge_tui.formats.whole_files import read_text

    with open_campaign(db) as campaign:
        shown = shown_settings(campaign.settings)
        if key is not None:
            check_known("setting", key, shown)
        if key is not None and value is not None:
            change_setting(campaign, key, read_text(value) if key == "guidelines" else value)
            shown = shown_settings(campaign.settings)
    if key is not None:
        click.echo(shown[key] if key == "guidelines" else visible_line(shown[key]))
        return
    for name, text in shown.items():
        first, *more = text.splitlines() or [""]
        rest = f" … ({counted(len(more) + 1, 'line')})" if more else ""
        click.echo(f"{name}: {visible_line(first)}{rest}")
