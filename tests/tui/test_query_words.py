"""Which words of a document are marked for a query."""

from __future__ import annotations

import pytest

from judge_tui.tui.query_words import query_words


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
