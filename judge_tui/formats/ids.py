"""Ids with white space in them, made fit for the files of TREC, whose fields white space separates.

Each ASCII white-space character is percent-encoded, and nothing else is, so that ids of other
tools stay as they are. An id that already holds such a code (`my%20file`, or `my%2520file`) gets
one more `25` put into it, which makes the mapping a bijection: what was written as native comes
back as native.
"""

from __future__ import annotations

import re

from judge_tui.errors import UsageError

__all__ = [
    "as_field",
    "decode_id",
    "encode_id",
    "is_blank",
    "table_field",
    "text_field",
    "trec_field",
]

# The six characters that C's isspace() knows and bytes.split() splits on.
_CODES = {" ": "20", "\t": "09", "\n": "0A", "\v": "0B", "\f": "0C", "\r": "0D"}
_ALL_WHITE = "".join(_CODES)
_CHARACTERS = {code: character for character, code in _CODES.items()}
_CODE = r"(?:20|09|0A|0B|0C|0D)"
_WHITE = re.compile(r"[ \t\n\v\f\r]")
_TO_ENCODE = re.compile(rf"[ \t\n\v\f\r]|%(?=(?:25)*{_CODE})")
_TO_DECODE = re.compile(rf"%(?:25(?=(?:25)*{_CODE})|({_CODE}))")


def encode_id(text: str) -> str:
    """`text` without ASCII white space: `my file` becomes `my%20file`, `my%20file` `my%2520file`.

    One-to-one from all non-empty strings onto the non-empty strings without ASCII white space;
    `decode_id` is the inverse. Raises `UsageError` for an empty id, which no field can hold.
    """
    if not text:
        raise UsageError("an empty id cannot be written", "give every query and document an id")
    return _TO_ENCODE.sub(_encode, text)


def decode_id(text: str) -> str:
    """The id that `encode_id` made `text` from; every other `%` is left alone."""
    return _TO_DECODE.sub(_decode, text)


def as_field(text: str) -> str:
    """An id from a table or from JSON, which may hold white space, in the form TREC files have it.

    White space around it is dropped: who writes a blank behind a comma does not mean it. Within it,
    each ASCII white-space character is percent-encoded and nothing else is: `my file` becomes
    `my%20file`, and `my%20file` stays as it is, since it may come from a file of either sort. So
    the ids of such a file match those of qrels that were exported. Only of an id that natively has
    white space around it, or holds such a code, which `encode_id` would give one more `25`, is that
    not so.
    """
    return _WHITE.sub(lambda match: f"%{_CODES[match.group()]}", text.strip(_ALL_WHITE))


def text_field(text: str) -> str:
    """The text of a query that has no id, in the same form: any white space in it counts as one
    blank, as texts are compared in a campaign, too."""
    return as_field(" ".join(text.split()))


def table_field(text: str) -> str:
    """An id for a table or for JSON: as it is, unless it would be read back as another one (with
    white space around it, or a code such as %20 in it): then as TREC files have it.

    `decode_id(as_field(table_field(text)))` is `text`. Raises `UsageError` for an empty id.
    """
    return text if text and decode_id(as_field(text)) == text else encode_id(text)


def is_blank(text: str) -> bool:
    """Whether an id is empty, or nothing but ASCII white space."""
    return not text.strip(_ALL_WHITE)


def trec_field(text: str) -> str:
    """`encode_id(text)`, as a field that a reader will take. Raises `UsageError` if none would."""
    field = encode_id(text)
    try:
        field.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"id {text!r:.70} holds half a surrogate pair, which UTF-8 cannot", "mend the id"
        ) from error
    if "\0" in field:
        raise UsageError(f"id {text!r:.70} holds a NUL character", "mend the id")
    return field


def _encode(match: re.Match[str]) -> str:
    found = match.group()
    return "%25" if found == "%" else f"%{_CODES[found]}"


def _decode(match: re.Match[str]) -> str:
    code = match.group(1)
    return _CHARACTERS[code] if code else "%"
