"""Source code in colours: tokens of Pygments as the styles that documents have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from time import thread_time
from typing import TYPE_CHECKING, Any

from judge_tui.tui.reading.allowance import at_most
from judge_tui.tui.reading.reading import Span

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_AT_ONCE = 300
_LONGEST_STEP = 0.05
"""In seconds of processor time, for what usually takes two thousandths."""

_LONGEST_FIRST = 1.0
"""The same for one step of each language: lexers make their tables when they are first used."""

_LONGEST = 2.0
"""The same for all of a text."""

# What an ancestor says holds for what is not listed; what has no style is drawn as it is.
_STYLES = {
    "Comment": "comment",
    "Comment.Preproc": "keyword",
    "Generic.Deleted": "deleted",
    "Generic.Emph": "emphasis",
    "Generic.Heading": "heading",
    "Generic.Inserted": "inserted",
    "Generic.Strong": "strong",
    "Generic.Subheading": "heading",
    "Keyword": "keyword",
    "Keyword.Constant": "number",
    "Literal.Number": "number",
    "Literal.String": "string",
    "Literal.String.Doc": "comment",
    "Name.Attribute": "name",
    "Name.Builtin": "name",
    "Name.Builtin.Pseudo": "keyword",
    "Name.Class": "name",
    "Name.Decorator": "name",
    "Name.Exception": "name",
    "Name.Function": "name",
    "Name.Label": "name",
    "Name.Tag": "keyword",
    "Operator": "operator",
    "Operator.Word": "keyword",
}


_forgiven: set[str] = set()
"""The languages that have had their long step."""


def highlighted(text: str, language: str) -> Iterator[tuple[int, list[Span]]]:
    """How far the text is read, and the spans up to there, a step of some 1,000 characters a time.

    `language` is one of Pygments' names; without a lexer of that name, or from the place on where
    the lexer takes too long, there are no spans. Spans do not overlap, and reach at most to the
    place that comes with them.
    """
    lexer = _lexer(language)
    if lexer is None:
        return
    # Lexers want lines to end.
    tokens = lexer.get_tokens_unprocessed(text + "\n")
    longest = _LONGEST_STEP
    left = _LONGEST
    at = 0
    while at < len(text) and left > 0:
        begun = thread_time()
        spans: list[Span] = []
        try:
            with at_most(longest):
                reached = _step(tokens, at, spans)
            longest = _LONGEST_STEP
        except Exception:
            # Too slow, in whatever words: a lexer may have caught that and raised its own.
            if language in _forgiven:
                return
            _forgiven.add(language)
            # Again from the beginning: what was read already is passed over.
            tokens, longest = lexer.get_tokens_unprocessed(text + "\n"), _LONGEST_FIRST
            continue
        if reached == at:
            return
        at = min(reached, len(text))
        yield at, [(start, min(end, at), style) for start, end, style in spans]
        left -= thread_time() - begun


def _step(tokens: Iterator[tuple[int, Any, str]], at: int, spans: list[Span]) -> int:
    """Add the spans of the next tokens; how far they reach."""
    enough = at + _AT_ONCE
    for start, kind, held in tokens:
        # Some lexers go back, or say a token of another one twice.
        if start < at:
            continue
        at = start + len(held)
        style = _style(kind)
        if style and not held.isspace():
            spans.append((start, at, style))
        if at >= enough:
            break
    return at


@cache
def _style(kind: Any) -> str:
    """The style of a kind of token: its own, else that of the nearest ancestor."""
    return next((_STYLES[name] for name in _lineage(kind) if name in _STYLES), "")


def _lineage(kind: Any) -> Iterator[str]:
    while kind is not None:
        yield str(kind).removeprefix("Token.")
        kind = kind.parent


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
