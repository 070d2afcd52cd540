"""Answers in place of qrels, through the command line: score, compare, check."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge_tui.cli import cli
from tests.cli.test_light_start import imported

# By hand: of run `new`, q001 has a.py at rank 2 and b.py:18-30 at 3, as in octocode's example
# (nDCG@10 .6697); c.py stands first for q002.
ANSWERS = """\
[{"query": "read", "expected": ["src/a.py:1-9:2", "src/b.py:10-20"], "class": "how"},
 {"query": "sort", "expected": "src/c.py", "class": "where"}]
"""
OLD = """\
q001 Q0 src/x.py 1 3 old
q001 Q0 src/y.py 2 2 old
q002 Q0 src/x.py 1 2 old
q002 Q0 src/c.py:7-9 2 1 old
"""
NEW = """\
q001 Q0 src/x.py 1 3 new
q001 Q0 src/a.py:5-30 2 2 new
q001 Q0 ./src/b.py:18-30 3 1 new
q002 Q0 src/c.py 1 1 new
"""
SHORT = "q001 Q0 src/x.py 1 3 old\nq9 Q0 a 1 1 old\n"
NUMBERED = (
    "answers.json has no query_id, so its queries are q001 to q002, by their places; if the runs"
    " call other queries so, give the file of these with --queries\n"
)
NOTE = "each answer is credited once, at the first result that is right by it, in nDCG, AP and RR\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name, text in (
        ("answers.json", ANSWERS),
        ("runs/old.run", OLD),
        ("runs/new.run", NEW),
        ("qrels", "q001 0 src/a.py:5-30 1\n"),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def judge_tui(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(words), input=given)


def done(*words: str, given: str | None = None) -> str:
    result = judge_tui(*words, given=given)
    assert result.exit_code == 0, result.output
    assert not result.stderr
    return result.stdout


def refused(*words: str, given: str | None = None) -> str:
    result = judge_tui(*words, given=given)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.strip().rpartition("error: ")[2]


def score(*words: str, given: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        done("score", "--answers", "answers.json", "-f", "json", *words, given=given)
    )
    return found


def test_the_table() -> None:
    assert done("score", "--answers", "answers.json", "runs/old.run", "runs/new.run") == (
        "run  queries  not in run  not in answers  nDCG@10   RR@10     P@5   R@100      AP\n"
        "old        2           0               0   0.3155  0.2500  0.1000  0.5000  0.2500\n"
        "new        2           0               0   0.8348  0.7500  0.3000  1.0000  0.7917\n"
        "\n" + NUMBERED + NOTE
    )


def test_every_form_of_output() -> None:
    words = ["score", "--answers", "answers.json", "runs/new.run", "-m", "nDCG@10", "-q"]
    rows = list(csv.reader(io.StringIO(judge_tui(*words, "-f", "csv").stdout)))
    assert [row[:3] for row in rows] == [
        ["tag", "query_id", "measure"],
        ["new", "q001", "nDCG@10"],
        ["new", "q002", "nDCG@10"],
        ["new", "all", "nDCG@10"],
    ]
    assert float(rows[1][3]) == pytest.approx(0.6697, abs=0.00005)
    assert float(rows[2][3]) == 1
    found = score("runs/new.run", "-q")
    assert found["settings"]["credit"] == "once"
    assert found["runs"][0]["per_query"]["q001"]["nDCG@10"] == float(rows[1][3])
    assert "| new | 2 | 0 | 0 | 0.8348 |" in done(*words, "-f", "md")
    assert r"new & 2 & 0 & 0 & 0.8348 \\" in done(*words, "-f", "latex")


def test_credit_for_every_result_is_said_and_may_exceed_1() -> None:
    run = "q002 Q0 src/c.py:1-2 1 3 t\nq002 Q0 src/c.py:5-6 2 2 t\n"
    words = ["-m", "nDCG", "--credit", "every", "-"]
    found = score(*words, given=run)
    assert found["settings"]["credit"] == "every"
    # 1 + 1/log2(3), by an ideal of 1.
    assert found["runs"][0]["mean"]["nDCG"] == pytest.approx(1.63093, abs=0.00001)
    table = done("score", "--answers", "answers.json", *words, given=run)
    assert table.endswith(
        "every right result is credited in nDCG, AP and RR: nDCG and AP may exceed 1\n"
    )
    assert score("-m", "nDCG", "-", given=run)["runs"][0]["mean"]["nDCG"] == 1


def test_answers_or_a_run_may_come_from_standard_input() -> None:
    table = done("score", "--answers", "answers.json", "runs/new.run")
    of_input = table.replace("answers.json has no", "- has no")
    assert done("score", "--answers", "-", "runs/new.run", given=ANSWERS) == of_input
    assert done("score", "--answers", "answers.json", "-", given=NEW) == table
    assert refused("score", "--answers", "-", "-", given=NEW) == (
        "standard input cannot be both answers and run; give one of them a file"
    )


def test_runs_are_named_as_with_qrels() -> None:
    tags = [run["tag"] for run in score("again=runs/old.run", "runs/new.run")["runs"]]
    assert tags == ["again", "new"]
    assert [run["tag"] for run in score("runs")["runs"]] == ["new", "old"]
    Path("copy.run").write_text(NEW)
    assert refused("score", "--answers", "answers.json", "runs/new.run", "copy.run").startswith(
        "runs/new.run and copy.run have the same tag 'new'; "
    )
    message = refused("score", "--answers", "answers.json", "runs/new.run", "--run-format", "csv")
    assert message.startswith("runs/new.run:1: the first line names no columns")


def test_a_table_of_results_beside_answers_is_a_run() -> None:
    Path("table.csv").write_text(
        "query_id,doc_id,rank,relevance\nq001,src/x.py,1,1\nq001,src/a.py:5-30,2,0\n"
        "q001,src/b.py:18-30,3,0\nq002,src/c.py,1,0\n"
    )
    assert score("table.csv")["runs"][0]["mean"] == score("runs/new.run")["runs"][0]["mean"]


def test_ids_with_white_space_are_meant_in_both_spellings() -> None:
    Path("spaces.jsonl").write_text(
        '{"query_id": "my q", "expected": ["my file.txt:1-2", "your%20file.txt"]}\n'
    )
    run = "my%20q Q0 my%20file.txt:2-3 1 2 t\nmy%20q Q0 your%20file.txt 2 1 t\n"
    found = json.loads(
        done("score", "--answers", "spaces.jsonl", "-", "-m", "R@2", "-f", "json", given=run)
    )
    assert found["runs"][0]["mean"]["R@2"] == 1


def test_scores_tie_in_32_bits_where_that_is_asked_for() -> None:
    # trec_eval 9 cannot tell these apart, and orders by doc_id, descending.
    run = "q002 Q0 src/c.py 1 20.0000002 t\nq002 Q0 src/x.py 2 20.0000001 t\n"
    assert score("-m", "RR", "-", given=run)["runs"][0]["mean"]["RR"] == 1
    words = ["-m", "RR", "--score-precision", "32", "-"]
    assert score(*words, given=run)["runs"][0]["mean"]["RR"] == 0.5


def test_queries_that_only_one_side_has_are_told() -> None:
    table = done("score", "--answers", "answers.json", "-", given=SHORT)
    assert "queries without results in run 'old': 1 of 2, left out" in table
    assert "queries of run 'old' that are not in the answers: 1, left out" in table
    assert refused("score", "--answers", "answers.json", "-", given="a Q0 b 1 1 t\n") == (
        "run 't' and the answers have no query in common: the run has 'a', the answers have"
        " 'q001'; use the same query ids in both files, or give the queries that it was asked with"
        " --queries, or ask anew"
    )


SNAPSHOT = """\
Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position
S,2026-01-01,7,read  it,src/x.py,1
S,2026-01-01,7,read  it,src/a.py,2
S,2026-01-01,7,sort,src/c.py,1
"""


def test_runs_that_name_queries_by_their_texts_are_met_by_text() -> None:
    Path("table.csv").write_text(
        "query_id,query,class,result1\n1,sort,where,src/c.py\n2,read it,how,src/a.py\n"
    )
    Path("snapshot.csv").write_text(SNAPSHOT)
    words = ("--answers", "table.csv", "snapshot.csv", "-m", "RR", "-q", "--by", "class")
    scored = json.loads(done("score", *words, "-f", "json"))["runs"][0]
    assert scored["per_query"] == {"read%20it": {"RR": 0.5}, "sort": {"RR": 1.0}}
    assert scored["slices"]["where"]["mean"] == {"RR": 1.0}


BY_TEXTS = {
    "snapshot.csv": SNAPSHOT,
    "table.run": "query,doc_id,rank\nread it,src/x.py,1\nread it,src/a.py,2\nsort,src/c.py,1\n",
    "ranx.json": '{"read it": {"src/x.py": 2, "src/a.py": 1}, "sort": {"src/c.py": 1}}',
}


@pytest.mark.parametrize("name", list(BY_TEXTS))
@pytest.mark.parametrize("asked", ["table.csv", "places.csv", "queries.csv"])
def test_runs_by_ids_and_by_texts_stand_beside_each_other(name: str, asked: str) -> None:
    """Under the ids of the answers, or of the queries; alone, runs by texts keep these."""
    rows = {"where": "sort,src/c.py", "how": "read it,src/a.py"}
    ids = ("q001", "q002") if asked == "places.csv" else ("1", "2")
    answers = "table.csv" if asked == "table.csv" else "places.csv"
    Path("table.csv").write_text(
        f"query_id,query,result1,class\n1,{rows['where']},where\n2,{rows['how']},how\n"
    )
    Path("places.csv").write_text(
        f"query,result1,class\n{rows['where']},where\n{rows['how']},how\n"
    )
    Path("queries.csv").write_text("query_id,query\n3,more\n1,sort\n2,read it\n")
    queries = ("--queries", "queries.csv") if asked == "queries.csv" else ()
    Path("t.run").write_text(f"{ids[0]} Q0 src/c.py 1 1 t\n{ids[1]} Q0 src/a.py 1 1 t\n")
    Path(name).write_text(BY_TEXTS[name])
    words = ("--answers", answers, *queries, "-m", "RR", "--by", "class", "-f", "json")
    found = json.loads(done("score", *words, "-q", "t.run", f"s={name}"))["runs"]
    assert found[0]["per_query"] == {ids[0]: {"RR": 1.0}, ids[1]: {"RR": 1.0}}
    assert found[1]["per_query"] == {ids[0]: {"RR": 1.0}, ids[1]: {"RR": 0.5}}
    assert found[1]["slices"]["how"]["mean"] == {"RR": 0.5}
    compared = json.loads(done("compare", *words, f"s={name}", "t.run"))["comparisons"]
    assert {one["slice"]: one["delta"] for one in compared} == {"where": 0.0, "how": 0.5}
    (alone,) = json.loads(done("score", *words, "-q", name))["runs"]
    assert alone["per_query"] == {"read%20it": {"RR": 0.5}, "sort": {"RR": 1.0}}


def test_runs_by_texts_are_read_in_the_form_that_is_given() -> None:
    Path("table.csv").write_text("query_id,query,result1\n1,sort,src/c.py\n")
    # A form that is no run unless it is named.
    Path("s.tsv").write_text("sort\tsrc/c.py\tsort\tdef sort\n")
    words = ("--answers", "table.csv", "s.tsv", "--run-format", "msmarco-top1000", "-m", "RR")
    (found,) = json.loads(done("score", *words, "-f", "json"))["runs"]
    assert found["mean"] == {"RR": 1.0}


@pytest.mark.parametrize("more", [(), ("t.run",)])
def test_texts_that_are_there_twice_are_refused_where_they_name_queries(more: tuple[str]) -> None:
    Path("table.csv").write_text("query_id,query,result1\n1,sort,a\n2,sort,b\n")
    Path("t.run").write_text("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n")
    Path("snapshot.csv").write_text(SNAPSHOT)
    assert refused("score", "--answers", "table.csv", "snapshot.csv", *more) == (
        "table.csv:3: query 'sort' is there already, in line 2, and the runs name queries by"
        " their texts; write what is right for it in one place"
    )


def test_a_run_of_which_nothing_is_right_is_warned_of() -> None:
    run = "q001 Q0 /home/ann/src/a.py 1 2 t\n"
    warning = (
        "no result of run 't' is right by any answer: for query 'q001' it has"
        " '/home/ann/src/a.py', and the answers have 'src/a.py:1-9'"
    )
    assert score("-", given=run)["warnings"][0] == warning
    assert f"warning: {warning}\n" in done("score", "--answers", "answers.json", "-", given=run)
    words = ["compare", "--answers", "answers.json", "runs/new.run", "-"]
    assert f"warning: {warning}\n" in done(*words, given=run)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--bounds"], "--bounds needs grades of documents, and answers have none"),
        (["--qrels-format", "trec"], "--qrels-format needs grades of documents, and answers have"),
        (["-f", "trec"], "-f trec needs grades of documents, and answers have none"),
        (["-J"], "answers do not say which results were judged, so lists cannot be condensed"),
        (["-m", "Bpref"], "Bpref is about documents that were judged, and answers name none"),
        (["-m", "Judged@10"], "Judged@10 is about documents that were judged, and answers name"),
        (["--require", "ERR@5>=0.1"], "ERR@5 is not scored by answers: nobody has said"),
        (["--db", "campaign.db"], "--answers and --db both say what is right; give one of them"),
    ],
)
def test_what_answers_cannot_say_is_refused_with_the_reason(words: list[str], what: str) -> None:
    message = refused("score", "--answers", "answers.json", "runs/new.run", *words)
    assert message.startswith(what)


def test_words_that_are_missing_are_asked_for() -> None:
    assert refused("score", "--answers", "answers.json").startswith("Missing argument 'RUN...'")
    assert refused("score", "--credit", "once", "qrels", "runs/new.run").startswith(
        "--credit is about answers; give --answers FILE"
    )
    assert refused("score", "--answers", "none.json", "runs/new.run").startswith(
        "none.json: there is no such file"
    )
    assert refused("score", "--answers", "qrels", "runs/new.run").startswith(
        "qrels:1: this is no answers file: it begins with 'q001 0 src/a.py:5-30 1'; a table begins"
    )


def test_gates_hold_or_not() -> None:
    words = ["score", "--answers", "answers.json", "runs/new.run", "--require"]
    assert judge_tui(*words, "nDCG@10>=0.8").exit_code == 0
    result = judge_tui(*words, "new:Success@1>=0.7")
    assert result.exit_code == 1
    assert "Success@1" in result.stderr


def test_slices_are_those_of_the_answers_or_of_a_file() -> None:
    (run,) = score("runs/new.run", "--by", "class")["runs"]
    means = {name: part["mean"]["RR@10"] for name, part in run["slices"].items()}
    assert means == {"how": 0.5, "where": 1}
    Path("queries.jsonl").write_text(
        '{"query_id": "q001", "text": " read", "lang": "py"}\n'
        '{"query_id": "q002", "text": "sort", "lang": "c"}\n'
    )
    (run,) = score("runs/new.run", "--by", "lang", "--queries", "queries.jsonl")["runs"]
    assert list(run["slices"]) == ["c", "py"]
    Path("measures.toml").write_text('[classes.where]\nmeasures = ["RR", "P@1"]\n')
    table = done(
        *("score", "--answers", "answers.json", "runs/new.run", "--by", "class"),
        *("--class-measures", "measures.toml"),
    )
    assert "class: where\nrun  queries  not in run  not in answers      RR     P@1\n" in table
    Path("measures.toml").write_text('[classes.where]\nmeasures = ["Judged@1"]\n')
    assert refused(
        *("score", "--answers", "answers.json", "runs/new.run", "--by", "class"),
        *("--class-measures", "measures.toml"),
    ).startswith("Judged@1 is about documents that were judged")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_slices_of_queries_that_were_numbered_anew_are_refused(command: str) -> None:
    Path("queries.tsv").write_text("q001\tread\nq002\tmerge\n")
    rows = [{"query_id": f"q00{n}", **one} for n, one in enumerate(json.loads(ANSWERS), 1)]
    Path("answers.json").write_text(json.dumps(rows, indent=1))
    said = refused(
        *(command, "--answers", "answers.json", "runs/old.run", "runs/new.run"),
        *("--by", "class", "--queries", "queries.tsv"),
    )
    assert said == (
        "answers.json:11: query 'q002' is 'merge' in queries.tsv:2, and 'sort' here;"
        " mend the id or the text; an answer with an id needs no text"
    )


def test_a_result_is_kept_with_the_answers_and_how_they_were_credited() -> None:
    words = ["score", "--answers", "answers.json", "runs/new.run"]
    done(*words, "--save", "base.json")
    table = done(*words, "--against", "base.json")
    assert "Beside the earlier result\n" in table
    assert refused(*words, "--credit", "every", "--against", "base.json") == (
        "base.json: it was made with --credit once, not every; score with the same options, or"
        " save it again"
    )
    assert refused("score", "qrels", "runs/new.run", "--against", "base.json", "-m", "AP") == (
        "base.json: it was made with --credit once, not unset; score with the same options, or"
        " save it again"
    )
    Path("answers.json").write_text(ANSWERS.replace("src/c.py", "src/d.py"))
    assert refused(*words, "--against", "base.json").startswith(
        "base.json: it was made with other grades of queries: 1 (q002); save it again"
    )
    assert refused(*words, "--save", "answers.json").startswith("--save")


def test_compare_speaks_of_answers_and_shows_no_share_judged() -> None:
    words = ["compare", "--answers", "answers.json", "runs/old.run", "runs/new.run"]
    table = done(*words, "-m", "nDCG@10")
    assert "nDCG@10  new        2    0.3155  0.8348  +0.5194" in table
    assert "Judged" not in table
    assert "qrels" not in table
    assert table.endswith(NOTE)
    found = json.loads(done(*words, "-f", "json"))
    assert found["settings"]["credit"] == "once"
    names = [one["measure"] for one in found["comparisons"]]
    assert names == list(dict.fromkeys(names))
    assert set(names) <= {"nDCG@10", "RR@10", "P@5", "R@100", "AP"}
    table = done("compare", "--answers", "answers.json", "-", "runs/new.run", given=SHORT)
    assert "are compared over 1 of the 2 queries of the answers: 1 missing from 'old'" in table
    assert "queries of run 'old' that are not in the answers: 1, left out" in table


def test_compare_slices_credits_and_holds_gates() -> None:
    words = ["compare", "--answers", "answers.json", "runs/old.run", "runs/new.run"]
    table = done(*words, "-m", "RR", "--by", "class", "--credit", "every")
    assert "RR       how" in table
    assert "every right result is credited" in table
    assert judge_tui(*words, "--require", "no-regression").exit_code == 0
    assert judge_tui(*words, "--require", "RR>=0.9").exit_code == 1
    assert refused(*words, "-m", "Bpref").startswith("Bpref is about documents")


# check


def test_check_knows_answers_by_what_they_say() -> None:
    Path("table.csv").write_text("query,result1\nx,a.py\n")
    assert done("check", "answers.json", "table.csv", "runs/old.run") == (
        "answers.json: fine as answers\n"
        "table.csv: fine as answers\n"
        "runs/old.run: fine as run (trec)\n"
    )
    assert done("check", "--format", "answers", "-", given=ANSWERS) == "-: fine as answers\n"
    assert refused("check", "--format", "answers", "qrels").startswith("qrels:1: this is no answ")


def test_check_counts_what_is_missing_from_a_checkout() -> None:
    rows = "".join(f"x{number},src/{number}.py\n" for number in range(25))
    Path("table.csv").write_text(f"query,result1\nx,qrels\n{rows}")
    result = judge_tui("check", "table.csv", "--root", ".")
    assert (result.exit_code, result.stdout) == (2, "")
    lines = result.stderr.splitlines()
    assert lines[0] == (
        "error: table.csv:3: 'src/0.py': it is not there; is . the checkout that the answers are"
        " about?"
    )
    assert len(lines) == 21
    assert lines[-1] == "error: table.csv: and 5 more"


def test_hostile_text_is_shown_and_not_obeyed() -> None:
    Path("bad.json").write_text('[{"query": "x", "pattern": "\\u001b[31m("}]')
    message = refused("check", "bad.json")
    assert "\x1b" not in message
    assert "is no regular expression" in message
    Path("odd.json").write_text('[{"query_id": "q", "expected": "\\u001b[31m\\u202e"}]')
    table = done("score", "--answers", "odd.json", "-", given="q Q0 a 1 1 t\n")
    assert "\x1b" not in table
    assert "\u202e" not in table


# start-up


def test_scoring_by_answers_starts_like_a_unix_tool() -> None:
    names = imported("score", "--answers", "answers.json", "runs/new.run")
    heavy = ("numpy", "scipy", "textual", "rich", "httpx", "sqlite3", "tomllib", "logging")
    assert names.isdisjoint(heavy)
    assert not [name for name in names if name.startswith(("judge_tui.campaign", "judge_tui.tui"))]
    assert "judge_tui.scoring.by_answers" not in imported("score", "qrels", "runs/new.run")


def test_answers_in_the_place_of_other_files_are_told_to_be_answers() -> None:
    Path("a.csv").write_text("query_id,query,result1\nq001,read,src/a.py\n")
    score_takes = (
        ":1: this looks like answers, not qrels; give it to score, compare or evaluate as --answers"
        " FILE, and to a campaign with load answers"
    )
    for name in ("a.csv", "answers.json"):
        assert refused("score", name, "runs/old.run") == f"{name}{score_takes}"
        assert refused("score", "--answers", "a.csv", name) == (
            f"{name}:1: this looks like answers, not a run; give it as --answers FILE, before the"
            " runs"
        )
    assert judge_tui("init").exit_code == 0
    assert refused("load", "qrels", "a.csv", "--judge", "ann") == f"a.csv{score_takes}"


def test_rows_of_one_query_are_told_beside_the_numbers() -> None:
    Path("a.csv").write_text("query,result1\nread,src/a.py\nread,src/c.py\n")
    note = "lines 2 and 3 ask the same, 'read', and count as two queries, q001 and q002"
    assert note in done("score", "--answers", "a.csv", "runs/new.run")
    assert note in done("compare", "--answers", "a.csv", "runs/old.run", "runs/new.run")


def test_classes_of_a_table_make_slices() -> None:
    Path("a.csv").write_text("query,class,result1\nread,how,src/a.py:1-9\nsort,where,src/c.py\n")
    # By hand: RR of `new` is 1/2 for q001, a.py at rank 2, and 1 for q002.
    words = (
        "score",
        "--answers",
        "a.csv",
        "runs/new.run",
        "--by",
        "class",
        "-m",
        "RR",
        "-f",
        "csv",
    )
    rows = list(csv.DictReader(io.StringIO(judge_tui(*words).stdout)))
    assert {row["slice"]: float(row["value"]) for row in rows} == {
        "": 0.75,
        "class=how": 0.5,
        "class=where": 1,
    }
