"""Books of judgments as Quepid takes them, in CSV and in JSON, which hold different things."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from judge_tui.formats.judgments import Decision, JudgmentRow
from judge_tui.formats.quepid_csv import guarded
from judge_tui.formats.quepid_json import ANONYMOUS

__all__ = ["BOOK_FORMS", "Book"]

_ANONYMOUS = re.compile(rf"{ANONYMOUS}(?: [0-9]+)?")
_KNOWN = re.compile(rf"{_ANONYMOUS.pattern}|[^@\s]+@[^@\s]+")


class Book(NamedTuple):
    """What judges said, the rows of a pair together, and pairs that are open: `query_id` is the
    query's text. `labels` are those of the scale."""

    name: str
    labels: Mapping[int, str]
    rows: Sequence[JudgmentRow]


class _BookForm(NamedTuple):
    """How it is written, which decisions it holds, whether it has notes, what is left out, and
    whether its judges are told by their addresses."""

    lines: Callable[[Book], Iterable[str]]
    decisions: frozenset[Decision]
    notes: bool
    left_out: str
    addresses: bool = False

    def unknown(self, judges: Iterable[str]) -> list[str]:
        """Those of the judges that Quepid cannot know by the name that is written, by name."""
        if not self.addresses:
            return []
        return sorted(one for one in set(judges) if not _KNOWN.fullmatch(one))


def _book_csv(book: Book) -> Iterator[str]:
    """Query text, document, and the rating of each judge, empty where there is none."""
    judges = sorted({row.judge for row in book.rows if row.decision != "open"})
    yield ",".join(["query", "docid", *map(guarded, judges)]) + "\n"
    for text, doc_id, those in _pairs(book):
        grades = {row.judge: row.grade for row in those}
        given = ["" if (grade := grades.get(one)) is None else str(grade) for one in judges]
        yield ",".join([guarded(text), guarded(doc_id), *given]) + "\n"


def _book_json(book: Book) -> Iterator[str]:
    """What cannot be judged is unrateable, what was skipped is to be judged later, a note is an
    explanation, and the judge's name stands where Quepid has an address."""
    written = {
        "name": book.name,
        "show_rank": False,
        "support_implicit_judgements": False,
        "scale": ",".join(map(str, book.labels)),
        "scale_with_labels": {str(grade): label for grade, label in book.labels.items()},
        "query_doc_pairs": [
            {
                "query_text": text,
                "doc_id": doc_id,
                "information_need": those[0].narrative or None,
                "notes": those[0].description or None,
                "judgements": [
                    _judgement(row)
                    for row in sorted(those, key=_named_first)
                    if row.decision != "open"
                ],
            }
            for text, doc_id, those in _pairs(book)
        ],
    }
    yield json.dumps(written, indent=1, ensure_ascii=False) + "\n"


def _pairs(book: Book) -> Iterator[tuple[str, str, list[JudgmentRow]]]:
    for (text, doc_id), those in groupby(book.rows, key=attrgetter("query_id", "doc_id")):
        yield text, doc_id, list(those)


def _named_first(row: JudgmentRow) -> tuple[int, str]:
    """By name, and behind them those who have none, as they were numbered."""
    return len(row.judge) * _is_anonymous(row.judge), row.judge


def _is_anonymous(judge: str) -> bool:
    """Whether a judge is called as one who has no name here."""
    return _ANONYMOUS.fullmatch(judge) is not None


def _judgement(row: JudgmentRow) -> dict[str, Any]:
    whose = {} if _is_anonymous(row.judge) else {"user_email": row.judge}
    return {
        "rating": None if row.grade is None else float(row.grade),
        "unrateable": row.decision == "cannot",
        "judge_later": row.decision == "skip",
        **whose,
        "explanation": row.note or None,
    }


_ALWAYS = "ids of queries, times, who is a model or a lead"

BOOK_FORMS: dict[str, _BookForm] = {
    "quepid-book": _BookForm(
        _book_csv,
        frozenset({"grade"}),
        notes=False,
        left_out=f"{_ALWAYS}, narratives, descriptions, labels of the scale",
    ),
    "quepid-book-json": _BookForm(
        _book_json,
        frozenset({"grade", "skip", "cannot"}),
        notes=True,
        left_out=_ALWAYS,
        addresses=True,
    ),
}
"""The forms, by the names that their readers have."""
