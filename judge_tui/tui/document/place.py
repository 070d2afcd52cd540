"""The same place in a document that is shown otherwise: by its words, which all forms share."""

from __future__ import annotations

import re
from dataclasses import dataclass

# So many words are kept of what stands at the top; so many in a row tell places apart.
_KEPT_WORDS = 24
_REACH = 4096
_RUNS = (8, 4, 2)
# In characters: how far around the likely place is looked at first.
_AROUND = 20_000

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Place:
    """Words that stand at a place and after it, and how far into the document it is (0 to 1)."""

    words: tuple[str, ...]
    share: float

    @classmethod
    def of(cls, text: str, offset: int, length: int) -> Place:
        """The place at an offset of a text that will be so long."""
        words = []
        for found in _WORD.finditer(text, offset, min(len(text), offset + _REACH)):
            words.append(found.group())
            if len(words) == _KEPT_WORDS:
                break
        return cls(tuple(words), offset / max(1, length))

    def find(self, text: str, length: int, *, is_end: bool) -> int | None:
        """Where it is in another text, which will be so long and is ready as far as it goes: the
        place with these words that is nearest to the same share. None where more of the text is
        needed to tell."""
        likely = round(self.share * length)
        if not is_end and len(text) < likely + _AROUND:
            return None
        for start, end in ((likely - _AROUND, likely + _AROUND), (0, len(text))):
            if (found := self._nearest(text, likely, max(0, start), end)) is not None:
                return found
            if not is_end:
                return None
        return min(likely, len(text))

    def _nearest(self, text: str, likely: int, start: int, end: int) -> int | None:
        """Where most of the first words stand in a row, nearest to the likely place."""
        for run in _RUNS:
            # Between the first words there may be what the other form does not show.
            for first in range(max(1, len(self.words) - run + 1)):
                words = self.words[first : first + run]
                if len(words) < min(run, len(self.words)) or not words:
                    continue
                # Looked ahead for: a row of words may begin within another one.
                row = r"[\W_]+".join(map(re.escape, words))
                found = re.compile(rf"(?<!\w)(?={row}(?!\w))").finditer(text, start, end)
                places = [one.start() for one in found]
                if places:
                    return min(places, key=lambda at: abs(at - likely))
        return None
