"""The one place where a screen speaks."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from judge_tui.errors import JudgeTuiError
from judge_tui.tui.text import error_content

GREATEST_HEIGHT = 3


class StatusLine(Static):
    """One line above the footer, and up to three for what must be read whole."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._said = Content("")

    @property
    def said(self) -> str:
        """What stands there, without styles."""
        return self._said.plain

    def say(self, what: Content | str = "") -> None:
        """Say this, and nothing of what was said before."""
        self._said = Content(what) if isinstance(what, str) else what
        self.set_class(bool(self._said), "-speaks")
        width = max(1, self.content_size.width)
        lines = min(GREATEST_HEIGHT, max(1, len(self._said.wrap(width))))
        # Laying out the screen anew costs as much as painting it.
        self.update(self._said, layout=lines != self.size.height)

    def warn(self, what: str) -> None:
        """Say why a key was refused, and ring once: who looks at the document hears it."""
        if what != self.said:
            self.app.bell()
        self.say(Content.styled(what, "bold $text-warning"))

    def fail(self, start: str, error: JudgeTuiError) -> None:
        """Say what failed, and how it is mended."""
        self.say(error_content(start, error))
