"""A campaign with something to report: three systems, and judges who differ a little."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.as_typed import invoke
from tests.report.read_page import ReadPage

DB = "campaign.db"
QUERIES = [f"q{number:02}" for number in range(24)]
DOCUMENTS = [f"d{number}" for number in range(8)]


def done(*arguments: str) -> str:
    """Standard output of a command that succeeds."""
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def page(*arguments: str) -> ReadPage:
    """The page that `report` writes of the campaign in this folder."""
    done("report", "-o", "page.html", "--force", *arguments)
    return ReadPage(Path("page.html").read_text(encoding="utf-8"))


def make_evaluation(folder: Path, *, judges: tuple[str, ...] = ("ann", "bob")) -> str:
    """Make it by the commands; returns the path of the campaign.

    "good" ranks by the true grade with little noise, "base" with more, "poor" the wrong way round;
    every judge reads the true grade wrong now and then, and ann has not seen the last document.
    """
    luck = random.Random(5)
    true = {(q, d): luck.choice([0, 0, 1, 2]) for q in QUERIES for d in DOCUMENTS}
    (folder / "queries.jsonl").write_text(
        "".join(
            json.dumps({"query_id": q, "text": f"find {q}", "class": "lookup" if n % 3 else "how"})
            + "\n"
            for n, q in enumerate(QUERIES)
        )
    )
    (folder / "documents.jsonl").write_text(
        "".join(
            json.dumps(
                {"doc_id": d, "title": f"title of {d}", "text": "word " * n, "kind": f"k{n % 2}"}
            )
            + "\n"
            for n, d in enumerate(DOCUMENTS, 1)
        )
    )
    for tag, way, noise in (("base", 1, 4.0), ("good", 1, 0.5), ("poor", -1, 4.0)):
        (folder / f"{tag}.run").write_text(
            "".join(
                f"{q} Q0 {d} 0 {way * grade + noise * luck.random():.6f} {tag}\n"
                for (q, d), grade in true.items()
            )
        )
    for place, judge in enumerate(judges):
        (folder / f"{judge}.qrels").write_text(
            "".join(
                f"{q} 0 {d} {grade if luck.random() < 0.85 else luck.choice([0, 1, 2])}\n"
                for (q, d), grade in true.items()
                if place or d != DOCUMENTS[-1]
            )
        )
    db = ("--db", str(folder / DB))
    done("init", *db, "--name", "Three systems", "--scale", "0=no,1=some,2=good", "--seed", "3")
    done("load", "queries", str(folder / "queries.jsonl"), *db)
    done("load", "run", *(str(folder / f"{tag}.run") for tag in ("base", "good", "poor")), *db)
    done("load", "docs", str(folder / "documents.jsonl"), *db)
    done("pool", *db)
    for judge in judges:
        done("load", "qrels", str(folder / f"{judge}.qrels"), "--judge", judge, *db)
    return str(folder / DB)
