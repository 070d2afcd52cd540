"""Files as MS MARCO has them: passages, documents, candidates and rankings, without headers.

The layouts are those of the tables on microsoft.github.io/msmarco and of its submission guide.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats import (
    check_file,
    iter_documents,
    read_qrels,
    read_queries,
    read_run,
    recognise,
)
from judge_tui.model import Document, Query

RANKING = "7\t300\t1\n7\t100\t2\n7\t200\t3\n9\t300\t1\n"
CANDIDATES = (
    "7\t100\thow old is the moon\tThe moon is old.\n"
    "7\t200\thow old is the moon\tCheese ages, too.\n"
    "9\t100\twho walked there\tThe moon is old.\n"
)
DOCUMENTS = "D1\thttps://example.org/moon\tThe moon\tIt is old.\nD2\thttp://example.org/\t\tx y\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (RANKING, "run:msmarco"),
        (RANKING.replace("\n", "\r\n"), "run:msmarco"),
        (RANKING + "a bad line\n", "run:msmarco"),
        (CANDIDATES, "documents:msmarco-top1000"),
        (DOCUMENTS, "documents:msmarco-docs"),
        ("7\t0\t100\t1\n", "qrels:trec"),
        ("7\thow old is the moon\n", "queries:tsv"),
        # A title and a text, even where they are short.
        ("7\tmoon\tis 4 billion\n8\tsun\t4.6\n", "documents:tsv"),
    ],
)
def test_they_are_told_by_their_content(file: Path, content: str, expected: str) -> None:
    file.write_text(content, newline="")
    assert ":".join(recognise(file)) == expected


def test_a_ranking_is_a_run_by_rank(file: Path) -> None:
    file.write_bytes(gzip.compress(RANKING.encode()))
    assert read_run(file).scores == {
        "7": {"300": -1.0, "100": -2.0, "200": -3.0},
        "9": {"300": -1.0},
    }


def test_a_ranking_is_no_qrels(file: Path) -> None:
    file.write_text(RANKING)
    with pytest.raises(InputError, match=r"this looks like a run .* not qrels"):
        read_qrels(file)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("7\t400\t2", r":5: rank 2 is already in query '7', line 2"),
        ("7\t300\t9", r":5: document '300' is already in query '7', line 1"),
        ("7\t400\tfirst", r":5: rank 'first' is not a whole number from 0 up"),
        ("7\t400", r":5: 2 tab-separated fields; a line has 3 \(qid<TAB>pid<TAB>rank\)"),
        ("7\t \t4", r":5: the line has no document"),
    ],
)
def test_what_is_wrong_in_a_ranking_is_told(file: Path, bad: str, told: str) -> None:
    file.write_text(RANKING + bad + "\n")
    with pytest.raises(InputError, match=told):
        read_run(file)


def test_candidates_hold_each_query_and_passage_once(file: Path) -> None:
    file.write_text(CANDIDATES)
    assert read_queries(file) == [Query("7", "how old is the moon"), Query("9", "who walked there")]
    assert [one for _, one in iter_documents(file)] == [
        Document("100", text="The moon is old."),
        Document("200", text="Cheese ages, too."),
    ]
    assert check_file(file) == check_file(file, format="queries") == []
    file.write_text(CANDIDATES + "9\t200\twho walked there\tAnother text here.\n")
    with pytest.raises(InputError, match=r":4: passage '200' has another text on line 2"):
        list(iter_documents(file))


def test_documents_have_an_address_a_title_and_a_body(file: Path) -> None:
    file.write_text(DOCUMENTS)
    assert [one for _, one in iter_documents(file)] == [
        Document("D1", title="The moon", text="It is old.", url="https://example.org/moon"),
        Document("D2", text="x y", url="http://example.org/"),
    ]
