"""What of a reply its checks see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge_tui.collect.tasks.fences import Block, blocks_of

__all__ = ["Code", "code_of"]

_THOUGHT = re.compile(r"\s*<(think(?:ing)?)>", re.IGNORECASE)
_BEGUN = re.compile("<think(?:ing)?>", re.IGNORECASE)
# Between quotes it is spoken of.
_ENDED = re.compile("(?<![`'\"])</think(?:ing)?>(?![`'\"])", re.IGNORECASE)
_WORD = re.compile(r"[{.\s]*([\w+#-]+)")
_CALLED = (
    ("python", "py", "python3", "py3"),
    ("javascript", "js", "node"),
    ("typescript", "ts"),
    ("bash", "sh", "shell", "zsh", "console"),
    ("c++", "cpp"),
    ("c#", "csharp", "cs"),
    ("go", "golang"),
    ("rust", "rs"),
    ("ruby", "rb"),
)
"""Names of one language each."""


@dataclass(frozen=True, slots=True)
class Code:
    """What is to be checked, empty where there is none; `fenced`: whether it stood between fences,
    or is the whole reply for want of any."""

    text: str
    fenced: bool


def code_of(reply: str, language: str = "") -> Code:
    """The first fenced block with anything in it, without its fences; the first one in `language`
    where there is one; the whole text where there is no fence. What a model thought aloud before
    its reply, up to </think>, is no part of it, whether <think> stands at its head or not."""
    said = _said(reply)
    first = None
    fenced = False
    for block in blocks_of(said):
        fenced = True
        if not block.text.strip():
            continue
        if not language or _is_in(block, language):
            return Code(block.text, True)
        first = first or block
    if first is not None:
        return Code(first.text, True)
    return Code("", True) if fenced else Code(said, False)


def _said(reply: str) -> str:
    thought = _THOUGHT.match(reply.removeprefix("\ufeff"))
    if thought is None:
        return _behind_thought(reply)
    # What is never closed was cut off before the model said anything.
    end = re.compile(f"</{thought.group(1)}>", re.IGNORECASE)
    return "".join(end.split(reply, 1)[1:])


def _behind_thought(reply: str) -> str:
    """What stands behind the first </think> that has no <think> before it: the templates of many
    models write that one themselves, so that it is no part of what comes. Between fences it is
    code."""
    text = reply.replace("\r\n", "\n").replace("\r", "\n")
    if (ended := _ENDED.search(text)) is None:
        return reply
    blocks = list(blocks_of(text))
    while ended is not None and any(one.start <= ended.start() < one.end for one in blocks):
        ended = _ENDED.search(text, ended.end())
    if ended is None or _BEGUN.search(text, 0, ended.start()) is not None:
        return reply
    return text[ended.end() :]


def _is_in(block: Block, language: str) -> bool:
    word = _WORD.match(block.info)
    return word is not None and word.group(1).lower() in set(_names_of(language.lower()))


def _names_of(language: str) -> Iterator[str]:
    yield language
    for names in _CALLED:
        if language in names:
            yield from names
