"""A page to read over a screen: guidelines, a narrative, a document."""

from __future__ import annotations

import re
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.model import Document, Query, Scale
from judge_tui.tui.text import need_content
from judge_tui.tui.widgets.dialogs import Dialog
from judge_tui.tui.widgets.document_view import DocumentView

NO_GUIDELINES = "This campaign has no guidelines."


class TextPanel(Dialog[None]):
    """Shows a document, with all keys of documents."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", "close", show=False, id="dialog.back"),
    ]

    def __init__(
        self,
        title: Content | str,
        document: Document,
        *,
        marks: re.Pattern[str] | None = None,
        note: str = "",
    ) -> None:
        """`marks` and `note` are as in `DocumentView.show`."""
        super().__init__(title)
        self._document, self._marks, self._note = document, marks, note

    def body(self) -> ComposeResult:
        yield DocumentView()

    def on_mount(self) -> None:
        view = self.query_one(DocumentView)
        self.watch(view, "position", self.tell_position)
        view.show(self._document, marks=self._marks, note=self._note)


def guidelines_panel(text: str) -> TextPanel:
    """The guidelines of a campaign, Markdown, or that there are none."""
    return TextPanel("Guidelines", Document("guidelines.md", text=text.strip() or NO_GUIDELINES))


def query_panel(query: Query, scale: Scale) -> TextPanel:
    """A query, its description and narrative, however long they are."""
    text = f"{query.text}\n\n{need_content(query, scale).plain}"
    return TextPanel(query.query_id, Document(query.query_id, text=text, kind="text"))
