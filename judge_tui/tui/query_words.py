"""Which words of a document to mark for a query."""

from __future__ import annotations

import re

__all__ = ["query_words"]

# Words that carry the question, not the need.
_STOP_WORDS = """
    a about an and are as at be by can do does for from get has have how i if in into is it its me
    my of on one or should so that the them there this to up use used using was way what when where
    which who why will with without you your
"""
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(_WORD.findall(_STOP_WORDS))


def query_words(text: str) -> re.Pattern[str] | None:
    """A pattern for the words of `text`, whatever their case, singular or plural.

    Parts of an identifier count as words (`DictReader` holds `dict`). None where nothing is left
    to mark once the stop words are gone.
    """
    stems: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match.group().casefold()
        if word not in _STOP and (len(word) > 1 or not word.isascii()):
            stems[_stem(word)] = None
    if not stems:
        return None
    # The longest first: alternation takes the first branch that fits.
    branches = "|".join(_branch(stem) for stem in sorted(stems, key=lambda s: (-len(s), s)))
    return re.compile(branches)


def _stem(word: str) -> str:
    """The singular, for the regular plurals of English (the S-stemmer of Harman, 1991)."""
    if len(word) > 4 and word.endswith("ies") and word[-4] not in "ae":
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word


# A word ends where its letters do, or where the next part of an identifier begins.
_BEGIN = r"(?:(?<![^\W_])|(?<=[a-z0-9])(?=[A-Z]))"
_END = r"(?:(?![^\W_])|(?<=[a-z0-9])(?=[A-Z]))"


def _branch(stem: str) -> str:
    if stem.upper() == stem.lower() and not stem.isdigit():
        # A script without case, such as Chinese, is written without spaces between words.
        return re.escape(stem)
    if len(stem) > 2 and stem.endswith("y"):
        body = re.escape(stem[:-1]) + "(?:y|ies)"
    else:
        body = re.escape(stem) + "(?:es|s)?"
    return f"{_BEGIN}(?i:{body}){_END}"
