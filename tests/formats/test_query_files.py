"""Queries: what their formats leave open."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.formats.rows import iter_queries
from judge_tui.formats.whole_files import read_queries
from judge_tui.model import Query

TOPICS = """\
<top>

<num> Number: 301
<title> International
 Organized Crime

<desc> Description:
Identify organizations that participate.

<narr> Narrative:
A relevant document must, as a minimum,
identify the organization &amp; the <b>activity</b>.

<con> Concept(s):
1. drugs
</top>
<top>
<num> Number: 302 </num>
<desc> Description: Is the disease under control? </desc>
<top><num>303<title>Topic: Hubble</title></top>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


@pytest.mark.parametrize("line", ['{"query_id": " q 2\\n", "text": "t"}', " q 2 \tt"])
def test_white_space_around_an_id_is_none_of_it(file: Path, line: str) -> None:
    file.write_text(f"{line}\n")
    assert read_queries(file) == [Query("q%202", "t")]


def test_json_queries_may_have_their_text_as_query_where_answers_have_it(file: Path) -> None:
    file.write_text(
        '{"query_id": "q1", "query": "a", "class": "d"}\n'
        '{"id": "q2", "query": " a b", "text": "a  b "}\n'
        '{"id": "q3", "text": "c", "query": {"x": 1}, "metadata": {"kind": "k"}}\n'
        '{"id": "q4", "text": null, "query": "d", "metadata": {"query": "other"}}\n'
        '{"id": "q5", "query": "e", "prefer": {"better": "x", "worse": "y"}}\n'
    )
    assert read_queries(file) == [
        Query("q1", "a", query_class="d"),
        Query("q2", "a  b "),
        Query("q3", "c", meta={"query": {"x": 1}, "kind": "k"}),
        Query("q4", "d", meta={"query": "other"}),
        Query("q5", "e", meta={"prefer": {"better": "x", "worse": "y"}}),
    ]


def test_metadata_never_changes_what_a_record_is(file: Path) -> None:
    theirs = '"_id": "other", "text": "other", "class": 5'
    file.write_text(f'{{"_id": "q1", "text": "a", "metadata": {{{theirs}, "url": "u", "x": 1}}}}\n')
    rest = {"_id": "other", "text": "other", "class": 5}
    assert read_queries(file) == [Query("q1", "a", meta={"url": "u", "x": 1, "metadata": rest})]


def test_trec_topics_with_and_without_closing_tags(file: Path) -> None:
    file.write_text(TOPICS)
    assert list(iter_queries(file)) == [
        (
            1,
            Query(
                "301",
                "International Organized Crime",
                "Identify organizations that participate.",
                "A relevant document must, as a minimum,\n"
                "identify the organization & the <b>activity</b>.",
                meta={"con": "1. drugs"},
            ),
        ),
        # A topic without a title, as all of TREC-4, is asked by its description.
        (17, Query("302", text := "Is the disease under control?", text)),
        (20, Query("303", "Hubble")),
    ]
