"""Where a campaign is: a file, or a schema on a PostgreSQL server."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from judge_tui.errors import UsageError

_SCHEMES = ("postgresql", "postgres")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,55}")
_FORM = "write postgresql://USER@HOST/DATABASE?campaign=NAME"


@dataclass(frozen=True, slots=True)
class Address(os.PathLike[str]):
    """A campaign on a server. `server`: a URL as libpq takes it, without a password; `schema`: the
    name of the campaign there."""

    server: str
    schema: str

    def __str__(self) -> str:
        return f"{self.server}{'&' if '?' in self.server else '?'}campaign={self.schema}"

    @property
    def stem(self) -> str:
        """What a new campaign there is called, as of the path of a file."""
        return self.schema

    def __fspath__(self) -> str:
        return str(self)


Place: TypeAlias = Path | Address


def parse_place(text: str | os.PathLike[str]) -> Place:
    """The place that somebody wrote: `postgresql://…?campaign=NAME`, else the path of a file.

    Raises `UsageError` for an address without the name of a campaign, with one that cannot be the
    name of a schema, and with a password, which others would read on the command line.
    """
    text = os.fspath(text)
    scheme, found, _ = text.partition("://")
    if not found or scheme not in _SCHEMES:
        return Path(text)
    try:
        parts = urlsplit(text)
        # To libpq a + is a plus, and no space.
        query = parts.query.replace("+", "%2B")
        options = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
        has_password = parts.password is not None or "password" in options
    except ValueError as error:
        raise UsageError(f"no address of a server: {error}", _FORM) from error
    if has_password:
        raise UsageError(
            "the address has a password, which others can read",
            "put it into ~/.pgpass or PGPASSWORD, and leave it out here",
        )
    name = options.pop("campaign", "")
    if not _NAME.fullmatch(name) or name.startswith("pg_"):
        what = "cannot be the name of a campaign on a server" if name else "names no campaign"
        raise UsageError(f"{name or text!r} {what}", _FORM)
    query = urlencode(options, safe="/", quote_via=quote)
    return Address(parts._replace(query=query).geturl(), name)
