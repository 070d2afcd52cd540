"""What judges are called on the lead's screens."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from string import ascii_uppercase

from judge_tui.campaign.store.judges import Judge
from judge_tui.visible import visible_line


class Letters:
    """Judges are letters until the lead asks for names, which stand beside the letters then.

    A judge's key has its letter, drawn by the campaign's seed: nobody's changes when others come,
    begin, are renamed or go, and it says nothing of names, nor of who came first. Not all of A, B
    and C need be there. The judges after the 26th are A2, B2 … The model that people are put
    `against` has its name, and stands behind them.
    """

    def __init__(self, seed: int, against: Judge | None = None) -> None:
        self.revealed = False
        self.against = against
        self._drawn = sorted(
            ascii_uppercase, key=lambda letter: blake2b(f"{seed} {letter}".encode()).digest()
        )

    def letter(self, judge: Judge) -> str:
        """The letter alone, or the name of the model."""
        if judge == self.against:
            return visible_line(judge.name)
        turn, place = divmod(judge.key - 1, len(self._drawn))
        return f"{self._drawn[place]}{turn + 1 if turn else ''}"

    def call(self, judge: Judge) -> str:
        """What the judge is called now, on one line."""
        letter = self.letter(judge)
        has_name = self.revealed and judge != self.against
        return f"{letter} {visible_line(judge.name)}" if has_name else letter

    def in_order(self, judges: Iterable[Judge]) -> list[Judge]:
        """As they are shown."""
        return sorted(judges, key=lambda one: (one == self.against, self.letter(one)))

    def called(self, judges: Iterable[Judge]) -> dict[int, str]:
        """Key -> what the judge is called now, in the order in which judges are shown."""
        return {judge.key: self.call(judge) for judge in self.in_order(judges)}
