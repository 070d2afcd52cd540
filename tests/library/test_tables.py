"""Runs and qrels as tables in memory: the same values as from mappings and from files."""

from __future__ import annotations

import io
from dataclasses import make_dataclass

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
MEASURES = ["nDCG@10", "RR", "AP", "Judged@2"]


def nested(rows):
    found = {}
    for query_id, doc_id, number in rows:
        found.setdefault(query_id, {})[doc_id] = number
    return found


def values(qrels, runs, **options):
    """Every value of every query, by tag."""
    scores = judge_tui.score(qrels, runs, MEASURES, **options)
    return {run.tag: (run.query_ids, dict(run.values)) for run in scores.runs}


EXPECTED = values(nested(GRADED), nested(SCORED))


def frame(rows, *names):
    return pd.DataFrame(rows, columns=list(names))


def columns(rows, *names):
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def structured(rows, *names, ids="U9"):
    return np.array(rows, dtype=[(names[0], ids), (names[1], ids), (names[2], "f8")])


def records(rows, *names):
    kind = make_dataclass("Row", names)
    return [kind(*row) for row in rows]


@pytest.mark.parametrize(
    ("make", "third"),
    [
        (frame, ("relevance", "score")),
        (lambda rows, *names: frame(rows, "qid", "docno", names[2]), ("label", "score")),
        (lambda rows, *names: frame(rows, "Query-ID", "corpus id", names[2]), ("Rel", "SIM")),
        (lambda rows, *names: frame(rows, *names).astype({names[0]: "category"}), ("rel", "score")),
        (lambda rows, *names: frame(rows, *names).astype(object), ("relevance", "score")),
        (lambda rows, *names: frame(rows, *names).itertuples(), ("relevance", "score")),
        (columns, ("relevance", "score")),
        (lambda rows, *names: dict(frame(rows, *names)), ("relevance", "score")),
        (structured, ("relevance", "score")),
        (lambda rows, *names: structured(rows, *names, ids="S9"), ("relevance", "score")),
        (lambda rows, *names: structured(rows, *names).view(np.recarray), ("relevance", "score")),
        (records, ("relevance", "score")),
        (lambda rows, *names: frame(rows, *names).to_dict("records"), ("relevance", "score")),
        (lambda rows, *names: iter(frame(rows, *names).to_dict("records")), ("Label", "sim")),
        (lambda rows, *names: frame(rows, *names).to_numpy(), ("", "")),
        (lambda rows, *_: rows, ("", "")),
        (lambda rows, *_: iter(map(list, rows)), ("", "")),
        (lambda rows, *_: np.array(rows, dtype=object), ("", "")),
    ],
)
def test_every_table_says_what_a_mapping_says(make, third):
    qrels, run = ((rows, "query_id", "doc_id") for rows in (GRADED, SCORED))
    assert values(make(*qrels, third[0]), make(*run, third[1])) == EXPECTED
    assert values(nested(GRADED), {"run": make(*run, third[1])}) == EXPECTED
    listed = values(nested(GRADED), [make(*run, third[1]), Run("b", nested(SCORED))])
    assert listed == {"run1": EXPECTED["run"], "b": EXPECTED["run"]}


def test_rows_of_ir_measures():
    qrels = (ir_measures.Qrel(*row) for row in GRADED)
    assert values(qrels, (ir_measures.ScoredDoc(*row) for row in SCORED)) == EXPECTED
    text = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in SCORED)
    read = ir_measures.read_trec_run(io.StringIO(text))
    assert values(nested(GRADED), {"run": read}) == EXPECTED


def test_a_frame_as_pyterrier_has_it():
    # Both `docid`, a number, and `docno`; both `query`, the text, and `qid`; ranks from 0.
    run = frame(SCORED, "qid", "docno", "score").assign(docid=range(5), query="how to", rank=9)
    assert values(frame(GRADED, "qid", "docno", "label"), run) == EXPECTED


def test_qrels_as_beir_has_them():
    assert values(frame(GRADED, "query-id", "corpus-id", "score"), nested(SCORED)) == EXPECTED


def test_ranks_where_there_are_no_scores():
    ranked = [("q1", "x", 0), ("q1", "c", 1), ("q1", "a", 2), ("q2", "b", 1.0), ("q2", "a", 2.0)]
    assert values(nested(GRADED), frame(ranked, "qid", "docno", "rank")) == EXPECTED


def test_a_rating_is_a_grade_where_queries_and_documents_are_called_as_quepid_has_them():
    run = {"q1": {"d1": 1.0}}
    with pytest.raises(UsageError, match="no column of the qrels is relevance"):
        judge_tui.score(pd.DataFrame([("q1", "d1", 5)], columns=["qid", "docno", "rating"]), run)
    columns = ["qid", "query", "docid", "label", "rating"]
    graded = pd.DataFrame([("q1", "a  text", "d1", 1, 5)], columns=columns)
    assert judge_tui.score(graded, run, "NumRel")["run"].mean("NumRel") == 1


def test_passages_as_ms_marco_calls_them(tmp_path):
    table = pd.DataFrame([(1, 7, 1), (1, 8, 2)], columns=["qid", "pid", "rank"])
    table.to_csv(tmp_path / "run.csv", index=False)
    for run in (table, tmp_path / "run.csv"):
        assert judge_tui.score({1: {8: 1}}, run, "RR").runs[0].mean("RR") == 0.5


def test_a_table_with_a_column_of_tags_holds_several_runs():
    other = [(q, d, -s) for q, d, s in SCORED]
    apart = values(nested(GRADED), {"old": nested(SCORED), "7": nested(other)})
    together = pd.concat([frame(SCORED, *"qds").assign(t="old"), frame(other, *"qds").assign(t=7)])
    for name in ("tag", "Tag"):
        named = together.rename(columns={"q": "qid", "d": "docno", "s": "score", "t": name})
        assert values(nested(GRADED), named) == apart
        shuffled = named.sample(frac=1, random_state=1).sort_values(name, key=lambda c: c != "old")
        assert values(nested(GRADED), [shuffled]) == apart
        # A tag that is given goes before those of the column.
        one = named[named[name] == 7]
        assert values(nested(GRADED), {"mine": one}) == {"mine": apart["7"]}
        assert values(nested(GRADED), named.iloc[:5].assign(**{name: None})) == EXPECTED


def test_titles_of_documents_are_no_tags():
    titled = frame(SCORED, "qid", "docno", "score").assign(name=list("vwxyz"), title="t", text="t")
    assert values(nested(GRADED), titled) == EXPECTED


def test_a_tag_may_hold_white_space_as_in_csv_files(tmp_path):
    table = frame(SCORED, "query_id", "doc_id", "score").assign(tag="BM25 + RM3")
    table.to_csv(tmp_path / "run.csv")
    found = [values(nested(GRADED), runs) for runs in (table, tmp_path / "run.csv")]
    assert found == [{"BM25 + RM3": EXPECTED["run"]}] * 2


def written(rows, folder):
    path = folder / "file.run"
    path.write_text("".join(f"{q} Q0 {d} 1 {s} file\n" for q, d, s in rows))
    return path


FORMS = {
    "frame": lambda rows, folder: frame(rows, "qid", "docno", "score"),
    "frame with its promised names": lambda rows, folder: frame(
        rows, "query_id", "doc_id", "score"
    ),
    "columns": lambda rows, folder: columns(rows, "query_id", "doc_id", "score"),
    "structured array": lambda rows, folder: structured(rows, "query_id", "doc_id", "score"),
    "array": lambda rows, folder: np.array(rows, dtype=object),
    "objects": lambda rows, folder: records(rows, "query_id", "doc_id", "score"),
    "mappings": lambda rows, folder: frame(rows, "qid", "docno", "score").to_dict("records"),
    "tuples": lambda rows, folder: rows,
    "generator": lambda rows, folder: (row for row in rows),
    "mapping": lambda rows, folder: nested(rows),
    "file": written,
}


@pytest.mark.parametrize("second", FORMS)
@pytest.mark.parametrize("first", FORMS)
def test_a_list_may_hold_runs_of_every_form(tmp_path, first, second):
    other = [(q, d, -s) for q, d, s in SCORED]
    apart = [values(nested(GRADED), nested(rows))["run"] for rows in (SCORED, other)]
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    for kind in (list, tuple, iter):
        given = [FORMS[first](SCORED, tmp_path / "1"), FORMS[second](other, tmp_path / "2")]
        if first == second == "file":
            given[1] = Run("run2", nested(other))
        found = values(nested(GRADED), kind(given))
        assert list(found.values()) == apart
        assert set(found) <= {"run1", "run2", "file"}


def test_a_list_of_frames_is_compared():
    frames = [frame(SCORED, "query_id", "doc_id", "score")] * 2
    (compared,) = judge_tui.compare(nested(GRADED), frames, "RR").comparisons
    assert (compared.baseline, compared.tag, compared.delta) == ("run1", "run2", 0)


def test_rows_that_are_mappings_may_name_their_run():
    tagged = [{"qid": q, "docno": d, "score": s, "tag": t} for t in "ab" for q, d, s in SCORED]
    apart = {"a": EXPECTED["run"], "b": EXPECTED["run"]}
    assert values(nested(GRADED), tagged) == apart
    # Of a mapping of queries, one may be called as a column is.
    one = {"qid": {"docno": 1.0}, "docno": {"qid": 1.0}}
    assert judge_tui.score({"qid": {"docno": 1}}, [one], "RR")["run1"].mean("RR") == 1.0


def test_what_nobody_judged_and_what_was_not_retrieved():
    # An outer join of run and qrels: grades become floats, and both columns have gaps.
    joined = frame(SCORED, "qid", "docno", "score").merge(
        frame(GRADED, "qid", "docno", "label"), how="outer"
    )
    assert joined.isna().any().to_dict() == {
        "qid": False,
        "docno": False,
        "score": True,
        "label": True,
    }
    assert values(joined, joined) == EXPECTED
    for kind in ("Int64", object):
        assert values(joined.astype({"label": kind}), joined.convert_dtypes()) == EXPECTED


def test_numbers_stand_for_their_digits_in_ids():
    qrels, run = {"1": {"7": 1}}, {"1": {"8": 2.0, "7": 1.0}}
    expected = values(qrels, run)
    table = frame([(1, 8, 2.0), (1, 7, 1.0)], "qid", "docno", "score")
    assert table.dtypes.iloc[0] == np.int64
    for runs in (
        table,
        table.astype(object),
        {1: {8: 2.0, np.int64(7): 1}},
        [(1, "8", 2), (1, 7, 1)],
    ):
        assert values(qrels, runs) == expected
        assert values({1: {7: True}}, runs) == expected


def test_white_space_in_ids_is_written_as_in_files(tmp_path):
    (tmp_path / "qrels").write_text("q%201 0 my%20file 1\n")
    expected = {"run": (("q%201",), {"RR": (1.0,), "Judged@10": (1.0,)})}
    for run in ({"q 1": {"my file": 1.0}}, frame([("q 1", "my file", 1)], "qid", "docno", "score")):
        (found,) = judge_tui.score(tmp_path / "qrels", run, "RR").runs
        assert {found.tag: (found.query_ids, found.values)} == expected


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
    folder = tmp_path_factory.mktemp("csv")
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
    assert values(qrels, run) == EXPECTED
    assert values(qrels.with_columns(pl.col("doc_id").cast(pl.Categorical)), run) == EXPECTED
    joined = run.join(qrels, on=names, how="full", coalesce=True)
    assert values(joined, joined) == EXPECTED
    tagged = pl.concat([run.with_columns(tag=pl.lit(tag)) for tag in ("a", "b")])
    assert values(qrels, tagged) == {"a": EXPECTED["run"], "b": EXPECTED["run"]}
    with pytest.raises(judge_tui.errors.UsageError, match=r"give its collect\(\)"):
        judge_tui.score(qrels, run.lazy())


def test_no_library_of_frames_is_imported():
    run = "{'query_id': ['q'], 'doc_id': ['a'], 'score': [1.0]}"
    names = imported_by(f"import judge_tui; judge_tui.score([('q', 'a', 1)], {run})")
    assert names.isdisjoint({"pandas", "polars", "narwhals"})
