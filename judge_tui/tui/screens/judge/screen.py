"""The Judge screen, whole: with what can be looked up beside the document."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from judge_tui.tui.screens.judge.perusing import Perusing
from judge_tui.tui.widgets import Need

__all__ = ["JudgeScreen"]


class JudgeScreen(Perusing):
    """Grade the documents of one judge's desk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "fold", "fold or unfold the narrative", id="judge.fold"),
        Binding("e", "whole_need", "the whole query and narrative", id="judge.whole-need"),
        Binding("i", "guidelines", "guidelines", id="judge.guidelines"),
        Binding("question_mark", "help", "keys", id="judge.help"),
        Binding("q", "leave", "back", id="judge.leave"),
    ]

    def action_fold(self) -> None:
        self.query_one(Need).fold()

    def action_whole_need(self) -> None:
        from judge_tui.tui.screens.whole_need import WholeNeedOverlay  # noqa: PLC0415

        if self._query is not None:
            self.app.push_screen(WholeNeedOverlay(self._query))

    def action_guidelines(self) -> None:
        from judge_tui.tui.screens.guidelines import GuidelinesOverlay  # noqa: PLC0415

        self.app.push_screen(GuidelinesOverlay(self.desk.campaign.settings))

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay, keys_of  # noqa: PLC0415

        grades = [
            (str(grade), f"grade: {label}" if label else "grade")
            for grade, label in self.scale.labels.items()
        ]
        others = [(keys, what) for keys, what in keys_of(self, "judge") if what != "grade"]
        everywhere = [("ctrl+p", "palette"), ("ctrl+q", "end the app")]
        self.app.push_screen(HelpOverlay([*grades, *others, *everywhere]))

    def action_leave(self) -> None:
        if not self.patience.waiting:
            self.dismiss()
