"""Queries, documents and grades at once: a folder as BEIR has it, and a graded benchmark."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.collections import load_collection
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import InputError
from judge_tui.formats.whole_files import read_qrels
from judge_tui.model import Query, Scale
from tests.as_typed import judge_tui
from tests.campaigns import load_run

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
HEAD = "query-id\tcorpus-id\tscore\n"

BENCHMARK: list[dict[str, Any]] = [
    {
        "query": "read a csv file",
        "class": "how-to",
        "documents": [
            {"id": "d1", "text": "read a csv file", "score": 2, "kind": "guide"},
            {"id": "my doc", "text": "sort a list", "score": 0},
        ],
    },
    {
        "query": "sort a list",
        "documents": [
            {"id": "my doc", "text": "sort a list", "score": 2},
            {"id": "d3", "text": "delete everything", "score": 0},
        ],
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of four documents, three queries and two splits; the corpus is compressed."""
    folder = tmp_path / "moon"
    (folder / "qrels").mkdir(parents=True)
    lines = [json.dumps(one) + "\n" for one in CORPUS]
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUERIES))
    (folder / "qrels" / "test.tsv").write_text(HEAD + "q1\td1\t2\nq2\td1\t0\n")
    (folder / "qrels" / "dev.tsv").write_text(HEAD + "q3\td4\t1\n")
    return folder


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    with create_campaign(tmp_path / "c.db", name="e", scale=Scale.parse("0=a,1=b,2=c")) as one:
        yield one


def write(campaign: Campaign, benchmark: Any) -> Path:
    path = campaign.path.with_name("benchmark.json")
    path.write_text(json.dumps(benchmark, indent=1))
    return path


def everything(campaign: Campaign) -> list[object]:
    tables = ("events", "pool", "documents", "queries", "judges")
    return [campaign.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables]


def refused(campaign: Campaign, path: Path, **options: Any) -> str:
    """Why it is refused; nothing of it has come into the file."""
    before = everything(campaign)
    with pytest.raises(InputError) as raised:
        load_collection(campaign, path, judge="ann", **options)
    assert everything(campaign) == before
    return str(raised.value)


def test_check_looks_at_all_of_its_files(folder):
    assert judge_tui("check", folder).stdout.count(" fine as ") == 4
    (folder / "qrels" / "dev.tsv").write_text(
        HEAD + "q3\td4\t1\n" + "q8\td4\t1\nq3\td8\t0\nq3\td4\t0\n"
    )
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": ""}\n{"_id": "q3", "text": "x"}\n')
    told = judge_tui("check", folder, code=2).stderr.splitlines()
    assert [line.partition("; ")[0].replace(f"error: {folder}/", "") for line in told] == [
        "queries.jsonl:1: query 'q1' has no text",
        "qrels/dev.tsv:5: document 'd4' is already in query 'q3', line 2",
        f"qrels/dev.tsv:3: query 'q8' is not in {folder}/queries.jsonl",
        f"qrels/dev.tsv:4: document 'd8' is not in {folder}/corpus.jsonl.gz",
        f"qrels/test.tsv:2: query 'q1' is not in {folder}/queries.jsonl",
        f"qrels/test.tsv:3: query 'q2' is not in {folder}/queries.jsonl",
    ]


def test_what_a_split_names_and_runs_retrieved_is_loaded(empty, folder, tmp_path):
    load_collection(empty, folder, judge="x", split="dev")
    assert [query.query_id for query in all_queries(empty)] == ["q3"]
    (tmp_path / "a.run").write_text("q3 Q0 d2 1 1.5 a\n")
    load_run(empty, tmp_path / "a.run")
    loaded = load_collection(empty, folder, judge="ann")
    assert grades_by_judge(empty)["ann"] == {("q1", "d1"): 2, ("q2", "d1"): 0}
    assert all_queries(empty)[1] == Query(
        "q1", "how old", query_class="fact", meta={"source": "people"}
    )
    texts = dict(empty.rows("SELECT doc_id, text FROM documents ORDER BY doc_id"))
    assert list(texts) == ["d1", "d2", "d4"]
    assert texts["d1"] == "Old."
    assert (loaded.queries, loaded.documents, loaded.grades) == (
        LoadCounts(added=2, left_out=1),
        LoadCounts(added=2, unchanged=1, left_out=1),
        LoadCounts(added=2),
    )
    again = load_collection(empty, folder, judge="ann")
    assert (again.queries.unchanged, again.documents.unchanged, again.grades.unchanged) == (2, 3, 2)
    assert load_collection(empty, folder, judge="ann", keep_all=True).documents.added == 1
    assert load_queries(empty, folder).unchanged == 3


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        ("qrels/test.tsv", "q8\td1\t1\n", ":4: query 'q8' is not in "),
        ("qrels/test.tsv", "q1\td3\t7\n", ":4: grade 7 is not on the campaign's scale"),
        ("queries.jsonl", "{", ":4: not valid JSON"),
    ],
)
def test_a_folder_is_loaded_whole_or_not_at_all(empty, folder, name, line, what):
    (folder / name).write_text((folder / name).read_text() + line)
    assert f"{name}{what}" in refused(empty, folder)
    assert "there is no split 'x'; it has dev, test" in refused(empty, folder, split="x")


def test_a_benchmark_comes_in_once_and_goes_out_as_it_was(empty):
    path = write(empty, BENCHMARK)
    loaded = load_collection(empty, path, judge="bench")
    assert (loaded.queries.added, loaded.documents.added, loaded.grades.added) == (2, 3, 4)
    grades = {
        "q001": {"d1": 2, "my%20doc": 0},
        "q002": {"my%20doc": 2, "d3": 0},
    }
    assert [(one.query_id, one.query_class) for one in all_queries(empty)] == [
        ("q001", "how-to"), ("q002", ""),
    ]  # fmt: skip
    before = everything(empty)
    more = {"query": "new", "documents": [{"id": "d9", "text": "x", "score": 3}]}
    write(empty, [more, *BENCHMARK])
    assert "grade 3 is not on the campaign's scale" in refused(empty, path)
    write(empty, BENCHMARK)
    again = load_collection(empty, path, judge="bench")
    assert (again.queries.unchanged, again.documents.unchanged, again.grades.unchanged) == (2, 3, 4)
    assert everything(empty) == before
    export_qrels(empty, empty.path.with_name("qrels"))
    assert read_qrels(empty.path.with_name("qrels")) == grades
    # Without ids, a query is its text, wherever it stands; as a file of grades, too.
    write(empty, BENCHMARK[::-1])
    assert load_collection(empty, path, judge="bench").grades.unchanged == 4
    assert load_judgments(empty, path, judge="ann")["ann"].added == 4
    assert grades_by_judge(empty)["ann"] == grades_by_judge(empty)["bench"]
