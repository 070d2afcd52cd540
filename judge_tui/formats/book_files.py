"""Books of judgments as Quepid takes them, and what of a campaign each form has no place for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from judge_tui.formats.judgments import Decision, JudgmentRow
from judge_tui.formats.quepid_book_json import is_address, is_anonymous
from judge_tui.formats.quepid_files import guarded

__all__ = ["BOOK_FORMS", "Book"]


class Book(NamedTuple):
    """What judges said, the rows of a pair together, and pairs that are open: `query_id` is the
    query's text, ids of documents are as `table_field` has them. `labels` are those of the
    scale."""

    name: str
    labels: Mapping[int, str]
    rows: Sequence[JudgmentRow]


class _Form(NamedTuple):
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
        return sorted(one for one in set(judges) if not is_address(one) and not is_anonymous(one))


def _csv(book: Book) -> Iterator[str]:
    """Query text, document, and the rating of each judge, empty where there is none."""
    judges = sorted({row.judge for row in book.rows if row.decision != "open"})
    yield ",".join(["query", "docid", *map(guarded, judges)]) + "\n"
    for text, doc_id, those in _pairs(book):
        grades = {row.judge: row.grade for row in those}
        given = ["" if (grade := grades.get(one)) is None else str(grade) for one in judges]
        yield ",".join([guarded(text), guarded(doc_id), *given]) + "\n"


def _json(book: Book) -> Iterator[str]:
    """What cannot be judged is unrateable, what was skipped is to be judged later, a note is an
    explanation, and the judge's name stands where Quepid has an address: it knows no address of one
    who came without."""
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
    return len(row.judge) * is_anonymous(row.judge), row.judge


def _judgement(row: JudgmentRow) -> dict[str, Any]:
    whose = {} if is_anonymous(row.judge) else {"user_email": row.judge}
    return {
        "rating": None if row.grade is None else float(row.grade),
        "unrateable": row.decision == "cannot",
        "judge_later": row.decision == "skip",
        **whose,
        "explanation": row.note or None,
    }


_ALWAYS = "ids of queries, times, who is a model or a lead"

BOOK_FORMS: dict[str, _Form] = {
    "quepid-book": _Form(
        _csv,
        frozenset({"grade"}),
        notes=False,
        left_out=f"{_ALWAYS}, narratives, descriptions, labels of the scale",
    ),
    "quepid-book-json": _Form(
        _json,
        frozenset({"grade", "skip", "cannot"}),
        notes=True,
        left_out=_ALWAYS,
        addresses=True,
    ),
}
"""The forms, by the names that their readers have."""
