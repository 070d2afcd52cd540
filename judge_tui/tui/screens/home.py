"""Home: the campaign at a glance, what to do next, and the doors to judging, settling, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Static
from textual.worker import Worker

from judge_tui.campaign.store.assignments import refuse_empty_desk
from judge_tui.campaign.store.check import refuse_small_damage
from judge_tui.campaign.store.judges import (
    Judge,
    add_judge,
    all_judges,
    find_judge,
    near_names,
    proper_name,
)
from judge_tui.campaign.store.pool import refuse_empty_pool
from judge_tui.errors import JudgeTuiError
from judge_tui.tui.app import Opening, judging, settling, showing_results
from judge_tui.tui.on_disk import OnDisk, read_beside
from judge_tui.tui.screens import home_panes
from judge_tui.tui.session import Session
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.dialogs import Confirm, Prompt
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Table
from judge_tui.tui.widgets.text_panel import guidelines_panel

if TYPE_CHECKING:
    from judge_tui.campaign.overview.status import Step


class HomeScreen(SizedScreen[None]):
    """Next steps, progress by judge, coverage by run, agreement; enter does what is under the
    cursor."""

    BINDING_GROUP_TITLE = "Home"
    AUTO_FOCUS = "#steps"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_judge", "new judge", id="home.new-judge"),
        Binding("S", "settle", "settle", id="home.settle"),
        Binding("L", "results", "leaderboard", id="home.results"),
        Binding("i", "guidelines", "guidelines", id="home.guidelines"),
        Binding("r", "reload", "reload", id="home.refresh"),
        Binding("q", "leave", "leave", id="home.leave"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.campaign = session.campaign
        self.judges: Sequence[Judge] = ()
        self.steps: Sequence[Step] = ()
        self.counts: home_panes.Counts | None = None
        self._counting: Worker[None] | None = None
        self._version = -1

    def compose(self) -> ComposeResult:
        name = foreign(self.campaign.settings.name, "bold $text-accent")
        with Horizontal(id="campaign"):
            yield Static(name, id="name", markup=False)
            yield Static("counting …", id="counts", markup=False)
        yield Table(id="steps")
        with Vertical(id="panes"):
            yield Table(id="judges")
            with Vertical(id="systems"):
                yield Table(id="runs")
                yield Static("counting …", id="agreement", classes="pane", markup=False)
        yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#steps").border_title = "Next steps"
        self.query_one("#judges").border_title = "Judges"
        self.query_one("#runs").border_title = "Runs"
        self.query_one("#agreement").border_title = "Agreement so far"

    def on_screen_resume(self) -> None:
        """At first, and back from another screen: whoever was there has written."""
        self._count_anew()

    def on_screen_suspend(self) -> None:
        # Counting would only take time from whoever works on the screen above.
        if self._counting is not None:
            self._counting.cancel()

    @property
    def is_counting(self) -> bool:
        """Whether numbers are to come."""
        return self._counting is not None and not self._counting.is_finished

    @on(OnDisk)
    def _notice_others(self, message: OnDisk) -> None:
        if message.version != self._version and not self.is_counting:
            self._count_anew()

    # --- counting

    def action_reload(self) -> None:
        """Count anew, and clear the status line."""
        self._say("")
        self._count_anew()

    def _count_anew(self) -> None:
        """Count anew; what is on screen stays until the new numbers come."""
        try:
            self._version = self.campaign.version()
            self.judges = all_judges(self.campaign)
        except JudgeTuiError as error:
            self.query_one(StatusLine).fail("NOT DONE", error)
            return
        self._show_judges()
        self._counting = self._count()

    @work(exclusive=True)
    async def _count(self) -> None:
        try:
            counts = await read_beside(self.campaign, home_panes.count)
        except JudgeTuiError as error:
            self.query_one(StatusLine).fail("NOT DONE", error)
        else:
            self._show(counts)

    def _show(self, counts: home_panes.Counts) -> None:
        all_steps = counts.status.steps
        if self.counts is not None and all_steps != self.steps:
            self._say("")  # what was to be done may be done
        self.counts, self.steps = counts, all_steps
        self.query_one("#counts", Static).update(home_panes.campaign_line(counts))
        self.query_one("#agreement", Static).update(home_panes.agreement_line(counts))
        steps, runs = self.query_one("#steps", Table), self.query_one("#runs", Table)
        rows = len(all_steps), lambda row: home_panes.step_cells(all_steps[row])
        steps.show(home_panes.STEPS, *rows, cursor=steps.cursor)
        rows = len(counts.status.progress.coverage), lambda row: home_panes.run_cells(counts, row)
        runs.show(home_panes.RUNS, *rows, cursor=runs.cursor, empty="none yet")
        self._show_judges()
        for table in self.query(Table):
            # Where they stand above each other, each is as high as what is in it.
            table.refresh(layout=True)

    def _show_judges(self) -> None:
        table, judges, counts = self.query_one("#judges", Table), self.judges, self.counts
        rows = len(judges), lambda row: home_panes.judge_cells(counts, judges[row])
        table.show(home_panes.JUDGES, *rows, cursor=table.cursor, empty="nobody yet")

    # --- doors

    @on(Table.Moved, "#steps")
    def _say_step(self, message: Table.Moved) -> None:
        self._say(str(self.steps[message.row]))

    @on(Table.Opened, "#steps")
    def _do_step(self, message: Table.Opened) -> None:
        step = self.steps[message.row]
        doors: Mapping[str, Callable[[], object]] = {
            "judge": self.query_one("#judges").focus,
            "new-judge": self.action_new_judge,
            "settle": self.action_settle,
            "results": self.action_results,
        }
        if step.judge:
            self._judge_as(step.judge)
        elif step.door:
            doors[step.door]()
        else:
            self._say(f"in a shell: {step.command}" if step.command else step.what)

    @on(Table.Opened, "#judges")
    def _open_judge(self, message: Table.Opened) -> None:
        judge = self.judges[message.row]
        if judge.kind == "model":
            self._say(f"{judge.name} is a model: its grades are loaded")
        elif judge.role == "lead":
            self._settle_as(judge.name)
        else:
            self._judge_as(judge.name)

    @on(Table.Opened, "#runs")
    def _open_run(self) -> None:
        self.action_results()

    def action_new_judge(self) -> None:
        self._ask_name(self._judge_as, "judge")

    def action_settle(self) -> None:
        leads = [judge.name for judge in self.judges if judge.role == "lead"]
        if len(leads) == 1:
            self._settle_as(leads[0])
        else:
            self._ask_name(self._settle_as, "lead")

    def _ask_name(
        self, then: Callable[[str], None], role: str, entered: str = "", hint: str = ""
    ) -> None:
        """Go on with the name of somebody known, or of somebody new who is really meant."""

        def enter(answer: str | None) -> None:
            if answer is None:
                return
            try:
                name = proper_name(answer)
                judge, near = find_judge(self.campaign, name), near_names(self.campaign, name)
            except JudgeTuiError as error:
                self._ask_name(then, role, answer, str(error))
                return
            if judge is None:
                like = f"nearly the name of {', '.join(near)}" if near else ""
                question = Confirm(f"Create {role} {name!r}?", yes="create", hint=like)
                again = partial(self._ask_name, then, role, answer)
                self.app.push_screen(question, lambda yes: then(name) if yes else again())
            elif judge.kind == "model":
                self._ask_name(then, role, answer, f"{name} is a model: use another name")
            else:
                then(name)

        known = ", ".join(judge.name for judge in self.judges if judge.kind == "human")
        hint = hint or (f"a new name, or a known one: {known}" if known else "a name")
        title = "Who settles?" if role == "lead" else "Who judges?"
        self.app.push_screen(Prompt(title, value=entered, hint=hint), enter)

    def _judge_as(self, name: str) -> None:
        def desk() -> Opening:
            refuse_empty_desk(self.campaign, name)
            return judging(add_judge(self.campaign, name))

        self._open(desk)

    def _settle_as(self, name: str) -> None:
        self._open(lambda: settling(add_judge(self.campaign, name, role="lead")))

    def action_results(self) -> None:
        from judge_tui.analysis.basis import Question  # noqa: PLC0415 - with numpy

        self._open(lambda: showing_results(Question()))

    def _open(self, find: Callable[[], Opening]) -> None:
        """Go there, unless nothing can be done there: what is judged in a damaged file could be
        neither exported nor merged."""
        try:
            refuse_small_damage(self.campaign)
            refuse_empty_pool(self.campaign)
            screen = find()(self.session)
        except JudgeTuiError as error:
            self.query_one(StatusLine).fail("NOT DONE", error)
            return
        self._say("")
        self.app.push_screen(screen)

    def action_guidelines(self) -> None:
        self.app.push_screen(guidelines_panel(self.campaign.settings.guidelines))

    def action_leave(self) -> None:
        self.app.pop_screen()

    def _say(self, what: str) -> None:
        self.query_one(StatusLine).say(foreign(what))
