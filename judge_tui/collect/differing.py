"""Which settings are others than those that were written down, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from judge_tui.collect.written_out import HIDDEN
from judge_tui.formats.problems import quoted

__all__ = ["settings_that_differ"]


def settings_that_differ(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Each that was otherwise `before`, as in `id was 'path', is 'file'`: by its name alone where
    something in it is hidden, or where it is too long to show what is new. Tables and lists are
    told by what differs in them."""
    for name in dict.fromkeys([*now, *before]):
        yield from _differing(name, before.get(name), now.get(name))


def _differing(name: str, before: Any, now: Any) -> Iterator[str]:
    if _as_json(before) == _as_json(now):  # which 1 and true are not
        return
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for one in dict.fromkeys([*now, *before]):
            yield from _differing(f"{name}.{one}", before.get(one), now.get(one))
        return
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for at, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _differing(f"{name}[{at}]", one, other)
        return
    was, told = _shown(before), _shown(now)
    is_hidden = any(HIDDEN in _as_json(one) for one in (before, now))
    yield f"{name} was another" if is_hidden or was == told else f"{name} was {was}, is {told}"


def _shown(value: Any) -> str:
    if value is None:
        return "not there"
    if isinstance(value, str):
        return quoted(value)
    text = _as_json(value)
    return text if len(text) <= _LONGEST else quoted(text)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


_LONGEST = 60
