"""Qrels, and where they came from; a run that is written out again is the same run."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.adjudication import settle, undo_adjudication
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import InputError, UsageError
from tests.campaign.copies import key_of
from tests.campaigns import grade_by_file, load_run

ANN = "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\n"
BOB = "q1 0 csv.reader 3\nq1 0 csv.writer 2\n"
BOT = "q1 0 csv.writer 2\nq2 0 list.sort 0\n"


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    for name, text, kind in (("ann", ANN, "human"), ("bob", BOB, "human"), ("bot", BOT, "model")):
        grade_by_file(campaign, name, text, kind=kind)
    return campaign


@pytest.mark.parametrize(
    ("options", "qrels", "rules"),
    [
        (
            {"policy": "max"},
            "q1 0 csv.reader 3\nq1 0 csv.writer 2\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 1, "max": 1},
        ),
        (
            {"policy": "median", "unresolved": "lead", "include_models": True},
            "q1 0 csv.reader 3\nq2 0 list.sort 0\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 2},
        ),
        (
            {"policy": "majority", "unresolved": "skip"},
            "q1 0 csv.reader 3\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 1},
        ),
        ({"policy": "judge:bob"}, "q1 0 csv.reader 3\nq1 0 csv.writer 2\n", {"judge": 2}),
    ],
)
def test_policies_by_hand(judged, files, options, qrels, rules):
    out = files / "out.qrels"
    assert export_qrels(judged, out, **options).details == rules
    assert out.read_text() == qrels
    provenance = json.loads((files / "out.qrels.provenance.json").read_text())
    assert provenance["counts"]["rules"] == rules
    assert provenance["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()


def test_a_tie_is_refused_until_a_lead_settles_it(judged, files):
    with pytest.raises(UsageError, match=r"1 pair is unresolved.*q1 csv\.writer"):
        export_qrels(judged, files / "out")
    assert not (files / "out").exists()
    lead = add_judge(judged, "lead", role="lead")
    settle(judged, lead, key_of(judged, "csv.writer"), 0)
    assert export_qrels(judged, files / "out").details["adjudicated"] == 1
    assert "q1 0 csv.writer 0\n" in (files / "out").read_text()
    provenance = json.loads((files / "out.provenance.json").read_text())
    assert provenance["settled_by"] == [{"name": "lead", "pairs": 1}]
    # A judge's grades as they stand are not touched by what the lead settled.
    export_qrels(judged, files / "bob", policy="judge:bob")
    assert "q1 0 csv.writer 2\n" in (files / "bob").read_text()
    assert json.loads((files / "bob.provenance.json").read_text())["settled_by"] == []
    undo_adjudication(judged, lead)
    with pytest.raises(UsageError, match="not decided"):
        export_qrels(judged, files / "out")


@pytest.mark.parametrize("target", ["campaign.db", "folder", "link", "-", "/dev/null"])
def test_without_a_file_there_is_no_provenance_beside_it(judged, files, target, monkeypatch):
    monkeypatch.chdir(files)
    Path("folder").mkdir()
    Path("link").symlink_to("nowhere/at-all")
    if target in ("-", "/dev/null"):
        export_qrels(judged, target, policy="max")
    else:
        with pytest.raises(InputError):
            export_qrels(judged, target, policy="max")
    assert not Path(f"{target}.provenance.json").exists()


# Ties, ids that hold codes of white space, scores of all bits, a query of white space.
RUN = """\
q1 Q0 a%20b 1 0.1 my%20run
q1 Q0 a%2520b 2 0.1 my%20run
q1 Q0 z 3 0.30000000000000004 my%20run
q1 Q0 é 4 -5e-324 my%20run
q1 Q0 =1+1 5 1e300 my%20run
q%0A2 Q0 d 1 3 my%20run
"""


@pytest.mark.parametrize(("depth", "results", "cut"), [(100, 6, 0), (3, 4, 1)])
def test_a_run_loaded_again_is_the_same(campaign, files, depth, results, cut):
    (files / "q.jsonl").write_text('{"query_id": "q\\n2", "text": "two"}\n')
    load_queries(campaign, files / "q.jsonl")
    (files / "in.run").write_text(RUN)
    load_run(campaign, files / "in.run", depth=depth)
    exported = export_run(campaign, files / "out.run", "my%20run")
    assert exported.written == {"queries": 2, "results": results}
    assert exported.details[f"lists cut at {depth} results"] == cut
    load_run(campaign, files / "out.run", tag="again", depth=depth)
    first, again = (
        campaign.rows(
            "SELECT query, rank, document, score FROM results JOIN runs ON runs.id = run"
            " WHERE tag = ? ORDER BY 1, 2",
            (tag,),
        )
        for tag in ("my%20run", "again")
    )
    assert len(first) == results
    assert again == first
