"""How commands and their options are declared: by `make_command` and `option`, so that their help
has a heading for each group of options and ends with examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from judge_tui.place import Place

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = "Options"


@dataclass
class CommandLine:
    """What the contexts of one command line share (`Context.ensure_object`): the `--db` that was
    typed, maybe before the command's name, and whether `--force` was."""

    db: Place | None = None
    force: bool = False


def make_command(
    name: str | None = None, *, manual: str, examples: Sequence[str] = (), **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """`@click.command` for a command whose help has headings and ends with the examples, which
    are written without `judge-tui`, and with the topic of the page of the manual."""
    return click.command(name, cls=_Command, manual=manual, examples=examples, **settings)


def make_group(
    *, manual: str, examples: Sequence[str] = (), **settings: Any
) -> Callable[[Callable[..., Any]], click.Group]:
    """`@click.group` for commands that are made by `GROUP.command(NAME, manual=TOPIC,
    examples=[...])`. Unless it is one to `invoke_without_command`, alone it prints its help."""
    return click.group(cls=_Group, manual=manual, examples=examples, **settings)


def option(*names: str, group: str = _OPTIONS, **settings: Any) -> Callable[[Command], Command]:
    """`@click.option` that stands under the heading `group` in help; headings come in the order in
    which they are first met."""
    if isinstance(settings.get("type"), click.IntRange):
        settings.setdefault("metavar", "N")
    return click.option(*names, cls=_Option, group=group, **settings)


def options(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Several options as one, in this order."""

    def decorate(command: Any) -> Any:
        for one in reversed(decorators):
            command = one(command)
        return command

    return decorate


def gather_options(name: str, gathered: type[NamedTuple]) -> Callable[[Command], Command]:
    """Let the command take these options as one argument of that name: those that it has, last in
    `options`, and the others as they are by default."""

    def decorate(command: Any) -> Any:
        @wraps(command)
        def gathering(**values: Any) -> Any:
            usual = gathered._field_defaults
            one = gathered._make(values.pop(field, usual.get(field)) for field in gathered._fields)
            return command(**{name: one, **values})

        return gathering

    return decorate


class _Option(click.Option):
    def __init__(self, names: Sequence[str], group: str, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """Without the range of a number."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


class _Help(click.Command):
    """Help with headings, examples and the page of the manual."""

    def __init__(
        self, *args: Any, manual: str, examples: Sequence[str] = (), **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.manual = manual
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        headings: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                headings.setdefault(getattr(param, "group", _OPTIONS), []).append(record)
        for heading, records in headings.items():
            with formatter.section(heading):
                formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}judge-tui {example}\n")
        formatter.write(f"\nManual: judge-tui help {self.manual}\n")


class _Command(_Help):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        reads_none = all(param.name != "db" for param in self.params)
        if reads_none and ctx.ensure_object(CommandLine).db and not ctx.resilient_parsing:
            raise click.UsageError(f"{ctx.info_name} takes no --db; leave it out", ctx)
        return rest


class _Group(_Help, click.Group):
    command_class = _Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _Help.format_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)
