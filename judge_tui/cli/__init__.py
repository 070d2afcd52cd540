"""The command line: one module per command, which parses, calls the rooms below and prints.

A command's module is imported when the command runs, so that `judge-tui score` starts like a Unix
tool. Exit codes: 0 done, 1 a `--require` gate was not met, 2 bad usage or input, `CRASHED` a bug,
130 interrupted. All but 1 and those of the app (`cli/app.py`) are made here.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from typing import Any

import click

from judge_tui.cli.options import database
from judge_tui.cli.streams import discard, prepare
from judge_tui.errors import CRASHED, JudgeTuiError, check_known
from judge_tui.place import Place
from judge_tui.version import __version__
from judge_tui.visible import visible_line

__all__ = ["cli", "main"]

# Where errors of these kinds name no file, it was standard output.
_OF_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EBADF)

# heading -> command -> what `judge-tui --help` says of it; each is `command` in the module of its
# name, but for `_IN_APP`.
COMMANDS: dict[str, dict[str, str]] = {
    "Campaign": {
        "init": "Create a campaign file.",
        "settings": "Show or change the campaign's settings.",
        "load": "Load queries, runs, documents or grades.",
        "pool": "Build or extend the pool of pairs to be judged.",
        "assign": "Spread the pool over judges.",
        "status": "Show progress, coverage, what is unresolved, what comes next.",
        "export": "Write grades, judgments, runs or one judge's part to files.",
        "campaign": "Move the campaign to a server or back; let judges work there.",
        "merge": "Bring home what judges did on copies of the campaign.",
        "demo": "Go the whole way from files to a verdict with a sample campaign.",
    },
    "Judging": {
        "judge": "Open the app and grade documents.",
    },
    "Leading": {
        "judges": "Show who judges and how much; rename or remove a judge.",
        "agreement": "Print how far the judges agree.",
        "model": "Let a model judge, and say what it is worth.",
        "settle": "Open the app and settle what the judges disagree about.",
        "results": "Print what the runs are worth, or look around in the app.",
        "report": "Write one page for people who were not there.",
    },
    "Scoring": {
        "score": "Score runs with qrels: nDCG, RR, P, R, AP and the rest.",
        "compare": "Compare runs with a baseline: is the difference real?",
        "outcomes": "Compare arms of an experiment whose tasks are passed or failed.",
        "power": "Say how many queries a comparison takes.",
        "check": "Find every problem of runs, qrels, queries, documents, campaigns.",
    },
    "Live systems": {
        "collect": "Ask live systems every query, and write a run for each.",
        "evaluate": "Ask live systems, score and compare them.",
    },
    "Manual": {
        "help": "List the pages of the manual, or show one.",
    },
}
NAMES = [name for group in COMMANDS.values() for name in group]
ALIASES = {"review": "settle"}
_IN_APP = {"judge": ("app", "judge_command"), "settle": ("app", "settle_command")}


class _Group(click.Group):
    """Commands imported on use, and errors told in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return NAMES

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = ALIASES.get(cmd_name, cmd_name)
        if ctx.resilient_parsing and name not in NAMES:
            return None  # where a shell asks how a line may go on
        check_known("command", name, NAMES)
        module, function = _IN_APP.get(name, (name, "command"))
        command: click.Command = getattr(
            importlib.import_module(f"judge_tui.cli.{module}"), function
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, NAMES))
        for heading, commands in COMMANDS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", told) for name, told in commands.items()])

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run, and turn every outcome into the exit codes above."""
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
            if sys.stdout is not None:
                sys.stdout.flush()
        except JudgeTuiError as error:
            for one in (error, *error.also):
                _say(str(one))
            sys.exit(2)
        except click.ClickException as error:
            _say(_one_line(error))
            sys.exit(2)
        except (KeyboardInterrupt, click.Abort):
            sys.exit(130)
        except UnicodeEncodeError as error:
            char = error.object[error.start : error.start + 1]
            _say(f"{char!a} is not valid UTF-8; mend it in the argument or file that it is from")
            sys.exit(2)
        except OSError as error:
            _say(_unavailable(error))
            discard(sys.stdout)
            sys.exit(2)
        sys.exit(code if isinstance(code, int) else 0)


def _unavailable(error: OSError) -> str:
    what = error.strerror or str(error)
    place = "standard output" if error.errno in _OF_WRITING else ""
    if not (error.filename or place):
        return what
    return f"{error.filename or place}: {what}; check the place it is written to"


def _one_line(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if context is not None and context.command_path and "; " not in message:
        message += f"; see {context.command_path} --help"
    return message


def _say(message: str) -> None:
    try:
        click.echo(f"error: {visible_line(message)}", err=True)
    except OSError:
        # Nobody can be told: the exit code says it alone, and is that of the error.
        discard(sys.stderr)


@click.group(
    cls=_Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="judge-tui")
@database()
@click.pass_context
def cli(ctx: click.Context, db: Place) -> int:
    """Is search system B better than system A?

    Runs of several systems go in, a blind pool comes out, judges grade it with one key per
    document, and the scorer says which system is better and whether that could be chance. One
    SQLite file holds the whole campaign. Without a command, the app opens at Home.
    """
    if ctx.invoked_subcommand is None:
        from judge_tui.cli.app import open_home

        return open_home(db)
    return 0


def main() -> None:
    """The console script."""
    # numpy starts a thread for each processor as it is imported, which takes as long as a good part
    # of the import, and nothing here gains from them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is made as a command starts, stays: to look for garbage in it takes a tenth of that time.
    gc.set_threshold(100_000, 50, 100)
    sys.stdout, sys.stderr = prepare(sys.stdout), prepare(sys.stderr)
    try:
        cli()
    except Exception:  # of its own, Python would end with the code of a gate
        sys.excepthook(*sys.exc_info())
        sys.exit(CRASHED)
    finally:
        if sys.stderr is not None:
            try:
                sys.stderr.flush()
            except OSError:
                # The terminal that the app drew on is gone.
                discard(sys.stderr)
        # Memory goes back to the system as it is: Python need not look for cycles in it first.
        gc.freeze()
