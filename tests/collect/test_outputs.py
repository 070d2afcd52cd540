"""The files that come out: runs, documents, queries, and what collect.json says."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from judge_tui.errors import InputError
from judge_tui.model import Query
from tests.collect.asking import OUT, QUERIES, collected, http, one


def test_the_run_has_the_scores_of_the_system_where_they_order_as_it_did(server, tmp_path):
    collected(tmp_path, {"own": http(server, score="score"), "none": http(server)})
    ids = ("q1 Q0 docs/csv.md 1", "q1 Q0 docs/json%20file.md 2", "q2 Q0 docs/sort.md 1")
    for tag, scores in (("own", (2.5, 1.5, 3.5)), ("none", (1.0, 0.5, 1.0))):
        lines = [f"{about} {score} {tag}\n" for about, score in zip(ids, scores, strict=True)]
        assert (tmp_path / OUT / f"{tag}.run").read_text() == "".join(lines)


@pytest.mark.parametrize("scores", [[1, 2], [2, 2], [1, None], [None, 1]])
def test_scores_that_order_otherwise_are_not_taken(server, tmp_path, scores):
    """Distances, ties, gaps: the order in which the system gave its results is what it is, in the
    whole run, so that its scores are of one kind."""
    server.found["sort a list"] = [
        {"id": name, "score": score} for name, score in zip("ab", scores, strict=True)
    ]
    text = one(tmp_path, http(server, score="score")).run_path.read_text().splitlines()
    assert [line.split()[3:5] for line in text] == [["1", "1.0"], ["2", "0.5"]] * 2


def test_documents_do_not_tell_whose_they_are(server, tmp_path):
    server.found = {
        "a": [{"id": "d1", "text": "short"}, {"id": "d2"}],
        "b": [{"id": "d1", "text": "longer text", "title": "T"}, {"id": "d0", "url": "u"}],
    }
    table = http(server, text="text", title="title", doc_url="url")
    queries = [Query("q1", "a"), Query("q2", "b")]
    tables = {"x": table, "y": {**table, "text": "title"}}
    collected(tmp_path, tables, queries)
    documents = tmp_path / OUT / "documents.jsonl"
    expected = [{"doc_id": "d0", "url": "u"}, {"doc_id": "d1", "title": "T", "text": "longer text"}]
    assert [json.loads(line) for line in documents.read_text().splitlines()] == expected
    # Whoever is asked alone later.
    before = documents.read_bytes()
    collected(tmp_path, tables, queries, only=["y"])
    assert documents.read_bytes() == before


def test_latency_median_and_nearest_rank(server, tmp_path):
    found = one(tmp_path, http(server), queries=QUERIES[:1])
    # p95 of 20 values is the 19th, of 21 the 20th; the median of 20 is between two.
    for count, p95, median in ((20, 19.0, 10.5), (21, 20.0, 11.0), (1, 1.0, 1.0)):
        replies = tuple(replace(found.replies[0], seconds=float(n)) for n in range(count, 0, -1))
        failed = replace(found.replies[0], seconds=99.0, failure="x")
        assert replace(found, replies=(*replies, failed)).latency == (median, p95)


def test_what_is_kept_of_a_system_holds_no_settings(server, tmp_path):
    one(tmp_path, http(server, headers={"K": "${API_KEY}"}), environment={"API_KEY": "secret"})
    kept = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]
    assert set(kept) == {"kind", "depth", "identity", "fingerprint"}
    assert (kept["kind"], kept["depth"]) == ("http", 50)


@pytest.mark.parametrize("text", ["[broken", "[1]", "", "{" * 100_000])
def test_what_collect_did_not_write_is_not_written_over(server, tmp_path, text):
    one(tmp_path, http(server))
    (tmp_path / OUT / "collect.json").write_text(text)
    with pytest.raises(InputError, match="is not what collect wrote there; move it away"):
        one(tmp_path, http(server), fresh=True)
    assert (tmp_path / OUT / "collect.json").read_text() == text


def test_the_queries_that_were_asked_are_beside_the_runs(server, tmp_path):
    """Another text is asked of all systems of a folder, or refused."""

    def beside() -> dict[str, str]:
        lines = (tmp_path / OUT / "queries.jsonl").read_text().splitlines()
        return {row["query_id"]: row["text"] for row in map(json.loads, lines)}

    tables = {"a": http(server), "b": http(server)}
    collected(tmp_path, tables)
    assert beside() == {query.query_id: query.text for query in QUERIES}
    changed = (Query("q1", "sort a list"), *QUERIES[1:])
    with pytest.raises(InputError) as raised:
        collected(tmp_path, tables, changed, only=["b"])
    assert str(raised.value) == (
        f"{tmp_path}/out/queries.jsonl: a was asked query q1 as 'read a csv file', and it is 'sort"
        " a list' now; collect all systems of the folder together, or give another folder with -o"
    )
    assert (tmp_path / OUT / "b.run").exists()
    collected(tmp_path, tables, changed)
    assert beside()["q1"] == "sort a list"
    # More queries of one system are no other texts of the rest.
    collected(tmp_path, tables, [Query("q4", "more")], only=["b"])
    assert list(beside()) == ["q1", "q2", "q3", "q4"]
