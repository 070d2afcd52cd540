"""The scale as chips that can be pressed."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from judge_tui.model import Scale
from judge_tui.tui.text import foreign, grade_style

_GRADE = "grade"


class GradeBar(Static):
    """A chip for each grade, `0 not relevant`; a press grades. The grade that is given is ticked.

    Where the room is short, the labels between the ends go first, then all of them. Before a grade
    that was given another key than its digit stands that key.
    """

    def __init__(self, scale: Scale) -> None:
        super().__init__(markup=False)
        self._scale = scale
        self._current: int | None = None
        self._keys: dict[int, str] = {}

    def show(self, current: int | None) -> None:
        """Tick a grade, or none."""
        if current != self._current:
            self._current = current
            self.refresh()

    def render(self) -> Content:
        grades = self._scale.grades
        if len(self._keys) < len(grades):
            self._keys = self._bound_keys()
        for labelled in (grades, (grades[0], grades[-1]), ()):
            bar = Content(" ").join(self._chip(grade, grade in labelled) for grade in grades)
            if bar.cell_length <= self.content_size.width:
                break
        return bar

    def _chip(self, grade: int, is_labelled: bool) -> Content:
        key, label = self._keys.get(grade, str(grade)), self._scale.labels.get(grade, "")
        is_current = grade == self._current
        chip = Content.assemble(
            ("✓" if is_current else " ", "bold"),
            (f"{key} " if key != str(grade) else "", "bold $text-accent"),
            (str(grade), f"bold {grade_style(grade, self._scale)}"),
            Content.assemble(" ", foreign(label)) if label and is_labelled else "",
            " ",
        )
        chip = chip.stylize_before("bold on $primary-muted" if is_current else "on $surface")
        return chip.stylize(Style.from_meta({_GRADE: grade}))

    def _bound_keys(self) -> dict[int, str]:
        """The key of each grade, as it is shown."""
        actions = {f"grade({grade})": grade for grade in self._scale.grades}
        return {
            actions[active.binding.action]: self.app.get_key_display(active.binding)
            for active in self.screen.active_bindings.values()
            if active.binding.action in actions
        }

    async def on_click(self, event: events.Click) -> None:
        grade = event.style.meta.get(_GRADE)
        if grade is not None:
            event.stop()
            await self.run_action(f"screen.grade({grade})")
