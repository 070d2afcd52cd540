"""`judge-tui evaluate --benchmark`: embedding models that rank the candidates of a graded
benchmark, every cosine worked out once more here, and the measures by ir_measures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ir_measures
import numpy as np
import pytest
from click.testing import CliRunner

from judge_tui.analysis.document_kinds import telling_depth
from judge_tui.cli import cli
from tests.collect.asking import systems_file
from tests.collect.server import Server, serving
from tests.evaluating import evaluate, results

KINDS = ("guide", "api", "")
MODELS = ("first", "second")


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
                "id": f"doc {place}",
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


def command(*words: Any, code: int = 0) -> str:
    result = CliRunner().invoke(cli, list(map(str, words)))
    assert result.exit_code == code, result.output
    return result.output


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
        *(asked(tmp_path, models), "--benchmark", written(tmp_path, benchmark)),
        *("-o", tmp_path / "out", "-m", "nDCG@5", "-m", "AP", "-m", "RR@10"),
    )
    found = results(tmp_path / "out")
    assert found["settings"]["files"] == {"benchmark": "benchmark.json"}
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


def test_subsets_and_demands_are_those_that_score_finds_in_the_same_runs(
    tmp_path, models, benchmark
):
    """Every command that takes a benchmark takes what it says is to come first."""
    entries = [dict(entry) for entry in benchmark]
    for number, entry in enumerate(entries):
        entry["subset"] = "Hard" if number < 2 else "standard"
        entry["class"] = ("how-to", "modern", "cross-source")[number % 3]
    for entry in entries[1::3]:
        entry["prefer"] = {"better": "^doc 1?[0-4]$", "worse": "^doc 1?[5-9]$"}
    for entry in entries[2::3]:
        entry["authority"] = ["^doc .$", "^doc"]
    path = written(tmp_path, entries)
    assert "not known" not in command("check", path)
    by = ("-m", "P@5", "-m", "RR@10")
    evaluate(asked(tmp_path, models), "--benchmark", path, "-o", tmp_path / "out", *by)
    found = results(tmp_path / "out")
    runs = [tmp_path / "out" / f"{name}.run" for name in MODELS]
    scored = json.loads(command("score", path, *runs, "--by", "class", *by, "-f", "json"))
    for demand, name in (("prefer", "modern"), ("authority", "cross-source")):
        (its,), (same,) = found[demand], scored[demand]
        assert its["class"] == same["class"] == name
        for model in MODELS:
            for told in ("share", "subsets"):
                assert its["systems"][model][told] == same["systems"][model][told]
    how_to, its = (
        {one["class"]: one for one in told["classes"]}["how-to"] for told in (found, scored)
    )
    assert how_to["subsets"] == its["subsets"] == {"standard": 1, "hard": 1}
    for model in MODELS:
        means = its["systems"][model]["subsets"]
        assert how_to["systems"][model]["subsets"] == means
    campaign = tmp_path / "campaign.db"
    command("init", "--db", campaign, "--scale", "0=no,1=some,2=good,3=best")
    loaded = command("load", "benchmark", path, "--judge", "b", "--db", campaign)
    assert "not known" not in loaded
    del entries[1]["prefer"]
    assert "comes first" not in command("load", "benchmark", path, "--judge", "b", "--db", campaign)
    entries[1]["prefer"] = {"better": "^doc", "worse": "^page"}
    path = written(tmp_path, entries)
    again = command("load", "benchmark", path, "--judge", "b", "--db", campaign)
    assert "what is to come first (prefer, authority), and the campaign does not: 1 (q002)" in again
    for name in ("prefer", "authority"):
        bad = [{**entries[0], name: "docs"}]
        refused = command("check", written(tmp_path, bad), code=2)
        assert f"benchmark.json:2: {name} is no" in refused


def test_vectors_are_asked_for_once_and_a_rerun_gives_the_same_bytes(tmp_path, models, benchmark):
    systems, path = asked(tmp_path, models), written(tmp_path, benchmark)
    evaluate(systems, "--benchmark", path, "-o", tmp_path / "out")
    embedded = len(models["first"].embedded)
    texts = {one["text"] for entry in benchmark for one in entry["documents"]}
    assert sorted(set(models["first"].embedded) & texts) == sorted(texts)
    before = {one.name: one.read_bytes() for one in (tmp_path / "out").iterdir()}
    evaluate(systems, "--benchmark", path, "-o", tmp_path / "out")
    assert {one.name: one.read_bytes() for one in (tmp_path / "out").iterdir()} == before
    assert len(models["first"].embedded) == embedded


def test_candidates_beyond_the_depth_are_told(tmp_path, models, benchmark):
    path = written(
        tmp_path, [{**benchmark[0], "documents": benchmark[0]["documents"][:3]}, *benchmark[1:]]
    )
    told = "queries of which more candidates are ranked than the {} kept: {}"
    for depth, count in ((3, 5), (2, 6)):
        out = tmp_path / str(depth)
        options = ("--benchmark", path, "-o", out, "--depth", str(depth))
        assert told.format(depth, count) in evaluate(asked(tmp_path, models), *options).stdout
    whole = evaluate(asked(tmp_path, models), "--benchmark", path, "-o", tmp_path / "out")
    assert "more candidates" not in whole.stdout


@pytest.mark.parametrize(
    ("counts", "asked", "k"),
    [
        ([], 10, 10),
        ([8, 8, 30], 10, 5),
        ([4, 8, 14, 14], 10, 5),
        ([5, 5], 10, 3),
        ([3], 10, 1),
        ([1], 10, 1),
        ([10] * 3, 10, 5),
        ([11, 40, 11], 10, 10),
        ([8], 2, 2),
        ([4], 4, 3),
        ([1], 1, 1),
    ],
)
def test_at_which_depth_relevant_documents_are_sought(counts, asked, k):
    """Among the first ten of eight every one is found."""
    assert telling_depth(counts, asked) == k


def test_slices_by_documents_say_how_deep_they_look(tmp_path, models, benchmark):
    path = written(tmp_path, benchmark)
    printed = evaluate(asked(tmp_path, models), "--benchmark", path, "-o", tmp_path / "out").stdout
    assert "Share of relevant documents in the top 5, by kind" in printed
    text = (tmp_path / "out" / "decision.md").read_text()
    assert "share among a system's first 5 results" in text
    found = results(tmp_path / "out")["document_slices"]
    assert {one["k"] for one in found} == {5}
    # Eight candidates, of which five are looked at: not all of them can be there.
    assert min(share for one in found for share in one["share"].values()) < 1
    for one in found:
        if one["by"] == "document.kind":
            assert one["share"]["first"] == pytest.approx(_share(models, benchmark, one["slice"]))


def _share(models: Mapping[str, Server], benchmark: Any, kind: str | None) -> float:
    """Of the model `first`, by counting."""
    shares = []
    for entry in benchmark:
        top = [name for name, _ in by_hand(models["first"], entry["query"], entry["documents"])[:5]]
        those = [
            one["id"]
            for one in entry["documents"]
            if one["score"] and (one["kind"] or None) == kind
        ]
        if those:
            shares.append(sum(name in top for name in those) / len(those))
    return sum(shares) / len(shares)


def test_equal_cosines_do_not_tell_what_the_file_has_first(tmp_path, models):
    """In the order of the ids, whichever of them the benchmark says is right."""
    documents = [
        {"id": name, "text": _text(3), "score": score} for name, score in (("z", 3), ("a", 0))
    ]
    path = written(tmp_path, [{"query": _query(0), "documents": documents}])
    evaluate(asked(tmp_path, models), "--benchmark", path, "-o", tmp_path / "out")
    (query,) = results(tmp_path / "out")["queries"]
    assert [one["doc_id"] for one in query["systems"]["first"]["top"]] == ["a", "z"]


def test_answers_to_other_candidates_are_not_mixed_with_them(tmp_path, models, benchmark):
    systems = asked(tmp_path, models)
    evaluate(systems, "--benchmark", written(tmp_path, benchmark), "-o", tmp_path / "out")
    changed = [{**benchmark[0], "documents": benchmark[0]["documents"][:3]}, *benchmark[1:]]
    again = evaluate(
        *(systems, "--benchmark", written(tmp_path, changed), "-o", tmp_path / "out"), code=2
    )
    assert "holds answers to other settings" in again.stderr


def test_scores_may_be_declared(tmp_path, models):
    scores = [0.83, 0.41, 0.12, 0.0]
    documents = [{"id": f"d{n}", "text": _text(n), "score": s} for n, s in enumerate(scores)]
    path = written(tmp_path, [{"query": _query(0), "documents": documents}])
    systems = asked(tmp_path, models)
    evaluate(systems, "--benchmark", path, "--scores", "0=0,0.4=1,.8=2", "-o", tmp_path / "out")
    (query,) = results(tmp_path / "out")["queries"]
    grades = {one["doc_id"]: one["grade"] for one in query["systems"]["first"]["top"]}
    assert grades == {"d0": 2, "d1": 1, "d2": 0, "d3": 0}
    told = "from 0 is grade 0 (2), from 0.4 is grade 1 (1), from 0.8 is grade 2 (1)"
    assert told in (tmp_path / "out" / "audit.md").read_text()


@pytest.mark.parametrize(
    ("options", "settings", "what"),
    [
        (("--queries", "q.tsv"), {}, "a benchmark has its own queries"),
        (("--answers", "a.csv"), {}, "--answers, --qrels or --benchmark, one of them"),
        (("--scores", "1"), {}, "'1' of --scores is not SCORE=GRADE"),
        ((), {"documents": "d.jsonl"}, "systems.toml:5: there are documents, too"),
        ((), {"candidates": False}, "candidates is false; write true, or give documents"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(options, settings, what, tmp_path, models, benchmark):
    systems = asked(tmp_path, models, **settings)
    result = evaluate(
        *(systems, "--benchmark", written(tmp_path, benchmark), *options),
        *("-o", tmp_path / "out"),
        code=2,
    )
    assert what in result.stderr
    assert not (tmp_path / "out").exists()


def test_without_a_benchmark_there_are_no_candidates(tmp_path, models):
    (tmp_path / "a.csv").write_text("query,result1\nread,a.md\n")
    result = evaluate(
        *(asked(tmp_path, models), "--answers", tmp_path / "a.csv", "-o", tmp_path / "out"), code=2
    )
    assert "it ranks candidates, and there are none" in result.stderr
    refused = evaluate(
        *(asked(tmp_path, models), "--answers", tmp_path / "a.csv", "--scores", "0=0"),
        *("-o", tmp_path / "out"),
        code=2,
    )
    assert "--scores is for --benchmark" in refused.stderr


def done(*arguments: str | Path) -> str:
    result = CliRunner().invoke(cli, [str(one) for one in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_systems_that_search_are_scored_by_the_same_ids(tmp_path, models, benchmark):
    """A search API beside the models: what it finds may be no candidate, and has no grade then."""
    server = models["first"]
    for entry in benchmark:
        wanted = [one["id"] for one in entry["documents"][:2]]
        body = json.dumps({"results": [{"id": one} for one in [*wanted, "of nobody"]]})
        server.replies[f"/api/{quote(entry['query'])}"] = (200, {}, body.encode())
    asked(tmp_path, models)
    systems = tmp_path / "systems.toml"
    table = {"kind": "http", "url": f"{server.url}/api/{{query}}", "results": "results", "id": "id"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    systems.write_text("\n".join(["[systems.api]", *lines, systems.read_text()]))
    path = written(tmp_path, benchmark)
    evaluate(systems, "--benchmark", path, "-o", tmp_path / "out")
    for entry, query in zip(benchmark, results(tmp_path / "out")["queries"], strict=True):
        grades = [one["score"] for one in entry["documents"][:2]]
        assert [one["grade"] for one in query["systems"]["api"]["top"]] == [*grades, None]
    decision = (tmp_path / "out" / "decision.md").read_text()
    assert "of the first 10 results of api 67 % have a grade, of first 100 %, of second" in decision
    assert "- first and second: ranked the documents that the benchmark has for each query." in (
        decision
    )


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
    evaluate(systems_file(tmp_path, tables), "--benchmark", path, "-o", tmp_path / "out")
    for entry, query in zip(benchmark, results(tmp_path / "out")["queries"], strict=True):
        expected = by_hand(models["first"], entry["query"], list(every.values()))[:10]
        found = [one["doc_id"] for one in query["systems"]["all"]["top"]]
        assert found == [doc_id for doc_id, _ in expected]


def test_with_qrels_the_documents_that_are_searched_tell_their_kinds(tmp_path, models, benchmark):
    """Of a document that is in no such file only the id is known."""
    path = Path(written(tmp_path, benchmark))
    done("init", "--db", tmp_path / "c.db", "--name", "c")
    done("load", "benchmark", path, "--judge", "b", "--db", tmp_path / "c.db")
    done("export", "qrels", "-o", tmp_path / "g.qrels", "--db", tmp_path / "c.db")
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


def test_foreign_text_does_nothing_to_a_terminal(tmp_path, models):
    odd = "\x1b[31mred\u202e|<b>"
    documents = [
        {"id": f"{odd}{n}", "text": _text(n), "score": n, "kind": f"{odd}{n}"} for n in range(2)
    ]
    for server in models.values():
        server.vectors[odd] = [1.0] * 8
    path = written(tmp_path, [{"query": odd, "class": odd, "documents": documents}])
    printed = evaluate(asked(tmp_path, models), "--benchmark", path, "-o", tmp_path / "out")
    for text in (printed.output, (tmp_path / "out" / "decision.md").read_text()):
        assert "\x1b" not in text
        assert "\u202e" not in text
