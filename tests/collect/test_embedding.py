"""Embedding endpoints: the nearest documents by exact cosine, computed once more here."""

from __future__ import annotations

import base64
import hashlib
import json
from http import HTTPStatus

import numpy as np
import pytest

from judge_tui.collect.kinds.embedding import vectors_in
from judge_tui.collect.reply import AskError
from judge_tui.errors import InputError
from judge_tui.model import Query
from tests.collect.asking import asked, failure, one, systems_file
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
        "longest_wait": 0.01,
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


def test_documents_of_a_folder_that_has_changed_are_searched_anew(server, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("read a csv file")
    assert one(tmp_path, dense(server, documents="docs"), queries=ONE).kept == 0
    assert one(tmp_path, dense(server, documents="docs"), queries=ONE).kept == 1
    (folder / "a.txt").rename(folder / "b.txt")
    with pytest.raises(InputError, match="other settings"):
        one(tmp_path, dense(server, documents="docs"), queries=ONE)


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
            tmp_path, dense(server), queries=[Query("q", "what")], depth=k, again=True
        ).replies
        assert [hit.doc_id for hit in reply.hits] == names[:k]


@pytest.mark.parametrize("k", [1, 7, 50, 200])
def test_the_top_of_many(server, tmp_path, k):
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(150, 12)).astype(np.float32)
    (tmp_path / "docs.jsonl").write_text(
        "".join(f'{{"doc_id": "d{n}", "text": "text {n}"}}\n' for n in range(150))
    )
    server.vectors = {f"text {n}": [float(x) for x in row] for n, row in enumerate(vectors)}
    query = rng.normal(size=12).astype(np.float32)
    server.vectors["what"] = [float(x) for x in query]
    (reply,) = one(tmp_path, dense(server, batch=64), queries=[Query("q", "what")], depth=k).replies
    wide = vectors.astype(np.float64)
    cosines = wide @ query.astype(np.float64)
    cosines /= np.linalg.norm(wide, axis=1) * np.linalg.norm(query.astype(np.float64))
    order = np.argsort(-cosines, kind="stable")[:k]
    assert [hit.doc_id for hit in reply.hits] == [f"d{n}" for n in order]
    assert [hit.score for hit in reply.hits] == pytest.approx(list(cosines[order]), abs=1e-11)


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
    sent = [json.loads(body) for *_, body, _at in server.asked]
    # Tried with a query and a document, then the five documents, and these again, whether it is
    # the same model that made all of them; then the query, and again.
    assert [len(one["input"]) for one in sent] == [1, 1, 2, 2, 1, 2, 2, 1, 1, 1]
    assert all((one["model"], one["dimensions"]) == ("hashed", 64) for one in sent)
    assert sent[0]["input"] == ["query: read a csv file"]
    assert sent[1]["input"] == sent[2]["input"][:1]
    assert sent[2]["input"][0] == "passage: Reading CSV\nread a csv file with a reader"
    assert {h["Authorization"] for _m, _p, _q, h, *_ in server.asked} == {"Bearer very secret"}


def embedded_anew(server, tmp_path, table, **options) -> list[str]:
    """The texts of documents whose vectors are kept anew: by what is sent beside, a model is tried
    or known again."""
    server.embedded.clear()
    before = kept_in(tmp_path)
    one(tmp_path, table, **{"queries": ONE, "again": True, **options})
    after = kept_in(tmp_path)
    digests = {text: hashlib.sha256(text.encode()).digest() for text in server.embedded}
    return [text for text, its in digests.items() if after.count(its) > before.count(its)]


def kept_in(tmp_path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(tmp_path.rglob("*.vectors")))


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
    assert len(embedded_anew(server, tmp_path, dense(server, model="other"))) == 5
    assert len(embedded_anew(server, tmp_path, dense(server, dimensions=64))) == 5
    # Of the same model: it is known again, but these are other texts.
    assert len(embedded_anew(server, tmp_path, dense(server, document_prefix="d: "))) == 5
    assert len(embedded_anew(server, tmp_path, dense(server, cache="elsewhere"))) == 5
    assert list((tmp_path / "elsewhere").iterdir())


def other_model(server, tmp_path) -> None:
    """Behind the same name and URL: the same texts have other vectors."""
    rows = [json.loads(line) for line in (tmp_path / "docs.jsonl").read_text().splitlines()]
    texts = [text_of(row) for row in rows] + [query.text for query in QUERIES]
    server.vectors = {text: vector(f"{text} and more")[::-1] for text in texts}


def test_vectors_of_another_model_of_the_same_name_are_not_used(server, tmp_path, documents):
    first = one(tmp_path, dense(server), queries=ONE)
    assert first.notes == ()
    other_model(server, tmp_path)
    found = one(tmp_path, dense(server), queries=ONE, again=True)
    assert found.notes == (
        "the vectors of documents in .judge_tui-vectors are of another model that had its name, or"
        " some of them are: made anew",
    )
    query = np.array(server.vectors[QUERIES[0].text])
    cosines = {}
    for row in documents:
        here = np.array(server.vectors[text_of(row)])
        cosines[row["doc_id"]] = here @ query / np.linalg.norm(here) / np.linalg.norm(query)
    assert {h.doc_id: h.score for h in found.replies[0].hits} == pytest.approx(cosines, abs=1e-7)
    # Both are kept, and each is known again.
    again = one(tmp_path, dense(server), queries=ONE, again=True)
    assert (again.notes, again.replies[0].hits) == ((), found.replies[0].hits)
    server.vectors = {}
    assert embedded_anew(server, tmp_path, dense(server)) == []
    assert one(tmp_path, dense(server), queries=ONE).replies[0].hits == first.replies[0].hits


def exchange_amid(server, tmp_path, what):
    """Is told how far it is, and exchanges the model when that is `what`."""

    def told(progress) -> None:
        if progress.what == what or (progress.query and progress.query.query_id == what):
            other_model(server, tmp_path)

    return told


def test_a_model_that_is_exchanged_while_documents_are_made_vectors_of(server, tmp_path, documents):
    table, amid = dense(server, batch=2), "2 of 5 vectors of documents"
    with pytest.raises(InputError) as raised:
        one(tmp_path, table, queries=ONE, told=exchange_amid(server, tmp_path, amid))
    assert str(raised.value).startswith(
        f"{tmp_path}/systems.toml:1: system it: its model was exchanged while the documents were"
        " made vectors of: of the same text it makes another vector than before, with cosine"
    )
    assert "not kept; see that one model answers, and give the command again" in str(raised.value)
    assert kept_in(tmp_path) == b""
    # There are no answers of the one before.
    found = one(tmp_path, table, queries=ONE)
    assert (found.notes, kept_in(tmp_path).count(b'{"dimensions"')) == ((), 1)
    made = np.frombuffer(kept_in(tmp_path)[-4 * 64 :], dtype="<f4")
    assert made.tolist() == server.vectors[text_of(documents[4])]


def test_what_was_kept_before_a_model_was_exchanged_stays(server, tmp_path, documents):
    one(tmp_path, dense(server), queries=ONE)
    before = kept_in(tmp_path)
    rows = [*documents, *({"doc_id": f"n{n}", "text": f"{n} more lists"} for n in range(4))]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    amid = exchange_amid(server, tmp_path, "7 of 9 vectors of documents")
    with pytest.raises(InputError, match="its model was exchanged"):
        one(tmp_path, dense(server, batch=2), queries=ONE, again=True, told=amid)
    assert kept_in(tmp_path) == before


@pytest.mark.parametrize("is_back", [True, False])
def test_vectors_of_two_models_in_one_file_are_not_used(server, tmp_path, documents, is_back):
    """As work leaves them that is interrupted before the exchange is seen."""
    exchange = exchange_amid(server, tmp_path, "2 of 5 vectors of documents")

    def told(progress) -> None:
        exchange(progress)
        if progress.what.startswith("4"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one(tmp_path, dense(server, batch=2), queries=ONE, told=told)
    assert kept_in(tmp_path)
    if is_back:
        server.vectors = {}
    assert one(tmp_path, dense(server), queries=ONE).notes == (
        "the vectors of documents in .judge_tui-vectors are of another model that had its name, or"
        " some of them are: made anew",
    )
    assert embedded_anew(server, tmp_path, dense(server)) == []


def test_a_model_that_is_exchanged_while_it_is_asked(server, tmp_path, documents):
    with pytest.raises(InputError, match=EXCHANGED) as raised:
        one(tmp_path, dense(server), queries=QUERIES, told=exchange_amid(server, tmp_path, "q2"))
    assert "use another folder with -o, or --again to begin anew" in str(raised.value)
    assert not (tmp_path / "out" / "it.run").exists()
    server.vectors = {}
    with pytest.raises(InputError, match=EXCHANGED):
        one(tmp_path, dense(server), queries=QUERIES)
    assert len(one(tmp_path, dense(server), queries=QUERIES, again=True).replies) == 2


EXCHANGED = (
    r"it\.answers\.jsonl: holds answers of a system whose model was exchanged while it was asked:"
    " of the same text it makes another vector than before"
)


def test_a_model_that_does_not_answer_at_the_end_is_told(server, tmp_path, documents):
    def told(progress) -> None:
        if progress.query and progress.query.query_id == "q2":
            server.vectors[QUERIES[0].text] = 400

    found = one(tmp_path, dense(server), queries=QUERIES, told=told)
    assert (len(found.failed), found.notes) == (
        0,
        ("whether its model is still the same is not known: HTTP 400 Bad Request: no vector",),
    )


def test_damaged_vectors_are_made_anew(server, tmp_path, documents):
    first = one(tmp_path, dense(server), queries=ONE)
    (path,) = (tmp_path / ".judge_tui-vectors").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-4] + b"\xff" * 4)
    again = one(tmp_path, dense(server), queries=ONE, again=True)
    assert (again.notes, again.replies[0].hits) == ((), first.replies[0].hits)
    # The first of them tells whose vectors these are.
    at = whole.index(b"\n") + 1 + 32
    path.write_bytes(whole[:at] + b"\xff" * 4 + whole[at + 4 :])
    again = one(tmp_path, dense(server), queries=ONE, again=True)
    assert again.replies[0].hits == first.replies[0].hits
    assert again.notes == (
        "the vectors of documents in .judge_tui-vectors are damaged where they tell the model:"
        " made anew",
    )


def test_the_last_digits_of_a_vector_make_no_other_model(server, tmp_path, documents):
    one(tmp_path, dense(server), queries=ONE)
    rng = np.random.default_rng(5)
    for text in [text_of(row) for row in documents] + [query.text for query in QUERIES]:
        noise = rng.normal(scale=1e-3, size=64)
        server.vectors[text] = [float(x) for x in np.array(vector(text)) + noise]
    assert one(tmp_path, dense(server), queries=QUERIES).notes == ()


def test_answers_of_two_models_are_not_mixed(server, tmp_path, documents):
    one(tmp_path, dense(server), queries=ONE)
    before = (tmp_path / "out" / "it.answers.jsonl").read_bytes()
    other_model(server, tmp_path)
    told = (
        r"holds answers of another model: of the same text it makes another vector than before,"
        r" with cosine -?0\.\d{6} to that one, and 0\.999 is the least that counts as"
        " the same model;"
        " use another folder with -o, or --again to begin anew"
    )
    for queries in (QUERIES, QUERIES[::-1]):
        with pytest.raises(InputError, match=told):
            one(tmp_path, dense(server), queries=queries)
    assert (tmp_path / "out" / "it.answers.jsonl").read_bytes() == before
    assert len(one(tmp_path, dense(server), queries=QUERIES, again=True).replies) == 2


def test_a_model_that_says_another_name_is_another_one(server, tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"doc_id": "a", "text": "one"}\n')
    secret = "very secret"  # noqa: S105
    table = {"headers": {"Authorization": "${API_KEY}"}}
    options = {"environment": {"API_KEY": secret}}
    one(tmp_path, reply(server, [1.0], model=f"v1 {secret}") | table, queries=ONE, **options)
    for path in (tmp_path / ".judge_tui-vectors").iterdir():
        assert b"secret" not in path.read_bytes()
    assert secret not in (tmp_path / "out" / "it.answers.jsonl").read_text()
    table |= reply(server, [1.0], model="v2")
    told = r"another model: it says that it is 'v2', and said 'v1 \$\{API_KEY\}' before"
    with pytest.raises(InputError, match=told):
        one(tmp_path, table, queries=QUERIES, **options)
    assert one(tmp_path, table, queries=ONE, again=True, **options).notes != ()
    # One that does not say its name is known by its vectors.
    table |= reply(server, [1.0])
    assert one(tmp_path, table, queries=QUERIES, **options).notes == ()


def test_another_secret_costs_no_vectors(server, tmp_path, documents):
    table = dense(server, "/embeddings?key=${API_KEY}")
    first = embedded_anew(server, tmp_path, table, environment={"API_KEY": "first"})
    assert len(first) == 5
    assert embedded_anew(server, tmp_path, table, environment={"API_KEY": "second"}) == []


def test_what_came_before_a_failure_is_kept(server, tmp_path, documents):
    server.vectors["write a csv file"] = "not base64!"
    with pytest.raises(InputError) as raised:
        one(tmp_path, dense(server, batch=2), queries=ONE)
    told = f"{tmp_path}/systems.toml:1: system it: no vector for document 'd4' (those that have one"
    assert str(raised.value).startswith(told)
    del server.vectors["write a csv file"]
    assert embedded_anew(server, tmp_path, dense(server), again=False) == [
        "write a csv file",
        "delete everything",
    ]


@pytest.mark.parametrize("batch", [2, 3, 5, 64])
@pytest.mark.parametrize("bad", ["d2", "d3", "d4", "d5"])
@pytest.mark.parametrize("refusal", ["not base64!", 400])
def test_of_a_batch_the_document_that_is_refused_is_named(
    server, tmp_path, documents, batch, bad, refusal
):
    at = int(bad[1]) - 1
    server.vectors[documents[at]["text"]] = refusal
    with pytest.raises(InputError, match=f"system it: no vector for document '{bad}' "):
        one(tmp_path, dense(server, batch=batch), queries=ONE)
    server.vectors.clear()
    left = embedded_anew(server, tmp_path, dense(server, batch=batch), again=False)
    assert left == [text_of(row) for row in documents[at:]]


def test_an_endpoint_that_is_down_is_not_asked_for_each_part_of_a_batch(
    server, tmp_path, documents
):
    server.vectors["write a csv file"] = 503
    with pytest.raises(InputError, match=r"no vectors for 2 documents from 'd3' to 'd4' .* 503"):
        one(tmp_path, dense(server, batch=2, retries=0), queries=ONE)
    # With a query and a document before the work, then batch by batch.
    assert len(server.asked) == 4


def test_too_many_texts_at_once_name_the_setting(server, tmp_path, documents):
    server.most_texts = 2
    with pytest.raises(InputError) as raised:
        one(tmp_path, dense(server, batch=3), queries=ONE)
    assert (
        "no vectors for 3 documents from 'd1' to 'd3' (those that have one are kept): HTTP 413"
        f" {HTTPStatus(413).phrase} (3 texts were sent at once; for fewer set batch):"
        " no more than 2; "
    ) in str(raised.value)
    assert len(one(tmp_path, dense(server, batch=2), queries=ONE).replies[0].hits) == 5
    # Of one text there is nothing to set.
    server.most_texts = 0
    with pytest.raises(InputError, match="HTTP 413") as raised:
        one(tmp_path, dense(server), queries=ONE, again=True)
    assert "batch" not in str(raised.value)


def test_the_same_text_twice_is_sent_once(server, tmp_path):
    (tmp_path / "docs.jsonl").write_text(
        '{"doc_id": "a", "text": "same"}\n{"doc_id": "b", "text": "same"}\n'
    )
    assert embedded_anew(server, tmp_path, dense(server)) == ["same"]


def reply(server, *embeddings, **more):
    data = [{"index": n, "embedding": one} for n, one in enumerate(embeddings)]
    server.replies["/reply"] = (200, {}, json.dumps({"data": data, **more}).encode())
    return dense(server, "/reply")


@pytest.mark.parametrize(
    ("embeddings", "told"),
    [
        ([], "the number of vectors is 0 for 1 text"),
        ([[1.0], [2.0]], "the number of vectors is 2 for 1 text"),
        ([[]], "vector 0 has no numbers"),
        ([["a"]], 'vector 0 is no list of numbers: ["a"]'),
        ([[0.1, "0.3"]], 'vector 0 is no list of numbers: [0.1, "0.3"]'),
        ([[True]], "vector 0 is no list of numbers"),
        ([[[1.0]]], "vector 0 is no list of numbers"),
        ([None], "vector 0 is no list of numbers"),
        ([[1.0, float("nan")]], "a vector holds what is not a finite number"),
        ([[1e300]], "a vector holds what is not a finite number"),
        ([[10**400]], "a vector holds what is not a finite number"),
        (["AAA"], "vector 0 is no base64 of 32-bit numbers"),
        ([{"a": 1}], "vector 0 is no list of numbers"),
        ([[0.0, 0.0]], "the query's vector is all zeros, which has no direction"),
    ],
)
def test_what_are_no_vectors_is_told(server, tmp_path, documents, embeddings, told):
    assert told in failure(tmp_path, reply(server, *embeddings), queries=ONE)


@pytest.mark.parametrize(
    ("indices", "told"),
    [
        ((0, 1), "the number of vectors is 2 for 3 texts"),
        ((0, 1, 1), "the answer has two vectors with the index 1"),
        ((1, 2, 3), "a vector has the index 3, and they begin at 0 and end at 2"),
        ((0, 1, "2"), "a vector has the index 2, and they begin at 0 and end at 2"),
        ((0, 1, -1), "a vector has the index -1"),
    ],
)
def test_vectors_that_are_not_one_for_each_text_are_told(indices, told):
    data = [{"index": at, "embedding": [1.0]} for at in indices]
    with pytest.raises(AskError) as raised:
        vectors_in(json.dumps({"data": data}), 3)
    assert told in raised.value.what


def test_numbers_that_the_server_does_not_cut_to_are_told(server, tmp_path, documents):
    told = failure(tmp_path, dense(server, dimensions=32), queries=ONE)
    assert "dimensions is 32, and its vectors have 64 numbers: it does not cut them" in told


def test_queries_of_another_length_than_documents_are_told_before_the_work(
    server, tmp_path, documents
):
    server.vectors[ONE[0].text] = [1.0, 2.0]
    told = failure(tmp_path, dense(server), queries=ONE)
    assert "the query's vector has 2 numbers and those of the documents have 64" in told


def test_a_document_that_is_refused_is_named_before_the_work(server, tmp_path, documents):
    server.vectors["Reading CSV\nread a csv file with a reader"] = "not base64!"
    told = failure(tmp_path, dense(server), queries=ONE)
    assert told.startswith(
        "systems.toml:1: system it: no vector for document 'd1': vector 0 is no base64 of 32-bit"
        " numbers: not base64!; "
    )
    server.vectors.clear()
    server.vectors[ONE[0].text] = [0.0] * 64
    assert "does not answer query q1: the query's vector is all zeros" in failure(
        tmp_path, dense(server), queries=ONE
    )


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]", b'{"data": {}}', b'{"data": [1]}', b'{"data": [{"index": 1}]}', b"3"],
)
def test_what_is_no_answer_is_told(server, tmp_path, documents, body):
    server.replies["/reply"] = (200, {}, body)
    told = failure(tmp_path, dense(server, "/reply"), queries=ONE)
    assert "does not answer query q1: the answer has no" in told


def test_vectors_may_come_as_base64(server, tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"doc_id": "a", "text": "one"}\n')
    for text, numbers in (("one", [3, 4]), ("what", [4, 3])):
        packed = np.array(numbers, dtype="<f4").tobytes()
        server.vectors[text] = base64.b64encode(packed).decode()
    (reply,) = one(tmp_path, dense(server), queries=[Query("q", "what")]).replies
    assert [hit.score for hit in reply.hits] == [0.96]


def test_a_query_of_another_length_or_without_direction_fails_alone(server, tmp_path, documents):
    server.vectors["short"] = [1.0, 2.0]
    server.vectors["zeros"] = [0.0] * 64
    assert asked(tmp_path, dense(server), "short").failure == (
        "the query's vector has 2 numbers and those of the documents have 64"
    )
    assert asked(tmp_path, dense(server), "zeros", again=True).failure == (
        "the query's vector is all zeros, which has no direction"
    )


def test_a_document_without_direction_is_told(server, tmp_path, documents):
    server.vectors["delete everything"] = [0.0] * 64
    with pytest.raises(Exception, match="the vector of document 'd5' is all zeros"):
        one(tmp_path, dense(server), queries=ONE)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "docs.jsonl: there is no such file; check the path"),
        ("", "docs.jsonl: "),
        ('{"doc_id": "a", "text": " "}\n', "system it: document 'a' of docs.jsonl has no text"),
        (
            '{"doc_id": "a", "text": "x"}\n{"doc_id": "a", "text": "y"}\n',
            "docs.jsonl:2: ",
        ),
        ('{"doc_id": "a", "text": "x"}\n{"doc\n', "docs.jsonl:2: "),
    ],
)
def test_documents_that_are_none(server, tmp_path, text, told):
    if text is not None:
        (tmp_path / "docs.jsonl").write_text(text)
    said = failure(tmp_path, dense(server), queries=ONE)
    assert told in said
    assert server.asked == []
    if not text:  # there is no line to be mended
        assert said.startswith(f"systems.toml:1: system it: {tmp_path}/{told}")


def test_a_failing_endpoint_tells_no_secret(server, tmp_path, documents):
    secret = "k/e+y with spaces"  # noqa: S105
    table = dense(server, headers={"Authorization": "Bearer ${API_KEY}"}, batch=2)
    server.vectors["write a csv file"] = secret
    with pytest.raises(Exception, match=r"\$\{API_KEY\}") as raised:
        one(tmp_path, table, queries=ONE, environment={"API_KEY": secret})
    assert "k/e" not in str(raised.value)


def test_other_documents_are_other_settings(server, tmp_path, documents):
    one(tmp_path, dense(server), queries=ONE)
    systems_file(tmp_path, {"it": dense(server)})
    with (tmp_path / "docs.jsonl").open("a") as stream:
        stream.write('{"doc_id": "d6", "text": "more"}\n')
    with pytest.raises(Exception, match="holds answers to other settings"):
        one(tmp_path, dense(server), queries=ONE)


def test_progress_says_that_the_endpoint_is_left_alone(server, tmp_path, documents):
    told = []

    def note(progress):
        told.append((progress.what, bool(progress.rest)))
        if progress.rest:
            server.replies.clear()
        elif progress.what and told.count(told[-1]) == 1:
            server.replies["/embeddings"] = (429, {"Retry-After": "0.1"}, b"")

    one(tmp_path, dense(server, longest_wait=5), queries=ONE, told=note)
    assert [one for one in told if one[0]] == [
        ("0 of 5 vectors of documents", False),
        ("0 of 5 vectors of documents", True),
        ("0 of 5 vectors of documents", False),
    ]
