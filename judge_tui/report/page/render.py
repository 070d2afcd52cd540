"""A page as one HTML file that needs nothing from elsewhere and runs nothing, and as Markdown: the
same `Page` by two templates, in which whatever is put in is escaped unless it is marked as safe."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from judge_tui.report.layout import Cell, Column, Decimals, Table, Toned
from judge_tui.report.page.content import Page, Terms
from judge_tui.report.plots import Histogram, Intervals, escaped, inline
from judge_tui.report.table import shown
from judge_tui.report.writers import markdown_table, markdown_text
from judge_tui.version import __version__
from judge_tui.visible import visible_line

_LONG_WORD = 16
"""A longer word, such as a run's tag, may be broken anywhere, or it would push the rest away."""

_LONG_TEXT = 30

# What begins a list, a heading of the setext kind or a rule.
_LINE_START = re.compile(r"^(\d{0,9})([-+=.)])")


def page_html(page: Page) -> str:
    """The whole document, which ends with a newline. The same page gives the same bytes.

    A browser is told to load nothing and to run nothing: the style sheet in the page is the only
    one that is let in, by its hash (Content Security Policy Level 3).
    """
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return _render("page.html.j2", page, policy=Markup(policy), style=Markup(style))


def page_markdown(page: Page) -> str:
    """The whole document, as GitHub renders it; tables in place of pictures."""
    return _render("page.md.j2", page)


def _render(template: str, page: Page, **more: Any) -> str:
    escape_all = {"page.html.j2": _html, "page.md.j2": _markdown}[template]
    environment = _environment(escape_all)
    return (
        environment.get_template(template).render(page=page, version=__version__, **more).lstrip()
    )


@cache
def _environment(escape_all: Callable[[object], Markup]) -> Environment:
    environment = Environment(
        loader=PackageLoader("judge_tui.report.page", "."),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=escape_all,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"rows": _rows, "classes": _classes, "sentence": _sentence}
    environment.filters["markdown"] = lambda table: Markup(markdown_table(_short(table)))
    environment.filters["drawn"] = lambda picture: Markup(inline(picture))
    environment.tests |= {
        "table": lambda block: isinstance(block, Table),
        "terms": lambda block: isinstance(block, Terms),
        "picture": lambda block: isinstance(block, Intervals | Histogram),
    }
    return environment


def _html(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup(escaped(str(text)))


def _markdown(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup(markdown_text(visible_line(str(text))))


def _sentence(text: str) -> Markup:
    """Markdown that means itself at the start of a line, too."""
    return Markup(_LINE_START.sub(r"\g<1>\\\g<2>", _markdown(text).lstrip()))


def _short(table: Table) -> Table:
    """Three decimals are enough on a page; programs have the rest."""
    columns = [
        column._replace(show=replace(column.show, places=min(column.show.places, 3)))
        if isinstance(column.show, Decimals)
        else column
        for column in table.columns
    ]
    return table._replace(columns=columns)


def _rows(table: Table) -> list[list[tuple[Column, str, Cell]]]:
    """Each cell as its column, what is shown, and what it is."""
    table = _short(table)
    return [
        [
            (column, shown(column.show, cell), cell)
            for column, cell in zip(table.columns, row, strict=True)
        ]
        for row in table.rows
    ]


def _classes(text: str, column: Column, cell: Cell = None) -> Markup:
    """`n` for numbers, `t` for text that takes several lines, `b` for a word that may be broken
    anywhere, `good` and `bad`."""
    kinds = ["n"] if column.right else []
    if not column.right or cell is None:
        kinds += ["t"] if len(text) > _LONG_TEXT else []
        kinds += ["b"] if any(len(word) > _LONG_WORD for word in text.split()) else []
    if isinstance(cell, Toned):
        kinds.append(cell.tone)
    return Markup(f' class="{" ".join(kinds)}"' if kinds else "")
