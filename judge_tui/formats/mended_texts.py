"""Whether one text of a query may be another one that was mended, or is a query of its own."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Sequence

from judge_tui.formats.named_queries import words_of

__all__ = ["may_be_its", "may_be_mended", "mended_ones"]

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
    return _mended(_words(text), _words(other))


def may_be_its(text: str, own: str, others: Container[str]) -> bool:
    """Whether a text beside the id of a query may be its `own`, or that mended, as `may_be_mended`
    has it: what is the text of another is none, however alike they are. `others`: the texts of all
    queries, its own may be among them, by their words (`words_of`)."""
    words = words_of(text)
    return words == words_of(own) or (words not in others and may_be_mended(own, text))


def mended_ones(older: Sequence[str], newer: Sequence[str]) -> dict[int, int]:
    """By its number from 0, the newer text that one of the older ones may have been mended to, as
    `may_be_mended` has it: none of those that may be several of the others, on either side."""
    before, now = ([_Words(text) for text in texts] for texts in (older, newer))
    may_be = {
        at: [was for was, its in enumerate(before) if its.may_be(words)]
        for at, words in enumerate(now)
    }
    times = Counter(was for its in may_be.values() for was in its)
    return {its[0]: at for at, its in may_be.items() if len(its) == 1 and times[its[0]] == 1}


class _Words:
    """Those of a text that is held against many others."""

    def __init__(self, text: str) -> None:
        self.words = _words(text)
        self.first = {word[0] for word in self.words}

    def may_be(self, other: _Words) -> bool:
        # Most texts are told apart by that: a word has no typing error in its first letter.
        if not (self.first <= other.first or other.first <= self.first):
            return "".join(self.words) == "".join(other.words)
        return _mended(self.words, other.words)


def _mended(text: Sequence[str], other: Sequence[str]) -> bool:
    shorter, longer = sorted((text, other), key=len)
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
