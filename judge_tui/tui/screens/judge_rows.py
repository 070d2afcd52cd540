"""The judges that Home lists, each with how far they are, and a row for a new one behind them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from judge_tui.campaign.overview.progress import JudgeProgress, Progress
from judge_tui.campaign.store.judges import Judge
from judge_tui.tui.cells import padded
from judge_tui.tui.screens.glance import bar
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line


class JudgeRows:
    """`judges`: as the file has them now; `state`: what was counted last, None before; `width`: of
    their names, in cells; `last`: who judged last here."""

    def __init__(self) -> None:
        self.judges: Sequence[Judge] = ()
        self.state: Progress | None = None
        self.width = 0
        self.last: str | None = None
        self._progress: dict[str, JudgeProgress] = {}
        self._judging: set[str] = set()

    def __len__(self) -> int:
        return len(self.judges) + 1

    def count(self, state: Progress) -> None:
        """Take what was counted."""
        self.state = state
        self._progress = {judge.name: judge for judge in state.judges}
        self._judging = {judge.name for judge in (*state.people, *state.files)}

    @property
    def heading(self) -> str:
        """How many there are, but for those who do nothing but lead."""
        count = sum(not self._only_leads(judge) for judge in self.judges)
        return f"Judges ({count:,})" if count else "Judges"

    @property
    def files(self) -> Collection[str]:
        """The names of those whose grades came from files, as far as that is known."""
        return {judge.name for judge in self.state.files} if self.state is not None else ()

    @property
    def start(self) -> int:
        """The row of who judged last here, else of the first person who judges, else the last."""
        places = {judge.name: i for i, judge in enumerate(self.judges) if judge.kind == "human"}
        last = [i for name, i in places.items() if name == self.last]
        people = [i for name, i in places.items() if name not in self.files]
        return (*last, *people, len(self.judges))[0]

    def draw(self, index: int) -> list[Piece]:
        """One row."""
        if index == len(self.judges):
            return [(" new judge …", "list--faint")]
        judge = self.judges[index]
        name = (f" {padded(visible_line(judge.name), self.width)} ", "list--strong")
        progress = self._progress.get(judge.name)
        if progress is None or self.state is None:
            return [name, (f"{bar(0, 1)}  counting …", "list--faint")]
        if self._only_leads(judge):
            return [name, ("leads", "list--faint")]
        done = progress.pairs - progress.left
        pairs = self.state.pairs if progress.from_file else progress.pairs
        finished = pairs and done == pairs
        # With hidden repeats there are more of them than pairs.
        judgments = " judgments" if progress.repeats else ""
        given = f"{done:,}/{pairs:,}{judgments}"
        whose = judge.kind if judge.kind == "model" else "from a file" * progress.from_file
        return [
            name,
            (f"{bar(done, pairs)}  ", "list--good" if finished else ""),
            (given if pairs else "nothing assigned", ""),
            (f"   {whose}" if whose else "", "list--faint"),
            (_beside(progress), ""),
        ]

    def _only_leads(self, judge: Judge) -> bool:
        """Until all is counted, whoever leads is taken for one who does nothing else."""
        return judge.role == "lead" and judge.name not in self._judging


def _beside(progress: JudgeProgress) -> str:
    """What of a judge's pairs is neither judged nor left."""
    return "".join(
        f"   {count:,} {what}"
        for count, what in (
            (progress.skipped, "skipped"),
            (progress.cannot, "cannot be judged"),
            (progress.flagged, "flagged"),
            (progress.outside, "outside"),
        )
        if count
    )
