"""The campaign's guidelines, as the lead wrote them in Markdown."""

from __future__ import annotations

from textual.message import Message

from judge_tui.campaign import Settings
from judge_tui.model import Document
from judge_tui.tui.once import once
from judge_tui.tui.widgets.document_view import DocumentView


class GuidelinesView(DocumentView, can_focus=False):
    """Guidelines, rendered once, when they are first seen; where there are none, the scale."""

    class Rendered(Message):
        """The guidelines are there."""

    def __init__(self, settings: Settings, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._settings = settings
        self._rendered = False

    def on_show(self) -> None:
        # After the document has been painted: judging does not wait for them.
        if not self._rendered:
            self._rendered = True
            once(self, _PAUSE, self._read)

    def _read(self) -> None:
        from judge_tui.tui.reading import reading_of  # noqa: PLC0415

        text = self._settings.guidelines.strip() or self._scale()
        document = Document("guidelines", text=text, kind="markdown")
        self.show(reading_of(document, room=self.room))
        self.post_message(self.Rendered())

    @property
    def has_more(self) -> bool:
        """Whether there is more of them than the screen has room for."""
        return self.max_scroll_y > 0 or not self.settled

    def _scale(self) -> str:
        """What stands here where the campaign has no guidelines."""
        lines = [f"- **{grade}** {label}" for grade, label in self._settings.scale.labels.items()]
        return "\n".join(("This campaign has no guidelines. Its scale:", "", *lines))


_PAUSE = 0.05
