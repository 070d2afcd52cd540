"""The page as one HTML file that needs nothing from elsewhere and runs nothing."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence

from judge_tui.report.grids import Cell, Column, Grid, Toned
from judge_tui.report.page.content import (
    Block,
    Figure,
    Page,
    Paragraph,
    Points,
    Section,
    Table,
    Terms,
)
from judge_tui.report.page.style import STYLE
from judge_tui.report.plots import escaped, inline
from judge_tui.report.table import shown
from judge_tui.version import __version__
from judge_tui.visible import visible_line

__all__ = ["page_html"]

_LONG = 8
"""A table of more rows may be cut where a page of paper ends."""

_UNBROKEN = 16
"""A longer word, such as a run's tag, may be broken anywhere, or it would push the rest away."""


def page_html(page: Page) -> str:
    """The whole document, which ends with a newline. The same page gives the same bytes.

    Foreign text is escaped, and what would hide or turn it is replaced. A browser is told to load
    nothing and to run nothing: the style sheet in the page is the only one that is let in, by its
    hash (Content Security Policy Level 3).
    """
    style_hash = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{style_hash}'; base-uri 'none'; form-action 'none'"
    )
    title = escaped(page.title)
    contents = "\n".join(
        f'<li><a href="#{one.key}">{escaped(one.title)}</a></li>' for one in page.sections
    )
    answer = "\n".join(map(_block, page.answer))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="judge_tui {escaped(__version__)}">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<header>\n<h1>{title}</h1>\n<p class="kind">Evaluation of search systems</p>\n</header>\n'
        f'<main>\n<div class="answer">\n<h2 id="answer">The answer</h2>\n{answer}\n</div>\n'
        f'<nav aria-labelledby="contents">\n<h2 id="contents">On this page</h2>\n'
        f"<ol>\n{contents}\n</ol>\n</nav>\n"
        f"{''.join(map(_section, page.sections))}</main>\n"
        f"<footer><p>Written by judge_tui {escaped(__version__)}.</p></footer>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    body = "\n".join(map(_block, section.blocks))
    return (
        f'<section aria-labelledby="{section.key}">\n'
        f'<h2 id="{section.key}">{escaped(section.title)}</h2>\n{body}\n</section>\n'
    )


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            kind = ' class="strong"' if block.strong else ""
            return f"<p{kind}>{escaped(block.text)}</p>"
        case Points():
            return "<ul>\n" + "".join(f"<li>{escaped(one)}</li>\n" for one in block.items) + "</ul>"
        case Terms():
            return (
                "<dl>\n"
                + "".join(
                    f"<dt>{escaped(term)}</dt>\n<dd>{escaped(told)}</dd>\n"
                    for term, told in block.items
                )
                + "</dl>"
            )
        case Table():
            note = f'\n<p class="note">{escaped(block.note)}</p>' if block.note else ""
            kind = ' class="long"' if len(block.grid.rows) > _LONG else ""
            table = _scrolling(_table(block.grid), block.grid.title)
            return f"<div{kind}>{table}{note}</div>"
        case Figure():
            picture = block.picture
            # Title and note are text of the page, which folds where a picture can only be moved.
            note = f'\n<p class="note">{escaped(picture.note)}</p>' if picture.note else ""
            above = f"<figcaption>{escaped(picture.title)}{note}</figcaption>\n"
            return f"<figure>{above}{_scrolling(inline(picture), picture.title)}</figure>"


def _scrolling(inside: str, title: str) -> str:
    """What may be wider than the screen is moved by itself, with the keyboard, too."""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escaped(title)}">{inside}</div>'
    )


def _table(grid: Grid) -> str:
    caption = f"<caption>{escaped(grid.title)}</caption>\n" if grid.title else ""
    head = "".join(map(_head, grid.columns))
    rows = "".join(f"<tr>{_row(grid.columns, row)}</tr>\n" for row in grid.rows)
    return (
        f"<table>\n{caption}<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>"
    )


def _head(column: Column) -> str:
    kinds = [*(["n"] if column.right else []), *_breaking(visible_line(column.name))]
    return f'<th scope="col"{_class(kinds)}>{escaped(column.name)}</th>'


def _row(columns: Sequence[Column], row: Sequence[Cell]) -> str:
    return "".join(_cell(column, cell) for column, cell in zip(columns, row, strict=True))


def _cell(column: Column, cell: Cell) -> str:
    text = shown(column.show, cell)
    kinds = ["n"] if column.right else _breaking(text)
    if isinstance(cell, Toned):
        kinds.append(cell.tone)
    return f"<td{_class(kinds)}>{escaped(text)}</td>"


def _breaking(text: str) -> list[str]:
    return ["b"] if any(len(word) > _UNBROKEN for word in text.split()) else []


def _class(kinds: Sequence[str]) -> str:
    return f' class="{" ".join(kinds)}"' if kinds else ""
