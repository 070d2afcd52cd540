"""What is over in a blink imports what its work needs, and nothing else."""

import pytest

from tests.imports import imported_by, modules_of, ours

# click itself imports inspect, uuid, datetime and the like: these are what nobody here needs.
HEAVY = {
    *("numpy", "scipy", "textual", "rich", "httpx", "sqlite3", "sqlite_utils", "backports.zstd"),
    *("csv", "difflib", "glob", "gzip", "html", "json", "logging", "lzma", "multiprocessing"),
    *("random", "statistics", "subprocess", "tempfile", "tomllib"),
}
OTHER_FILES = modules_of(
    *("formats.answers", "formats.benchmark", "formats.check", "formats.csv_"),
    *("formats.json", "formats.judging_tools", "formats.label", "formats.latency"),
    *("formats.outcomes", "formats.quepid", "formats.search_tools", "formats.tables"),
    *("formats.trec_", "formats.writing"),
)
SELDOM = OTHER_FILES | modules_of(
    *(
        "agreement",
        "campaign",
        "comparison",
        "evaluation.cluster",
        "evaluation.memory",
        "evaluation.saved",
    ),
    *("evaluation.values", "pooling", "processes"),
    *("scan.parts", "scoring.answers", "scoring.slices", "scoring.trec_eval", "tui"),
) - {"agreement", "agreement.policies"}  # help lists the policies


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 bm25\nq1 Q0 b 2 1 bm25\n")


def imported(*arguments: str) -> set[str]:
    """By a command that succeeds."""
    return imported_by(
        "from judge_tui.cli import cli\n"
        f"try:\n    cli({list(arguments)!r})\n"
        "except SystemExit as done:\n    assert done.code == 0"
    )


def test_score_imports_what_two_files_need(files):
    names = imported("score", "qrels", "run")
    assert names.isdisjoint(HEAVY - {"numpy"})
    assert ours(names).isdisjoint(SELDOM)


def test_a_gate_imports_no_large_library(files):
    names = imported("score", "qrels", "run", "-c", "--require", "RR>=.1")
    assert names.isdisjoint({"scipy", "sqlite3", "sqlite_utils", "textual", "rich.table", "httpx"})


def test_check_imports_no_library(files):
    assert imported("check", "qrels").isdisjoint(HEAVY - {"json"})


def test_grades_are_read_without_any_library(files):
    names = imported_by("from judge_tui.formats.whole_files import read_qrels; read_qrels('qrels')")
    assert names.isdisjoint(HEAVY)
    assert ours(names).isdisjoint(OTHER_FILES | {"formats.run_paths"})


def test_help_imports_no_command():
    assert ours(imported("--help")) == {
        "cli",
        "cli.commands",
        "cli.options",
        "cli.streams",
        "errors",
        "place",
        "version",
        "visible",
    }


def test_home_and_judge_open_before_numpy_is_imported():
    screens = ", ".join(f"judge_tui.tui.screens.{name}" for name in ("home", "judge"))
    assert "numpy" not in imported_by(f"import judge_tui.tui.app, {screens}")
