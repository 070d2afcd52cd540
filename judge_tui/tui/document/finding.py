"""Find in the document: what is looked for, which hit one is at, and how that is said."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from judge_tui.tui.document.hits import Hits
from judge_tui.tui.wrapping import Row
from judge_tui.visible import visible_line

_CUT = 40
_ACCENT = "[\u0300-\u036f\u20d0-\u20f0\ufe20-\ufe2f]"


class Finding:
    """One text looked for: literally, case counting only if it has a capital.

    A space also finds the end of a line and the space that does not break, and a letter with an
    accent is found composed or not: on screen they are the same. Half of such a letter is not
    found.
    """

    def __init__(self, sought: str) -> None:
        self._shown = visible_line(sought.replace("\t", " "))
        flags = 0 if any(char.isupper() for char in self._shown) else re.IGNORECASE
        forms = {unicodedata.normalize(form, self._shown): None for form in ("NFC", "NFD")}
        forms[self._shown] = None
        literal = "|".join(re.escape(form).replace("\\ ", "[ \n\u00a0]") for form in forms)
        self._pattern = re.compile(f"(?:{literal})(?!{_ACCENT})", flags)
        self.reach = max(map(len, forms)) + 1
        self.hits = Hits(self)
        self.here: int | None = None
        self._wrapped = ""

    def seek(self, text: str, start: int, stop: int) -> Iterator[Row]:
        """The occurrences in `text[start:stop]`."""
        return (match.span() for match in self._pattern.finditer(text, start, stop))

    @property
    def span(self) -> Row:
        """The hit one is at; an empty stretch where there is none."""
        return (0, 0) if self.here is None else self.hits[self.here]

    def go(self, offset: int, by: int, *, is_end: bool) -> bool:
        """Go to the first hit at `offset` or after it (`by` 1), or to the last one before it (-1),
        past the end of the document if need be. False where too little is searched for that."""
        self.here = None
        if by < 0 and self.hits.searched < offset:
            return False
        count, hit = len(self.hits), self.hits.after(offset) - (by < 0)
        self._wrapped = ""
        if not 0 <= hit < count:
            if not is_end:
                return False
            self._wrapped = ", from the end again" if hit < 0 else ", from the beginning again"
            hit = count - 1 if hit < 0 else 0
        self.here = hit if count else None
        return True

    def said(self, *, is_end: bool) -> str:
        """Which hit one is at, of how many."""
        if self.here is not None:
            rest = "" if is_end else " so far"
            return f"{self.here + 1} of {len(self.hits)}{rest}{self._wrapped}"
        return f"not found: {self._name}" if is_end else f"looking for {self._name} …"

    @property
    def _name(self) -> str:
        return self._shown if len(self._shown) <= _CUT else f"{self._shown[: _CUT - 1]}…"
