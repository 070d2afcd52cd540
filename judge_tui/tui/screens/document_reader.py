"""One document over another screen, to be read as a judge reads it; nothing can be graded here."""

from __future__ import annotations

import re
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer

from judge_tui.model import Document
from judge_tui.tui.session import Session
from judge_tui.tui.text import document_note
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine

_READER = ""
"""Whose view options these are: nobody's who judges."""


class DocumentReader(SizedScreen[None]):
    """Shows a document, its words marked; `loaded` is False where only the id is known."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "leave", "back", id="reader.back")]

    def __init__(
        self,
        session: Session,
        document: Document,
        *,
        title: Content,
        marks: re.Pattern[str] | None = None,
        loaded: bool = True,
    ) -> None:
        super().__init__()
        self._document = document
        self._title = title
        self._marks = marks
        self._note = document_note(is_loaded=loaded)
        self._view = DocumentView(session.options.of(_READER))

    def compose(self) -> ComposeResult:
        yield self._view
        yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self._view.border_title = self._title
        self._view.show(self._document, marks=self._marks, note=self._note)
        self._view.focus()

    def action_leave(self) -> None:
        self.app.pop_screen()
