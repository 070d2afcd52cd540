"""Collections as BEIR has them: a folder of corpus, queries and qrels, loaded and written.

The layout is that of BEIR's own loader: `_id`, `title`, `text` and `metadata` in JSON Lines, and
qrels with the header `query-id`, `corpus-id`, `score` between tabs.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.beir import load_beir
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.exporting.collection import export_collection
from judge_tui.campaign.grades import grades_by_judge, load_grades
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.queries import add_queries, all_queries, load_queries
from judge_tui.cli import cli
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import QrelsRow, decode_id, iter_documents, iter_queries, read_qrels
from judge_tui.formats.beir_files import beir_corpus, beir_queries
from judge_tui.formats.ids import table_field
from judge_tui.model import Document, Query, Scale
from tests.loading_runs import load_run

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


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    with create_campaign(tmp_path / "empty.db", name="e", scale=Scale.parse("0=a,1=b,2=c")) as one:
        yield one


def documents(campaign: Campaign) -> dict[str, Document]:
    return {
        row[0]: Document(*row[:5], read_metadata(campaign.path, row[5]))
        for row in campaign.rows(
            "SELECT doc_id, title, coalesce(text, ''), url, kind, meta FROM documents"
        )
    }


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments), catch_exceptions=False)


def test_what_a_split_names_and_runs_retrieved_is_loaded(
    empty: Campaign, folder: Path, tmp_path: Path
) -> None:
    load_beir(empty, folder, judge="x", split="dev")
    assert [query.query_id for query in all_queries(empty)] == ["q3"]
    (tmp_path / "a.run").write_text("q3 Q0 d2 1 1.5 a\n")
    load_run(empty, tmp_path / "a.run")
    loaded = load_beir(empty, folder, judge="assessor")
    assert grades_by_judge(empty)["assessor"] == {("q1", "d1"): 2, ("q2", "d1"): 0}
    assert all_queries(empty)[1] == Query(
        "q1", "how old", query_class="fact", meta={"source": "people"}
    )
    found = documents(empty)
    assert sorted(found) == ["d1", "d2", "d4"]
    assert found["d1"] == Document("d1", "Moon", "Old.", "http://m", meta={"year": 1999})
    assert (loaded.queries.added, loaded.documents.added, loaded.grades.added) == (2, 2, 2)
    # q3 is named by the other split alone, and there already.
    assert (loaded.queries.left_out, loaded.documents.left_out) == (0, 1)
    again = load_beir(empty, folder, judge="assessor")
    assert (again.queries.added, again.documents.added, again.grades.added) == (0, 0, 0)


def test_queries_that_are_left_out_are_told_with_the_option(empty: Campaign, folder: Path) -> None:
    load = ("load", "beir", "-d", str(empty.path), "--judge", "x", str(folder))
    told = f"{folder / 'queries.jsonl'}: queries: "
    first, every, again = run(*load), run(*load, "--all-queries"), run(*load)
    left_out = "1 of no grade in the split left out (--all-queries keeps them)"
    assert f"{told}2 added, {left_out}\n" in first.stdout
    assert f"{told}1 added, 2 there already\n" in every.stdout
    assert f"{told}2 there already\n" in again.stdout


def test_everything_is_loaded_for_who_wants_it(empty: Campaign, folder: Path) -> None:
    load_beir(
        empty, folder, judge="x", keep_all_queries=True, keep_all_documents=True
    )  # fmt: skip
    assert len(all_queries(empty)) == 3
    assert len(documents(empty)) == 4
    # The same files, loaded one by one, hold the same.
    assert load_documents(empty, folder / "corpus.jsonl.gz").unchanged == 4
    assert load_queries(empty, folder / "queries.jsonl").unchanged == 3


def test_the_folder_stands_for_its_files(empty: Campaign, folder: Path, tmp_path: Path) -> None:
    assert load_queries(empty, folder).added == 3
    (tmp_path / "a.run").write_text("q3 Q0 d2 1 1.5 a\n")
    load_run(empty, tmp_path / "a.run")
    loaded = load_documents(empty, folder)
    assert (loaded.added, loaded.left_out) == (1, 3)
    (folder / "queries.jsonl").write_text('{"_id": "q4"}\n')
    with pytest.raises(InputError, match=r"queries\.jsonl:1: query 'q4' has no text"):
        list(iter_queries(folder))


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("qrels/test.tsv", TEST + "q9\td1\t1\n", r"test\.tsv:4: query 'q9' is not in"),
        ("qrels/test.tsv", TEST + "q2\td2\t7\n", r"test\.tsv:4: grade 7 is not on the campaign's"),
        ("qrels/test.tsv", TEST + "q2\td2\thigh\n", r"test\.tsv:4: grade 'high' is not a whole"),
        ("queries.jsonl", '{"_id": "q1", "text": "a"}\n{"_id": "q2"}\n', r":2: query 'q2' has no"),
        ("corpus.jsonl", '{"_id": "d1", "text": "a"}\n{"text": "b"}\n', r"corpus\.jsonl:2: no id"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_loaded(
    empty: Campaign, folder: Path, file: str, text: str, told: str
) -> None:
    (folder / file).write_text(text)
    with pytest.raises(InputError, match=told):
        load_beir(empty, folder, judge="x")
    assert not all_queries(empty)
    assert not documents(empty)
    assert not empty.rows("SELECT 1 FROM judges")


def test_a_folder_that_is_none_is_told(empty: Campaign, folder: Path) -> None:
    with pytest.raises(InputError, match="there is no split 'train'; it has dev, test"):
        load_beir(empty, folder, judge="x", split="train")
    with pytest.raises(UsageError, match=r"qrels is no folder as BEIR has it; it holds corpus"):
        load_beir(empty, folder / "qrels", judge="x")
    (folder / "queries.jsonl").unlink()
    with pytest.raises(InputError, match=r"there is no queries\.jsonl in it; add the file"):
        load_beir(empty, folder, judge="x")


def test_a_folder_of_other_splits_is_told_what_to_give_in_its_place(
    empty: Campaign, folder: Path
) -> None:
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "train.tsv")
    (folder / "x.run").write_text("q3 Q0 d4 1 1 x\n")
    told = f"{folder}: there is no split 'test'; it has dev, train"
    its_file = str(folder / "qrels" / "dev.tsv")
    # What has no --split takes the file itself; what has one takes a folder alone.
    for command in (("score",), ("load", "qrels", "--judge", "x", "--db", str(empty.path))):
        more = (str(folder / "x.run"),) if command == ("score",) else ()
        refused = run(*command, str(folder), *more)
        assert refused.stderr == f"error: {told}; give the file of one, such as {its_file}\n"
    assert run("score", its_file, str(folder / "x.run")).exit_code == 0
    with pytest.raises(InputError, match=f"{re.escape(told)}; name one with --split$"):
        load_beir(empty, folder, judge="x")


def test_a_graded_document_without_a_text_is_told(empty: Campaign, folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text(TEST + "q2\tgone\t1\n")
    loaded = load_beir(empty, folder, judge="x")
    assert loaded.grades.notes[-1].startswith("1 graded document is without a text in")


def test_a_query_of_another_text_is_refused_and_white_space_makes_none(
    empty: Campaign, folder: Path
) -> None:
    there = [Query("q1", "how  old\n"), Query("q3", "elsewhere")]
    add_queries(empty, there)
    refused = r"queries\.jsonl:3: query 'q3' is 'elsewhere' in the campaign, and 'of another split'"
    with pytest.raises(InputError, match=refused):
        load_beir(empty, folder, judge="x", keep_all_queries=True)
    assert [one.text for one in all_queries(empty)] == [one.text for one in there]
    # The split that is loaded asks for the first two alone.
    loaded = load_beir(empty, folder, judge="x").queries
    assert (loaded.added, loaded.unchanged) == (1, 1)


def test_queries_that_are_there_under_other_ids_are_told(empty: Campaign, folder: Path) -> None:
    add_queries(empty, [Query("q001", "who"), Query("q002", "of another split")])
    loaded = load_beir(empty, folder, judge="x")
    told = "texts that the campaign has under other ids: 1 (q2 is q001, 'who'); runs and judgments"
    assert told in loaded.grades.notes[0]


def test_another_text_of_a_document_is_taken_where_that_is_asked_for(
    empty: Campaign, folder: Path
) -> None:
    load = ("load", "beir", str(folder), "--db", str(empty.path), "--judge", "people")
    assert run(*load).exit_code == 0
    corpus = folder / "corpus.jsonl.gz"
    text = gzip.decompress(corpus.read_bytes()).replace(b"Old.", b"Older.")
    corpus.write_bytes(gzip.compress(text))
    done = run(*load)
    assert (done.exit_code, documents(empty)["d1"].text) == (2, "Old.")
    assert "judges may have seen that one; change it with --replace" in done.stderr
    assert "corpus.jsonl.gz: documents: 1 changed" in run(*load, "--replace").stdout
    assert documents(empty)["d1"].text == "Older."
    assert grades_by_judge(empty) == {"people": {("q1", "d1"): 2, ("q2", "d1"): 0}}


@pytest.mark.parametrize("kind", ["human", "model"])
@pytest.mark.parametrize(("name", "judge"), [("moon", "gold"), ("-the moon's", "jo o'x")])
def test_qrels_that_were_changed_hold_by_the_command_that_is_named(
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    judge: str,
    kind: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = folder.rename(tmp_path / name)
    db = tmp_path / "my campaign.db"
    CliRunner().invoke(cli, ["init", "--db", str(db)], catch_exceptions=False)
    words = ["load", "beir", "--db", str(db), "--judge", judge, "--kind", kind, "--", name]
    assert CliRunner().invoke(cli, words).exit_code == 0
    # A grade is another one, and a query and its document are new.
    (folder / "qrels" / "test.tsv").write_text(TEST.replace("\t2\n", "\t1\n") + "q3\td4\t3\n")
    refused = CliRunner().invoke(cli, words)
    assert refused.exit_code == 2
    assert f"judge {judge!r} has graded 'd1' for 'q1' as 2 already, not 1" in refused.stderr
    assert "or, before it is loaded again, let its grades hold: judge-tui load" in refused.stderr
    named = shlex.split(refused.stderr[refused.stderr.index("judge-tui load") :])[1:]
    done = CliRunner().invoke(cli, named)
    assert done.exit_code == 0, done.stderr
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.stderr
    with open_campaign(db) as campaign:
        grades = grades_by_judge(campaign, include_models=True)[judge]
    assert grades == {("q1", "d1"): 1, ("q2", "d1"): 0, ("q3", "d4"): 3}


def test_it_is_scored_as_it_stands(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d2 1 1.5 a\nq1 Q0 d1 2 1.0 a\nq2 Q0 d1 1 1 a\n")
    done = run("score", str(folder), str(tmp_path / "a.run"), "-m", "RR", "-f", "csv")
    # The first relevant document of q1 is at rank 2, q2 has none: (1/2 + 0) / 2.
    assert done.stdout == "tag,query_id,measure,value\na,all,RR,0.25\n"
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


IDS = [
    "plain",
    "my file",
    "%20around%20",
    "my%20file",
    '"quoted"',
    "=1+1",
    "tab\there",
    "naïve\u00a0",
]


def test_a_campaign_comes_back_whole(empty: Campaign, tmp_path: Path) -> None:
    queries = [
        Query(f"q{name}", f"text of {name}", "a description", "a narrative", "lookup", {"n": [1]})
        for name in IDS
    ]
    add_queries(empty, queries)
    rows = [QrelsRow(1, f"q{name}", name, place % 3) for place, name in enumerate(IDS)]
    load_grades(empty, "given", rows, judge="ann")
    record = {"title": "T", "text": "One\ntwo \u2028 three.", "url": "u", "kind": "k", "year": 5}
    (tmp_path / "docs.jsonl").write_text(
        "".join(
            json.dumps({"doc_id": table_field(name), **record}) + "\n"
            for name in IDS[:-1]  # the last one has no text
        )
    )
    load_documents(empty, tmp_path / "docs.jsonl")
    done = run("export", "beir", "-d", str(empty.path), "-o", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(
        f"{tmp_path / 'out'}: 8 queries, 8 documents, 8 grades of 8 queries\n"
        "        1  there: documents without a text\n"
    )
    assert done.stderr.startswith("note: left out by beir: runs, whose grades these were")
    assert run("check", str(tmp_path / "out")).exit_code == 0
    other = create_campaign(tmp_path / "other.db", name="o", scale=empty.settings.scale)
    with other:
        load_beir(other, tmp_path / "out", judge="ann")
        assert all_queries(other) == queries
        assert documents(other) == documents(empty)
        assert grades_by_judge(other) == grades_by_judge(empty)
        export_collection(other, tmp_path / "again", "beir")
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


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


@settings(max_examples=60)
@given(st.builds(Query, SOME, SOME, TEXTS, TEXTS, TEXTS, METADATA))
def test_any_query_comes_back(tmp_path_factory: pytest.TempPathFactory, query: Query) -> None:
    path = tmp_path_factory.getbasetemp() / "query.jsonl"
    path.write_text("".join(beir_queries([query])), newline="")
    ((_, found),) = iter_queries(path, format="jsonl")
    assert decode_id(found.query_id) == query.query_id
    assert (found.text, found.description, found.narrative, found.query_class, found.meta) == (
        query.text, query.description, query.narrative, query.query_class, query.meta,
    )  # fmt: skip


@settings(max_examples=60)
@given(st.builds(Document, SOME, TEXTS, TEXTS, TEXTS, TEXTS, METADATA))
def test_any_document_comes_back(
    tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    path = tmp_path_factory.getbasetemp() / "document.jsonl"
    path.write_text("".join(beir_corpus([document])), newline="")
    ((_, found),) = iter_documents(path, format="jsonl")
    assert decode_id(found.doc_id) == document.doc_id
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


def test_a_folder_of_something_else_is_not_written_to(campaign: Campaign, files: Path) -> None:
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\n")
    assert run("load", "qrels", "-d", str(campaign.path), str(files / "ann.qrels"),
               "--judge", "ann").exit_code == 0  # fmt: skip
    done = run("export", "beir", "-d", str(campaign.path), "-o", str(files))
    assert done.exit_code == 2
    assert f"{files}: the folder holds something else: 'alpha.run'; give one that is new" in (
        done.stderr
    )
    done = run("export", "beir", "-d", str(campaign.path), "-o", str(files / "b"), "--split", "a/b")
    assert done.exit_code == 2
    assert not (files / "b").exists()


def test_nothing_is_written_without_grades(campaign: Campaign, files: Path) -> None:
    done = run("export", "beir", "-d", str(campaign.path), "-o", str(files / "b"))
    assert done.exit_code == 2
    assert "nobody has judged yet" in done.stderr
    assert not (files / "b").exists()
