"""The manual: its pages in Markdown, and their contents, README.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from judge_tui.errors import check_known

_FOLDER = Path(__file__).parent
_GROUP = re.compile(r"## (.+)")
_ENTRY = re.compile(r"- \[(.+)\]\((.+)\.md\): (.+)")


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page by the `topic` that one asks for, and the `question` that it answers."""

    group: str
    topic: str
    title: str
    question: str


def all_pages() -> list[ManualPage]:
    """The pages in the order of the contents."""
    pages: list[ManualPage] = []
    group = ""
    for line in _read("README").splitlines():
        if heading := _GROUP.fullmatch(line):
            group = heading[1]
        elif entry := _ENTRY.fullmatch(line):
            pages.append(ManualPage(group, topic=entry[2], title=entry[1], question=entry[3]))
    return pages


def read_page(topic: str) -> str:
    """The Markdown of a page. Raises `UsageError` for a topic that has none."""
    topics = [page.topic for page in all_pages()]
    check_known("page of the manual", topic, topics)
    return _read(topic)


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
