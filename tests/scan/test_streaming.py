"""Runs scored while they are read: the same, to the last bit, however they are read, and refused
with the same words. The oracle is `score_runs` of runs that were read as a whole."""

from __future__ import annotations

import gzip
import json
import os
import random
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from judge_tui import processes
from judge_tui.errors import InputError, JudgeTuiError, UsageError
from judge_tui.formats.whole_files import read_run
from judge_tui.model import Run
from judge_tui.scan import parts
from judge_tui.scoring import Scores
from tests.packing import PACKERS
from tests.programs import run as run_alone
from tests.scan.generated_runs import GRADES, tidy_runs, touched_runs, untidy_runs
from tests.scored import score_sources
from tests.small_files import MEASURES, QRELS, Patch, as_a_whole, read_small, rows_of, text_of

LONG = 600  # seconds that nobody is to wait for


@pytest.fixture
def small(monkeypatch: Patch) -> None:
    read_small(monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.run"
    path.write_text(text_of(rows_of(1), "a"))
    return path


def shuffled(text: str) -> bytes:
    lines = text.splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    return "".join(lines).encode()


def now_and_then_odd(text: str) -> bytes:
    source = random.Random(4)
    ends = ["\n"] * 9 + ["\n\n", " \n", "\r\n"]
    return "".join(
        line.replace(" ", source.choice([" "] * 9 + ["\t", "  "])) + source.choice(ends)
        for line in text.splitlines()
    ).encode()


def a_query_again(text: str) -> bytes:
    lines = text.splitlines(keepends=True)
    first = [line for line in lines if line.startswith("q5 ")]
    others = [line for line in lines if not line.startswith("q5 ")]
    return "".join([*first[:3], *others, *first[3:]]).encode()


def as_json(text: str) -> bytes:
    run: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        query, _, doc, _, score, _ = line.split()
        run.setdefault(query, {})[doc] = float(score)
    return json.dumps(run).encode()


def packed(pack: Callable[[bytes], bytes]) -> Callable[[str], bytes]:
    return lambda text: pack(text.encode())


SHAPES: dict[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "BOM and CRLF": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "no end": lambda text: text.encode().removesuffix(b"\n"),
    "odd": now_and_then_odd,
    "no tag": lambda text: text.replace(" a\n", "\n").encode(),
    "seven columns": lambda text: text.replace("\n", " more\n").encode(),
    "shuffled": shuffled,
    "a query again": a_query_again,
    "JSON": as_json,
    **{name: packed(pack) for name, pack in PACKERS.items()},
}
AS_A_WHOLE = {"JSON", *PACKERS}


@pytest.fixture
def results_of_parts(monkeypatch: Patch) -> list[Any]:
    """What every process gave for every part: None where one could not be read there."""
    results: list[Any] = []
    in_processes = processes.in_processes

    def noted(*args: Any) -> list[Any]:
        found = in_processes(*args)
        results.extend(found)
        return found

    monkeypatch.setattr(parts, "in_processes", noted)
    return results


@pytest.mark.parametrize("precision", [64, 32])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_scores_are_the_same_however_a_file_is_read(
    file: Path, monkeypatch: Patch, results_of_parts: list[Any], shape: str, precision: Any
) -> None:
    file.write_bytes(SHAPES[shape](file.read_text()))
    expected = as_a_whole(QRELS, [read_run(file)], precision=precision)
    for fast in (False, True):
        read_small(monkeypatch, fast=fast)
        for jobs in (1, 3):
            results_of_parts.clear()
            scores = score_sources(QRELS, file, MEASURES, precision=precision, jobs=jobs)
            assert scores == expected
            divided = jobs > 1 and shape not in AS_A_WHOLE
            assert len(results_of_parts) == divided * jobs
            assert (None in results_of_parts) == (divided and shape == "shuffled")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_files_and_mappings_are_scored_in_their_order(
    tmp_path: Path, results_of_parts: list[Any], jobs: int
) -> None:
    files = []
    for seed, name in enumerate(["large", "packed.gz", "small"]):
        text = text_of(rows_of(seed)[-200 if name == "small" else 0 :], name).encode()
        files.append(tmp_path / name)
        files[-1].write_bytes(gzip.compress(text) if name == "packed.gz" else text)
    close = {"q5": {"d1": 20.0000001, "d2": 20.0000002, "never-found": 20.0}}
    sources: Any = {"x": files[0], "dict": close, "y": files[1], "z": files[2]}
    runs = [
        Run("dict", close) if tag == "dict" else read_run(f, tag=tag) for tag, f in sources.items()
    ]
    assert score_sources(QRELS, sources, MEASURES, jobs=jobs) == as_a_whole(QRELS, runs)
    assert bool(results_of_parts) == (jobs > 1)
    assert None not in results_of_parts
    listed = score_sources(QRELS, files, MEASURES, jobs=jobs)
    assert listed.tags == ("large", "packed.gz", "small")


def test_scores_that_32_bits_cannot_tell_apart_are_tied_in_a_mapping_too() -> None:
    # By hand: 20.0000001 and 20.0000002 are one float of 32 bits; then d2 comes before d1.
    run: Any = {"q1": {"d1": 20.0000002, "d2": 20.0000001}}
    for precision, value in ((64, 1.0), (32, 0.5)):
        scores = score_sources({"q1": {"d1": 1}}, {"r": run}, "RR", precision=precision)
        assert scores["r"].values == {"RR": (value,)}


@given(
    st.lists(st.one_of(tidy_runs(), touched_runs(), untidy_runs()), min_size=1, max_size=2),
    GRADES,
    st.sampled_from([1, 2, 3]),
    st.booleans(),
    st.sampled_from([64, 32]),
    st.sampled_from([1, 80, 1 << 20]),
)
def test_any_runs_are_scored_or_refused_as_if_read_as_a_whole(
    tmp_path_factory: pytest.TempPathFactory,
    contents: list[bytes],
    qrels: dict[str, dict[str, int]],
    jobs: int,
    fast: bool,
    precision: Any,
    block: int,
) -> None:
    files = [tmp_path_factory.getbasetemp() / f"{place}.run" for place in range(len(contents))]
    for path, content in zip(files, contents, strict=True):
        path.write_bytes(content)
    tags = [f"tag{place}" for place in range(len(files))] if len(files) > 1 else [None]
    try:
        runs = []
        for path, tag in zip(files, tags, strict=True):
            runs.append(read_run(path, tag=tag))
            as_a_whole(qrels, runs[-1:])  # what is wrong with one is told before the next is read
        expected: Scores | str = as_a_whole(qrels, runs, precision=precision)
    except JudgeTuiError as error:
        expected = str(error)
    sources: Any = files[0] if tags == [None] else dict(zip(tags, files, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        read_small(patch, fast=fast, block=block, part=1)
        try:
            scores: Scores | str = score_sources(
                qrels, sources, MEASURES, precision=precision, jobs=jobs
            )
        except JudgeTuiError as error:
            scores = str(error)
    event("refused" if isinstance(scores, str) else "scored")
    assert scores == expected


@pytest.mark.usefixtures("small")
def test_progress_ends_at_the_size_of_the_files(file: Path) -> None:
    told: list[tuple[int, int]] = []
    score_sources(QRELS, file, MEASURES, jobs=1, on_read=lambda *counts: told.append(counts))
    total = file.stat().st_size
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (total, total)
    assert len(told) > 10


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_standard_input_is_scored_beside_files(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "qrels").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, gs in QRELS.items() for d, g in gs.items())
    )
    (tmp_path / "file.run").write_text(text_of(rows_of(2), "file"))
    (tmp_path / "-").write_text("this file is not a run, and not asked for\n" * 10)
    run = text_of(rows_of(1), "piped")
    (tmp_path / "same.run").write_text(run)

    def printed(*runs: str) -> Any:
        words = ("score", "qrels", *runs, "-q", "-f", "json", "-j", jobs, "-m", "AP", "-m", "nDCG")
        done = run_alone(*words, given=run.encode(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["runs"]

    assert printed("file.run", "-") == printed("file.run", "same.run")


@pytest.mark.parametrize("fast", [False, True])
def test_memory_follows_the_block_and_not_the_file(
    tmp_path: Path, monkeypatch: Patch, fast: bool
) -> None:
    file = tmp_path / "a.run"
    with file.open("w") as lines:
        for query in range(400):
            lines.writelines(f"q{query} Q0 document{n:080} 1 {-n} a\n" for n in range(100))
    read_small(monkeypatch, fast=fast, block=40_000)
    score_sources(QRELS, file, MEASURES, jobs=1)  # what is imported for it is not a part of it
    tracemalloc.start()
    try:
        score_sources(QRELS, file, MEASURES, jobs=1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert file.stat().st_size > 4_000_000
    assert most < 1_000_000


# Faults: told with their line, as if the file was read whole.

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
    file: Path, monkeypatch: Patch, fault: str, fast: bool
) -> None:
    lines = file.read_text().splitlines(keepends=True)
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
    file: Path, monkeypatch: Patch, jobs: int, fast: bool
) -> None:
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
def test_the_first_file_with_a_fault_is_told(file: Path, tmp_path: Path, jobs: int) -> None:
    bad, worse, cut = (tmp_path / name for name in ("bad", "worse", "cut.gz"))
    bad.write_text(text_of(rows_of(1), "b") + "q99 Q0 d 1 nan b\n")
    worse.write_text("no run\n" + text_of(rows_of(2), "c") * 2)
    cut.write_bytes(gzip.compress(file.read_bytes())[:-9])
    for files, named in (
        ([file, bad, worse], "bad"),
        ([worse, bad, file], "worse"),
        ([file, tmp_path / "missing", bad], "missing"),
        ([file, tmp_path, bad], str(tmp_path)),
        ([file, cut], "damaged or cut short"),
    ):
        with pytest.raises(InputError, match=named):
            score_sources(QRELS, files, MEASURES, jobs=jobs)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("qrels", [{}, {"other": {"d1": 1}}, {"q5": {}}])
@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_in_common_is_said(file: Path, qrels: dict[str, dict[str, int]], jobs: int) -> None:
    with pytest.raises(UsageError) as whole:
        as_a_whole(qrels, [read_run(file)])
    with pytest.raises(UsageError) as error:
        score_sources(qrels, file, MEASURES, jobs=jobs)
    assert str(error.value) == str(whole.value)


@pytest.mark.usefixtures("small")
def test_a_process_that_dies_is_not_missed(file: Path, monkeypatch: Patch) -> None:
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
def test_an_interruption_leaves_no_child(file: Path, monkeypatch: Patch) -> None:
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
