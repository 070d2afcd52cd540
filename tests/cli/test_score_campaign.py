"""`judge-tui score --db`: the runs of a campaign with its current grades."""

import json
import subprocess
import sys

import pytest

from tests.as_typed import judge_tui, refused

SCALE = "0=no,1=some,2=good"
QUERIES = "".join(
    json.dumps({"query_id": q, "text": "find it", "class": c}) + "\n"
    for q, c in (("q 1", "lookup"), ("q2", "survey"), ("q3", "survey"))
)
# "deep" has three results for "q 1", of which two will be kept, and two and one for the others.
DEEP = (
    "q%201 Q0 a 1 9 deep\nq%201 Q0 b%20b 2 8 deep\nq%201 Q0 c 3 7 deep\n"
    "q2 Q0 a 1 9 deep\nq2 Q0 d 2 8 deep\nq3 Q0 e 1 9 deep\n"
)
FLAT = "q%201 Q0 b%20b 1 9 flat\nq2 Q0 d 1 9 flat\n"
ANN = "q%201 0 a 1\nq%201 0 b%20b 2\nq2 0 a 0\nq2 0 d 2\n"
BOB = "q%201 0 a 1\nq%201 0 b%20b 0\nq2 0 d 2\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A campaign with two judges who differ on one pair; a pool of which q3 is not judged."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("queries.jsonl", QUERIES),
        ("deep.run", DEEP),
        ("flat.run", FLAT),
        ("ann.qrels", ANN),
        ("bob.qrels", BOB),
    ):
        (tmp_path / name).write_text(text)
    judge_tui("init", "--name", "small", "--scale", SCALE, "--seed", "1")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "deep.run", "--depth", "2")
    judge_tui("load", "run", "flat.run", "--depth", "2")
    judge_tui("pool", "--depth", "2")
    for judge in ("ann", "bob"):
        judge_tui("load", "qrels", f"{judge}.qrels", "--judge", judge)
    return tmp_path


DB = ("score", "--db", "campaign.db")


def document(*args):
    return json.loads(judge_tui(*DB, *args, "-f", "json").stdout)


def test_it_scores_as_the_exported_files_would(folder):
    judge_tui("export", "qrels", "-o", "out.qrels", "--unresolved", "skip")
    args = ("-m", "nDCG@2", "-m", "RR@2", "-q", "-f", "csv")
    by_files = judge_tui("score", "out.qrels", "deep.run", "flat.run", *args).stdout
    assert judge_tui(*DB, *args).stdout == by_files
    assert "q%201" in by_files


@pytest.mark.parametrize("measure", ["AP", "RR", "P@3", "R@1000", "nDCG", "NumRet"])
def test_nothing_is_looked_at_deeper_than_it_is_kept(folder, measure):
    assert refused(*DB, "-m", measure) == (
        f"{measure} looks deeper than the 2 results a query kept of run 'deep'; "
        "load it again with a greater --depth, or score its file deep.run with exported qrels"
    )
    # Of flat, no list was cut: what is kept is all there is.
    assert document("flat", "-m", measure)["runs"][0]["tag"] == "flat"
    assert document("deep", "-m", measure, "-M", "2")["settings"]["depth"] == 2
    assert refused(*DB, "-m", measure, "-M", "3").startswith(measure)


def test_the_campaign_is_left_as_it_was(folder):
    before = (folder / "campaign.db").read_bytes()
    code = "from judge_tui.cli import main; main()"
    subprocess.run([sys.executable, "-c", code, *DB, "-m", "P@1"], check=True, capture_output=True)
    assert (folder / "campaign.db").read_bytes() == before
    assert not list(folder.glob("campaign.db-*"))


@pytest.mark.parametrize(
    ("options", "mean"),
    [
        # flat finds "b b" first for "q 1" (unresolved, or 2 by ann), and d for q2.
        ([], 0.5),
        (["--policy", "max"], 1.0),
        (["--policy", "min"], 0.5),
        (["--policy", "judge:ann"], 1.0),
    ],
)
def test_how_judgments_become_grades(folder, options, mean):
    found = document("flat", "-m", "P@1", *options)
    assert found["runs"][0]["mean"] == {"P@1": mean}
    policy = options[-1] if options else "majority"
    assert found["settings"]["campaign"] == {
        "name": "small",
        "policy": policy,
        "include_models": False,
        # ann and bob differ on "b b"; q3's e was judged by nobody.
        "models_alone": 0,
        "left_out": {"unresolved": 0 if options else 1, "not_judged": 1},
    }


def test_the_scale_is_the_campaigns(folder):
    assert refused(*DB, "-m", "P@1", "--bounds").startswith(
        "P@1 with --bounds looks deeper than the 2"
    )
    found = document("flat", "-m", "P@1", "--bounds")
    # "b b" is the one that the judges do not agree on: it may be relevant or not.
    assert found["runs"][0]["bounds"] == {"P@1": [0.5, 1.0]}
    assert found["settings"]["grades"] == [0, 1, 2]
    assert document("-m", "ERR@2")["measures"] == ["ERR(max_rel=2)@2"]
    gated = document("-m", "ERR@2", "--require", "ERR@2>=0")["gates"]
    assert all(one["met"] for one in gated)
