"""A view of the results, written to a file that the user names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from textual.app import App
from textual.content import Content

from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.formats.writing import refuse_target, write_text
from judge_tui.report import SUFFIXES, Report, render
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.dialogs import Prompt

_UNUSUAL = re.compile(r"[^\w.]+")


def ask_for_file(
    app: App[None], view: str, report: Report, say: Callable[[Content], object]
) -> None:
    """Ask where to, and write the report of that view in the form that the name says; never over a
    file. What cannot be written asks again."""
    suffixes = " ".join(SUFFIXES)

    def ask(name: str, hint: str) -> None:
        app.push_screen(Prompt("Write this view to a file", value=name, hint=hint), write)

    def write(name: str | None) -> None:
        if name is None:
            return
        try:
            path = Path(name).expanduser()
            refuse_target(path)
            if path.exists():
                raise UsageError(f"{path.name} is there already", "give another name")
            form = SUFFIXES.get(path.suffix.lower())
            if form is None:
                raise UsageError(f"a name that ends in one of {suffixes} says the form")
            write_text(render(report, form), path)
        except (JudgeTuiError, OSError, RuntimeError, ValueError) as error:
            # A name that is too long, or has a NUL; a home folder that nobody has.
            ask(name, f"NOT WRITTEN  {error}")
        else:
            say(Content.assemble("written: ", foreign(name, "bold")))

    ask(file_name(view), f"the form is that of the name: {suffixes}")


def file_name(view: str) -> str:
    """What a file with that view is called unless somebody says otherwise. Ids and tags are
    foreign: none leads out of the folder, or needs quoting."""
    name = _UNUSUAL.sub("-", view)[:80].strip("-.")
    return f"{name or 'results'}.csv"
