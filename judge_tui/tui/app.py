"""The app: which screen opens, and what every screen may rely on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen
from textual.timer import Timer, TimerCallback

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge
from judge_tui.tui.config import Config
from judge_tui.tui.keymap import quit_keys
from judge_tui.tui.once import never_skipped
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.screens.speaking import Speaking
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.tending import tend
from judge_tui.visible import visible

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.actions import ActionParseResult
    from textual.dom import DOMNode
    from textual.driver import Driver
    from textual.theme import Theme


_COLLECT_LATER = 0.3
_LOCKED_FOR = 1000
"""Milliseconds that a write waits for another program that holds the file."""
_NO_COLOR = NoColor()
_ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def _driver() -> type[Driver] | None:
    """Textual's own where there are no terminals as Unix has them."""
    if sys.platform == "win32":
        return None
    from judge_tui.tui.driver import SteadyDriver  # noqa: PLC0415

    return SteadyDriver


@dataclass(frozen=True, slots=True)
class Opening:
    """The screen that the app opens with, made before the app takes the terminal: what cannot be
    read is an error of the command. `css`: its style sheet, seen from this folder."""

    screen: Callable[[Campaign, Keeper], Screen[None]]
    css: str


def _home(campaign: Campaign, tastes: Keeper) -> Screen[None]:
    from judge_tui.tui.screens.home import HomeScreen  # noqa: PLC0415 - not every opening is there

    return HomeScreen(campaign, tastes)


AT_HOME = Opening(_home, "screens/home.tcss")


def judging(judge: Judge) -> Opening:
    """At the Judge screen, as that judge."""
    return Opening(
        lambda campaign, tastes: JudgeScreen(Desk(campaign, judge), tastes),
        "screens/judge/judge.tcss",
    )


def reviewing(lead: Judge, *, include_models: bool | None = None) -> Opening:
    """At the Review screen, as that lead."""

    def screen(campaign: Campaign, tastes: Keeper) -> Screen[None]:
        from judge_tui.tui.screens.review import ReviewScreen  # noqa: PLC0415 - it needs numpy

        return ReviewScreen(campaign, lead, tastes, include_models=include_models)

    return Opening(screen, "screens/review/review.tcss")


def _key_commands() -> type[Provider]:
    from judge_tui.tui.screens.palette import KeyCommands  # noqa: PLC0415 - few open the palette

    return KeyCommands


def _begin_to_collect() -> None:
    """Where the app's process began without the collector of cycles: begin now that it is painted.

    What start-up made lives as long as the app: the collector does not look at it again, and
    looks less often, as a judge waits for it.
    """
    if gc.isenabled():
        return
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


class JudgeTuiApp(App[None]):
    """judge_tui in a terminal. Opens at Home, or where an opening says."""

    TITLE = "judge_tui"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_key_commands}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "palette", id="app.palette", priority=True),
        Binding("ctrl+q", "quit", "end the app", id="app.quit", priority=True),
        Binding("ctrl+c", "help_quit", show=False, id="app.help-quit", system=True),
    ]

    def __init__(
        self,
        campaign: Campaign,
        *,
        opening: Opening = AT_HOME,
        config: Config | None = None,
        tastes: Keeper | None = None,
    ) -> None:
        # Textual reads the style sheet of a screen that is pushed, not of the lowest one.
        super().__init__(driver_class=_driver(), css_path=["app.tcss", opening.css])
        self.campaign = campaign
        self.config = config or Config()
        self._tastes = tastes or Keeper()
        theme = self.config.theme or self._tastes.now.theme
        if theme in self.available_themes:
            self.theme = theme
        self.set_keymap(dict(self.config.keymap))
        self._first = opening.screen(campaign, self._tastes)
        self._leaving = False
        self._unsaved: list[str] = []

    def exit(
        self,
        result: None = None,
        return_code: int = 0,
        message: RenderableType | None = None,
    ) -> None:
        self._leaving = True
        for screen in self.screen_stack:
            self._take_unsaved(screen)
        if self._unsaved:
            # As `Text`, so that nothing that was typed is taken for markup.
            lines = [*([str(message).rstrip()] if message else []), *self._unsaved]
            message = Text("\n".join(lines))
            return_code = return_code or 2
        super().exit(result, return_code, message)

    def _take_unsaved(self, screen: Screen[Any]) -> None:
        """Keep what was typed on a screen that is left, and could not be written, to be printed."""
        self._unsaved += getattr(screen, "unsaved", [])

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """A key that was pressed in one burst with the one that leaves does nothing any more: no
        screen that it opened would get what is to be on it."""
        if self._leaving:
            return True
        return await super().run_action(action, default_namespace, namespaces)

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """One that calls in any case: Textual, too, waits a moment before it tells screens a new
        size, and would tell them none any more where that moment was passed over."""
        return never_skipped(super().set_timer(delay, callback, name=name, pause=pause))

    def get_default_screen(self) -> Screen[None]:
        """The screen that the app opens with lies lowest: under it a blank one would be laid out
        and drawn before it."""
        return self._first

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual takes the filter of NO_COLOR by the theme that it begins with. Its shades of grey
        make black on black of the terminal's own colours."""
        filters = super().get_line_filters()
        if not self.no_color or not self.native_ansi_color:
            return filters
        return [_NO_COLOR if isinstance(one, Monochrome) else one for one in filters]

    def pop_screen(self) -> AwaitComplete:
        """Leaving the lowest screen ends the app."""
        if len(self.screen_stack) > 1:
            self._take_unsaved(self.screen)
            return super().pop_screen()
        self._leave()
        return AwaitComplete()

    def on_mount(self) -> None:
        for number in _ENDINGS:
            # A terminal that is closed, or a kill: leave the screen and the file in order.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(number, self._end, number)
        self.campaign.wait_at_most(_LOCKED_FOR)
        tend(self, self.campaign)
        self.theme_changed_signal.subscribe(self, self._keep_theme)

    def on_unmount(self) -> None:
        for number in _ENDINGS:
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().remove_signal_handler(number)

    def _end(self, number: int) -> None:
        self.exit(return_code=128 + number)

    def _leave(self) -> None:
        """End. What is lost, or could not be written, is said once more: there is no screen any
        more that says it."""
        if self.campaign.loss is not None:
            self.exit(return_code=2, message=f"FILE LOST: {self.campaign.loss}\n")
        elif any(screen.failed for screen in self.screen_stack if isinstance(screen, Speaking)):
            self.exit(return_code=2, message="NOT SAVED: the last key could not be written\n")
        else:
            self.exit()

    async def action_quit(self) -> None:
        """Not before what was decided is written, or said not to be, and what was typed is kept and
        settled with; or if it is asked twice."""
        from judge_tui.tui.screens.comment import CommentOverlay  # noqa: PLC0415

        typing = self.screen if isinstance(self.screen, CommentOverlay) else None
        if typing is not None and not typing.may_leave(quit_keys(self)):
            return
        leaving = (screen for screen in self.screen_stack if isinstance(screen, Speaking))
        if not all(screen.may_leave(quit_keys(self)) for screen in leaving):
            if typing is not None:
                # It lies over what was said just now, and was said to be left.
                typing.dismiss(None)
            return
        self._leave()

    def action_help_quit(self) -> None:
        """ctrl+c: people reach for it; it must not end hours of work."""
        self.notify(f"{quit_keys(self)} ends the app", markup=False, timeout=3)

    def _keep_theme(self, theme: Theme) -> None:
        """A theme that was chosen is there again the next time."""
        self._tastes.keep(theme=theme.name)

    def post_display_hook(self) -> None:
        """Textual calls this after each update was handed to the terminal."""
        displayed = getattr(self.screen_stack[-1], "displayed", None) if self.screen_stack else None
        if displayed is not None:
            displayed()

    def on_ready(self) -> None:
        # Not before the first document is painted: it takes as long as painting two of them.
        self.set_timer(_COLLECT_LATER, _begin_to_collect)

    async def on_event(self, event: events.Event) -> None:
        """Tell the screen when the key or button was pressed whose action runs next.

        An event comes here before anything is done about it; one that waited in the queue while the
        screen changed is older than what is on it now. What is pasted is foreign text, and the
        lines that take it show what they hold as it is.
        """
        if isinstance(event, events.Paste) and not event.is_forwarded:
            event = events.Paste(visible(event.text))
        if isinstance(event, events.Key | events.MouseDown) and not event.is_forwarded:
            for screen in self.screen_stack:
                key_pressed = getattr(screen, "key_pressed", None)
                if key_pressed is not None:
                    key_pressed(event.time)
        if isinstance(event, events.Key) and event.is_forwarded:
            # Come back from a screen that has gone since, or under an overlay.
            takes = getattr(self.screen_stack[-1], "takes", None) if self.screen_stack else None
            if takes is not None and takes(event):
                return
        await super().on_event(event)
