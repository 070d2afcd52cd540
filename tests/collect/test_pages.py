"""A system that gives no more than a page is told apart from one that finds no more."""

from __future__ import annotations

import pytest

from judge_tui.collect.pages import Page, page_of
from judge_tui.collect.reply import Hit, Reply
from judge_tui.model import Query
from tests.collect.asking import http, one, script
from tests.collect.test_embedding import dense

DEPTH = 50


def replies(*sizes: int, repeated: int = 0, among: int = 1_000) -> list[Reply]:
    """So many results of each query, out of `among` documents, and so many more repeated ones."""
    return [
        Reply(
            f"q{n}", "", tuple(Hit(f"d{(n * 7 + at) % among}") for at in range(size)), 0.1, 1, its
        )
        for n, size in enumerate(sizes)
        for its in [repeated if size else 0]
    ]


@pytest.mark.parametrize(
    ("sizes", "page"),
    [
        ([10] * 44, Page(10, 44, 44)),
        ([20] * 5 + [3, 0, 19, 1, 7, 2], Page(20, 5, 10)),
        ([10] * 4, None),  # too few queries
        ([4] * 44, None),  # so few that there may be no more
        ([10] * 20 + [3] * 21, None),  # not most of them
        ([10] * 43 + [11], None),  # no limit
        ([DEPTH] * 44, None),  # all that it was asked for
        ([0] * 44, None),
        ([], None),
    ],
)
def test_a_page_is_what_most_queries_have_and_none_has_more_of(sizes, page):
    assert page_of(replies(*sizes), DEPTH) == page


def test_results_that_repeat_a_document_fill_a_page_too():
    assert page_of(replies(*[6] * 9, repeated=4), DEPTH) == Page(10, 9, 9)
    assert page_of(replies(*[46] * 9, repeated=4), DEPTH) is None


def test_a_system_with_no_more_documents_gives_all_that_it_has():
    assert page_of(replies(*[12] * 44, among=12), DEPTH) is None
    assert page_of(replies(*[12] * 44, among=13), DEPTH) == Page(12, 44, 44)


def test_a_system_that_was_asked_has_a_page(server, tmp_path):
    """Of a page of 5, whatever is asked for; one that ranks documents of a file has all of them."""
    queries = [Query(f"q{n}", f"text {n}") for n in range(6)]
    server.found = {
        query.text: [{"id": f"{query.query_id}{n}"} for n in range(5)] for query in queries
    }
    capped = http(server, "/search?q={query}")
    assert one(tmp_path, capped, queries=queries, depth=20).page == Page(5, 6, 6)
    assert one(tmp_path, capped, queries=queries, depth=5, again=True).page is None
    some = script("import json; print(json.dumps([{'id': f'{sys.argv[1]}{n}'} for n in range(7)]))")
    assert one(tmp_path, some, queries=queries, again=True).page == Page(7, 6, 6)
    (tmp_path / "docs.jsonl").write_text(
        "".join(f'{{"doc_id": "d{n}", "text": "text {n}"}}\n' for n in range(6))
    )
    assert one(tmp_path, dense(server), queries=queries, again=True).depth == 0
