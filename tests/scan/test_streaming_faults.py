"""Runs scored while they are read: what is wrong with a file is told as if it was read whole."""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.whole_files import read_run
from judge_tui.scan import parts
from tests.scored import score_sources
from tests.small_files import MEASURES, QRELS, Patch, as_a_whole, read_small, rows_of, text_of

LONG = 600  # seconds that nobody is to wait for


@pytest.fixture
def small(monkeypatch: Patch) -> None:
    read_small(monkeypatch)


FIRST = text_of(rows_of(1)[:1], "a")
FAULTS: dict[str, tuple[slice, Callable[[list[str]], list[str]]]] = {
    "NaN": (slice(-5, -4), lambda _: ["q29 Q0 x 1 nan a\n"]),
    "five words": (slice(-5, -4), lambda _: ["this is no result\n"]),
    "another tag": (slice(-5, -4), lambda _: ["q29 Q0 x 1 1 b\n"]),
    "another tag from here on": (
        slice(-100, None),
        lambda lines: [line.replace(" a\n", " b\n") for line in lines],
    ),
    "no tag": (slice(-1, None), lambda _: ["q29 Q0 x 1 1"]),
    "no tag from here on": (
        slice(-100, None),
        lambda lines: [line.replace(" a\n", "\n") for line in lines],
    ),
    "twice": (slice(-5, None), lambda lines: [*lines, lines[0]]),
    "no UTF-8": (slice(-5, -4), lambda _: ["q29 Q0 \udcff 1 1 a\n"]),
    "NUL": (slice(-5, -4), lambda _: ["q29 Q0 x\0 1 1 a\n"]),
    "of the first query, twice": (slice(-1, None), lambda lines: [*lines, FIRST]),
}


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_later_part_is_told_with_its_line(
    tmp_path: Path, monkeypatch: Patch, fault: str, fast: bool
) -> None:
    file = tmp_path / "a.run"
    lines = text_of(rows_of(1), "a").splitlines(keepends=True)
    place, spoil = FAULTS[fault]
    lines[place] = spoil(lines[place])
    file.write_bytes("".join(lines).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as whole:
        read_run(file)
    assert whole.value.line
    assert whole.value.line > 300
    read_small(monkeypatch, fast=fast)
    for jobs in (1, 3):
        with pytest.raises(InputError) as error:
            score_sources(QRELS, file, MEASURES, jobs=jobs)
        assert str(error.value) == str(whole.value)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_tag_that_changes_is_seen_wherever_a_block_or_a_part_ends(
    tmp_path: Path, monkeypatch: Patch, jobs: int, fast: bool
) -> None:
    file = tmp_path / "a.run"
    lines = text_of([(f"q{query}", "d" * 1000, "1") for query in range(10)], "a").splitlines()
    read_small(monkeypatch, fast=fast, block=1500, part=1)
    for change in range(1, 10):
        others = [line.removesuffix("a") + "b" for line in lines[change:]]
        file.write_text("\n".join([*lines[:change], *others]))
        with pytest.raises(InputError, match=rf"a\.run:{change + 1}: .* line 1;"):
            score_sources(QRELS, file, MEASURES, jobs=jobs)
        assert score_sources(QRELS, {"mine": file}, "RR", jobs=jobs)["mine"].tag == "mine"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_first_of_several_faults_is_told(tmp_path: Path, jobs: int) -> None:
    good, bad, worse = (tmp_path / name for name in ("good", "bad", "worse"))
    good.write_text(text_of(rows_of(1), "a"))
    bad.write_text(text_of(rows_of(1), "b") + "q99 Q0 d 1 nan b\n")
    worse.write_text("no run\n" + text_of(rows_of(2), "c") * 2)
    same = tmp_path / "same"
    same.write_text(text_of(rows_of(2), "a"))
    for files, named in (
        ([good, bad, worse], "bad"),
        ([worse, bad, good], "worse"),
        ([good, tmp_path / "missing", bad], "missing"),
        ([good, tmp_path, bad], str(tmp_path)),
    ):
        with pytest.raises(InputError, match=named):
            score_sources(QRELS, files, MEASURES, jobs=jobs)
    assert score_sources(QRELS, [good, same], MEASURES, jobs=jobs).tags == ("good", "same")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 2])
def test_damaged_data_is_refused(tmp_path: Path, jobs: int) -> None:
    file, other = tmp_path / "a.run.gz", tmp_path / "b.run"
    file.write_bytes(gzip.compress(text_of(rows_of(1), "a").encode())[:-9])
    other.write_text(text_of(rows_of(1), "b"))
    with pytest.raises(InputError, match="damaged or cut short"):
        score_sources(QRELS, [other, file], MEASURES, jobs=jobs)


@pytest.mark.parametrize("qrels", [{}, {"other": {"d1": 1}}, {"q5": {}}])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("small")
def test_nothing_in_common_is_said(
    tmp_path: Path, qrels: dict[str, dict[str, int]], jobs: int
) -> None:
    file = tmp_path / "a.run"
    file.write_text(text_of(rows_of(1), "a"))
    with pytest.raises(UsageError) as whole:
        as_a_whole(qrels, [read_run(file)])
    with pytest.raises(UsageError) as error:
        score_sources(qrels, file, MEASURES, jobs=jobs)
    assert str(error.value) == str(whole.value)


@pytest.mark.usefixtures("small")
def test_a_process_that_dies_is_not_missed(tmp_path: Path, monkeypatch: Patch) -> None:
    file = tmp_path / "a.run"
    file.write_text(text_of(rows_of(1), "a"))
    expected = as_a_whole(QRELS, [read_run(file)])
    parent, scan_part = os.getpid(), parts.scan_part
    deaths = []

    def dies_elsewhere(*args: Any, **more: Any) -> Any:
        if os.getpid() != parent:
            os._exit(9)
        deaths.append(args)
        return scan_part(*args, **more)

    monkeypatch.setattr(parts, "scan_part", dies_elsewhere)
    assert score_sources(QRELS, file, MEASURES, jobs=3) == expected
    assert len(deaths) == 1  # so the other two parts had their own processes


@pytest.mark.usefixtures("small")
def test_an_interruption_leaves_no_child(tmp_path: Path, monkeypatch: Patch) -> None:
    file = tmp_path / "a.run"
    file.write_text(text_of(rows_of(1), "a"))
    parent = os.getpid()

    def waits_elsewhere(*args: Any, **more: Any) -> Any:
        if os.getpid() == parent:
            raise KeyboardInterrupt
        time.sleep(LONG)

    monkeypatch.setattr(parts, "scan_part", waits_elsewhere)
    with pytest.raises(KeyboardInterrupt):
        score_sources(QRELS, file, MEASURES, jobs=3)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
