"""Settle: where the judges disagree, what hangs on it, and the lead's last word.

What the lead settles is an event of the lead's own; what the judges said stays as it is. The queue
has those cases first that can change the order of the systems; that is worked out beside the app,
and rows stay where they are under the lead's cursor until a key moves them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer
from textual.worker import Worker, WorkerState, get_current_worker

from judge_tui.campaign import Campaign
from judge_tui.campaign.exporting.disagreements import export_disagreements
from judge_tui.campaign.overview.cases import cases
from judge_tui.campaign.overview.disagreements import SWAPS_BY, OrderedCases, ordered_cases
from judge_tui.campaign.overview.who_counts import models_count
from judge_tui.campaign.store.adjudication import (
    Settlement,
    redo_settling,
    settle,
    settlement_of,
    undo_settling,
)
from judge_tui.campaign.store.arrays import most_to_count, settled_grades
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.opening import second_reader
from judge_tui.campaign.store.queries import query_names
from judge_tui.counts import counted
from judge_tui.errors import CampaignError, InputError, JudgeTuiError
from judge_tui.model import Document
from judge_tui.tui_new.rendering import query_terms
from judge_tui.tui_new.screens.agreement import AgreementScreen
from judge_tui.tui_new.screens.confusion import ConfusionScreen
from judge_tui.tui_new.screens.document_reader import EMPTY, NO_TEXT
from judge_tui.tui_new.screens.opinions import (
    CasePane,
    Letters,
    OpenCase,
    QueueRows,
    open_case,
    opinions_content,
    settled_as,
    settled_content,
)
from judge_tui.tui_new.screens.settle_queue import (
    ORDERS,
    Case,
    Cell,
    Filter,
    Order,
    SettleQueue,
    filter_choices,
)
from judge_tui.tui_new.session import Session
from judge_tui.tui_new.text import document_title, foreign, grade_content, need_content
from judge_tui.tui_new.widgets.dialogs import Picker, Prompt, TextPrompt
from judge_tui.tui_new.widgets.document_view import DocumentView
from judge_tui.tui_new.widgets.grade_bar import GradeBar
from judge_tui.tui_new.widgets.status_line import StatusLine
from judge_tui.tui_new.widgets.table import Heading, Table
from judge_tui.tui_new.widgets.text_panel import TextPanel

_LOOK_EVERY = 1.0
# So many pairs are weighed before anybody notices: nothing flickers.
_SMALL = 20_000
DONE = """\
The queue is done: {} settled.

[ goes back to the last one, F shows others, a agreement, e exports, q leaves."""
NOTHING_JUDGED = "Nobody has judged anything yet: there is nothing to settle."
NOTHING_DISPUTED = """\
No two judges disagree about any document.

F shows what is flagged, has a comment or cannot be judged; a shows agreement."""

_EVERYTHING = Filter(mark="judged, agreed ones too")


class SettleScreen(Screen[None]):
    """Settle what the judges disagree about."""

    AUTO_FOCUS = "#document"
    BINDING_GROUP_TITLE = "Settle"
    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] | None = [  # noqa: RUF012 - as Textual has it
        (0, "-narrow"),
        (100, "-wide"),
        (120, "-beside"),
    ]
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [  # noqa: RUF012 - as Textual has it
        (0, "-low"),
        (30, "-high"),
    ]
    HELP = f"""\
## The queue

- **A B C** what each judge said: a grade, `s` skipped, `x` cannot be judged, `·` not judged; `R`
  shows the names
- **lead** the grade that a lead gave for good
- **swaps** pairs of systems whose order depends on the grade, by {SWAPS_BY}
- **change** the most that a difference of two systems' means can change by it
- **spread** the greatest less the least grade
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(digit),
                f"grade({digit})",
                f"settle as {digit}",
                id=f"settle.grade-{digit}",
                show=False,
            )
            for digit in range(10)
        ),
        Binding("c", "reason", "reason", id="settle.reason"),
        Binding("C", "last_reason", "reason of the last", id="settle.last-reason", show=False),
        Binding("u", "undo", "undo", id="settle.undo"),
        Binding("ctrl+r", "redo", "redo", id="settle.redo", show=False),
        Binding("right_square_bracket", "step(1)", "next case", id="settle.next", show=False),
        Binding("left_square_bracket", "step(-1)", "case before", id="settle.previous", show=False),
        Binding("o", "jump", "go to a query", id="settle.jump", show=False),
        Binding("s", "sort", "sort", id="settle.sort"),
        Binding("F", "filter", "filter", id="settle.filter"),
        Binding("M", "confusion", "matrix", id="settle.confusion"),
        Binding("a", "agreement", "agreement", id="settle.agreement"),
        Binding("R", "reveal", "names", id="settle.reveal", show=False),
        Binding("r", "reload", "reload", id="settle.reload", show=False),
        Binding("e", "export", "export", id="settle.export", show=False),
        Binding("d", "narrative", "narrative", id="settle.narrative", show=False),
        Binding("i", "guidelines", "guidelines", id="settle.guidelines", show=False),
        Binding("q", "leave", "back", id="settle.leave"),
    ]

    def __init__(
        self, session: Session, lead: Judge, *, include_models: bool | None = None
    ) -> None:
        super().__init__()
        self._session = session
        self._campaign = campaign = session.campaign
        self._lead = lead
        self._scale = campaign.settings.scale
        self._options = session.options.of(lead.name)
        with campaign.reading():
            self._version = campaign.version()
            self._include_models = models_count(campaign, include_models)
            found = cases(campaign, include_models=self._include_models)
            self.queue = SettleQueue(found, query_names(campaign))
        self.letters = Letters(campaign.settings, found.judges)
        self.open: OpenCase | None = None
        self._last: OpenCase | None = None
        # By pair: those written for a grade that is to come.
        self._reasons: dict[int, str] = {}
        self._between: tuple[int, int] | None = None
        self._is_changed = self._is_touched = False

    def compose(self) -> ComposeResult:
        with Container(id="settle"):
            yield Table(id="queue")
            with Vertical():
                yield CasePane()
                options, save = self._options, self._session.options.save
                yield DocumentView(options, save, self._session.guard, id="document")
        yield StatusLine()
        yield GradeBar(self._scale)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        found = self.queue.cases
        is_own = [judge.key == self._lead.key for judge in found.judges]
        if own := int((found.grades[self.queue.rows][:, is_own] >= 0).sum()):
            self._say(f"you graded {own:,} of these {len(self.queue):,} yourself")
        self._show_queue()
        self._work_out(anew=False)
        if self.open is None:
            self._go(self.queue.next_open(-1))
        self.set_interval(_LOOK_EVERY, self._look)

    def on_key(self) -> None:
        self._is_touched = True

    def on_click(self) -> None:
        self._is_touched = True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "grade" or parameters[0] in self._scale

    # --- what is worked out beside the app

    def _work_out(self, *, anew: bool) -> None:
        """Read what there is, and what hangs on it; `anew`: as the lead asks, so that rows may
        move."""
        try:
            self._version = self._campaign.version()
            if most_to_count(self._campaign) <= _SMALL:
                self._take_in(self._read_all(self._campaign), anew=anew)
            else:
                self._read_beside(anew)
        except JudgeTuiError as error:
            self._fail("CANNOT READ", error)

    def _read_all(self, campaign: Campaign) -> OrderedCases:
        return ordered_cases(campaign, SWAPS_BY, include_models=self._include_models)

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _read_beside(self, anew: bool) -> tuple[OrderedCases, bool]:
        worker = get_current_worker()
        with second_reader(self._campaign, lambda: worker.is_cancelled) as reader:
            return self._read_all(reader), anew

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        error = event.worker.error
        if event.state is WorkerState.SUCCESS and event.worker.result:
            found, anew = event.worker.result
            self._take_in(found, anew=anew)
        elif event.state is WorkerState.ERROR and isinstance(error, JudgeTuiError):
            self._fail("NOT WORKED OUT", error)
        elif event.state is WorkerState.ERROR and error is not None:
            raise error

    def _take_in(self, found: OrderedCases, *, anew: bool) -> None:
        """Rows change their places where the lead asked for it, or has not done anything yet."""
        queue, pair = self.queue, self.open.pair if self.open else -1
        if anew:
            queue.renew(found.cases)
            queue.settle(*settled_grades(self._campaign))
            self.letters.meet(found.cases.judges)
            self._is_changed = False
        queue.weigh(found)
        may_move = anew or not self._is_touched
        if may_move:
            queue.sort("swaps" if queue.is_weighed else "spread")
        self._show_queue()
        if may_move:
            place = queue.place_of(pair) if anew else None
            self._go(queue.next_open(-1) if place is None else place)
        if found.why:
            self._say(f"by spread: {found.why}")
        elif anew:
            self._say("as the campaign is now")
        elif not may_move:
            self._say("it is known now what matters: s orders by swaps")

    def _look(self) -> None:
        """Say once where others have written."""
        with contextlib.suppress(CampaignError):
            is_changed = self._campaign.version() != self._version
            if is_changed != self._is_changed:
                self._is_changed = is_changed
                self._show_title()

    # --- what stands on the screen

    def _show_queue(self) -> None:
        """Rows came, went or moved, or judges are called otherwise."""
        self._rows = QueueRows(self._campaign, self.queue, self.letters)
        place = self.queue.place_of(self.open.pair) if self.open else None
        table = self.query_one(Table)
        table.show(self._rows.headings, len(self.queue), self._rows.cells, cursor=place or 0)
        self._show_title()

    def _show_title(self) -> None:
        queue = self.queue
        what = "Queue" if queue.filter == Filter() else self._filter_words()
        settled = f"{len(queue) - queue.open:,} of {len(queue):,} settled"
        title = foreign(f"{what} · {settled} · by {queue.order}")
        if self._is_changed:
            title = Content.styled("changed on disk: r reloads", "bold $text-warning")
        self.query_one(Table).border_title = title

    def _filter_words(self) -> str:
        called = self.letters.called(self.queue.cases.judges)
        return self.queue.filter.words(called, self.queue.queries)

    def _go(self, place: int | None) -> None:
        """Show a case, read afresh; None: there is none that is open."""
        view = self.query_one(DocumentView)
        self.open = None
        try:
            if place is not None and len(self.queue):
                place = max(0, min(len(self.queue) - 1, place))
                self.query_one(Table).move(place)
                self.open = self._read(self.queue[place])
        except CampaignError as error:
            view.clear()
            self._fail("CANNOT READ", error)
        else:
            if self.open is None:
                view.border_title = ""
                view.clear(self._nothing())
            else:
                self._show_document(self.open)
        self._show_case()

    def _read(self, case: Case) -> OpenCase:
        self._seen_version = self._campaign.version()
        return open_case(self._campaign, case, include_models=self._include_models)

    def _show_document(self, case: OpenCase) -> None:
        view = self.query_one(DocumentView)
        view.border_title = document_title(case.document)
        note = EMPTY if case.has_text else NO_TEXT
        view.show(case.document, marks=query_terms(case.query.text), note=note)

    def _show_case(self) -> None:
        """Everything about the case but the document."""
        case = self.open
        pane = self.query_one(CasePane)
        pane.show(case, self.letters, self._scale, need=self._options.narrative)
        settled = case.settlement if case else None
        self.query_one(GradeBar).show(settled.grade if settled else None)

    def _nothing(self) -> str:
        """Why no case is shown."""
        if len(self.queue):
            return DONE.format(counted(len(self.queue), "case"))
        if self.queue.filter != Filter():
            return f"No case is: {self._filter_words()}.\n\nF and enter show all disagreements."
        return NOTHING_DISPUTED if (self.queue.cases.grades >= 0).any() else NOTHING_JUDGED

    def _say(self, what: Content | str = "") -> None:
        self.query_one(StatusLine).say(what)

    def _fail(self, start: str, error: JudgeTuiError) -> None:
        self.query_one(StatusLine).fail(start, error)

    # --- settling

    def action_grade(self, grade: int) -> None:
        case = self.open
        if case is None:
            self._say("no case is shown: [ goes back to the last one")
        elif refusal := self._session.guard.refusal:
            self._say(refusal)
        elif self._is_as_shown(case):
            self._settle(case, grade)

    def _is_as_shown(self, case: OpenCase) -> bool:
        """Whether the file still holds what the lead has seen; else it is shown anew, and said."""
        try:
            version = self._campaign.version()
            if version == self._seen_version:
                return True
            now = self._read(self.queue[self.query_one(Table).cursor])
        except CampaignError as error:
            self._fail("NOT SAVED", error)
            return False
        if now == case:
            return True
        self._settled()
        self._go(self.query_one(Table).cursor)
        self._say("changed meanwhile: please look again")
        return False

    def _settle(self, case: OpenCase, grade: int) -> None:
        before = case.settlement
        reason = self._reasons.get(case.pair, "")
        if not reason and before is not None and before.grade == grade:
            reason = before.reason
        if before is not None and (before.grade, before.reason) == (grade, reason):
            self._say(Content.assemble("settled so already: ", settled_as(before, self._scale)))
            return

        def done(_event: Event) -> None:
            if case.pair in self._reasons:
                self._forget_reason(case)
            self._last = case
            self._go(self.queue.next_open(self.query_one(Table).cursor))
            parts = [self._change(case, grade), foreign(case.document.doc_id, "dim")]
            if reason:
                parts.append(Content("with your reason"))
            if self.open is None:
                parts.append(Content.styled("all of these cases are settled", "bold"))
            self._say(Content("  ").join(parts))

        self._write(lambda: settle(self._campaign, self._lead, case.pair, grade, reason), done)

    def _change(self, case: OpenCase, grade: int) -> Content:
        """What a grade did: another lead's word is never replaced without one."""
        before, now = case.settlement, grade_content(grade, self._scale)
        if before is None:
            return Content.assemble(("settled: ", "bold"), now)
        was = Content(str(before.grade))
        if before.judge.key != self._lead.key:
            was = settled_as(before, self._scale)
        return Content.assemble(("changed: ", "bold"), was, " → ", now)

    def _write(
        self, change: Callable[[], Event | None], then: Callable[[Event], None], nothing: str = ""
    ) -> None:
        """Commit, and go on only then; `nothing`: what to say where there is nothing to change."""
        try:
            event = change()
        except JudgeTuiError as error:
            self._session.failure = str(error)
            self._fail("NOT SAVED", error)
            return
        self._session.failure = ""
        if event is None:
            self._say(nothing)
            return
        self._settled()
        then(event)

    def _settled(self) -> None:
        """Take in what is settled now; rows stay."""
        with contextlib.suppress(CampaignError):
            self.queue.settle(*settled_grades(self._campaign))
        self.query_one(Table).redraw()
        self._show_title()

    def action_undo(self) -> None:
        self._take_back(undo_settling, "undone", "nothing that you settled is left to undo")

    def action_redo(self) -> None:
        self._take_back(redo_settling, "done again", "nothing to redo")

    def _take_back(
        self, change: Callable[[Campaign, Judge], Event | None], word: str, nothing: str
    ) -> None:
        # A key that outran the screen must not take back more than was seen.
        if self.open is not None and not self._session.guard.takes_back:
            return

        def done(event: Event) -> None:
            wider = self._bring(event.pair)
            grade = Content("") if event.grade is None else grade_content(event.grade, self._scale)
            reason = foreign(event.note, "dim")
            parts = [Content.assemble((f"{word}: ", "bold"), grade), *([reason] if reason else [])]
            if wider:
                parts.append(Content.styled("the filter is off to show it", "dim"))
            self._say(Content("  ").join(parts))

        self._write(lambda: change(self._campaign, self._lead), done, nothing)

    def _bring(self, pair: int) -> bool:
        """Go to a case; whether another filter had to be taken off for that."""
        for wanted in (self.queue.filter, Filter(), _EVERYTHING):
            is_wider = wanted != self.queue.filter
            self.queue.narrow(wanted)
            place = self.queue.place_of(pair)
            if place is not None:
                break
        self._show_queue()
        self._go(place)
        return is_wider

    # --- reasons

    def action_reason(self) -> None:
        self._ask_reason(self.open)

    def action_last_reason(self) -> None:
        self._ask_reason(self._last)

    def _ask_reason(self, case: OpenCase | None) -> None:
        """For the lead's own grade that holds, or for the one to come."""
        if case is None:
            self._say("no case is shown" if self._last else "nothing was settled yet")
            return
        names = case.query.query_id, case.document.doc_id
        key = ("reason", *names)
        drafts = self._session.drafts

        def keep(text: str) -> None:
            drafts[key] = text
            if not text:
                del drafts[key]

        def given(text: str | None) -> None:
            if text is not None:
                keep(text)
                self._give_reason(case, text)

        own = self._own(case.pair)
        draft = drafts.get(key, own.reason if own else "")
        title = f"Reason: {names[1]}, query {names[0]}"
        hint = settled_content(own, self._scale) if own else "goes with the grade that you give"
        self.app.push_screen(TextPrompt(title, draft=draft, hint=hint, keep=keep), given)

    def _own(self, pair: int) -> Settlement | None:
        """The settling that holds, where it is this lead's."""
        with contextlib.suppress(CampaignError):
            found = settlement_of(self._campaign, pair)
            if found is not None and found.judge.key == self._lead.key:
                return found
        return None

    def _give_reason(self, case: OpenCase, text: str) -> None:
        own = self._own(case.pair)
        if own is None:
            self._reasons[case.pair] = text
            self._say("kept until you settle it" if text else "no reason")
        elif text == own.reason:
            self._forget_reason(case)
        else:

            def done(_event: Event) -> None:
                self._forget_reason(case)
                if self.open is not None and self.open.pair == case.pair:
                    self.open = self._read(self.queue[self.query_one(Table).cursor])
                    self._show_case()
                self._say("reason saved")

            grade = own.grade
            self._write(lambda: settle(self._campaign, self._lead, case.pair, grade, text), done)

    def _forget_reason(self, case: OpenCase) -> None:
        """It is written, or there is none."""
        self._reasons.pop(case.pair, None)
        key = ("reason", case.query.query_id, case.document.doc_id)
        self._session.drafts.pop(key, None)

    # --- from case to case

    @on(Table.Moved, "#queue")
    def _moved(self, message: Table.Moved) -> None:
        self._say()
        self._go(message.row)

    @on(Table.Opened, "#queue")
    def _opened(self, message: Table.Opened) -> None:
        if self.open is None:
            self._go(message.row)
            return
        case = self.open
        said = opinions_content(case, self.letters, self._scale)
        text = f"{said.plain}\n\n{need_content(case.query, self._scale).plain}"
        title = f"{case.query.query_id}  {case.query.text}"
        self.app.push_screen(TextPanel(title, Document("", text=text, kind="text")))

    def action_step(self, by: int) -> None:
        """From the end of the queue, back is the last case."""
        self._say()
        self._go(self.query_one(Table).cursor + (by if self.open else 0))

    def action_jump(self) -> None:
        queue = self.queue
        keys = list(dict.fromkeys(queue.cases.queries[queue.rows].tolist()))
        names = [queue.queries[key] for key in keys]
        rows = [[foreign(one.query_id, "bold"), foreign(one.text)] for one in names]
        words = [f"{one.query_id} {one.text}" for one in names]

        def chosen(row: int | None) -> None:
            if row is not None:
                self._go(queue.place_of_query(keys[row]))

        headings = [Heading("query"), Heading("text", fill=True)]
        self.app.push_screen(Picker("Go to a query", headings, rows, words=words), chosen)

    def action_sort(self) -> None:
        orders: list[Order] = [one for one in ORDERS if one != "swaps" or self.queue.is_weighed]
        at = orders.index(self.queue.order) if self.queue.order in orders else -1
        self._sort(orders[(at + 1) % len(orders)])

    @on(Table.HeadingPressed, "#queue")
    def _heading_pressed(self, message: Table.HeadingPressed) -> None:
        name = self._rows.names[message.column]
        for order in ORDERS:
            if order == name or (order, name) == ("swaps", "change"):
                self._sort(order)

    def _sort(self, order: Order) -> None:
        self.queue.sort(order)
        self._show_queue()
        self._say(f"by {order}")

    def action_filter(self) -> None:
        queue = self.queue
        called = self.letters.called(queue.cases.judges)
        choices = list(filter_choices(queue.cases, queue.queries, called))
        rows = [[Content(f"{count:,}"), foreign(what)] for _, what, count in choices]

        def chosen(row: int | None) -> None:
            if row is not None:
                one = choices[row][0]
                self._narrow(queue.filter.but(one) if one != Filter() else one)

        headings = [Heading("cases", right=True), Heading("beside what is asked for", fill=True)]
        words = [what for _, what, _ in choices]
        self.app.push_screen(Picker("Filter the cases", headings, rows, words=words), chosen)

    def _narrow(self, filter: Filter) -> None:
        """The case of now stays, where it is among them and open."""
        pair = self.open.pair if self.open else -1
        self.queue.narrow(filter)
        place = self.queue.place_of(pair)
        if place is None or filter != Filter():
            place = self.queue.next_open(-1)
            place = 0 if place is None else place
        self._show_queue()
        self._go(place)

    # --- looking up

    def action_confusion(self) -> None:
        screen = ConfusionScreen(self.queue.cases, self.letters, self._scale, self._between)
        if not screen.pairs:
            self._say("a confusion matrix takes two judges who graded")
            return

        def chosen(cell: Cell | None) -> None:
            if cell is not None:
                self._between = cell[:2]
                self._narrow(Filter(cell=cell))

        self.app.push_screen(screen, chosen)

    def action_agreement(self) -> None:
        judges = self.queue.cases.judges
        called = {
            judges[at].name: self.letters.of(judges[at]) for at in self.letters.in_order(judges)
        }

        def chosen(query_id: str | None) -> None:
            for key, query in self.queue.queries.items():
                if query.query_id == query_id:
                    self._narrow(Filter(query=key))

        screen = AgreementScreen(self._campaign, called, include_models=self._include_models)
        self.app.push_screen(screen, chosen)

    def action_reveal(self) -> None:
        self.letters.revealed = not self.letters.revealed
        self._show_queue()
        self._show_case()
        self._say("names: R hides them" if self.letters.revealed else "letters")

    def action_reload(self) -> None:
        self._work_out(anew=True)

    def action_narrative(self) -> None:
        self._options.narrative = not self._options.narrative
        self._session.options.save()
        self._show_case()

    def action_guidelines(self) -> None:
        text = self._campaign.settings.guidelines.strip()
        if text:
            panel = TextPanel("Guidelines", Document("", text=text, kind="markdown"))
            self.app.push_screen(panel)
        else:
            self._say("this campaign has no guidelines")

    def action_export(self) -> None:
        def write(name: str | None) -> None:
            if not name:
                return
            try:
                if Path(name).exists():
                    raise InputError(
                        name, None, "there is such a file already", "give another name"
                    )
                done = export_disagreements(
                    self._campaign, name, SWAPS_BY, include_models=self._include_models
                )
            except JudgeTuiError as error:
                self._fail("NOT WRITTEN", error)
                return
            count = counted(done.written["disagreements"], "disagreement")
            self._say(Content.assemble(f"{count} written to ", foreign(name, "bold")))

        prompt = Prompt(
            "Export the disagreements", value="disagreements.csv", hint="a new .csv or .jsonl file"
        )
        self.app.push_screen(prompt, write)

    def action_leave(self) -> None:
        self.app.pop_screen()
