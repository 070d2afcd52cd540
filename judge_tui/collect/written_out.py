"""What is written out in a systems file in place of `${NAME}`, and by its name holds a key: in
headers, parameters, a body, the environment and the arguments of a program; and passwords in a URL.
Such is told, and hidden all the same.

By its name alone something may look like a key that is none, and chooses what is searched:
`?key=books`, `X-Keyspace: customer-films-en`. Keys have 16 characters and more, which are no words;
what is shorter, or words, stays hidden, and yet replies to another one are others (`Key.mark`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from judge_tui.collect.filling import NAMES

__all__ = [
    "HIDDEN",
    "Key",
    "host_of",
    "keys_of_address",
    "keys_of_user",
    "mark_of",
    "mark_of_address",
    "out_of_argv",
    "out_of_body",
    "out_of_env",
    "out_of_headers",
    "out_of_params",
    "out_of_setting",
    "out_of_url",
    "without_user",
]

HIDDEN = "(hidden)"
"""What stands in place of a key."""

_TELLING = re.compile(r"authorization|cookie|token|key|secret|password", re.IGNORECASE)
_PARAMETER = re.compile(
    r"(?:(?:api|access|auth|subscription)[-_]?)?(?:key|token)|(?:client[-_]?)?secret"
    r"|sig(?:nature)?|password|passwd|pwd",
    re.IGNORECASE,
)
_NEVER_A_WORD = re.compile(r"authorization|secret|sig(?:nature)?$|password|passwd|pwd", re.I)
_IN_URL = re.compile(r"(?P<before>[?&;])(?P<name>[^=&#;?]+)=(?P<value>[^&#;]*)")
_USER = re.compile(r"(?<=://)(?P<user>[^/?#:]*)(?::(?P<password>[^/?#]*))?(?=@)")
_PATH = re.compile(r"(?<![:/])/(?!/).*", re.DOTALL)
_VARIABLE = re.compile(r"(?:.*_)?(?:key|token|secret|password|passwd|pwd)", re.IGNORECASE)
_IN_JSON = re.compile(r'(?P<before>"(?P<name>[^"\\]+)"\s*:\s*")(?P<value>(?:[^"\\]|\\.)*)')
_IN_FORM = re.compile(r'(?P<before>(?:^|(?<=[&;\s]))(?P<name>[^=&;\s"]+)=)(?P<value>[^&;\s"]+)')
# As an option, a variable or a parameter of a URL, be it amid a script; and as a header.
_IN_ARGUMENT = re.compile(
    r"""(?P<before>(?:^|(?<=[?&;\s"']))-{0,2}(?P<name>\w[\w.-]*)=["']?)"""
    r"""(?P<value>[^&;#\s"'(\[]++)(?![(\[])"""
)
_IN_HEADER = re.compile(
    r"""(?P<before>(?P<name>[\w-]*(?:authorization|cookie|token|key|secret|password)):\s*)"""
    r"""(?P<value>[^"'\r\n]+)""",
    re.IGNORECASE,
)
_OPTION = re.compile(r"--?(?P<name>\w[\w-]*)")
# What a shell puts in from the environment, as in "Bearer $KEY".
_PUT_IN = re.compile(r"(?:^|\s)\$[A-Za-z_{(]")
_LEAST = 16
"""Characters of a key that are no word of a document."""
_WORD = re.compile(r"(?P<letters>[^\W\d_]{0,15})\d{0,4}")
_BETWEEN_WORDS = re.compile(r"[-_./:, ]+")


class Key(NamedTuple):
    """One that is written out: `where`, as that is told, by what `name`, and its `value`."""

    where: str
    name: str
    value: str

    @property
    def token(self) -> str | None:
        """What of it is nowhere to be seen; None where it is so short that it may be a word."""
        return _token_of(self.value)

    @property
    def mark(self) -> str:
        """Tells one that may be of words from another one: replies may depend on it. Empty for what
        is none: another key is the same system, and so is another password."""
        may_be_words = self.token is None or _is_of_words(self.token)
        if not may_be_words or _NEVER_A_WORD.search(self.name):
            return ""
        return mark_of(self.where, self.value)


def mark_of_address(url: str) -> str:
    """Tells a URL, filled in, from another one, as `Key.mark` has it: the same system is not where
    another address is. Who asks may be another one, `user:password@`."""
    return mark_of("address", without_user(url))


def host_of(url: str) -> str:
    """A URL up to its path, without `user:password@`."""
    return _PATH.sub("", without_user(url))


def keys_of_address(value: str) -> list[str]:
    """What of a value that the host of a URL is in is a key all the same: a password, a user as
    long as a key, and parts of its path that are so long and no words."""
    url = value if "://" in value else f"://{value}"
    path = without_user(url).removeprefix(host_of(url))
    return [
        *keys_of_user(url),
        *(part for part in path.split("/") if len(part) >= _LEAST and not _is_of_words(part)),
    ]


def keys_of_user(url: str) -> list[str]:
    """What of `user:password@` in a URL is a key, even where the URL is `public`."""
    return [key.value for key in _out_of_user(url)[1]]


def without_user(url: str) -> str:
    """A URL without `user:password@`."""
    return _USER.sub("", url, count=1).replace("://@", "://", 1)


def out_of_headers(headers: Any) -> tuple[Any, list[Key]]:
    """The setting as it may be shown, and those of it that are written out and by their names hold
    a key."""
    shown, keys = _out_of_table(
        headers, "header {}", lambda name, value: _TELLING.search(name) and _is_written(value)
    )
    return shown, [one for key in keys for one in (key, *_cookies(key))]


def out_of_params(params: Any) -> tuple[Any, list[Key]]:
    """The same of parameters, a table of them."""
    return _out_of_table(params, "parameter {}", _is_key)


def out_of_env(variables: Any) -> tuple[Any, list[Key]]:
    """The same of an environment."""
    return _out_of_table(
        variables, "{}", lambda name, value: _VARIABLE.fullmatch(name) and _is_written(value)
    )


def out_of_argv(argv: Any) -> tuple[Any, list[Key]]:
    """The same of a program and its arguments: `--api-key=…`, `--api-key` before its value,
    `API_KEY=…`, `Authorization: …`, and what is in a URL or in JSON."""
    if not isinstance(argv, list):
        return argv, []
    keys: list[Key] = []
    shown = []
    option = None
    for one in map(str, argv):
        if option and not one.startswith("-") and _is_key_of_argument(option["name"], one):
            keys.append(Key(option["name"], option["name"], one))
            shown.append(HIDDEN)
        else:
            without, found = _out_of_argument(one)
            keys += found
            shown.append(without)
        option = _OPTION.fullmatch(one)
    return shown, keys


def out_of_body(body: Any) -> tuple[Any, list[Key]]:
    """The same of a body: in a table with the names of the tables around it, and in a text that is
    JSON or a form."""
    keys: list[Key] = []
    if isinstance(body, str):

        def without(match: re.Match[str]) -> str:
            if not _is_key_of_body(match["name"], match["value"]):
                return match.group()
            keys.append(Key(match["name"], match["name"], match["value"]))
            return f"{match['before']}{HIDDEN}"

        return _IN_FORM.sub(without, _IN_JSON.sub(without, body)), keys
    shown = {}
    for name, value in _items(body):
        shown[name] = value
        if not isinstance(value, str):
            shown[name], inner = out_of_body(value)
            keys += [one._replace(where=f"{name}.{one.where}") for one in inner]
        elif _is_key_of_body(name, value):
            shown[name] = HIDDEN
            keys.append(Key(name, name, value))
    if isinstance(body, Mapping):
        return shown, keys
    return list(shown.values()) if isinstance(body, list) else body, keys


def out_of_setting(name: str, value: Any) -> tuple[Any, list[Key]]:
    """The same of a setting that nothing is known of: hidden as a whole where it has the name of a
    key, as in a body or as MY_KEY in an environment, else what a body of it would hide."""
    if isinstance(value, str):
        is_variable = "_" in name and _VARIABLE.fullmatch(name) is not None
        is_key = is_variable and _is_written(value) and not _is_filled_in(value)
        if is_key or _is_key_of_body(name, value):
            return HIDDEN, [Key(name, name, value)]
    return out_of_body(value)


def out_of_url(url: Any) -> tuple[Any, list[Key]]:
    """The same of a URL: the password of `user:password@`, a user as long as a key, and such
    parameters."""
    if not isinstance(url, str):
        return url, []
    url, keys = _out_of_user(url)

    def without(match: re.Match[str]) -> str:
        name, value = match["name"], match["value"]
        if not _is_key(name, value):
            return match.group()
        keys.append(Key(f"parameter {name}", name, value))
        return f"{match['before']}{name}={HIDDEN}"

    return _IN_URL.sub(without, url), keys


def _out_of_user(url: str) -> tuple[str, list[Key]]:
    keys: list[Key] = []

    def without(match: re.Match[str]) -> str:
        user, password = match["user"], match["password"]
        if _is_written(user) and _token_of(user):
            keys.append(Key("user in url", "user", user))
            user = HIDDEN
        if password is None:
            return user
        if _is_written(password):
            keys.append(Key("password in url", "password", password))
            password = HIDDEN
        return f"{user}:{password}"

    return _USER.sub(without, url, count=1), keys


def _out_of_argument(argument: str) -> tuple[str, list[Key]]:
    argument, keys = _out_of_user(argument)

    def without(match: re.Match[str]) -> str:
        return hidden(match) if _is_key_of_argument(match["name"], match["value"]) else match[0]

    def without_header(match: re.Match[str]) -> str:
        is_key = _is_written_argument(match["value"]) and _token_of(match["value"])
        return hidden(match) if is_key else match[0]

    def hidden(match: re.Match[str]) -> str:
        keys.append(Key(match["name"], match["name"], match["value"]))
        return f"{match['before']}{HIDDEN}"

    for form in (_IN_JSON, _IN_ARGUMENT):
        argument = form.sub(without, argument)
    return _IN_HEADER.sub(without_header, argument), keys


def _items(body: Any) -> Iterator[tuple[str, Any]]:
    """What a table or a list holds, by name or place."""
    if isinstance(body, Mapping):
        yield from body.items()
    elif isinstance(body, list):
        yield from ((str(place), value) for place, value in enumerate(body, 1))


def _cookies(key: Key) -> Iterator[Key]:
    """Those of a header of them that is as long as a key by being several: each may be a word."""
    if key.name.lower() == "cookie" and key.token is not None:
        for pair in key.value.split(";"):
            name, _, value = pair.strip().partition("=")
            yield key._replace(name=name, value=value)


def _is_key(name: str, value: str) -> bool:
    return (
        _PARAMETER.fullmatch(name) is not None and _is_written(value) and not _is_filled_in(value)
    )


def _is_filled_in(value: str) -> bool:
    # What a query is put into is no key, whatever it is called: `?key={query}`.
    return any(f"{{{one}}}" in value for one in NAMES)


def _is_key_of_body(name: str, value: str) -> bool:
    # A short `key` or `token` there may be the name of a field, which is to be seen.
    is_word = name.lower() in ("key", "token") and _token_of(value) is None
    return _is_key(name, value) and not is_word


def _is_key_of_argument(name: str, value: str) -> bool:
    is_variable = name.isupper() and _VARIABLE.fullmatch(name) is not None
    return _is_written_argument(value) and (is_variable or _is_key_of_body(name, value))


def _is_written_argument(value: str) -> bool:
    return _is_written(value) and not _is_filled_in(value) and _PUT_IN.search(value) is None


def _is_written(value: str) -> bool:
    return "${" not in value and bool(value.strip())


def _out_of_table(
    table: Any, called: str, is_key: Callable[[str, str], object]
) -> tuple[Any, list[Key]]:
    if not isinstance(table, Mapping):
        return table, []
    keys = [
        Key(called.format(name), name, str(value))
        for name, value in table.items()
        if is_key(name, str(value))
    ]
    return {**table, **dict.fromkeys((one.name for one in keys), HIDDEN)}, keys


def _is_of_words(value: str) -> bool:
    """Whether it is as people name things: letters in one case or with a capital first, and digits
    behind them. Of a key that has such parts by chance they are few."""
    for part in _BETWEEN_WORDS.split(value):
        word = _WORD.fullmatch(part)
        letters = word["letters"] if word else ""
        if word is None or letters not in (letters.lower(), letters.upper(), letters.title()):
            return False
    return True


def mark_of(where: str, value: str) -> str:
    """What tells a value from another one where it is hidden. It is written to a file, by itself or
    in a digest, from which what is short could be guessed: scrypt (RFC 7914) makes a guess cost as
    much as such a digest can."""
    told = value.encode("utf-8", "surrogatepass")
    salt = where.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(told, salt=salt, n=1 << 14, r=8, p=1, dklen=16).hex()


def _token_of(value: str) -> str | None:
    """What of a value is nowhere to be seen: all of it, but for a scheme such as `Bearer` before it
    (RFC 9110, 11.4); None where it is so short that it may be a word."""
    scheme, _, token = value.strip().partition(" ")
    rest = token.strip() if scheme.isalpha() and token else value.strip()
    return rest if len(rest) >= _LEAST else None
