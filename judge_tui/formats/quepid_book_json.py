"""Judgments as Quepid exports a book in JSON: pairs, each with what its judges said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from judge_tui.formats.json_tree import Node, id_in, nodes_at, numbered, text_at
from judge_tui.formats.judgments import JudgmentRow, namesake
from judge_tui.formats.problems import Reporter, counted
from judge_tui.formats.rated_lists import listed, rated
from judge_tui.formats.source import Source

__all__ = ["ANONYMOUS", "FIELDS", "PAIRS", "is_address", "is_anonymous", "rows"]

PAIRS, FIELDS = "query_doc_pairs", "document_fields"

ANONYMOUS = "Anonymous"
"""Who judged without a name; Quepid's CSV calls the column so."""

_ANONYMOUS = re.compile(rf"{ANONYMOUS}(?: [0-9]+)?")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


def is_anonymous(judge: str) -> bool:
    """Whether a judge is called as one who has no name here."""
    return _ANONYMOUS.fullmatch(judge) is not None


def is_address(judge: str) -> bool:
    """Whether a judge is called by what may be an address of electronic mail."""
    return _ADDRESS.fullmatch(judge) is not None


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every judgment, under the judge's address. What is unrateable cannot be judged; what was
    put off (`judge_later`) is skipped; an explanation is a note. A pair without any is open. Those
    of a pair that have no address are of Anonymous, Anonymous 2 and so on: nobody knows who of one
    pair is who of another. Its
    `information_need` is the narrative of the query, its `notes` are the description."""
    pairs = listed(source, report, PAIRS)
    if pairs is None:
        return
    if with_fields := sum(pair.get(FIELDS) not in (None, "null", "", {}, []) for pair in pairs):
        report.notes.append(
            f"{FIELDS!r} of {counted(with_fields, 'pair')} left out: load docs takes them"
        )
    most = 0
    for pair, here in numbered(pairs, "pair", report):
        query_id = id_in(pair.get("query_text"), "query", pair.line, here, text="'query_text'")
        doc_id = id_in(pair.get("doc_id"), "document", pair.line, here)
        judgments = nodes_at(pair, "judgements") if "judgements" in pair else []
        if judgments is None:
            here(pair.line, "'judgements' is no list of objects", "write one")
            continue
        narrative, description = text_at(pair, "information_need"), text_at(pair, "notes")
        if not judgments and query_id is not None and doc_id is not None:
            row = JudgmentRow(pair.line, query_id, doc_id, "", "open", None)
            yield row._replace(narrative=narrative, description=description)
        nameless = count(1)
        for one, its in numbered(judgments, "judgement", here):
            judge = text_at(one, "user_email").strip()
            if not judge:
                number = next(nameless)
                judge = namesake(ANONYMOUS, number)
                most = max(most, number)
            said = _judgment(one, query_id or "", doc_id or "", judge, its)
            if said is not None and query_id is not None and doc_id is not None:
                yield said._replace(narrative=narrative, description=description)
    if most > 1:
        report.notes.append(
            f"up to {most:,} judgments of a pair have no address: they are of {ANONYMOUS} to"
            f" {namesake(ANONYMOUS, most)}, each of whom may be somebody else in another pair"
        )


def _judgment(
    one: Node, query_id: str, doc_id: str, judge: str, report: Reporter
) -> JudgmentRow | None:
    note = text_at(one, "explanation")
    if one.get("unrateable") == "true":
        return JudgmentRow(one.line, query_id, doc_id, judge, "cannot", None, note)
    if one.get("judge_later") == "true":
        return JudgmentRow(one.line, query_id, doc_id, judge, "skip", None, note)
    grade = rated(one.get("rating"), one.line, report)
    if grade is None:
        return None
    return JudgmentRow(one.line, query_id, doc_id, judge, "grade", grade, note)
