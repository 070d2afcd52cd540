"""Source code: highlighted, numbered, and harmless however it is written."""

from __future__ import annotations

import re

import pytest
from pygments.lexer import RegexLexer
from pygments.token import Keyword, Text

from judge_tui.model import Document
from judge_tui.tui.reading import highlighting, reading_of
from judge_tui.tui.reading.source import source_reading
from tests.tui.reading.readings import styled, whole

CODE = '''\
@decorator
def name(x: int) -> str:
    """Says."""
    # a comment
    return "text" + str(12) if x else None
'''


def test_tokens_have_the_styles_of_documents() -> None:
    styles = styled(CODE, "python")
    assert styles["@decorator"] == ("name",)
    assert styles["def"] == styles["return"] == ("keyword",)
    assert styles["name(x:"] == ("name",)
    assert styles['"""Says."""'] == styles["#"] == ("comment",)
    assert styles['"text"'] == ("string",)
    assert styles["+"] == ("operator",)
    assert styles["None"] == ("number",)
    assert styles["x"] == ()
    diff = styled("--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n", "diff")
    assert (diff["-old"], diff["+new"], diff["@@"]) == (("deleted",), ("inserted",), ("heading",))


def test_lines_are_numbered_from_where_the_id_says() -> None:
    text = "a = 1\nb = 2\n"
    for doc_id, first in (
        ("x.py", 1),
        ("x.py:10-11", 10),
        ("x.py#L7", 7),
        ("x.py:0-1", 1),
    ):
        reading = reading_of(Document(doc_id, text=text))
        assert (reading.first_line, reading.last_line) == (first, first + 1)
        assert (reading.start_line, reading.unnumbered) == (0, ())
    prose = reading_of(Document("x", text=text))
    assert (prose.first_line, prose.last_line) == (None, None)


class Backtracking(RegexLexer):
    """A lexer that takes longer than anybody lives, from the first parenthesis on."""

    tokens = {"root": [(r"def\b", Keyword), (r"\((a+)+b", Text), (r"\w+\s*", Text)]}  # noqa: RUF012


class Stumbling(RegexLexer):
    """A lexer that fails on what it did not expect."""

    tokens = {"root": [(r"def\s*", Keyword), (r"\(", lambda *_: 1 / 0)]}  # noqa: RUF012


@pytest.mark.parametrize("lexer", [Backtracking(), Stumbling()])
def test_a_lexer_that_hangs_or_fails_leaves_the_rest_plain(
    lexer: RegexLexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highlighting, "_lexer", lambda _: lexer)
    text = "def " * 400 + "(" + "a" * 5000 + "\ndef"
    shown, styles = whole(source_reading(text, "any", first_line=1))
    assert shown == text
    assert styles[0] == ("keyword",)
    assert set(styles[shown.index("(") :]) == {()}


@pytest.mark.parametrize(
    ("language", "unit"),
    [
        ("python", '"""'),
        ("python", "<a b="),
        ("javascript", "/*"),
        ("c", "x\n\t"),
        ("html", "<a b="),
        ("bash", "{{"),
        ("markdown", "x\n\t"),
        ("sql", "'"),
    ],
)
def test_code_without_end_is_shown(unit: str, language: str) -> None:
    text = (unit * 5_000) + "end"
    shown, _ = whole(reading_of(Document("d", text=text, kind=language), raw=True))
    assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", text)
