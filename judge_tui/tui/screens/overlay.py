"""What every overlay has in common: it lies over the screen below and escape closes it."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

__all__ = ["Overlay"]

Result = TypeVar("Result")


class Overlay(ModalScreen[Result | None]):
    """Closed with escape, giving None."""

    CSS_PATH = "overlay.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="overlay.close"),
    ]

    def action_close(self) -> None:
        self.dismiss(None)
