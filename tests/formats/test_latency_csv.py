"""What was asked, beside a run: written, read, and refused with the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.collected import latency_beside
from judge_tui.formats.latency_csv import AskedQuery, latency_lines, read_latency
from judge_tui.formats.row_files import write_lines

HEAD = "query_id,seconds,tries,results,repeated,failure\n"

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
counts = st.integers(0, 10**9)


@given(
    st.dictionaries(
        texts.filter(bool),
        st.tuples(st.floats(0, 1e6).map(lambda one: round(one, 6)), counts, counts, counts, texts),
        max_size=5,
    )
)
def test_what_is_written_is_read_again(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("asked") / "x.latency.csv"
    asked = [
        AskedQuery(query_id, seconds, tries, 0 if failure else results, repeated, failure)
        for query_id, (seconds, tries, results, repeated, failure) in rows.items()
    ]
    write_lines(path, latency_lines(asked))
    found = read_latency(path)
    assert found is not None
    assert [
        AskedQuery(q.query_id, q.seconds, q.tries, q.results, q.repeated, q.failure) for q in found
    ] == asked


def test_a_reason_with_nul_is_no_file_that_nobody_can_read(tmp_path):
    path = tmp_path / "x.latency.csv"
    write_lines(path, latency_lines([AskedQuery("q", 1.0, 1, 0, 0, "said \0 and died")]))
    assert [one.failure for one in read_latency(path) or ()] == ["said ␀ and died"]


def test_only_what_collect_writes_is_taken_for_it(tmp_path):
    path = tmp_path / "x.latency.csv"
    path.write_text("query_id,milliseconds\nq1,5\n")
    assert read_latency(path) is None


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("q1,0.5,1,2,0", "2: 5 cells, but the header has 6"),
        (",0.5,1,2,0,", "2: the row has no query_id"),
        ("q1,soon,1,2,0,", "2: seconds is 'soon', which is no time"),
        ("q1,nan,1,2,0,", "2: seconds is 'nan', which is no time"),
        ("q1,-1,1,2,0,", "2: seconds is '-1', which is no time"),
        ("q1,0.5,1,many,0,", "2: results is 'many', which is no number"),
        ("q1,0.5,1,2,0,timed out", "2: a query that failed has results"),
        ("q1,0.5,1,2,0,\nq1,0.5,1,2,0,", "3: query 'q1' is in line 2 already"),
        ('q1,0.5,1,2,0,"timed out', "2: a quote that opens in this row is never closed"),
    ],
)
def test_a_bad_row_is_told_with_its_line(tmp_path, row, told):
    path = tmp_path / "x.latency.csv"
    path.write_text(f"{HEAD}{row}\n")
    with pytest.raises(InputError) as raised:
        read_latency(path)
    assert f"x.latency.csv:{told}" in str(raised.value)


def test_it_stands_beside_a_run_of_that_name(tmp_path):
    (tmp_path / "a.latency.csv").write_text(HEAD)
    assert latency_beside(tmp_path / "a.run") == tmp_path / "a.latency.csv"
    assert latency_beside(tmp_path / "b.run") is None
    assert latency_beside(tmp_path / "a.b") is None


@pytest.mark.parametrize("beside", ["new.v2.latency.csv", "new.v2.latency.csv.gz"])
@pytest.mark.parametrize("run", ["run", "run.gz", "run.xz", "run.zst", "run.bz2", "json", "csv.gz"])
def test_whatever_form_and_packing_the_run_has(tmp_path, run, beside):
    (tmp_path / beside).write_text(HEAD)
    assert latency_beside(tmp_path / f"new.v2.{run}") == tmp_path / beside
    # It is no run of which another says what was asked.
    assert latency_beside(tmp_path / beside) is None
