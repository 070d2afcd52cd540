"""Options of several values whose last one may be left out: `--delta A` and `--delta A B`. Click
knows options of a fixed number of values alone."""

from __future__ import annotations

from collections import deque
from typing import Any

import click

__all__ = ["LastValueCommand", "LastValueOption"]

_LEFT_OUT = ""
"""Stands for the value on the way through Click: no run is called so."""


class LastValueOption(click.Option):
    """One of `nargs` values, or of one less; the command gets those that were given. Works in a
    `LastValueCommand`."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        found = super().type_cast_value(ctx, value)
        return found and tuple(one for one in found if one != _LEFT_OUT)


class LastValueCommand(click.Command):
    """A command with such options. Their values end where another of its options begins."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._filled_up(ctx, args))

    def _filled_up(self, ctx: click.Context, args: list[str]) -> list[str]:
        names = {name: option for option in self.get_params(ctx) for name in option.opts}
        filled: list[str] = []
        rest = deque(args)
        while rest and rest[0] != "--":
            word = rest.popleft()
            filled.append(word)
            name, given, _ = word.partition("=")
            option = names.get(name)
            if not isinstance(option, LastValueOption):
                continue
            count = len(given)
            while count < option.nargs and rest and not _is_option(rest[0], names):
                filled.append(rest.popleft())
                count += 1
            if count == option.nargs - 1:
                filled.append(_LEFT_OUT)
            elif count < option.nargs and not ctx.resilient_parsing:
                raise click.BadOptionUsage(name, f"{name} is given as {name} {option.metavar}", ctx)
        return [*filled, *rest]


def _is_option(word: str, names: dict[str, click.Parameter]) -> bool:
    """Whether a word is one of the options: `-f`, `-fjson`, `--format=json`. Others that begin with
    a hyphen are values, as Click has it for options of several."""
    return word == "--" or word.partition("=")[0] in names or word[:2] in names
