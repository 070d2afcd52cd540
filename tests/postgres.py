"""A PostgreSQL server of the tests' own, from Debian's package, gone when they end."""

from __future__ import annotations

import os
import pwd
import select
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from judge_tui.place import Address, parse_place

_USER = "postgres"
"""Who runs the server where the tests run as root, which it refuses."""

_SETTINGS = ("listen_addresses=", "max_connections=120")
_HASTY = ("fsync=off", "full_page_writes=off")
"""No disk is waited for: what is committed outlives a crash of the server, not of the machine."""


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
        """`durable`: what is committed outlives a crash of the machine."""
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
        log = f"--log={self.folder / 'log'}"
        _run("pg_ctl", "start", "--wait", f"--pgdata={self._data}", f"--options={options}", log)

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is as a crash: who is connected is cut off."""
        _run("pg_ctl", "stop", "--wait", f"--pgdata={self._data}", f"--mode={mode}")

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / ".s.PGSQL.5432"

    def address(self, campaign: str, user: str = _USER, *, port: int | None = None) -> Address:
        """Of a campaign on it; `port`: of this machine, which leads to it."""
        host = f"host={self.folder}" if port is None else f"host=127.0.0.1&port={port}"
        found = parse_place(f"postgresql://{user}@/postgres?{host}&campaign={campaign}")
        assert isinstance(found, Address)
        return found


class BreakingLine:
    """A `port` of this machine that leads to a server, and breaks once: when `word` is sent there,
    before it arrives, or (`behind`) as soon as it is on its way. `then` is called before who waits
    at the near end notices. As long as it `refuses`, nobody gets through."""

    def __init__(
        self,
        server: Server,
        word: bytes,
        *,
        behind: bool,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        self.is_broken = self.refuses = False
        self._then = then
        self._target, self._word, self._behind = server.socket, word, behind
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def close(self) -> None:
        """Let nobody connect any more, when all who are connected have left."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self.refuses:
                    near.close()
                else:
                    self._start(self._carry, near)

    def _carry(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far, suppress(OSError):
            far.connect(str(self._target))
            while True:
                for source in select.select((near, far), (), ())[0]:
                    data = source.recv(65_536)
                    breaks = source is near and self._word in data and not self.is_broken
                    self.is_broken |= breaks
                    if not breaks or self._behind:
                        (far if source is near else near).sendall(data)
                    if breaks:
                        self._then()
                    if breaks or not data:
                        return


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
