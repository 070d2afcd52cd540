"""Languages told by the names of files."""

from __future__ import annotations

import pytest

from judge_tui.formats.languages import language_named, language_of
from tests.imports import imported_by


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/app.py", "python"),
        ("APP.PY", "python"),
        ("a/Makefile", "make"),
        ("Dockerfile", "docker"),
        ("notes.md", "markdown"),
        ("page.html", "html"),
        ("notes.txt", "text"),
        ("include/a.h", "c"),
        ("query.sql", "sql"),
        ("a.pl", "perl"),
        # Of a suffix that several claim, and none has most of, nothing is concluded.
        ("a.m", ""),
        ("csv.reader", ""),
        ("noname", ""),
        (".py", ""),
        ("", ""),
    ],
)
def test_by_the_name_of_a_file(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Python", "python"),
        (" text/x-python ", "python"),
        ("text/html", "html"),
        ("node", "javascript"),
        ("report", ""),
        # Names of languages, but ordinary words before that.
        ("basic", ""),
        ("email", ""),
    ],
)
def test_by_its_own_name(name: str, language: str) -> None:
    assert language_named(name) == language


def test_no_lexer_is_imported_for_a_look() -> None:
    names = imported_by("from judge_tui.formats import languages as its; its.language_of('a.py')")
    lexers = {name for name in names if name.startswith("pygments.lexers.")}
    assert lexers == {"pygments.lexers._mapping"}
