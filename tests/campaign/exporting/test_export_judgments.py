"""Every rater's rows: what holds, at which look, with notes and times; and what a lead settled."""

from __future__ import annotations

import csv
import json

import pytest

from judge_tui.campaign.assign import assign
from judge_tui.campaign.exporting import ExportCounts
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.store.adjudication import settle, undo_settling
from judge_tui.campaign.store.events import append_event, undo
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.campaign.store.judgments import Judgment, judgments
from judge_tui.errors import UsageError
from judge_tui.formats.tables import unguarded

HOSTILE = '=HYPERLINK("x")\r\n\x1b]52;c;aGk=\x07, "quoted"\u202e\u2028 ünï\x00'


def did(campaign, judge, pair, action, grade=None, **more):
    return append_event(campaign, judge=judge.key, pair=pair, action=action, grade=grade, **more)


def ids(campaign, pair):
    return campaign.rows(
        "SELECT q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document WHERE p.id = ?",
        (pair,),
    )[0]


@pytest.fixture
def judged(campaign):
    ann, bob = (add_judge(campaign, name) for name in ("ann", "bob"))
    lead = add_judge(campaign, "lea", role="lead")
    bot = add_judge(campaign, "bot", kind="model")
    did(campaign, bob, 1, "grade", 0, looked=4.5)
    did(campaign, ann, 1, "grade", 3, looked=2.0)
    did(campaign, ann, 1, "grade", 2, looked=9.0)
    did(campaign, ann, 1, "comment", note=HOSTILE)
    did(campaign, ann, 1, "grade", 1, turn=1, looked=1.0)
    did(campaign, ann, 1, "flag")
    did(campaign, ann, 2, "skip")
    did(campaign, bob, 2, "cannot")
    did(campaign, bob, 3, "comment", note="only a note")
    did(campaign, ann, 4, "grade", 2)
    undo(campaign, ann.key)
    did(campaign, ann, 5, "flag")
    did(campaign, ann, 5, "unflag")
    did(campaign, bot, 6, "grade", 1)
    settle(campaign, lead, 1, 3, "-1 for style")
    settle(campaign, lead, 2, 3)
    undo_settling(campaign, lead)
    return campaign


def brief(one):
    return (one.judge, one.purpose, one.decision, one.grade, one.flagged, one.seconds)


def test_by_hand(judged):
    rows = {}
    for one in judgments(judged):
        rows.setdefault((one.query_id, one.doc_id), []).append(one)
    assert list(rows) == sorted(rows)
    assert set(rows) == {ids(judged, pair) for pair in (1, 2, 3, 6)}
    assert [brief(one) for one in rows[ids(judged, 1)]] == [
        ("ann", "normal", "grade", 2, True, 9.0),
        ("ann", "repeat", "grade", 1, False, 1.0),
        ("bob", "normal", "grade", 0, False, 4.5),
        ("lea", "", "adjudicate", 3, False, None),
    ]
    assert [one.note for one in rows[ids(judged, 1)]] == [HOSTILE, "", "", "-1 for style"]
    assert [(one.role, one.kind) for one in rows[ids(judged, 1)][2:]] == [
        ("judge", "human"),
        ("lead", "human"),
    ]
    assert [brief(one) for one in rows[ids(judged, 2)]] == [
        ("ann", "normal", "skip", None, False, None),
        ("bob", "normal", "cannot", None, False, None),
    ]
    assert [(*brief(one), one.note) for one in rows[ids(judged, 3)]] == [
        ("bob", "normal", None, None, False, None, "only a note"),
    ]
    written = dict(judged.rows("SELECT id, written_at FROM events WHERE action = 'grade'"))
    assert rows[ids(judged, 1)][0].written_at in written.values()


def test_csv_and_json_lines_say_the_same(judged, tmp_path):
    exported = export_judgments(judged, tmp_path / "a.csv")
    models = {"by models (--include-models)": 1}
    assert exported == ExportCounts({"judgments": 6}, {"settled by a lead": 1}, models)
    assert export_judgments(judged, tmp_path / "a.jsonl") == exported
    with (tmp_path / "a.csv").open(newline="") as stream:
        header, *rows = csv.reader(stream)
    documents = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert tuple(header) == Judgment._fields == tuple(documents[0])
    words = {None: "", True: "true", False: "false"}
    for row, document in zip(rows, documents, strict=True):
        cells = [
            words[one] if one is None or isinstance(one, bool) else str(one)
            for one in document.values()
        ]
        assert [unguarded(cell) for cell in row] == cells
    assert documents[0]["note"] == HOSTILE
    # Not one control character of a note gets out as it is.
    assert "\x1b" not in (tmp_path / "a.jsonl").read_text()


def test_models_where_asked_for(judged, tmp_path):
    exported = export_judgments(judged, tmp_path / "a.jsonl", include_models=True)
    assert (exported.written["judgments"], *exported.left_out.values()) == (7, 0)
    last = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[-1])
    assert (last["judge"], last["kind"]) == ("bot", "model")


def test_why_each_pair_was_given_to_a_judge(campaign, files):
    (files / "gold").write_text("q1 0 csv.reader 3\n")
    assign(campaign, ["ann", "bob"], overlap=0.5, repeat=0.5, gold=files / "gold")
    planned = set()
    for judge, pair, turn, purpose in campaign.rows(
        "SELECT j.name, a.pair, a.turn, a.purpose FROM assignments AS a"
        " JOIN judges AS j ON j.id = a.judge"
    ):
        did(campaign, find_judge(campaign, judge), pair, "grade", 1, turn=turn)
        planned.add((judge, ids(campaign, pair), purpose))
    assert {"overlap", "gold", "repeat"} <= {purpose for *_, purpose in planned}
    found = {(one.judge, (one.query_id, one.doc_id), one.purpose) for one in judgments(campaign)}
    assert found == planned


def test_nothing_to_export(campaign, tmp_path):
    with pytest.raises(UsageError, match="nobody has judged yet"):
        export_judgments(campaign, tmp_path / "a.csv")
    bot = add_judge(campaign, "bot", kind="model")
    did(campaign, bot, 1, "grade", 1)
    with pytest.raises(UsageError, match="no person has graded yet; count"):
        export_judgments(campaign, tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()
