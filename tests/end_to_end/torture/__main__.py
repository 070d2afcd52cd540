"""`make torture`: the long forms. Prints what was done; ends with an error where anything is lost.

python -m tests.end_to_end.torture [killed] [crowd] [commands] [files] [models] [team]
    [--seed N] [--sessions N] [--judgments N] [--kills N] [--seconds N] [--processes N] [--apps N]
    [--crashes N]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.end_to_end.torture import asked, crowd, halves, killed, taken
from tests.end_to_end.torture.campaigns import build
from tests.end_to_end.torture.team import team
from tests.postgres import missing_server

_DOWN = 3.0
"""Seconds that a server is away: longer than the app waits."""


def main() -> None:
    """Run the parts that were asked for, all of them by default."""
    options = _options()
    parts: dict[str, Callable[[Path, argparse.Namespace], None]] = {
        "killed": _killed,
        "crowd": _crowd,
        "commands": _commands,
        "files": _files,
        "models": _models,
        "team": _team,
    }
    for name in options.parts or parts:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="judge-tui-torture-") as folder:
            print(f"{name} (seed {options.seed})", flush=True)
            parts[name](Path(folder), options)
        print(f"  done in {time.monotonic() - begun:.0f} s", flush=True)
    print("nothing was lost")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Harm campaigns on purpose; see what is lost.")
    parts = ["killed", "crowd", "commands", "files", "models", "team"]
    parser.add_argument("parts", nargs="*", choices=[[], *parts], metavar="PART")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=5, help="scripted sessions of a judge")
    parser.add_argument("--judgments", type=int, default=230, help="in each of them")
    parser.add_argument("--seconds", type=float, default=60, help="that a crowd or team judges for")
    parser.add_argument("--processes", type=int, default=20, help="in the crowd, in the team")
    parser.add_argument("--apps", type=int, default=20, help="real apps in the second crowd")
    parser.add_argument("--kills", type=int, default=20, help="of each command, and of a model")
    parser.add_argument("--crashes", type=int, default=8, help="of the team's server")
    return parser.parse_args()


def _killed(folder: Path, options: argparse.Namespace) -> None:
    for number in range(options.sessions):
        work = folder / str(number)
        work.mkdir()
        judge = killed.killed_sessions(
            build(work), judgments=options.judgments, seed=options.seed + number, longest=0.8
        )
        print(
            f"  session {number + 1}: {judge.given} judgments accepted, {judge.undone} taken back,"
            f" {judge.kills} kills: the file held them all each time",
            flush=True,
        )


def _crowd(folder: Path, options: argparse.Namespace) -> None:
    for processes, apps in ((options.processes, 2), (0, options.apps)):
        work = folder / f"{processes}-{apps}"
        work.mkdir()
        found = crowd.crowd(
            build(work, queries=20, documents=100),
            processes=processes,
            apps=apps,
            seconds=options.seconds,
            seed=options.seed,
        )
        print(
            f"  {processes} processes and {apps} apps for {options.seconds:.0f} s:"
            f" {found.accepted} judgments accepted by processes, {found.by_apps} by apps, all in"
            f" the file; longest wait {found.slowest:.2f} s",
            flush=True,
        )
        if found.errors:
            raise SystemExit("errors were shown:\n  " + "\n  ".join(found.errors))


def _commands(folder: Path, options: argparse.Namespace) -> None:
    path = halves.prepare(folder, size=4000)
    for found in halves.killed_commands(
        path, halves.COMMANDS, kills=options.kills, seed=options.seed
    ):
        print(
            f"  {found.command}: killed {options.kills} times, {found.before} before it was done,"
            f" {found.after} with all",
            flush=True,
        )


def _files(folder: Path, options: argparse.Namespace) -> None:
    for said in taken.files_taken(folder, seed=options.seed):
        print(f"  {said}", flush=True)


def _models(folder: Path, options: argparse.Namespace) -> None:
    found = asked.killed_models(folder, kills=options.kills, seed=options.seed)
    print(
        f"  a model that judges {len(found.kept):,} pairs, killed {found.kills} times: every answer"
        f" was kept and asked for once, {found.in_vain} came to nothing under way",
        flush=True,
    )


def _team(folder: Path, options: argparse.Namespace) -> None:
    if why := missing_server():
        print(f"  left out: {why}", flush=True)
        return
    found = team(
        build(folder, queries=20, documents=100),
        judges=options.processes,
        crashes=options.crashes,
        down=_DOWN,
        seconds=options.seconds,
        seed=options.seed,
    )
    print(
        f"  {options.processes} judges for {options.seconds:.0f} s, {options.crashes} crashes of"
        f" the server, away for {_DOWN:.0f} s each: {found.accepted} judgments accepted, all there"
        f" and none twice; {found.refused} keys not saved and pressed again",
        flush=True,
    )


if __name__ == "__main__":
    main()
