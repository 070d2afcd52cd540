"""Files with the judgments of several judges, loaded as theirs: nobody's become another's."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.found_queries import FoundQueries, add_queries_by_text
from judge_tui.campaign.grades import insert_events, pooled, refuse_off_scale
from judge_tui.campaign.judges import add_judge, find_judge
from judge_tui.campaign.loaded import Loaded, roomy
from judge_tui.campaign.pool import pair_keys
from judge_tui.errors import InputError, unknown
from judge_tui.formats import JudgmentRow, decode_id
from judge_tui.formats.judgments import NAMED_BY_TEXT, Graded

__all__ = ["load_several_judges"]

_SAID = {"skip": "skipped", "cannot": "cannot be judged"}


def load_several_judges(
    campaign: Campaign,
    path: str | os.PathLike[str],
    read: Graded,
    *,
    judge: str | None = None,
    kind: str = "human",
    skip_unknown: bool = False,
) -> dict[str, Loaded]:
    """Load the judgments of each judge in the file, or of the one named, under the judge's name;
    by name, what came of it.

    Judges are made if new, with this `kind`; those who are there keep theirs. Skipped, cannot be
    judged and notes come along. What a judge has already done is left alone, a note beside another
    one, too. A campaign without queries gets those of the file. Raises what `load_qrels` does, and
    `UsageError` for a judge who is not in the file.
    """
    rows = read.judgments or []
    names = sorted({row.judge for row in rows})
    if judge is not None:
        if judge not in names:
            raise unknown("judge", judge, names)
        names = [judge]
    with campaign.writing() as connection, roomy(connection):
        added = add_queries_by_text(campaign, rows) if read.format in NAMED_BY_TEXT else 0
        queries = FoundQueries(campaign, path)
        outcomes = {
            name: _load_judge(
                campaign,
                connection,
                path,
                queries,
                [row for row in rows if row.judge == name],
                kind,
                skip_unknown,
            )
            for name in names
        }
    notes = read.notes
    if added:
        notes = (*notes, f"the campaign had no queries: added those of the file, {added:,}")
    if notes:
        outcomes[""] = Loaded(notes=notes)
    return outcomes


def _load_judge(
    campaign: Campaign,
    connection: sqlite3.Connection,
    path: str | os.PathLike[str],
    queries: FoundQueries,
    rows: Sequence[JudgmentRow],
    kind: str,
    skip_unknown: bool,
) -> Loaded:
    name = rows[0].judge
    known = find_judge(campaign, name.strip())
    who = add_judge(campaign, name, kind=known.kind if known else kind)
    found: list[JudgmentRow] = []
    left_out = 0
    for row in rows:
        refuse_off_scale(campaign, path, row)
        query_id = queries.id_of(row, skip_unknown=skip_unknown)
        if query_id is None:
            left_out += 1
        else:
            found.append(row._replace(query_id=query_id, doc_id=decode_id(row.doc_id)))
    pairs = pooled(campaign, pair_keys(campaign), [(one.query_id, one.doc_id) for one in found])
    done: dict[int, tuple[str, int | None]] = {
        pair: (action, grade)
        for pair, action, grade in connection.execute(
            "SELECT pair, action, grade FROM decisions WHERE judge = ?", (who.key,)
        )
    }
    noted = {
        pair
        for (pair,) in connection.execute(
            "SELECT pair FROM live_events WHERE judge = ? AND action = 'comment'", (who.key,)
        )
    }
    new: list[tuple[int, str, int | None, str]] = []
    notes: list[tuple[int, str, int | None, str]] = []
    unchanged = 0
    for row in found:
        pair = pairs[row.query_id, row.doc_id]
        if row.note.strip() and pair not in noted:
            notes.append((pair, "comment", None, row.note.strip()))
            noted.add(pair)
        if row.grade is not None and row.grade < 0:
            left_out += 1
            continue
        said = (row.decision, row.grade)
        before = done.setdefault(pair, said)
        if before is said:
            new.append((pair, *said, ""))
        elif before == said or row.decision == "skip":
            unchanged += 1
        else:
            raise InputError(
                path,
                row.line,
                f"of {row.doc_id!r} for {row.query_id!r}, judge {name!r} has said"
                f" {_words(before)} already, not {_words(said)}",
                "mend the line, or take the judge's out of the file",
            )
    insert_events(connection, who.key, [*new, *notes])
    return Loaded(added=len(new), unchanged=unchanged, left_out=left_out)


def _words(said: tuple[str, int | None]) -> str:
    decision, grade = said
    return str(grade) if grade is not None else _SAID[decision]
