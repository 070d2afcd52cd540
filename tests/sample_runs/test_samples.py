"""The sample campaign is whole: whoever clones the project starts with it."""

import json
import os
import re
import runpy
import subprocess
import sys

import pytest

from tests.sample_runs import SAMPLES

FUSED = ["bm25", "bm25-names", "char-tfidf", "dense"]
SYSTEMS = [*FUSED, "rrf"]
CLASSES = {"lookup", "how-to", "concept", "fragment", "synonym", "deprecated-versus-modern"}


def read_run(tag):
    """query_id -> [(doc_id, rank, score)] in the order of the file."""
    run = {}
    for line in (SAMPLES / "runs" / f"{tag}.run").read_text(encoding="utf-8").splitlines():
        query_id, iteration, doc_id, rank, score, name = line.split()
        assert (iteration, name) == ("Q0", tag)
        run.setdefault(query_id, []).append((doc_id, int(rank), float(score)))
    return run


def build(target, **environment):
    return subprocess.run(
        [sys.executable, SAMPLES / "make_documents.py", "-o", target],
        env={**os.environ, "TERM": "xterm", **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    target = tmp_path_factory.mktemp("samples") / "documents.jsonl"
    return target, build(target)


@pytest.fixture(scope="module")
def documents(built):
    lines = built[0].read_text(encoding="utf-8").splitlines()
    return {document["doc_id"]: document for document in map(json.loads, lines)}


@pytest.fixture(scope="module")
def queries():
    lines = (SAMPLES / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_collection_is_large_and_its_ids_are_unique_and_sorted(built, documents):
    lines = built[0].read_text(encoding="utf-8").splitlines()
    assert len(lines) > 3_500
    assert len(documents) == len(lines)
    assert list(documents) == sorted(documents)


def test_building_prints_the_count_and_nothing_that_an_import_has_to_say(built, documents):
    _, process = built
    assert process.stdout == ""
    assert process.stderr == f"{len(documents)} documents\n"


def test_every_document_has_its_fields_filled(documents):
    for document in documents.values():
        assert document.keys() == {"doc_id", "kind", "title", "text"}
        assert document["kind"] in {"module", "class", "function", "method"}
        assert document["title"].startswith(document["doc_id"])
        assert document["text"].strip()


def test_things_go_by_the_names_that_people_import_them_by(documents):
    expected = {
        "itertools.zip_longest": "class",
        "str.partition": "method",  # not builtins.str.partition
        "open": "function",  # not io.open
        "os.path.join": "function",  # not posixpath.join
        "random.choice": "function",  # not random.Random.choice
        "argparse.ArgumentParser.add_argument": "method",  # from a base without a public name
        "socket.socket.settimeout": "method",
        "asyncio.gather": "function",  # not asyncio.tasks.gather
        "json": "module",
    }
    assert {doc_id: documents[doc_id]["kind"] for doc_id in expected} == expected
    for alias in ("builtins.str", "io.open", "random.Random.choice", "posixpath", "this"):
        assert alias not in documents


def test_the_collection_does_not_depend_on_the_process(built, tmp_path):
    again = tmp_path / "again.jsonl"
    build(again, PYTHONHASHSEED="7", OF_THE_ENVIRONMENT="not for others")
    assert again.read_bytes() == built[0].read_bytes()


def test_signatures_give_away_neither_addresses_nor_places(documents):
    titles = "\n".join(document["title"] for document in documents.values())
    assert not re.search(r" at 0x[0-9a-fA-F]+", titles)
    assert str(SAMPLES.parent) not in titles
    assert sys.executable not in titles


def test_there_are_50_queries_with_all_their_fields(queries):
    assert [query["query_id"] for query in queries] == [f"q{n:03}" for n in range(1, 51)]
    for query in queries:
        assert query.keys() == {"query_id", "text", "class", "narrative"}
        assert query["text"].strip()
        for grade in "0123":
            assert f"{grade}: " in query["narrative"], query["query_id"]
    assert {query["class"] for query in queries} == CLASSES
    assert len({query["text"] for query in queries}) == 50


def test_half_of_the_queries_by_odd_number_hold_every_class(queries):
    assert {query["class"] for query in queries[::2]} == CLASSES


def test_the_guidelines_name_every_grade_of_the_scale():
    guidelines = (SAMPLES / "guidelines.md").read_text(encoding="utf-8")
    for grade, label in enumerate(["not relevant", "related", "relevant", "perfect"]):
        assert f"| **{grade}** | {label} |" in guidelines


def test_the_runs_are_those_of_the_five_systems():
    assert sorted(path.name for path in (SAMPLES / "runs").iterdir()) == sorted(
        f"{tag}.run" for tag in SYSTEMS
    )


@pytest.mark.parametrize("tag", SYSTEMS)
def test_a_run_answers_every_query_in_trec_eval_order(tag, queries):
    run = read_run(tag)
    assert list(run) == [query["query_id"] for query in queries]
    for results in run.values():
        doc_ids = [doc_id for doc_id, _, _ in results]
        assert len(set(doc_ids)) == len(doc_ids)
        assert [rank for _, rank, _ in results] == list(range(1, len(results) + 1))
        order = [(score, doc_id) for doc_id, _, score in results]
        assert order == sorted(order, reverse=True)
        assert all(score > 0 for score, _ in order)


@pytest.mark.parametrize("tag", SYSTEMS)
def test_a_run_is_50_deep_where_its_system_finds_as_many(tag):
    depths = [len(results) for results in read_run(tag).values()]
    assert max(depths) == 50
    # Names alone hold few words: some queries have fewer than 50 names with any of theirs.
    assert min(depths) >= (10 if tag == "bm25-names" else 50)


def test_the_fusion_is_that_of_the_four_other_runs():
    """Reciprocal rank fusion, k = 60: Cormack, Clarke and Buettcher, SIGIR 2009."""
    runs = [read_run(tag) for tag in FUSED]
    for query_id, results in read_run("rrf").items():
        expected = {}
        for run in runs:
            for doc_id, rank, _ in run[query_id]:
                expected[doc_id] = expected.get(doc_id, 0) + 1 / (60 + rank)
        for doc_id, _, score in results:
            assert score == pytest.approx(expected[doc_id], abs=5.1e-7)
        best = sorted(expected.values(), reverse=True)[: len(results)]
        assert [score for _, _, score in results] == pytest.approx(best, abs=5.1e-7)


def test_the_systems_differ():
    firsts = {tag: {q: results[0][0] for q, results in read_run(tag).items()} for tag in SYSTEMS}
    for i, one in enumerate(FUSED):
        for other in FUSED[i + 1 :]:
            same = sum(firsts[one][q] == firsts[other][q] for q in firsts[one])
            assert same < 30, (one, other)


@pytest.mark.parametrize("tag", SYSTEMS)
def test_nearly_all_documents_of_the_runs_are_in_the_collection_of_this_python(tag, documents):
    doc_ids = [doc_id for results in read_run(tag).values() for doc_id, _, _ in results]
    there = sum(doc_id in documents for doc_id in doc_ids) / len(doc_ids)
    # The runs are of CPython 3.11; later versions dropped modules and rewrote docstrings.
    assert there > (0.95 if sys.version_info[:2] == (3, 11) else 0.8)


def test_words_are_taken_apart_as_the_script_says():
    words = runpy.run_path(str(SAMPLES / "make_runs.py"))["words"]
    assert words("csv.DictReader") == ["csv", "dict", "reader", "dictreader"]
    assert words("how do I parse HTMLParser classes") == [
        "parse",
        "html",
        "parser",
        "htmlparser",
        "classe",
    ]
    assert words("token_urlsafe") == ["token", "urlsafe", "token_urlsafe"]
