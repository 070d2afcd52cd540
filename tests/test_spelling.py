"""That a run spells judged documents otherwise is told, whoever scores it, whatever it is in."""

import gzip
import io
import json
import os
import threading

import pandas as pd
import pytest
from click.testing import CliRunner

import judge_tui
from judge_tui.cli import cli
from judge_tui.formats import read_run
from judge_tui.spelling import Spellings

# A table has an address with a code as it is, a file of TREC with one more 25: `formats.ids`.
TABLE = "query_id,doc_id,relevance\nq1,a%20b,2\nq1,plain,1\nq2,plain,1\n"
TREC = "q1 Q0 a%2520b 1 2 one\nq1 Q0 plain 2 1 one\nq2 Q0 plain 1 1 one\n"
GRADES = {"q1": {"a%20b": 2, "plain": 1}, "q2": {"plain": 1}}
TOLD = (
    "judged documents that run 'one' has under another spelling of blanks and codes such as %20:"
    " 1, such as 'a%20b', which is 'a%2520b' there; they count as not retrieved: export both as"
    " TREC has them, or score the campaign (--db)"
)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(TABLE)
    (tmp_path / "one.run").write_text(TREC)
    for name, text in {"x.csv.gz": TABLE, "one.run.gz": TREC}.items():
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    (tmp_path / "beir" / "qrels").mkdir(parents=True)
    rows = "query-id\tcorpus-id\tscore\nq1\ta%20b\t2\nq1\tplain\t1\nq2\tplain\t1\n"
    (tmp_path / "beir" / "qrels" / "test.tsv").write_text(rows)
    queries = '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "two"}\n'
    (tmp_path / "beir" / "queries.jsonl").write_text(queries)
    (tmp_path / "beir" / "corpus.jsonl").write_text('{"_id": "plain", "text": "a"}\n')


def frame_of_grades():
    return pd.read_csv(io.StringIO(TABLE))


def frame_of_scores():
    rows = [line.split() for line in TREC.splitlines()]
    return pd.DataFrame([(q, d, float(s)) for q, _, d, _, s, _ in rows], columns=COLUMNS)


COLUMNS = ["query_id", "doc_id", "score"]


@pytest.mark.parametrize(
    "qrels",
    [
        lambda: "x.csv",
        lambda: "x.csv.gz",
        lambda: GRADES,
        frame_of_grades,
        lambda: iter(frame_of_grades().to_dict("records")),
    ],
    ids=["file", "gz", "mapping", "frame", "rows"],
)
@pytest.mark.parametrize(
    "runs",
    [
        lambda: "one.run",
        lambda: {"one": "one.run.gz"},
        lambda: read_run("one.run"),
        lambda: {"one": read_run("one.run").scores},
        lambda: {"one": frame_of_scores()},
        lambda: {"one": iter(frame_of_scores().to_dict("records"))},
    ],
    ids=["file", "gz", "run", "mapping", "frame", "iterator"],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_library_tells_it_whatever_the_sources_are(qrels, runs, jobs):
    scores = judge_tui.score(qrels(), runs(), "R@10", jobs=jobs)
    assert scores.warnings == (TOLD,)
    assert scores["one"].values["R@10"] == (0.5, 1.0)


def test_the_library_says_what_the_commands_print():
    printed = json.loads(run("score", "x.csv", "one.run", "-m", "RR", "-f", "json").stdout)
    assert judge_tui.score("x.csv", "one.run", "RR").to_dict()["warnings"] == printed["warnings"]
    words = ["compare", "x.csv", "a=one.run", "b=one.run.gz", "-m", "RR", "-f", "json"]
    runs = {"a": "one.run", "b": "one.run.gz"}
    found = judge_tui.compare("x.csv", runs, "RR").to_dict()["warnings"]
    assert found == json.loads(run(*words).stdout)["warnings"]
    assert found[:2] == [TOLD.replace("'one'", "'a'"), TOLD.replace("'one'", "'b'")]


def test_forms_without_a_place_for_it_have_it_on_standard_error():
    for form in ("csv", "trec"):
        done = run("score", "x.csv", "one.run", "-m", "RR", "-f", form)
        assert done.stderr.splitlines()[-1] == f"warning: {TOLD}", form
        assert "spelling" not in done.stdout, form
    done = run("compare", "x.csv", "one.run", "two=one.run.gz", "-m", "RR", "-f", "csv")
    assert f"warning: {TOLD}" in done.stderr.splitlines()


@pytest.mark.parametrize("words", [["x.csv", "one.run"], ["x.csv", "one.run", "-j", "2"]])
def test_a_reason_that_a_system_failed_is_on_standard_error_too(tmp_path, words):
    header = "query_id,seconds,tries,results,repeated,failure\n"
    (tmp_path / "one.latency.csv").write_text(
        f"{header}q1,1,1,2,0,\nq2,1,1,1,0,\nq3,3,1,0,0,late\n"
    )
    (tmp_path / "x.csv").write_text(TABLE + "q3,plain,1\n")
    done = run("score", *words, "-m", "RR", "-f", "csv")
    assert "warning: run 'one' failed at 1 of the queries without results" in done.stderr


def test_qrels_from_standard_input_a_pipe_and_a_folder_tell_it(tmp_path):
    asked = ["one.run", "-m", "RR", "-f", "json"]
    done = CliRunner().invoke(cli, ["score", "-", *asked], input=TABLE)
    assert json.loads(done.stdout)["warnings"] == [TOLD]
    assert json.loads(run("score", "beir", *asked).stdout)["warnings"] == [TOLD]
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(TABLE))
    writer.start()
    done = run("score", "pipe", *asked)
    writer.join()
    assert json.loads(done.stdout)["warnings"] == [TOLD]


def test_a_run_that_can_be_read_but_once_is_scored_as_ever():
    done = CliRunner().invoke(cli, ["score", "x.csv", "-", "-m", "R@10", "-f", "json"], input=TREC)
    found = json.loads(done.stdout)
    assert (found["runs"][0]["mean"]["R@10"], found["warnings"]) == (0.75, [])


def test_answers_match_either_spelling_and_have_nothing_to_tell(tmp_path):
    (tmp_path / "answers.csv").write_text("query_id,query,result1\nq1,one,a%20b\nq2,two,plain\n")
    done = run("score", "--answers", "answers.csv", "one.run", "-m", "R@10", "-f", "json")
    found = json.loads(done.stdout)
    assert (found["runs"][0]["mean"]["R@10"], found["warnings"]) == (1.0, [])


def test_qrels_without_such_an_id_cost_no_second_reading(monkeypatch):
    plain = {query_id: dict.fromkeys(["a b", "plain", "x%2y"], 1) for query_id in ("q1", "q2")}
    assert not Spellings(plain, plain, None)
    monkeypatch.setattr(Spellings, "told_of", lambda *_: pytest.fail("read once more"))
    assert judge_tui.score({"q1": {"plain": 1}}, "one.run", "R@10").warnings


COMPOSED, APART = "\u00e9t\u00e9.md", "e\u0301te\u0301.md"


@pytest.mark.parametrize(
    ("judged", "found", "form"),
    [
        (COMPOSED, APART, "NFD (letter and accent apart)"),
        (APART, COMPOSED, "NFC (letter and accent in one)"),
    ],
)
def test_judged_documents_in_another_form_of_unicode_are_told(tmp_path, judged, found, form):
    (tmp_path / "u.txt").write_text(f"q1 0 {judged} 2\nq1 0 plain 1\nq2 0 {judged} 1\n")
    scores = {"q1": {found: 2.0, "plain": 1.0}, "q2": {judged: 1.0, found: 0.5}}
    lines = [f"{q} Q0 {d} 0 {s} u" for q, docs in scores.items() for d, s in docs.items()]
    (tmp_path / "u.run").write_text("\n".join(lines) + "\n")
    told = (
        f"judged documents that run 'u' has in another form of Unicode: 1, such as '{judged}',"
        f" which is in {form} there; they look the same and count as not retrieved: write the ids"
        " of both in one form, NFC or NFD"
    )
    done = run("score", "u.txt", "u.run", "-m", "R@10", "-f", "json")
    assert json.loads(done.stdout)["warnings"] == [told]
    grades = {"q1": {judged: 2, "plain": 1}, "q2": {judged: 1}}
    assert judge_tui.score(grades, {"u": scores}, "R@10").warnings == (told,)
    (tmp_path / "two.run").write_text((tmp_path / "u.run").read_text())
    done = run("compare", "u.txt", "u.run", "two=two.run", "-m", "R@10", "-f", "json")
    assert json.loads(done.stdout)["warnings"][:2] == [told, told.replace("'u'", "'two'")]


def test_codes_and_forms_of_unicode_are_told_apart():
    grades = {"q1": {"a%20b": 2, COMPOSED: 1}}
    of_run = {"one": {"q1": {"a%2520b": 2.0, APART: 1.0}}}
    coded, in_form = judge_tui.score(grades, of_run, "R@10").warnings
    assert coded == TOLD
    assert "another form of Unicode: 1, such as" in in_form


def test_a_code_and_a_form_of_unicode_at_once_are_told():
    grades = {"q1": {f"a b {COMPOSED}": 2, "plain": 1}}
    of_run = {"one": {"q1": {f"a%20b%20{APART}": 2.0, "plain": 1.0}}}
    assert not judge_tui.score({"q1": {"a b": 2}}, {"one": {"q1": {"a%20b": 2}}}, "R@10").warnings
    (told,) = judge_tui.score(grades, of_run, "R@10").warnings
    assert "in another form of Unicode: 1, such as" in told
    coded = {"one": {"q1": {f"a%2520b%2520{APART}": 2.0, "plain": 1.0}}}
    (told,) = judge_tui.score(grades, coded, "R@10").warnings
    assert "codes such as %20: 1, such as" in told


def test_letters_of_one_form_alone_cost_no_second_reading():
    assert not Spellings({"q1": {"\u7b2c\u4e00.md": 1, "stra\u00dfe.md": 1}}, {}, None)


def run(*words):
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done


def test_queries_that_differ_by_blanks_alone_are_told(tmp_path):
    (tmp_path / "r.csv").write_text("query,docid,rating\nread a file,d1,1\ntwo,d1,1\n")
    (tmp_path / "s.csv").write_text("query,docid,score\nread  a file,d1,1\n")
    told = "'read%20a%20file', which is 'read%20%20a%20file' in the run"
    refused = CliRunner().invoke(cli, ["score", "r.csv", "s.csv"])
    assert refused.stderr == (
        "error: run 's' and the qrels have no query in common but for blanks or forms of Unicode:"
        f" the qrels have {told}; use the same query ids in both files\n"
    )
    with (tmp_path / "s.csv").open("a") as run:
        run.write("two,d1,1\n")
    assert f" forms of Unicode: 1, such as {told}" in judge_tui.score("r.csv", "s.csv").remarks[0]
