"""`judge-tui results`: every view, in every form, with the numbers of `score` and `compare`."""

import csv
import io
import json

import pytest

from tests.as_typed import invoke, judge_tui
from tests.as_typed import refused as refusal

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b&50%_|*\\<b>"
TAG = f"=tag{HOSTILE}"
DOC = f"=doc{HOSTILE}"
QUERY = f"=q{HOSTILE}"
PLAIN = [f"q{number}" for number in range(7)]
CLASSES = ("lookup", "survey")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eight queries, two runs and two judges; one id of each sort is hostile.

    The plain run has an unjudged document first, then "bad" and "good"; the hostile one has them
    the other way round, and nothing good for the hostile query. ann and bob differ once.
    """
    folder = tmp_path_factory.mktemp("results")
    db = ("--db", str(folder / "campaign.db"))
    ids = [*PLAIN, QUERY]
    queries = [
        {"query_id": one, "text": f"find {one}", "class": CLASSES[n % 2], "hops": n % 3}
        for n, one in enumerate(ids)
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
    documents = [
        {"doc_id": "good", "text": "g" * 30, "kind": "method", "title": f"Good {HOSTILE}"},
        {"doc_id": "bad", "text": "b" * 20, "kind": "class"},
        {"doc_id": DOC, "text": "d" * 10, "kind": HOSTILE},
    ]
    (folder / "docs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    lists = {
        "plain": {one: ["new", "bad", "good"] for one in ids},
        TAG: {one: ["good", "bad"] for one in PLAIN} | {QUERY: ["bad", "new"]},
    }
    for name, run in zip(("plain.json", "hostile.json"), lists.values(), strict=True):
        scores = {
            query: {doc: float(9 - rank) for rank, doc in enumerate(docs)}
            for query, docs in run.items()
        }
        (folder / name).write_text(json.dumps(scores))
    judge_tui("init", *db, "--name", f"=name{HOSTILE}", "--seed", "4")
    judge_tui("load", "queries", str(folder / "queries.jsonl"), *db)
    for name, tag in (("plain.json", "plain"), ("hostile.json", TAG)):
        judge_tui("load", "run", str(folder / name), "--tag", tag, *db)
    judge_tui("load", "docs", str(folder / "docs.jsonl"), "--all", *db)
    judge_tui("pool", *db)
    ann = {one: {"good": 2, "bad": 0} for one in PLAIN} | {QUERY: {"good": 3, "bad": 0, DOC: 1}}
    bob = {PLAIN[0]: {"good": 1, "bad": 0}}
    for judge, grades in (("ann", ann), ("bob", bob)):
        (folder / f"{judge}.json").write_text(json.dumps(grades))
        judge_tui("load", "qrels", str(folder / f"{judge}.json"), "--judge", judge, *db)
    return folder


VIEWS = {
    "leaderboard": (),
    "delta": ("--delta", "plain", TAG),
    "rankings": ("--query", QUERY, "plain", TAG),
    "failures": ("--failures", TAG),
    "histogram": ("--histogram",),
    "slices": ("--by", "class"),
    "kinds": ("--by", "document.kind"),
    "lengths": ("--by", "length"),
    "disagreements": ("--disagreements",),
}


def results(folder, *args):
    return judge_tui("results", "--db", str(folder / "campaign.db"), *args)


def document(folder, *args):
    return json.loads(results(folder, *args, "-f", "json").stdout)


def refused(folder, *args):
    return refusal("results", "--db", str(folder / "campaign.db"), *args)


@pytest.mark.parametrize("view", VIEWS)
def test_json_has_the_records_of_its_csv(folder, view):
    found = document(folder, *VIEWS[view])
    assert (list(found)[:2], list(found)[-1]) == (["schema_version", "settings"], "warnings")
    assert found["settings"] == {
        "campaign": {
            "name": f"=name{HOSTILE}",
            "policy": "majority",
            "include_models": False,
            "only_models": False,
            # good of q0 is disputed; new was judged by nobody for any of the eight queries.
            "left_out": {"unresolved": 1, "not_judged": 8},
        },
        "pairs": 16,
        "grades": [0, 1, 2, 3],
        "baseline": "plain",
        "k": 10,
        "seed": 4,
    }
    header, *rows = csv.reader(io.StringIO(results(folder, *VIEWS[view], "-f", "csv").stdout))
    records = found[list(found)[2]]
    assert [list(one) for one in records] == [header] * len(rows)


def test_means_and_bounds_are_those_of_score(folder):
    db = str(folder / "campaign.db")
    score = json.loads(judge_tui("score", "--db", db, "--bounds", "-f", "json").stdout)
    found = document(folder)
    records = {(one["tag"], one["measure"]): one for one in found["runs"]}
    for run in score["runs"]:
        for measure in score["measures"]:
            mine = records[run["tag"], measure]
            assert (mine["queries"], mine["value"]) == (run["queries"], run["mean"][measure])
            between = run["bounds"][measure] or (None, None)
            assert (mine["low"], mine["high"]) == pytest.approx(tuple(between), abs=1e-12)


def test_verdicts_and_deltas_are_those_of_compare(folder):
    db = str(folder / "campaign.db")
    compare = json.loads(judge_tui("compare", "--db", db, "-f", "json").stdout)
    records = {(one["tag"], one["measure"]): one for one in document(folder)["runs"]}
    verdicts = {key for key, one in records.items() if one["verdict"]}
    assert verdicts == {(one["tag"], one["measure"]) for one in compare["comparisons"]}
    for one in compare["comparisons"]:
        mine = records[TAG, one["measure"]]
        assert (mine["delta_queries"], mine["delta"]) == (one["queries"], one["delta"])
        assert (mine["verdict"], mine["p"]) == (one["verdict"], one["tests"]["wilcoxon"]["p"])
        found = document(folder, "--delta", "plain", TAG, "-m", one["measure"])
        (summary,) = found["summary"]
        ends = one["ci95"] or [None, None]
        assert [mine["delta_low"], mine["delta_high"]] == ends
        assert [summary["ci95_low"], summary["ci95_high"]] == ends
        assert (summary["delta"], summary["wins"]) == (one["delta"], one["wins"])
        assert {
            bucket: sorted(
                row["query_id"].replace(" ", "%20")
                for row in found["deltas"]
                if row["changed"] == bucket
            )
            for bucket in one["changed"]
        } == one["changed"]


def test_slices_are_those_of_score(folder):
    db = str(folder / "campaign.db")
    for field in ("class", "hops"):
        score = json.loads(
            judge_tui("score", "--db", db, "--by", field, "-m", "RR@10", "-f", "json").stdout
        )
        found = document(folder, "--by", field, "-m", "RR@10")
        mine = {(one["tag"], one["slice"]): one for one in found["slices"]}
        for run in score["runs"]:
            for name, one in run["slices"].items():
                own = mine[run["tag"], name]
                assert (own["queries"], own["mean"]) == (one["queries"], one["mean"]["RR@10"])


def test_failures_say_what_came_and_what_was_missed(folder):
    found = document(folder, "--failures", TAG)
    by_query = {row["query_id"]: row for row in found["failures"]}
    # The grade of good for q0 is not decided; for the hostile query it is not in the list.
    assert set(by_query) == {"q0", QUERY}
    row = by_query[QUERY]
    assert (row["proven"], row["unjudged"], row["first_relevant"]) == ("no", 1, None)
    assert (row["came"], row["known"]) == (
        "bad | new",
        f"good (plain at 3) | {DOC} (no system)",
    )
    assert by_query["q0"]["relevant"] == 0


def test_document_kinds(folder):
    found = document(folder, "--by", "kind", "-k", "2")
    counts = {one["slice"]: one["relevant"] for one in found["slices"]}
    # good is relevant to seven queries, the hostile document to one; bad to none.
    assert counts == {"method": 7, HOSTILE: 1}
    means = {(one["slice"], one["tag"]): one["mean"] for one in found["slices"]}
    assert means["method", "plain"] == 0.0
    assert means["method", TAG] == 6 / 7


def test_bounds_are_of_what_is_kept_of_lists(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.tsv").write_text("q1\tone\n")
    (tmp_path / "a.run").write_text("".join(f"q1 Q0 d{n} 1 {9 - n} a\n" for n in range(6)))
    (tmp_path / "ann").write_text("q1 0 d0 1\n")
    judge_tui("init", "--seed", "1")
    judge_tui("load", "queries", "q.tsv")
    judge_tui("load", "run", "a.run", "--depth", "4")
    judge_tui("pool", "--depth", "4")
    judge_tui("load", "qrels", "ann", "--judge", "ann")
    found = json.loads(judge_tui("results", "-m", "nDCG@3", "-m", "P@3", "-f", "json").stdout)
    # What `score` says where it looks at as many results as are kept.
    score = judge_tui("score", "--db", "campaign.db", "-m", "nDCG@3", "-m", "P@3", "-M", "4",
                 "--bounds", "-f", "json")  # fmt: skip
    (expected,) = json.loads(score.stdout)["runs"]
    bounds = {one["measure"]: [one["low"], one["high"]] for one in found["runs"]}
    for name, ends in expected["bounds"].items():
        assert bounds[name] == pytest.approx(ends)
    assert ["a", "4"] in map(
        str.split, judge_tui("results", "-m", "P@3", "--all").stdout.splitlines()
    )
    deep = invoke("results", "--failures", "a", "-k", "5", "-m", "P@3")
    assert "the top 5 is deeper than the 4 results a query" in deep.stderr


def test_by_class_has_the_values_of_score_by_what_classes_declare(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = {
        "q1": ("lookup", ["RR@2", "P@1"]),
        "q2": ("modern", ["RR@2", "R@1000"]),
        "q3": ("order", ["Prefer"]),
        "q4": ("", []),
    }
    queries = [
        {"query_id": one, "text": one, "class": name, "measures": measures}
        for one, (name, measures) in asked.items()
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
    # A third result, so that what is kept of the run is cut and cannot tell R@1000.
    (tmp_path / "x.run").write_text(
        "".join(f"{q} Q0 b 1 3 x\n{q} Q0 a 2 2 x\n{q} Q0 c 3 1 x\n" for q in asked)
    )
    (tmp_path / "qrels").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in asked))
    judge_tui("init")
    judge_tui("load", "queries", "q.jsonl")
    judge_tui("load", "run", "x.run", "--depth", "2")
    judge_tui("load", "qrels", "qrels", "--judge", "ann")
    document = json.loads(judge_tui("results", "--by", "class", "-m", "P@2", "-f", "json").stdout)
    assert [(one["slice"], one["measure"], one["mean"]) for one in document["slices"]] == [
        ("(none)", "P@2", 0.5),
        ("lookup", "RR@2", 0.5),
        ("modern", "RR@2", 0.5),
        ("lookup", "P@1", 0.0),
    ]
    shown = judge_tui("results", "--by", "class", "-m", "P@2").stdout
    assert "R@1000: deeper than" in shown
    assert "Prefer: it is about the order" in shown
    judge_tui("report", "-o", "page.md", "-m", "P@2")
    (tmp_path / "own.jsonl").write_text("".join(map(_line_of_two, queries)))
    score = ("score", "qrels", "x.run", "--queries", "own.jsonl", "--by", "class", "-m", "P@2")
    slices = json.loads(judge_tui(*score, "-f", "json").stdout)["runs"][0]["slices"]
    assert slices["lookup"]["mean"] == {"RR@2": 0.5, "P@1": 0.0}


def _line_of_two(query):
    """Without what the grades do not tell."""
    own = query["measures"] if query["class"] == "lookup" else []
    return json.dumps({**query, "measures": own}) + "\n"
