"""Two ways to write one letter are told, where they make a hit a miss."""

from __future__ import annotations

from judge_tui.analysis.evaluation import EvaluatedQuery, Found
from judge_tui.analysis.normal_forms import look_alikes

ONE, TWO = "docs/\u00dcbung.md", "docs/U\u0308bung.md"


def query(number: int, expected: str, **tops: str) -> EvaluatedQuery:
    found = {
        tag: Found(((doc_id, None),), 1 if doc_id == expected else None)
        for tag, doc_id in tops.items()
    }
    return EvaluatedQuery(f"q{number}", "how", "", ((expected, 1),), found)


def test_what_looks_like_a_right_result_is_told_with_its_first_query():
    queries = [
        query(1, ONE, a="docs/other.md", b=ONE),
        query(2, ONE, a=TWO, b=ONE),
        query(3, TWO, a=ONE, b=TWO),
    ]
    assert list(look_alikes(queries)) == [
        "a: for 2 queries (as q2) a result looks like what is right, and is written otherwise:"
        r" 'docs/U\u0308bung.md'; write both in one Unicode form, NFC or NFD"
    ]


def test_nothing_is_told_where_nothing_looks_alike():
    assert list(look_alikes([query(1, ONE, a=ONE), query(2, ONE, a="docs/x.md")])) == []
