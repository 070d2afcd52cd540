"""Runs and qrels in memory: the same values in every form, as mappings, tables, rows and files."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge_tui
from judge_tui.errors import UsageError
from judge_tui.formats.tables import unguarded
from judge_tui.model import Run
from tests.imports import imported_by

GRADED = [("q1", "a", 2), ("q1", "b", 0), ("q1", "c", 1), ("q2", "a", 1), ("q3", "d", 0)]
SCORED = [("q1", "x", 3.5), ("q1", "c", 2.5), ("q1", "a", -1.0), ("q2", "b", 1.0), ("q2", "a", 1.0)]
OTHER = [(query, doc, -score) for query, doc, score in SCORED]
MEASURES = ["nDCG@10", "RR", "AP", "Judged@2"]


def nested(rows):
    found = {}
    for query_id, doc_id, number in rows:
        found.setdefault(query_id, {})[doc_id] = number
    return found


def values(qrels, runs, measures=MEASURES, **options):
    """Every value of every query, by tag."""
    scores = judge_tui.score(qrels, runs, measures, **options)
    return {run.tag: (run.query_ids, dict(run.values)) for run in scores.runs}


QRELS = nested(GRADED)
EXPECTED = values(QRELS, nested(SCORED))["run"]
EXPECTED_OTHER = values(QRELS, nested(OTHER))["run"]


def frame(rows, *names):
    return pd.DataFrame(rows, columns=list(names))


def of_columns(make: Callable[..., Any], *names: str) -> Callable[[list[Any]], Any]:
    """A form whose columns have names: of ids, of grades in the qrels and of scores in a run."""
    query, doc, grade, score = (*names, *NAMES[len(names) :])
    return lambda rows: make(rows, query, doc, score if isinstance(rows[0][2], float) else grade)


NAMES = ("query_id", "doc_id", "relevance", "score")
FORMS: dict[str, Callable[[list[Any]], Any]] = {
    "frame": of_columns(frame),
    "frame of pyterrier": of_columns(frame, "qid", "docno", "label"),
    "frame of odd names": of_columns(frame, "Query-ID", "corpus id", "Rel", "SIM"),
    "frame of categories": of_columns(lambda *its: frame(*its).astype({its[1]: "category"})),
    "frame of objects": of_columns(lambda *its: frame(*its).astype(object)),
    "frame of nullable types": of_columns(lambda *its: frame(*its).convert_dtypes()),
    "objects": of_columns(
        lambda rows, *names: [make_dataclass("Row", names)(*row) for row in rows]
    ),
    "tuples": lambda rows: rows,
    "generator": lambda rows: (row for row in rows),
    "mapping": nested,
    "ir_measures": lambda rows: (
        (ir_measures.ScoredDoc if isinstance(rows[0][2], float) else ir_measures.Qrel)(*row)
        for row in rows
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_what_a_mapping_says(tmp_path: Path, form: str) -> None:
    make = FORMS[form]
    assert values(make(GRADED), make(SCORED)) == {"run": EXPECTED}
    assert values(QRELS, {"mine": make(SCORED)}) == {"mine": EXPECTED}
    file = tmp_path / "file.run"
    file.write_text("".join(f"{q} Q0 {d} 1 {s} file\n" for q, d, s in SCORED))
    # A list may hold runs of every form.
    runs = [make(SCORED), Run("b", nested(OTHER)), file, make(OTHER)]
    assert values(QRELS, runs) == {
        "run1": EXPECTED,
        "b": EXPECTED_OTHER,
        "file": EXPECTED,
        "run4": EXPECTED_OTHER,
    }


def test_what_other_libraries_have() -> None:
    text = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in SCORED)
    read = ir_measures.read_trec_run(io.StringIO(text))
    assert values(QRELS, {"run": read}) == {"run": EXPECTED}
    # pyterrier: both `docid`, a number, and `docno`; both `query`, the text, and `qid`.
    run = frame(SCORED, "qid", "docno", "score").assign(docid=range(5), query="how to", rank=9)
    assert values(frame(GRADED, "qid", "docno", "label"), run) == {"run": EXPECTED}
    # Ranks from 0, where there are no scores.
    ranked = [("q1", "x", 0), ("q1", "c", 1), ("q1", "a", 2), ("q2", "b", 1.0), ("q2", "a", 2.0)]
    assert values(QRELS, frame(ranked, "qid", "docno", "rank")) == {"run": EXPECTED}


def test_a_rating_is_a_grade_where_queries_and_documents_are_called_as_quepid_has_them():
    run = {"q1": {"d1": 1.0}}
    with pytest.raises(UsageError, match="the qrels: there is no column relevance"):
        judge_tui.score(frame([("q1", "d1", 5)], "qid", "docno", "rating"), run)
    graded = frame([("q1", "a  text", "d1", 1, 5)], "qid", "query", "docid", "label", "rating")
    assert judge_tui.score(graded, run, "NumRel")["run"].mean("NumRel") == 1


def test_a_table_with_a_column_of_tags_holds_several_runs():
    apart = {"old": EXPECTED, "7": EXPECTED_OTHER}
    together = pd.concat([frame(SCORED, *"qds").assign(t="old"), frame(OTHER, *"qds").assign(t=7)])
    for name in ("tag", "Tag"):
        named = together.rename(columns={"q": "qid", "d": "docno", "s": "score", "t": name})
        assert values(QRELS, named) == apart
        # A tag that is given goes before those of the column.
        assert values(QRELS, {"mine": named[named[name] == 7]}) == {"mine": EXPECTED_OTHER}
        assert values(QRELS, named.iloc[:5].assign(**{name: None})) == {"run": EXPECTED}


def test_what_nobody_judged_and_what_was_not_retrieved():
    # An outer join of run and qrels: grades become floats, and both columns have gaps.
    joined = frame(SCORED, "qid", "docno", "score").merge(
        frame(GRADED, "qid", "docno", "label"), how="outer"
    )
    assert list(joined.columns[joined.isna().any()]) == ["score", "label"]
    assert values(joined, joined) == {"run": EXPECTED}
    assert values(joined.astype({"label": "Int64"}), joined.convert_dtypes()) == {"run": EXPECTED}


def test_numbers_stand_for_their_digits_in_ids_and_for_numbers():
    qrels, run = {"1": {"7": 1}}, {"1": {"8": 2.0, "7": 1.0}}
    expected = values(qrels, run)
    table = frame([(1, 8, 2.0), (1, 7, 1.0)], "qid", "docno", "score")
    assert table.dtypes.iloc[0] == np.int64
    for runs in (
        table,
        table.astype(object),
        {1: {8: np.float32(2.0), np.int64(7): 1}},
        [(1, "8", 2), (1, 7, np.int8(1))],
    ):
        assert values(qrels, runs) == expected
        assert values({1: {7: np.int64(1)}}, runs) == expected


def test_white_space_in_ids_is_written_as_in_files(tmp_path):
    (tmp_path / "qrels").write_text("q%201 0 my%20file 1\n")
    for run in ({"q 1": {"my file": 1.0}}, frame([("q 1", "my file", 1)], "qid", "docno", "score")):
        found = values(tmp_path / "qrels", run, "RR")
        assert found == {"run": (("q%201",), {"RR": (1.0,), "Judged@10": (1.0,)})}


# What a CSV file would take off as the guard against formulas, a frame keeps: no such ids.
IDS = (
    st.text(st.sampled_from("aB1 ,;\"'%20\té\n#"), min_size=1, max_size=4)
    .filter(str.strip)
    .filter(lambda text: all(unguarded(one) == one for one in (text, text.lstrip(), text.strip())))
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)


@given(
    st.dictionaries(st.tuples(IDS, IDS), st.none() | st.integers(-1, 3), min_size=1, max_size=12),
    st.dictionaries(st.tuples(IDS, IDS), NUMBERS, min_size=1, max_size=12),
    st.sampled_from([None, "q"]),
)
def test_a_frame_says_what_its_csv_says(tmp_path_factory, graded, scored, shared):
    """The readers of files are the oracle: `to_csv`, and the file in place of the frame."""
    folder = tmp_path_factory.getbasetemp()
    qrels = frame([(*pair, grade) for pair, grade in graded.items()], "query_id", "doc_id", "rel")
    run = frame([(*pair, score) for pair, score in scored.items()], "query_id", "doc_id", "score")
    if shared:
        qrels, run = qrels.assign(query_id=shared), run.assign(query_id=shared)
    qrels.to_csv(folder / "qrels.csv")
    run.to_csv(folder / "run.csv", index=False)
    assert outcome(qrels, {"r": run}) == outcome(folder / "qrels.csv", {"r": folder / "run.csv"})


def outcome(qrels, runs):
    try:
        return values(qrels, runs)
    except judge_tui.errors.JudgeTuiError as error:
        # Both refuse; what they call the place differs.
        return "in common" if "in common" in error.what else "refused"


def test_polars_frames():
    pl = pytest.importorskip("polars")
    names = ["query_id", "doc_id"]
    qrels = pl.DataFrame(GRADED, schema=[*names, "relevance"], orient="row")
    run = pl.DataFrame(SCORED, schema=[*names, "score"], orient="row")
    assert values(qrels, run) == {"run": EXPECTED}
    joined = run.join(qrels, on=names, how="full", coalesce=True)
    assert values(joined, joined) == {"run": EXPECTED}
    tagged = pl.concat([run.with_columns(tag=pl.lit(tag)) for tag in ("a", "b")])
    assert values(qrels, tagged) == {"a": EXPECTED, "b": EXPECTED}
    with pytest.raises(UsageError, match="LazyFrame cannot be read"):
        judge_tui.score(qrels, run.lazy())


def test_no_library_of_frames_is_imported():
    names = imported_by("import judge_tui; judge_tui.score([('q', 'a', 1)], [('q', 'a', 1.0)])")
    assert names.isdisjoint({"pandas", "polars", "narwhals"})
