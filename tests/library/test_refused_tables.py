"""What qrels and runs in memory are refused for: the place, the fact and the way to mend it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import judge_tui
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Run

QRELS = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "c"], "label": [1, 0, 2]})
RUN = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]})
RANKED = RUN.rename(columns={"score": "rank"})
ROW = {"qid": "1", "docno": "a", "score": 1.0}
SCORES = {"1": {"a": 1.0}}

RUNS: list[tuple[Any, str]] = [
    ([], "there is no run; give at least one"),
    (RUN.assign(score=[1, np.nan, 2]), "row 2 of the run: score '' is not a finite decimal"),
    (RUN.assign(score="12abc"), "row 1 of the run: score '12abc' is not a finite decimal number"),
    (RUN.assign(docno=["a", None, "c"]), "row 2 of the run: there is no id; give every query"),
    (RUN.assign(docno=["a", "b\0", "c"]), r"row 2 of the run: .* 'b\\x00' holds a NUL character"),
    (RUN.assign(qid=[1.0, 1.0, 2.0]), "row 1 of the run: id 1.0 is not text; ids are text or"),
    (pd.concat([RUN, RUN.iloc[[1]]]), "row 4 of the run: document 'b' is already in .* row 2; rem"),
    # Text and number are one id: the document would be in the query twice.
    ([("1", 7, 1.0), (1, "7", 2.0)], "row 2 of the run: document '7' is already in query '1', row"),
    (RUN.iloc[:0], "there is no row in the run; give at least one"),
    (RUN.drop(columns="docno"), "the run: there is no column doc_id; it has 'qid', 'score'"),
    (RUN.drop(columns="score"), "the run: there is no column score or rank; it has 'qid', "),
    (RUN.assign(Score=1), "the run: 'score' and 'Score' could both be the score; rename one"),
    (RANKED.assign(rank=1), "row 2 of the run: rank 1 is already in query '1', line 1; give each"),
    (RANKED.assign(rank=[0, -1, 1]), "row 2 of the run: rank '-1' is not a whole number from 0 up"),
    (RUN.assign(tag=["a", "a", None]), "there is no tag in row 3 of the run; give each row one"),
    ([RUN.assign(tag="a"), RUN.assign(tag="a")], "run 'a' and run 'a' have the same tag 'a'"),
    ({"qid": ["1"], "docno": ["a"], "score": [1.0]}, "row 1 of run 'qid' is '1'; give rows of"),
    ([("1", "a", 1.0), ("1", "b")], r"row 2 of the run is \('1', 'b'\); give rows of"),
    ([ROW, ROW], "query 'qid' of run 'run1' is '1'; give doc_id -> number"),
    (b"bm25.run", "the run: bytes cannot be read"),
    *(
        ({"1": {"a": score}}, "document 'a' of query '1' of the run: score .* is not a finite")
        for score in (float("nan"), float("inf"), "1_5", b"1", None)
    ),
    ({"1": {"a": 1.0}, 1: {"b": 1.0}}, "query '1' is twice in the run; give it once"),
    ({"1": {None: 1.0}}, "query '1' of the run: there is no id; give every"),
    ({"1": {"\ud800": 1.0}}, r"query '1' of the run: id '\\ud800' holds half a surrogate"),
    # Once one value is a run, every key is a tag: one that found nothing must not vanish.
    *(
        (runs, "run 'b' holds no result")
        for one in (SCORES, Run("other", SCORES), RUN)
        for runs in ({"a": one, "b": {}}, {"b": {}, "a": one})
    ),
]
GRADES: list[tuple[Any, str]] = [
    (QRELS.assign(label=[1, 0.5, 2]), "row 2 of the qrels: grade '0.5' is not a whole number"),
    (QRELS.assign(label=[1, 2**31, 2]), "row 2 of the qrels: grade '2147483648' is not a whole"),
    # The place is that of the row in the table, whatever is left out before it.
    (QRELS.assign(label=[np.nan, 1, np.inf]), "row 3 of the qrels: grade 'inf' is not a whole"),
    (pd.concat([QRELS, QRELS]), "row 4 of the qrels: document 'a' is already in query '1'"),
    (RUN, "the qrels: there is no column relevance; it has 'qid', 'docno', 'score'; name"),
    ([], "there is no row in the qrels"),
    *(
        ({"1": {"a": grade}}, "document 'a' of query '1' of the qrels: grade .* is not a whole")
        for grade in (1.5, "one", None, 2**31)
    ),
    (7, "the qrels: int cannot be read"),
]


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [(QRELS, run, message) for run, message in RUNS]
    + [(qrels, RUN, message) for qrels, message in GRADES],
)
def test_what_is_refused(qrels, run, message):
    with pytest.raises(UsageError, match=message) as error:
        judge_tui.score(qrels, run)
    assert "\n" not in str(error.value)


def test_files_are_named_with_their_lines(tmp_path):
    bad, good = tmp_path / "bad.run", tmp_path / "r.run"
    bad.write_text("q1 Q0 a 1 2 r\nq1 Q0 b\n")
    with pytest.raises(InputError) as error:
        judge_tui.score(QRELS, bad)
    assert (error.value.path, error.value.line) == (str(bad), 2)
    good.write_text("1 Q0 a 1 2 r\n")
    with pytest.raises(UsageError, match=r"r\.run and run 'r' have the same tag 'r'"):
        judge_tui.score(QRELS, [good, Run("r", SCORES)])
    with pytest.raises(UsageError, match="run 'b' holds no result"):
        judge_tui.score(QRELS, {"a": str(good), "b": {}})
