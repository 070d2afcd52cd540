"""Qrels: which grade is final, where it came from, what is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.store.adjudication import settle, undo_settling
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.schema import SCHEMA_VERSION
from judge_tui.errors import InputError, UsageError
from judge_tui.version import __version__
from tests.campaign.copies import key_of
from tests.grades_by_file import grade_by_file

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
        (
            {"policy": "majority", "include_models": True},
            "q1 0 csv.reader 3\nq1 0 csv.writer 2\nq2 0 list.sort 0\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 2, "majority": 1},
        ),
        ({"policy": "judge:bob"}, "q1 0 csv.reader 3\nq1 0 csv.writer 2\n", {"judge": 2}),
        (
            {"policy": "max", "unresolved": "lead"},
            "q1 0 csv.reader 3\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 1},
        ),
    ],
)
def test_policies_by_hand(judged, files, options, qrels, rules):
    out = files / "out.qrels"
    exported = export_qrels(judged, out, **options)
    assert out.read_text() == qrels
    assert exported.details == rules
    provenance = json.loads((files / "out.qrels.provenance.json").read_text())
    assert provenance["counts"]["rules"] == rules
    assert provenance["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert provenance["policy"] == options["policy"]
    assert provenance["format"] == "trec"
    assert provenance["judge_tui"] == __version__
    assert provenance["campaign"] == {
        "name": "small",
        "seed": 7,
        "scale": {"0": "no", "1": "some", "2": "good", "3": "perfect"},
        "schema_version": SCHEMA_VERSION,
    }
    assert provenance["judges"][2] == {"name": "bot", "kind": "model", "grades": 2}


def test_a_tie_is_refused_unless_told(judged, files):
    with pytest.raises(UsageError, match=r"1 pair is unresolved.*q1 csv\.writer"):
        export_qrels(judged, files / "out")
    assert not (files / "out").exists()
    assert not (files / "out.provenance.json").exists()


def test_an_adjudicated_pair_is_final(judged, files):
    lead = add_judge(judged, "lead", role="lead")
    settle(judged, lead, key_of(judged, "csv.writer"), 0)
    exported = export_qrels(judged, files / "out")
    assert exported.details["adjudicated"] == 1
    assert "q1 0 csv.writer 0\n" in (files / "out").read_text()
    provenance = json.loads((files / "out.provenance.json").read_text())
    assert provenance["settled_by"] == [{"name": "lead", "pairs": 1}]
    # A judge's grades as they stand are not touched by what the lead settled.
    export_qrels(judged, files / "bob", policy="judge:bob")
    assert "q1 0 csv.writer 2\n" in (files / "bob").read_text()
    assert json.loads((files / "bob.provenance.json").read_text())["settled_by"] == []
    undo_settling(judged, lead)
    with pytest.raises(UsageError, match="not decided"):
        export_qrels(judged, files / "out")


@pytest.mark.parametrize("target", ["campaign.db", "campaign.db-wal", "folder", "link"])
def test_a_target_that_cannot_be_leaves_no_provenance_behind(judged, files, target):
    (files / "folder").mkdir()
    (files / "link").symlink_to("nowhere/at-all")
    with pytest.raises(InputError):
        export_qrels(judged, files / target, policy="max")
    assert not (files / f"{target}.provenance.json").exists()


@pytest.mark.parametrize("target", ["-", "/dev/null"])
def test_a_stream_has_no_place_beside_it(judged, files, monkeypatch, target):
    monkeypatch.chdir(files)
    export_qrels(judged, target, policy="max")
    assert not Path(f"{target}.provenance.json").exists()


def test_a_failed_export_leaves_the_earlier_one_whole(judged, files):
    export_qrels(judged, files / "out", policy="max")
    before = [(files / name).read_bytes() for name in ("out", "out.provenance.json")]
    (files / "out").rename(files / "kept")
    (files / "out").symlink_to("nowhere/at-all")
    with pytest.raises(InputError):
        export_qrels(judged, files / "out", policy="min")
    (files / "out").unlink()
    (files / "kept").rename(files / "out")
    assert [(files / name).read_bytes() for name in ("out", "out.provenance.json")] == before
