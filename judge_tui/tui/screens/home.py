"""Home: the campaign at a glance, and the doors to judging, review and results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.next_steps import Step, next_steps
from judge_tui.campaign.overview.progress import COVERAGE_DEPTH
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.campaign.store.pool import pool_is_empty
from judge_tui.campaign.typed import typed
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.tui.counting import Counting
from judge_tui.tui.empty_desk import refuse_empty_desk
from judge_tui.tui.keymap import keys_on
from judge_tui.tui.names import by_name
from judge_tui.tui.screens.glance import (
    agreement_content,
    counts_content,
    coverage_content,
    name_width,
    shown_runs,
    steps_content,
)
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.screens.judge_rows import JudgeRows
from judge_tui.tui.screens.returning import Returning
from judge_tui.tui.screens.terminal_sized import TerminalSized
from judge_tui.tui.shown import error_content, keys_content, pressable
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import LineList, SaidText, SplitLine
from judge_tui.visible import visible_line

_LOOK_EVERY = 0.05
_OTHERS_EVERY = 1.0
_PARTS = ("counts", "next", "agreement", "coverage")
# Room at both sides, and for a scrollbar.
_BESIDE_STEPS = 5
_COUNTING = Content.styled("counting …", "dim")


class HomeScreen(Returning, TerminalSized[None]):
    """Progress by judge, coverage by run, agreement, what to do next."""

    CSS_PATH = "home.tcss"
    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_judge", "new judge", id="home.new-judge"),
        Binding("v", "review", "settle disagreements", id="home.review"),
        Binding("s", "results", "see the results", id="home.results"),
        Binding("i", "guidelines", "guidelines", id="home.guidelines"),
        Binding("r", "refresh", "read the file again", id="home.refresh"),
        Binding("space,pagedown", "page(1)", "page down", id="home.page-down", priority=True),
        Binding("b,pageup", "page(-1)", "page up", id="home.page-up", priority=True),
        Binding("question_mark", "help", "keys", id="home.help"),
        Binding("q", "leave", "leave", id="home.leave"),
    ]

    def __init__(self, campaign: Campaign, tastes: Keeper | None = None) -> None:
        super().__init__()
        self.campaign = campaign
        self._tastes = tastes or Keeper()
        self._rows = JudgeRows()
        self._steps: Sequence[Step] = ()
        self._counting: Counting | None = None
        # Whether it is counted only because others wrote, while the numbers on screen stay.
        self._renewing = False
        self._version = -1
        self._rests_until = 0.0
        self._shown: tuple[bool, ...] = ()
        self._looking: Timer | None = None

    def compose(self) -> ComposeResult:
        yield SplitLine(id="name")
        with VerticalScroll(id="glance", can_focus=False):
            yield Static(id="counts", markup=False)
            yield Static("Judges", id="judges-heading", classes="heading", markup=False)
            yield LineList(id="judges")
            yield Static("Next", classes="heading", markup=False)
            yield Static(id="next", markup=False)
            yield Static("Agreement", classes="heading", markup=False)
            yield Static(id="agreement", markup=False)
            yield Static("Coverage", id="coverage-heading", classes="heading", markup=False)
            yield Static(id="coverage", markup=False)
        yield SaidText(id="said")
        yield SplitLine(id="keys")

    def on_mount(self) -> None:
        self._show_keys()
        settings = self.campaign.settings
        name = self.query_one("#name", SplitLine)
        name.show(by_name(settings.name, "bold $accent"), by_name(self.campaign.path.name, "dim"))
        self.query_one("#coverage-heading", Static).update(
            Content(f"Coverage: share of each top {COVERAGE_DEPTH} with a final grade")
        )
        for part in _PARTS:
            self.query_one(f"#{part}", Static).update(_COUNTING)
        # What stands above the list stays in sight.
        self.query_one("#judges", LineList).focus(scroll_visible=False)
        self.action_refresh()
        self.set_interval(_OTHERS_EVERY, self._notice_others)

    def _show_keys(self) -> None:
        keys = keys_on(self)
        legend = (
            (self._choosing, "judge as", "judge"),
            (keys["home.new-judge"], "new", "new_judge"),
            (keys["home.review"], "settle", "review"),
            (keys["home.results"], "results", "results"),
            (keys["home.guidelines"], "guidelines", "guidelines"),
            (keys["home.help"], "keys", "help"),
        )
        shown = [pressable(keys_content([(key, what)]), action) for key, what, action in legend]
        leave = pressable(keys_content([(keys["home.leave"], "leave")]), "leave")
        self.query_one("#keys", SplitLine).show(Content("  ").join(shown), leave)

    def on_unmount(self) -> None:
        self._stop_counting()

    @property
    def _choosing(self) -> str:
        """The key that judges as the judge under the cursor, as it is shown."""
        return keys_on(self.query_one("#judges"))["list.choose"]

    @property
    def _doors(self) -> Mapping[str, str]:
        """Door of a step -> its key."""
        keys = keys_on(self)
        of_home = ("new-judge", "review", "results")
        return {"judge": self._choosing, **{door: keys[f"home.{door}"] for door in of_home}}

    @property
    def counting(self) -> bool:
        """Whether the numbers on screen are still to come, or to be renewed."""
        return self._counting is not None

    def action_refresh(self) -> None:
        """Count anew; what is on screen stays until the new numbers come."""
        self._stop_counting()
        self._renewing = False
        try:
            self._version = self.campaign.version()
            self._rows.judges = all_judges(self.campaign)
        except JudgeTuiError as error:
            self._say(error)
            return
        self._show_named(self._rows.start)
        self._count()

    def _notice_others(self) -> None:
        """Count anew where others have written, not more often than there is time for."""
        rests = self.counting or monotonic() < self._rests_until
        if rests or not self.is_current or self.campaign.loss is not None:
            return
        # What becomes of the file is told where it is tended.
        with contextlib.suppress(CampaignError):
            version = self.campaign.version()
            if version == self._version:
                return
            before, cursor = len(self._rows.judges), self.query_one("#judges", LineList).cursor
            self._version, self._rows.judges = version, all_judges(self.campaign)
            # One stays at the judge, or at the row for a new one, which is the last.
            self._show_named(cursor if cursor < before else len(self._rows.judges))
            self._renewing = True
            self._count()

    def _count(self) -> None:
        self._shown = ()
        self._counting = Counting(self.campaign)
        self._look()
        if self.counting:
            self._looking = self.set_interval(_LOOK_EVERY, self._look)

    def _look(self) -> None:
        """Show what has been counted since the last look."""
        counting = self._counting
        if counting is None:
            return
        done = counting.done
        parts = (counting.state, counting.agreed, counting.disputes)
        known = tuple(part is not None for part in parts)
        if known != self._shown and (done or not self._renewing):
            self._shown = known
            self._show(counting)
        if counting.error is not None:
            self._say(counting.error)
        if done:
            self._rests_until = counting.rests_until
            self._stop_counting()

    def _stop_counting(self) -> None:
        if self._looking is not None:
            self._looking.stop()
            self._looking = None
        if self._counting is not None:
            self._counting.stop()
            self._counting = None

    def action_judge(self) -> None:
        """As the judge under the cursor."""
        self.query_one("#judges", LineList).action_choose()

    def action_new_judge(self) -> None:
        from judge_tui.tui.screens.new_judge import NewJudgeOverlay  # noqa: PLC0415

        def judge_as(name: str | None) -> None:
            if name:
                self._judge_as(name)

        self.app.push_screen(NewJudgeOverlay(self.campaign), judge_as)

    def action_review(self) -> None:
        from judge_tui.tui.screens.lead import LeadOverlay  # noqa: PLC0415

        def review_as(name: str | None) -> None:
            if name:
                self._review_as(name)

        try:
            if self._refuse_empty_pool():
                return
            overlay = LeadOverlay(self.campaign, self._rows.files)
        except JudgeTuiError as error:
            self._say(error)
            return
        self.app.push_screen(overlay, review_as)

    def action_results(self) -> None:
        from judge_tui.tui.screens.results import ResultsScreen  # noqa: PLC0415

        self._open(lambda: ResultsScreen(self.campaign, self._tastes))

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
        if message.index >= len(self._rows.judges):
            self.action_new_judge()
            return
        chosen = self._rows.judges[message.index]
        if chosen.kind == "model":
            self._say(Content(f"{visible_line(chosen.name)} is a model: its grades are loaded"))
        else:
            self._judge_as(chosen.name)

    @on(SplitLine.Pressed)
    async def _pressed(self, message: SplitLine.Pressed) -> None:
        await self.run_action(message.action)

    def _judge_as(self, name: str) -> None:
        def desk() -> Screen[None]:
            refuse_empty_desk(self.campaign, name)
            judge = add_judge(self.campaign, name)
            screen = JudgeScreen(Desk(self.campaign, judge), self._tastes)
            self._rows.last = judge.name
            return screen

        self._open(desk)

    def _review_as(self, name: str) -> None:
        from judge_tui.tui.screens.review import ReviewScreen  # noqa: PLC0415

        def review() -> Screen[None]:
            lead = add_judge(self.campaign, name, role="lead")
            return ReviewScreen(self.campaign, lead, self._tastes)

        self._open(review)

    def _open(self, screen: Callable[[], Screen[None]]) -> None:
        """Go there; count anew on coming back."""
        try:
            if self._refuse_empty_pool():
                return
            opened = screen()
        except JudgeTuiError as error:
            self._say(error)
            return
        self._say(Content(""))
        # Counting would only take time from whoever works there now.
        self._stop_counting()
        self.app.push_screen(opened, lambda _none: self.action_refresh())

    def _refuse_empty_pool(self) -> bool:
        empty = pool_is_empty(self.campaign)
        if empty:
            self._say(Content("There is nothing to judge yet: the pool is empty"))
        return empty

    def say_error(self, start: str, error: JudgeTuiError) -> None:
        """Put an error above the legend, whole."""
        self._say(error_content(start, error))

    def _say(self, said: Content | JudgeTuiError) -> None:
        if isinstance(said, JudgeTuiError):
            said = error_content("NOT DONE", said)
        self.query_one(SaidText).update(said)

    def _show(self, counting: Counting) -> None:
        state = counting.state
        if state is None:
            return
        judges = self.query_one("#judges", LineList)
        # Until it was counted, whose grades came from a file was taken for a person.
        stays = self._rows.state is not None or judges.cursor != self._rows.start
        self._rows.count(state)
        self._show_named(judges.cursor if stays else self._rows.start)
        self.query_one("#counts", Static).update(counts_content(state))
        agreed = counting.agreed
        self._steps = next_steps(state, counting.disputes, agreed.alpha if agreed else None)
        self._show_steps()
        if agreed is not None:
            self.query_one("#agreement", Static).update(agreement_content(agreed))

    def on_resize(self) -> None:
        self._show_named(self.query_one("#judges", LineList).cursor)
        if self._rows.state is not None:
            self._show_steps()

    def _show_steps(self) -> None:
        width = self.app.size.width - _BESIDE_STEPS
        status = typed(self.campaign.path, "status")
        steps = steps_content(self._steps, self._doors, width, status)
        self.query_one("#next", Static).update(steps)

    def _show_named(self, cursor: int) -> None:
        """What begins with names: the judges, and the runs once they are known."""
        runs = shown_runs(self._rows.state) if self._rows.state is not None else ()
        names = [*(judge.name for judge in self._rows.judges), *(run.tag for run in runs)]
        self._rows.width = name_width(self.app.size.width, names)
        self._show_judges(cursor)
        if self._rows.state is not None:
            coverage = coverage_content(self._rows.state, self._rows.width)
            self.query_one("#coverage", Static).update(coverage)

    def _show_judges(self, cursor: int) -> None:
        judges = self.query_one("#judges", LineList)
        judges.styles.height = len(self._rows)
        judges.show(len(self._rows), self._rows.draw, cursor=cursor)
        self.query_one("#judges-heading", Static).update(Content(self._rows.heading))
