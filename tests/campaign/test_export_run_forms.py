"""Runs and grades written for other tools are read back as they were."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.queries import load_queries
from judge_tui.cli import cli
from judge_tui.errors import InputError
from judge_tui.formats import decode_id, encode_id, iter_qrels, read_grades, read_qrels, read_run
from judge_tui.formats.run_files import RUN_FORMS
from judge_tui.formats.runs_and_qrels import run_in
from judge_tui.formats.source import open_source
from judge_tui.model import rank
from tests.loading_runs import load_run

# Best first: ids that a spreadsheet would run, with white space in and around them, with quotes,
# and with what looks like such an id written by TREC's rules.
DOCS = ["=cmd|' /C calc'!A0", 'a, "b"; c', "my file", " around ", "my%20file", "-5", "naïve\u00a0"]
GRADED = {"=cmd|' /C calc'!A0": 3, "my file": 0, "my%20file": 2, "not returned": 1}


@pytest.fixture
def hostile(campaign: Campaign, files: Path) -> Campaign:
    """The small campaign with a run of such ids and the grades of ann."""
    (files / "more.jsonl").write_text('{"query_id": "q 3", "text": "=1+1, 100%"}\n')
    load_queries(campaign, files / "more.jsonl")
    lines = [
        f"q%203 Q0 {encode_id(doc)} {place} {score} gamma\n"
        # The second and the third have one score.
        for place, (doc, score) in enumerate(zip(DOCS, [9, 8, 8, 7, 6, 5, 4], strict=True), 1)
    ]
    (files / "gamma.run").write_text("".join(lines))
    load_run(campaign, files / "gamma.run")
    rows = [f"q%203 0 {encode_id(doc)} {grade}\n" for doc, grade in GRADED.items()]
    (files / "ann.qrels").write_text("".join(rows))
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    return campaign


def export(campaign: Campaign, *arguments: str) -> Result:
    return CliRunner().invoke(
        cli, ["export", arguments[0], "-d", str(campaign.path), *arguments[1:]],
        catch_exceptions=False,
    )  # fmt: skip


@pytest.mark.parametrize("form", RUN_FORMS)
def test_a_run_comes_back_in_its_order(hostile: Campaign, tmp_path: Path, form: str) -> None:
    path = tmp_path / "out"
    done = export(hostile, "run", "--tag", "gamma", "-o", str(path), "-f", form)
    assert done.exit_code == 0, done.output
    assert f"note: left out by {form}: {RUN_FORMS[form].left_out}\n" in done.stderr
    name = {"ranx": "json"}.get(form, form.split("-", maxsplit=1)[0])
    problems: list[InputError] = []
    with open_source(path) as source:
        read = run_in(source, format=name, problems=problems.append, exact=True).scores
    export(hostile, "run", "--tag", "gamma", "-o", str(tmp_path / "trec"))
    expected = [decode_id(doc) for doc in rank(read_run(tmp_path / "trec").scores["q%203"])]
    ((query_id, scores),) = read.items()
    assert decode_id(query_id) == ("=1+1, 100%" if RUN_FORMS[form].by_text else "q 3")
    assert not problems
    assert ("with codes such as %20, and read back so: 1\n" in done.stderr) == (form != "msmarco")
    if form != "msmarco":
        expected[expected.index(" around ")] = "%20around%20"
    assert list(map(decode_id, rank(scores))) == expected


def test_ranx_has_the_scores(hostile: Campaign, tmp_path: Path) -> None:
    export(hostile, "run", "--tag", "gamma", "-o", str(tmp_path / "gamma.json"), "-f", "ranx")
    export(hostile, "run", "--tag", "gamma", "-o", str(tmp_path / "gamma.run"))
    with open_source(tmp_path / "gamma.json") as source:
        its = run_in(source, exact=True)
    expected = read_run(tmp_path / "gamma.run").scores
    # White space around an id is nothing that JSON gives back.
    expected["q%203"]["%2520around%2520"] = expected["q%203"].pop("%20around%20")
    assert its.scores == expected
    # Whole scores stay numbers with a point: else they would look like grades.
    document = json.loads((tmp_path / "gamma.json").read_text())
    assert isinstance(document["q 3"]["-5"], float)


def test_results_have_the_grades_beside_the_ranks(hostile: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "gamma.csv"
    done = export(hostile, "run", "--tag", "gamma", "-o", str(path), "-f", "results")
    assert done.stdout == (
        f"{path}: 7 results of 1 queries\n  graded: 3 of them\n"
        "  without a rank: 1 graded pairs that it did not return\n"
        f"{path}.provenance.json: where they came from\n"
    )
    grades = {decode_id(row.doc_id): row.grade for row in iter_qrels(path, exact=True)}
    assert grades == GRADED
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["query_id", "doc_id", "rank", "relevant"]
    assert rows[-1] == ["q 3", "not returned", "", "1"]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_quepids_files_have_its_columns(campaign: Campaign, files: Path) -> None:
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    export(campaign, "run", "--tag", "alpha", "-o", str(files / "s"), "-f", "quepid-snapshot")
    assert (files / "s").read_text() == (
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
        "alpha,,,read a CSV file,csv.reader,1\nalpha,,,read a CSV file,csv.writer,2\n"
        "alpha,,,sort lists,list.sort,1\nalpha,,,sort lists,sorted,2\n"
    )
    assert read_run(files / "s").tag == "alpha"
    export(campaign, "run", "--tag", "alpha", "-o", str(files / "d"), "-f", "quepid-detailed")
    assert (files / "d").read_text() == (
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
        ",small,,read a CSV file,csv.reader,1,csv.reader(file),3\n"
        ",small,,read a CSV file,csv.writer,2,csv.writer(file),\n"
        ",small,,sort lists,list.sort,1,,\n,small,,sort lists,sorted,2,,\n"
    )
    assert read_qrels(files / "d") == {"read%20a%20CSV%20file": {"csv.reader": 3}}


def test_to_standard_output_what_is_said_goes_aside(campaign: Campaign) -> None:
    done = export(campaign, "run", "--tag", "beta", "-o", "-", "-f", "msmarco")
    assert done.stdout == "q1\tjson.load\t1\nq1\tcsv.reader\t2\nq2\tsorted\t1\nq2\tjson.load\t2\n"


@pytest.mark.parametrize("form", ["trec", "ranx", "msmarco", "quepid-snapshot"])
def test_a_policy_is_about_grades(campaign: Campaign, tmp_path: Path, form: str) -> None:
    out = str(tmp_path / "out")
    done = export(
        campaign, "run", "--tag", "beta", "-o", out, "-f", form, "--policy", "median"
    )  # fmt: skip
    assert done.exit_code == 2
    assert f"are about grades, which {form} has not" in done.stderr


def test_grades_that_nobody_gave_are_not_invented(campaign: Campaign, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    done = export(campaign, "run", "--tag", "beta", "-o", str(out), "-f", "results")
    assert done.exit_code == 2
    assert "nobody has judged yet" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("form", ["beir", "msmarco", "ranx"])
def test_qrels_come_back_with_every_id(hostile: Campaign, tmp_path: Path, form: str) -> None:
    path = tmp_path / "out"
    done = export(hostile, "qrels", "-o", str(path), "-f", form)
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith(f"note: left out by {form}: ")
    assert "read back otherwise" not in done.stderr
    assert load_qrels(hostile, path, judge="again").added == len(GRADED)
    assert grades_by_judge(hostile)["again"] == grades_by_judge(hostile)["ann"]


def test_beirs_qrels_are_what_its_own_reader_takes(hostile: Campaign, tmp_path: Path) -> None:
    export(hostile, "qrels", "-o", str(tmp_path / "test.tsv"), "-f", "beir")
    # As BEIR does it: csv.reader with tabs, the first row skipped.
    text = (tmp_path / "test.tsv").read_text()
    rows = list(csv.reader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_MINIMAL))
    assert rows[0] == ["query-id", "corpus-id", "score"]
    assert [(row[0], row[1], int(row[2])) for row in rows[1:]] == [
        ("q 3", "=cmd|' /C calc'!A0", 3),
        ("q 3", "my file", 0),
        ("q 3", "my%20file", 2),
        ("q 3", "not returned", 1),
    ]


@pytest.mark.parametrize("form", ["trec", "ranx", "msmarco"])
def test_a_name_that_says_so_is_compressed(hostile: Campaign, tmp_path: Path, form: str) -> None:
    for what, more in (("run", ["--tag", "gamma"]), ("qrels", [])):
        plain, small, again = (tmp_path / name for name in ("a.json", "b.json.gz", "c.json.gz"))
        for path in (plain, small, again):
            assert export(hostile, what, *more, "-o", str(path), "-f", form).exit_code == 0
        assert gzip.decompress(small.read_bytes()) == plain.read_bytes()
        assert small.read_bytes() == again.read_bytes()
    provenance = json.loads((tmp_path / "b.json.gz.provenance.json").read_text())
    assert provenance["sha256"] == hashlib.sha256(small.read_bytes()).hexdigest()
    assert read_grades(small).rows == read_grades(plain).rows
