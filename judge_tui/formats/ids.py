"""Ids with white space in them, made fit for the files of TREC, whose fields white space separates.

Each white-space character is percent-encoded as addresses have it, by its bytes in UTF-8, and
nothing else is, so that ids of other tools stay as they are. White space is what `str.split` splits
on, as readers in Python do; that beyond ASCII separates no fields here, and where it stands in one
that is read, it is taken for its code. An id that already holds such a code (`my%20file`, or
`my%2520file`) gets one more `25` put into it, which makes the mapping a bijection: what was written
as native comes back as native.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from judge_tui.errors import UsageError
from judge_tui.model import composed, other_forms

__all__ = [
    "as_field",
    "decode_id",
    "encode_id",
    "has_other_white",
    "id_in",
    "is_blank",
    "less_exact",
    "one_blank",
    "other_spellings",
    "plain_field",
    "read_back_otherwise",
    "read_field",
    "spellings",
    "table_field",
    "table_fields",
    "text_field",
    "trec_field",
    "trimmed",
]

# The six characters that C's isspace() knows and bytes.split() splits on.
_C_WHITE = " \t\n\v\f\r"
# The others that str.split() splits on, and str.splitlines() among them.
_OTHER_WHITE = (
    "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_CODES = {
    white: "%".join(f"{byte:02X}" for byte in white.encode()) for white in _C_WHITE + _OTHER_WHITE
}
_CHARACTERS = {code: character for character, code in _CODES.items()}
_CODE = rf"(?:{'|'.join(_CODES.values())})"
_WHITE = re.compile(rf"[{_C_WHITE}{_OTHER_WHITE}]")
_OTHER = re.compile(rf"[{_OTHER_WHITE}]")
_OTHER_ASCII = [white for white in _OTHER_WHITE if white.isascii()]
_TO_ENCODE = re.compile(rf"{_WHITE.pattern}|%(?=(?:25)*{_CODE})")
_TO_DECODE = re.compile(rf"%(?:25(?=(?:25)*{_CODE})|({_CODE}))")


def id_in(text: str) -> str:
    """An id as all readers yield it, whatever the form of the file: one token.

    White space in it becomes its percent code, `my file` `my%20file`, by its bytes in UTF-8; what
    is ASCII around it is dropped, as in `d1, d2`. Nothing else changes, and nothing is decoded.
    Raises `UsageError` for an empty id, a NUL character and half a surrogate pair.
    """
    if text.isascii() and text.isprintable() and " " not in text and text:
        return text
    text = trimmed(text)
    if not text:
        raise UsageError("there is no id", "give every query and document an id")
    if "\0" in text:
        raise UsageError(f"id {text!r:.70} holds a NUL character", "remove it")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(
            f"id {text!r:.70} holds half a surrogate pair",
            "write the character whole, or U+FFFD in its place",
        )
    return _WHITE.sub(_encode, text)


def encode_id(text: str) -> str:
    """`text` without white space: `my file` becomes `my%20file`, `my%20file` `my%2520file`.

    One-to-one from all non-empty strings onto the non-empty strings without white space;
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

    ASCII white space around it is dropped: who writes a blank behind a comma does not mean it. The
    rest stands for itself, and is encoded as `encode_id` does it: `my file` becomes `my%20file`,
    and `my%20file` `my%2520file`. Empty for nothing else.
    """
    return _TO_ENCODE.sub(_encode, trimmed(text))


def spellings(natives: Sequence[str], there: Container[str] | None = None) -> list[tuple[str, ...]]:
    """Of each of the documents, whose ids are native, the ids by which answers may mean it: its own
    and, where it holds white space or a code such as %20, its other readings, unless a document of
    that very id is `there`, which is among them all if it is not given."""
    if not _has_spellings("".join(natives)):
        return [(doc_id,) for doc_id in natives]
    taken = set(natives) if there is None else there
    return [
        (
            doc_id,
            *(
                other
                for other in (encode_id(doc_id), decode_id(doc_id))
                if other != doc_id and other not in taken
            ),
        )
        if _has_spellings(doc_id)
        else (doc_id,)
        for doc_id in natives
    ]


def other_spellings(doc_id: str) -> list[str]:
    """The ids under which other files may have a document, in their order: with white space in the
    place of its code, or the other way round, and in other forms of Unicode."""
    coded = {encode_id(doc_id), decode_id(doc_id)} if _has_spellings(doc_id) else set()
    every = {doc_id, *coded}
    every.update(other for one in list(every) for other in other_forms(one).values())
    return sorted(every - {doc_id})


def _has_spellings(text: str) -> bool:
    return "%" in text or _WHITE.search(text) is not None


def has_other_white(text: str) -> bool:
    """Whether there is white space that `bytes.split` does not split on."""
    if text.isascii():
        return any(white in text for white in _OTHER_ASCII)
    return _OTHER.search(text) is not None


def read_field(text: str) -> str:
    """A field of a file of TREC as it would be written: with no white space in it."""
    return _OTHER.sub(_encode, text)


def plain_field(text: str) -> str:
    """The same where it is not told apart whether `%20` is a code, as nowhere but in a campaign:
    each white-space character is percent-encoded and nothing else is. `my file` and `my%20file`
    both become `my%20file`, so that ids of other tools are the same in their files of either sort.
    """
    return _WHITE.sub(_encode, trimmed(text))


def less_exact(field: str) -> str:
    """`plain_field(text)` of what `as_field(text)` gave."""
    return plain_field(decode_id(field))


def text_field(text: str) -> str:
    """The text of a query that has no id, in the same form, as `one_blank` has it."""
    return as_field(one_blank(text))


def one_blank(text: str) -> str:
    """A text as texts of queries are compared: any white space in it is one blank, and accented
    letters are composed."""
    return composed(" ".join(text.split()))


def table_field(text: str) -> str:
    """An id for a table or for JSON: as it is. Only with ASCII white space around it, which readers
    drop, it is written as TREC files have it, so that it becomes no other document's id: such ids
    come from files of TREC alone, where the code is most likely one of an address.

    Raises `UsageError` for an empty id.
    """
    return text if text and trimmed(text) == text else encode_id(text)


def table_fields(ids: Iterable[str], noun: str) -> Iterator[tuple[str, str]]:
    """Each id with its `table_field`. Raises `UsageError` where two would be the same, called by
    the plural `noun`."""
    first: dict[str, str] = {}
    for native in ids:
        field = table_field(native)
        other = first.setdefault(field, native)
        if other != native:
            raise UsageError(
                f"{noun}: {other!r:.70} and {native!r:.70} would both be {field!r:.70} in this"
                " form",
                "write trec, which tells them apart",
            )
        yield native, field


def read_back_otherwise(ids: Iterable[str]) -> int:
    """How many ids no table and no JSON gives back: those with ASCII white space around them."""
    return sum(trimmed(one) != one for one in set(ids))


def is_blank(text: str) -> bool:
    """Whether an id is empty, or nothing but ASCII white space."""
    return not trimmed(text)


def trimmed(text: str) -> str:
    """An id less the ASCII white space around it, which no table and no JSON means."""
    return text.strip(_C_WHITE)


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
