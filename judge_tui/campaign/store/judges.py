"""The judges of a campaign."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge_tui.campaign.store.connection import Campaign
from judge_tui.errors import UsageError
from judge_tui.model import composed

__all__ = [
    "GREATEST_NAME",
    "Judge",
    "add_judge",
    "all_judges",
    "find_judge",
    "models_count",
    "name_here",
    "near_names",
    "only_models",
    "policy_here",
    "proper_name",
]


GREATEST_NAME = 60

_NEAR = 3
"""How many names that are nearly the same are named."""
_CLOSE = 0.8
_SERIES = re.compile(r"\d+|.$")


@dataclass(frozen=True, slots=True)
class Judge:
    """Who grades: `role` is judge or lead, `kind` human or model. `key` is the file's own."""

    key: int
    name: str
    role: str
    kind: str


def all_judges(campaign: Campaign) -> list[Judge]:
    """The judges in the order in which they came."""
    rows = campaign.rows("SELECT id, name, role, kind FROM judges ORDER BY id")
    return [Judge(*row) for row in rows]


def find_judge(campaign: Campaign, name: str) -> Judge | None:
    """The judge of exactly that name, else of that name in another form of Unicode, as an earlier
    version may have kept it; None where there is none."""
    rows = campaign.rows("SELECT id, name, role, kind FROM judges WHERE name = ?", (name,))
    if rows:
        return Judge(*rows[0])
    if name.isascii():
        return None
    alike = (one for one in all_judges(campaign) if composed(one.name) == composed(name))
    return next(alike, None)


def name_here(campaign: Campaign, name: str) -> str:
    """The name as the campaign has it, in whatever form of Unicode; as it is where nobody has it
    there."""
    known = find_judge(campaign, name)
    return known.name if known is not None else name


def policy_here(campaign: Campaign, policy: str) -> str:
    """The policy, with the judge whom it names, if it does, called as in the campaign."""
    kind, colon, name = policy.partition(":")
    return f"{kind}:{name_here(campaign, name)}" if colon else policy


def near_names(campaign: Campaign, name: str) -> list[str]:
    """Names of judges that `name` may be a slip of, the nearest first. Names that differ in their
    numbers alone, or in their last letter, are a series and no slips (judge1, judge2)."""
    import difflib  # noqa: PLC0415 - most names are known ones

    mine = _folded(name)
    others = {}
    for one in all_judges(campaign):
        folded = _folded(one.name)
        series = _SERIES.sub("", folded) == _SERIES.sub("", mine) and folded != mine
        if one.name != name and not series:
            others[folded] = one.name
    return [others[near] for near in difflib.get_close_matches(mine, others, _NEAR, _CLOSE)]


def proper_name(name: str) -> str:
    """The name without space around it, and composed: of one name, typed on two systems, there is
    one judge. Raises `UsageError` where no judge can have it."""
    name = composed(name.strip())
    if not name:
        raise UsageError("a judge needs a name", "give one with --judge NAME")
    if "," in name or len(name) > GREATEST_NAME:
        raise UsageError(
            f"{name[:40]!r} cannot be a judge's name",
            f"take one without commas, of at most {GREATEST_NAME} characters",
        )
    return name


def add_judge(campaign: Campaign, name: str, *, role: str = "judge", kind: str = "human") -> Judge:
    """The judge of that name, made if new; space around the name does not count.

    Raises `UsageError` where the name is empty, too long or has a comma (lists of judges are
    written with commas), and where a judge of that name is of another kind.
    """
    name = proper_name(name)
    with campaign.writing() as connection:
        judge = find_judge(campaign, name)
        if judge is None:
            connection.execute(
                "INSERT INTO judges (name, role, kind) VALUES (?, ?, ?)", (name, role, kind)
            )
            judge = find_judge(campaign, name)
        if judge is None or judge.kind != kind:
            raise UsageError(
                f"judge {name!r} is of kind {judge.kind if judge else kind}, not {kind}",
                "use another name: people and models are never mixed under one",
            )
    return judge


def _folded(name: str) -> str:
    return " ".join(composed(name).casefold().split())


def models_count(campaign: Campaign, include_models: bool | None) -> bool:
    """Whether grades of judges of kind model count; None: as the campaign's setting has it."""
    return campaign.settings.include_models if include_models is None else include_models


def only_models(campaign: Campaign, include_models: bool | None) -> bool:
    """Whether the grades that count are those of models alone: no person has graded."""
    if not models_count(campaign, include_models):
        return False
    graded = {judge.kind for judge in all_judges(campaign) if _has_graded(campaign, judge.key)}
    return graded == {"model"}


def _has_graded(campaign: Campaign, judge: int) -> bool:
    # Of one judge at a time the view is read in the order of an index, up to the first grade.
    sql = "SELECT 1 FROM decisions WHERE judge = ? AND action = 'grade' LIMIT 1"
    return bool(campaign.rows(sql, (judge,)))
