"""Which words of a document are marked for a query."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.tui.document import Hits
from judge_tui.tui.query_words import _SIGNS, _STOP, query_words


def marked(query: str, text: str) -> list[str]:
    words = query_words(query)
    return [text[start:end] for start, end in words.seek(text, 0, len(text))] if words else []


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("how do I read a CSV file", "Reads CSV files; a reader.", ["Reads", "CSV", "files"]),
        ("dictionaries", "a dictionary of dictionaries", ["dictionary", "dictionaries"]),
        ("dictionary", "two dictionaries", ["dictionaries"]),
        ("class", "classes of a class", ["classes", "class"]),
        ("list of lists", "list, Lists, listing", ["list", "Lists"]),
        ("the judge's notes", "a Judge's note", ["Judge", "note"]),
        ("what is it", "what it is", []),
        ("is os a module", "os, cost, OS, modules", ["os", "OS", "modules"]),
        ("reader", "csv.DictReader", ["Reader"]),
        ("json load", "json.load JSONLoads jsonLoad", ["json", "load", "json", "Load"]),
        ("straße", "Straße, STRASSE", ["Straße"]),
        ("ΟΔΟΣ", "η οδός και η οδος", ["οδος"]),
        ("π", "π and api", ["π"]),
        ("İstanbul", "in İstanbul", ["İstanbul"]),
        ("日本", "これは日本", ["日本"]),
        ("機械学習の方法", "学習方法と機械", ["学習", "方法", "機械"]),
        ("機械学習", "機械学習である", ["機械", "学", "習"]),
        ("食べる", "これを食べた", ["食べ"]),
        ("する", "勉強する", ["する"]),
        ("หิมะตก", "เมื่อหิมะตกหนัก", ["หิมะ", "ต", "ก"]),
        ("हिन्दी भाषा", "हिन्दी एक भाषा है", ["हिन्दी", "भाषा"]),
        ("ו שלום", "ושלום לכולם ו", ["שלום"]),
        ("كتاب", "الكتاب الجديد", ["كتاب"]),
        ("cafe\u0301", "Cafe\u0301s, cafe", ["Cafe\u0301s"]),
        ("a.b*c (", "abc", []),
        ("", "text", []),
    ],
)
def test_words_are_found_in_any_case_singular_or_plural(
    query: str, text: str, expected: list[str]
) -> None:
    assert marked(query, text) == expected


def test_a_pasted_page_is_not_marked_word_by_word() -> None:
    page = " ".join(f"word{number}" for number in range(5000))
    assert len(set(marked(page, page))) == 100


def test_signs_are_letters_and_marks_in_unicode() -> None:
    """No space is among them, and only a few rare signs of abbreviation or currency."""
    signs = [chr(code) for code in range(0x3000) if re.match(f"[{_SIGNS}]", chr(code))]
    others = [sign for sign in signs if unicodedata.category(sign)[0] not in "MLNC"]
    assert not [sign for sign in others if unicodedata.category(sign)[0] == "Z"]
    assert len(others) < 0.03 * len(signs)
    marks = [chr(code) for code in range(0x0E80) if unicodedata.category(chr(code))[0] == "M"]
    assert len(set(marks) - set(signs)) < 0.1 * len(marks)


def test_stop_words_carry_no_topic() -> None:
    assert "file" not in _STOP
    assert "the" in _STOP


WORDS = st.lists(
    st.sampled_from(["list", "Lists", "dictionaries", "日本語", "日本", "本語本語", "of", "é"]),
    max_size=30,
)


@given(WORDS, st.lists(st.integers(1, 12), min_size=1, max_size=8), st.sampled_from(" \n-"))
def test_steps_mark_what_one_look_marks(words: list[str], steps: list[int], between: str) -> None:
    text = between.join(words)
    query = query_words("a list, dictionary 日本語")
    assert query is not None
    at_once = Hits(query)
    at_once.extend(text, len(text), is_end=True)
    by_steps = Hits(query)
    while by_steps.searched < len(text):
        for step in steps:
            stop = min(len(text), by_steps.searched + step)
            by_steps.extend(text[:stop], stop, is_end=stop == len(text))
    assert by_steps.between(0, len(text)) == at_once.between(0, len(text))
