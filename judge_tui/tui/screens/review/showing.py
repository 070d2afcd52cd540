"""What stands on the Review screen, and which keys can mean it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.adjudication import Settlement, settlements_of
from judge_tui.campaign.by_key import doc_ids_by_key, document_by_key, query_by_key, query_names
from judge_tui.campaign.cases import Opinion, opinions_of
from judge_tui.campaign.judges import Judge
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query
from judge_tui.tui.document.place import Place
from judge_tui.tui.keymap import grade_keys, keys_on, quit_keys
from judge_tui.tui.paint_guard import PaintGuard
from judge_tui.tui.pair_content import (
    name_content,
    names,
    need_text,
    query_content,
    title_content,
)
from judge_tui.tui.patience import Patience
from judge_tui.tui.query_words import QueryWords, query_words
from judge_tui.tui.reading import PlainReading, has_rendering, metadata_text, reading_of
from judge_tui.tui.screens.pager import Pager
from judge_tui.tui.screens.review.about import (
    Known,
    agreement_content,
    cases_content,
    own_content,
)
from judge_tui.tui.screens.review.docket import Case, Docket
from judge_tui.tui.screens.review.faces import Faces
from judge_tui.tui.screens.review.opinions import (
    columns_content,
    cut_notes,
    notes_content,
    settled_content,
)
from judge_tui.tui.screens.review.queue_rows import QueueColumns
from judge_tui.tui.screens.review.weighing import cases_now
from judge_tui.tui.shown import (
    error_content,
    fitting,
    foreign,
    keys_content,
    legends,
    pressable,
)
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import DocumentView, LineList, Need, SaidLine, SplitLine
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

__all__ = ["Seen", "Showing"]

NO_TEXT = "The text of this document is not loaded."
EMPTY_TEXT = "This document is empty."
NO_ROOM = "no room for the document: enlarge the terminal"
_NOTHING_JUDGED = "Nobody has judged anything yet, so that there is nothing to review."
_NOTHING_DISPUTED = (
    "No two judges disagree about any document.\n\n"
    "{filter} shows what is flagged, has a note or cannot be judged; {agreement} shows agreement."
)
_NOTHING_SHOWN = "No case is {filter}.\n\n{all} shows all disagreements again."
# The documents named at once.
_NAMED = 100
_LEGEND = (
    ("help", "keys"),
    ("reason", "reason"),
    ("undo", "undo"),
    ("filter", "filter"),
    ("names", "names"),
    ("matrix", "confusion"),
    ("agreement", "agreement"),
    ("leave", "back"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """All that is on screen of one case, and that a grade is given in the light of."""

    query: Query
    document: Document
    has_text: bool
    opinions: tuple[Opinion, ...]
    settlements: tuple[Settlement, ...]

    @property
    def settlement(self) -> Settlement | None:
        """The one that holds."""
        return self.settlements[-1] if self.settlements else None


class Showing(Pager):
    """The query, the queue, what the judges said, one document, what was said, the scale."""

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = "#document"

    def __init__(
        self,
        campaign: Campaign,
        lead: Judge,
        tastes: Keeper | None = None,
        *,
        include_models: bool = False,
    ) -> None:
        super().__init__()
        self.campaign = campaign
        self.lead = lead
        self.tastes = tastes or Keeper()
        self.scale = campaign.settings.scale
        self.guard = PaintGuard()
        self.patience = Patience(self, lambda: quit_keys(self.app))
        self.raw = self.tastes.now.raw
        self.keys: dict[str, str] = {}
        self.grade_keys: dict[int, str] = {}
        self.include_models = include_models
        with campaign.reading():
            self.version = campaign.version()
            self.queries = query_names(campaign)
            now = cases_now(campaign, include_models=include_models)
        self.models = now.models
        classes = {key: query.query_class for key, query in self.queries.items()}
        self.docket = Docket(now.cases, classes)
        self.faces = Faces(campaign.settings, now.cases.judges)
        self.now = now
        self.known = Known()
        self._seen: Seen | None = None
        self._pair: int | None = None
        self._seen_version = -1
        self._marks: QueryWords | None = None
        self._doc_ids: dict[int, str] = {}
        self.touched = False
        """Whether the lead has done anything yet."""
        self.has_begun = False
        self._unpainted = contextlib.ExitStack()
        self._size_at_start = Size(0, 0)

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

    def on_mount(self) -> None:
        self.keys = keys_on(self)
        self.grade_keys = grade_keys(self)
        need = self.query_one(Need)
        need.more_key = self.keys["review.whole-case"]
        if self.tastes.now.folded:
            need.fold()
        self.as_liked()
        self._fit(self.app.size)
        # Nothing is painted before the screen is laid out, as it would be painted twice.
        self._size_at_start = self.app.size
        self._unpainted.enter_context(self.app.batch_update())
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.has_begun = True
        with self._unpainted:
            # An error that is met as it begins takes its place.
            self.say(own_content(self.docket.cases, self.lead))
            self.begin()

    def begin(self) -> None:
        """The screen is laid out: show the first case."""
        self.docket.to_first_open()
        self.show_case()

    def on_screen_resume(self) -> None:
        for view in self.query("#document"):
            view.focus()

    def on_resize(self, event: events.Resize) -> None:
        if event.size != self._size_at_start:
            # Textual lays out two sizes in turn, without end, where nothing is painted.
            self._unpainted.close()
        self._fit(event.size)
        if self._seen is not None:
            self.show_state()
        self.expect_anew()
        self.query_one(SaidLine).clear()

    def _fit(self, size: Size) -> None:
        """Where there is little room, the document has it."""
        self.query_one("#queue-header").display = size.height >= 26
        self.query_one("#opinions").display = size.height >= 18
        self.query_one("#notes").styles.max_height = self._notes_room
        # With the line below it.
        self.query_one("#queue").styles.height = 1 + max(1, min(12, (size.height - 12) // 4))
        self._show_legend(size.width)

    @property
    def _notes_room(self) -> int:
        height = self.app.size.height
        return height // 10 if height >= 18 else 0

    # What was painted, and when

    def displayed(self) -> None:
        """Called by the app after each update was handed to the terminal."""
        if self.guard.waiting and self.is_mounted and self.view.drawn:
            self.guard.painted(monotonic())

    def key_pressed(self, at: float) -> None:
        """Called by the app with the time of the key, or click, that is acted on next."""
        self.guard.pressed(at)
        self.touched = True

    def expect_anew(self) -> None:
        """The same document is about to be painted otherwise: what was painted may have no room any
        more."""
        self.guard.expect()
        self.view.draw_anew()

    def may_settle(self) -> Case | None:
        """The case that a key may settle, None where it may not; says why if need be."""
        if self.patience.waiting:
            return None
        case = self.docket.here
        if case is None:
            self.say(Content("no case is shown"))
            return None
        if self.guard.late and self._seen is not None:
            self.query_one(SaidLine).say_whole(Content(NO_ROOM), stays=False)
            return None
        return case if self.guard.counts and self.is_as_shown() else None

    def is_as_shown(self) -> bool:
        """Whether the file still holds what the lead has seen; else it is shown anew, and said."""
        case = self.docket.here
        if case is None or self._seen is None:
            return False
        try:
            version = self.campaign.version()
            if version == self._seen_version:
                return True
            now = self._read(case)
        except CampaignError as error:
            if self.patience.waiting:
                # What waits to be written is told not to be.
                raise
            self.say_error("CANNOT READ", error)
            return False
        if now == self._seen:
            self._seen_version = version
            return True
        self.docket.settle(case.pair, now.settlement.grade if now.settlement else None)
        self.show_case()
        self.say(Content("changed elsewhere meanwhile: please look again"))
        return False

    # Showing

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
        with self.campaign.reading():
            document, has_text = document_by_key(self.campaign, case.document)
            return Seen(
                query_by_key(self.campaign, case.query),
                document,
                has_text,
                tuple(opinions_of(self.campaign, case.pair, include_models=self.models)),
                tuple(settlements_of(self.campaign, case.pair)),
            )

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
        title = self.query_one("#title", SplitLine)
        title.show(name_content(document), self._title_right(seen))
        head = "\n".join(names(document)) if title.cuts else ""
        note = EMPTY_TEXT if seen.has_text else NO_TEXT
        reading = reading_of(document, raw=self.raw, room=self.view.room)
        if not document.text.strip() and (known := metadata_text(document)):
            head = "\n\n".join(filter(None, (head, note)))
            reading = PlainReading(known)
        self.view.show(reading, self._marks, head=head, note=note, place=place)

    def _title_right(self, seen: Seen) -> Content:
        return settled_content(seen.settlement, self.scale)

    def show_state(self) -> None:
        """Everything but the document."""
        self._show_queue()
        self.show_about()
        seen = self._seen
        line, need = self.query_one("#query", SplitLine), self.query_one(Need)
        title = self.query_one("#title", SplitLine)
        opinions, notes = self.query_one("#opinions", Static), self.query_one("#notes", Static)
        if seen is None:
            line.show(Content.styled("Review", "bold $accent"), self._progress())
            need.show("")
            for empty in (title.show, opinions.update, notes.update):
                empty(Content(""))
            notes.display = False
            return
        line.show(query_content(seen.query), self._progress())
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

    def filter_said(self) -> str:
        """The filter in words, visible, judges as they are called now."""
        names_of = {judge.key: self.faces.of(judge) for judge in self.docket.cases.judges}
        queries = {key: query.query_id for key, query in self.queries.items()}
        return visible_line(self.docket.filter.said(names_of, queries))

    def _progress(self) -> Content:
        docket = self.docket
        if not len(docket):
            return Content("")
        settled = len(docket) - docket.open
        return Content(f"{docket.index + 1:,} of {len(docket):,}   {settled:,} settled")

    def show_about(self) -> None:
        """Which cases these are, in which order, and how far the judges agree."""
        docket = self.docket
        asked = "" if docket.filter.is_off else self.filter_said()
        left = cases_content(
            len(docket),
            asked,
            self.known,
            models=self.models,
            order_key=self.keys["review.order"],
        )
        agreement = agreement_content(self.known.overall, self.app.size.width // 2 - 2)
        self.query_one("#about", SplitLine).show(left, agreement)

    def _show_queue(self) -> None:
        docket = self.docket
        judges = docket.cases.judges
        order = self.faces.in_order(judges)
        called = [self.faces.of(judges[place]) for place in order]
        self._columns = QueueColumns(called, order, self.app.size.width - 2)
        self.query_one("#queue-header", Static).update(self._columns.header())
        queue = self.query_one("#queue", LineList)
        queue.show(len(docket), self._draw_case, cursor=docket.index)

    def _draw_case(self, index: int) -> list[Piece]:
        case = self.docket[index]
        return self._columns.pieces(
            case,
            self.queries[case.query].query_id if case.query in self.queries else "",
            self._doc_id(index, case.document),
            here=index == self.docket.index,
            scale=self.scale,
        )

    def _doc_id(self, index: int, key: int) -> str:
        """Read with those around it, and kept."""
        if key not in self._doc_ids:
            around = self.docket.documents(index - _NAMED // 2, index + _NAMED // 2)
            with contextlib.suppress(CampaignError):
                self._doc_ids |= doc_ids_by_key(self.campaign, around)
        return self._doc_ids.get(key, "")

    def _show_legend(self, width: int) -> None:
        known = [
            pressable(keys_content([(self.keys[f"review.{name}"], what)]), name)
            for name, what in _LEGEND
        ]
        keys = [Content("  ").join(known[:count]) for count in range(len(known), 0, -1)]
        room = width - 2
        legend = fitting(legends(self.scale, self.grade_keys), room - keys[-1].cell_length - 2)
        shown = fitting(keys, room - legend.cell_length - 2)
        self.query_one("#legend", SplitLine).show(legend, shown)

    @on(SplitLine.Pressed)
    async def _pressed(self, message: SplitLine.Pressed) -> None:
        """The mouse on the legend does what the key does."""
        await self.run_action(message.action)

    # Saying

    def say(self, said: Content) -> None:
        """Put one line above the legend, where the screen has one already."""
        for line in self.query(SaidLine):
            line.say(said)

    def say_error(self, start: str, error: CampaignError) -> None:
        """Put an error above the legend, whole, where the screen has a place for it already."""
        self.say_whole(error_content(start, error))

    def say_whole(self, said: Content) -> None:
        for line in self.query(SaidLine):
            line.say_whole(said)

    def go(self, move: Callable[[], Any]) -> None:
        """Move, unless something is still to be written here, and show where that led."""
        if self.patience.waiting:
            return
        self.query_one(SaidLine).clear()
        move()
        self.show_case()
