"""The page as Markdown, as GitHub renders it: tables in place of pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge_tui.report.grids import as_table
from judge_tui.report.markdown import escape, table_of
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
from judge_tui.version import __version__
from judge_tui.visible import visible_line

__all__ = ["page_markdown"]

# What begins a list, a heading of the setext kind or a rule.
_LINE_START = re.compile(r"^(\d{0,9})([-+=.)])")


def page_markdown(page: Page) -> str:
    """The whole document, which ends with a newline."""
    parts = [f"# {_said(page.title)}", "## The answer", *_blocks(page.answer)]
    for section in page.sections:
        parts += _section(section)
    parts.append(f"---\n\n{_said(f'Written by judge_tui {__version__}.')}")
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    return [f"## {_said(section.title)}", *_blocks(section.blocks)]


def _blocks(blocks: Sequence[Block]) -> list[str]:
    return [text for block in blocks if (text := _block(block))]


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return f"**{_said(block.text)}**" if block.strong else _said(block.text)
        case Points():
            return "\n".join(f"- {_said(one)}" for one in block.items)
        case Terms():
            return "\n".join(f"- **{_said(term)}**: {_said(told)}" for term, told in block.items)
        case Table():
            table = table_of(as_table(block.grid)).rstrip("\n")
            return f"{table}\n\n{_said(block.note)}" if block.note else table
        case Figure():
            return ""


def _said(text: str) -> str:
    """Text that means itself at the start of a line, too."""
    said = escape(visible_line(text)).lstrip()
    return _LINE_START.sub(r"\g<1>\\\g<2>", said)
