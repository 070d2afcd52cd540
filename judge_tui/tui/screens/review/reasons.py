"""The reasons that a lead has typed, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from judge_tui.campaign.store.adjudication import Settlement
from judge_tui.campaign.store.judges import Judge
from judge_tui.counts import counted
from judge_tui.tui.screens.review.docket import Case
from judge_tui.tui.shown import foreign

_NAMED = 3


class Reasons:
    """A reason waits until the lead settles its case, and goes with any grade that is given while
    the case in which it was typed stays on screen."""

    def __init__(self, lead: Judge) -> None:
        self._lead = lead
        # By pair: that of what is not settled by this lead yet, or that could not be written.
        self._waiting: dict[int, str] = {}
        self._named: dict[int, tuple[str, str]] = {}
        self._typed: tuple[int, str] | None = None
        self.told = False
        """Whether it was said that there is something that waits."""

    @property
    def waiting(self) -> list[tuple[str, str, str]]:
        """The ids of the query and the document, and the reason that waits, in the order of
        typing."""
        return [(*self._named[pair], reason) for pair, reason in self._waiting.items() if reason]

    def typed(self, case: Case, named: tuple[str, str], reason: str) -> None:
        """Keep what was typed at a case, of the query and the document `named` by their ids, until
        it is settled with."""
        self.told = False
        self._typed = (case.pair, reason)
        self._waiting[case.pair] = reason
        self._named[case.pair] = named

    def done_with(self, pair: int) -> None:
        """Nothing waits for a grade of this pair any more."""
        self._waiting.pop(pair, None)

    def shown(self, pair: int | None) -> None:
        """Which case is on screen now."""
        if self._typed is not None and self._typed[0] != pair:
            self._typed = None

    def to_edit(self, case: Case, settled: Settlement | None) -> str:
        """What the lead's own reason is so far."""
        own = settled.reason if settled is not None and self.is_own(settled) else ""
        return self._waiting.get(case.pair, own)

    def with_grade(self, case: Case, grade: int, settled: Settlement | None) -> str:
        """What goes with a grade, where `settled` is how it is now."""
        if case.pair in self._waiting or settled is None:
            return self._waiting.get(case.pair, "")
        # Else the reason for another grade is none for this one.
        goes = grade == settled.grade or self._typed == (case.pair, settled.reason)
        return settled.reason if goes else ""

    def is_own(self, settled: Settlement) -> bool:
        """Whether it is this lead's word that holds."""
        return settled.judge.key == self._lead.key


def waiting_content(query_ids: Sequence[str], keys: str) -> Content:
    """That so many reasons wait, a query of each given, and that `keys` leave without them."""
    count, names = len(query_ids), list(dict.fromkeys(query_ids))
    waiting = counted(count, "reason waits", "reasons wait")
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return Content.assemble(
        ("NOT SETTLED  ", "bold $text-warning"),
        f"{waiting} for a grade, on {'query' if len(names) == 1 else 'queries'} ",
        Content(", ").join(foreign(name) for name in names[:_NAMED]),
        f"{more}  ",
        (f"{keys} once more leaves without {'it' if count == 1 else 'them'}", "dim"),
    )
