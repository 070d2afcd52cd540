"""Through one document: scrolling, finding, and how it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.campaign.desk import Desk
from judge_tui.tui.reading import has_rendering
from judge_tui.tui.screens.judge.deciding import Deciding
from judge_tui.tui.shown import foreign
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import DocumentView
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.tui.screens.find import FindOverlay

__all__ = ["Perusing"]

_READ = Binding.Group("Read")
# Cells that one key goes sideways.
_SIDEWAYS = 8


class Perusing(Deciding):
    """The keys of a pager."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll(1)", "scroll down", id="judge.down", group=_READ),
        Binding("k,up", "scroll(-1)", "scroll up", id="judge.up", group=_READ),
        Binding("space,pagedown", "page(1)", "page down", id="judge.page-down", group=_READ),
        Binding("b,pageup", "page(-1)", "page up", id="judge.page-up", group=_READ),
        Binding("g,home", "top", "to the top", id="judge.top", group=_READ),
        Binding("G,end", "bottom", "to the end", id="judge.bottom", group=_READ),
        Binding("slash", "find", "find in the document", id="judge.find", group=_READ),
        Binding("n", "find_next(1)", "next hit", id="judge.find-next", group=_READ),
        Binding("N", "find_next(-1)", "previous hit", id="judge.find-previous", group=_READ),
        Binding("escape", "stop_finding", "stop finding", id="judge.stop-finding", group=_READ),
        Binding("m", "marks", "mark query words, or not", id="judge.marks", group=_READ),
        Binding("v", "raw", "rendered, or raw", id="judge.raw", group=_READ),
        Binding("w", "wrap", "wrap long lines, or not", id="judge.wrap", group=_READ),
        Binding("l,right", "shift(1)", "right, in long lines", id="judge.right", group=_READ),
        Binding("h,left", "shift(-1)", "left, in long lines", id="judge.left", group=_READ),
        Binding("y", "copy_id", "copy the document's id", id="judge.copy-id", group=_READ),
    ]

    def __init__(self, desk: Desk, tastes: Keeper | None = None) -> None:
        super().__init__(desk, tastes)
        self._sought = ""
        self._finding: FindOverlay | None = None

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

        if self._document is None:
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
        if self._document is None:
            return
        if not self._sought:
            self.say(Content(f"nothing to find yet: {self.keys['judge.find']} finds"))
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
        left, right = self.keys["judge.left"], self.keys["judge.right"]
        sideways = f"long lines go on to the right: {left} and {right} go there"
        self.say(Content("long lines are wrapped" if wrapped else sideways))

    def action_shift(self, by: int) -> None:
        self.view.shift(by * _SIDEWAYS)

    def action_raw(self) -> None:
        """For this document and those that follow, until it is switched back."""
        if self._document is None:
            return
        self.raw = not self.raw
        self.tastes.keep(raw=self.raw)
        said = "raw text, as it was loaded" if self.raw else "rendered"
        if has_rendering(self._document[0]):
            self.show_document(self.view.place)
            self.show_state()
        else:
            said += " from now on; this document is the same in both forms"
        self.say(Content(said))

    def action_copy_id(self) -> None:
        pair = self.route.pair
        if pair is not None and self._document is not None:
            # As it is shown: pasted into a shell, a newline or an escape in it would be obeyed.
            self.app.copy_to_clipboard(visible_line(pair.doc_id))
            self.say(Content.assemble("given to the terminal's clipboard: ", foreign(pair.doc_id)))
