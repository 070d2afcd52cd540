"""The scale as chips that can be pressed."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from judge_tui.model import Scale
from judge_tui.tui_new.text import foreign, grade_style


class GradeBar(Static):
    """A chip for each grade, `0 not relevant`; a press grades. The grade that is given is ticked.

    Where the room is short, the labels between the ends go first, then all of them. A grade shows
    the key that gives it.
    """

    def __init__(self, scale: Scale, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._scale = scale
        self._current: int | None = None

    def show(self, current: int | None) -> None:
        """Tick a grade, or none."""
        if current != self._current:
            self._current = current
            self.refresh()

    def render(self) -> Content:
        grades = self._scale.grades
        for labelled in (grades, (grades[0], grades[-1]), ()):
            bar = Content(" ").join(self._chip(grade, grade in labelled) for grade in grades)
            if bar.cell_length <= self.content_size.width:
                break
        return bar

    def _chip(self, grade: int, labelled: bool) -> Content:
        label = self._scale.labels.get(grade, "") if labelled else ""
        is_current = grade == self._current
        digit = (str(grade), f"bold {grade_style(grade, self._scale)}")
        name = Content.assemble(" ", foreign(label)) if label else Content("")
        chip = Content.assemble("✓" if is_current else " ", digit, name, " ")
        style = "bold on $primary-muted" if is_current else "on $surface"
        return chip.stylize_before(style).stylize(
            Style.from_meta({"@click": f"screen.grade({grade})"})
        )
