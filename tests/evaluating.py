"""Systems whose every list is known: a real server answers with them, and `evaluate` asks it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from click.testing import Result

from tests.as_typed import judge_tui
from tests.collect.server import Server

FAILS = "fails"

SYSTEM = r"""[systems.b]
kind = "command"
argv = ["sh", "-c", "echo '[\"d1\", \"d2\"]'", "sh", "{query}"]
results = "@"
id = "@"
"""
"""Of a systems file: a program that finds d1, then d2, whatever it is asked."""

Lists = Mapping[str, Mapping[str, Sequence[str] | str]]
"""System -> query -> what it finds, best first, or `FAILS`. A query not there finds nothing."""


def systems(folder: Path, server: Server, lists: Lists, queries: Iterable[str], **more: str) -> str:
    """systems.toml in the folder; `more`: lines that each system has."""
    lines = []
    for name, found in lists.items():
        for query in queries:
            its = found.get(query, ())
            body = json.dumps({"hits": [{"id": one, "title": f"About {one}"} for one in its]})
            server.replies[f"/{name}/{quote(query, safe='')}"] = (
                (500, {}, b"no such luck") if its == FAILS else (200, {}, body.encode())
            )
        lines.append(f"[systems.{name}]")
        table = {
            "kind": "http",
            "url": f"{server.url}/{name}/{{query}}?n={{k}}",
            "results": "hits[*]",
            "id": "id",
            "title": "title",
            **more,
        }
        lines += [f"{key} = {json.dumps(value)}" for key, value in table.items()]
        lines.append("retries = 0\ntimeout = 20")
    path = folder / "systems.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def right_answers(folder: Path, right: Mapping[str, Any], **more: Any) -> str:
    """answers.json in the folder: query -> what is right; `more`: fields of every answer."""
    path = folder / "answers.json"
    entries = [{"query": query, "expected": expected, **more} for query, expected in right.items()]
    path.write_text(json.dumps(entries), encoding="utf-8")
    return str(path)


def evaluate(*arguments: str | Path, code: int = 0) -> Result:
    """The command, which ends with that code."""
    return judge_tui("evaluate", *arguments, code=code)


def results(folder: Path) -> dict[str, Any]:
    """What results.json holds."""
    found: dict[str, Any] = json.loads((folder / "results.json").read_bytes())
    return found


def first_rank(found: Sequence[str], right: Mapping[str, int]) -> int | None:
    """Counted here, by no code of ours."""
    return next((rank for rank, one in enumerate(found, 1) if right.get(one, 0) > 0), None)


def expected_values(found: Sequence[str], right: Mapping[str, int]) -> dict[str, float]:
    """Textbook formulas: Järvelin and Kekäläinen's nDCG with linear gains, and the rest."""

    def dcg(grades: Sequence[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:10], 1))

    grades = [max(right.get(one, 0), 0) for one in found]
    best = sorted((grade for grade in right.values() if grade > 0), reverse=True)
    first = first_rank(found, right)
    hits = [rank for rank, grade in enumerate(grades, 1) if grade]
    return {
        "nDCG@10": dcg(grades) / dcg(best) if best else 0.0,
        "RR@10": 1 / first if first is not None and first <= 10 else 0.0,
        "P@5": sum(rank <= 5 for rank in hits) / 5,
        "R@10": sum(rank <= 10 for rank in hits) / len(best) if best else 0.0,
        "AP": sum(n / rank for n, rank in enumerate(hits, 1)) / len(best) if best else 0.0,
    }
