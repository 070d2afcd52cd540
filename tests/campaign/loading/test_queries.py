"""Which query of a campaign a row of a file is: by its id, else by exactly its text."""

from __future__ import annotations

import pytest

from judge_tui.campaign.loading.queries import identify, load_queries, merge_record
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import InputError
from judge_tui.formats.query_names import KnownQueries
from judge_tui.model import Document, Query

KNOWN = [
    Query("q001", "read a file"),
    Query("7", "sort lists"),
    Query("8", "sort  lists"),
    Query("my%20query", "café"),
]


def row(text: str, query_id: str = "") -> Query:
    return Query(query_id or "q999", text, own_id=bool(query_id))


@pytest.mark.parametrize(
    ("rows", "ids"),
    [
        # an id is that query, whatever its text
        ([row("read a file", "q001")], ["q001"]),
        ([row("anything", "7")], ["7"]),
        # an id that the campaign does not have is another query, whatever is like it
        ([row("read a file", "q1")], ["q1+"]),
        ([row("x", "my query")], ["my query+"]),
        # without an id, exactly the text counts, white space folded
        ([row(" read  a\tfile\n")], ["q001"]),
        ([row("Read a file")], ["q002+"]),
        ([row("read a file.")], ["q002+"]),
        ([row("cafe\u0301")], ["q002+"]),
        ([row("cafe%CC%81")], ["q002+"]),
        # a new text gets the next free number, in file order
        ([row("a"), row("b"), row("read a file"), row("c")], ["q002+", "q003+", "q001", "q004+"]),
        ([row("a"), row("b", "q002")], ["q003+", "q002+"]),
        # a place in the file is not an id
        ([row("b"), row("a")], ["q002+", "q003+"]),
        # an id that reads like the text of another is not that one
        ([row("x", "read a file"), row("read a file")], ["read a file+", "q001"]),
    ],
)
def test_rows_are_the_queries_of_their_ids_else_of_their_texts(rows, ids):
    found = identify("file", list(enumerate(rows, 1)), KnownQueries(KNOWN, "file"))
    assert [one.query.query_id + ("+" if one.known is None else "") for one in found] == ids
    assert all(one.query.own_id for one in found)


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        ([row("a"), row("sort lists")], 2, "the text 'sort lists' belongs to 7 and 8"),
        ([row("a"), row("b"), row(" a ")], 3, "query 'a' is in line 1 already"),
        ([row("a", "7"), row("b", "7")], 2, "query '7' is in line 1 already"),
        ([row("read a file", "q001"), row("read a file")], 2, "is in line 1 already"),
    ],
)
def test_what_may_be_two_or_is_there_twice_is_refused(rows, line, what):
    with pytest.raises(InputError) as refused:
        identify("file", list(enumerate(rows, 1)), KnownQueries(KNOWN, "file"))
    assert (refused.value.path, refused.value.line) == ("file", line)
    assert what in refused.value.what


@pytest.mark.parametrize(
    ("known", "said", "over", "becomes", "otherwise"),
    [
        # what was empty is filled in, and what the file does not say stays
        (Document("d", "a"), Document("d", text="b"), False, Document("d", "a", "b"), ""),
        (Document("d", "a", "b"), Document("d"), True, Document("d", "a", "b"), ""),
        (Document("d", meta={"x": 1}), Document("d", meta={"y": 2}), False, None, ""),
        # what differs stays, and is told, or the file holds
        (Document("d", "a"), Document("d", "b"), False, Document("d", "a"), "title"),
        (Document("d", "a"), Document("d", "b"), True, Document("d", "b"), "title"),
        (Document("d", meta={"x": 1}), Document("d", meta={"x": 2}), False, None, "x"),
        (Query("q", "t", query_class="a"), Query("q", "t", query_class="b"), True, None,
         "query_class"),
    ],
)  # fmt: skip
def test_what_a_file_adds(known, said, over, becomes, otherwise):
    merged, name = merge_record(known, said, replacing=over)
    assert name == otherwise
    if becomes is not None:
        assert merged == becomes


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"query_id": "q2", "text": "other"}', "query 'q2' is 'sort lists' in the campaign, and"),
        ('{"query_id": "q2", "text": "sort lists", "n": 2}', "'q2' has another n in"),
    ],
)
def test_a_file_that_says_something_else_is_refused_unless_it_is_to_hold(
    campaign, files, content, what
):
    path = files / "again.jsonl"
    path.write_text('{"query_id": "q2", "text": "sort  lists", "n": 1, "description": "new"}')
    loaded = load_queries(campaign, path)
    assert (loaded.replaced, loaded.unchanged) == (1, 0)
    assert load_queries(campaign, path).unchanged == 1
    before = all_queries(campaign)
    assert (before[1].text, before[1].description) == ("sort lists", "new")
    path.write_text(f'{{"query_id": "q3", "text": "x"}}\n{content}')
    with pytest.raises(InputError, match=r"again\.jsonl:2: ") as refused:
        load_queries(campaign, path)
    assert what in str(refused.value)
    assert all_queries(campaign) == before
    loaded = load_queries(campaign, path, replace=True)
    assert (loaded.added, loaded.replaced) == (1, 1)
    assert load_queries(campaign, path).unchanged == 2
    assert all_queries(campaign)[1].description == "new"
