"""The options that several commands share, and what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from judge_tui.cli.commands import Command, CommandLine, option, options
from judge_tui.errors import UsageError
from judge_tui.place import Place, parse_place

if TYPE_CHECKING:
    from judge_tui.formats.judgments import Labels
    from judge_tui.formats.registry import Kind

_MOST = 2**31
_GRADES, _FORM, _OUTPUT = "Grades", "The file's form", "Output"


class Share(click.ParamType):  # type: ignore[type-arg]
    """A share of at most `most`, 0.3 or 30%, as a float; with `or_number` a whole number as an
    int, too."""

    name = "share"

    def __init__(self, most: float, *, or_number: bool = False) -> None:
        self.most, self.or_number = most, or_number

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        digits = str(value).strip()
        if self.or_number and digits.removeprefix("-").isdecimal():
            return click.IntRange(max=_MOST)(digits, param, ctx)
        try:
            share = float(digits.removesuffix("%")) / (100 if digits.endswith("%") else 1)
        except ValueError:
            share = math.nan
        if not 0 <= share <= self.most:
            self.fail(f"{value!r} is not a share from 0 to {self.most:g}, such as 0.3 or 30%")
        return share


class CampaignPlace(click.Path):
    """Where a campaign is, as `parse_place` reads it. Shells complete it as a file's path."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Place:
        return parse_place(value)


def is_given(name: str) -> bool:
    """Whether the option stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def database(*, required: bool = True, **settings: Any) -> Callable[[Command], Command]:
    """`-d, --db FILE|URL`, also where it stands before the command's name: the campaign. Where it
    is not `required`, it takes the place of files."""
    usual: dict[str, Any] = {
        "help": "The campaign: a file, or postgresql://…?campaign=NAME.",
        "envvar": "JUDGE_TUI_DB",
        "default": "campaign.db",
        "show_default": True,
        "show_envvar": True,
    }
    instead: dict[str, Any] = {
        "help": "Take the grades and runs of this campaign; RUNs are then tags.",
        "group": "Files",
    }
    return option(
        "-d",
        "--db",
        type=CampaignPlace(),
        metavar="FILE|URL",
        callback=_find_campaign,
        **(usual if required else instead),
        **settings,
    )


def _find_campaign(ctx: click.Context, db: click.Parameter, value: Place | None) -> Place | None:
    line = ctx.ensure_object(CommandLine)
    if ctx.get_parameter_source(str(db.name)) is ParameterSource.COMMANDLINE:
        line.db = value
    return line.db or value


include_models = option(
    "--include-models/--no-include-models",
    default=None,
    group=_GRADES,
    help="Count the grades of models, or do not.  [default: the campaign's setting]",
)


against_model = option(
    "--against",
    metavar="NAME",
    help="Put people's final grades beside those of this model, which do not count.",
)


def policy(default: str | None = "majority") -> Callable[[Command], Command]:
    """`--policy POLICY`; with None as default the command can tell whether it stands there."""
    return option(
        "--policy",
        group=_GRADES,
        default=default,
        metavar="POLICY",
        help=f"How several judgments become one grade: {_policies()} or judge:NAME."
        "  [default: majority]",
    )


def _policies() -> str:
    """The policies, and what each makes of a tie."""
    from judge_tui.agreement.policies import POLICIES

    return ", ".join(
        f"{name} ({known.tie})" if known.tie else name for name, known in POLICIES.items()
    )


new_judge = option("--yes", is_flag=True, help="Make a new judge whose name is nearly a known one.")


def _declared_columns(
    _ctx: click.Context, _option: click.Parameter, value: str | None
) -> Mapping[str, str]:
    from judge_tui.formats.columns import declared_columns

    return {} if value is None else declared_columns(value)


columns = option(
    "--columns",
    group=_FORM,
    callback=_declared_columns,
    metavar="NAME=COLUMN,...",
    help="What tables call their columns: query_id=topic,doc_id=document_id,grade=rel.",
)


def _declared_labels(
    _ctx: click.Context, _option: click.Parameter, value: str | None
) -> Labels | None:
    from judge_tui.formats.judgments import declared_labels

    return None if value is None else declared_labels(value)


labels = option(
    "--labels",
    group=_FORM,
    callback=_declared_labels,
    metavar="LABEL=GRADE,...",
    help="What labels, or numbers such as 0.7, mean: a grade, skip or cannot.",
)


def file_format(*kinds: Kind) -> Callable[[Command], Command]:
    """`--format F`, a format of files of these kinds, which its help lists; of any, where there is
    none."""
    from judge_tui.formats.registry import names_of

    names = dict.fromkeys(name for kind in kinds for name in names_of(kind))
    which = f": {', '.join(names)}" if names else ""
    return option(
        "--format",
        group=_FORM,
        metavar="F",
        help=f"Read the file in this format{which}; judge-tui help files shows each.",
    )


def measures_option(help: str) -> Callable[[Command], Command]:
    """`-m, --measure MEASURE`, as often as wanted; the command gets them as `measures`."""
    return option(
        "-m", "--measure", "measures", group="Measures", multiple=True, metavar="MEASURE", help=help
    )


def unjudged(*, models: bool = True) -> Callable[[Command], Command]:
    """`--unjudged zero|expected|MODEL`: what stands for the gain of a result that nobody judged;
    MODEL where a campaign's `models` may."""
    from judge_tui.model import STAND_INS

    return option(
        "--unjudged",
        group="Measures",
        type=str if models else click.Choice(STAND_INS),
        metavar="|".join([*STAND_INS, "MODEL"]) if models else None,
        default="zero",
        show_default=True,
        help="Count ungraded results as zero, or as what is expected of them"
        f"{', or by the grades of a judge of kind model' if models else ''}; then read differences"
        " alone.",
    )


with_model = option(
    "--with-model",
    metavar="NAME",
    default="",
    group="Measures",
    help="Make means and differences more exact by a judge of kind model that judged more queries.",
)


def output_file(
    help: str = "Write to FILE instead of standard output.", **settings: Any
) -> Callable[[Command], Command]:
    """`-o FILE`, and the `--force` that it takes to write over a file that is there."""
    return options(
        option(
            "-o",
            "--output",
            group=_OUTPUT,
            metavar="FILE",
            callback=new_file,
            help=help,
            **settings,
        ),
        option(
            "--force",
            group=_OUTPUT,
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_keep_force,
            help="Write over a file that is there.",
        ),
    )


def _keep_force(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    ctx.ensure_object(CommandLine).force = value


def new_file(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The name of a file to write to. Raises `UsageError` for none: '', and `InputError` for a file
    that is there, unless `--force` is given."""
    if file_name(ctx, option, value) is not None:
        refuse_overwriting(str(value))
    return value


def refuse_overwriting(*paths: str | Path) -> None:
    """Raise `InputError` for a file that is there, unless the command has `--force`."""
    if not click.get_current_context().ensure_object(CommandLine).force:
        from judge_tui.formats.writing import refuse_existing

        refuse_existing(*paths)


def file_name(_ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The name of a file or folder, as it is. Raises `UsageError` for none: ''."""
    if value == "":
        raise UsageError(f"{option.opts[0]} '' names no file", f"give {option.opts[0]} FILE")
    return value
