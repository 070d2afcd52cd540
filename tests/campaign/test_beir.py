"""Collections as BEIR has them: a folder of corpus, queries and qrels, loaded and written.

The layout is that of BEIR's own loader: `_id`, `title`, `text` and `metadata` in JSON Lines, and
qrels with the header `query-id`, `corpus-id`, `score` between tabs.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.cli import cli
from judge_tui.formats.ids import id_in
from judge_tui.formats.jsonl_files import beir_corpus, beir_queries
from judge_tui.formats.rows import iter_documents, iter_queries
from judge_tui.formats.whole_files import read_qrels
from judge_tui.model import Document, Query

CORPUS = [
    {"_id": "d1", "title": "Moon", "text": "Old.", "metadata": {"url": "http://m", "year": 1999}},
    {"_id": "d2", "title": "", "text": "Not graded, but retrieved.", "metadata": {}},
    {"_id": "d3", "title": "", "text": "Neither."},
    {"_id": "d4", "title": "", "text": "Of another split."},
]
QUERIES = [
    {"_id": "q1", "text": "how old", "metadata": {"class": "fact", "source": "people"}},
    {"_id": "q2", "text": "who", "metadata": {}},
    {"_id": "q3", "text": "of another split"},
]
TEST = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td1\t0\n"
DEV = "query-id\tcorpus-id\tscore\nq3\td4\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of four documents, three queries and two splits; the corpus is compressed."""
    folder = tmp_path / "moon"
    (folder / "qrels").mkdir(parents=True)
    lines = [json.dumps(one) + "\n" for one in CORPUS]
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUERIES))
    (folder / "qrels" / "test.tsv").write_text(TEST)
    (folder / "qrels" / "dev.tsv").write_text(DEV)
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments), catch_exceptions=False)


def test_it_is_scored_as_it_stands(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d2 1 1.5 a\nq1 Q0 d1 2 1.0 a\nq2 Q0 d1 1 1 a\n")
    done = run("score", str(folder), str(tmp_path / "a.run"), "-m", "RR", "-f", "csv")
    # The first relevant document of q1 is at rank 2, q2 has none: (1/2 + 0) / 2.
    assert done.stdout == "tag,query_id,measure,value,queries\na,all,RR,0.25,2\n"
    assert read_qrels(folder) == read_qrels(folder / "qrels" / "test.tsv")
    (folder / "qrels" / "test.tsv").unlink()
    assert read_qrels(folder) == {"q3": {"d4": 1}}


def test_check_looks_at_all_of_its_files(folder: Path) -> None:
    done = run("check", str(folder))
    assert done.exit_code == 0
    assert [line.rpartition(" fine as ")[2] for line in done.stdout.splitlines()] == [
        "documents (jsonl)", "queries (jsonl)", "qrels (beir)", "qrels (beir)",
    ]  # fmt: skip
    (folder / "qrels" / "dev.tsv").write_text(DEV + "q8\td4\t1\nq3\td8\t0\nq3\td4\t0\n")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": ""}\n{"_id": "q3", "text": "x"}\n')
    done = run("check", str(folder))
    assert done.exit_code == 2
    told = done.stderr.splitlines()
    assert [line.partition("; ")[0].replace(f"error: {folder}/", "") for line in told] == [
        "queries.jsonl:1: query 'q1' has no text",
        "qrels/dev.tsv:5: document 'd4' is already in query 'q3', line 2",
        f"qrels/dev.tsv:3: query 'q8' is not in {folder}/queries.jsonl",
        f"qrels/dev.tsv:4: document 'd8' is not in {folder}/corpus.jsonl.gz",
        f"qrels/test.tsv:2: query 'q1' is not in {folder}/queries.jsonl",
        f"qrels/test.tsv:3: query 'q2' is not in {folder}/queries.jsonl",
    ]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
METADATA = st.dictionaries(
    TEXTS.filter(
        lambda name: (
            name
            not in {"doc_id", "_id", "id", "query_id", "title", "text", "metadata", "url", "kind"}
            | {"description", "narrative", "class"}
        )
    ),
    TEXTS | st.integers() | st.none() | st.lists(TEXTS, max_size=2),
    max_size=3,
)
SOME = TEXTS.filter(str.strip)


@given(st.builds(Query, SOME, SOME, TEXTS, TEXTS, TEXTS, METADATA))
def test_any_query_comes_back(tmp_path_factory: pytest.TempPathFactory, query: Query) -> None:
    path = tmp_path_factory.getbasetemp() / "query.jsonl"
    path.write_text("".join(beir_queries([query])), newline="")
    ((_, found),) = iter_queries(path, format="jsonl")
    assert found.query_id == id_in(query.query_id)
    assert (found.text, found.description, found.narrative, found.query_class, found.meta) == (
        query.text, query.description, query.narrative, query.query_class, query.meta,
    )  # fmt: skip


@given(st.builds(Document, SOME, TEXTS, TEXTS, TEXTS, TEXTS, METADATA))
def test_any_document_comes_back(
    tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    path = tmp_path_factory.getbasetemp() / "document.jsonl"
    path.write_text("".join(beir_corpus([document])), newline="")
    ((_, found),) = iter_documents(path, format="jsonl")
    assert found.doc_id == id_in(document.doc_id)
    assert (found.title, found.text, found.url, found.kind, found.meta) == (
        document.title, document.text, document.url, document.kind, document.meta,
    )  # fmt: skip


def test_metadata_never_changes_what_a_record_is(tmp_path: Path) -> None:
    metadata = {"_id": "other", "text": "other", "class": 5, "url": "u", "source": "people"}
    (tmp_path / "q").write_text(json.dumps({"_id": "q1", "text": "a", "metadata": metadata}) + "\n")
    ((_, query),) = iter_queries(tmp_path / "q")
    assert query == Query(
        "q1",
        "a",
        meta={
            "url": "u",
            "source": "people",
            "metadata": {"_id": "other", "text": "other", "class": 5},
        },
    )
