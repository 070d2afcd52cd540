"""A PostgreSQL server of the tests' own, from Debian's package, gone when they end."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge_tui.place import Address, place_of

_USER = "postgres"
"""Who runs the server where the tests run as root, which it refuses."""

_SETTINGS = ("listen_addresses=", "max_connections=120")
_HASTY = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Nothing of it outlives the tests: no disk has to be waited for."""


def missing_server() -> str:
    """Why there can be no server, "" where there can be one."""
    if _program("initdb") is None:
        return "PostgreSQL's initdb is nowhere: apt-get install postgresql"
    if os.geteuid() == 0 and not _is_user(_USER):
        return f"root cannot run PostgreSQL, and there is no user {_USER}"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return ""


def _program(name: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name) or next(
        (str(place / name) for place in places if (place / name).exists()), None
    )


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _run(program: str, *arguments: str) -> None:
    command = [_program(program) or program, *arguments]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid", _USER, "--regid", _USER, "--clear-groups", *command]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


class Server:
    """One that listens at a socket in `folder`."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        """`durable`: what is committed outlives a crash."""
        self.folder = folder
        self._settings = (*_SETTINGS, *(() if durable else _HASTY))
        self._data = folder / "data"
        how = ("--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")
        _run("initdb", f"--pgdata={self._data}", f"--username={_USER}", *how)
        self.start()

    def start(self) -> None:
        """As soon as this returns, it answers."""
        options = " ".join(
            f"-c {one}" for one in (*self._settings, f"unix_socket_directories={self.folder}")
        )
        _run(
            "pg_ctl",
            "start",
            "-w",
            "-D",
            str(self._data),
            "-o",
            options,
            "-l",
            str(self.folder / "log"),
        )

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is as a crash: who is connected is cut off."""
        _run("pg_ctl", "stop", "-w", "-D", str(self._data), "-m", mode)

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / ".s.PGSQL.5432"

    def address(self, campaign: str, user: str = _USER, *, port: int | None = None) -> Address:
        """Of a campaign on it; `port`: of this machine, which leads to it."""
        host = f"host={self.folder}" if port is None else f"host=127.0.0.1&port={port}"
        found = place_of(f"postgresql://{user}@/postgres?{host}&campaign={campaign}")
        assert isinstance(found, Address)
        return found


@contextmanager
def running_server(*, durable: bool = False) -> Iterator[Server]:
    """A server, as long as the block lasts; `durable` as of `Server`."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, _USER)
        server = Server(folder, durable=durable)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
