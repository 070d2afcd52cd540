"""A model that judges the pool, killed at random instants.

An answer that is in the file stays, and nothing is asked about it again: each of those who ask at
the same time has at most one answer that is not on disk yet.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.model_judges import JUDGES
from tests.collect.server import Server, serving
from tests.end_to_end.torture.campaigns import build, decisions, integrity
from tests.models.endpoint import vllm
from tests.programs import begin

CONCURRENCY = 16
_QUERIES, _DOCUMENTS = 10, 100
_TOKEN = re.compile(r"TOK(\d{6})")
_NAME = "umbrela"
_LONGEST = 1.5
_TAKES = 0.05


@dataclass
class Account:
    """What was in the file after each kill, and how often something was asked in vain."""

    kept: dict[int, int] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)
    """The documents of this session, as the endpoint was asked."""
    kills: int = 0
    in_vain: int = 0


def killed_models(folder: Path, *, kills: int, seed: int) -> Account:
    """Let a model judge in sessions that end in SIGKILL, so many of them, and once to the end.

    Raises `AssertionError` where an answer is lost or asked for again, or the file is damaged.
    """
    rng, account = random.Random(seed), Account()
    path = build(folder, queries=_QUERIES, documents=_DOCUMENTS)
    with serving() as server:

        def answer(request: dict[str, Any]) -> dict[str, Any]:
            found = _TOKEN.search(request["messages"][-1]["content"])
            assert found
            account.asked.append(document := int(found[1]))
            time.sleep(rng.uniform(0.0, _TAKES))
            return vllm(f"##final score: {document % 4}")

        server.completes = answer
        text = JUDGES.format(url=server.url, concurrency=CONCURRENCY, more="")
        (folder / "judges.toml").write_text(text)
        while account.kills < kills and len(account.kept) < _QUERIES * _DOCUMENTS:
            _session(server, path, account, rng.uniform(0.0, _LONGEST))
            account.kills += 1
        _session(server, path, account, None)
    assert len(account.kept) == _QUERIES * _DOCUMENTS
    return account


def _session(server: Server, path: Path, account: Account, lifetime: float | None) -> None:
    """One session to the kill, or to the end; what the file holds then is as it must be."""
    asked: list[int] = []
    account.asked = asked
    running = begin("model", "judge", _NAME, "--db", path.name, cwd=path.parent)
    if lifetime is None:
        done = running.ended()
        assert done.returncode == 0, done.stderr
    else:
        time.sleep(lifetime)
        running.process.kill()
        running.ended()
    # What is still on its way to the server was asked, too.
    while server.at_work:
        time.sleep(_TAKES)
    assert integrity(path) == []
    found = decisions(path, _NAME)
    assert account.kept.items() <= found.items(), "an answer is lost"
    assert not account.kept.keys() & {*asked}, "asked about what was answered"
    assert len(asked) == len({*asked}), "asked twice in one session"
    new = found.keys() - account.kept.keys()
    assert new <= {*asked}
    assert all(found[number] == number % 4 for number in new)
    assert len(asked) - len(new) <= (CONCURRENCY if lifetime is not None else 0)
    account.in_vain += len(asked) - len(new)
    account.kept = found
