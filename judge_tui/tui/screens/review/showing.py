"""What stands on the Review screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from judge_tui.campaign.overview.cases import Opinion
from judge_tui.errors import CampaignError
from judge_tui.model import Document
from judge_tui.tui.document.place import Place
from judge_tui.tui.pair_content import need_text, query_content, title_content
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import has_rendering, reading_of
from judge_tui.tui.screens.grading import EMPTY_TEXT
from judge_tui.tui.screens.review.docket import Case
from judge_tui.tui.screens.review.opinions import (
    columns_content,
    cut_notes,
    notes_content,
    settled_content,
)
from judge_tui.tui.screens.review.queueing import Queueing
from judge_tui.tui.screens.review.seen import Seen, seen_of
from judge_tui.tui.shown import foreign
from judge_tui.tui.widgets import DocumentView, LineList, Need, SaidLine, SplitLine

NO_TEXT = "The text of this document is not loaded."
_NOTHING_JUDGED = "Nobody has judged anything yet, so that there is nothing to review."
_NOTHING_DISPUTED = (
    "No two judges disagree about any document.\n\n"
    "{filter} shows what is flagged, has a note or cannot be judged; {agreement} shows agreement."
)
_NOTHING_SHOWN = "No case is {filter}.\n\n{all} shows all disagreements again."


class Showing(Queueing):
    """The query, the queue, what the judges said, one document, what was said, the scale."""

    CSS_PATH = "review.tcss"
    ROOM = "review"
    WHOLE = "review.whole-case"
    GIVES = "settle as"
    LEGEND = (
        ("reason", "reason"),
        ("undo", "undo"),
        ("filter", "filter"),
        ("names", "names"),
        ("matrix", "confusion"),
        ("agreement", "agreement"),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._seen: Seen | None = None
        self._pair: int | None = None
        self._seen_version = -1
        self.touched = False
        """Whether the lead has done anything yet."""

    def compose(self) -> ComposeResult:
        yield SplitLine(id="query")
        yield Need(id="need", part=6, other_lines=19)
        yield SplitLine(id="about")
        yield Static(id="queue-header", markup=False)
        yield LineList(id="queue", can_focus=False, cut="middle")
        yield SplitLine(id="title")
        yield Static(id="opinions", markup=False)
        yield Static(id="notes", markup=False)
        yield DocumentView(id="document")
        yield SaidLine(foreign(self.lead.name, "dim"))
        yield SplitLine(id="legend", keep="left")

    def begin(self) -> None:
        self.docket.to_first_open()
        self.show_case()

    def show_anew(self) -> None:
        if self._seen is not None:
            self.show_state()

    def fit(self, size: Size) -> None:
        """Where there is little room, the document has it."""
        self.query_one("#about").display = size.height >= 12
        self.query_one("#queue-header").display = size.height >= 24
        self.query_one("#opinions").display = size.height >= 18
        self.query_one("#notes").styles.max_height = self._notes_room
        # With the line below it.
        self.query_one("#queue").styles.height = 1 + max(1, min(12, (size.height - 12) // 4))
        self.show_legend(size.width)

    @property
    def _notes_room(self) -> int:
        height = self.app.size.height
        return height // 10 if height >= 18 else 0

    def show_case(self) -> None:
        """Show where the docket is, read afresh."""
        case = self.docket.here
        self._pair = case.pair if case is not None else None
        self.guard.expect()
        try:
            self._seen_version = self.campaign.version()
            seen = None if case is None else self._read(case)
        except CampaignError as error:
            self._seen = None
            self.view.clear("")
            self.say_error("CANNOT READ", error)
            return
        self._seen = seen
        if seen is None:
            self.view.clear(self._nothing())
        else:
            self._marks = query_words(seen.query.text)
            self.show_document()
        self.show_state()

    def _read(self, case: Case) -> Seen:
        return seen_of(self.campaign, case, include_models=self.models)

    def _nothing(self) -> str:
        """Why there is no case."""
        docket = self.docket
        if not docket.filter.is_off:
            asked = self.filter_said()
            return _NOTHING_SHOWN.format(filter=asked, all=self.keys["review.all"])
        if not (docket.cases.grades >= 0).any():
            return _NOTHING_JUDGED
        keys = {name: self.keys[f"review.{name}"] for name in ("filter", "agreement")}
        return _NOTHING_DISPUTED.format(**keys)

    @property
    def in_front(self) -> Document | None:
        return self._seen.document if self._seen is not None else None

    def show_document(self, place: Place | None = None) -> None:
        seen = self._seen
        if seen is None:
            return
        document = seen.document
        self.guard.expect()
        head = self.head_of(document, self._title_right(seen))
        reading = reading_of(document, raw=self.raw, room=self.view.room)
        note = EMPTY_TEXT if seen.has_text else NO_TEXT
        self.show_reading(document, reading, head=head, note=note, place=place)

    def _title_right(self, seen: Seen) -> Content:
        return settled_content(seen.settlement, self.scale)

    def show_state(self) -> None:
        """Everything but the document."""
        self.show_queue()
        self.show_about()
        seen = self._seen
        line, need = self.query_one("#query", SplitLine), self.query_one(Need)
        title = self.query_one("#title", SplitLine)
        opinions, notes = self.query_one("#opinions", Static), self.query_one("#notes", Static)
        if seen is None:
            line.show(Content.styled("Settle", "bold $accent"), self.progress())
            need.show("")
            for empty in (title.show, opinions.update, notes.update):
                empty(Content(""))
            notes.display = False
            return
        line.show(query_content(seen.query), self.progress())
        need.show(need_text(seen.query, with_text=line.cuts))
        raw = self.raw and has_rendering(seen.document)
        title.show(title_content(seen.document, (), raw=raw), self._title_right(seen))
        named = self.named_opinions()
        more = self.keys["review.whole-case"]
        width = max(20, self.app.size.width - 2)
        opinions.update(columns_content(named, self.scale, width, more))
        said = notes_content(named, seen.settlement)
        notes.display = bool(said.plain) and bool(self._notes_room)
        notes.update(cut_notes(said, width, max(1, self._notes_room), more))

    def named_opinions(self) -> list[tuple[str, Opinion]]:
        """What the judges of this case are called now, and what they said, in the order of their
        letters."""
        if self._seen is None:
            return []
        opinions = self._seen.opinions
        self.faces.meet(one.judge for one in opinions)
        order = self.faces.in_order([one.judge for one in opinions])
        return [(self.faces.of(opinions[place].judge), opinions[place]) for place in order]

    def go(self, move: Callable[[], Any]) -> None:
        """Move, and show where that led."""
        self.query_one(SaidLine).clear()
        move()
        self.show_case()
