"""What a model is asked: a prompt of 2,000 characters, another one each time."""

from __future__ import annotations

from collections.abc import Iterator

_SYSTEM = {"role": "system", "content": "You are a helpful assistant."}
_TEXT = "Given a query and a passage, say how relevant the passage is. "


def prompts(count: int) -> Iterator[list[dict[str, str]]]:
    """So many, each made when it is asked for."""
    for number in range(count):
        yield [_SYSTEM, {"role": "user", "content": f"{_TEXT * 32}{number}"}]
