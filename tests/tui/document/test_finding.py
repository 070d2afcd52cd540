"""Find: what counts as a hit, which one is gone to, what is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.tui.document import Finding, ReadyDocument
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading


def searched(sought: str, text: str, steps: list[int] | None = None) -> Finding:
    finding = Finding(sought)
    turn = 0
    while finding.hits.searched < len(text):
        step = steps[turn % len(steps)] if steps else len(text)
        stop = min(len(text), finding.hits.searched + step)
        finding.hits.extend(text[:stop], stop, is_end=stop == len(text))
        turn += 1
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


@given(
    st.text("ab \n", max_size=80),
    st.text("ab ", min_size=1, max_size=4),
    st.lists(st.integers(1, 9), min_size=1, max_size=6),
)
def test_steps_find_what_one_search_finds(text: str, sought: str, steps: list[int]) -> None:
    at_once, by_steps = searched(sought, text), searched(sought, text, steps)
    assert by_steps.hits.between(0, len(text)) == at_once.hits.between(0, len(text))
    assert [text[slice(*hit)].replace("\n", " ") for hit in at_once.hits.between(0, len(text))] == [
        sought
    ] * text.replace("\n", " ").count(sought)


@given(st.text("ab ", max_size=40), st.integers(0, 40), st.integers(1, 40))
def test_hits_are_cut_at_the_borders_asked_for(text: str, start: int, length: int) -> None:
    finding, end = searched("a b", text), start + length
    every = finding.hits.between(0, len(text))
    assert finding.hits.between(start, end) == [
        (max(start, a), min(end, b)) for a, b in every if max(start, a) < min(end, b)
    ]
    assert finding.hits.touches(start, end) == any(start <= a < end for a, _ in every)


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


def test_one_goes_to_the_first_hit_at_a_place_or_after_it() -> None:
    finding = searched("x", "x..x..x")
    for offset, by, here, said in (
        (0, 1, 0, "1 of 3"),
        (1, 1, 1, "2 of 3"),
        (3, 1, 1, "2 of 3"),
        (7, 1, 0, "1 of 3, from the beginning again"),
        (6, -1, 1, "2 of 3"),
        (0, -1, 2, "3 of 3, from the end again"),
    ):
        assert finding.go(offset, by, is_end=True)
        assert finding.here == here
        assert finding.said(is_end=True) == said
        assert finding.span == (here * 3, here * 3 + 1)


def test_nothing_found_is_said_with_what_was_sought() -> None:
    finding = searched("no\x1b" + "x" * 100, "text")
    assert finding.go(0, 1, is_end=True)
    assert finding.here is None
    assert finding.said(is_end=True) == f"not found: no␛{'x' * 36}…"


def test_where_too_little_is_searched_one_waits() -> None:
    finding = searched("x", "x..x..")
    assert not finding.go(4, 1, is_end=False)
    assert finding.said(is_end=False) == "looking for x …"
    assert not finding.go(100, -1, is_end=False)
    assert not finding.go(0, -1, is_end=False)
    assert finding.go(1, 1, is_end=False)
    assert finding.said(is_end=False) == "2 of 2 so far"
