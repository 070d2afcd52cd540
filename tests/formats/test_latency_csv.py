"""What was asked, beside a run: written, read again, and found beside its run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge_tui
from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.collected import asked_beside, latency_beside
from judge_tui.formats.latency_csv import AskedQuery, latency_lines, read_latency
from judge_tui.formats.whole_files import read_run
from judge_tui.formats.writing import write_lines
from judge_tui.model import Run

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
counts = st.integers(0, 10**9)
seconds = st.floats(0, 1e6).map(lambda one: round(one, 6))
ROWS = st.dictionaries(
    texts.filter(bool), st.tuples(seconds, counts, counts, counts, texts), max_size=5
)


@given(ROWS)
def test_what_is_written_is_read_again(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "x.latency.csv"
    asked = [
        AskedQuery(query_id, seconds, tries, 0 if failure else results, repeated, failure)
        for query_id, (seconds, tries, results, repeated, failure) in rows.items()
    ]
    write_lines(path, latency_lines(asked))
    fields = ("query_id", "seconds", "tries", "results", "repeated", "failure")
    assert [[getattr(one, name) for name in fields] for one in read_latency(path)] == [
        [getattr(one, name) for name in fields] for one in asked
    ]


def test_a_reason_with_nul_is_no_file_that_nobody_can_read(tmp_path):
    path = tmp_path / "x.latency.csv"
    write_lines(path, latency_lines([AskedQuery("q", 1.0, 1, 0, 0, "said \0 and died")]))
    assert [one.failure for one in read_latency(path)] == ["said ␀ and died"]
    # Only what collect writes is taken for it.
    path.write_text("query_id,milliseconds\nq1,5\n")
    assert read_latency(path) is None


@pytest.mark.parametrize("beside", ["new.v2.latency.csv", "new.v2.latency.csv.gz"])
@pytest.mark.parametrize("run", ["run", "run.gz", "run.xz", "run.zst", "run.bz2", "json", "csv.gz"])
def test_it_stands_beside_a_run_of_whatever_form_and_packing(tmp_path, run, beside):
    (tmp_path / beside).write_text("")
    assert latency_beside(tmp_path / f"new.v2.{run}") == tmp_path / beside
    # It is not a run of which another says what was asked.
    for other in (beside, f"old.{run}", "new.b"):
        assert latency_beside(tmp_path / other) is None


def test_an_empty_run_is_one_where_the_file_beside_says_that_all_was_asked_in_vain(tmp_path):
    run, beside, qrels = (tmp_path / name for name in ("a.run", "a.latency.csv", "qrels"))
    run.write_text("")
    qrels.write_text("q1 0 d1 1\n")
    for results in (None, 3):
        if results:  # then it was cut off
            write_lines(beside, latency_lines([AskedQuery("q1", 1.0, 1, results, 0, "")]))
        for read in (read_run, lambda path: judge_tui.score(qrels, path)):
            with pytest.raises(InputError, match="the file is empty"):
                read(run)
        assert len(check_file(run)) == 1
    write_lines(beside, latency_lines([AskedQuery("q 1", 1.0, 1, 0, 0, "timed out")]))
    assert read_run(run) == Run("a", {})
    assert check_file(run) == []
    assert asked_beside(run) == {"q%201": "timed out"}
    write_lines(beside, latency_lines([AskedQuery("q1", 1.0, 1, 0, 0, "")]))
    assert judge_tui.score(qrels, run, measures="P@1")["a"].mean("P@1") == 0
