"""Lines of files: plain, or highlighted by Pygments as far as that takes no time."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Any

from textual.content import Content, Span

from judge_tui.tui.rendering.line_writer import pieces, visible_content
from judge_tui.visible import visible

if TYPE_CHECKING:
    from pygments.lexer import Lexer

HIGHLIGHTED = 100_000
"""In characters: what comes further down has no colours, so that going there takes no time."""

_AT_ONCE = 300

# In seconds: a step usually takes two thousandths; more where a lexer calls another one for the
# first time, which makes its tables then.
_LONGEST_STEP = 0.1
_LONGEST = 2.0

# What an ancestor says holds for what is not listed; what has no style is drawn as it is.
_STYLES = {
    kind: style
    for style, kinds in {
        "bold $text-primary": "Keyword Comment.Preproc Name.Builtin.Pseudo Name.Tag Operator.Word"
        " Generic.Heading Generic.Subheading",
        "$text-secondary": "Name.Attribute Name.Builtin Name.Class Name.Decorator Name.Exception"
        " Name.Function Name.Label",
        "$text-success": "Literal.String",
        "$text-warning": "Literal.Number Keyword.Constant",
        "dim italic": "Comment Literal.String.Doc",
        "dim": "Operator",
        "bold": "Generic.Strong",
        "italic": "Generic.Emph",
        "strike $text-error": "Generic.Deleted",
        "underline $text-success": "Generic.Inserted",
    }.items()
    for kind in kinds.split()
}

_armed = False


class TooSlowError(Exception):
    """The allowance of processor time is used up."""


def plain_lines(text: str, style: str = "") -> Iterator[Content]:
    """Text as it stands, made visible as it is asked for."""
    for line in _lines(text):
        for number, piece in enumerate(pieces(line)):
            shown = visible(piece)
            spans = [Span(0, len(shown), style)] if style else None
            yield visible_content(shown, spans, is_first=number == 0)


def highlighted_lines(
    text: str, language: str, context: str = "", *, style: str = ""
) -> Iterator[Content]:
    """The same, highlighted where `language`, one of Pygments' names, has a lexer; where there is
    none, in the `style`.

    In the `context` stands whether the text begins within a string or a comment. From the place on
    where the lexer fails or takes too long, and from `HIGHLIGHTED` on, lines have no colours.
    """
    lexer = _lexer(language) if language else None
    cut = len(text) if len(text) <= HIGHLIGHTED else text.rfind("\n", 0, HIGHLIGHTED)
    if lexer is None or cut < 0:
        yield from plain_lines(text, style)
        return
    above, head = visible(context), visible(text[:cut].removesuffix("\r"))
    tokens = _tokens(lexer, above + head)
    token = next(tokens, None)
    at = len(above)
    for line in head.split("\n"):
        for number, piece in enumerate(pieces(line)):
            end = at + len(piece)
            spans: list[Span] = []
            while token and token.start < end:
                if token.style and token.end > at:
                    spans.append(
                        Span(max(token.start, at) - at, min(token.end, end) - at, token.style)
                    )
                if token.end > end:
                    break
                token = next(tokens, None)
            yield visible_content(piece, spans, is_first=number == 0)
            at = end
        at += 1
    if cut < len(text):
        yield from plain_lines(text[cut + 1 :])


def _tokens(lexer: Lexer, text: str) -> Iterator[Span]:
    """The styled tokens of a text, up to where the lexer fails; the last one of each step has no
    style, and says how far it came."""
    # Lexers want lines to end.
    tokens = lexer.get_tokens_unprocessed(f"{text}\n")
    at, left = 0, _LONGEST
    while at < len(text) and left > 0:
        begun = perf_counter()
        step: list[Span] = []
        try:
            with at_most(_LONGEST_STEP):
                reached = _step(tokens, at, step)
        except Exception:
            # A fault of the lexer, or it was too slow: it may have caught that and raised its own.
            return
        if reached == at:
            return
        yield from step
        yield Span(at, reached, "")
        at = reached
        left -= perf_counter() - begun


def _step(tokens: Iterator[tuple[int, Any, str]], at: int, spans: list[Span]) -> int:
    """Add the spans of the next tokens; how far they reach."""
    enough = at + _AT_ONCE
    for start, kind, text in tokens:
        # Some lexers go back, or say a token of another one twice.
        if start < at:
            continue
        at = start + len(text)
        style = _style(kind)
        if style and not text.isspace():
            spans.append(Span(start, at, style))
        if at >= enough:
            break
    return at


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TooSlowError` in the block when it took this much processor time. Does not nest.

    Lexers are regular expressions, and for most of them there is a text that takes them hours.
    Python's `re` looks for signals while it searches, so that one can call it off: from the main
    thread, on systems that have interval timers. Elsewhere the bounds on what is fed to a lexer
    have to do.
    """
    global _armed  # noqa: PLW0603 - there is one timer in a process
    if not _can_interrupt():
        yield
        return
    # What is raised while the collector calls somebody back is swallowed there.
    collects = gc.isenabled()
    gc.disable()
    _armed = True
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        # First this: a signal that arrives from here on is too late to raise anything.
        _armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if collects:
            gc.enable()


def _can_interrupt() -> bool:
    """Whether the timer's signal comes to this thread and to us. Our handler stays in place, since
    without one the signal would end the process."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        return False
    handler = signal.getsignal(signal.SIGVTALRM)
    if handler is signal.SIG_DFL:
        signal.signal(signal.SIGVTALRM, _interrupt)
        return True
    return handler is _interrupt


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    if _armed:
        raise TooSlowError


def _lines(text: str) -> Iterator[str]:
    """The lines of a text without their ends, cut as they are asked for."""
    at = 0
    while (end := text.find("\n", at)) >= 0:
        yield text[at : end - 1] if text.startswith("\r", end - 1) and end > at else text[at:end]
        at = end + 1
    yield text[at:]


@cache
def _style(kind: Any) -> str:
    """The style of a kind of token: its own, else that of the nearest ancestor."""
    while kind is not None:
        name = str(kind).removeprefix("Token.")
        if name in _STYLES:
            return _STYLES[name]
        kind = kind.parent
    return ""


@cache
def _lexer(language: str) -> Lexer | None:
    # Pygments costs milliseconds of a start, and most documents are no code.
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        # Code within Markdown is left as it is: each of its languages would be imported.
        options = {"handlecodeblocks": False} if language == "markdown" else {}
        return get_lexer_by_name(language, **options)
    except ClassNotFound:
        return None
