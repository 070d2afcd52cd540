"""Readings taken whole: what tests of all kinds of documents look at."""

from __future__ import annotations

from judge_tui.model import Document
from judge_tui.tui.reading import Reading, reading_of
from judge_tui.tui.reading.streamed import BROKEN_OFF
from judge_tui.visible import visible

_JOINER = "\u200d"


def whole(reading: Reading, step: int = 4096) -> tuple[str, list[tuple[str, ...]]]:
    """All of the text, and the styles of each character, checked on the way."""
    text = ""
    styles: list[tuple[str, ...]] = []
    while reading.done < 1:
        before = reading.done
        part = reading.take(step)
        assert part.text or reading.done == 1, "only at the end is a part empty"
        assert before <= reading.done <= 1
        assert list(part.spans) == sorted(part.spans, key=lambda span: span[0])
        of_part: list[list[str]] = [[] for _ in part.text]
        for start, end, style in part.spans:
            assert 0 <= start <= end <= len(part.text)
            for at in range(start, end):
                of_part[at].append(style)
        text += part.text
        styles += map(tuple, of_part)
    assert reading.take(step).text == ""
    assert BROKEN_OFF not in text
    # Joiners stay between emoji, which may stand in two parts.
    plain = text.replace(_JOINER, "")
    assert visible(plain) == plain
    return text, styles


def rendered(text: str, kind: str) -> str:
    """What a reader of a document sees."""
    return whole(reading_of(Document("d", text=text, kind=kind)))[0]


def styles_of(reading: Reading) -> dict[str, tuple[str, ...]]:
    """The styles of each word, as they are at its first letter; the last one of a word counts."""
    text, styles = whole(reading)
    found = {}
    at = 0
    for word in text.split():
        at = text.index(word, at)
        found[word] = styles[at]
        at += len(word)
    return found


def styled(text: str, kind: str) -> dict[str, tuple[str, ...]]:
    """The same of a document."""
    return styles_of(reading_of(Document("d", text=text, kind=kind)))
