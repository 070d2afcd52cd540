"""Embedding endpoints: the nearest documents by exact cosine, computed once more here."""

from __future__ import annotations

import json

import numpy as np
import pytest

from judge_tui.collect.embedding_system import read_vectors
from judge_tui.collect.search_system import SearchError
from judge_tui.errors import InputError
from judge_tui.model import Document, Query
from tests.collect.asking import asked, failure, one
from tests.collect.server import vector

QUERIES = (Query("q1", "read a csv file"), Query("q2", "sort a list"))
ONE = QUERIES[:1]


@pytest.fixture
def documents(tmp_path):
    rows = [
        {"doc_id": "d1", "title": "Reading CSV", "text": "read a csv file with a reader"},
        {"doc_id": "d2", "text": "sort a list in place"},
        {"doc_id": "d3", "text": "read a json file", "url": "http://h/d3"},
        {"doc_id": "d4", "text": "write a csv file"},
        {"doc_id": "d5", "text": "delete everything"},
    ]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return rows


def dense(server, path="/embeddings", **settings):
    return {
        "kind": "embedding",
        "url": server.url + path,
        "model": "hashed",
        "documents": "docs.jsonl",
        "max_wait": 0.01,
        **settings,
    }


def text_of(row) -> str:
    return f"{row['title']}\n{row['text']}" if "title" in row else row["text"]


def by_hand(rows, query: str) -> list[tuple[str, float]]:
    """doc_id and cosine, highest first; equals in the order of the file."""
    asked_for = np.array(vector(query))
    cosines = []
    for row in rows:
        here = np.array(vector(text_of(row)))
        lengths = np.sqrt((here**2).sum() * (asked_for**2).sum())
        cosines.append((row["doc_id"], float((here * asked_for).sum() / lengths)))
    return sorted(cosines, key=lambda pair: -round(pair[1], 12))


def test_the_nearest_by_exact_cosine(server, tmp_path, documents):
    found = one(tmp_path, dense(server), queries=QUERIES, depth=4)
    for reply in found.replies:
        expected = by_hand(documents, reply.query)[:4]
        assert [hit.doc_id for hit in reply.hits] == [doc_id for doc_id, _ in expected]
        assert [hit.score for hit in reply.hits] == pytest.approx(
            [cosine for _, cosine in expected], abs=1e-12
        )
    best = found.replies[0].hits[0]
    assert (best.title, best.text) == ("Reading CSV", "read a csv file with a reader")


def test_cosines_by_hand(server, tmp_path):
    """(3, 4) and (4, 3): 24/25. (3, 4) and (-4, 3): at right angles. Opposite: -1."""
    (tmp_path / "docs.jsonl").write_text(
        "".join(f'{{"doc_id": "{d}", "text": "{d}"}}\n' for d in ("along", "near", "off", "back"))
    )
    server.vectors = {
        "what": [3, 4],
        "along": [30, 40],
        "near": [4, 3],
        "off": [-4, 3],
        "back": [-3e-3, -4e-3],
    }
    (reply,) = one(tmp_path, dense(server), queries=[Query("q", "what")]).replies
    assert [(hit.doc_id, hit.score) for hit in reply.hits] == [
        ("along", 1.0),
        ("near", 0.96),
        ("off", pytest.approx(0.0, abs=1e-12)),
        # As 32-bit floats, which servers compute with, these have another direction by 1e-8.
        ("back", pytest.approx(-1.0, abs=1e-8)),
    ]


def test_equals_stand_in_the_order_of_the_file(server, tmp_path):
    names = ["c", "a", "b", "e", "d"]
    (tmp_path / "docs.jsonl").write_text(
        "".join(f'{{"doc_id": "{d}", "text": "text {d}"}}\n' for d in names)
    )
    # The same direction, each another length.
    server.vectors = {f"text {d}": [1.0 * n, 3.0 * n, 7.0 * n] for n, d in enumerate(names, 1)}
    server.vectors["what"] = [0.3, 0.1, 0.2]
    for k in (2, 5):
        (reply,) = one(
            tmp_path, dense(server), queries=[Query("q", "what")], depth=k, fresh=True
        ).replies
        assert [hit.doc_id for hit in reply.hits] == names[:k]


def test_what_is_sent(server, tmp_path, documents):
    table = dense(
        server,
        batch=2,
        dimensions=64,
        query_prefix="query: ",
        document_prefix="passage: ",
        headers={"Authorization": "Bearer ${API_KEY}"},
    )
    one(tmp_path, table, queries=ONE, environment={"API_KEY": "very secret"})
    sent = [json.loads(body) for *_, body in server.asked]
    # Tried with a query and a document, then the five documents, then the query.
    assert [len(one["input"]) for one in sent] == [1, 1, 2, 2, 1, 1]
    assert all((one["model"], one["dimensions"]) == ("hashed", 64) for one in sent)
    assert sent[0]["input"] == ["query: read a csv file"]
    assert sent[1]["input"] == sent[2]["input"][:1]
    assert sent[2]["input"][0] == "passage: Reading CSV\nread a csv file with a reader"
    assert {h["Authorization"] for _m, _p, _q, h, *_ in server.asked} == {"Bearer very secret"}


def embedded_anew(server, tmp_path, table, **options) -> list[str]:
    """The texts of documents that are embedded, but for the one that is tried."""
    server.embedded.clear()
    one(tmp_path, table, **{"queries": ONE, "fresh": True, **options})
    return server.embedded[2:-1]


def test_vectors_are_kept_by_content_and_model(server, tmp_path, documents):
    assert len(embedded_anew(server, tmp_path, dense(server))) == 5
    assert embedded_anew(server, tmp_path, dense(server)) == []
    # Other patience, depth, batch, ids and order are the same texts.
    path = tmp_path / "docs.jsonl"
    rows = [{**row, "doc_id": f"new-{row['doc_id']}"} for row in documents[::-1]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert embedded_anew(server, tmp_path, dense(server, batch=3, retries=0), depth=2) == []
    rows[0]["text"] += "!"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert embedded_anew(server, tmp_path, dense(server)) == [text_of(rows[0])]
    for other in ({"model": "other"}, {"dimensions": 64}, {"document_prefix": "d: "}):
        assert len(embedded_anew(server, tmp_path, dense(server, **other))) == 5


def test_vectors_of_two_models_under_one_name_are_refused(server, tmp_path, documents):
    one(tmp_path, dense(server), queries=ONE)
    server.vectors = {text: [1.0, 2.0] for text in ("a new text", "another query")}
    (tmp_path / "docs.jsonl").write_text(
        json.dumps({"doc_id": "d6", "text": "a new text"}) + "\n" + json.dumps(documents[1])
    )
    with pytest.raises(InputError, match=r"holds vectors of different lengths, .*; delete it"):
        one(tmp_path, dense(server), queries=[Query("q", "another query")], fresh=True)


def reply(server, *embeddings, **more):
    data = [{"index": n, "embedding": one} for n, one in enumerate(embeddings)]
    server.replies["/reply"] = (200, {}, json.dumps({"data": data, **more}).encode())
    return dense(server, "/reply")


@pytest.mark.parametrize(
    ("embeddings", "told"),
    [
        ([], "the answer has 0 vectors for 1 texts"),
        ([[1.0], [2.0]], "the answer has 2 vectors for 1 texts"),
        ([[]], "a vector is all zeros, or has a number that is too large"),
        *(([one], "the answer has no vectors") for one in (["a"], [True], None, [float("nan")])),
        *(([one], "the answer has no vectors") for one in ([0.1, "0.3"], [10**400], "AAA")),
        ([[1e300]], "a vector is all zeros, or has a number that is too large"),
        ([[0.0, 0.0]], "a vector is all zeros, or has a number that is too large"),
    ],
)
def test_what_are_no_vectors_is_told(server, tmp_path, documents, embeddings, told):
    assert told in failure(tmp_path, reply(server, *embeddings), queries=ONE)


@pytest.mark.parametrize("indices", [(0, 1), (0, 1, 1), (1, 2, 3), (0, 1, -1)])
def test_vectors_that_are_not_one_for_each_text_are_told(indices):
    data = [{"index": at, "embedding": [1.0]} for at in indices]
    with pytest.raises(SearchError, match="vectors for 3 texts, or their indexes are"):
        read_vectors(json.dumps({"data": data}), 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "docs.jsonl: there is no such file; check the path"),
        ("", "docs.jsonl: "),
        ('{"doc_id": "a", "text": " "}\n', "system it: document 'a' of docs.jsonl has no text"),
        ('{"doc_id": "a", "text": "x"}\n{"doc\n', "docs.jsonl:2: "),
    ],
)
def test_documents_that_are_none(server, tmp_path, text, told):
    if text is not None:
        (tmp_path / "docs.jsonl").write_text(text)
    assert told in failure(tmp_path, dense(server), queries=ONE)
    assert server.asked == []


def test_what_came_before_a_failure_is_kept(server, tmp_path, documents):
    server.vectors["write a csv file"] = 400
    with pytest.raises(InputError) as raised:
        one(tmp_path, dense(server, batch=2), queries=ONE)
    told = "system it: no vectors for 'd3' and 1 more: HTTP 400 Bad Request (2 texts"
    assert told in str(raised.value)
    del server.vectors["write a csv file"]
    one(tmp_path, dense(server), queries=ONE)
    assert server.embedded.count("sort a list in place") == 1


def test_candidates_of_a_benchmark_are_ranked_and_nothing_else(server, tmp_path):
    """Of each query its own; of equals the one whose id comes first, wherever it was listed."""
    table = {"url": f"{server.url}/embeddings", "kind": "embedding", "model": "m"}
    texts = {"z": "csv file", "a": "file csv", "m": "read a csv file", "n": "sort a list"}
    every = {doc_id: Document(doc_id, text=text) for doc_id, text in texts.items()}
    candidates = {"q1": [every["z"], every["a"], every["m"]], "q2": [every["n"], every["z"]]}
    table["candidates"] = True
    found = one(tmp_path, table, queries=QUERIES, candidates=candidates)
    assert [[hit.doc_id for hit in reply.hits] for reply in found.replies] == [
        ["m", "a", "z"],
        ["n", "z"],
    ]
    with pytest.raises(InputError, match="it ranks candidates, and there are none"):
        one(tmp_path, table, queries=QUERIES)
    with pytest.raises(InputError, match="other settings, another depth or other documents"):
        one(tmp_path, table, queries=QUERIES, candidates={**candidates, "q2": [every["n"]]})


def test_a_query_of_another_length_or_without_direction_fails_alone(server, tmp_path, documents):
    server.vectors = {"short": [1.0, 2.0], "zeros": [0.0] * 64}
    for query, told in (
        ("short", "the query's vector has 2 numbers, those of the documents 64"),
        ("zeros", "a vector is all zeros, or has a number that is too large"),
    ):
        assert asked(tmp_path, dense(server), query, fresh=True).failure == told
