"""A command that is over in a blink imports what its work needs, and nothing else."""

import subprocess
import sys

import pytest

# click itself imports inspect, uuid, datetime and the like: these are what nobody here needs.
HEAVY = {
    *("numpy", "scipy", "textual", "rich", "httpx", "sqlite3", "sqlite_utils", "zstandard"),
    *("csv", "difflib", "glob", "gzip", "html", "json", "logging", "lzma", "multiprocessing"),
    *("random", "statistics", "subprocess", "tempfile", "tomllib"),
}
SELDOM = (
    *("agreement", "campaign", "evaluation.saved", "evaluation.slices", "pooling", "processes"),
    *("comparison", "tui", "scoring.slices", "scoring.trec_eval"),
    *("formats.check.", "formats.csv_"),
    *("formats.json_", "scan.parts"),
    *("formats.queries_", "formats.results", "formats.table", "formats.writing"),
    *("sources.in_memory", "sources.matrices", "sources.slices"),
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 bm25\nq1 Q0 b 2 1 bm25\n")


def imported(*arguments: str) -> set[str]:
    """The modules that a process has when it is done, and did not have as it began."""
    code = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "from judge_tui.cli import cli\n"
        f"try:\n    cli({list(arguments)!r})\n"
        "except SystemExit as done:\n    assert done.code == 0\n"
        "print(*{*sys.modules} - before, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def ours(names: set[str]) -> set[str]:
    return {name.removeprefix("judge_tui.") for name in names if name.startswith("judge_tui.")}


def test_score_imports_what_two_files_need(files):
    names = imported("score", "qrels", "run")
    assert names.isdisjoint(HEAVY - {"numpy"})
    assert [name for name in ours(names) if name.startswith(SELDOM)] == []


def test_a_gate_imports_no_large_library(files):
    names = imported("score", "qrels", "run", "-c", "--require", "RR>=.1")
    assert names.isdisjoint({"scipy", "sqlite3", "sqlite_utils", "textual", "rich.table", "httpx"})


def test_check_imports_no_library(files):
    assert imported("check", "qrels").isdisjoint(HEAVY - {"json"})


def test_help_imports_no_command():
    assert ours(imported("--help")) == {"cli", "errors", "version", "visible"}


def test_review_opens_before_what_weighs_cases_and_reads_files_is_imported():
    code = "import sys, judge_tui.tui.screens.review as _; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    late = ("agreement", "analysis", "pooling.pool", "scoring", "formats.queries_", "formats.runs_")
    assert [name for name in ours(set(done.stdout.split())) if name.startswith(late)] == []
