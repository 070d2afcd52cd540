"""How much alike two names are that may be one, mistyped."""

from __future__ import annotations

import re

__all__ = ["closeness"]

_CLOSE = 0.8
"""Of letters alike, in `difflib`: a letter or two off in a long name, one more or less in any."""
_SHORT = 4
"""Letters of a name in which one other letter is more than that."""
_NUMBER = re.compile(r"\d+")
_SEPARATORS = "_. -"
_PIECE = re.compile(rf"[{_SEPARATORS}]*(?:\d+|[^\d{_SEPARATORS}]+)|[{_SEPARATORS}]+")


def closeness(mine: str, other: str) -> float:
    """How much alike two names are of which one may be a slip of the other, up to 1; else 0.

    A letter or two are off; of a short name one, but not the first. Names that are alike but for
    their numbers are a series, and no slips (judge1, judge2). Of names that begin with the same
    word, what follows it is compared, as a name of its own (rater-a, rater-b; gpt-4, gpt-4o).
    """
    if mine != other and _NUMBER.sub("0", mine) == _NUMBER.sub("0", other):
        return 0.0
    mine, other = sorted(_apart(mine, other))  # the other way round the ratio may be another one
    letters = min(len(mine), len(other))
    if letters > _SHORT:
        return _close(mine, other, _CLOSE)
    # Short names are numbered by design (p1, p2, p11), are initials (jd, js), and part by their
    # first letters (ann, jan; bob, rob); bbo, bop and bpb are slips of bob all the same.
    if mine[:1] != other[:1] or any(letter.isdigit() for letter in mine + other):
        return 0.0
    one_off = (letters - 1) / letters if letters >= 3 and len(mine) == len(other) else _CLOSE
    return _close(mine, other, one_off)


def _close(first: str, second: str, least: float) -> float:
    import difflib  # noqa: PLC0415 - most names are known ones

    ratio = difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()
    return ratio if ratio >= least else 0.0


def _apart(mine: str, other: str) -> tuple[str, str]:
    """What two names do not share behind a first word that they do share; else both, whole."""
    if "@" in mine + other:  # .org for .com is a slip, however short
        return mine, other
    first, second = _PIECE.findall(mine), _PIECE.findall(other)
    begin = _shared(first, second)
    if not begin:
        return mine, other
    first, second = first[begin:], second[begin:]
    end = _shared(first[::-1], second[::-1])
    rest = ["".join(one[: len(one) - end]).strip(_SEPARATORS) for one in (first, second)]
    # anna-b for anna_b: what parts them is a separator
    return (mine, other) if rest[0] == rest[1] else (rest[0], rest[1])


def _shared(first: list[str], second: list[str]) -> int:
    """How many pieces both begin with."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count
