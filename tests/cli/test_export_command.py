"""`judge-tui export`: what is written, what is said and where, what is refused."""

from __future__ import annotations

import csv
import json
import subprocess

import pytest
from click.testing import CliRunner

from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.cli import cli
from tests.campaign.copies import cut_index
from tests.end_to_end.hostile import JUDGE, NAME
from tests.grades_by_file import grade_by_file
from tests.loading_runs import load_run
from tests.programs import PROGRAM, shown_on_a_terminal

ANN = "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\n"
BOB = "q1 0 csv.reader 3\nq1 0 csv.writer 2\n"


@pytest.fixture
def judged(campaign):
    for name, text in (("ann", ANN), ("bob", BOB)):
        grade_by_file(campaign, name, text)
    return campaign


def run(campaign, *arguments):
    return CliRunner().invoke(
        cli, ["export", arguments[0], "-d", str(campaign.path), *arguments[1:]]
    )


NOUNS = {
    "qrels": ["--policy", "max"],
    "run": ["--tag", "alpha"],
    "judgments": [],
    "pool": [],
    "disagreements": [],
}


@pytest.mark.parametrize(
    ("what", "more"),
    [*NOUNS.items(), ("judgments", ["-f", "jsonl"]), ("disagreements", ["-f", "jsonl"])],
    ids=str,
)
def test_to_standard_output_goes_what_a_file_would_hold(judged, tmp_path, what, more):
    done = run(judged, what, *more)
    assert done.exit_code == 0
    told = run(judged, what, *more, "-o", str(tmp_path / "a.csv")).stdout
    assert done.stdout == (tmp_path / "a.csv").read_text()
    assert told == f"{tmp_path / 'a.csv'}: {done.stderr}"
    assert done.stdout == run(judged, what, *more, "-o", "-").stdout


@pytest.mark.parametrize("what", [*NOUNS, "collection"])
def test_no_file_is_written_over_unless_told_to(judged, tmp_path, what):
    more = ["-f", "csv"] if what in ("judgments", "disagreements") else []
    target = ["-o", str(tmp_path / "out.run")]
    words = [what, *NOUNS.get(what, NOUNS["qrels"]), *more, *target]
    assert run(judged, *words).exit_code == 0
    refused = run(judged, *words)
    assert refused.exit_code == 2
    assert "is there already; write over it with --force" in refused.stderr
    assert run(judged, *words, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("what", "beside"), [("qrels", "out.run.provenance.json"), ("run", "out.latency.csv")]
)
def test_what_stands_beside_is_not_written_over_either(judged, tmp_path, what, beside):
    (tmp_path / beside).write_text("mine")
    refused = run(judged, what, *NOUNS[what], "-o", str(tmp_path / "out.run"))
    assert refused.exit_code == 2
    assert (tmp_path / beside).read_text() == "mine"
    assert not (tmp_path / "out.run").exists()


@pytest.mark.parametrize("what", [*NOUNS, "collection", "bundle"])
def test_a_damaged_campaign_is_not_exported(judged, tmp_path, what):
    """Read by this index, it would have no judgments."""
    judged.close()
    cut_index(judged.path)
    more = {**NOUNS, "collection": [], "bundle": ["--judge", "ann"]}[what]
    refused = run(judged, what, *more, "-o", str(tmp_path / "out.csv"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "the file is damaged" in refused.stderr
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["judgments", "-o", "a.json"], "does not say whether it is CSV or JSON Lines"),
        (["disagreements", "-o", "a"], "does not say whether it is CSV or JSON Lines"),
        (["disagreements", "-o", "a.csv", "-m", "ndgc@10"], "did you mean nDCG@10"),
        (["run", "--tag", "alhpa", "-o", "a"], "did you mean 'alpha'"),
        (["judgments", "-o", "no/such/a.csv"], "No such file or directory"),
        (["judgments", "-o", "/dev/full", "-f", "csv"], "No space left on device"),
        (["disagreements", "-o", ".", "-f", "csv", "--force"], "is a folder"),
        (["run", "--tag", "alpha", "-o", "campaign.db", "--force"], "SQLite file"),
    ],
)
def test_refused_in_one_line(judged, tmp_path, monkeypatch, arguments, what):
    monkeypatch.chdir(tmp_path)
    before = sorted(one.name for one in tmp_path.iterdir())
    done = run(judged, *arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert what in line
    assert sorted(one.name for one in tmp_path.iterdir()) == before


def test_hostile_names_and_notes(judged, tmp_path):
    """Whatever is in them comes back from the files, and what is said of it does nothing."""
    for place, name in enumerate((JUDGE, "bob")):
        judge = add_judge(judged, name)
        append_event(judged, judge=judge.key, pair=1, action="grade", grade=place)
        append_event(judged, judge=judge.key, pair=1, action="comment", note=f"@{NAME}")
    settle(judged, add_judge(judged, f"x{JUDGE}", role="lead"), 1, 2, f"+{NAME}")
    for what in ("judgments", "disagreements"):
        for form in ("csv", "jsonl"):
            done = run(judged, what, "-o", str(tmp_path / f"{what}.{form}"))
            assert done.exit_code == 0
            assert done.stdout.replace("\n", "").isprintable()
    rows = [json.loads(one) for one in (tmp_path / "judgments.jsonl").read_text().splitlines()]
    assert {one["note"] for one in rows if one["judge"] == JUDGE} == {f"@{NAME}"}
    assert [one["note"] for one in rows if one["judge"] == f"x{JUDGE}"] == [f"+{NAME}"]
    with (tmp_path / "judgments.csv").open(newline="", encoding="utf-8") as stream:
        notes = {row["note"] for row in csv.DictReader(stream)}
    assert notes == {"", f"'@{NAME}", f"'+{NAME}"}
    rows = [json.loads(one) for one in (tmp_path / "disagreements.jsonl").read_text().splitlines()]
    (row,) = [one for one in rows if one["settled"] == 2]
    assert row["grades"] == {"ann": 3, JUDGE: 0, "bob": 1}
    assert (row["reason"], row["notes"]["bob"]) == (f"+{NAME}", f"@{NAME}")


@pytest.mark.parametrize("what", [["judgments"], ["run", "--tag", "h"]], ids=" ".join)
def test_a_terminal_is_shown_what_a_file_would_be_given(judged, files, what):
    ann = find_judge(judged, "ann")
    append_event(judged, judge=ann.key, pair=1, action="comment", note="\x1b[2J\x9b31m\u202eno")
    hostile = "q1 Q0 \x1b]0;title\x07csv.reader 1 1.0 h\n"
    (files / "h.run").write_text(hostile)
    load_run(judged, files / "h.run")
    shown = shown_on_a_terminal("export", *what, "-d", judged.path, "-o", "-", shown={1})
    text = shown.replace("\r\n", "")
    assert "csv.reader" in text
    assert text.isprintable()


def test_standard_output_that_is_closed(judged):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, "export", "judgments", "-d", judged.path],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == "error: standard output is closed; write to a file with -o FILE\n"
