"""Asks for the name of a file that is not there yet, and writes it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Any

from textual.content import Content
from textual.screen import Screen

from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.formats.writing import refuse_target
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.dialogs import Prompt
from judge_tui.tui.widgets.status_line import StatusLine


def ask_for_file(
    screen: Screen[Any], title: str, name: str, hint: str, write: Callable[[Path], object]
) -> None:
    """Offer a `name`, numbered where it is taken, and `write` the file; where that cannot be, say
    why and ask again. The status line of the screen says what was written."""

    def ask(name: str, hint: str) -> None:
        screen.app.push_screen(Prompt(title, value=name, hint=hint), named)

    def named(name: str | None) -> None:
        if name is None:
            return
        try:
            path = Path(name).expanduser()
            refuse_target(path)
            if path.exists():
                raise UsageError(f"{path.name} is there already", "give another name")
            write(path)
        except (JudgeTuiError, OSError, RuntimeError, ValueError) as error:
            # A name that is too long, or has a NUL; a home folder that nobody has.
            ask(name, f"NOT WRITTEN  {error}")
        else:
            said = Content.assemble("written: ", foreign(name, "bold"))
            screen.query_one(StatusLine).say(said)

    path = Path(name)
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    ask(str(next(one for one in chain([path], numbered) if not one.exists())), hint)
