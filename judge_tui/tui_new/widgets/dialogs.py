"""Dialogs over a screen: a line, a text, a question and a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Button, Footer, Input, Static, TextArea

from judge_tui.tui_new.widgets.status_line import StatusLine
from judge_tui.tui_new.widgets.table import Heading, Table
from judge_tui.visible import visible, visible_line


class Dialog(ModalScreen[ScreenResultType]):
    """What they share: a pane with a title, the keys in the footer, and escape to close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="dialog.close"),
    ]

    def __init__(self, title: str, *, hint: Content | str = "") -> None:
        super().__init__()
        self.heading = Content(visible_line(title))
        self._hint = Content(visible(hint)) if isinstance(hint, str) else hint

    def pane(self) -> Vertical:
        """The pane that everything else stands in."""
        pane = Vertical(classes="pane dialog")
        pane.border_title = self.heading
        return pane

    def hint(self) -> ComposeResult:
        """What stands above the field, where there is something to say."""
        if self._hint:
            yield Static(self._hint, classes="hint", markup=False)

    def action_close(self) -> None:
        self.dismiss(None)


class _Line(Input):
    """One line to write in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "ok", id="line.enter")]


class Prompt(Dialog[str | None]):
    """Asks for one line."""

    def __init__(self, title: str, *, value: str = "", hint: Content | str = "") -> None:
        super().__init__(title, hint=hint)
        self._value = value

    def compose(self) -> ComposeResult:
        with self.pane():
            yield from self.hint()
            yield _Line(visible_line(self._value), compact=True)
            yield StatusLine()
        yield Footer()

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        self.dismiss(message.value.strip())


class _Text(TextArea):
    """Enter writes it; what is pasted is made visible, and keeps its lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.write", "write", id="text.write", priority=True),
        Binding("alt+enter,shift+enter", "new_line", "new line", id="text.new-line", priority=True),
    ]

    def action_new_line(self) -> None:
        self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
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
        keep: Callable[[str], object] | None = None,
    ) -> None:
        super().__init__(title, hint=hint)
        self._draft = visible(draft)
        self._is_changed = False
        self._limit = limit
        self._keep = keep

    def compose(self) -> ComposeResult:
        with self.pane():
            yield from self.hint()
            yield _Text(self._draft, compact=True, highlight_cursor_line=False)
            yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        text = self.query_one(_Text)
        text.move_cursor(text.document.end)
        self._tell_length()

    @on(TextArea.Changed)
    def _changed(self, message: TextArea.Changed) -> None:
        text = message.text_area.text
        self._is_changed = self._is_changed or text != self._draft
        if self._keep is not None and self._is_changed:
            self._keep(text)
        self.query_one(StatusLine).say()
        self._tell_length()

    def _tell_length(self) -> None:
        if self._limit is not None:
            length = len(self.query_one(_Text).text)
            self.query_one(".dialog").border_subtitle = f"{length:,} of {self._limit:,}"

    def action_write(self) -> None:
        text = self.query_one(_Text).text.strip()
        if self._limit is None or len(text) <= self._limit:
            self.dismiss(text)
            return
        over = f"{len(text) - self._limit:,} characters over {self._limit:,}: shorten it"
        said = Content.assemble(("TOO LONG  ", "bold $text-error"), over)
        self.query_one(StatusLine).say(said)


class Confirm(Dialog[bool]):
    """Asks whether to go on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes", id="confirm.yes"),
        Binding("n", "answer(False)", "no", id="confirm.no"),
    ]

    def __init__(
        self,
        question: str,
        *,
        yes: str = "yes",
        no: str = "no",
        hint: Content | str = "",
        title: str = "Confirm",
    ) -> None:
        super().__init__(title, hint=hint)
        self._question = Content(visible(question))
        self._yes, self._no = visible_line(yes), visible_line(no)

    def compose(self) -> ComposeResult:
        with self.pane():
            yield Static(self._question, classes="question", markup=False)
            yield from self.hint()
            with Horizontal(classes="buttons"):
                yield Button(Content(self._yes), id="yes", compact=True)
                yield Button(Content(self._no), id="no", compact=True)
            yield StatusLine()
        yield Footer()

    @on(Button.Pressed)
    def _pressed(self, message: Button.Pressed) -> None:
        self.dismiss(message.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)

    def action_close(self) -> None:
        self.dismiss(False)


class Picker(Dialog[int | None]):
    """Asks for one of several rows. What is typed leaves the rows whose `words` have all of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "down", show=False, id="picker.down"),
        Binding("up", "move(-1)", "up", show=False, id="picker.up"),
        Binding("pagedown", "page(1)", "page down", show=False, id="picker.page-down"),
        Binding("pageup", "page(-1)", "page up", show=False, id="picker.page-up"),
    ]

    def __init__(
        self,
        title: str,
        headings: Sequence[Heading],
        rows: Sequence[Sequence[Content]],
        *,
        cursor: int = 0,
        words: Sequence[str],
        hint: Content | str = "",
    ) -> None:
        super().__init__(title, hint=hint)
        self._headings, self._rows = headings, rows
        self._words = [text.casefold() for text in words]
        self._cursor = cursor
        self._shown: Sequence[int] = range(len(rows))

    def compose(self) -> ComposeResult:
        with self.pane():
            yield from self.hint()
            yield _Line(placeholder="type to filter", compact=True)
            yield Table()
            yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self._show(self._cursor)

    def _show(self, cursor: int = 0) -> None:
        self.query_one(Table).show(
            self._headings,
            len(self._shown),
            lambda row: self._rows[self._shown[row]],
            cursor=cursor,
            empty="nothing has all of these words",
        )
        self._tell_position()

    @on(Table.Moved)
    def _tell_position(self) -> None:
        table = self.query_one(Table)
        self.query_one(".dialog").border_subtitle = table.position

    @on(Input.Changed)
    def _filter(self, message: Input.Changed) -> None:
        terms = message.value.casefold().split()
        self._shown = [
            row for row, text in enumerate(self._words) if all(term in text for term in terms)
        ]
        self._show(0 if terms else self._cursor)

    @on(Input.Submitted)
    @on(Table.Opened)
    def action_pick(self) -> None:
        if self._shown:
            self.dismiss(self._shown[self.query_one(Table).cursor])

    def action_move(self, by: int) -> None:
        self.query_one(Table).action_cursor(by)

    def action_page(self, by: int) -> None:
        self.query_one(Table).action_page(by)
