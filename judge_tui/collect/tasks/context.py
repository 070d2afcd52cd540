"""What a search system found, as it is put into a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.collect.reply import Hit, Reply
from judge_tui.model import Document

__all__ = ["Context", "NoContextError", "context_of"]


class NoContextError(Exception):
    """Why there is no context where an arm wants one."""


@dataclass(frozen=True, slots=True)
class Context:
    """`text` is empty where nothing was found; `doc_ids`: of what stands in it, best first; `cut`:
    whether it was too long."""

    text: str = ""
    doc_ids: tuple[str, ...] = ()
    cut: bool = False


def context_of(reply: Reply, k: int, documents: Mapping[str, Document], limit: int) -> Context:
    """The first `k` hits: of each a line with its rank in brackets and its id, a line with its
    title, if it has one, and its text, with an empty line between two of them; in at most
    `limit` characters: the last one may end amid its text, and is left out where none of that fits.

    Title and text are those of `documents` where the id is in it, else those of the hit. Raises
    `NoContextError` where the system failed, or where nothing of what it found has a text.
    """
    if reply.failure:
        raise NoContextError(reply.failure)
    hits = [_with_text(hit, documents) for hit in reply.hits[:k]]
    if hits and not any(hit.text.strip() or hit.title.strip() for hit in hits):
        raise NoContextError(f"none of its {len(hits)} results has a text")
    blocks = [_block(rank, hit) for rank, hit in enumerate(hits, 1)]
    whole = "\n\n".join(blocks)
    text = ""
    held: list[str] = []
    for hit, block in zip(hits, blocks, strict=True):
        longer = f"{text}\n\n{block}" if held else block
        # Of one that does not fit there is to be more than its rank, its id and its title.
        of_text = len(hit.text.strip("\r\n")) if hit.text.strip() else 0
        if len(longer) > limit and len(longer) - of_text >= limit:
            break
        text = longer[:limit]
        held.append(hit.doc_id)
        if len(longer) > limit:
            break
    return Context(text, tuple(held), len(whole) > limit)


def _with_text(hit: Hit, documents: Mapping[str, Document]) -> Hit:
    document = documents.get(hit.doc_id)
    if document is None:
        return hit
    return Hit(hit.doc_id, hit.score, document.title, document.text, hit.url)


def _block(rank: int, hit: Hit) -> str:
    parts = (f"[{rank}] {hit.doc_id}", hit.title.strip(), hit.text.strip("\r\n"))
    return "\n".join(part for part in parts if part.strip())
