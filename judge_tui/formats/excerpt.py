"""Lines of a file with where they are from: what a document read from a checkout keeps of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

KEY = "checkout"
"""The key of a document's meta under which its excerpt is kept."""

_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The lines `start` to `end` of a file at `path` that has `lines` lines, counted from 1.

    `sha256` is that of the file's bytes. `before` and `after` are the lines around the document's
    own, each with its line end: they are no part of it, and may be empty. Of an empty file, `end`
    is 0.
    """

    path: str
    start: int
    end: int
    lines: int
    sha256: str
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> Excerpt | None:
        """Return the excerpt that a document's meta holds; None where it holds none.

        What users keep under the same key is theirs: nothing is taken for an excerpt that cannot
        be one.
        """
        fields = meta.get(KEY)
        if not isinstance(fields, dict) or fields.keys() != set(cls.__dataclass_fields__):
            return None
        numbers = [fields["start"], fields["end"], fields["lines"]]
        texts = [fields["path"], fields["sha256"], fields["before"], fields["after"]]
        if not all(type(number) is int for number in numbers) or not all(
            isinstance(text, str) for text in texts
        ):
            return None
        excerpt = cls(**fields)
        return excerpt if excerpt._is_sound() else None

    @property
    def first_line(self) -> int:
        """The number of the first line of `before`, or of the document's own first one."""
        return self.start - self.before.count("\n")

    def as_meta(self) -> dict[str, Any]:
        """Return the mapping that `of` reads."""
        return {KEY: asdict(self)}

    def _is_sound(self) -> bool:
        return (
            1 <= self.start <= self.end + 1
            and self.end <= self.lines
            and self.first_line >= 1
            and (not self.before or self.before.endswith("\n"))
            and _SHA256.fullmatch(self.sha256) is not None
        )
