"""The plain reader of a block of a run, which takes any layout and needs no library."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from judge_tui.formats.blocks import Block
from judge_tui.formats.plain_lists import Lists, lists_in, scores_in
from judge_tui.scoring.seen import Knowledge, Seen, look_up

__all__ = ["Look", "SeenBlock", "read_plainly", "rounded", "seen_in"]

Id = TypeVar("Id", str, bytes)


class Look(NamedTuple):
    """What a block is looked at with: the qrels, and how scores and tags are taken.

    `single`: scores are rounded to 32 bits. `any_tag`: the lines may have different tags.
    """

    knowledge: Knowledge
    single: bool = False
    any_tag: bool = False


class SeenBlock(NamedTuple):
    """What was found in a block: its judged queries, the ids of the others, and the tag if any."""

    seen: list[tuple[str, Seen]]
    others: list[str]
    tag: bytes


def read_plainly(block: Block, look: Look) -> SeenBlock | None:
    """Every query of a block in the light of its grades; None as in `plain_lists`."""
    lists = lists_in(block, any_tag=look.any_tag)
    return None if lists is None else seen_in(lists, look)


def seen_in(lists: Lists, look: Look) -> SeenBlock | None:
    """The same of lists that are there already; None as in `scores_in`."""
    found = SeenBlock([], [], lists.tag)
    for query, columns in lists.by_query.items():
        scores = scores_in(columns)
        if scores is None:
            return None
        query_id = query.decode()
        known = look.knowledge.get(query_id)
        if known is None:
            found.others.append(query_id)
        else:
            taken = rounded(scores) if look.single else scores
            found.seen.append((query_id, look_up(known, known.by_bytes, taken)))
    return found


def rounded(scores: Mapping[Id, float]) -> dict[Id, float]:
    """The scores as 32 bits hold them."""
    return dict(zip(scores, array("f", scores.values()), strict=True))
