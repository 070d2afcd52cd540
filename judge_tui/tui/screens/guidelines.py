"""The campaign's guidelines, as the lead wrote them in Markdown."""

from __future__ import annotations

from typing import ClassVar

from markdown_it import MarkdownIt
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Markdown

from judge_tui.campaign import Settings
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.visible import visible

__all__ = ["GuidelinesOverlay"]


class GuidelinesOverlay(Overlay[None]):
    """Guidelines over the Judge screen."""

    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i,q", "close", "close", id="guidelines.close"),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel tall"):
            yield Markdown(
                visible(self._settings.guidelines).strip() or self._scale(),
                parser_factory=_parser,
                open_links=False,
            )

    def _scale(self) -> str:
        """What stands here where the campaign has no guidelines."""
        lines = [
            f"- **{grade}** {visible(label)}"
            for grade, label in self._settings.scale.labels.items()
        ]
        return "\n".join(("This campaign has no guidelines. Its scale:", "", *lines))


def _parser() -> MarkdownIt:
    """Markdown in which `&#8238;` stays as it is written: entities are read after `visible()`, and
    would bring back what it took out."""
    return MarkdownIt("gfm-like", {"linkify": False}).disable(["entity", "linkify"])
