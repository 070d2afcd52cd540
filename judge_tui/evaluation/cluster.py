"""Run files scanned by the nodes of a Ray cluster, as processes scan them on one machine.

Each task sends back what stays of its part (`scan_task`), so the scores are the same bytes. A node
that dies costs its tasks: Ray gives them to another node, and what fails again and again is read
here.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.formats.urls import MEND, is_url, size_of
from judge_tui.scan.parts import ScanTask, scan_task
from judge_tui.scan.scan import GradeLookup, OnRead
from judge_tui.version import __version__

_PARTS = 4
"""Parts for each processor: a node that is slow or gone leaves little to do at the end."""

_BATCHES = 16
"""Batches of small files for each processor: each costs Ray a few milliseconds."""

_PATIENCE = 5.0
"""Seconds that a cluster has to answer."""

_RETRIES = 5
"""How often Ray does a task again whose node died."""

_ENVIRONMENT = {
    "RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S": "3",  # it tries three times
    "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "3",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else ray warns of it
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # the first is told, and ends the command
}
"""What Ray reads: to give up soon, to stay off the user's terminal, to tell nobody of its use."""

_SETTINGS = b"\4"
"""The type of the first frame that either side of HTTP/2 sends (RFC 9113, 3.4), and so of gRPC."""

_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + _SETTINGS + bytes(5)

_CERTIFICATES = ("RAY_TLS_CA_CERT", "RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY")


class Cluster:
    """A cluster that this process is connected with. `parts`: into how many to cut the files."""

    def __init__(self, ray: Any, processors: int) -> None:
        self._ray = ray
        self.parts = _PARTS * processors
        self._batches = _BATCHES * processors

    def scan(
        self, tasks: Sequence[ScanTask], lookup: GradeLookup, on_read: OnRead | None
    ) -> Sequence[bytes | None]:
        """Do tasks on the nodes; returns None for one that came to grief on all of them.

        `on_read` is called with the size of what is done, batch by batch. Raises `UsageError` where
        a node has another version of judge_tui, or does not see a file.
        """
        ray, errors = self._ray, self._ray.exceptions
        remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(_scan_there)
        # In a list, a reference is not replaced by what it refers to: `_known` does that once.
        known = [ray.put(lookup)]
        size = sum(task.size for task in tasks) // self._batches
        batches = list(_batches([_anywhere(task) for task in tasks], size))
        calls = deque(remote.remote(__version__, batch, known) for batch in batches)
        found: list[bytes | None] = []
        for batch in batches:
            try:
                # The cluster keeps a result for as long as somebody could ask for it.
                found += ray.get(calls.popleft())
            except errors.RayTaskError as error:
                if isinstance(error.cause, UsageError):
                    raise error.cause from error
                raise UsageError(
                    f"a node of the cluster cannot scan: {error.cause or error}",
                    f"install judge_tui {__version__} on every node",
                ) from error
            except errors.RayError:
                found += [None] * len(batch)
            if on_read is not None:
                on_read(sum(task.size for task in batch))
        return found


@contextmanager
def open_cluster(address: str) -> Iterator[Cluster]:
    """Connect with the cluster at an address as `ray.init` takes it: `auto`, HOST:PORT,
    `ray://HOST:PORT`, or `local` for one of this machine's own, gone at the end.

    Raises `UsageError` where Ray is not installed, and for a cluster that does not answer.
    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    _knock(os.environ.get("RAY_ADDRESS", address) if address == "auto" else address)
    with _silence():
        try:
            import ray  # noqa: PLC0415 - few have a cluster
        except ImportError as error:
            raise UsageError("--cluster needs Ray", MEND) from error
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (OSError, RuntimeError, ValueError, ImportError) as error:
            raise _unreachable(address, str(error.__cause__ or error)) from error
    # What happens to nodes Ray prints on standard output, where a result belongs.
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):  # noqa: PTH123
        try:
            yield Cluster(ray, _processors(ray, address))
        finally:
            with _silence():
                ray.shutdown()


def _processors(ray: Any, address: str) -> int:
    processors = int(ray.cluster_resources().get("CPU", 0))
    if not processors:
        raise UsageError(f"the cluster at {address} has no processor", "add a node to it")
    return processors


@contextmanager
def _silence() -> Iterator[None]:
    """Drop what Ray writes to standard error, some of it not from Python."""
    terminal = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere, warnings.catch_warnings():  # noqa: PTH123
            warnings.simplefilter("ignore")
            os.dup2(nowhere.fileno(), 2)
            yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _knock(address: str) -> None:
    """Raise `UsageError` where no gRPC server answers at an address: Ray itself would try for
    minutes."""
    try:
        parts = urlsplit(address if is_url(address) else f"//{address}")
        if parts.hostname is None or parts.port is None:
            return
        place = parts.hostname, parts.port
        with (
            socket.create_connection(place, timeout=_PATIENCE) as line,
            _secured(line) as knocking,
        ):
            knocking.sendall(_HELLO)
            answer = knocking.recv(9)
    except (OSError, ValueError) as error:
        raise _unreachable(address, str(error)) from error
    if answer[3:4] != _SETTINGS:
        raise _unreachable(address, "something else listens there")


def _secured(line: socket.socket) -> socket.socket:
    """Return the line, with TLS where Ray's environment has it, by its certificates. Raises
    `UsageError` where one of them is not named."""
    if os.environ.get("RAY_USE_TLS", "0").lower() not in ("1", "true"):
        return line
    for name in _CERTIFICATES:
        if name not in os.environ:
            raise UsageError(f"RAY_USE_TLS is set, and {name} is not", "set it as on the nodes")
    authority, *own = (os.environ[name] for name in _CERTIFICATES)
    context = ssl.create_default_context(cafile=authority)
    context.check_hostname = False  # nodes go by addresses, and have one certificate
    context.load_cert_chain(*own)
    context.set_alpn_protocols(["h2"])
    return context.wrap_socket(line)


def _unreachable(address: str, why: str) -> UsageError:
    # Ray's own sentences name options that are not ours.
    why = why.strip().partition("\n")[0].partition(". ")[0]
    return UsageError(
        f"no Ray cluster answers at {address}: {why}", "start one with ray start --head"
    )


def _batches(tasks: Sequence[ScanTask], size: int) -> Iterator[list[ScanTask]]:
    """Cut tasks into batches of at least so many bytes, but for the last."""
    batch: list[ScanTask] = []
    filled = 0
    for task in tasks:
        batch.append(task)
        filled += task.size
        if filled >= size:
            yield batch
            batch, filled = [], 0
    if batch:
        yield batch


def _anywhere(task: ScanTask) -> ScanTask:
    """Return the task with a path that means the same in every folder."""
    path = task.file.path
    path = path if is_url(path) else str(Path(path).absolute())
    return task._replace(file=task.file._replace(path=path))


def _scan_there(version: str, tasks: Sequence[ScanTask], known: list[Any]) -> list[bytes | None]:
    """Do tasks, on a node, for a driver of this version of judge_tui. Raises `UsageError` where the
    node has another version, or does not see a file as the driver does."""
    here = f"node {socket.gethostname()}"
    if version != __version__:
        raise UsageError(f"{here} has judge_tui {__version__}, and this is {version}")
    for task in tasks:
        if _size_here(task.file.path, here) != task.file.size:
            raise UsageError(f"{here} does not see {task.file.path} as it is here")
    return [scan_task(task, _known(known[0]), _tell_nobody) for task in tasks]


def _size_here(path: str, here: str) -> int | None:
    try:
        return size_of(path)
    except OSError:
        return None
    except JudgeTuiError as error:
        raise UsageError(f"{here}: {error}") from error


@lru_cache(maxsize=1)
def _known(reference: Any) -> GradeLookup:
    """On a node: what the documents are looked up in, read once by each process."""
    import ray  # noqa: PLC0415 - as above

    lookup: GradeLookup = ray.get(reference)
    return lookup


def _tell_nobody(_: int) -> None:
    """On a node: the driver counts what is read by tasks."""
