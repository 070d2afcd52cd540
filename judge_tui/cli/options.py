"""How commands and options are declared, and the options that several commands share.

A command is made by `make_command`, its options by `option`: then its help has a heading for each
group of options and ends with examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

    from judge_tui.formats.source import Layout

__all__ = [
    "Command",
    "columns",
    "database",
    "file_format",
    "file_name",
    "find_campaign",
    "gather_options",
    "include_models",
    "kind",
    "labels",
    "layout_of",
    "make_command",
    "make_group",
    "measures_option",
    "new_file",
    "new_judge",
    "option",
    "output_file",
    "policy",
    "refuse_overwriting",
]

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = "Options"
_OUTPUT = "Output"
_FORM = "The file's form"
# Keys of `Context.meta`, which the contexts of a command and of its group share.
_DB = "judge_tui.db"
_FORCE = "judge_tui.force"


def make_command(
    name: str | None = None, *, examples: Sequence[str] = (), **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """`@click.command` for a command whose help has headings and ends with the examples, which
    are written without `judge-tui`."""
    return click.command(name, cls=_Command, examples=examples, **settings)


def make_group(
    *, examples: Sequence[str] = (), **settings: Any
) -> Callable[[Callable[..., Any]], click.Group]:
    """`@click.group` for commands that are made by `GROUP.command(NAME, examples=[...])`. Unless it
    is one to `invoke_without_command`, it prints its help alone, and takes their `--db`."""

    def make(function: Callable[..., Any]) -> click.Group:
        if not settings.get("invoke_without_command"):
            function = database(function, expose_value=False)
        group: click.Group = click.group(cls=_Group, examples=examples, **settings)(function)
        return group

    return make


def option(
    *names: str, group: str = _OPTIONS, help: str | Callable[[], str], **settings: Any
) -> Callable[[Command], Command]:
    """`@click.option` that stands under the heading `group` in help; headings come in the order in
    which they are first met. A `help` that is called imports what it names where help is wanted."""
    if isinstance(settings.get("type"), click.IntRange):
        settings.setdefault("metavar", "N")
    return click.option(*names, cls=_Option, group=group, help=help, **settings)


class _Option(click.Option):
    def __init__(
        self, names: Sequence[str], group: str, help: str | Callable[[], str], **settings: Any
    ) -> None:
        super().__init__(names, help=help if isinstance(help, str) else "", **settings)
        self.group = group
        self._help = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if callable(self._help):
            self.help = self._help()
        return super().get_help_record(ctx)

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """Without the range of a number, which is mostly what nobody would ask for."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


class _Help(click.Command):
    """Help with headings and examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
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


class _Command(_Help):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        reads_none = all(param.name != "db" for param in self.params)
        if _DB in ctx.meta and reads_none and not ctx.resilient_parsing:
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


def gather_options(
    command: Callable[..., object], name: str, options: type[NamedTuple]
) -> Callable[..., object]:
    """The command, which takes these options as one argument of that name."""

    @wraps(command)
    def gathering(**given: Any) -> object:
        one = options._make(given.pop(option) for option in options._fields)
        return command(**{name: one, **given})

    return gathering


def database(command: Command, **settings: Any) -> Command:
    """`-d, --db FILE`: the campaign, also where it stands before the command's name."""
    return option(
        "-d",
        "--db",
        "db",
        type=click.Path(path_type=Path),
        metavar="FILE",
        callback=find_campaign,
        envvar="JUDGE_TUI_DB",
        default="campaign.db",
        show_default=True,
        show_envvar=True,
        help="The campaign file.",
        **settings,
    )(command)


def find_campaign(ctx: click.Context, db: click.Parameter, value: Path | None) -> Path | None:
    """The `--db` of the command line, of this command or else of the group before it; without one,
    the value as it is."""
    if ctx.get_parameter_source(str(db.name)) is ParameterSource.COMMANDLINE:
        ctx.meta[_DB] = value
    named: Path | None = ctx.meta.get(_DB, value)
    return named


def include_models(command: Command) -> Command:
    """`--include-models/--no-include-models`; None where neither is given."""
    return option(
        "--include-models/--no-include-models",
        default=None,
        group="Grades",
        help="Count the grades of models, or do not.  [default: the campaign's setting]",
    )(command)


def kind(command: Command) -> Command:
    """`--kind human|model`: who the judge is."""
    return option(
        "--kind",
        type=click.Choice(["human", "model"]),
        default="human",
        show_default=True,
        help="Who graded: a person or a program.",
    )(command)


def new_judge(command: Command) -> Command:
    """`--yes`: who is new may have a name that is nearly a known one."""
    return option(
        "--yes", is_flag=True, help="Make a new judge even if the name is nearly a known one."
    )(command)


def file_format(help: str | Callable[[], str]) -> Callable[[Command], Command]:
    """`--format F`: in which format a file is read; the command gets it as `format`."""
    return option("--format", group=_FORM, metavar="F", help=help)


def columns(command: Command) -> Command:
    """`--columns NAME=COLUMN,...`: what the columns of a table are called."""
    return option(
        "--columns",
        group=_FORM,
        metavar="NAME=COLUMN,...",
        help="What a table calls its columns: query_id=topic,doc_id=document_id,grade=rel.",
    )(command)


def labels(command: Command) -> Command:
    """`--labels LABEL=GRADE,...`: what stands in a file in place of grades."""
    return option(
        "--labels",
        group=_FORM,
        metavar="LABEL=GRADE,...",
        help="What labels, or numbers such as 0.7, mean: a grade, skip or cannot.",
    )(command)


def layout_of(format: str | None, columns: str | None, labels: str | None = None) -> Layout:
    """What these options say of a file. Raises `UsageError`."""
    from judge_tui.formats.columns import declared_columns
    from judge_tui.formats.judgments import declared_labels
    from judge_tui.formats.source import Layout

    return Layout(
        format,
        {} if columns is None else declared_columns(columns),
        None if labels is None else declared_labels(labels),
    )


def measures_option(help: str) -> Callable[[Command], Command]:
    """`-m, --measure MEASURE`, as often as wanted; the command gets them as `measures`."""
    return option(
        "-m", "--measure", "measures", group="Measures", multiple=True, metavar="MEASURE", help=help
    )


def output_file(
    help: str = "Write to FILE instead of standard output.", **settings: Any
) -> Callable[[Command], Command]:
    """`-o FILE`, and the `--force` that it takes to write over a file that is there."""

    def options(command: Command) -> Command:
        force = option(
            "--force",
            group=_OUTPUT,
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_keep_force,
            help="Write over a file that is there.",
        )
        output = option(
            "-o",
            "--output",
            group=_OUTPUT,
            metavar="FILE",
            callback=new_file,
            help=help,
            **settings,
        )
        return output(force(command))

    return options


def _keep_force(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    ctx.meta[_FORCE] = value


def new_file(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The name of a file to write to. Raises `UsageError` for none: '', and `InputError` for a file
    that is there, unless `--force` is given."""
    if file_name(ctx, option, value) is not None:
        refuse_overwriting(str(value))
    return value


def refuse_overwriting(*paths: str | Path) -> None:
    """Raise `InputError` for a file that is there, unless the command has `--force`."""
    if not click.get_current_context().meta.get(_FORCE):
        from judge_tui.formats.writing import refuse_existing

        refuse_existing(*paths)


def file_name(_ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The name of a file or folder, as it is. Raises `UsageError` for none: ''."""
    if value == "":
        raise UsageError(f"{option.opts[0]} '' names no file", f"give {option.opts[0]} FILE")
    return value


def policy(default: str | None = "majority") -> Callable[[Command], Command]:
    """`--policy POLICY`; with None as default the command can tell whether it was given."""

    def explained() -> str:
        from judge_tui.agreement.policies import POLICIES, TIES

        names = [f"{name} ({TIES[name]})" if name in TIES else name for name in POLICIES]
        means = f"How several judgments become one grade: {', '.join(names)} or judge:NAME."
        return f"{means}  [default: majority]"

    return option("--policy", group="Grades", default=default, metavar="POLICY", help=explained)
