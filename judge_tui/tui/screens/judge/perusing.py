"""Through the document in front of the judge, by the keys of a pager."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from judge_tui.model import Document
from judge_tui.tui.screens.judge.deciding import Deciding
from judge_tui.tui.screens.pager import Pager, pager_bindings

__all__ = ["Perusing"]


class Perusing(Deciding, Pager):
    """The keys of a pager, under the ids of the Judge screen."""

    PAGER = "judge"

    BINDINGS: ClassVar[list[BindingType]] = [*pager_bindings("judge")]

    @property
    def in_front(self) -> Document | None:
        pair = self.route.pair
        return self._document[0] if pair is not None and self._document is not None else None
