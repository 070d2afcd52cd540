"""Which words of a document are marked for a query."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.tui.document import Hits
from judge_tui.tui.query_words import _LETTER, _SIGNS, _STOP, QueryWords, query_words


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
        ("APIs and GPUs", "an API, a GPU, gpus", ["API", "GPU", "gpus"]),
        ("api", "APIs", ["APIs"]),
        ("menus", "a menu of menus", ["menu", "menus"]),
        ("cookies, movies", "one cookie, one movie", ["cookie", "movie"]),
        ("caches", "cache, caching, caches", ["cache", "caches"]),
        ("buses", "a bus of buses", ["bus", "buses"]),
        ("statuses, viruses", "status, statue, virus", ["status", "virus"]),
        ("status", "statuses and statues", ["statuses"]),
        ("analysis", "an analysis", ["analysis"]),
        ("boxes", "a box", ["box"]),
        ("times", "time, Tim", ["time"]),
        ("sort in C", "C++, c, C# and ABC", ["C", "C"]),
        ("Is R an A or I", "R, a, i, A, I", ["R"]),
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
        ("cafe\u0301", "caf\u00e9", ["caf\u00e9"]),
        ("caf\u00e9", "Cafe\u0301, cafe", ["Cafe\u0301"]),
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


STEMS = (
    "list",
    "dictionary",
    "box",
    "csv",
    "x2",
    "42",
    "sty",
    "read",
    "o",
    "οδοσ",
    "日本",
    "שלום",
    "cafe\u0301",
)
BEFORE = ["", " ", "a", "A", "1", "_", "é", "ß", "\u0301", "日", "\u212a", "👩\u200d🚀"]
AFTER = ["", "s", "S", "es", "Es", "y", "ies", "IES", "x", "A", "É", "1", "\u0301", "日", " ", "_s"]
FORMS: list[Callable[[str], str]] = [str, str.upper, str.title, lambda stem: stem[:-1]]


@st.composite
def texts(draw: st.DrawFn, stem: str) -> str:
    """A text with much that nearly is that word."""
    parts = draw(
        st.lists(
            st.tuples(st.sampled_from(BEFORE), st.sampled_from(FORMS), st.sampled_from(AFTER)),
            max_size=6,
        )
    )
    return "".join(before + form(stem) + after for before, form, after in parts)


def spelled(stem: str) -> re.Pattern[str]:
    """The whole of a word in any case, singular or plural, as one pattern; its borders are those
    of words and of the parts of identifiers."""
    if stem.upper() == stem.lower() and not stem.isdigit():
        return re.compile(re.escape(stem))
    if len(stem) > 2 and stem.endswith("y"):
        body = re.escape(stem[:-1]) + "(?:y|ies)"
    else:
        body = re.escape(stem) + "(?:es|s)?"
    begin = rf"(?:(?<!{_LETTER})|(?<=[a-z0-9])(?=[A-Z]))"
    end = rf"(?:(?!{_LETTER})|(?<=[a-z0-9])(?=[A-Z]))"
    return re.compile(f"{begin}(?i:{body}){end}")


@pytest.mark.parametrize("stem", STEMS)
@given(st.data())
def test_a_word_is_marked_where_a_pattern_for_all_of_it_matches(
    stem: str, data: st.DataObject
) -> None:
    text = data.draw(texts(stem))
    expected = []
    at = 0
    while match := spelled(stem).search(text, at):
        expected.append(match.span())
        at = match.start() + 1
    found = list(QueryWords([stem]).seek(text, 0, len(text)))
    # Those that overlap go on where the one before ends.
    joined, end = [], 0
    for left, right in expected:
        if right > end:
            joined.append((max(left, end), right))
            end = right
    assert found == joined


def test_words_are_marked_at_the_borders_of_what_is_looked_at() -> None:
    words = QueryWords(["list", "dictionary"])
    text = "list Lists dictionaries"
    assert list(words.seek(text, 0, len(text))) == [(0, 4), (5, 10), (11, 23)]
    # A word of which some was looked at before goes on there.
    assert list(words.seek(text, 7, len(text))) == [(7, 10), (11, 23)]
    assert list(words.seek(text, 5, 8)) == []
    assert list(words.seek(text, 0, 4)) == [(0, 4)]
    assert list(words.seek("xlist", 1, 5)) == []
    # One that overlaps itself, in a script without spaces.
    assert list(QueryWords(["日日"]).seek("日日日", 0, 3)) == [(0, 2), (2, 3)]
    assert words.reach >= len("dictionaries") + 1
