"""The terminal's input: whatever bytes come, the app goes on.

Each rule here goes when Textual needs it no more: what it is for is named where it stands.
"""

from __future__ import annotations

import os
import selectors
import signal
from codecs import getincrementaldecoder
from itertools import chain
from typing import Any

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

_READ = 4096
_TICK = 0.1
# No screen has as many cells in a row or column. `Resize.from_dimensions` takes what a terminal's
# reply says, and a screen of 99,999 by 99,999 cells is laid out until memory ends.
_GREATEST_SIDE = 4096
# Most terminals send alt+enter as the first of these, which `XTermParser` takes for a plain enter.
_ALT_ENTER = ("\x1b\r", "\x1b[13;3u")


class SteadyDriver(LinuxDriver):
    """Textual's driver, which hostile or broken input does not end, nor a signal lock."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # `LinuxDriver._sigcont_application` writes within a handler of the signal, which may have
        # interrupted who holds the lock of the writer: continued, the app would hang now and then.
        self._loop.add_signal_handler(signal.SIGCONT, self._continue)

    def _continue(self) -> None:
        # `timeout`, systemd and multiplexers send SIGCONT behind SIGTERM, to what is about to end.
        if not self._app._exit:
            if not self._must_signal_resume:
                self.suspend_application_mode()
            self.resume_application_mode()

    def run_input_thread(self) -> None:
        """Read from the terminal until the app ends.

        `LinuxDriver.run_input_thread` ends with the first byte that is not UTF-8: a terminal set to
        Latin-1 sends one with every accented letter. `XTermParser` ends it with a key whose number
        is that of no character (`ESC [ 1114113 u`), and it turns in circles when the terminal is
        gone.
        """
        decode = getincrementaldecoder("utf-8")("replace").decode
        parser = XTermParser(self._debug)
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                data = os.read(self.fileno, _READ) if selector.select(_TICK) else None
                text = decode(data).replace(*_ALT_ENTER) if data else ""
                try:
                    for message in chain(parser.feed(text) if text else (), parser.tick()):
                        self.process_message(message)
                except (ValueError, OverflowError):
                    parser = XTermParser(self._debug)
                if data == b"":
                    self.exit_event.wait(_TICK)

    def process_message(self, message: Message) -> None:
        """Hand on what can be."""
        if not isinstance(message, events.Resize) or max(message.size) <= _GREATEST_SIDE:
            super().process_message(message)
