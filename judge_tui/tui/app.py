"""The app: which screen opens, and what every screen may rely on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import App, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import Command, CommandPalette
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen
from textual.timer import Timer, TimerCallback

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge
from judge_tui.errors import CampaignError
from judge_tui.tui.config import Config, ThemeFile
from judge_tui.tui.driver import SteadyDriver
from judge_tui.tui.on_disk import OnDisk
from judge_tui.tui.painted import PaintGuard
from judge_tui.tui.session import Session
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.visible import visible, visible_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from judge_tui.analysis.basis import Question

_TEND_EVERY = 0.25
_LOOK_EVERY = 1.0
_COLLECT_LATER = 0.3
_LOCKED_FOR = 1000
"""Milliseconds that a write waits for another program that holds the file."""
_ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

Opening = Callable[[Session], Screen[None]]
"""Makes the screen that the app opens with."""


def AT_HOME(session: Session) -> Screen[None]:  # noqa: N802 - an opening as the others are
    """At Home."""
    from judge_tui.tui.screens.home import HomeScreen  # noqa: PLC0415 - few openings are there

    return HomeScreen(session)


def judging(judge: Judge) -> Opening:
    """At the Judge screen, as that judge."""
    from judge_tui.tui.screens.judge import JudgeScreen  # noqa: PLC0415

    return lambda session: JudgeScreen(session, judge)


def settling(
    lead: Judge, *, include_models: bool | None = None, against: Judge | None = None
) -> Opening:
    """At the Settle screen, as that lead; `against`: a model that people are put beside."""
    from judge_tui.tui.screens.settle import SettleScreen  # noqa: PLC0415 - it needs numpy

    return lambda session: SettleScreen(
        session, lead, include_models=include_models, against=against
    )


def showing_results(question: Question) -> Opening:
    """At the results that answer the question."""
    from judge_tui.tui.screens.results.screen import ResultsScreen  # noqa: PLC0415

    return lambda session: ResultsScreen(session, question)


class JudgeTuiApp(App[None]):
    """judge_tui in a terminal. Opens at Home, or where an opening says."""

    TITLE = "judge_tui"
    BINDING_GROUP_TITLE = "Everywhere"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "question_mark"  # stands at the right end of every footer
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - as Textual's is
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "keys", id="app.help", show=False),
        Binding(
            "ctrl+p", "command_palette", "palette", id="app.palette", priority=True, show=False
        ),
        Binding("ctrl+q", "quit", "end the app", id="app.quit", priority=True, show=False),
        Binding("ctrl+c", "help_quit", show=False, id="app.help-quit", system=True),
    ]

    def __init__(
        self,
        campaign: Campaign,
        *,
        opening: Opening = AT_HOME,
        config: Config | None = None,
        themes: ThemeFile | None = None,
    ) -> None:
        super().__init__(driver_class=SteadyDriver)
        guard = PaintGuard(campaign.settings.least_look)
        self.session = Session(campaign, guard)
        self._themes, config = themes or ThemeFile(), config or Config()
        theme = config.theme or self._themes.read()
        if theme in self.available_themes:
            self.theme = theme
        self.set_keymap(dict(config.keymap))
        self._lowest = opening(self.session)
        self._changed = 0.0
        self._theme_before = ""

    def get_default_screen(self) -> Screen[None]:
        """The screen that the app opens with lies lowest: no blank one is painted before it."""
        return self._lowest

    def push_screen(self, *args: Any, **options: Any) -> Any:
        """What was pressed before it came was not meant for this screen."""
        self._changed = monotonic()
        return super().push_screen(*args, **options)

    def pop_screen(self) -> AwaitComplete:
        """Leaving the lowest screen ends the app."""
        self._changed = monotonic()
        if len(self.screen_stack) > 1:
            return super().pop_screen()
        self.exit()
        return AwaitComplete()

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in _ENDINGS:
            # A terminal that is closed, or a kill: leave the screen and the file in order.
            loop.add_signal_handler(number, partial(self.exit, return_code=128 + number))
        self.session.campaign.wait_at_most(_LOCKED_FOR)
        self._tending = self.set_interval(_TEND_EVERY, self._tend)
        self.set_interval(_LOOK_EVERY, self._look)

    def on_unmount(self) -> None:
        for number in _ENDINGS:
            asyncio.get_running_loop().remove_signal_handler(number)

    def on_ready(self) -> None:
        # Not before the first document is painted: it takes as long as painting two of them.
        self.set_timer(_COLLECT_LATER, self._begin_to_collect)

    def _begin_to_collect(self) -> None:
        """Where the app's process began without the collector of cycles: begin now that it is
        painted.

        What start-up made lives as long as the app: the collector does not look at it again, and
        looks by itself less often, as a judge waits for it.
        """
        if gc.isenabled():
            return
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        self.set_interval(_TEND_EVERY, partial(gc.collect, 1))

    def _tend(self) -> None:
        """Fold the file while nobody waits, and say once where it is lost."""
        try:
            self.session.campaign.tend()
        except CampaignError as error:
            self._tending.stop()
            from judge_tui.tui.widgets.dialogs import LossNotice  # noqa: PLC0415

            self.push_screen(LossNotice(error))

    def _look(self) -> None:
        if not self.screen_stack:  # ending: the screens are gone before the timers
            return
        # What cannot be read is said where the file is tended, or by who reads it next.
        with contextlib.suppress(CampaignError):
            self.screen.post_message(OnDisk(self.session.campaign.version()))

    # --- the end

    def exit(
        self, result: None = None, return_code: int = 0, message: RenderableType | None = None
    ) -> None:
        """End; what was not saved is said once more: there is no screen any more that says it."""
        lines = [str(message).rstrip()] if message else []
        if self.session.campaign.loss is not None:
            lines.append(f"FILE LOST: {self.session.campaign.loss}")
        elif self.session.failure:
            lines.append(f"NOT SAVED: {self.session.failure}")
        lines += [f"NOT SAVED: {draft}" for draft in self.session.drafts.lines()]
        # As `Text`, so that nothing that was typed is taken for markup.
        shown = Text(visible("\n".join(lines))) if lines else None
        super().exit(result, return_code or (2 if lines else 0), shown)

    def action_help_quit(self) -> None:
        """ctrl+c: people reach for it; it must not end hours of work."""
        from judge_tui.tui.widgets.keys_panel import keys_now  # noqa: PLC0415

        _, keys = keys_now(self.screen)["app.quit"]
        for line in self.screen.query(StatusLine):
            line.say(f"{keys[0]} ends the app")

    # --- what comes in and goes out

    def post_display_hook(self) -> None:
        """Textual calls this after each update was handed to the terminal."""
        self.session.guard.displayed()

    async def on_event(self, event: events.Event) -> None:
        """Say when the key or button was pressed whose action runs next; an event comes here before
        anything is done about it. What is pasted is foreign text."""
        if isinstance(event, events.Paste) and not event.is_forwarded:
            event = events.Paste(visible(event.text))
        if isinstance(event, events.Key | events.MouseDown) and event.time < self._changed:
            return  # meant for a screen that is gone or covered, and may have come back from there
        if isinstance(event, events.MouseDown) and not event.is_forwarded:
            self.session.guard.pressed("", event.time)
        if isinstance(event, events.Key) and event.is_forwarded:
            # Its action runs next: of a burst, all keys have come here before the first acts.
            self.session.guard.pressed(event.key, event.time)
        await super().on_event(event)

    def copy_to_clipboard(self, text: str) -> None:
        """Nothing marked leaves what is in the clipboard. With its defaults tmux takes nothing from
        what a program says to the terminal."""
        if text:
            super().copy_to_clipboard(text)
        if text and os.environ.get("TMUX"):
            tmux = ["tmux", "load-buffer", "-w", "-"]
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                subprocess.run(tmux, input=text.encode(), timeout=1, check=False)  # noqa: S603

    def get_line_filters(self) -> Sequence[LineFilter]:
        """`App.__init__` chooses the filter of NO_COLOR by the theme that it begins with, and the
        one of other themes makes black on black of the terminal's own colours."""
        filters = super().get_line_filters()
        if not self.no_color or not self.native_ansi_color:
            return filters
        return [NoColor() if isinstance(one, Monochrome) else one for one in filters]

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """`Timer._run` skips a call that is late, of a single timer the only one; where that was
        `App._check_resize`, the app would learn of no other size any more."""
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False  # what `Timer(skip=…)` sets, and `set_timer` does not pass on
        return timer

    # --- keys, palette, themes

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the keys do now, a grade with its label; then the theme and the manual."""
        from judge_tui.manual import all_pages  # noqa: PLC0415
        from judge_tui.tui.widgets.keys_panel import keys_now  # noqa: PLC0415

        scale = self.session.campaign.settings.scale
        labels = {f"grade({one})": f" {one} {scale.labels.get(one, '')}" for one in scale.grades}
        for name, (active, keys) in keys_now(screen).items():
            if name != "app.palette":
                action = active.binding.action
                called = active.binding.description + visible_line(labels.get(action, ""))
                run = partial(self.run_action, action, active.node)
                yield SystemCommand(called, f"key {' '.join(keys)}", run)
        yield SystemCommand("change the theme", "kept for the next time", self.action_change_theme)
        for page in all_pages():
            show = partial(self.open_manual, page.topic)
            yield SystemCommand(f"Manual: {page.topic}", page.question, show)

    def action_help(self) -> None:
        # Dialogs are imported where they open: the first screen waits for none of them.
        from judge_tui.tui.widgets.keys_panel import KeysPanel  # noqa: PLC0415

        self.push_screen(KeysPanel(self.screen))

    def open_manual(self, topic: str) -> None:
        """Show that page of the manual over the screen."""
        from judge_tui.tui.widgets.keys_panel import ManualPanel  # noqa: PLC0415

        self.push_screen(ManualPanel(topic))

    def action_change_theme(self) -> None:
        self._theme_before = self.theme
        self.search_themes()

    @on(CommandPalette.OptionHighlighted)
    def _preview_theme(self, event: CommandPalette.OptionHighlighted) -> None:
        option = event.highlighted_event.option
        if self._theme_before and isinstance(option, Command):
            name = str(option.hit.text)
            if name in self.available_themes:
                self.theme = name

    @on(CommandPalette.Closed)
    def _keep_theme(self, event: CommandPalette.Closed) -> None:
        before, self._theme_before = self._theme_before, ""
        if before and event.option_selected:
            self._themes.write(self.theme)
        elif before:
            self.theme = before
