"""Dialogs over a screen: a line, a text, a question and a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, Static, TextArea

from judge_tui.errors import CampaignError
from judge_tui.tui.text import error_content, foreign
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Heading, Table
from judge_tui.visible import visible, visible_line


class Dialog(SizedScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """What they share: a pane with a title and a hint, a line that speaks, the keys in the footer,
    and escape to close. A dialog composes its `body`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="dialog.close"),
    ]

    def __init__(self, title: Content | str, *, hint: Content | str = "") -> None:
        super().__init__()
        self._title = Content(visible_line(title)) if isinstance(title, str) else title
        self._hint = Content(visible(hint)) if isinstance(hint, str) else hint

    def compose(self) -> ComposeResult:
        with self.pane():
            if self._hint:
                yield Static(self._hint, classes="hint", markup=False)
            yield from self.body()
            yield StatusLine()
        yield Footer()

    def pane(self) -> Vertical:
        """The pane that everything else stands in."""
        pane = Vertical(classes="pane dialog")
        pane.border_title = self._title
        return pane

    def body(self) -> ComposeResult:
        """What stands below the hint."""
        yield from ()

    def tell_position(self, text: str) -> None:
        """Say on the border where one is."""
        self.query_one(".dialog").border_subtitle = text

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Once: a second key, pressed before it was gone, must not take the screen below along."""
        return super().dismiss(result) if self.is_current else AwaitComplete()

    def action_close(self) -> None:
        self.dismiss(None)


class _Line(Input):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "ok", id="line.enter")]

    async def on_key(self, event: events.Key) -> None:
        await _act_at_once(self, event)


async def _act_at_once(widget: Widget, event: events.Key) -> None:
    """Do what a key is bound to when it comes: Textual does it later, behind letters that were
    typed after it, or, with priority, before those that were typed first."""
    active = None if event.is_printable else widget.screen.active_bindings.get(event.key)
    if (
        active is not None
        and active.node is widget
        and await widget.app.run_action(active.binding.action, widget)
    ):
        event.stop()
        event.prevent_default()


class Prompt(Dialog[str | None]):
    """Asks for one line."""

    def __init__(self, title: str, *, value: str = "", hint: Content | str = "") -> None:
        super().__init__(title, hint=hint)
        self._value = value

    def body(self) -> ComposeResult:
        yield _Line(visible_line(self._value), compact=True)

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        self.dismiss(message.value.strip())


class _Text(TextArea):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.write", "write", id="text.write"),
        Binding(
            "alt+enter,shift+enter",
            "new_line",
            "new line",
            key_display="alt+⏎ or shift+⏎",
            id="text.new-line",
        ),
    ]

    async def on_key(self, event: events.Key) -> None:
        await _act_at_once(self, event)

    def action_new_line(self) -> None:
        self.insert("\n")

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is made visible, and keeps its lines."""
        event.stop()
        event.prevent_default()
        lines = event.text.replace("\r\n", "\n").replace("\r", "\n")
        self.replace(visible(lines), *sorted(self.selection))


class TextPrompt(Dialog[str | None]):
    """Asks for a text of several lines. `keep` gets what stands there at each change, so that
    nothing that was typed is lost, whatever ends the dialog."""

    def __init__(
        self,
        title: str,
        *,
        draft: str = "",
        hint: Content | str = "",
        limit: int | None = None,
        keep: Callable[[str], object],
    ) -> None:
        super().__init__(title, hint=hint)
        self._draft = visible(draft)
        self._limit = limit
        self._keep = keep

    def body(self) -> ComposeResult:
        text = _Text(self._draft, compact=True, highlight_cursor_line=False)
        text.move_cursor(text.document.end)
        yield text

    def on_mount(self) -> None:
        self._tell_length(self._draft)

    @on(TextArea.Changed)
    def _changed(self, message: TextArea.Changed) -> None:
        text = message.text_area.text
        self._keep(text)
        self._tell_length(text)
        self.query_one(StatusLine).say()

    def _tell_length(self, text: str) -> None:
        if self._limit is not None:
            self.tell_position(f"{len(text):,} of {self._limit:,}")

    def action_write(self) -> None:
        area = self.query_one(_Text)
        text = area.text.strip()
        if self._limit is None or len(text) <= self._limit:
            area.read_only = True
            self.dismiss(text)
            return
        over = f"{len(text) - self._limit:,} characters over {self._limit:,}: shorten it"
        sentence = Content.assemble(("TOO LONG  ", "bold $text-error"), over)
        self.query_one(StatusLine).say(sentence)


class Confirm(Dialog[bool]):
    """Asks whether to go on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "yes", id="confirm.yes"),
        Binding("n", "dismiss(False)", "no", id="confirm.no"),
    ]

    def __init__(self, question: str, *, yes: str = "yes", hint: Content | str = "") -> None:
        super().__init__("Confirm", hint=hint)
        self._question = Content(visible(question))
        self._yes = Content(visible_line(yes))

    def body(self) -> ComposeResult:
        yield Static(self._question, classes="question", markup=False)
        with Horizontal(classes="buttons"):
            yield Button(self._yes, id="yes", compact=True)
            yield Button("no", id="no", compact=True)

    @on(Button.Pressed)
    def _pressed(self, message: Button.Pressed) -> None:
        self.dismiss(message.button.id == "yes")

    def action_close(self) -> None:
        self.dismiss(False)


class LossNotice(Dialog[None]):
    """Says once, over every screen, that the campaign's file is lost, and what to do."""

    def __init__(self, loss: CampaignError) -> None:
        super().__init__("FILE LOST", hint=error_content("Nothing is saved any more.", loss))


# Borders, the line to type in, a blank one and the header.
_BESIDE_ROWS = 5


class _Choice(_Line):
    """The line of a picker. Letters, moves and enter reach it as messages, in their order."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move('cursor', 1)", "down", show=False, id="picker.down"),
        Binding("up", "move('cursor', -1)", "up", show=False, id="picker.up"),
        Binding("pagedown", "move('page', 1)", "page down", show=False, id="picker.page-down"),
        Binding("pageup", "move('page', -1)", "page up", show=False, id="picker.page-up"),
    ]

    class Move(Message):
        """The cursor of the table shall do this `action`."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def action_move(self, what: str, by: int) -> None:
        self.post_message(self.Move(f"{what}({by})"))


class Picker(Dialog[int | None]):
    """Asks for one of several rows. What is typed leaves the rows whose `words` have all of it."""

    def __init__(
        self,
        title: str,
        headings: Sequence[Heading],
        rows: Sequence[Sequence[Content]],
        *,
        cursor: int = 0,
        words: Sequence[str],
    ) -> None:
        super().__init__(title)
        self._headings, self._rows = headings, rows
        self._words = [text.casefold() for text in words]
        self._cursor = cursor
        self._shown: Sequence[int] = range(len(rows))

    def body(self) -> ComposeResult:
        yield _Choice(placeholder="type to filter", compact=True)
        yield Table()

    def on_mount(self) -> None:
        # No higher than its rows take; what is typed does not change that.
        self.query_one(".dialog").styles.height = len(self._rows) + _BESIDE_ROWS
        self._show(self._cursor)

    def _show(self, cursor: int) -> None:
        rows = [self._rows[row] for row in self._shown]
        empty = "nothing has all of these words"
        table = self.query_one(Table)
        table.show(self._headings, len(rows), rows.__getitem__, cursor=cursor, empty=empty)
        self._moved()

    @on(Table.Moved)
    def _moved(self) -> None:
        self.tell_position(self.query_one(Table).border_subtitle or "")

    @on(Input.Changed)
    def _filter(self, message: Input.Changed) -> None:
        terms = message.value.casefold().split()
        self._shown = [
            row for row, text in enumerate(self._words) if all(term in text for term in terms)
        ]
        self._show(0 if terms else self._cursor)

    @on(Input.Submitted)
    @on(Table.Opened)
    def _picked(self) -> None:
        if self._shown:
            self.dismiss(self._shown[self.query_one(Table).cursor])

    @on(_Choice.Move)
    async def _move(self, message: _Choice.Move) -> None:
        await self.query_one(Table).run_action(message.action)


def name_picker(title: str, names: Sequence[str], cursor: int) -> Picker:
    """Ask for one of the names, of which the one under the cursor is it now."""
    rows = [[foreign(name)] for name in names]
    return Picker(title, [Heading(fill=True)], rows, cursor=cursor, words=names)
