"""What judges are called on the lead's screen: letters, until the lead asks for names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from string import ascii_uppercase

from judge_tui.campaign import Settings
from judge_tui.campaign.store.judges import Judge
from judge_tui.visible import visible_line


class Faces:
    """The letters of a campaign's judges: the same at every start, and not in the order of names or
    of their coming. A judge who comes while the screen is open gets the next letter."""

    def __init__(self, settings: Settings, judges: Iterable[Judge]) -> None:
        def drawn(judge: Judge) -> bytes:
            text = f"{settings.seed} {settings.name} {judge.first_name}"
            return blake2b(text.encode("utf-8", "surrogatepass")).digest()

        self._drawn = drawn
        self._letters: dict[int, str] = {}
        self.named = False
        """Whether names are shown."""
        self.meet(judges)

    def meet(self, judges: Iterable[Judge]) -> None:
        """Give letters to those who have none yet."""
        new = [judge for judge in judges if judge.key not in self._letters]
        for judge in sorted(new, key=self._drawn):
            self._letters[judge.key] = _letters(len(self._letters))

    def of(self, judge: Judge) -> str:
        """What a judge is called now, visible, on one line."""
        return visible_line(judge.name) if self.named else self._letters[judge.key]

    def in_order(self, judges: Sequence[Judge]) -> list[int]:
        """Places of the judges, by their letters; names change nothing about it."""

        def letter(place: int) -> tuple[int, str]:
            letters = self._letters[judges[place].key]
            return len(letters), letters

        return sorted(range(len(judges)), key=letter)


def _letters(number: int) -> str:
    """A to Z, then AA to ZZ, and so on."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_uppercase))
        text = ascii_uppercase[digit] + text
    return text
