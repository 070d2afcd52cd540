"""A query whose text is the id of another: each form has the one or the other, and means it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.queries import add_queries, all_queries, load_queries
from judge_tui.campaign.runs import kept_rankings
from judge_tui.cli import cli
from judge_tui.formats.labelling_files import JUDGMENT_FILES
from judge_tui.formats.qrels_files import QRELS_FORMS
from judge_tui.formats.run_files import RUN_FORMS
from judge_tui.model import Query, Scale
from tests.loading_runs import load_run

QUERIES = [Query("1", "cable 3 m"), Query("2", "usb hub"), Query("3", "1")]
QRELS = "1 0 a 3\n1 0 b 0\n2 0 c 2\n3 0 d 3\n3 0 e 0\n"
GRADES = {("1", "a"): 3, ("1", "b"): 0, ("2", "c"): 2, ("3", "d"): 3, ("3", "e"): 0}
NOTE = (
    "texts of queries that are ids of others: 1, such as '1'; as the file tells queries by their"
    " text, that is query 3, not 1"
)


def campaign_at(path: Path) -> Campaign:
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    campaign = create_campaign(path, name="c", scale=scale, guidelines="", seed=1)
    add_queries(campaign, QUERIES)
    return campaign


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return campaign_at(tmp_path / "c.db")


def run(campaign: Campaign, *arguments: str) -> Result:
    done = CliRunner().invoke(
        cli, [*arguments[:2], "-d", str(campaign.path), *arguments[2:]], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.parametrize("form", QRELS_FORMS)
def test_qrels_come_back(campaign: Campaign, tmp_path: Path, form: str) -> None:
    (tmp_path / "g.trec").write_text(QRELS)
    load_qrels(campaign, tmp_path / "g.trec", judge="Ann")
    run(campaign, "export", "qrels", "-o", str(tmp_path / "out"), "-f", form, "--index", "x")
    back = campaign_at(tmp_path / "back.db")
    told = run(back, "load", "qrels", str(tmp_path / "out"), "--judge", "Ann").stderr
    assert grades_by_judge(back) == {"Ann": GRADES}
    assert (f"note: {NOTE}\n" in told) == QRELS_FORMS[form].by_text


@pytest.mark.parametrize("form", ["quepid-book", "quepid-book-json", *JUDGMENT_FILES])
def test_judgments_come_back(campaign: Campaign, tmp_path: Path, form: str) -> None:
    (tmp_path / "g.trec").write_text(QRELS)
    kind, judge = ("model", "m") if form == "umbrela" else ("human", "Ann")
    text = QRELS.replace(" 3\n", " 2\n") if form.startswith("hical") else QRELS
    (tmp_path / "g.trec").write_text(text)
    load_qrels(campaign, tmp_path / "g.trec", judge=judge, kind=kind)
    expected = grades_by_judge(campaign, include_models=True)
    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"doc_id": doc, "text": f"of {doc}"}) + "\n" for doc in "abcde")
    )
    run(campaign, "load", "docs", str(tmp_path / "docs.jsonl"))
    back = campaign_at(tmp_path / "back.db")
    out = str(tmp_path / "out")
    if form == "hical-session":
        run(
            campaign, "export", "judgments", "-o", out, "-f", form, "--judge", "Ann", "--query", "1"
        )
        run(back, "load", "qrels", out, "--judge", "Ann", "--query", "1")
        expected = {
            "Ann": {pair: grade for pair, grade in expected["Ann"].items() if pair[0] == "1"}
        }
    else:
        models = ["--include-models"] if form == "umbrela" else []
        run(campaign, "export", "judgments", "-o", out, "-f", form, *models)
        run(back, "load", "qrels", out)
    assert grades_by_judge(back, include_models=True) == expected


@pytest.mark.parametrize("form", RUN_FORMS)
def test_runs_come_back(campaign: Campaign, tmp_path: Path, form: str) -> None:
    (tmp_path / "r").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n2 Q0 c 1 1 r\n3 Q0 d 1 1 r\n")
    load_run(campaign, tmp_path / "r")
    (tmp_path / "g.trec").write_text(QRELS)
    load_qrels(campaign, tmp_path / "g.trec", judge="Ann")
    run(campaign, "export", "run", "--tag", "r", "-o", str(tmp_path / "out"), "-f", form)
    back = campaign_at(tmp_path / "back.db")
    name = {"ranx": "json"}.get(form, form.partition("-")[0])
    _, loaded = load_run(back, tmp_path / "out", tag="r", format=name)
    assert kept_rankings(back) == kept_rankings(campaign) != {}
    assert (NOTE in loaded.notes) == RUN_FORMS[form].by_text


RECORDS = {
    "umbrela": '{"model": "m", %s, "passage": "p", "doc_id": "d", "prompt": "", "judgment": 3}',
    "doccano": '{"text": "p", "doc_id": "d", "label": ["3"], %s, "judge": "m"}',
    "label-studio": '[{"data": {%s, "doc_id": "d"}, "annotations": [{"completed_by": "m", "result":'
    ' [{"type": "rating", "from_name": "grade", "value": {"rating": 3}}]}]}]',
}


@pytest.mark.parametrize(
    ("names", "query"),
    [
        ('"query": "1"', "3"),
        ('"qid": "1", "query": "cable 3 m?"', "1"),
        ('"topic": "1", "query": "cable 3 m"', "1"),
        # An id that no query has: there the text tells.
        ('"query_id": "9", "query": "1"', "3"),
    ],
)
@pytest.mark.parametrize("form", RECORDS)
def test_the_field_says_whether_it_is_an_id(
    campaign: Campaign, tmp_path: Path, form: str, names: str, query: str
) -> None:
    (file := tmp_path / "f").write_text(RECORDS[form] % names + "\n")
    run(campaign, "load", "qrels", str(file))
    assert grades_by_judge(campaign, include_models=True)["m"] == {(query, "d"): 3}


def test_what_no_query_has_as_its_text_may_be_an_id(campaign: Campaign, tmp_path: Path) -> None:
    (file := tmp_path / "case.csv").write_text("query,docid,rating\n2,x,3\n1,y,1\n")
    loaded = load_qrels(campaign, file, judge="Ann")
    assert grades_by_judge(campaign)["Ann"] == {("2", "x"): 3, ("3", "y"): 1}
    assert loaded.notes == (NOTE,)


def test_a_text_that_is_an_id_is_a_new_query(campaign: Campaign, tmp_path: Path) -> None:
    (file := tmp_path / "case.csv").write_text("query,docid,rating\n2,x,3\n1,y,1\n")
    done = run(campaign, "load", "queries", str(file))
    assert done.stderr == (
        "note: new queries whose texts are ids of others: 1, such as '2'; the file tells queries"
        " by their text\n"
    )
    assert [(one.query_id, one.text) for one in all_queries(campaign)[3:]] == [("q4", "2")]
    assert load_queries(campaign, file).unchanged == 2
    load_qrels(campaign, file, judge="Ann")
    assert grades_by_judge(campaign)["Ann"] == {("q4", "x"): 3, ("3", "y"): 1}


def test_needs_are_those_of_the_text(campaign: Campaign, tmp_path: Path) -> None:
    (file := tmp_path / "needs.csv").write_text("query,information_need\n1,the part 1\n")
    load_queries(campaign, file)
    assert {one.query_id: one.narrative for one in all_queries(campaign)} == {
        "1": "",
        "2": "",
        "3": "the part 1",
    }
