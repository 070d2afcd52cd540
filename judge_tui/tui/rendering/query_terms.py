"""Which words of a document to mark for a query."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Words that carry the question, not the need.
_STOP_WORDS = """
    a about an and are as at be by can do does for from get has have how i if in into is it its me
    my of on one or should so that the them there this to up use used using was way what when where
    which who why will with without you your
"""
_STOP = frozenset(_STOP_WORDS.split())
# Vowel signs, points and accents that are written above, below or beside a letter are part of its
# word: in Devanagari, Thai or Hebrew every other character is one.
_SIGNS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06ed\u0711-\u074a\u07a6-\u07b0\u07eb-\u07f3\u08ca-\u08ff"
    "\u0900-\u0963\u0981-\u09e3\u0a01-\u0ae3\u0afa-\u0aff\u0b01-\u0be3\u0c00-\u0ce3\u0d00-\u0df3"
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)
_LETTER = rf"(?:[^\W_]|[{_SIGNS}])"
_WORD = re.compile(rf"{_LETTER}+")
# One letter that is no word of a sentence.
_CAPITAL = re.compile(r"(?<!\w)[B-HJ-Z](?!\w)")
# Written without spaces between words, or with endings that are part of the word: Thai, Lao,
# Tibetan, Burmese and Khmer; kana, ideographs and Hangul.
_UNSPACED = re.compile(
    "(?P<letters>[\u0e00-\u109f\u1780-\u17ff]+)"
    "|[\u3005-\u3007\u3041-\u3096\u30a1-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_HIRAGANA = re.compile("[\u3041-\u309f]+")
# A query is some words; what is pasted into one by mistake need not be marked.
_MOST_WORDS = 100

# A word, or a part of an identifier such as DictReader, begins or ends here.
_BEGIN = rf"(?:(?<!{_LETTER})|(?<=[a-z0-9])(?=[A-Z]))"
_END = rf"(?:(?!{_LETTER})|(?<=[a-z0-9])(?=[A-Z]))"


def query_terms(text: str) -> re.Pattern[str] | None:
    """What to mark for the words of `text`, whatever their case, singular or plural.

    Parts of an identifier count as words (`DictReader` holds `dict`). Where there are no spaces
    between words, some neighbouring characters count as one. A single capital (C, R, as in C++)
    counts as it is written. Letters with accents are the same composed or not. None where nothing
    is left to mark once the stop words are gone.
    """
    stems: dict[str, None] = {}
    for match in _WORD.finditer(_lower(text)):
        at = 0
        word = match.group()
        for run in () if word.isascii() else _UNSPACED.finditer(word):
            _add(word[at : run.start()], stems)
            stems.update(dict.fromkeys(_neighbours(run)))
            at = run.end()
        _add(word[at:], stems)
    forms = dict.fromkeys(
        unicodedata.normalize(form, stem)
        for stem in list(stems)[:_MOST_WORDS]
        for form in ("NFC", "NFD")
    )
    spaced = [form for form in forms if form.upper() != form.lower() or form.isdigit()]
    unspaced = [form for form in forms if form not in spaced]
    words = [_word(form) for form in sorted(spaced, key=len, reverse=True)]
    words += dict.fromkeys(_CAPITAL.findall(text))
    patterns = [f"{_BEGIN}(?:{'|'.join(words)}){_END}"] if words else []
    patterns += _chains(unspaced)
    return re.compile("|".join(patterns)) if patterns else None


def _word(stem: str) -> str:
    """A pattern of a word and its plural."""
    if len(stem) > 2 and stem.endswith("y"):
        return f"(?i:{re.escape(stem[:-1])}(?:y|ies))"
    return f"(?i:{re.escape(stem)}(?:es|s)?)"


def _chains(terms: Iterable[str]) -> list[str]:
    """Patterns of terms that may overlap: each goes on to the end of the last one."""
    by_length: dict[int, list[str]] = {}
    for term in terms:
        by_length.setdefault(len(term), []).append(re.escape(term))
    return [
        f"(?:(?={'|'.join(same)}).)+.{{{length - 1}}}"
        for length, same in sorted(by_length.items(), reverse=True)
    ]


def _lower(text: str) -> str:
    """Lower case, character by character: nothing becomes longer, and there is one sigma."""
    return text.replace("\u0130", "i").lower().replace("ς", "σ")


def _add(word: str, stems: dict[str, None]) -> None:
    # One letter is a word in Greek, but an article or a vowel in scripts without case.
    is_word = len(word) > 1 or (word != word.upper() and not word.isascii())
    if is_word and word not in _STOP:
        stems.update(dict.fromkeys(_singulars(word)))


def _neighbours(run: re.Match[str]) -> list[str]:
    """Two characters of Chinese, Japanese or Korean, as search engines index them; four of scripts
    that write syllables with several. Hiragana alone is mostly grammar."""
    text, count = run.group(), 4 if run["letters"] else 2
    found = [text[at : at + count] for at in range(max(1, len(text) - count + 1))]
    return [piece for piece in found if not _HIRAGANA.fullmatch(piece)] or found


def _singulars(word: str) -> tuple[str, ...]:
    """What an English word may be the regular plural of, or the word itself (a plural then counts
    as one of it); in the way of the S-stemmer of Harman (1991), but where spelling leaves open
    which singular it is (`caches`, `buses`; `movies`, `queries`) all of them."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return (word,)
    if word.endswith("ies") and len(word) > 4 and word[-4] not in "ae":
        return word[:-3] + "y", word[:-1]
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")) and len(word) > 4:
        return word[:-1], word[:-2]
    if word.endswith(("us", "is")):
        # Short ones may be plurals (menus, APIs), longer ones are not (status, analysis).
        return (word, word[:-1]) if len(word) < 6 else (word,)
    return (word[:-1],)
