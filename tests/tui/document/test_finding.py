"""Find: what counts as a hit, which one is gone to, what is said."""

from __future__ import annotations

import pytest

from judge_tui.tui.document import Finding, ReadyDocument
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading


def searched(sought: str, text: str) -> Finding:
    finding = Finding(sought)
    finding.hits.extend(text, len(text), is_end=True)
    return finding


def hits(finding: Finding, text: str) -> list[str]:
    return [text[start:end] for start, end in finding.hits.between(0, len(text))]


@pytest.mark.parametrize(
    ("sought", "text", "expected"),
    [
        ("csv", "CSV, csv, Csv", ["CSV", "csv", "Csv"]),
        ("Csv", "CSV, csv, Csv", ["Csv"]),
        ("a.c", "abc a.c", ["a.c"]),
        ("(", "f(x)", ["("]),
        ("[/]", "markup [/] here", ["[/]"]),
        ("aa", "aaaaa", ["aa", "aa"]),
        ("two words", "two\nwords, two words, two\u00a0words, two  words", ["two\nwords"] * 3),
        ("ärger", "Ärger", ["Ärger"]),
        ("日本", "日本と日本", ["日本", "日本"]),
        ("\x1b[2J", "a ␛[2J b", ["␛[2J"]),
        ("👩\u200d👧", "a 👩\u200d👧 b", ["👩\u200d👧"]),
        ("caf\u00e9", "cafe\u0301, Caf\u00e9, cafe", ["cafe\u0301", "Caf\u00e9"]),
        ("cafe\u0301", "cafe\u0301, Caf\u00e9, cafe", ["cafe\u0301", "Caf\u00e9"]),
        ("cafe", "cafe\u0301, caf\u00e9, cafe", ["cafe"]),
        ("nothing", "text", []),
    ],
)
def test_what_is_found(sought: str, text: str, expected: list[str]) -> None:
    found = hits(searched(sought, text), text)
    assert [" ".join(hit.split()) for hit in found] == [" ".join(hit.split()) for hit in expected]


@pytest.mark.parametrize("step", [1, 5, 7, 10_000])
def test_what_is_searched_in_steps_is_found_over_their_borders(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge_tui.tui.document.ready_document._SEARCH_STEP", step)
    text = "a needle, two needles, the needle of a compass " * 30
    document = ReadyDocument(StyledText(PlainReading(text)), query_words("needle compass"))
    document.lay_out(20)
    document.finding = Finding("needle")
    while not document.is_settled:
        document.advance()
    found = document.finding.hits
    assert found.between(0, len(text)) == searched("needle", text).hits.between(0, len(text))
    assert document.marks is not None
    assert len(document.marks) == 120
