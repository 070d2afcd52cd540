"""Options that several commands share, so that they read and behave alike everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from judge_tui.formats.source import Layout

__all__ = [
    "Command",
    "columns",
    "database",
    "gathered",
    "include_models",
    "kind",
    "labels",
    "layout_of",
    "measures_option",
    "named_file",
    "new_judge",
    "output_file",
    "policy",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def gathered(
    command: Callable[..., object], name: str, options: type[NamedTuple]
) -> Callable[..., object]:
    """The command, which takes these options as one argument of that name."""

    @wraps(command)
    def gathering(**given: Any) -> object:
        one = options._make(given.pop(option) for option in options._fields)
        return command(**{name: one, **given})

    return gathering


def database(command: Command) -> Command:
    """`-d, --db FILE`: the campaign."""
    return click.option(
        "-d",
        "--db",
        "db",
        type=click.Path(path_type=Path),
        envvar="JUDGE_TUI_DB",
        default="campaign.db",
        show_default=True,
        show_envvar=True,
        help="The campaign file.",
    )(command)


def include_models(command: Command) -> Command:
    """`--include-models/--no-include-models`; None where neither is given."""
    return click.option(
        "--include-models/--no-include-models",
        default=None,
        help="Count the grades of models, or do not.  [default: the campaign's setting]",
    )(command)


def kind(command: Command) -> Command:
    """`--kind human|model`: who the judge is."""
    return click.option(
        "--kind",
        type=click.Choice(["human", "model"]),
        default="human",
        show_default=True,
        help="Who graded: a person or a program.",
    )(command)


def new_judge(command: Command) -> Command:
    """`--yes`: who is new may have a name that is nearly a known one."""
    return click.option(
        "--yes", is_flag=True, help="Make a new judge even if the name is nearly a known one."
    )(command)


def columns(command: Command) -> Command:
    """`--columns NAME=COLUMN,...`: what the columns of a table are called."""
    return click.option(
        "--columns",
        metavar="NAME=COLUMN,...",
        help="What a table calls its columns: query_id=topic,doc_id=document_id,grade=rel.",
    )(command)


def labels(command: Command) -> Command:
    """`--labels LABEL=GRADE,...`: what stands in a file in place of grades."""
    return click.option(
        "--labels",
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
    return click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE", help=help)


def output_file(required: bool, help: str) -> Callable[[Command], Command]:
    """`-o FILE`."""
    return click.option(
        "-o", "--output", metavar="FILE", required=required, callback=named_file, help=help
    )


def named_file(_ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The name of a file to write to, as it is. Raises `UsageError` for none: ''."""
    if value == "":
        raise UsageError(f"{option.opts[0]} '' names no file", f"give {option.opts[0]} FILE")
    return value


class _PolicyOption(click.Option):
    """Its help has the names of the registry, which is imported where help is wanted."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from judge_tui.agreement.policies import POLICIES, TIES

        record = super().get_help_record(ctx)
        names = [f"{name} ({TIES[name]})" if name in TIES else name for name in POLICIES]
        return record and (record[0], record[1].replace("POLICIES", ", ".join(names)))


def policy(default: str | None = "majority", where: str = "") -> Callable[[Command], Command]:
    """`--policy POLICY`; with None as default the command can tell whether it was given. `where`:
    what it takes for the option to mean anything."""
    return click.option(
        "--policy",
        cls=_PolicyOption,
        default=default,
        metavar="POLICY",
        help=_sentence(
            f"{where}how several judgments become one grade: POLICIES or judge:NAME."
            "  [default: majority]"
        ),
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
