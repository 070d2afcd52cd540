"""What a search system found, as it is put into a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.collect.answer import Answer, Hit
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


def context_of(answer: Answer, k: int, documents: Mapping[str, Document], limit: int) -> Context:
    """The first `k` hits: of each a line with its rank in brackets and its id, a line with its
    title, if it has one, and its text, with an empty line between two of them; cut off after
    `limit` characters.

    Title and text are those of `documents` where the id is in it, else those of the hit. Raises
    `NoContextError` where the system failed, or where nothing of what it found has a text.
    """
    if answer.failure:
        raise NoContextError(answer.failure)
    hits = [_with_text(hit, documents) for hit in answer.hits[:k]]
    if hits and not any(hit.text.strip() or hit.title.strip() for hit in hits):
        raise NoContextError(f"none of its {len(hits)} results has a text")
    blocks = [_block(rank, hit) for rank, hit in enumerate(hits, 1)]
    starts = [sum(len(one) + 2 for one in blocks[:at]) for at in range(len(blocks))]
    text = "\n\n".join(blocks)
    held = tuple(hit.doc_id for hit, start in zip(hits, starts, strict=True) if start < limit)
    return Context(text[:limit], held, len(text) > limit)


def _with_text(hit: Hit, documents: Mapping[str, Document]) -> Hit:
    document = documents.get(hit.doc_id)
    if document is None:
        return hit
    return Hit(hit.doc_id, hit.score, document.title, document.text, hit.url)


def _block(rank: int, hit: Hit) -> str:
    parts = (f"[{rank}] {hit.doc_id}", hit.title.strip(), hit.text.strip("\r\n"))
    return "\n".join(part for part in parts if part.strip())
