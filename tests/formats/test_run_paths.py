"""What the words of a command line stand for: files, folders, patterns and standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.run_paths import named_runs, run_paths


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `runs` of five files, one of them in a folder within, beside a file of odd name."""
    for name in ("b.run", "B.run", "a.run.gz", "é.run", "old/c.run", ".hidden", ".old/d.run"):
        file = tmp_path / "runs" / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("")
    (tmp_path / "[b]*.run").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# In byte order, as LC_ALL=C ls has it: capitals first, what is not ASCII last.
IN_RUNS = ["runs/B.run", "runs/a.run.gz", "runs/b.run", "runs/é.run"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["runs/b.run", "runs/B.run"], ["runs/b.run", "runs/B.run"]),
        (["-", "runs/b.run"], ["-", "runs/b.run"]),
        (["runs"], IN_RUNS),
        (["runs/"], IN_RUNS),
        (["runs/*"], IN_RUNS),
        (["runs/[ab].*"], ["runs/a.run.gz", "runs/b.run"]),
        (["**/*.run"], ["[b]*.run", "runs/B.run", "runs/b.run", "runs/old/c.run", "runs/é.run"]),
        (
            ["runs/**"],
            ["runs/B.run", "runs/a.run.gz", "runs/b.run", "runs/old/c.run", "runs/é.run"],
        ),
        (["[b]*.run"], ["[b]*.run"]),
        (["runs/old", "runs/b*"], ["runs/old/c.run", "runs/b.run"]),
    ],
)
def test_words_become_files(names: Sequence[str], expected: list[str]) -> None:
    assert run_paths(names) == expected


def test_of_a_folder_that_collect_wrote_the_runs_are_taken_compressed_or_not() -> None:
    files = ("collect.json", "b.answers.jsonl", "b.latency.csv", "documents.jsonl", "b.run.zst")
    for name in files:
        (Path("runs") / name).write_text("")
    assert run_paths(["runs"]) == IN_RUNS
    (Path("runs") / "b.run").unlink()
    assert run_paths(["runs"]) == sorted([*{*IN_RUNS} - {"runs/b.run"}, "runs/b.run.zst"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none.run", "none.run: there is no such file; check the path"),
        ("", ": there is no such file"),
        ("a\0b", "a\0b: there is no such file"),
        ("*.gz", "*.gz: no file matches this pattern; check the path"),
        ("empty", "empty: there is no file in this folder; give a folder that holds"),
        ("emp*", "empty: there is no file in this folder"),
    ],
)
def test_words_that_stand_for_nothing(folder: Path, name: str, expected: str) -> None:
    (folder / "empty" / "within").mkdir(parents=True)
    with pytest.raises(InputError) as error:
        run_paths(["-", name])
    assert str(error.value).startswith(expected)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["-", "-"], "standard input is given twice; name each file once"),
        (["runs", "runs/b.run"], "'runs/b.run' is given twice; "),
        (["runs/b.run", "./runs/b*"], "'./runs/b.run' is given twice, once as 'runs/b.run'; "),
        (["runs/b.run", "link"], "'link' is given twice, once as 'runs/b.run'; "),
    ],
)
def test_one_file_is_not_given_twice(folder: Path, names: Sequence[str], expected: str) -> None:
    (folder / "link").symlink_to("runs/b.run")
    with pytest.raises(UsageError) as error:
        run_paths(names)
    assert str(error.value).startswith(expected)


def test_what_is_no_plain_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "runs" / "nowhere").symlink_to("gone")
    os.mkfifo(folder / "runs" / "pipe")
    assert run_paths(["pipe"]) == ["pipe"]
    # In a folder a pipe would be waited for; a link to nothing is refused where it is opened.
    assert "runs/pipe" not in run_paths(["runs"])
    assert "runs/nowhere" in run_paths(["runs"])
    assert run_paths(["runs/nowhere"]) == ["runs/nowhere"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("new=runs/b.run", [("new", "runs/b.run")]),
        ("new=-", [("new", "-")]),
        ("BM25 (k1=0.9)=runs/b.run", [("BM25 (k1=0.9)", "runs/b.run")]),
        ("new=runs/b.*", [("new", "runs/b.run")]),
        ("new=[b]*.run", [("new", "[b]*.run")]),
        # What is there under the whole name is itself.
        ("k=1.run", [(None, "k=1.run")]),
        ("k=*.run", [(None, "k=1.run")]),
        ("=1.run", [(None, "=1.run")]),
        ("runs", [(None, name) for name in IN_RUNS]),
    ],
)
def test_a_run_can_be_given_a_tag(
    folder: Path, name: str, expected: list[tuple[str | None, str]]
) -> None:
    (folder / "k=1.run").write_text("")
    (folder / "=1.run").write_text("")
    assert named_runs([name]) == expected


def test_a_tag_names_one_file_that_is_there() -> None:
    for name in ("new=missing", "=runs/b.run", "new=", "new=none/*", "a=b=c"):
        with pytest.raises(InputError, match=f"^{re.escape(name)}: there is no such file; .*TAG="):
            named_runs([name])
    with pytest.raises(UsageError, match=r"^'new=runs' gives one tag to 4 files; give each"):
        named_runs(["new=runs"])
    with pytest.raises(UsageError, match=r"'\./runs/b\.run' is given twice, once as 'runs/b\.run'"):
        named_runs(["a=runs/b.run", "b=./runs/b.run"])
