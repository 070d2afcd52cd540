"""The rows of runs and qrels, whatever their format, and what can be wrong between two of them."""

from __future__ import annotations

from operator import index
from typing import NamedTuple, SupportsIndex

from judge_tui.formats.judgments import Decision, GradeDecision
from judge_tui.formats.problems import OWN_TAG, Reporter, quoted


class RunRow(NamedTuple):
    """A query, a document and its score. `tag`: the name of its run, if it has one.
    An empty `doc_id` says that the query was asked and nothing was found."""

    line: SupportsIndex
    query_id: str
    doc_id: str
    score: float
    tag: str | None


class QrelsRow(NamedTuple):
    """A query, a document and its grade; a negative one means pooled but not judged. `decision`:
    "skip" or "cannot" where a label in place of the grade says so."""

    line: SupportsIndex
    query_id: str
    doc_id: str
    grade: int
    decision: Decision = "grade"

    @classmethod
    def of(
        cls, line: SupportsIndex, query_id: str, doc_id: str, judgment: GradeDecision
    ) -> QrelsRow:
        """Return the row of a pair with this judgment."""
        return cls(line, query_id, doc_id, judgment.in_qrels, judgment.decision)


def report_pair_again(
    line: SupportsIndex, query_id: str, doc_id: str, first: SupportsIndex, report: Reporter
) -> None:
    """Report a document that its query already has, on the line `first`."""
    report(
        line,
        f"document {quoted(doc_id)} is already in query {quoted(query_id)}, line {index(first)}",
        "remove one of the two lines",
    )


def report_other_tag(
    line: SupportsIndex, tag: str, first: str, first_line: SupportsIndex, report: Reporter
) -> None:
    """Report a tag that is not the first one."""
    report(
        line,
        f"tag {quoted(tag)}, but {quoted(first)} on line {index(first_line)}",
        f"split the file into one per run; or, if it is one run, give it {OWN_TAG}; white"
        " space within ids is written as %20",
    )
