"""Runs scored while they are read: the same, to the last bit, however they are read.

The oracle is `score_runs` of runs that were read as a whole.
"""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from judge_tui import processes
from judge_tui.errors import JudgeTuiError
from judge_tui.formats.whole_files import read_run
from judge_tui.model import Run
from judge_tui.scan import parts
from judge_tui.scoring import Rules, Scores
from tests.packing import PACKERS
from tests.programs import run as run_alone
from tests.scan.generated_runs import GRADES, tidy_runs, touched_runs, untidy_runs
from tests.scored import score_sources
from tests.small_files import MEASURES, QRELS, Patch, as_a_whole, read_small, rows_of, text_of


@pytest.fixture
def small(monkeypatch: Patch) -> None:
    read_small(monkeypatch)


def plain(text: str) -> bytes:
    return text.encode()


def with_mark_and_crlf(text: str) -> bytes:
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()


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


def with_a_seventh_column(text: str) -> bytes:
    return text.replace("\n", " more\n").encode()


def without_tags(text: str) -> bytes:
    return "".join(line.rsplit(" ", 1)[0] + "\n" for line in text.splitlines()).encode()


def as_csv(text: str) -> bytes:
    rows = [line.split() for line in text.splitlines()]
    lines = [f"{query},{doc},{score}\n" for query, _, doc, _, score, _ in rows]
    return ("query_id,doc_id,score\n" + "".join(lines)).encode()


def as_json(text: str) -> bytes:
    run: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        query, _, doc, _, score, _ = line.split()
        run.setdefault(query, {})[doc] = float(score)
    return json.dumps(run).encode()


def packed(pack: Callable[[bytes], bytes]) -> Callable[[str], bytes]:
    return lambda text: pack(text.encode())


SHAPES: dict[str, Callable[[str], bytes]] = {
    "plain": plain,
    "BOM and CRLF": with_mark_and_crlf,
    "no end": lambda text: text.encode().removesuffix(b"\n"),
    "shuffled": shuffled,
    "odd": now_and_then_odd,
    "no tag": without_tags,
    "seven columns": with_a_seventh_column,
    "CSV": as_csv,
    "JSON": as_json,
    **{name: packed(pack) for name, pack in PACKERS.items()},
}
IN_PARTS = {"plain", "BOM and CRLF", "no end", "odd", "no tag", "seven columns"}
AS_A_WHOLE = {"shuffled"}  # which shows when it is read in parts


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
    tmp_path: Path, monkeypatch: Patch, results_of_parts: list[Any], shape: str, precision: Any
) -> None:
    file = tmp_path / "a.run"
    file.write_bytes(SHAPES[shape](text_of(rows_of(1), "a")))
    expected = as_a_whole(QRELS, [read_run(file)], precision=precision)
    for fast in (False, True):
        read_small(monkeypatch, fast=fast)
        for jobs in (1, 3):
            results_of_parts.clear()
            scores = score_sources(QRELS, file, MEASURES, precision=precision, jobs=jobs)
            assert scores == expected
            divided = jobs > 1 and shape in IN_PARTS | AS_A_WHOLE
            assert len(results_of_parts) == divided * jobs
            assert (None in results_of_parts) == (divided and shape in AS_A_WHOLE)
    assert score_sources(QRELS, file, MEASURES, precision=precision) == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("precision", [64, 32])
def test_files_mappings_and_runs_are_scored_in_their_order(
    tmp_path: Path, results_of_parts: list[Any], jobs: int, precision: Any
) -> None:
    files = []
    for seed, name in enumerate(["large", "packed.gz", "small", "other"]):
        text = text_of(rows_of(seed)[-200 if name == "small" else 0 :], name).encode()
        files.append(tmp_path / name)
        files[-1].write_bytes(gzip.compress(text) if name == "packed.gz" else text)
    close = {"q5": {"d1": 20.0000001, "d2": 20.0000002, "never-found": 20.0}}
    several: Any = [Run("mine", close), *files]
    sources: Any = {"x": files[0], "dict": close, "y": files[1], "z": files[2], "w": files[3]}
    expected = as_a_whole(
        QRELS,
        [
            read_run(files[0], tag="x"),
            Run("dict", close),
            read_run(files[1], tag="y"),
            read_run(files[2], tag="z"),
            read_run(files[3], tag="w"),
        ],
        precision=precision,
    )
    assert score_sources(QRELS, sources, MEASURES, precision=precision, jobs=jobs) == expected
    assert bool(results_of_parts) == (jobs > 1)
    assert None not in results_of_parts
    listed = score_sources(QRELS, several, MEASURES, precision=precision, jobs=jobs)
    assert [scored.tag for scored in listed.runs] == [
        "mine",
        "large",
        "packed.gz",
        "small",
        "other",
    ]
    assert listed.runs[0].values == expected["dict"].values


def test_scores_that_32_bits_cannot_tell_apart_are_tied_in_a_mapping_too() -> None:
    # By hand: 20.0000001 and 20.0000002 are one float of 32 bits; then d2 comes before d1.
    run = {"q1": {"d1": 20.0000002, "d2": 20.0000001}}
    for precision, value in ((64, 1.0), (32, 0.5)):
        scores = score_sources({"q1": {"d1": 1}}, {"r": run}, "RR", precision=precision)  # type: ignore[arg-type]
        assert scores["r"].values == {"RR": (value,)}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "rules", [Rules(complete=True), Rules(judged_only=True), Rules(depth=3), Rules(True, False, 1)]
)
def test_the_rules_are_those_of_all_processes(tmp_path: Path, rules: Rules) -> None:
    file = tmp_path / "a.run"
    file.write_text(text_of(rows_of(1), "a"))
    expected = as_a_whole(QRELS, [read_run(file)], rules=rules)
    for jobs in (1, 3):
        assert score_sources(QRELS, file, MEASURES, rules=rules, jobs=jobs) == expected


@pytest.mark.usefixtures("small")
def test_bounds_are_sent_by_processes_too(tmp_path: Path, results_of_parts: list[Any]) -> None:
    file = tmp_path / "a.run"
    file.write_text(text_of(rows_of(1), "a"))
    names = ["nDCG@10", "P@5", "Bpref"]
    alone, divided = (
        score_sources(QRELS, file, names, possible_grades=(0, 1, 2, 3), jobs=jobs)
        for jobs in (1, 3)
    )
    assert alone == divided
    assert alone["a"].bounds
    assert len(results_of_parts) == 3
    assert None not in results_of_parts


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
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    tags = [f"tag{place}" for place in range(len(files))] if len(files) > 1 else [None]
    try:
        runs = []
        for file, tag in zip(files, tags, strict=True):
            runs.append(read_run(file, tag=tag))
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
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_query_that_comes_again_is_one_query(tmp_path: Path, jobs: int) -> None:
    file = tmp_path / "a.run"
    rows = rows_of(1)
    first = [row for row in rows if row[0] == "q5"]
    file.write_text(text_of([*first[:3], *(r for r in rows if r[0] != "q5"), *first[3:]], "a"))
    whole = tmp_path / "whole.run"
    whole.write_text(text_of(rows, "a"))
    assert score_sources(QRELS, file, MEASURES, jobs=jobs) == as_a_whole(QRELS, [read_run(whole)])


@pytest.mark.usefixtures("small")
def test_ids_that_share_a_hash_change_nothing(tmp_path: Path) -> None:
    # Only a mapping can hold NUL, with which the texts of the index are filled up.
    file = tmp_path / "a.run"
    file.write_text(text_of(rows_of(1), "a"))
    qrels = {**QRELS, "q3": {"d1": 1, "d1\0": 2}}
    expected = as_a_whole(qrels, [read_run(file)])
    for jobs in (1, 2):
        assert score_sources(qrels, file, MEASURES, jobs=jobs) == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("fast", [False, True])
def test_progress_ends_at_the_size_of_the_files(
    tmp_path: Path, monkeypatch: Patch, fast: bool
) -> None:
    read_small(monkeypatch, fast=fast)
    files = [tmp_path / "a.run", tmp_path / "b.run"]
    for seed, file in enumerate(files):
        file.write_text(text_of(rows_of(seed), file.name))
    told: list[tuple[int, int]] = []
    score_sources(
        QRELS, files, MEASURES, jobs=1, on_read=lambda done, total: told.append((done, total))
    )
    total = sum(file.stat().st_size for file in files)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (total, total)
    assert len(told) > 10


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_standard_input_is_scored_beside_files(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "qrels").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, gs in QRELS.items() for d, g in gs.items())
    )
    (tmp_path / "file.run").write_text(text_of(rows_of(2), "file"))
    (tmp_path / "-").write_text("this file is no run, and not asked for\n" * 10)
    run = text_of(rows_of(1), "piped")
    (tmp_path / "same.run").write_text(run)

    def printed(*runs: str) -> Any:
        words = ("score", "qrels", *runs, "-q", "-f", "json", "-j", jobs, "-m", "AP", "-m", "nDCG")
        done = run_alone(*words, given=run.encode(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["runs"]

    assert printed("file.run", "-") == printed("file.run", "same.run")


def test_a_file_named_like_standard_input_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "-").write_text(text_of(rows_of(2), "a"))
    code = (
        "import judge_tui\nfrom judge_tui.scan import parts\n"
        "parts._PART_FROM = 100\n"
        "scores = judge_tui.score({'q5': {'d': 1}}, '-', 'NumRet', jobs=3)\n"
        "print(*scores.runs[0].values['NumRet'], scores.runs[0].tag)\n"
    )
    lines = "".join(f"q5 Q0 d{number} 1 1 piped\n" for number in range(9000))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        input=lines.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"9000.0 piped\n"


@pytest.mark.parametrize("fast", [False, True])
def test_what_is_held_follows_the_block_and_not_the_file(
    tmp_path: Path, monkeypatch: Patch, fast: bool
) -> None:
    file = tmp_path / "a.run"
    with file.open("w") as lines:
        for query in range(400):
            lines.writelines(f"q{query} Q0 document{n:080} 1 {-n} a\n" for n in range(100))
    read_small(monkeypatch, fast=fast, block=40_000)
    score_sources(QRELS, file, MEASURES, jobs=1)  # what is imported for it is no part of it
    tracemalloc.start()
    try:
        score_sources(QRELS, file, MEASURES, jobs=1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert file.stat().st_size > 4_000_000
    assert most < 1_000_000
