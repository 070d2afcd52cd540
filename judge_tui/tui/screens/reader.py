"""One document over the screen, to be read as a judge reads it; nothing can be graded here."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.errors import CampaignError
from judge_tui.model import Document
from judge_tui.tui.document.place import Place
from judge_tui.tui.keymap import keys_on
from judge_tui.tui.pair_content import name_content, names, query_content, title_content
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading, has_rendering, metadata_text, reading_of
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.screens.pager import Pager, pager_bindings
from judge_tui.tui.shown import error_content, keys_content
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import DocumentView, SaidLine, SplitLine

_NO_TEXT = "The text of this document is not loaded."
_EMPTY = "This document is empty."


class ReaderOverlay(Pager, Overlay[None], inherit_bindings=False):
    """Shows a document, its query's words marked; by the keys of both in the campaign file."""

    AUTO_FOCUS = "#document"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(one for one in pager_bindings() if one.id != "pager.stop-finding"),
        Binding("escape,q", "close", "close", id="pager.close"),
    ]

    def __init__(
        self, campaign: Campaign, query: int, document: int, tastes: Keeper | None = None
    ) -> None:
        super().__init__(classes="reader")
        self._campaign = campaign
        self._of = query, document
        self._document: Document | None = None
        self.tastes = tastes or Keeper()
        self.raw = self.tastes.now.raw
        self.keys: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel tall"):
            yield SplitLine(id="query")
            yield SplitLine(id="title")
            yield DocumentView(id="document")
            yield SaidLine(Content(""))
            yield SplitLine(id="legend", keep="left")

    def on_mount(self) -> None:
        self.keys = keys_on(self)
        self.as_liked()
        known = [("find", "find"), ("raw", "rendered or raw"), ("close", "close")]
        legend = keys_content([(self.keys[f"pager.{name}"], what) for name, what in known])
        self.query_one("#legend", SplitLine).show(legend)
        # Once it is laid out: how a document is read depends on the room for it.
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        query, document = self._of
        try:
            asked = query_by_key(self._campaign, query)
            self._document, loaded = document_by_key(self._campaign, document)
        except CampaignError as error:
            self.query_one(SaidLine).say_whole(error_content("CANNOT READ", error))
            return
        self._marks = query_words(asked.text)
        self._note = _EMPTY if loaded else _NO_TEXT
        self.query_one("#query", SplitLine).show(query_content(asked))
        self.show_document()
        self.show_state()

    @property
    def in_front(self) -> Document | None:
        return self._document

    def show_document(self, place: Place | None = None) -> None:
        document = self._document
        if document is None:
            return
        title = self.query_one("#title", SplitLine)
        title.show(name_content(document))
        head, note = "\n".join(names(document)) if title.cuts else "", self._note
        reading = reading_of(document, raw=self.raw, room=self.view.room)
        if not document.text.strip() and (known := metadata_text(document)):
            head = "\n\n".join(filter(None, (head, note)))
            reading = PlainReading(known)
        self.view.show(reading, self._marks, head=head, note=note, place=place)

    def show_state(self) -> None:
        document = self._document
        if document is not None:
            raw = self.raw and has_rendering(document)
            self.query_one("#title", SplitLine).show(title_content(document, (), raw=raw))

    def say(self, said: Content) -> None:
        self.query_one(SaidLine).say(said)

    def action_close(self) -> None:
        """What is looked for is let go of first."""
        if self.view.finding:
            self.action_stop_finding()
        else:
            self.dismiss(None)
