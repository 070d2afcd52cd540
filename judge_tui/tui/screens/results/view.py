"""What every view of the results is: rows under a cursor, a line on what is under it, and what the
keys find there. Views hold no widget; the screen shows the one that lies uppermost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

from textual.content import Content

from judge_tui.analysis.basis import Basis
from judge_tui.analysis.warnings import of_results
from judge_tui.report import Report
from judge_tui.tui.screens.results.columns import Column, Laid, laid_out
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.widgets.line_list import Piece


class Spot(NamedTuple):
    """A document in the list of a query: the keys of both, and whether it has a final grade."""

    query: int
    document: int
    judged: bool


class View(ABC):
    """One table. Rows are drawn as they come on screen, so that there may be many of them."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.cursor = 0
        self.warnings: tuple[str, ...] = ()
        """What a reader of it must know, as of when it was looked at."""
        self._names: Sequence[Hashable] = ()
        self._page = 0
        self._laid_out: Laid | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """What a file with it is called."""

    @property
    def hints(self) -> Sequence[tuple[str, ...]]:
        """The keys that matter most here, by the ids of their bindings, what they do, and that in
        fewer words, where it can be said so."""
        return ()

    @property
    @abstractmethod
    def title(self) -> Content:
        """What is shown, in a line."""

    @abstractmethod
    def look(self) -> None:
        """Work out what is shown, of what was found; called again whenever that has changed.

        Raises `UsageError` where what it is about is not there, or not there any more.
        """

    def find_warnings(self) -> tuple[str, ...]:
        """What a reader of what is shown must know; asked once the runs are there."""
        return of_results(self.findings.judged, self.findings.stated)

    def see(self) -> None:
        """Look, and find what is to be known of it. Raises as `look` does."""
        self.look()
        known = self.findings.now is not None and self.findings.basis is not None
        self.warnings = self.find_warnings() if known else ()

    @property
    def stated(self) -> Basis:
        """What is shown rests on. Raises `UsageError` where that is not known yet."""
        return replace(self.findings.stated, warnings=self.warnings)

    def name_rows(self, names: Sequence[Hashable]) -> None:
        """Say what each row is about; the cursor stays on what it is on."""
        here = self._names[self.cursor] if self.cursor < len(self._names) else None
        self._names = names
        self.cursor = names.index(here) if here in names else 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._names)

    @abstractmethod
    def head(self, width: int) -> str:
        """The names of the columns."""

    @abstractmethod
    def draw(self, row: int, width: int) -> list[Piece]:
        """One row."""

    @abstractmethod
    def report(self) -> Report:
        """The view as it can be written to a file. Raises `UsageError` while it cannot yet."""

    def below(self, row: int) -> Content:
        """What there is to say of the row under the cursor, in at most three lines."""
        return Content("")

    @property
    def empty(self) -> str:
        """What is said where there is no row."""
        return "There is nothing to show."

    def opened(self, row: int) -> View | None:
        """What enter leads to; None where it leads to no view."""
        return None

    def closed(self, row: int) -> str:
        """Why enter leads nowhere."""
        return "there is nothing behind it"

    def spot(self, row: int) -> Spot | None:
        """The document under the cursor, None where it is on none."""
        return None

    def turned(self, by: int) -> bool:
        """Go to the next run, query or field, or one back; False where there is none such."""
        return False

    def lay(
        self,
        columns: tuple[Column, ...],
        width: int,
        widest: int,
        *,
        least: int = 16,
        cuts_end: bool = False,
    ) -> Laid:
        """Those of its columns that have room and are on the page that one has gone to."""
        self._laid_out = laid_out(
            columns, width, widest, least=least, cuts_end=cuts_end, page=self._page
        )
        return self._laid_out

    def sideways(self, by: int) -> bool:
        """Go to the columns that had no room, or back; False where there are none there."""
        laid = self._laid_out
        if laid is None or not 0 <= laid.page + by < laid.pages:
            return False
        self._page = laid.page + by
        return True

    def side(self, to: int) -> bool:
        """Go to the left (0) or right (1) of two lists; False where there is but one."""
        return False

    @property
    def run(self) -> str | None:
        """The tag of the run under the cursor, or the one that it is all about."""
        return None
