"""The grades of all judges: read for agreement and export, loaded from qrels files."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge_tui.agreement.decide import Pair
from judge_tui.campaign.event_id import next_event_id
from judge_tui.campaign.file import Campaign, now
from judge_tui.campaign.judges import add_judge, all_judges, find_judge, proper_name
from judge_tui.campaign.loaded import Loaded, roomy
from judge_tui.campaign.pool import add_pairs, pair_keys
from judge_tui.campaign.queries import query_keys
from judge_tui.campaign.tallies import counted_at_once
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import QrelsRow, decode_id, iter_qrels
from judge_tui.pooling import PooledPair

LOADED = "loaded"
"""The stratum of pairs that came with a file of grades; they have no priority (0)."""

__all__ = ["adjudications", "grades_by_judge", "load_grades", "load_qrels", "refuse_off_scale"]


def grades_by_judge(
    campaign: Campaign, *, include_models: bool = False
) -> dict[str, dict[Pair, int]]:
    """Judge -> (query_id, doc_id) -> grade: the judgments that hold, judges by name.

    Judges without a grade are left out; those of kind `model`, too, unless asked for.
    """
    from judge_tui.campaign.held import held_decisions  # noqa: PLC0415 - numpy is not always needed

    grades: dict[str, dict[Pair, int]] = {}
    names: dict[int, Pair] = {}
    for judge in sorted(all_judges(campaign), key=lambda one: one.name):
        if judge.kind == "human" or include_models:
            pairs, given = held_decisions(campaign, judge.key).first_grades()
            if len(pairs):
                # One tuple for each pair, however many judges graded it.
                names = names or {key: pair for pair, key in pair_keys(campaign).items()}
                of_judge = zip(pairs.tolist(), given.tolist(), strict=True)
                grades[judge.name] = {names[key]: grade for key, grade in of_judge}
    return grades


def adjudications(campaign: Campaign) -> dict[Pair, int]:
    """The lead's final grades by (query_id, doc_id)."""
    rows = campaign.rows(
        "SELECT q.query_id, d.doc_id, a.grade FROM adjudications AS a"
        " JOIN pool AS p ON p.id = a.pair JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document ORDER BY p.id"
    )
    return {(query_id, doc_id): grade for query_id, doc_id, grade in rows}


def load_qrels(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    judge: str,
    kind: str = "human",
    format: str | None = None,
    skip_unknown: bool = False,
) -> Loaded:
    """Load a qrels file as the judgments of one judge, who is made if new.

    Pairs outside the pool join it, with stratum `loaded`; a negative grade means pooled but not
    judged, so that such a pair joins without a judgment, and a file of nothing else makes no
    judge. The notes say so. Grades that the judge has already given
    are left alone. Raises `InputError` at the first bad line, for a grade off the scale, for a
    query that the campaign does not have (left out with `skip_unknown`), and where the judge has
    graded the pair otherwise: nothing a judge did is overwritten by a file.
    """
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows, left_out = _rows_of_queries(campaign, path, format, skip_unknown)
    loaded = load_grades(campaign, path, rows, judge=judge, kind=kind)
    return replace(loaded, left_out=loaded.left_out + left_out)


def load_grades(
    campaign: Campaign,
    path: str | os.PathLike[str],
    rows: Sequence[QrelsRow],
    *,
    judge: str,
    kind: str = "human",
) -> Loaded:
    """The same for rows of the file at `path`, under the ids that the campaign knows."""
    left_out = 0
    with campaign.reading():
        pairs = pair_keys(campaign)
    new: list[tuple[int, int]] = []
    unchanged = 0
    judge = proper_name(judge)
    grades_something = any(row.grade >= 0 for row in rows)
    with campaign.writing() as connection, roomy(connection):
        known = find_judge(campaign, judge)
        # Who has graded nothing would stand in every count as one who lags behind.
        who = add_judge(campaign, judge, kind=kind) if grades_something or known else None
        outside = [row for row in rows if (row.query_id, row.doc_id) not in pairs]
        if outside:
            add_pairs(
                campaign, [PooledPair(row.query_id, row.doc_id, 0, LOADED) for row in outside]
            )
            pairs = pair_keys(campaign)
        given = dict(
            connection.execute(
                "SELECT pair, grade FROM decisions WHERE judge = ? AND action = 'grade'",
                (who.key if who is not None else None,),
            )
        )
        for row in rows:
            pair = pairs[row.query_id, row.doc_id]
            if row.grade < 0:
                left_out += 1
            elif pair not in given:
                new.append((pair, row.grade))
            elif given[pair] == row.grade:
                unchanged += 1
            else:
                raise InputError(
                    path,
                    row.line,
                    f"judge {judge!r} has graded {row.doc_id!r} for {row.query_id!r} as"
                    f" {given[pair]} already, not {row.grade}",
                    "load the file under another judge's name, or mend the line",
                )
        if who is not None:
            _insert_grades(connection, who.key, new)
    notes = []
    if joined := sum(row.grade < 0 for row in outside):
        count = "1 pair" if joined == 1 else f"{joined:,} pairs"
        notes.append(f"{count} without a grade joined the pool")
    if who is None:
        notes.append(f"nothing was graded, so {judge!r} does not become a judge")
    return Loaded(len(new), unchanged=unchanged, left_out=left_out, notes=tuple(notes))


def _rows_of_queries(
    campaign: Campaign, path: str | os.PathLike[str], format: str | None, skip_unknown: bool
) -> tuple[list[QrelsRow], int]:
    """The rows of the file, under the ids that the campaign knows, and how many were left out."""
    queries = query_keys(campaign)
    if not queries:
        raise UsageError(
            "the campaign has no queries yet",
            f"first: {typed(campaign.path, 'load queries', 'FILE')}",
        )
    rows: list[QrelsRow] = []
    left_out = 0
    for row in iter_qrels(path, format=format):
        refuse_off_scale(campaign, path, row)
        query_id = decode_id(row.query_id)
        if query_id in queries:
            rows.append(row._replace(query_id=query_id, doc_id=decode_id(row.doc_id)))
        elif skip_unknown:
            left_out += 1
        else:
            raise InputError(
                path,
                row.line,
                f"query {row.query_id!r} is not in the campaign",
                "load its queries first, or leave such rows out with --skip-unknown",
            )
    return rows, left_out


def _insert_grades(
    connection: sqlite3.Connection, judge: int, grades: Sequence[tuple[int, int]]
) -> None:
    """Write an event for each pair (a key) and its grade, in this order."""
    when = now()

    def events() -> Iterator[tuple[object, ...]]:
        last = connection.execute("SELECT max(id) FROM events").fetchone()[0]
        for pair, grade in grades:
            last = next_event_id(last)
            yield last, judge, pair, grade, when

    with counted_at_once(connection, [judge], len(grades)):
        connection.executemany(
            "INSERT INTO events (id, judge, pair, action, grade, note, written_at)"
            " VALUES (?, ?, ?, 'grade', ?, '', ?)",
            events(),
        )


def refuse_off_scale(campaign: Campaign, path: str | os.PathLike[str], row: QrelsRow) -> None:
    """Raise `InputError` for a grade that the campaign's scale does not have."""
    scale = campaign.settings.scale
    if row.grade >= 0 and row.grade not in scale:
        grades = ", ".join(map(str, scale.grades))
        raise InputError(
            path,
            row.line,
            f"grade {row.grade} is not on the campaign's scale ({grades})",
            "mend the grade, or start a campaign with a scale that holds it: init --scale",
        )
