"""The terminal's input: whatever bytes come, the app goes on."""

from __future__ import annotations

import codecs
import contextlib
import os
import selectors
from collections.abc import Iterator
from time import monotonic

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

_READ = 4096
_TICK = 0.1
# No screen has as many cells in a row or column; a reply of the terminal may say anything.
_GREATEST_SIDE = 4096


class SteadyDriver(LinuxDriver):
    """Textual's driver, which hostile or broken input does not end.

    Bytes that are no UTF-8 become U+FFFD, and a sequence that the parser fails on is dropped: a
    terminal set to Latin-1 sends such bytes with every accented letter.
    """

    def _sigcont_application(self, *signal_and_frame: object) -> None:
        """Go on after a stop: anew, but not within this handler.

        What is interrupted here may hold the lock of what is to be written, and would never give it
        back. `timeout`, systemd and multiplexers send SIGCONT behind SIGTERM or SIGHUP, to a
        program that was never stopped and is about to end.
        """
        if self._must_signal_resume:
            super()._sigcont_application(*signal_and_frame)
        else:
            with contextlib.suppress(RuntimeError):  # the app has ended, and its loop with it
                self._loop.call_soon_threadsafe(self._begin_anew)

    def _begin_anew(self) -> None:
        if self._auto_restart and not self._app._exit and not self.exit_event.is_set():
            self.suspend_application_mode()
            self.resume_application_mode()

    def run_input_thread(self) -> None:
        """Read from the terminal until the app ends."""
        received = _Received(debug=self._debug)
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                # Nothing to read: what was begun may have been a key by itself, such as escape.
                data = os.read(self.fileno, _READ) if selector.select(_TICK) else None
                for message in received.messages(data, at=monotonic()):
                    self.process_message(message)
                if data == b"":
                    # The terminal is gone. SIGHUP ends the app; this need not turn in circles.
                    self.exit_event.wait(_TICK)


class _Received:
    """Messages of the bytes that came so far."""

    def __init__(self, *, debug: bool) -> None:
        self._debug = debug
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._parser = XTermParser(debug)

    def messages(self, data: bytes | None, *, at: float) -> Iterator[Message]:
        """What has come with `data`, which was there at that time; None: nothing came for a while.

        Of keys that came in one burst none is later than another: on a busy machine the first may
        have been acted on, and its outcome painted, before the rest of them are parsed.
        """
        for message in self._possible(data):
            message.time = at
            yield message

    def _possible(self, data: bytes | None) -> Iterator[Message]:
        text = self._decode(data) if data else ""
        parser = self._parser
        try:
            if text:
                yield from filter(_is_possible, parser.feed(text))
            yield from filter(_is_possible, parser.tick())
        except (ValueError, OverflowError):
            # Numbers that no terminal sends. The parser cannot go on after that.
            self._parser = XTermParser(self._debug)


def _is_possible(message: Message) -> bool:
    return not isinstance(message, events.Resize) or max(message.size) <= _GREATEST_SIDE
