"""JMESPath expressions (jmespath.org), which say where in a reply the results stand."""

from __future__ import annotations

from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

__all__ = ["Expression", "ExpressionError"]


class ExpressionError(Exception):
    """An expression that cannot be compiled, or not be applied: why, in one line."""


class Expression:
    """A compiled expression; `text` is what was written."""

    def __init__(self, text: str) -> None:
        """Raises `ExpressionError`."""
        self.text = text
        try:
            self._compiled = jmespath.compile(text)
        except (JMESPathError, ValueError, RecursionError) as error:
            raise ExpressionError(f"{text!r} is no JMESPath: {_first_line(error)}") from error

    def search(self, value: Any) -> Any:
        """What the expression finds in a JSON value; None where there is nothing.

        Raises `ExpressionError` where it cannot be applied: `length(@)` of a number.
        """
        try:
            return self._compiled.search(value)
        except (JMESPathError, ValueError, TypeError, RecursionError) as error:
            raise ExpressionError(f"{self.text}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(":.")
