"""Letters with accents that are one character (NFC), or two (NFD): texts of queries and patterns of
answers mean the same in either form, wherever queries are known by their texts.
"""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.cli import cli
from judge_tui.expectations import expectations_of
from judge_tui.model import Run, Scale
from judge_tui.scoring import parse_measures
from tests.loading_runs import load_run

TEXT = "caf\u00e9 cr\u00e8me"
FORMS = [("NFC", "NFD"), ("NFD", "NFC")]

pytestmark = pytest.mark.parametrize(("theirs", "ours"), FORMS)


def write(path: Path, text: str, form: str) -> Path:
    path.write_text(normalize(form, text), encoding="utf-8")
    return path


def scored(*words: str) -> dict[str, dict[str, float]]:
    done = CliRunner().invoke(cli, ["score", *words, "-m", "RR", "-q", "-f", "json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["runs"][0]["per_query"]


def of(folder: Path, form: str) -> Campaign:
    scale = Scale.parse("0=no,1=yes")
    campaign = create_campaign(folder / "c.db", name="c", scale=scale, guidelines="", seed=1)
    load_queries(campaign, write(folder / "q.tsv", f"k1\t{TEXT}\n", form))
    (folder / "s.run").write_text("k1 Q0 x 1 2 s\nk1 Q0 a.md 2 1 s\n")
    load_run(campaign, folder / "s.run")
    return campaign


def test_answers_are_of_the_query_of_their_text(tmp_path: Path, theirs: str, ours: str) -> None:
    answers = write(tmp_path / "a.csv", f"query,result\n{TEXT},a.md\n", ours)
    queries = write(tmp_path / "q.tsv", f"k1\t{TEXT}\n", theirs)
    right = expectations_of(queries=queries, answers=answers)
    assert [one.query_id for one in right.queries] == ["k1"]
    assert right.notes == ()
    with of(tmp_path, theirs) as campaign:
        load_answers(campaign, answers, judge="sheet")
        assert grades_by_judge(campaign, include_models=True)["sheet"] == {("k1", "a.md"): 1}


def test_one_id_and_both_forms_of_its_text_are_no_clash(
    tmp_path: Path, theirs: str, ours: str
) -> None:
    with of(tmp_path, theirs) as campaign:
        load_queries(campaign, write(tmp_path / "again.tsv", f"k1\t{TEXT}\n", ours))
        assert [one.text for one in all_queries(campaign)] == [normalize(theirs, TEXT)]


SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    f"s,2026-01-01,7,{TEXT},x,1\ns,2026-01-01,7,{TEXT},a.md,2\n"
)


def test_forms_of_quepid_name_queries_by_either(tmp_path: Path, theirs: str, ours: str) -> None:
    run = str(write(tmp_path / "s.csv", SNAPSHOT, theirs))
    ratings = write(tmp_path / "r.csv", f"query,docid,rating\n{TEXT},a.md,1\n", ours)
    answers = write(tmp_path / "a.csv", f"query,result\n{TEXT},a.md\n", ours)
    for words in ((str(ratings), run), ("--answers", str(answers), run)):
        assert [one["RR"] for one in scored(*words).values()] == [0.5]
    with of(tmp_path, theirs) as campaign:
        load_qrels(campaign, ratings, judge="quepid")
        assert grades_by_judge(campaign, include_models=True)["quepid"] == {("k1", "a.md"): 1}


def test_a_pattern_is_found_in_an_id_of_either(tmp_path: Path, theirs: str, ours: str) -> None:
    entry = {"query_id": "k1", "query": "x", "pattern": normalize(ours, "/caf\u00e9\\.md$")}
    prefer = {"better": normalize(ours, "caf\u00e9"), "worse": "^x$"}
    answers = tmp_path / "a.json"
    answers.write_text(json.dumps([{**entry, "prefer": prefer}]))
    doc_id = normalize(theirs, "docs/caf\u00e9.md")
    right = expectations_of(queries=None, answers=answers)
    run = Run("s", {"k1": {doc_id: 2.0, "x": 1.0}})
    scores = right.scores([run], parse_measures(["RR"])).runs[0]
    assert scores.values["RR"] == (1.0,)
    (tmp_path / "s.run").write_text(f"k1 Q0 {doc_id} 1 2 s\n", encoding="utf-8")
    assert scored("--answers", str(answers), str(tmp_path / "s.run")) == {"k1": {"RR": 1.0}}


def test_an_id_of_a_query_in_the_other_is_told(tmp_path: Path, theirs: str, ours: str) -> None:
    """Ids are what they are; a refusal with two that look the same says in what they differ."""
    query = TEXT.split(maxsplit=1)[0]
    qrels = write(tmp_path / "a.qrels", f"{query} 0 d1 1\nb 0 d1 1\n", ours)
    run = write(tmp_path / "s.run", f"{query} Q0 d1 1 1 s\n", theirs)
    refused = CliRunner().invoke(cli, ["score", str(qrels), str(run)])
    told = f"{normalize(ours, query)!r}, which is in {theirs} (letter and accent "
    assert refused.exit_code == 2
    assert (
        "run 's' and the qrels have no query in common but for blanks or forms of Unicode: the"
        f" qrels have {told}"
    ) in refused.stderr
    run.write_text(f"{run.read_text()}b Q0 d1 1 1 s\n")
    done = CliRunner().invoke(cli, ["score", str(qrels), str(run)])
    assert (
        "warning: queries that run 's' calls otherwise than the qrels, by blanks or forms of"
        f" Unicode: 1, such as {told}"
    ) in done.stdout
    # The same names as texts of queries that are given.
    queries = write(tmp_path / "q.csv", f"query_id,query,class\nk1,{query},x\nk2,b,x\n", ours)
    assert scored(str(qrels), str(run), "--by", "class", "--queries", str(queries)) == {
        "k1": {"RR": 1.0},
        "k2": {"RR": 1.0},
    }
