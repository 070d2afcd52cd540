"""Files with the judgments of several judges, loaded as theirs: nobody's become another's."""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Mapping, Sequence, Sized

from judge_tui.agreement.decide import Pair
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.found_queries import add_queries_by_text
from judge_tui.campaign.grades import (
    decided_in_app,
    insert_events,
    pooled,
)
from judge_tui.campaign.judges import Judge, add_judge, find_judge, proper_name
from judge_tui.campaign.labelled import Said
from judge_tui.campaign.loaded import Loaded, roomy
from judge_tui.campaign.look_alikes import last_document, told_of_new
from judge_tui.campaign.named_judgments import add_named_queries, complete, named_judgments
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import fill_in_queries
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError, UsageError, unknown
from judge_tui.formats import JudgmentRow
from judge_tui.formats.judgments import IN_WORDS, Graded
from judge_tui.formats.problems import counted
from judge_tui.model import composed

__all__ = ["load_several_judges", "renamed"]

_SKIPPED: Said = ("skip", None)
_MEND = "mend the line, or let what the file says hold with --replace"


def load_several_judges(
    campaign: Campaign,
    path: str | os.PathLike[str],
    read: Graded,
    *,
    judge: str | None = None,
    kind: str | None = None,
    query: str | None = None,
    labels: Mapping[str, Said] | None = None,
    skip_unknown: bool = False,
    replace: bool = False,
    mend: str = _MEND,
) -> dict[str, Loaded]:
    """Load the judgments of each judge in the file, or of the one named, under the judge's name;
    by name, what came of it.

    Judges are made if new, with this `kind` or the one that the file gives them; those who are
    there keep theirs. Of a file that names no judge or no query, `judge` and `query` are those.
    `labels`: what words for grades mean, see `labelled`. Skipped, cannot be judged, notes and times
    come along, and pairs that nobody has judged join the pool. What a judge had skipped is judged
    as the file says, and a skip in the file takes nothing back, nor a note beside it. Where a judge
    has judged otherwise, `mend` says what to do about it, unless with `replace` the judgment and
    the note of the file hold, each a new event of the judge's; without it a note beside another one
    is left alone, and counted. A campaign without queries gets those of the file, if it has their
    texts. Raises what `load_qrels` does, and `UsageError` for a judge who is not in the file.
    """
    judge = judge and composed(judge)
    everybody = rows = complete(read.judgments or (), judge=judge, query=query)
    names = sorted({row.judge for row in rows if row.decision != "open" or row.note.strip()})
    if judge is not None:
        if names and judge not in names:
            raise unknown("judge", judge, names)
        names = names and [judge]
        rows = [row for row in rows if row.judge in (judge, "")]
    for name in names:
        _refuse_name(path, name, rows)
    with campaign.writing() as connection, roomy(connection):
        added = (
            add_queries_by_text(campaign, everybody, read.lone_queries)
            if read.by_text
            else add_named_queries(campaign, path, everybody)
        )
        found, left_out, told = named_judgments(
            campaign,
            path,
            rows,
            by_text=read.by_text,
            labels=labels,
            skip_unknown=skip_unknown,
        )
        kinds: dict[str, set[str]] = {}
        for row in rows:
            kinds.setdefault(row.judge, set()).add(row.kind or "human")
        by_judge: dict[str, list[JudgmentRow]] = {}
        for row in found:
            by_judge.setdefault(row.judge, []).append(row)
        pairs, joined = _in_the_pool(campaign, found, left_out[""])
        notes = [*read.notes, *told, *joined]
        filled, otherwise = fill_in_queries(campaign, _told(found))
        if filled:
            count = "1 query" if filled == 1 else f"{filled:,} queries"
            notes.append(f"{count} had no narrative or description, and got that of the file")
        if otherwise:
            take = typed(campaign.path, "load queries", f"{shlex.quote(os.fspath(path))} --replace")
            notes.append(
                "queries with another narrative or description in the campaign, which stays:"
                f" {len(otherwise):,}, such as {otherwise[0]}; {take} takes that of the file"
            )
        outcomes = {
            name: _load_judge(
                connection,
                path,
                by_judge.get(name, []),
                pairs,
                _judge(campaign, name, {kind} if kind else kinds[name]),
                left_out[name],
                replace=replace,
                mend=mend,
            )
            for name in names
        }
    if added:
        notes.append(f"the campaign had no queries: added those of the file, {added:,}")
    if not names:
        notes.append("nobody has judged anything in the file")
    if notes:
        outcomes[""] = Loaded(notes=tuple(notes))
    return outcomes


def _refuse_name(path: str | os.PathLike[str], name: str, rows: Sequence[JudgmentRow]) -> None:
    """Raise `InputError`, with the line, for a name that no judge can have."""
    try:
        _proper_name(name, called=name)
    except UsageError as error:
        line = next(row.line for row in rows if row.judge == name)
        raise InputError(path, line, error.what, error.mend) from error


def _proper_name(name: str, *, called: str) -> str:
    """The name as judges have theirs; of one that none can have, `UsageError` tells how to take
    another one for who is `called` so in the file."""
    try:
        return proper_name(name)
    except UsageError as error:
        mend = f"{error.mend}, with --rename {shlex.quote(f'{called}=NAME')}"
        raise UsageError(error.what, mend) from error


def renamed(read: Graded, names: Sequence[str]) -> Graded:
    """The same judgments, with judges called as `names` say, each `OLD=NEW`.

    Raises `UsageError` for one that is not so, for a name that no judge can have, and for a judge
    who is not in the file.
    """
    called: dict[str, str] = {}
    there = sorted({composed(row.judge) for row in read.judgments or () if row.judge})
    for one in names:
        old, sign, new = one.rpartition("=")
        if not sign or not new.strip():
            raise UsageError(f"--rename {one!r:.70} is not OLD=NEW", "write both names")
        old = composed(old)
        if old not in there:
            raise unknown("judge", old, there)
        called[old] = _proper_name(new, called=old)
    rows = [
        row._replace(judge=called.get(composed(row.judge), composed(row.judge)))
        for row in read.judgments or ()
    ]
    after = sorted({row.judge for row in rows if row.judge})
    if len(after) != len(there):
        raise UsageError("two judges would have one name", "give each a name of its own")
    return read._replace(judgments=rows)


def _told(found: Sequence[JudgmentRow]) -> dict[str, tuple[str, str]]:
    """The narrative and the description of each query, as its first row has them that has one."""
    told: dict[str, tuple[str, str]] = {}
    for row in found:
        narrative, description = told.get(row.query_id, ("", ""))
        told[row.query_id] = narrative or row.narrative, description or row.description
    return told


def _in_the_pool(
    campaign: Campaign, found: Sequence[JudgmentRow], left_out: int
) -> tuple[dict[Pair, int], list[str]]:
    """The keys of all pairs, once those of the rows are in the pool; what is to be said of those
    that nobody in the file has judged."""
    there, last = pair_keys(campaign), last_document(campaign)
    wanted = {(row.query_id, row.doc_id) for row in found if row.decision == "open"} - set(there)
    judged = {(row.query_id, row.doc_id) for row in found if row.decision != "open"}
    pairs = pooled(campaign, there, [(row.query_id, row.doc_id) for row in found])
    notes = [*told_of_new(campaign, last)]
    if joined := len(wanted - judged):
        count = "1 pair" if joined == 1 else f"{joined:,} pairs"
        notes.append(f"{count} that nobody has judged joined the pool")
    if left_out:
        count = "1 pair" if left_out == 1 else f"{left_out:,} pairs"
        notes.append(f"{count} that nobody has judged left out as unknown")
    return pairs, notes


def _judge(campaign: Campaign, name: str, kinds: set[str]) -> Judge:
    """The judge of that name, made if new."""
    known = find_judge(campaign, name.strip())
    if known is None and len(kinds) > 1:
        raise UsageError(
            f"{name!r} is a person and a program in the file",
            "give one of them another name: people and models are never mixed under one",
        )
    return add_judge(campaign, name, kind=known.kind if known else kinds.pop())


def _load_judge(
    connection: sqlite3.Connection,
    path: str | os.PathLike[str],
    found: Sequence[JudgmentRow],
    pairs: Mapping[Pair, int],
    who: Judge,
    left_out: int,
    *,
    replace: bool,
    mend: str,
) -> Loaded:
    """Take over what one judge has `found`, of pairs with these keys."""
    before: dict[int, Said] = {
        pair: (action, grade)
        for pair, action, grade in connection.execute(
            "SELECT pair, action, grade FROM decisions WHERE judge = ?", (who.key,)
        )
    }
    noted: dict[int, str] = dict(
        connection.execute(
            "SELECT pair, note FROM live_events WHERE judge = ? AND action = 'comment' ORDER BY id",
            (who.key,),
        )
    )
    new: dict[int, Said] = {}
    notes: dict[int, str] = {}
    seconds: dict[int, float] = {}
    judged: set[int] = set()
    replaced: set[int] = set()
    in_app = decided_in_app(connection, who.key) if replace else set()
    unchanged = 0
    for row in found:
        pair = pairs[row.query_id, row.doc_id]
        if row.note.strip():
            notes.setdefault(pair, row.note)
        if row.decision == "open":
            continue
        if row.grade is not None and row.grade < 0:
            left_out += 1
            continue
        said = row.decision, row.grade
        if row.decision != "skip":
            judged.add(pair)
        held = new.get(pair, before.get(pair))
        if held is not None and (held == said or row.decision == "skip"):
            unchanged += 1
            continue
        if held is not None and held[0] != "skip":
            if pair in new or pair in in_app or not replace:
                raise InputError(
                    path,
                    row.line,
                    f"of {row.doc_id!r} for {row.query_id!r}, judge {who.name!r} has said"
                    f" {_words(held)} already, not {_words(said)}",
                    "remove one of the two from the file" if pair in new else mend,
                )
            replaced.add(pair)
        new[pair] = said
        seconds.pop(pair, None)
        if row.seconds is not None:
            seconds[pair] = row.seconds
    others = {pair for pair in notes if notes[pair].strip() != noted.get(pair, notes[pair]).strip()}
    # What is judged here alone keeps its note with its judgment.
    alone = {pair for pair in others - judged if before.get(pair, _SKIPPED) != _SKIPPED}
    others -= alone
    events: list[tuple[int, str, int | None, str]] = [
        (pair, *said, "") for pair, said in new.items()
    ]
    for pair, note in notes.items():
        if pair not in noted or (replace and pair in others):
            events.append((pair, "comment", None, note))
    insert_events(connection, who.key, events, seconds)
    told = []
    if skipped := len(new.keys() & before.keys() - replaced):
        told.append(f"of {who.name!r}, {counted(skipped, 'skipped pair')} judged now")
    if others:
        outcome = "replaced" if replace else f"{_stays(others)} (--replace takes the file's)"
        told.append(f"of {who.name!r}, {counted(len(others), 'note')} {outcome}")
    if alone:
        outcome = f"{_stays(alone)} with what is judged here alone"
        told.append(f"of {who.name!r}, {counted(len(alone), 'note')} {outcome}")
    return Loaded(len(new) - len(replaced), len(replaced), unchanged, left_out, tuple(told))


def _stays(notes: Sized) -> str:
    return "is another one here, and stays" if len(notes) == 1 else "are others here, and stay"


def _words(said: Said) -> str:
    decision, grade = said
    return str(grade) if grade is not None else IN_WORDS[decision]
