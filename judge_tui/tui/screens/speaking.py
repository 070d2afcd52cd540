"""A screen that says what became of a key, and is left by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual import on
from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.tui.screens.terminal_sized import TerminalSized
from judge_tui.tui.shown import error_content
from judge_tui.tui.widgets import SaidLine, SplitLine
from judge_tui.visible import visible_line

NOT_SAVED = "NOT SAVED"
"""What is said first of what could not be written."""

Result = TypeVar("Result")


class Speaking(TerminalSized[Any]):
    """Has a `SaidLine` above its legend; the mouse on the legend does what the key does."""

    campaign: Campaign

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.failed = False
        """Whether the last change could not be written."""

    def write(self, change: Callable[[], Result], then: Callable[[Result], None]) -> None:
        """Make the change, then call `then` with its result; say NOT SAVED where that fails, as
        where another program holds the file: the key can be pressed again."""
        try:
            result = change()
        except CampaignError as error:
            self.give_up(error)
        else:
            self.failed = False
            then(result)

    def give_up(self, error: CampaignError) -> None:
        """Say that a change was not made."""
        self.failed = True
        self.say_error(NOT_SAVED, error)

    def say_unread(self, error: CampaignError, *, typing: bool) -> None:
        """Say that what a change is about cannot be read again; `typing`: it is only being typed,
        and nothing is to be saved yet."""
        if typing:
            self.say_error("CANNOT READ", error)
        else:
            self.give_up(error)

    def say(self, said: Content) -> None:
        """Put one line above the legend, where the screen has one already."""
        for line in self.query(SaidLine):
            line.say(said)

    def say_whole(self, said: Content, *, stays: bool = True) -> None:
        """The same, over as many lines as it needs; it `stays` where one moves on."""
        for line in self.query(SaidLine):
            line.say_whole(said, stays=stays)

    def say_error(self, start: str, error: JudgeTuiError) -> None:
        """Put an error above the legend, whole, where the screen has a place for it already."""
        self.say_whole(error_content(start, error))

    @on(SplitLine.Pressed)
    async def _pressed(self, message: SplitLine.Pressed) -> None:
        await self.run_action(message.action)

    @property
    def unsaved(self) -> list[str]:
        """What was typed here and could not be written, in a line each, with what it is about: the
        app prints it when it ends, harmless for a terminal, as it is nowhere else."""
        return []

    def may_leave(self, keys: str) -> bool:
        """Whether nothing that was typed goes with the screen; where something does, it is said
        once, and that `keys` leave without it."""
        return True

    def action_leave(self) -> None:
        # A second key, pressed before the screen was gone, must not take Home with it.
        if self.is_active:
            self.dismiss()


def unsaved_line(what: str, query_id: str, doc_id: str, text: str) -> str:
    """One line of `Speaking.unsaved`: `what` was typed about a document of a query."""
    query, document = visible_line(query_id), visible_line(doc_id)
    return f"{NOT_SAVED}: the {what} on {document}, query {query}: {visible_line(text)}"
