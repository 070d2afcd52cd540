"""The app: which screen opens, and what every screen may rely on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal

from textual import events
from textual.app import App

from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import Judge
from judge_tui.tui.patience import SQLITE_WAITS
from judge_tui.tui.screens.judge import JudgeScreen

__all__ = ["JudgeTuiApp"]

_ENDINGS = (signal.SIGTERM, signal.SIGHUP)


class JudgeTuiApp(App[None]):
    """judge_tui in a terminal. Opens at Home, or at the Judge screen where a judge is given."""

    CSS_PATH = "app.tcss"
    TITLE = "judge_tui"

    def __init__(self, campaign: Campaign, *, judge: Judge | None = None) -> None:
        super().__init__()
        self.campaign = campaign
        # Before the app takes the terminal: what cannot be read is an error of the command.
        self._first = None if judge is None else JudgeScreen(Desk(campaign, judge))

    def on_mount(self) -> None:
        for number in _ENDINGS:
            # A terminal that is closed, or a kill: leave the screen and the file in order.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(number, self._end, number)
        self.campaign.wait_at_most(SQLITE_WAITS)
        if self._first is not None:
            self.push_screen(self._first, self._leave)
        else:
            from judge_tui.tui.screens.home import HomeScreen  # noqa: PLC0415

            self.push_screen(HomeScreen(self.campaign), self._leave)

    def on_unmount(self) -> None:
        for number in _ENDINGS:
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().remove_signal_handler(number)

    def _end(self, number: int) -> None:
        lost = "NOT SAVED: the last key was waiting for the file\n" if self._pending else None
        self.exit(return_code=128 + number, message=lost)

    @property
    def _pending(self) -> JudgeScreen | None:
        """The Judge screen that has something to write, if there is one."""
        judging = (screen for screen in self.screen_stack if isinstance(screen, JudgeScreen))
        return next((screen for screen in judging if screen.patience.waiting), None)

    async def action_quit(self) -> None:
        """Not before what was decided is written, or said not to be."""
        if self._pending is None:
            self.exit()

    def action_help_quit(self) -> None:
        """ctrl+c: people reach for it; it must not end hours of work."""
        self.notify("q goes back, ctrl+q ends the app", markup=False, timeout=3)

    def post_display_hook(self) -> None:
        """Textual calls this after each update was handed to the terminal."""
        screen = self.screen_stack[-1] if self.screen_stack else None
        if isinstance(screen, JudgeScreen):
            screen.displayed()

    def on_ready(self) -> None:
        # What start-up made lives as long as the app: the collector need not look at it between two
        # keys, which costs more than painting a document.
        gc.collect()
        gc.freeze()

    def on_key(self, event: events.Key) -> None:
        """Tell the screen when the key was pressed whose binding runs next.

        A key comes here before its binding is looked up; one that waited in the queue while the
        screen changed is older than what is on it now.
        """
        if isinstance(self.screen, JudgeScreen):
            self.screen.key_pressed(event.time)

    def _leave(self, _result: None) -> None:
        self.exit()
