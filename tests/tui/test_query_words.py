"""Which words of a document are marked for a query."""

from __future__ import annotations

import pytest

from judge_tui.tui.query_words import query_words


def marked(query: str, text: str) -> list[str]:
    pattern = query_words(query)
    return [match.group() for match in pattern.finditer(text)] if pattern else []


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("how do I read a CSV file", "Reads CSV files; a reader.", ["Reads", "CSV", "files"]),
        ("dictionaries", "a dictionary of dictionaries", ["dictionary", "dictionaries"]),
        ("dictionary", "two dictionaries", ["dictionaries"]),
        ("class", "classes of a class", ["classes", "class"]),
        ("list of lists", "list, Lists, listing", ["list", "Lists"]),
        ("what is it", "what it is", []),
        ("is os a module", "os, cost, OS, modules", ["os", "OS", "modules"]),
        ("reader", "csv.DictReader", ["Reader"]),
        ("json load", "json.load JSONLoads jsonLoad", ["json", "load", "json", "Load"]),
        ("日本", "これは日本", ["日本"]),
        ("a.b*c (", "abc", []),
    ],
)
def test_words_are_found_in_any_case_singular_or_plural(
    query: str, text: str, expected: list[str]
) -> None:
    assert marked(query, text) == expected
