"""The plain reader of a block of a run: any layout, no library, nothing to import first."""

from __future__ import annotations

from array import array
from io import BytesIO
from math import isfinite
from typing import NamedTuple

from judge_tui.formats.blocks import Block
from judge_tui.scoring.known import Knowledge
from judge_tui.scoring.seen import Seen, look_up

__all__ = ["Look", "SeenBlock", "read_plainly"]


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
    """Every query of a block in the light of its grades.

    None means that something is wrong with the block, or might be: whoever reads line by line can
    say what.
    """
    text = bytes(block)
    if b"\0" in text:
        return None
    found = SeenBlock([], [], b"")
    held: dict[bytes, tuple[list[bytes], list[bytes]]] = {}
    current = tag = b""
    docs: list[bytes] = []
    scores: list[bytes] = []
    try:
        text.isascii() or text.decode()
        # A list of all lines would be several times the block, and memory costs time, too.
        for line in BytesIO(text):
            try:
                query, _, doc, _, score, its_tag = line.split()
            except ValueError:
                fields = line.split()
                if not fields:
                    continue
                if not _countable(fields):
                    return None
                query, doc, score = fields[0], fields[2], fields[4]
                its_tag = fields[5] if len(fields) > 5 else tag
            if query != current:
                current = query
                docs, scores = held.setdefault(query, ([], []))
            docs.append(doc)
            scores.append(score)
            if its_tag != tag:
                if tag and not look.any_tag:
                    return None
                tag = its_tag
        for query, (docs, scores) in held.items():
            ranked = _ranked(docs, scores, single=look.single)
            if ranked is None:
                return None
            query_id = query.decode()
            known = look.knowledge.get(query_id)
            if known is None:
                found.others.append(query_id)
            else:
                found.seen.append((query_id, look_up(known, known.by_bytes, ranked)))
    except ValueError:
        return None
    return found._replace(tag=tag)


def _ranked(docs: list[bytes], scores: list[bytes], *, single: bool) -> dict[bytes, float] | None:
    # float() would take 1_000 for a number.
    if b"_" in b"".join(scores):
        return None
    values = list(map(float, scores))
    # A sum is infinite or NaN if one score is, and costs less than a question for each.
    if not isfinite(sum(values)):
        return None
    if single:
        values = array("f", values).tolist()
    ranked = dict(zip(docs, values, strict=True))
    return ranked if len(ranked) == len(docs) else None


def _countable(fields: list[bytes]) -> bool:
    """Whether the fields can be counted off; that of seven the fourth is a rank is not settled."""
    return len(fields) in (5, 6)
