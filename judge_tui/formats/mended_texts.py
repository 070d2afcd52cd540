"""Whether one text of a query may be another one that was mended, or is a query of its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from judge_tui.formats.named_queries import words_of

__all__ = ["may_be_mended"]

_CLOSE = 0.8
"""Of letters alike, in `difflib`: one more or less in a word of four, one other in one of five."""

_AROUND = ".,;:?!…\"'`´‘’“”„«»()[]{}¿¡。、"


def may_be_mended(text: str, other: str) -> bool:
    """Whether two texts may be one query's, before and after it was mended.

    They are where the words of the shorter one come in the longer one, in their order but for
    typing errors, and are half of it at least. Case, punctuation around words, white space, its
    codes and forms of Unicode are no difference. A word in the place of another makes another
    query, for templates share all the rest ("how to sort", "how to join"); so do other figures. No
    text contradicts none.
    """
    shorter, longer = sorted((_words(text), _words(other)), key=len)
    if not shorter or "".join(shorter) == "".join(longer):
        return True
    left = iter(longer)
    return 2 * len(shorter) >= len(longer) and all(
        any(_same_word(word, one) for one in left) for word in shorter
    )


def _words(text: str) -> Sequence[str]:
    """Without the punctuation around words; what is nothing else, or is in one, belongs to it."""
    folded = unicodedata.normalize("NFKC", words_of(text)).casefold()
    return [word.strip(_AROUND) or word for word in folded.split()]


def _same_word(word: str, other: str) -> bool:
    """Whether they differ by a typing error at most. The first letter is rarely one: "encode" and
    "decode", "lock" and "unlock" are two words."""
    import difflib  # noqa: PLC0415 - most texts are known ones

    if word == other:
        return True
    if word[0] != other[0] or re.search(r"\d", word + other):
        return False
    if sorted(word) == sorted(other):
        return True
    first, second = sorted((word, other))  # the other way round the ratio may be another one
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio() >= _CLOSE
