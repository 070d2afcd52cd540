"""Settle: where the judges disagree, or people and a model, what hangs on it, and the lead's last
word.

What the lead settles is an event of the lead's own; what the judges said stays as it is. The queue
has those cases first that can change the order of the systems. That is worked out beside the app,
at first and where the lead asks for it: no row moves under the lead's cursor but by a key.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Footer

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.disagreements import SWAPS_BY, OrderedCases, ordered_cases
from judge_tui.campaign.overview.grading import models_count
from judge_tui.campaign.overview.model_grades import all_models
from judge_tui.campaign.store.adjudication import (
    Adjudication,
    adjudications_of,
    redo_adjudication,
    settle,
    undo_adjudication,
)
from judge_tui.campaign.store.arrays import settled_grades
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.queries import QueryName, query_names
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.tui.on_disk import OnDisk, read_beside
from judge_tui.tui.rendering import query_terms
from judge_tui.tui.screens.agreement import AgreementScreen
from judge_tui.tui.screens.confusion import ConfusionScreen
from judge_tui.tui.screens.grading import (
    grade_keys,
    has_key,
    is_as_seen,
    may_take_back,
    show_guidelines,
    show_need,
)
from judge_tui.tui.screens.letters import Letters
from judge_tui.tui.screens.settle_panes import (
    NOTHING_READ,
    Case,
    CasePane,
    QueueTable,
    filter_picker,
    read_case,
    settled_as,
    why_nothing,
)
from judge_tui.tui.screens.settle_queue import Called, Cell, Filter, SettleQueue, of_cell
from judge_tui.tui.screens.settle_reasons import Reasons
from judge_tui.tui.session import Session
from judge_tui.tui.text import document_note, document_title, foreign, grade_content
from judge_tui.tui.widgets.dialogs import name_picker
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.grade_bar import GradeBar
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Table
from judge_tui.visible import visible_line

WORKING = "working out what matters …"


class SettleScreen(SizedScreen[None]):
    """Settle what the judges disagree about."""

    AUTO_FOCUS = "#document"
    BINDING_GROUP_TITLE = "Settle"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-beside")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (20, "-low"), (30, "-high")]  # noqa: RUF012
    HELP = f"""\
## The queue

- **letters** what each judge did: a grade, `s` skipped, `x` cannot be judged, `·` nothing; `R`
  names the judges
- **lead** the grade that a lead gave for good
- **a model** stands behind the letters, by its name, where `A` puts people beside it; its grades
  do not count
- **swaps** pairs of systems whose order depends on the grade, by {SWAPS_BY}
- **change** the most that the difference of two systems can change by it
- **spread** the greatest less the least grade, where nothing is known of systems
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        *grade_keys("settle", "settle"),
        Binding("c", "reason", "reason", id="settle.reason"),
        Binding("C", "last_reason", "reason of the last", id="settle.last-reason", show=False),
        Binding("u", "undo", "undo", id="settle.undo"),
        Binding("ctrl+r", "redo", "redo", id="settle.redo", show=False),
        Binding("right_square_bracket", "step(1)", "next case", id="settle.next", show=False),
        Binding("left_square_bracket", "step(-1)", "case before", id="settle.previous", show=False),
        Binding("F", "filter", "filter", id="settle.filter"),
        Binding("M", "confusion", "matrix", id="settle.confusion"),
        Binding("a", "agreement", "agreement", id="settle.agreement"),
        Binding("A", "against", "against a model", id="settle.against", show=False),
        Binding("R", "reveal", "names", id="settle.reveal", show=False),
        Binding("r", "reload", "reload", id="settle.reload", show=False),
        Binding("D", "need", "query and narrative, whole", id="settle.need", show=False),
        Binding("i", "guidelines", "guidelines", id="settle.guidelines", show=False),
        Binding("q", "leave", "back", id="settle.leave"),
    ]

    def __init__(
        self,
        session: Session,
        lead: Judge,
        *,
        include_models: bool | None = None,
        against: Judge | None = None,
    ) -> None:
        super().__init__()
        self._session = session
        self._campaign = campaign = session.campaign
        self._lead = lead
        self._scale = campaign.settings.scale
        self._include_models = models_count(campaign, include_models)
        self.queue = SettleQueue()
        self.letters = Letters(campaign.settings.seed, against)
        self.case: Case | None = None
        self._last: Case | None = None
        self._reasons = Reasons(session, lead)
        self._between: tuple[int, int] | None = None
        # Of the file: -1 before it is read; whether others have written since.
        self._version = -1
        self._is_changed = False

    def compose(self) -> ComposeResult:
        with Container(id="settle"):
            yield QueueTable(id="queue")
            with Vertical():
                yield CasePane()
                yield DocumentView(self._session.guard, id="document")
        yield StatusLine()
        yield GradeBar(self._scale)
        yield Footer()

    def on_mount(self) -> None:
        self._table = self.query_one(QueueTable)
        self._view = self.query_one(DocumentView)
        self._status = self.query_one(StatusLine)
        self._view.clear(WORKING)
        self._show_case()
        self.action_reload()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return has_key(action, parameters, self._scale)

    # --- what there is to settle

    def action_reload(self) -> None:
        self._work_out()

    @work(exclusive=True)
    async def _work_out(self) -> None:
        """Take in what there is now; the case on screen stays, if it is among these."""
        self._status.say(WORKING)
        try:
            version = self._campaign.version()
            ordered, queries = await read_beside(self._campaign, self._read_queue)
            if not self.app.screen_stack:
                return  # the app ends
            self._version, self._is_changed = version, False
            self._take_in(ordered, queries)
        except JudgeTuiError as error:
            self._status.fail("CANNOT READ", error)
            if self.case is None:
                self._show_document()
        else:
            self._status.say(f"by spread: {ordered.why}" if ordered.why else "")

    def _read_queue(self, reader: Campaign) -> tuple[OrderedCases, dict[int, QueryName]]:
        models, against = self._include_models, self.letters.against
        found = ordered_cases(reader, SWAPS_BY, include_models=models, against=against)
        return found, query_names(reader)

    def _take_in(self, found: OrderedCases, queries: Mapping[int, QueryName]) -> None:
        self.queue.take(found, queries)
        self.queue.mark_settled(*settled_grades(self._campaign))
        case = self.case
        place = self.queue.place_of(case.pair) if case else None
        self._show_queue()
        if case is None or place is None:
            self._go(self.queue.next_open(-1))
        elif self._read(case.pair) != case:
            self._go(place)

    @on(OnDisk)
    def _notice_others(self, message: OnDisk) -> None:
        is_changed = message.version != self._version != -1
        if is_changed != self._is_changed:
            self._is_changed = is_changed
            self._show_title()

    # --- what stands on the screen

    def _show_queue(self) -> None:
        """Rows came, went or moved."""
        place = self.queue.place_of(self.case.pair) if self.case else None
        self._table.show_queue(self._campaign, self.queue, self.letters, place or 0)
        self._show_title()

    def _show_title(self) -> None:
        if self._is_changed:
            changed = Content.styled("changed on disk: r reloads", "bold $text-warning")
            self._table.border_title = changed
            return
        count = len(self.queue)
        settled = count - int(self.queue.is_open.sum())
        asked = self._asked() or "Queue"
        self._table.border_title = foreign(f"{asked} · {settled:,} of {count:,} settled")

    def _asked(self) -> str:
        """The model and the filter in words, "" where there is neither."""
        asked, against = self.queue.filter, self.queue.cases.against
        words = [f"against {against.name}"] if against else []
        if asked:
            words.append(asked.words(self._called()))
        return visible_line(" · ".join(words))

    def _called(self) -> Called:
        return self.letters.called(self.queue.cases.judges)

    def _go(self, place: int | None) -> bool:
        """Show a case, read afresh; None: there is none that is open. False where the file cannot
        be read."""
        self.case, is_read = None, True
        if place is not None and len(self.queue):
            place = max(0, min(len(self.queue) - 1, place))
            self._table.move(place)
            pair = self.queue.pair(place)
            self.case = self._session.read(lambda: self._read(pair), self._status)
            is_read = self.case is not None
        if is_read:
            self._show_document()
        else:
            self._view.clear()
        self._show_case()
        return is_read

    def _read(self, pair: int) -> Case:
        models = self._include_models
        return read_case(self._campaign, self.queue.cases, pair, include_models=models)

    def _show_document(self) -> None:
        case = self.case
        if case is None:
            self._view.border_title = ""
            is_read = self._version != -1
            self._view.clear(why_nothing(self.queue, self._asked()) if is_read else NOTHING_READ)
            return
        self._view.border_title = document_title(case.document)
        note = document_note(is_loaded=case.has_text)
        self._view.show(case.document, marks=query_terms(case.query.text), note=note)

    def _show_case(self) -> None:
        """Everything about the case but the document."""
        case = self.case
        self.query_one(CasePane).show(case, self.letters, self._scale)
        settled = case.adjudication if case else None
        self.query_one(GradeBar).show(settled.grade if settled else None)

    # --- settling

    def action_grade(self, grade: int) -> None:
        case = self.case
        if case is None:
            self._status.say("no case is shown: [ goes back to the last one")
        elif refusal := self._session.guard.refusal:
            self._status.warn(refusal)
        elif self._is_as_seen(case):
            self._settle(case, grade)

    def _is_as_seen(self, case: Case) -> bool:
        def show_again() -> bool:
            self._take_in_settled()
            return self._go(self.queue.place_of(case.pair))

        return is_as_seen(
            self._session,
            self._status,
            case.version,
            lambda: self._read(case.pair) == case,
            show_again,
        )

    def _settle(self, case: Case, grade: int) -> None:
        before = case.adjudication
        is_same = before is not None and before.grade == grade
        reason = self._reasons.kept(case) or (before.reason if before and is_same else "")
        if before is not None and is_same and before.reason == reason:
            so = settled_as(before, self._scale)
            self._status.say(Content.assemble("settled so already: ", so))
        elif self._write(lambda: settle(self._campaign, self._lead, case.pair, grade, reason)):
            if self._reasons.kept(case):
                self._reasons.forget(case)
            self._last = case
            self._go(self.queue.next_open(self._table.cursor))
            parts = [self._change(before, grade), foreign(case.document.doc_id, "dim")]
            if reason:
                parts.append(Content("with your reason"))
            if self.case is None:
                parts.append(Content.styled("all of these cases are settled", "bold"))
            self._status.say(Content("  ").join(parts))

    def _change(self, before: Adjudication | None, grade: int) -> Content:
        """What a grade did: another lead's word is never replaced without one."""
        now = grade_content(grade, self._scale)
        if before is None:
            return Content.assemble(("settled: ", "bold"), now)
        is_own = before.judge.key == self._lead.key
        was = Content(str(before.grade)) if is_own else settled_as(before, self._scale)
        return Content.assemble(("changed: ", "bold"), was, " → ", now)

    def _write(self, change: Callable[[], Event | None]) -> Event | None:
        """Commit, and take that in; None where there is nothing to change, or that failed."""
        event = self._session.write(change, self._status)
        if not self._session.failure:
            self._take_in_settled()
        return event

    def _take_in_settled(self) -> None:
        """Rows stay."""
        with contextlib.suppress(CampaignError):
            self.queue.mark_settled(*settled_grades(self._campaign))
        self._table.redraw()
        self._show_title()

    def action_undo(self) -> None:
        self._take_back(undo_adjudication, "undone", "nothing that you settled is left to undo")

    def action_redo(self) -> None:
        self._take_back(redo_adjudication, "done again", "nothing to redo")

    def _take_back(
        self, change: Callable[[Campaign, Judge], Event | None], word: str, nothing: str
    ) -> None:
        if not may_take_back(self._session, self._status, is_shown=self.case is not None):
            return
        event = self._write(lambda: change(self._campaign, self._lead))
        if event is None or event.grade is None:
            if not self._session.failure:
                self._status.say(nothing)
            return
        grade = grade_content(event.grade, self._scale)
        parts = [Content.assemble((f"{word}: ", "bold"), grade), foreign(event.note, "dim")]
        if self.queue.filter and self.queue.place_of(event.pair) is None:
            parts.append(Content("the filter is off to show it"))
            self._narrow(None)
        self._go(self.queue.place_of(event.pair))
        self._status.say(Content("  ").join(part for part in parts if part))

    # --- reasons

    def action_reason(self) -> None:
        self._ask_reason(self.case, "c")

    def action_last_reason(self) -> None:
        self._ask_reason(self._last, "C")

    def _ask_reason(self, case: Case | None, key: str) -> None:
        """For the lead's own grade that holds, or for the one to come; `key` asks again."""
        if case is None:
            self._status.say("no case to give a reason for")
            return

        def write(text: str | None) -> None:
            if text is not None:
                self._write_reason(case, text)
            elif self._reasons.has_draft(case):
                self._status.say(f"the reason is not written: {key} has it again")

        self._reasons.ask(self.app, case, write)

    def _write_reason(self, case: Case, text: str) -> None:
        self._reasons.keep(case, text)
        own = self._reasons.own(case)
        if own is None:
            self._status.say("kept until you settle it" if text else "no reason")
        elif text == own.reason:
            self._reasons.forget(case)
        elif self._write(lambda: settle(self._campaign, self._lead, case.pair, own.grade, text)):
            self._reasons.forget(case)
            if self.case is not None and self.case.pair == case.pair:
                with contextlib.suppress(CampaignError):
                    now = tuple(adjudications_of(self._campaign, case.pair))
                    self.case = replace(self.case, adjudications=now)
                self._show_case()
            self._status.say("reason written" if text else "reason taken off")

    # --- from case to case

    @on(Table.Moved)
    @on(Table.Opened)
    def _moved(self, message: Table.Moved | Table.Opened) -> None:
        # One that came late, after the screen has gone on, means nothing any more.
        if message.row == self._table.cursor:
            self._status.say()
            self._go(message.row)

    def action_step(self, by: int) -> None:
        """From the end of the queue, back is the last case."""
        self._status.say()
        self._go(self._table.cursor + (by if self.case else 0))

    def action_filter(self) -> None:
        choices = self.queue.choices()

        def chosen(row: int | None) -> None:
            if row is not None:
                self._narrow(choices[row][1])

        self.app.push_screen(filter_picker(choices, self._called()), chosen)

    def _narrow(self, asked: Filter | None) -> None:
        """Show the cases that the filter lets through, from the first open one on."""
        self.queue.narrow(asked)
        self._show_queue()
        place = self.queue.next_open(-1)
        self._go(0 if place is None else place)

    def action_against(self) -> None:
        models = all_models(self._campaign)
        against = self.letters.against

        def chosen(row: int | None) -> None:
            if row is not None:
                self.letters.against = models[row - 1] if row else None
                self.queue.narrow(None)
                self.case = None
                self.action_reload()

        if models:
            names = ["each other", *(one.name for one in models)]
            at = next((at for at, one in enumerate(models, 1) if one == against), 0)
            self.app.push_screen(name_picker("Put people beside", names, at), chosen)
        else:
            self._status.say("no model has graded")

    # --- looking up

    def action_confusion(self) -> None:
        screen = ConfusionScreen(self.queue.cases, self._called(), self._scale, self._between)

        def chosen(cell: Cell | None) -> None:
            if cell is not None:
                self._between = cell[:2]
                self._narrow(of_cell(cell))

        if screen.pairs:
            self.app.push_screen(screen, chosen)
        else:
            self._status.say("a confusion matrix takes two judges who graded")

    def action_agreement(self) -> None:
        models = self._include_models
        self.app.push_screen(AgreementScreen(self._campaign, self.letters, include_models=models))

    def action_reveal(self) -> None:
        self.letters.revealed = not self.letters.revealed
        self._show_title()
        self._show_case()
        names = foreign("   ".join(self._called().values()))
        self._status.say(names if self.letters.revealed else "letters")

    def action_need(self) -> None:
        if self.case is not None:
            show_need(self.app, self.case.query, self._scale)

    def action_guidelines(self) -> None:
        show_guidelines(self.app, self._session)

    def action_leave(self) -> None:
        self.app.pop_screen()
