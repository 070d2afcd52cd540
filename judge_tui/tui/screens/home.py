"""Home: the campaign at a glance, and the door to judging."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from judge_tui.agreement import agree, band
from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk, refuse_empty_desk
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.next_steps import next_steps
from judge_tui.campaign.progress import JudgeProgress, Progress, progress
from judge_tui.errors import JudgeTuiError
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.shown import error_content, foreign, keys_content
from judge_tui.tui.widgets import LineList, SplitLine
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

__all__ = ["HomeScreen"]

_BAR = 24
_NAME = 20
_SHOWN_RUNS = 12


class HomeScreen(Screen[None]):
    """Progress by judge, coverage by run, agreement, what to do next."""

    CSS_PATH = "home.tcss"
    AUTO_FOCUS = "LineList"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_judge", "new judge", id="home.new-judge"),
        Binding("i", "guidelines", "guidelines", id="home.guidelines"),
        Binding("r", "refresh", "read the file again", id="home.refresh"),
        Binding("space,pagedown", "page(1)", "page down", id="home.page-down", priority=True),
        Binding("b,pageup", "page(-1)", "page up", id="home.page-up", priority=True),
        Binding("question_mark", "help", "keys", id="home.help"),
        Binding("q", "leave", "leave", id="home.leave"),
    ]

    def __init__(self, campaign: Campaign) -> None:
        super().__init__()
        self.campaign = campaign
        self._state: Progress | None = None
        self._last: str | None = None

    def compose(self) -> ComposeResult:
        yield SplitLine(id="name")
        with VerticalScroll(id="glance", can_focus=False):
            yield Static(id="counts", markup=False)
            yield Static("Judges", classes="heading", markup=False)
            yield LineList(id="judges")
            yield Static("Next", classes="heading", markup=False)
            yield Static(id="next", markup=False)
            yield Static("Agreement", classes="heading", markup=False)
            yield Static(id="agreement", markup=False)
            yield Static("Coverage", id="coverage-heading", classes="heading", markup=False)
            yield Static(id="coverage", markup=False)
        yield Static(id="said", markup=False)
        yield SplitLine(id="keys")

    def on_mount(self) -> None:
        keys = (("enter", "judge as"), ("n", "new judge"), ("i", "guidelines"), ("?", "keys"))
        self.query_one("#keys", SplitLine).show(keys_content(keys), keys_content([("q", "leave")]))
        self.action_refresh()

    def action_refresh(self) -> None:
        try:
            self._state = progress(self.campaign)
            self._show(self._state)
        except JudgeTuiError as error:
            self._say(error)

    def action_new_judge(self) -> None:
        from judge_tui.tui.screens.new_judge import NewJudgeOverlay  # noqa: PLC0415

        def judge_as(name: str | None) -> None:
            if name:
                self._judge_as(name)

        self.app.push_screen(NewJudgeOverlay(self.campaign), judge_as)

    def action_guidelines(self) -> None:
        from judge_tui.tui.screens.guidelines import GuidelinesOverlay  # noqa: PLC0415

        self.app.push_screen(GuidelinesOverlay(self.campaign.settings))

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay, keys_of  # noqa: PLC0415

        moves = [("up, down, enter", "choose a judge")]
        self.app.push_screen(HelpOverlay([*moves, *keys_of(self, "home")]))

    def action_page(self, by: int) -> None:
        glance = self.query_one("#glance", VerticalScroll)
        glance.scroll_relative(y=by * max(1, glance.size.height - 2), animate=False)

    def action_leave(self) -> None:
        self.dismiss()

    @on(LineList.Chosen, "#judges")
    def _chosen(self, message: LineList.Chosen) -> None:
        judges = self._state.judges if self._state else ()
        if message.index >= len(judges):
            self.action_new_judge()
            return
        chosen = judges[message.index]
        if chosen.kind == "model":
            self._say(Content(f"{visible_line(chosen.name)} is a model: its grades are loaded"))
        else:
            self._judge_as(chosen.name)

    def _judge_as(self, name: str) -> None:
        if not self._state or not self._state.pairs:
            self._say(Content("There is nothing to judge yet: the pool is empty"))
            return
        try:
            refuse_empty_desk(self.campaign, name)
            judge = add_judge(self.campaign, name)
            screen = JudgeScreen(Desk(self.campaign, judge))
        except JudgeTuiError as error:
            self._say(error)
            return
        self._last = judge.name
        self._say(Content(""))
        self.app.push_screen(screen, lambda _none: self.action_refresh())

    def _say(self, said: Content | JudgeTuiError) -> None:
        content = error_content("NOT DONE", said) if isinstance(said, JudgeTuiError) else said
        self.query_one("#said", Static).update(content)

    def _show(self, state: Progress) -> None:
        settings = self.campaign.settings
        name = self.query_one("#name", SplitLine)
        name.show(foreign(settings.name, "bold $accent"), foreign(self.campaign.path.name, "dim"))
        counts = (
            (state.queries, "queries"),
            (state.runs, "runs"),
            (state.pairs, "pairs in the pool"),
            (state.judged, "judged"),
        )
        line = Content("   ").join(
            Content.assemble((f"{count:,}", "bold"), f" {what}") for count, what in counts
        )
        self.query_one("#counts", Static).update(line)
        judges = self.query_one("#judges", LineList)
        judges.styles.height = len(state.judges) + 1
        judges.show(len(state.judges) + 1, self._draw_judge, cursor=self._cursor())
        self.query_one("#coverage-heading", Static).update(
            Content(f"Coverage: judged share of each run's top {state.depth}")
        )
        self.query_one("#coverage", Static).update(_coverage(state))
        self.query_one("#agreement", Static).update(self._agreement())
        steps = [foreign(step) for step in next_steps(state)]
        self.query_one("#next", Static).update(Content("\n").join(steps))

    def _cursor(self) -> int:
        """On who judged last here, else the first person, else "new judge"."""
        people = [i for i, judge in enumerate(self._judges()) if judge.kind == "human"]
        last = [i for i in people if self._judges()[i].name == self._last]
        return (*last, *people, len(self._judges()))[0]

    def _judges(self) -> tuple[JudgeProgress, ...]:
        return self._state.judges if self._state else ()

    def _draw_judge(self, index: int) -> list[Piece]:
        if index == len(self._judges()):
            return [(" new judge …", "list--faint")]
        judge = self._judges()[index]
        done = judge.pairs - judge.left
        parts = [f"{done:,}/{judge.pairs:,}"]
        parts.extend(
            f"{count:,} {what}"
            for count, what in (
                (judge.skipped, "skipped"),
                (judge.cannot, "cannot be judged"),
                (judge.flagged, "flagged"),
            )
            if count
        )
        return [
            (f" {_padded(visible_line(judge.name), _NAME)} ", "list--strong"),
            (f"{_bar(done, judge.pairs)}  ", "list--good" if not judge.left else ""),
            ("   ".join(parts), ""),
            ("   model" if judge.kind == "model" else "", "list--faint"),
        ]

    def _agreement(self) -> Content:
        grades = grades_by_judge(self.campaign)
        included = ""
        if len(grades) < 2:
            grades = grades_by_judge(self.campaign, include_models=True)
            included = ", models included"
        if len(grades) < 2:
            return Content.styled("Two judges are needed.", "dim")
        found = agree(grades, self.campaign.settings.scale.grades, seed=self.campaign.settings.seed)
        alpha = found.alpha["ordinal"]
        of = f"   {found.pairs_shared:,} pairs shared{included}"
        if alpha.value is None:
            return Content.assemble("alpha (ordinal) undefined: ", str(alpha.why), (of, "dim"))
        interval = f" ({alpha.ci95[0]:.2f} to {alpha.ci95[1]:.2f})" if alpha.ci95 else ""
        return Content.assemble(
            "alpha (ordinal) ",
            (f"{alpha.value:.2f}", "bold"),
            f"{interval}, {band(alpha.value)}",
            (of, "dim"),
        )


def _coverage(state: Progress) -> Content:
    if not state.coverage:
        return Content.styled("No runs yet.", "dim")
    lines = []
    for run in state.coverage[:_SHOWN_RUNS]:
        share = f"{100 * run.judged / run.results:.0f} %" if run.results else "no results"
        name = f" {_padded(visible_line(run.tag), _NAME)} "
        lines.append(Content(f"{name}{_bar(run.judged, run.results)}  {share}"))
    if len(state.coverage) > _SHOWN_RUNS:
        lines.append(Content.styled(f" and {len(state.coverage) - _SHOWN_RUNS} more", "dim"))
    return Content("\n").join(lines)


def _bar(done: int, total: int) -> str:
    full = _BAR * done // total if total else 0
    return "█" * full + "░" * (_BAR - full)


def _padded(text: str, width: int) -> str:
    """Cut or filled to `width` cells."""
    content = Content(text).truncate(width, ellipsis=True)
    return content.plain + " " * (width - content.cell_length)
