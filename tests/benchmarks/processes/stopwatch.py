"""Run commands one after another; print what they took: `stopwatch.py TOGETHER JSON`.

A process of its own, and a small one: until a started program has replaced its starter's memory
with its own, the kernel counts the starter's as its peak (exec(2) keeps `ru_maxrss`), so whoever
weighs must be lighter than whatever is weighed. Hence nothing but the standard library, and
little of that.
"""

import json
import os
import sys
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
INTERVAL = 0.005


def main() -> None:
    """Print seconds, the peak of the largest process and, if TOGETHER is 1, of all at once."""
    together = sys.argv[1] == "1"
    commands = json.loads(sys.argv[2])
    largest = summed = processes = 0
    begun = time.perf_counter()
    for argv in commands:
        child = start(argv, own_session=together)
        if together:
            seen, status, usage = watch(child)
            summed, processes = max((summed, processes), seen)
        else:
            _, status, usage = os.wait4(child, 0)
        largest = max(largest, usage.ru_maxrss)
        if status:
            json.dump({"failed": os.waitstatus_to_exitcode(status)}, sys.stdout)
            return
    cost = {
        "seconds": time.perf_counter() - begun,
        "largest": largest * (1 if sys.platform == "darwin" else 1024),
        "summed": summed,
        "processes": processes,
    }
    json.dump(cost, sys.stdout)


def start(argv: list[str], own_session: bool) -> int:
    silent = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    # What is installed was compiled when it was installed; a checkout is when it first runs, unless
    # this forbids it, and would then be compiled anew in every round.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return os.posix_spawn(argv[0], argv, kept, file_actions=[silent], setsid=own_session)


def watch(child: int) -> tuple[tuple[int, int], int, "os.struct_rusage"]:
    """Sum the resident bytes of a session's processes every 5 ms until its leader has ended.

    Pages that processes share are counted in each, so the sum is never too small but for what
    came and went between two looks.
    """
    seen = (0, 0)
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            return seen, status, usage
        sizes = [size for size in map(resident, members(child)) if size]
        seen = max(seen, (sum(sizes), len(sizes)))
        time.sleep(INTERVAL)


def members(session: int) -> list[str]:
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib would double this process's size
        if name.isdecimal():
            # The command's name, in parentheses, may hold anything; what follows it is plain.
            fields = read(f"/proc/{name}/stat").rpartition(b")")[2].split()
            if len(fields) > 3 and int(fields[3]) == session:
                found.append(name)
    return found


def resident(process: str) -> int:
    fields = read(f"/proc/{process}/statm").split()
    return int(fields[1]) * PAGE if fields else 0


def read(path: str) -> bytes:
    """The bytes of a file that may go away at any moment: a process that ended has none."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            return file.read()
    except OSError:
        return b""


if __name__ == "__main__":
    main()
