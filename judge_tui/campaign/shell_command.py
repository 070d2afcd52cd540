"""A command on the campaign, as the user types it in the shell that started this process."""

from __future__ import annotations

import os
import shlex

from judge_tui.place import Address, parse_place


def shell_command(path: str | os.PathLike[str], command: str, arguments: str = "") -> str:
    """`judge-tui COMMAND ARGUMENTS` for the campaign at `path`, which `--db` names where it is not
    the one that commands use by themselves.

    `arguments` are for the shell already; foreign text stays as it came, also in the path.
    """
    named = [] if _is_usual(path) else ["--db", shlex.quote(os.fspath(path))]
    return " ".join(["judge-tui", command, *named, *filter(None, [arguments])])


def _is_usual(path: str | os.PathLike[str]) -> bool:
    here, usual = parse_place(path), parse_place(os.environ.get("JUDGE_TUI_DB") or "campaign.db")
    if here == usual or isinstance(here, Address) or isinstance(usual, Address):
        return here == usual
    try:
        return here.absolute() == usual.absolute()
    except OSError:  # The folder that the program works in is gone.
        return False
