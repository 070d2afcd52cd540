"""Documents of a campaign whose ids differ in how they are spelt alone: it takes them for two."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from judge_tui.campaign.file import Campaign
from judge_tui.formats.ids import other_spellings
from judge_tui.formats.problems import quoted
from judge_tui.model import form_in_words

__all__ = [
    "LookAlike",
    "judged_otherwise",
    "last_document",
    "of_id",
    "told_of_left_out",
    "told_of_new",
]

_MAY_BE_SPELT_OTHERWISE = "(doc_id GLOB '*[^!-~]*' OR instr(doc_id, '%'))"


class LookAlike(NamedTuple):
    """An id, and that of a document of the campaign, which may be the same one."""

    doc_id: str
    known: str

    def __str__(self) -> str:
        form = form_in_words(self.doc_id, self.known)
        return f"{quoted(self.doc_id)}, which is {f'in {form}' if form else quoted(self.known)}"


def last_document(campaign: Campaign) -> int:
    """The key after which those come that are new from now on."""
    return int(campaign.rows("SELECT coalesce(max(id), 0) FROM documents")[0][0])


def told_of_new(campaign: Campaign, since: int) -> tuple[str, ...]:
    """What is to be told of the documents that came `since` that key, where others look like them.
    What one load brings in two spellings of white space it tells apart itself; in two forms of
    Unicode nobody means two."""
    found = []
    for (doc_id,) in campaign.rows(
        f"SELECT doc_id FROM documents WHERE id > ? AND {_MAY_BE_SPELT_OTHERWISE} ORDER BY id",  # noqa: S608
        (since,),
    ):
        alike = of_id(campaign, doc_id, since)
        found += [] if alike is None else [alike]
    if not found:
        return ()
    return (
        "new documents that the campaign has under ids spelt otherwise, too:"
        f" {len(found):,}, such as {found[0]} there; it takes them for two, and a grade of one says"
        " nothing of the other: write the ids of both in one way, and load again, a run with"
        " --replace, grades into a new campaign",
    )


def told_of_left_out(found: Sequence[LookAlike]) -> tuple[str, ...]:
    """The same of documents of a file that were left out."""
    if not found:
        return ()
    return (
        f"documents left out that the campaign has under ids spelt otherwise: {len(found):,}, such"
        f" as {found[0]} there; write the ids in one way, and load again",
    )


def judged_otherwise(campaign: Campaign) -> list[LookAlike]:
    """The results of runs that look like a document which somebody has graded for the query and
    the run does not have, and that nobody has graded themselves: each once for a query."""
    retrieved = campaign.rows(
        "SELECT doc_id FROM documents"  # noqa: S608
        f" WHERE {_MAY_BE_SPELT_OTHERWISE} AND id IN (SELECT document FROM results)"
    )
    both = [(doc_id, other) for (doc_id,) in retrieved for other in other_spellings(doc_id)]
    found = campaign.rows(_JUDGED_OTHERWISE, (json.dumps(both),)) if both else []
    return [LookAlike(doc_id, other) for _, doc_id, other in found]


_GRADED = "EXISTS (SELECT 1 FROM live_events WHERE pair = {}.id AND action = 'grade')"
_JUDGED_OTHERWISE = (
    "WITH alike AS MATERIALIZED (SELECT d.id AS document, d.doc_id AS doc_id, o.id AS other,"  # noqa: S608
    "  o.doc_id AS known FROM json_each(?) AS j"
    "  CROSS JOIN documents AS d ON d.doc_id = json_extract(j.value, '$[0]')"
    "  CROSS JOIN documents AS o ON o.doc_id = json_extract(j.value, '$[1]'))"
    " SELECT DISTINCT r.query, a.doc_id, a.known FROM results AS r"
    " CROSS JOIN alike AS a ON a.document = r.document"
    " CROSS JOIN pool AS p ON (p.query, p.document) = (r.query, a.other)"
    f" WHERE {_GRADED.format('p')}"
    " AND NOT EXISTS (SELECT 1 FROM results AS s"
    "  WHERE (s.query, s.document, s.run) = (r.query, a.other, r.run))"
    " AND NOT EXISTS (SELECT 1 FROM pool AS o WHERE (o.query, o.document) = (r.query, r.document)"
    f"  AND {_GRADED.format('o')})"
    " ORDER BY r.query, a.doc_id, a.known"
)


def of_id(campaign: Campaign, doc_id: str, since: int) -> LookAlike | None:
    """The document that looks like that one, if there is any: of those that came `since` that key,
    one in another form of Unicode."""
    for other in other_spellings(doc_id):
        there = campaign.rows("SELECT id FROM documents WHERE doc_id = ?", (other,))
        if there and (there[0][0] <= since or form_in_words(doc_id, other)):
            return LookAlike(doc_id, other)
    return None
