"""The rows of the queue, and the line above them that says what stands in which column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from textual.content import Content

from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.model import Scale
from judge_tui.tui.cells import padded
from judge_tui.tui.screens.review.docket import UNKNOWN, Case
from judge_tui.tui.shown import grade_class
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_GLYPHS = {NOT_DECIDED: "·", SKIPPED: "s", CANNOT: "x"}
# Cells of what stands before the judges, and after them up to the document.
_SETTLED, _QUERY = 5, 12
_NUMBERS = (("swaps", 6), ("change", 7), ("spread", 7))
_GREATEST_NAME = 8
# More judges than this are counted by grade.
_GREATEST_JUDGES = 12
_COUNTS = 16
_NARROW = 72


@dataclass(frozen=True, slots=True)
class QueueColumns:
    """How wide each column is. `judges`: what each judge is called, in the order of the columns;
    `order`: the place of each among the grades of a case."""

    judges: Sequence[str]
    order: Sequence[int]
    width: int

    def header(self) -> Content:
        """What stands in the columns."""
        numbers = "".join(f"{name:>{width}}" for name, width in self._numbers)
        text = f"{'':{_SETTLED}}{'query':{_QUERY}} {self._judges_header()}{numbers}  document"
        return Content.styled(text, "dim")

    def pieces(
        self, case: Case, query_id: str, doc_id: str, *, here: bool, scale: Scale
    ) -> list[Piece]:
        """One case; ids are foreign."""
        settled = case.settled
        mark = f"✓{settled} " if settled is not None else "   "
        colour = "faint" if settled is None else grade_class(settled, scale)
        return [
            ("▸ " if here else "  ", "list--strong"),
            (mark, f"list--{colour}"),
            (f"{padded(visible_line(query_id), _QUERY)} ", ""),
            *self._grades(case, scale),
            (self._shown_numbers(case), "list--faint" if settled is not None else ""),
            (f"  {visible_line(doc_id)}", "list--faint" if settled is not None else ""),
        ]

    @property
    def _numbers(self) -> Sequence[tuple[str, int]]:
        """Where there is little room, the document needs it more than the last of them."""
        return _NUMBERS if self.width >= _NARROW else _NUMBERS[:1]

    @property
    def _is_counted(self) -> bool:
        return len(self.judges) > _GREATEST_JUDGES

    @property
    def _of_judge(self) -> int:
        """Cells for each judge: what the longest name needs, if there is room."""
        longest = max(map(len, self.judges), default=1)
        room = self.width // 4 // max(1, len(self.judges)) - 1
        return max(1, min(longest, _GREATEST_NAME, room))

    def _judges_header(self) -> str:
        if self._is_counted:
            return f"{'grades':{_COUNTS}}"
        return "".join(f"{padded(name, self._of_judge)} " for name in self.judges)

    def _grades(self, case: Case, scale: Scale) -> list[Piece]:
        grades = [case.grades[place] for place in self.order]
        if self._is_counted:
            counts = sorted(Counter(grade for grade in grades if grade >= 0).items())
            return [(padded(" ".join(f"{grade}×{count}" for grade, count in counts), _COUNTS), "")]
        return [
            (
                f"{decided_glyph(grade):<{self._of_judge}} ",
                f"list--{grade_class(grade, scale) if grade >= 0 else 'faint'}",
            )
            for grade in grades
        ]

    def _shown_numbers(self, case: Case) -> str:
        if not case.disputed:
            shown = ["", "", ""]
        elif case.swaps == UNKNOWN or isnan(case.change):
            shown = ["…", "…", str(case.spread)]
        else:
            change = f"{case.change:.4f}".removeprefix("0")
            shown = [f"{case.swaps:,}", change, str(case.spread)]
        return "".join(
            f"{text:>{width}}" for text, (_, width) in zip(shown, self._numbers, strict=False)
        )


def decided_glyph(decided: int) -> str:
    """One character: the grade's digit, `s` skipped, `x` cannot be judged, `·` nothing."""
    return _GLYPHS.get(decided, str(decided))
