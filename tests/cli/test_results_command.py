"""`judge-tui results`: every view, in every form, with the numbers of `score` and `compare`."""

import csv
import io
import json

import pytest

from tests.as_typed import judge_tui
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
            "models_alone": 0,
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
