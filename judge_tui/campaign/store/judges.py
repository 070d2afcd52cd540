"""The judges of a campaign.

Between copies of a campaign a judge is known by the first name, which a rename does not change; a
model by its identity, where that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.events import refresh_adjudications
from judge_tui.counts import counted
from judge_tui.errors import UsageError, unknown
from judge_tui.model import STAND_INS, composed

_COLUMNS = "id, name, role, kind, formerly"
_HAS_JUDGED = (
    "(EXISTS (SELECT 1 FROM events WHERE judge = judges.id)"
    " OR EXISTS (SELECT 1 FROM model_answers WHERE judge = judges.id))"
)


@dataclass(frozen=True, slots=True)
class Judge:
    """Who grades: `role` is judge or lead, `kind` human or model. `key` is the file's own.
    `formerly`: the name that the judge came with, where it was changed since."""

    key: int
    name: str
    role: str
    kind: str
    formerly: str | None = None

    @property
    def first_name(self) -> str:
        """The name that the judge came with: the same in every copy, and what orders are drawn
        from."""
        return self.formerly or self.name


def all_judges(campaign: Campaign) -> list[Judge]:
    """The judges in the order in which they came, less those who were removed."""
    rows = campaign.rows(f"SELECT {_COLUMNS} FROM judges WHERE removed = 0 ORDER BY id")
    return [Judge(*row) for row in rows]


def removed_judges(campaign: Campaign) -> list[Judge]:
    """Those who had judged: their judgments count no more."""
    rows = campaign.rows(
        f"SELECT {_COLUMNS} FROM judges WHERE removed = 1 AND {_HAS_JUDGED} ORDER BY id"
    )
    return [Judge(*row) for row in rows]


def find_judge(campaign: Campaign, name: str) -> Judge | None:
    """The judge of that name, in whatever form of Unicode; None where there is none. Raises
    `UsageError` for a name that a judge had before, and for one who was removed after judging."""
    name = composed(name)
    for *row, removed in campaign.rows(
        f"SELECT {_COLUMNS}, removed FROM judges WHERE (name = ? OR formerly = ?)"
        f" AND (removed = 0 OR {_HAS_JUDGED})",
        (name, name),
    ):
        judge = Judge(*row)
        if removed:
            raise UsageError(f"judge {name!r} was removed", "use another name")
        if judge.name != name:
            raise UsageError(f"judge {name!r} is now called {judge.name!r}", "use that name")
        return judge
    return None


def known_judge(campaign: Campaign, name: str) -> Judge:
    """The judge of that name. Raises `UsageError` where there is none."""
    judge = find_judge(campaign, name)
    if judge is None:
        raise unknown("judge", name, [one.name for one in all_judges(campaign)])
    return judge


def name_here(campaign: Campaign, name: str) -> str:
    """The name as the campaign has it, in whatever form of Unicode; as it is where nobody has it
    there. Raises `UsageError` as `find_judge` does."""
    known = find_judge(campaign, name)
    return known.name if known is not None else name


def near_names(campaign: Campaign, name: str, others: Sequence[str] = ()) -> list[str]:
    """Names of judges, and of `others`, that a new `name` may be a slip of, the nearest first; none
    for a name that somebody has."""
    if name in others or find_judge(campaign, name) is not None:
        return []
    return _slips(name, [*(one.name for one in all_judges(campaign)), *others])


def refuse_near_name(campaign: Campaign, name: str, others: Sequence[str] = ()) -> None:
    """Raise `UsageError` for a new name that is nearly a known one, or one of `others`: it may be a
    slip."""
    near = near_names(campaign, proper_name(name), others)
    if near:
        raise UsageError(
            f"{name!r} is new, and nearly the name of {', '.join(map(repr, near))}",
            "mend the name, or make a new judge of it with --yes",
        )


def add_judge(campaign: Campaign, name: str, *, role: str = "judge", kind: str = "human") -> Judge:
    """The judge of that name, made if new; space around the name does not count.

    Raises `UsageError` where the name is empty, too long or has a comma (lists of judges are
    written with commas), where a model would be called as what `--unjudged` means, where a judge
    had it before, and where a judge of that name is of another kind.
    """
    name = proper_name(name, kind)
    with campaign.writing():
        judge = find_judge(campaign, name)
        if judge is None:
            judge = insert_judge(campaign, Judge(0, name, role, kind))
        if judge.kind != kind:
            raise UsageError(
                f"judge {name!r} is of kind {judge.kind}, not {kind}",
                "use another name: people and models are never mixed under one",
            )
    return judge


def insert_judge(campaign: Campaign, judge: Judge) -> Judge:
    """Add a judge of a name that nobody judges or judged under; the judge with the key of the row.

    Of one who was removed before judging, the row is taken up again: keys are never given twice,
    so that an app which is open as one judge cannot write as another.
    """
    row = campaign.row(
        "INSERT INTO judges (name, role, kind, formerly) VALUES (?, ?, ?, ?) ON CONFLICT (name)"
        " DO UPDATE SET role = excluded.role, kind = excluded.kind, formerly = excluded.formerly,"
        f" removed = 0 RETURNING {_COLUMNS}",
        (judge.name, judge.role, judge.kind, judge.formerly),
    )
    return Judge(*row)


def rename_judge(campaign: Campaign, name: str, new: str) -> None:
    """Mend the name of a judge; what the judge did, and its order, stay as they are.

    Raises `UsageError` where nobody has the name, where somebody else has, or had, the new one, and
    where no such judge can have it.
    """
    with campaign.writing():
        judge = known_judge(campaign, name)
        new = proper_name(new, judge.kind)
        taken = campaign.rows(
            "SELECT name FROM judges WHERE (name = ? OR formerly = ?) AND id <> ?",
            (new, new, judge.key),
        )
        if taken:
            raise UsageError(
                f"{new!r} is the name of another judge, now or before", "take another name"
            )
        by_identity = campaign.rows("SELECT 1 FROM model_judges WHERE judge = ?", (judge.key,))
        formerly = None if by_identity or new == judge.first_name else judge.first_name
        campaign.execute(
            "UPDATE judges SET name = ?, formerly = ? WHERE id = ?", (new, formerly, judge.key)
        )


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """What a judge has done: `judgments` that hold, hidden repeats too, pairs `settled` as a lead,
    and `events` of all kinds, undone ones too."""

    judgments: int
    settled: int
    events: int

    def __str__(self) -> str:
        return (
            f"{counted(self.judgments, 'judgment')}, {counted(self.settled, 'adjudication')},"
            f" {counted(self.events, 'event')}"
        )


def work_of(campaign: Campaign, judge: Judge) -> JudgeWork:
    """What there is of a judge."""
    return JudgeWork(
        *(
            int(campaign.row(sql, (judge.key,))[0])
            for sql in (
                "SELECT count(decision) FROM judgments WHERE judge = ?",
                "SELECT count(*) FROM adjudications WHERE judge = ?",
                "SELECT count(*) FROM events WHERE judge = ?",
            )
        )
    )


def remove_judge(campaign: Campaign, name: str, *, with_judgments: bool = False) -> JudgeWork:
    """Remove a judge with what was assigned; returns what the judge had done.

    Of who has done nothing, the name is free. `with_judgments`: who has done something
    counts no more, here and in whatever is merged; the events stay in the log, which nothing is
    taken from, and the name stays taken. Raises `UsageError` where nobody has the name, and for a
    judge with events unless `with_judgments`.
    """
    with campaign.writing():
        judge = known_judge(campaign, name)
        work = work_of(campaign, judge)
        if work.events and not with_judgments:
            raise UsageError(
                f"judge {judge.name!r} has judged: {work}", "remove all of it with --with-judgments"
            )
        settled = campaign.rows("SELECT pair FROM adjudications WHERE judge = ?", (judge.key,))
        for table in ("assignments", "leases", "judgments", "adjudications"):
            campaign.execute(f"DELETE FROM {table} WHERE judge = ?", (judge.key,))
        campaign.execute("UPDATE judges SET removed = 1 WHERE id = ?", (judge.key,))
        # Who takes the name of a model that never answered is another judge.
        campaign.execute(
            "DELETE FROM model_judges WHERE judge = ? AND judge NOT IN"
            " (SELECT judge FROM model_answers UNION SELECT judge FROM events)",
            (judge.key,),
        )
        refresh_adjudications(campaign, [pair for (pair,) in settled])
    return work


def last_written(campaign: Campaign) -> dict[str, str]:
    """Judge -> when this one last did anything, in UTC; less those who never did."""
    rows = campaign.rows(
        "SELECT j.name, (SELECT e.written_at FROM events AS e WHERE e.judge = j.id"
        "  ORDER BY e.id DESC LIMIT 1) FROM judges AS j WHERE j.removed = 0"
    )
    return {name: at for name, at in rows if at is not None}


_GREATEST_NAME = 60
_CLOSE = 0.8
_NUMBER = re.compile(r"\d+")


def proper_name(name: str, kind: str = "human") -> str:
    """The name without space around it, and composed: of one name, typed on two systems, there is
    one judge. Raises `UsageError` where no judge of that kind can have it."""
    name = composed(name.strip())
    if not name:
        raise UsageError("a judge needs a name", "give one with --judge NAME")
    if "," in name or len(name) > _GREATEST_NAME:
        raise UsageError(
            f"{name[:40]!r} cannot be a judge's name",
            f"take one without commas, of at most {_GREATEST_NAME} characters",
        )
    if kind == "model" and name in STAND_INS:
        raise UsageError(
            f"a model cannot be called {name!r}: that is what --unjudged {name} means",
            "take another name",
        )
    return name


def _slips(name: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that a new `name` may be a slip of, the nearest first. Names that differ in
    their numbers alone, or in their last letter, are a series and no slips (judge1, judge2; ann,
    ann2)."""
    import difflib  # noqa: PLC0415 - most names are known ones

    mine = _folded(name)
    others = {}
    for one in names:
        folded = _folded(one)
        if folded == mine or not _are_series(folded, mine):
            others[folded] = one
    return [others[near] for near in difflib.get_close_matches(mine, others, cutoff=_CLOSE)]


def _are_series(one: str, other: str) -> bool:
    one, other = _NUMBER.sub("", one), _NUMBER.sub("", other)
    return one == other or one[:-1] == other[:-1]


def _folded(name: str) -> str:
    return " ".join(composed(name).casefold().split())
