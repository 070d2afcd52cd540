"""The bench itself, at a small size: its data is what it says, and its check finds what is wrong.

The shares are those that the shapes were asked to have; nothing here looks at a clock.
"""

import itertools
import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.contest import Contestant, cost_of, hold
from tests.benchmarks.correctness import (
    CLOSE,
    differences,
    differences_from_one_process,
    differences_from_pytrec_eval,
    our_values,
    values_by_pytrec_eval,
)
from tests.benchmarks.graded import INTERLEAVED, STYLES, UNSORTED, write_graded
from tests.benchmarks.passages import DEPTH, LINE_BYTES, write_passages
from tests.benchmarks.peers import in_memory_peers, ours
from tests.benchmarks.system_values import all_differences, system_values


@pytest.fixture(scope="module")
def passages(tmp_path_factory):
    return write_passages(tmp_path_factory.mktemp("passages"), 600, seed=1)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    return write_graded(tmp_path_factory.mktemp("graded"), INTERLEAVED + 1, 3, seed=1)


def fields_by_query(path):
    rows = [line.split(" ") for line in path.read_text().splitlines()]
    return {key: list(group) for key, group in itertools.groupby(rows, key=lambda row: row[0])}


def test_passages_are_in_the_shape_of_ms_marco(passages):
    run = fields_by_query(passages.runs[0])
    judged = fields_by_query(passages.qrels)
    assert len(run) == len(judged) == 600
    assert passages.runs[0].stat().st_size <= 600 * DEPTH * LINE_BYTES
    tied = 0
    for rows in run.values():
        assert [int(row[3]) for row in rows] == list(range(1, DEPTH + 1))
        assert len({row[2] for row in rows}) == DEPTH
        assert all(len(row[4].partition(".")[2]) == 6 for row in rows)
        scores = [float(row[4]) for row in rows]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0
        tied += sum(a == b for a, b in itertools.pairwise(scores))
    assert tied / (600 * DEPTH) == pytest.approx(0.06, abs=0.005)
    assert sum(map(len, judged.values())) / 600 == pytest.approx(1.07, abs=0.03)
    found = sum(judged[query_id][0][2] in {row[2] for row in run[query_id]} for query_id in run)
    assert found / 600 == pytest.approx(0.86, abs=0.05)


def test_graded_runs_differ_in_how_they_are_written(graded):
    assert {line.split()[3] for line in graded.qrels.read_text().splitlines()} == set("0123")
    assert len(graded.qrels.read_text().splitlines()) == 3 * 200
    assert len(graded.runs) > len(STYLES)
    texts = [path.read_text() for path in graded.runs]
    scores = [[line.split()[4] for line in text.splitlines()] for text in texts]
    assert all(len(of_run) == 3 * DEPTH for of_run in scores)
    assert len(set(scores[1])) < DEPTH  # two decimals: ties
    assert len(set(scores[2])) == len(set(map(float, scores[2])))  # told apart by 64 bits
    assert all("e" in score for score in scores[3])
    assert all(score.lstrip("-").isdecimal() for score in scores[4])
    first_topic = [float(score) for score in scores[UNSORTED][:DEPTH]]
    assert first_topic != sorted(first_topic, reverse=True)
    assert len(fields_by_query(graded.runs[0])) == 3
    interleaved = [line.split()[0] for line in texts[INTERLEAVED].splitlines()]
    assert len(list(itertools.groupby(interleaved))) > 3


def test_a_seed_gives_the_same_data(tmp_path, passages, graded):
    again = [write_passages(tmp_path, 600, seed=1), write_graded(tmp_path, len(graded.runs), 3, 1)]
    for old, new in zip([passages, graded], again, strict=True):
        pairs = zip([old.qrels, *old.runs], [new.qrels, *new.runs], strict=True)
        assert all(a.read_bytes() == b.read_bytes() for a, b in pairs)
    assert (system_values(5, 7, 1) == system_values(5, 7, 1)).all()
    assert all_differences(system_values(5, 7, 1)).shape == (10, 7)


def test_what_we_print_for_the_data_is_right(passages, graded, capsys):
    for shape, queries in (passages, 600), (graded, 3 * len(graded.runs)):
        assert differences_from_pytrec_eval(shape) == []
        assert f"{6 * queries:,} values, 0 wrong" in capsys.readouterr().out
        assert differences_from_one_process(shape) == []


def test_a_wrong_value_is_found(tmp_path):
    shape = write_graded(tmp_path, 1, 2, seed=2)
    first, *others = shape.qrels.read_text().splitlines(keepends=True)
    query_id, iteration, doc_id, grade = first.split()
    other = replace(shape, qrels=tmp_path / "one grade is another")
    changed = f"{query_id} {iteration} {doc_id} {0 if int(grade) else 1}\n"
    other.qrels.write_text("".join([changed, *others]))
    found = differences(our_values(shape, 32), values_by_pytrec_eval(other, 32), CLOSE)
    assert found
    assert all(f"of query {query_id}: " in line for line in found)


def test_a_query_without_a_value_is_found():
    ours, theirs = {"q1": {"AP": 0.5}}, {"q1": {"AP": 0.5}, "q2": {"AP": 0.5}}
    assert differences([("run", ours)], [("run", theirs)], CLOSE) == [
        "run: query q2 is on one side only"
    ]
    nan = {"q1": {"AP": math.nan}}
    assert differences([("run", nan)], [("run", ours)], CLOSE) == [
        "run: AP of query q1: nan, not 0.5"
    ]


def test_all_can_be_asked_for_the_work(graded):
    for contestant in [*ours(graded), *in_memory_peers(graded)]:
        assert cost_of(contestant.commands).failed == 0, contestant.name


def test_a_failure_is_said_and_not_timed(capsys):
    fine, failing = [sys.executable, "-c", ""], [sys.executable, "-c", "raise SystemExit(3)"]
    rows = hold([Contestant("fine", [fine]), Contestant("failing", [fine, failing])], rounds=2)
    assert [row.failed for row in rows] == [0, 3]
    assert len(rows[0].costs) == 2
    assert "failing  failed: exit code 3" in capsys.readouterr().out


HOLD_40_MB = "held = bytearray(40_000_000); held[::4096] = b'x' * len(held[::4096])"


def test_memory_is_the_processes_own():
    # This process is larger than an empty Python; the kernel would count it, were it the starter.
    held = bytearray(100_000_000)
    held[::4096] = b"x" * len(held[::4096])
    empty, full = (
        cost_of([[sys.executable, "-I", "-S", "-c", code]]).largest for code in ("", HOLD_40_MB)
    )
    assert 0 < empty < 40_000_000 < full < len(held)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="memory is watched in /proc")
def test_memory_of_several_processes_is_summed():
    child = f"import time; {HOLD_40_MB}; time.sleep(0.3)"
    parent = (
        "import subprocess, sys;"
        f"children = [subprocess.Popen([sys.executable, '-c', {child!r}]) for _ in range(2)];"
        "[child.wait() for child in children]"
    )
    cost = cost_of([[sys.executable, "-c", parent]], together=True)
    assert cost.processes == 3
    assert cost.largest < 80_000_000 < cost.summed
