"""Writing what is on screen to a file, whose name says in which form."""

from __future__ import annotations

import re
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from judge_tui.errors import JudgeTuiError
from judge_tui.formats.writing import write_text
from judge_tui.report import FORMS, Report, render
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.visible import visible_line

_FORMS = {form.suffix: name for name, form in FORMS.items()}
_GREATEST_LENGTH = 1000
_GREATEST_NAME = 80
_UNUSUAL = re.compile(r"[^\w.]+")


def file_name(view: str) -> str:
    """What a file with that view is called unless somebody says otherwise. Ids and tags are
    foreign: none leads out of the folder, or needs quoting."""
    name = _UNUSUAL.sub("-", view)[:_GREATEST_NAME].strip("-.")
    return f"{name or 'results'}.csv"


class ExportOverlay(Overlay[str]):
    """Asks for the file and writes it; gives its name once it is written."""

    writes = True
    AUTO_FOCUS = "Input"

    def __init__(self, report: Report, name: str) -> None:
        super().__init__()
        self._report = report
        self._name = name
        self._there: str | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static("Write this view to a file", classes="heading", markup=False)
            yield EntryLine(self._name, max_length=_GREATEST_LENGTH, select_on_focus=True)
            yield Static(
                f"the form is that of the name: {' '.join(_FORMS)}\n"
                f"enter writes it   {self.closing} goes back",
                classes="hint",
                markup=False,
            )

    @on(EntryLine.Entered)
    def _entered(self, message: EntryLine.Entered) -> None:
        name = message.value
        form = _FORMS.get(Path(name).suffix.lower())
        if form is None:
            self._refuse(f"a name that ends in one of {' '.join(_FORMS)} says the form")
            return
        try:
            path = Path(name).expanduser()
            if path.exists() and name != self._there:
                self._there = name
                self._refuse(f"{path.name} is there already: enter again replaces it")
                return
            write_text(render(self._report.brief(), form), path)
        except JudgeTuiError as error:
            self._refuse(f"NOT WRITTEN  {error}")
        except (OSError, RuntimeError, ValueError) as error:
            # A name that is too long, or has a NUL; a home folder that nobody has.
            self._refuse(f"NOT WRITTEN  {error}")
        else:
            self.dismiss(name)

    def _refuse(self, said: str) -> None:
        self.query_one(".hint", Static).update(Content(visible_line(said)))
        self.query_one(EntryLine).take_more()
