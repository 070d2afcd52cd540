"""Which texts may be one query's, before and after it was mended."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.mended_texts import may_be_mended

MENDED = [
    ("how to srot", "how to sort"),
    ("recieve mail", "receive mail"),
    ("teh cat", "the cat"),
    ("how to read", "how to read CSV"),
    ("Walk  a tree?", "walk a tree"),
    ("sort%20a list", "sort a list"),
    ("Z\u00fcrich", "Zu\u0308rich"),
    ("fast api docs", "fastapi docs"),
    ("", "how to read"),
]
OTHERS = [
    ("hash a file", "export to Quepid"),
    ("how to sort", "how to join"),
    ("sort lists", "sort trees"),
    ("get value", "set value"),
    ("encode", "decode"),
    ("lock a file", "unlock a file"),
    ("json to csv", "csv to json"),
    ("python 2", "python 3"),
    ("port 8080", "port 8081"),
    ("C++ strings", "C# strings"),
    ("a == b", "a != b"),
    ("sort", "sort a list by key"),
    ("\u8bfb\u53d6\u6587\u4ef6", "\u5199\u5165\u6587\u4ef6"),
]


@pytest.mark.parametrize(("older", "newer"), MENDED)
def test_mended(older: str, newer: str) -> None:
    assert may_be_mended(older, newer)
    assert may_be_mended(newer, older)


@pytest.mark.parametrize(("older", "newer"), OTHERS)
def test_another_query(older: str, newer: str) -> None:
    assert not may_be_mended(older, newer)
    assert not may_be_mended(newer, older)


WORD = st.text(st.characters(), max_size=8)
TEXT = st.lists(WORD, max_size=5).map(" ".join)


@given(TEXT, TEXT)
def test_either_may_be_the_older_one(text: str, other: str) -> None:
    assert may_be_mended(text, text)
    assert may_be_mended(text, other) == may_be_mended(other, text)
