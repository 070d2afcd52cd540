"""Bad input, command by command: exit 2, one line that names file and line, nothing half loaded."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign
from judge_tui.cli import cli

GOOD_RUN = "q1 Q0 sorted 1 1.0 new\n"
GOOD_QRELS = "q1 0 sorted 1\n"
GOOD_QUERY = '{"query_id": "q9", "text": "new"}\n'
GOOD_DOCUMENT = '{"doc_id": "sorted", "text": "new"}\n'

LOADS = {
    "run": (["load", "run"], GOOD_RUN),
    "qrels": (["load", "qrels", "--judge", "ann"], GOOD_QRELS),
    "queries": (["load", "queries"], GOOD_QUERY),
    "docs": (["load", "docs", "--replace"], GOOD_DOCUMENT),
}

# kind, what follows the good first line, what the message says after FILE:2. What else may be wrong
# with a file stands in tests/formats/test_faults.py.
BAD_LINES = [
    ("run", "q1 Q0 sorted\n", "3 fields"),
    ("run", "q1 Q0 sorted 2 0.5 new\n", "line 1"),
    ("run", "q77 Q0 other 2 0.5 new\n", "q77"),
    ("qrels", "q1 0 other good\n", "good"),
    ("qrels", "q1 0 other 9\n", "not on the campaign's scale"),
    ("qrels", "q77 0 other 1\n", "q77"),
    ("queries", "{not json}\n", "JSON"),
    ("queries", b'{"query_id": "q8", "text": "\xff"}\n', "UTF-8"),
    ("docs", '{"doc_id": "json.load", "text": 3}\n', "text"),
    ("docs", '{"doc_id": "json.load", "text": "\\udc00"}\n', "surrogate"),
]


def state(path: Path) -> list[object]:
    """Everything in the campaign."""
    connection = sqlite3.connect(path)
    tables = ("queries", "documents", "runs", "results", "pool", "judges", "events")
    rows: list[object] = [
        connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall() for table in tables
    ]
    connection.close()
    return rows


def refused(result: Result, start: str, what: str) -> None:
    """Exit 2, nothing on standard output, one line on standard error that begins as expected."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {start}"), result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert what in result.stderr, result.stderr
    assert "; " in result.stderr, "it should say how to mend it"


def load(campaign: Campaign, kind: str, file: Path | str) -> Result:
    arguments = [*LOADS[kind][0], str(file), "--db", str(campaign.path)]
    return CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize(("kind", "second", "what"), BAD_LINES)
def test_a_bad_second_line_loads_nothing(
    campaign: Campaign, tmp_path: Path, kind: str, second: str | bytes, what: str
) -> None:
    file = tmp_path / "bad.txt"
    good = LOADS[kind][1].encode()
    file.write_bytes(good + (second if isinstance(second, bytes) else second.encode()))
    before = state(campaign.path)
    refused(load(campaign, kind, file), f"{file}:2: ", what)
    assert state(campaign.path) == before


@pytest.mark.parametrize("kind", LOADS)
@pytest.mark.parametrize(
    "content",
    [b"", gzip.compress(GOOD_RUN.encode() * 1000)[:40], b"<html><body>not found</body></html>\n"],
    ids=["empty", "cut gzip", "html"],
)
def test_a_file_that_is_no_such_file(
    campaign: Campaign, tmp_path: Path, kind: str, content: bytes
) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    before = state(campaign.path)
    refused(load(campaign, kind, file), f"{file}", "")
    assert state(campaign.path) == before


@pytest.mark.parametrize("kind", LOADS)
def test_a_missing_file(campaign: Campaign, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "none.txt"
    refused(load(campaign, kind, file), f"{file}: ", "no such file")


@pytest.mark.parametrize("kind", ["qrels", "queries"])
def test_a_folder_where_a_file_is_meant(campaign: Campaign, tmp_path: Path, kind: str) -> None:
    refused(load(campaign, kind, tmp_path), f"{tmp_path}: ", "")


def test_a_folder_of_two_runs_has_no_one_tag(campaign: Campaign, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.run").write_text(f"q1 Q0 sorted 1 1.0 {name}\n")
    arguments = ["load", "run", str(folder), "--tag", "t", "--db", str(campaign.path)]
    refused(CliRunner().invoke(cli, arguments), "", "--tag names one run")
    (folder / "two.run").unlink()
    result = CliRunner().invoke(cli, arguments)
    assert result.stdout.startswith(f"{folder / 'one.run'}: run t: 1 loaded"), result.output


def test_a_bad_third_file_leaves_no_run_behind(campaign: Campaign, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.run").write_text(f"q1 Q0 sorted 1 1.0 {name}\n")
    (tmp_path / "three.run").write_text("q1 Q0 sorted 1 high three\n")
    files = [str(tmp_path / f"{name}.run") for name in ("one", "two", "three")]
    before = state(campaign.path)
    result = CliRunner().invoke(cli, ["load", "run", *files, "--db", str(campaign.path)])
    refused(result, f"{files[2]}:1: ", "high")
    assert state(campaign.path) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["load", "queries", "x"],
        ["pool"],
        ["status"],
        ["agreement"],
        ["export", "qrels", "-o", "out"],
    ],
)
@pytest.mark.parametrize("trouble", ["missing", "no campaign", "newer", "folder"])
def test_a_file_that_is_no_campaign(
    campaign: Campaign, tmp_path: Path, arguments: list[str], trouble: str
) -> None:
    path = campaign.path
    if trouble == "newer":
        campaign.execute("PRAGMA user_version = 99")
        what = "upgrade"
    elif trouble == "missing":
        path, what = tmp_path / "none.db", "no such file"
    elif trouble == "folder":
        path, what = tmp_path, "not a file"
    else:
        path, what = tmp_path / "text.db", "not a judge_tui campaign"
        path.write_text("hello, I am no database at all" * 30)
    result = CliRunner().invoke(cli, [*arguments, "--db", str(path)])
    refused(result, f"{path}: ", what)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["pool", "--depth", "0"], "depth"),
        (["pool", "--budget", "0"], "budget"),
        (["pool", "--audit", "-1"], "audit"),
        (["pool", "--strategy", "magic"], "magic"),
        (["export", "qrels", "-o", "out"], "nobody has judged yet"),
        (["export", "qrels", "-o", "out", "--policy", "vote"], "vote"),
        (["export", "qrels", "-o", "out", "--policy", "judge:zoe"], "zoe"),
        (["agreement"], "two judges"),
        (["load", "run", "a", "b", "--tag", "t"], "--tag"),
        (["load", "docs"], "nothing to load"),
        (["load", "qrels", "x"], "there is no such file"),
        (["init"], "already exists"),
        (["init", "--scale", "0=no"], "only one grade"),
        (["init", "--scale", "a=no,b=yes"], "'a=no'"),
        (["init", "--scale", "0=no,0=yes"], "twice"),
    ],
)
def test_what_cannot_be_done_as_asked(
    campaign: Campaign, tmp_path: Path, arguments: list[str], what: str
) -> None:
    before = state(campaign.path)
    result = CliRunner().invoke(cli, [*arguments, "--db", str(campaign.path)])
    refused(result, "", what)
    assert state(campaign.path) == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["scor"], "did you mean 'score'"),
        (["--nope"], "--nope"),
        (["score"], "QRELS"),
        (["score", "none.qrels", "none.run"], "none"),
        (["check", "none.run"], "no such file"),
    ],
)
def test_bad_usage(
    arguments: list[str], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert what in result.stderr
    assert result.stderr.count("\n") == 1


def test_check_lists_every_problem_and_counts_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "bad.run"
    file.write_text("".join(f"q1 Q0 d{i} {i} x{i} new\n" for i in range(1, 31)))
    result = CliRunner().invoke(cli, ["check", "--format", "run", str(file)])
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"error: {file}:1: ")
    assert lines[19].startswith(f"error: {file}:20: ")
    assert "10 more" in lines[20]
    assert len(lines) == 21


def test_check_of_good_files(files: Path) -> None:
    names = ["alpha.run", "queries.jsonl", "documents.jsonl"]
    result = CliRunner().invoke(cli, ["check", *(str(files / name) for name in names)])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("fine") == 3


@pytest.mark.parametrize("victim", ["q.qrels", "alpha.run"])
def test_a_result_is_not_written_over_what_it_is_made_of(
    files: Path, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    monkeypatch.chdir(files)
    Path("q.qrels").write_text("q1 0 csv.reader 1\n")
    before = Path(victim).read_bytes()
    for command in (
        ["score", "q.qrels", "alpha.run"],
        ["compare", "q.qrels", "alpha.run", "beta.run"],
    ):
        result = CliRunner().invoke(cli, [*command, "-o", victim])
        refused(result, f"-o {victim}", "read here")
    assert Path(victim).read_bytes() == before
