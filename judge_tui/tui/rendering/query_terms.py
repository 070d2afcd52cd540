"""Which words of a document to mark for a query."""

from __future__ import annotations

import re
import unicodedata

# Words that carry the question, not the need.
_STOP_WORDS = """
    a about an and are as at be by can do does for from get has have how i if in into is it its me
    my of on one or should so that the them there this to up use used using was way what when where
    which who why will with without you your
"""
_STOP = frozenset(_STOP_WORDS.split())
# One letter that is not a word of a sentence, as in C++.
_CAPITAL = re.compile(r"(?<!\w)[B-HJ-Z](?!\w)")
# Kana, ideographs and Hangul stand without spaces, or with endings that are part of the word.
_UNSPACED = re.compile(
    "[\u3005-\u3007\u3041-\u3096\u30a1-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]+"
)
# One letter is a word among ideographs (`犬`), but not among kana or in alphabets without case.
_FIRST_IDEOGRAPH = "\u3400"
# Hiragana alone is mostly grammar.
_HIRAGANA = re.compile("[\u3041-\u309f]+")
# A query is some words; what is pasted into one by mistake need not be marked.
_MOST_WORDS = 100

# A word, or a part of an identifier such as DictReader, begins or ends here.
_BEGIN = r"(?:(?<![^\W_])|(?<=[a-z0-9])(?=[A-Z]))"
_END = r"(?:(?![^\W_])|(?<=[a-z0-9])(?=[A-Z]))"


def query_terms(text: str) -> re.Pattern[str] | None:
    """What to mark for the words of `text`, whatever their case, singular or plural; None where it
    has stop words alone.

    Parts of an identifier count as words (`DictReader` holds `dict`). Words of scripts without case
    are marked within longer ones, too; of kana, ideographs and Hangul, two neighbours are a word. A
    single capital (C, R) counts as it is written. Letters with accents are the same composed or
    not.
    """
    cased: dict[str, None] = {}
    uncased: dict[str, None] = {}
    pairs: dict[str, None] = {}
    for word in _words(text)[:_MOST_WORDS]:
        if len(word) > 1 and _UNSPACED.match(word):
            pairs.update(dict.fromkeys(_neighbours(word)))
        elif word.upper() != word or word.isdigit():
            stems = _singulars(word) if word not in _STOP else ()
            for form in ("NFC", "NFD"):
                cased.update((unicodedata.normalize(form, stem), None) for stem in stems)
        elif len(word) > 1 or word >= _FIRST_IDEOGRAPH:
            uncased[word] = None
    words = [_word(form) for form in sorted(cased, key=len, reverse=True)]
    words += dict.fromkeys(_CAPITAL.findall(text))
    patterns = [f"{_BEGIN}(?:{'|'.join(words)}){_END}"] if words else []
    patterns += map(re.escape, sorted(uncased, key=len, reverse=True))
    if pairs:
        # They may overlap: each goes on to the end of the last one.
        patterns.append(f"(?:(?={'|'.join(map(re.escape, pairs))}).)+.")
    return re.compile("|".join(patterns)) if patterns else None


def _words(text: str) -> list[str]:
    """In lower case, those without spaces apart from others (`CSVを読む`). Signs above, below or
    beside a letter are part of its word."""
    parts = (char if unicodedata.category(char)[0] in "LMN" else " " for char in text.lower())
    words = _UNSPACED.sub(r" \g<0> ", "".join(parts)).split()
    return [word for word in words if len(word) > 1 or not word.isascii()]


def _word(stem: str) -> str:
    """A pattern of a word and its plural."""
    if len(stem) > 2 and stem.endswith("y"):
        return f"(?i:{re.escape(stem[:-1])}(?:y|ies))"
    return f"(?i:{re.escape(stem)}(?:es|s)?)"


def _neighbours(run: str) -> list[str]:
    """Two characters each, as search engines index them."""
    found = [run[at : at + 2] for at in range(len(run) - 1)]
    return [pair for pair in found if not _HIRAGANA.fullmatch(pair)] or found


def _singulars(word: str) -> tuple[str, ...]:
    """What an English word may be the regular plural of, or the word itself, in the way of the
    S-stemmer of Harman (1991); all of them where spelling leaves open which (`caches`, `buses`)."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return (word,)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y", word[:-1]
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")) and len(word) > 4:
        return word[:-1], word[:-2]
    if word.endswith(("us", "is")):
        # Short ones may be plurals (menus, APIs), longer ones are not (status, analysis).
        return (word, word[:-1]) if len(word) < 6 else (word,)
    return (word[:-1],)
