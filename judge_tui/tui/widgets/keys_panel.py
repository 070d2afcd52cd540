"""What the keys do now, over the screen that they do it on, and the pages of the manual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any, ClassVar

from textual.binding import ActiveBinding, Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen

from judge_tui.manual import all_pages, read_page
from judge_tui.model import Document
from judge_tui.tui.widgets.dialogs import Picker
from judge_tui.tui.widgets.table import Heading
from judge_tui.tui.widgets.text_panel import TextPanel

_FEW = 3
_LINK = re.compile(r"\]\(([\w-]+)\.md")


def keys_now(screen: Screen[Any]) -> dict[str, tuple[ActiveBinding, list[str]]]:
    """By id, what can be done on the screen now, and the keys that do it. Textual's own bindings
    have no id or are marked as the system's."""
    found: dict[str, tuple[ActiveBinding, list[str]]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id and binding.description and active.enabled and not binding.system:
            keys = found.setdefault(binding.id, (active, []))[1]
            keys.append(screen.app.get_key_display(binding))
    return found


class KeysPanel(TextPanel):
    """Lists the keys of a screen, and below them its `HELP`; leads to its page of the manual."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "close", "close", id="keys.close", show=False),
        Binding("M", "open_manual", "manual", id="keys.manual"),
    ]

    def __init__(self, screen: Screen[Any]) -> None:
        self._topic = _topic_of(screen)
        text = f"<table>{''.join(_rows(screen))}</table>\n\n{screen.HELP or ''}"
        super().__init__("Keys", Document("keys.md", text=text))

    def action_open_manual(self) -> None:
        self.app.push_screen(ManualPanel(self._topic))


class ManualPanel(TextPanel):
    """Shows a page of the manual; enter goes on to one of those that it names."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "follow", "pages named here", id="manual.follow"),
    ]

    def __init__(self, topic: str) -> None:
        text = read_page(topic)
        self._linked = list(dict.fromkeys(_LINK.findall(text)))
        super().__init__("Manual", Document(f"{topic}.md", text=text))

    def action_follow(self) -> None:
        pages = [page for page in all_pages() if page.topic in self._linked]
        headings = [Heading("page"), Heading(fill=True)]
        rows = [[Content(page.topic), Content(page.question)] for page in pages]
        words = [f"{page.topic} {page.question}" for page in pages]

        def follow(row: int | None) -> None:
            if row is not None:
                self.app.push_screen(ManualPanel(pages[row].topic))

        self.app.push_screen(Picker("Pages named here", headings, rows, words=words), follow)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "follow" or bool(self._linked)


def _topic_of(screen: Screen[Any]) -> str:
    """The page that is called as the screen is; else how a campaign goes."""
    name = (screen.BINDING_GROUP_TITLE or "").lower()
    return name if name in {page.topic for page in all_pages()} else "first-campaign"


def _rows(screen: Screen[Any]) -> Iterator[str]:
    """A group for each that has keys: the screen's own first, the app's last."""
    groups: dict[DOMNode, dict[str, list[str]]] = {}
    for active, keys in keys_now(screen).values():
        group = groups.setdefault(active.node, {})
        group.setdefault(active.binding.description, []).extend(keys)
    app = screen.app
    for node in sorted(groups, key=lambda node: (node is app, node is not screen)):
        yield f"<tr><td></td><td><b>{escape(node.BINDING_GROUP_TITLE or '')}</b></td></tr>"
        for what, keys in groups[node].items():
            shown = " ".join(keys) if len(keys) <= _FEW else f"{keys[0]} … {keys[-1]}"
            yield f"<tr><td><code>{escape(shown)}</code></td><td>{escape(what)}</td></tr>"
