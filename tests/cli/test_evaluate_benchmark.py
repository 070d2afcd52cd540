"""`judge-tui evaluate --qrels BENCHMARK.json`: embedding models rank the candidates of a graded
benchmark, every cosine worked out once more here, and the measures by ir_measures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pytest

from tests.collect.asking import systems_file
from tests.collect.server import Server, serving
from tests.evaluating import evaluate, results

KINDS = ("guide", "api", "")


@pytest.fixture(scope="module")
def models() -> Iterator[dict[str, Server]]:
    """Two servers, each of which has a model of its own: random directions, drawn once."""
    with serving() as first, serving() as second:
        for seed, server in enumerate((first, second)):
            luck = np.random.default_rng(seed)
            texts = [*(_query(n) for n in range(6)), *(_text(n) for n in range(20))]
            server.vectors = {text: luck.normal(size=8).tolist() for text in texts}
        yield {"first": first, "second": second}


def _query(number: int) -> str:
    return f"find thing {number}"


def _text(number: int) -> str:
    return f"thing {number} " * (number % 4 + 1)


@pytest.fixture(scope="module")
def benchmark() -> list[dict[str, Any]]:
    """Six queries with eight candidates each, the best ones first, as many files have them."""
    luck = np.random.default_rng(9)
    entries = []
    for number in range(6):
        documents = [
            {
                "id": f"doc-{place}",
                "text": _text(place),
                "score": int(luck.integers(0, 4)),
                "kind": KINDS[place % 3],
            }
            for place in luck.permutation(20)[:8].tolist()
        ]
        documents.sort(key=lambda one: -one["score"])
        its_class = {"class": "lookup"} if number % 2 else {"class": "how-to"}
        entries.append({"query": _query(number), **its_class, "documents": documents})
    return entries


def written(folder: Path, benchmark: Any) -> str:
    path = folder / "benchmark.json"
    path.write_text(json.dumps(benchmark, indent=1), encoding="utf-8")
    return str(path)


def asked(folder: Path, models: Mapping[str, Server], **more: Any) -> str:
    tables = {
        name: {
            "kind": "embedding",
            "url": f"{server.url}/embeddings",
            "model": name,
            "candidates": True,
            **more,
        }
        for name, server in models.items()
    }
    return str(systems_file(folder, tables))


def by_hand(server: Server, query: str, documents: list[dict[str, Any]]) -> list[tuple[str, float]]:
    """doc_id and cosine, highest first."""
    asked_for = np.array(server.vectors[query])
    cosines = []
    for document in documents:
        here = np.array(server.vectors[document["text"]])
        cosine = here @ asked_for / np.sqrt((here @ here) * (asked_for @ asked_for))
        cosines.append((document["id"], float(cosine)))
    return sorted(cosines, key=lambda pair: -pair[1])


def test_each_model_ranks_each_querys_own_candidates(tmp_path, models, benchmark):
    evaluate(
        *(asked(tmp_path, models), "--qrels", written(tmp_path, benchmark)),
        *("-o", tmp_path / "out", "-m", "nDCG@5", "-m", "AP", "-m", "RR@10"),
    )
    found = results(tmp_path / "out")
    assert found["settings"]["files"] == {"qrels": "benchmark.json"}
    qrels = {
        f"q{n:03}": {one["id"]: one["score"] for one in entry["documents"]}
        for n, entry in enumerate(benchmark, 1)
    }
    assert [one["query_id"] for one in found["queries"]] == list(qrels)
    for name, server in models.items():
        run = {}
        for entry, told in zip(benchmark, found["queries"], strict=True):
            expected = by_hand(server, entry["query"], entry["documents"])
            its = told["systems"][name]
            assert its["top"] == [
                {"doc_id": doc_id, "grade": qrels[told["query_id"]][doc_id]}
                for doc_id, _ in expected
            ]
            run[told["query_id"]] = dict(expected)
        (system,) = (one for one in found["systems"] if one["tag"] == name)
        wanted = {measure: ir_measures.parse_measure(measure) for measure in ("nDCG@5", "AP")}
        means = ir_measures.calc_aggregate(wanted.values(), qrels, run)
        for measure, parsed in wanted.items():
            assert system["mean"][measure] == pytest.approx(means[parsed], abs=1e-9)


@pytest.mark.parametrize(
    ("options", "settings", "what"),
    [
        (("--queries", "q.tsv"), {}, "a benchmark has its own queries"),
        ((), {"documents": "d.jsonl"}, "needs documents = "),
    ],
)
def test_what_cannot_be_done_is_said_at_once(options, settings, what, tmp_path, models, benchmark):
    systems = asked(tmp_path, models, **settings)
    result = evaluate(
        *(systems, "--qrels", written(tmp_path, benchmark), *options),
        *("-o", tmp_path / "out"),
        code=2,
    )
    assert what in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_benchmark_holds_documents_for_a_search_among_all(tmp_path, models, benchmark):
    path = written(tmp_path, benchmark)
    tables = {
        "all": {
            "kind": "embedding",
            "url": f"{models['first'].url}/embeddings",
            "model": "first",
            "documents": "benchmark.json",
        }
    }
    every = {one["id"]: one for entry in benchmark for one in entry["documents"]}
    evaluate(systems_file(tmp_path, tables), "--qrels", path, "-o", tmp_path / "out")
    for entry, query in zip(benchmark, results(tmp_path / "out")["queries"], strict=True):
        expected = by_hand(models["first"], entry["query"], list(every.values()))[:10]
        found = [one["doc_id"] for one in query["systems"]["all"]["top"]]
        assert found == [doc_id for doc_id, _ in expected]


def test_with_qrels_the_documents_that_are_searched_tell_their_kinds(tmp_path, models, benchmark):
    """Of a document that is in no such file only the id is known."""
    path = Path(written(tmp_path, benchmark))
    (tmp_path / "g.qrels").write_text(
        "".join(
            f"q{n:03} 0 {one['id']} {one['score']}\n"
            for n, entry in enumerate(benchmark, 1)
            for one in entry["documents"]
        )
    )
    every = {one["id"]: one for entry in benchmark for one in entry["documents"]}
    lost, *kept = sorted(every)
    rows = [{key: every[name][key] for key in ("id", "text", "kind")} for name in kept]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    tables = {
        name: {
            "kind": "embedding",
            "url": f"{server.url}/embeddings",
            "model": name,
            "documents": "docs.jsonl",
        }
        for name, server in models.items()
    }
    evaluate(
        *(systems_file(tmp_path, tables), "--qrels", tmp_path / "g.qrels", "--queries", path),
        *("-o", tmp_path / "out"),
    )
    expected: dict[str | None, int] = {}
    for entry in benchmark:
        for one in entry["documents"]:
            kind = (None if one["id"] == lost else one["kind"]) or None
            expected[kind] = expected.get(kind, 0) + (one["score"] > 0)
    found = results(tmp_path / "out")["document_slices"]
    assert expected == {
        one["slice"]: one["relevant"] for one in found if one["by"] == "document.kind"
    }
    assert None in [one["slice"] for one in found if one["by"] == "document.length"]
