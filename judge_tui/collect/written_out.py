"""What is written out in a systems file in place of `${NAME}`, and by its name holds a key: in
headers, parameters, a body, the environment of a program; and passwords in a URL. Such is told, and
hidden all the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judge_tui.collect.filling import NAMES

__all__ = [
    "HIDDEN",
    "in_body",
    "in_env",
    "in_params",
    "in_url",
    "token_of",
    "told_in",
    "without_keys",
]

HIDDEN = "(hidden)"
"""What stands for a value."""

_TELLING = re.compile(r"authorization|cookie|token|key|secret|password", re.IGNORECASE)
_PARAMETER = re.compile(
    r"(?:(?:api|access|auth|subscription)[-_]?)?(?:key|token)|(?:client[-_]?)?secret"
    r"|sig(?:nature)?|password|passwd|pwd",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"(?P<before>[?&;])(?P<name>[^=&#;?]+)=(?P<value>[^&#;]*)")
_USER = re.compile(r"(?<=://)(?P<user>[^/?#:]*):(?P<password>[^/?#]+)(?=@)")
_VARIABLE = re.compile(r"(?:.*_)?(?:key|token|secret|password|passwd|pwd)", re.IGNORECASE)
_IN_JSON = re.compile(r'(?P<before>"(?P<name>[^"\\]+)"\s*:\s*")(?P<value>(?:[^"\\]|\\.)*)')
_IN_FORM = re.compile(r'(?P<before>(?:^|(?<=[&;\s]))(?P<name>[^=&;\s"]+)=)(?P<value>[^&;\s"]+)')
_LEAST = 16
"""Characters of a key that are no word of a document."""


def told_in(headers: Any) -> dict[str, str]:
    """Those of a setting that are written out, and by their names hold a key."""
    return _of(headers, lambda name, value: _TELLING.search(name) and _is_written(value))


def in_params(params: Any) -> dict[str, str]:
    """The same of parameters, a table of them."""
    return _of(params, _is_key)


def in_env(variables: Any) -> dict[str, str]:
    """The same of an environment."""
    return _of(variables, lambda name, value: _VARIABLE.fullmatch(name) and _is_written(value))


def in_body(body: Any) -> dict[str, str]:
    """The same of a body: in a table with the names of the tables around it, and in a text that is
    JSON or a form."""
    if isinstance(body, str):
        return {
            one["name"]: one["value"]
            for form in (_IN_JSON, _IN_FORM)
            for one in form.finditer(body)
            if _is_key_of_body(one["name"], one["value"])
        }
    found = {}
    for name, value in _items(body):
        if isinstance(value, str):
            if _is_key_of_body(name, value):
                found[name] = value
        else:
            found |= {f"{name}.{inner}": key for inner, key in in_body(value).items()}
    return found


def in_url(url: Any) -> dict[str, str]:
    """What is written out in a URL: where, as it is told, -> the value; the password of
    `user:password@`, and such parameters."""
    if not isinstance(url, str):
        return {}
    found = {}
    if (user := _USER.search(url)) and "${" not in user["password"]:
        found["password in url"] = user["password"]
    for one in _IN_URL.finditer(url):
        if _is_key(one["name"], one["value"]):
            found[f"parameter {one['name']}"] = one["value"]
    return found


def _hidden_url(url: str) -> str:
    """A URL without these."""

    def without(match: re.Match[str]) -> str:
        if not _is_key(match["name"], match["value"]):
            return match.group()
        return f"{match['before']}{match['name']}={HIDDEN}"

    user = _USER.search(url)
    if user and "${" not in user["password"]:
        url = f"{url[: user.start()]}{HIDDEN}{url[user.end() :]}"
    return _IN_URL.sub(without, url)


def _hidden_body(body: Any) -> Any:
    """A body without these."""
    if isinstance(body, str):

        def without(match: re.Match[str]) -> str:
            is_key = _is_key_of_body(match["name"], match["value"])
            return f"{match['before']}{HIDDEN}" if is_key else match.group()

        return _IN_FORM.sub(without, _IN_JSON.sub(without, body))
    shown = {
        name: (HIDDEN if _is_key_of_body(name, value) else value)
        if isinstance(value, str)
        else _hidden_body(value)
        for name, value in _items(body)
    }
    if isinstance(body, Mapping):
        return shown
    return list(shown.values()) if isinstance(body, list) else body


def _items(body: Any) -> Iterator[tuple[str, Any]]:
    """What a table or a list holds, by name or place."""
    if isinstance(body, Mapping):
        yield from body.items()
    elif isinstance(body, list):
        yield from ((str(place), value) for place, value in enumerate(body, 1))


def _is_key(name: str, value: str) -> bool:
    # What a query is put into is none, whatever it is called: `?key={query}`.
    filled_in = any(f"{{{one}}}" in value for one in NAMES)
    return _PARAMETER.fullmatch(name) is not None and _is_written(value) and not filled_in


def _is_key_of_body(name: str, value: str) -> bool:
    # A short `key` or `token` there may be the name of a field, on which answers depend.
    is_word = name.lower() in ("key", "token") and token_of(value) is None
    return _is_key(name, value) and not is_word


def _is_written(value: str) -> bool:
    return "${" not in value and bool(value.strip())


def _of(table: Any, is_key: Callable[[str, str], object]) -> dict[str, str]:
    if not isinstance(table, Mapping):
        return {}
    return {name: str(value) for name, value in table.items() if is_key(name, str(value))}


def token_of(value: str) -> str | None:
    """What of such a header is nowhere to be seen: all of it, but for a scheme such as `Bearer`
    before it (RFC 9110, 11.4); None where it is so short that it may be a word."""
    scheme, _, token = value.strip().partition(" ")
    rest = token.strip() if scheme.isalpha() and token else value.strip()
    return rest if len(rest) >= _LEAST else None


def without_keys(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a system as they may be written."""
    shown = dict(settings)
    for name, value in settings.items():
        if name == "headers" and isinstance(value, Mapping):
            shown[name] = {**value, **dict.fromkeys(told_in(value), HIDDEN)}
        elif name == "params" and isinstance(value, Mapping):
            shown[name] = {**value, **dict.fromkeys(in_params(value), HIDDEN)}
        elif name == "env" and isinstance(value, Mapping):
            shown[name] = {**value, **dict.fromkeys(in_env(value), HIDDEN)}
        elif name in ("body", "options"):
            shown[name] = _hidden_body(value)
        elif name == "url" and isinstance(value, str):
            shown[name] = _hidden_url(value)
        elif name == "identify" and isinstance(value, Mapping):
            shown[name] = without_keys(value)
    return shown
