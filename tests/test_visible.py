"""Foreign text is shown, never obeyed. The cases are those that terminals act on."""

from __future__ import annotations

import unicodedata
from html import escape
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.visible import visible, visible_line

HOSTILE = {
    "sgr": "\x1b[31mRED\x1b[0m",
    "clear": "\x1b[2J\x1b[H",
    "clipboard": "\x1b]52;c;UFdORUQ=\x07",
    "title": "\x1b]0;HACKED\x1b\\",
    "c1 csi": "\x9b31m",
    "c1 osc": "\x9d2;HACKED\x9c",
    "dcs": "\x1bPq#0\x1b\\",
    "link": "\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\",
    "shift out": "\x0eqqq\x0f",
    "backspace": "abc\x08\x08",
    "carriage return": "good\revil",
    "nul": "a\x00b",
    "delete": "a\x7fb",
    "bidi": "a\u202egpj.exe\u202cb\u2066c\u2069",
    "zero width": "a\u200bb\ufeffc\u00add\u2060",
    "tags": "a\U000e0041\U000e007f",
    "separators": "a\u2028b\u2029c\x85d",
    "surrogate": "a\udce9b",
    "noncharacter": "a\ufffeb\uffffc\ufdd0d\U0010ffff",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_nothing_a_terminal_obeys_is_left(text: str) -> None:
    for char in visible(text):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), hex(ord(char))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[0m", "␛[0m"),
        ("a\x00b", "a␀b"),
        ("a\x7fb", "a␡b"),
        ("a\x9bb", "a\ufffdb"),
        ("a\u202eb", "a\ufffdb"),
        ("a\udce9b", "a\ufffdb"),
        ("a\ufffeb\uffffc", "a\ufffdb\ufffdc"),
        ("a\ufdd0b\ufdefc\ufdf0", "a\ufffdb\ufffdc\ufdf0"),
        ("a\U0003fffeb\U0010ffffc\U0003fffd", "a\ufffdb\ufffdc\U0003fffd"),
        ("a\tb", "a       b"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a␍b"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("a\u200db", "a\ufffdb"),
        ("e\u0301 日本 עברית", "e\u0301 日本 עברית"),
    ],
)
def test_what_is_shown_instead(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_stays_one_line() -> None:
    assert visible_line("a\nb\tc\r\nd") == "a␊b␉c␍␊d"


NONCHARACTERS = [
    *range(0xFDD0, 0xFDF0),
    *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF)),
]


@pytest.mark.parametrize("code", NONCHARACTERS, ids=hex)
def test_none_of_the_66_noncharacters_is_left(code: int) -> None:
    assert visible(f"a{chr(code)}b") == "a\ufffdb"


def test_xml_takes_whatever_character_is_shown() -> None:
    every = visible("".join(map(chr, range(0x110000))))
    assert ElementTree.fromstring(f"<t>{escape(every)}</t>").text == every  # noqa: S314 - our own


@given(st.text(st.characters(), max_size=200))
def test_showing_twice_changes_nothing_more(text: str) -> None:
    once = visible(text)
    assert visible(once) == once
    assert not set(visible_line(text)) & {chr(code) for code in (*range(32), 127)}
