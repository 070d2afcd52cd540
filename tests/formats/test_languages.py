"""Languages language by the names of files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge_tui.formats.languages import language_named, language_of
from tests.imports import imported_by

BY_FILE = {
    "python": ["src/app.py", "APP.PY"],
    "make": ["a/Makefile"],
    "docker": ["Dockerfile"],
    "markdown": ["notes.md"],
    "html": ["page.html"],
    "text": ["notes.txt"],
    "c": ["include/a.h"],
    "sql": ["query.sql"],
    "perl": ["a.pl"],
    # Of a suffix that several claim, and none has most of, nothing is concluded.
    "": ["a.m", "csv.reader", "noname", ".py", ""],
}
BY_NAME = {
    "python": ["Python", " text/x-python "],
    "html": ["text/html"],
    "javascript": ["node"],
    # Names of languages, but ordinary words before that.
    "": ["report", "basic", "email"],
}


@pytest.mark.parametrize(
    ("tell", "names"), [(language_of, BY_FILE), (language_named, BY_NAME)], ids=["file", "name"]
)
def test_a_language_is_told_by_the_name_of_a_file_or_its_own(
    tell: Callable[[str], str], names: dict[str, list[str]]
) -> None:
    assert {language: [*map(tell, its)] for language, its in names.items()} == {
        language: [language] * len(its) for language, its in names.items()
    }


def test_no_lexer_is_imported_for_a_look() -> None:
    names = imported_by("from judge_tui.formats import languages as its; its.language_of('a.py')")
    lexers = {name for name in names if name.startswith("pygments.lexers.")}
    assert lexers == {"pygments.lexers._mapping"}
