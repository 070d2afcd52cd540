"""What the Judge screen's lines say of a query, a document and a pair."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from judge_tui.campaign.store.desk import DeskPair
from judge_tui.model import Document, Query, Scale
from judge_tui.tui.pace import pace_text
from judge_tui.tui.shown import foreign, grade_class, state_glyph
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line


def query_content(query: Query) -> Content:
    """A query's id and text."""
    name = foreign(query.query_id, "bold $accent")
    return Content.assemble(name, "  ", foreign(query.text, "bold"))


def progress_content(done: int, total: int, looked: Sequence[float]) -> Content:
    """Pairs decided of pairs in all, the pace, and the time left at that pace."""
    pace = pace_text(looked, total - done)
    parts = [f"{done:,}/{total:,}", *([pace] if pace else [])]
    return Content("   ".join(parts))


def need_text(query: Query, *, with_text: bool) -> str:
    """Description and narrative, after the query itself where that has no room above."""
    first = query.text if with_text else ""
    return "\n".join(filter(None, (first, query.description, query.narrative)))


def names(document: Document) -> list[str]:
    """What a document is known by: title, id unless the title begins with it, address."""
    title = document.title or document.doc_id
    doc_id = "" if title.startswith(document.doc_id) else document.doc_id
    return [name for name in (title, doc_id, document.url) if name]


def name_content(document: Document) -> Content:
    """Its names on one line, the first one strongest."""
    first, *others = names(document)
    return Content("  ").join([foreign(first, "bold"), *(foreign(one, "dim") for one in others)])


def title_content(
    document: Document, ranks: Sequence[tuple[str, int]], *, raw: bool = False
) -> Content:
    """Its names, its kind, whether it is shown `raw`, and where runs rank it, in a campaign that
    shows that."""
    parts = [name_content(document)]
    if document.kind:
        parts.append(foreign(document.kind, "dim"))
    if raw:
        parts.append(Content.styled("raw", "dim"))
    if ranks:
        parts.append(foreign(", ".join(f"{tag} {rank}" for tag, rank in ranks), "dim"))
    return Content("  ").join(parts)


def pair_pieces(pair: DeskPair, scale: Scale, *, here: bool) -> list[Piece]:
    """A pair's row in the list: where one is, what was decided, flagged or not, the id."""
    graded = pair.state.grade
    colour = "faint" if graded is None else grade_class(graded, scale)
    return [
        ("▸" if here else " ", "list--strong"),
        (state_glyph(pair.state), f"list--{colour}"),
        ("!", "list--fair") if pair.state.flagged else (" ", ""),
        (" ", ""),
        (visible_line(pair.doc_id), ""),
    ]
