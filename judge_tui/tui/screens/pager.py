"""Through one document: scrolling, finding, and how it is shown. For every screen that has one."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding
from textual.content import Content

from judge_tui.model import Document
from judge_tui.tui.document.place import Place
from judge_tui.tui.reading import has_rendering
from judge_tui.tui.screens.terminal_sized import TerminalSized
from judge_tui.tui.shown import foreign
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import DocumentView
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.tui.screens.find import FindOverlay

_READ = Binding.Group("Read")
# Cells that one key goes sideways.
_SIDEWAYS = 8


def pager_bindings(room: str = "pager") -> list[Binding]:
    """The keys of a pager, with ids that begin with the name of their room."""
    return [
        Binding(keys, action, what, id=f"{room}.{name}", group=_READ)
        for keys, action, what, name in (
            ("j,down", "scroll(1)", "scroll down", "down"),
            ("k,up", "scroll(-1)", "scroll up", "up"),
            ("space,pagedown", "page(1)", "page down", "page-down"),
            ("b,pageup", "page(-1)", "page up", "page-up"),
            ("g,home", "top", "to the top", "top"),
            ("G,end", "bottom", "to the end", "bottom"),
            ("slash", "find", "find in the document", "find"),
            ("n", "find_next(1)", "next hit", "find-next"),
            ("N", "find_next(-1)", "previous hit", "find-previous"),
            ("escape", "stop_finding", "stop finding", "stop-finding"),
            ("m", "marks", "mark query words, or not", "marks"),
            ("v", "raw", "rendered, or raw", "raw"),
            ("w", "wrap", "wrap long lines, or not", "wrap"),
            ("l,right", "shift(1)", "right, in long lines", "right"),
            ("h,left", "shift(-1)", "left, in long lines", "left"),
            ("y", "copy_id", "copy the document's id", "copy-id"),
        )
    ]


class Pager(TerminalSized[Any]):
    """What the keys of a pager do. A screen with a `DocumentView` of id `document` mixes it in, has
    `pager_bindings` among its own, and what is abstract here."""

    PAGER: ClassVar[str] = "pager"
    """The room that its keys have their ids from."""

    tastes: Keeper
    raw: bool
    """Whether what has a rendering is shown as it was loaded."""
    keys: dict[str, str]
    """The first key of each binding, as it is shown, by the id of the binding."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._sought = ""
        self._finding: FindOverlay | None = None

    @property
    @abstractmethod
    def in_front(self) -> Document | None:
        """The document that is shown, None where none is."""

    @abstractmethod
    def show_document(self, place: Place | None = None) -> None:
        """Show that document, from its beginning or near a place in it."""

    @abstractmethod
    def show_state(self) -> None:
        """Show what is known of it, `raw` or not among that."""

    @abstractmethod
    def say(self, said: Content) -> None:
        """Put one line on the screen."""

    @property
    def view(self) -> DocumentView:
        """Where the document stands."""
        return self.query_one("#document", DocumentView)

    def as_liked(self) -> None:
        """Let documents be wrapped and marked as the user left it; once, when there is a view."""
        if not self.tastes.now.wraps:
            self.view.toggle_wrap()
        if not self.tastes.now.marks:
            self.view.toggle_marks()

    def action_scroll(self, by: int) -> None:
        self.view.move(by)

    def action_page(self, by: int) -> None:
        self.view.move(by * max(1, self.view.size.height - 2))

    def action_top(self) -> None:
        self.view.to_start()

    def action_bottom(self) -> None:
        self.view.to_end()

    # Finding

    def action_find(self) -> None:
        from judge_tui.tui.screens.find import FindOverlay  # noqa: PLC0415

        if self.in_front is None:
            return
        view = self.view
        top, width = view.scroll_offset.y, view.size.width

        def find(text: str) -> str:
            """From where one was, however far the text so far has led."""
            # Rows are others once the width is another.
            if view.size.width == width:
                view.scroll_to(y=top, animate=False, immediate=True, force=True)
            return view.find(text)

        def found(text: str | None) -> None:
            if text:
                self._sought = text
                self.say(foreign(overlay.said))
            else:
                find("")

        self._finding = overlay = FindOverlay(self._sought, find)
        self.app.push_screen(overlay, found)

    @on(DocumentView.Found, "#document")
    def _found(self, message: DocumentView.Found) -> None:
        """All of a long document was searched in the end."""
        if self._finding is not None and self._finding.is_current:
            self._finding.say(message.said)
        else:
            self.say(foreign(message.said))

    def action_find_next(self, by: int) -> None:
        if self.in_front is None:
            return
        if not self._sought:
            self.say(Content(f"nothing to find yet: {self._key('find')} finds"))
        elif self.view.finding:
            self.say(foreign(self.view.find_next(by)))
        else:
            self.say(foreign(self.view.find(self._sought)))

    def action_stop_finding(self) -> None:
        if self.view.finding:
            self.view.stop_finding()
            self.say(Content(""))

    # How it is shown

    def action_marks(self) -> None:
        on = self.view.toggle_marks()
        self.tastes.keep(marks=on)
        self.say(Content("the query's words are marked" if on else "marks are off"))

    def action_wrap(self) -> None:
        wrapped = self.view.toggle_wrap()
        self.tastes.keep(wraps=wrapped)
        left, right = self._key("left"), self._key("right")
        sideways = f"long lines go on to the right: {left} and {right} go there"
        self.say(Content("long lines are wrapped" if wrapped else sideways))

    def action_shift(self, by: int) -> None:
        self.view.shift(by * _SIDEWAYS)

    def action_raw(self) -> None:
        """For this document and those that follow, until it is switched back."""
        document = self.in_front
        if document is None:
            return
        self.raw = not self.raw
        self.tastes.keep(raw=self.raw)
        said = "raw text, as it was loaded" if self.raw else "rendered"
        if has_rendering(document):
            self.show_document(self.view.place)
            self.show_state()
        else:
            said += " from now on; this document is the same in both forms"
        self.say(Content(said))

    def action_copy_id(self) -> None:
        document = self.in_front
        if document is not None:
            # As it is shown: pasted into a shell, a newline or an escape in it would be obeyed.
            self.app.copy_to_clipboard(visible_line(document.doc_id))
            copied = foreign(document.doc_id)
            self.say(Content.assemble("given to the terminal's clipboard: ", copied))

    def _key(self, name: str) -> str:
        return self.keys[f"{self.PAGER}.{name}"]
