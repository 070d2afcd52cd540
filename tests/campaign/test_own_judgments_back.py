"""What `export judgments` wrote as CSV or JSON Lines comes back as the judges' own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.queries import add_queries
from judge_tui.formats.check import check_file
from judge_tui.formats.ids import id_in
from judge_tui.formats.recognition import recognise
from judge_tui.model import Query, Scale
from tests.campaign.loading.test_judging_tools import HOSTILE, held, judged, run

DOCS = [id_in(one) for one in (*HOSTILE, "my file", "%20edge", "tab\tand\r\nline", "'quoted")]
QUERIES = [Query("q%201", "one"), Query("=q2", "two"), Query("q%203", "three")]
HEAD = "query_id,doc_id,judge,kind,role,purpose,decision,grade,note,flagged,seconds,written_at\n"


def campaign_at(path: Path) -> Campaign:
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    campaign = create_campaign(path, name="c", scale=scale, guidelines="", seed=1)
    add_queries(campaign, QUERIES)
    return campaign


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_judgments_come_back_as_each_judges_own(tmp_path: Path, form: str) -> None:
    home, away = campaign_at(tmp_path / "home.db"), campaign_at(tmp_path / "away.db")
    said = [
        (query.query_id, doc_id, "grade", number % 4, '=why\n"so"' if number % 2 else "", 2.5)
        for number, (query, doc_id) in enumerate((q, doc) for q in QUERIES for doc in DOCS)
    ]
    judged(home, "=ann@x.org", "human", said)
    judged(home, "bob", "human", [("q%201", "d1", "skip", None, "", None)])
    judged(home, "bob", "human", [("q%201", "naïve", "cannot", None, "torn", None)])
    judged(home, "gpt", "model", [("q%201", "d1", "grade", 3, "'it fits'", None)])
    path = tmp_path / f"out.{form}"
    export_judgments(home, path, include_models=True)
    assert recognise(path) == ("judgments", "judge-tui")
    assert check_file(path) == []
    done = run(away, "load", "qrels", str(path))
    assert (done.exit_code, done.stderr) == (0, "")
    assert held(away) == held(home)
    assert run(away, "load", "qrels", str(path)).stdout.count("there already") == 3


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_has_no_place_is_left_out(campaign: Campaign, tmp_path: Path, form: str) -> None:
    judged(campaign, "ann", "human", [("q1", "csv.reader", "grade", 2, "", None)])
    judged(campaign, "bob", "human", [("q1", "csv.reader", "grade", 0, "", None)])
    judged(campaign, "ann", "human", [("q1", "sorted", "grade", 1, "", None)])
    path = tmp_path / f"out.{form}"
    export_judgments(campaign, path)
    first, *rest = path.read_text().splitlines(keepends=True)
    if form == "csv":
        head, first = first, rest.pop(0)
        more = [
            first.replace(",normal,grade,2", ",repeat,grade,1"),
            first.replace(",ann,", ",lea,").replace(",normal,grade,2,", ",,adjudicate,2,"),
            "q1,json.load,cyd,human,judge,normal,,,see below,TRUE,,\n",
            "q1,json.load,dan,human,judge,normal,,,,true,,\n",
        ]
        path.write_text("".join([head, first, *rest, *more]))
    else:
        one = json.loads(first)
        changes = [
            {"purpose": "repeat", "grade": 1},
            {"judge": "lea", "decision": "adjudicate", "purpose": ""},
            {"judge": "cyd", "decision": None, "grade": None, "note": "see below", "flagged": True},
            {"judge": "dan", "decision": None, "grade": None, "flagged": True},
        ]
        lines = [json.dumps({**one, "doc_id": "json.load", **change}) for change in changes[2:]]
        lines += [json.dumps({**one, **change}) for change in changes[:2]]
        path.write_text("".join([first, *rest]) + "\n".join(lines) + "\n")
    away = campaign_at(tmp_path / "away.db")
    add_queries(away, [Query("q1", "read")])
    done = run(away, "load", "qrels", str(path))
    assert done.exit_code == 0, done.output
    assert [(one[1], one[2], one[4], one[6]) for one in held(away)] == [
        ("csv.reader", "ann", "grade", ""),
        ("csv.reader", "bob", "grade", ""),
        ("json.load", "cyd", None, "see below"),
        ("sorted", "ann", "grade", ""),
    ]
