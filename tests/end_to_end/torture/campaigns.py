"""Campaigns to be harmed, and reading what is left of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from judge_tui.campaign import create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.settings import change_setting
from judge_tui.model import DEFAULT_SCALE
from tests.campaigns import load_run


def token(number: int) -> str:
    """What stands in document `number`, and nowhere else on the screen."""
    return f"TOK{number:06d}"


def build(folder: Path, *, queries: int = 4, documents: int = 60) -> Path:
    """A campaign of so many queries with so many documents each; document d7 holds TOK000007, and
    is graded as soon as it is painted."""
    path = folder / "campaign.db"
    (folder / "q.tsv").write_text("".join(f"q{q}\tneed number {q}\n" for q in range(queries)))
    count = queries * documents
    (folder / "r.run").write_text(
        "".join(f"q{i // documents} Q0 d{i} {i} {-i} r\n" for i in range(count))
    )
    (folder / "d.tsv").write_text(
        "".join(f"d{i}\t{token(i)} the need is met here\n" for i in range(count))
    )
    with create_campaign(path, name="harmed", scale=DEFAULT_SCALE, seed=5) as campaign:
        load_queries(campaign, folder / "q.tsv")
        load_run(campaign, folder / "r.run", depth=documents)
        load_document_files(campaign, [folder / "d.tsv"])
        extend_pool(campaign, depth=documents)
        change_setting(campaign, "least-look", "0")
    return path


def decisions(path: Path, judge: str) -> dict[int, int]:
    """The grades that hold, by the number of the document."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            int(doc_id[1:]): grade
            for doc_id, grade in connection.execute(
                "SELECT d.doc_id, x.grade FROM judgments AS x JOIN judges AS j ON j.id = x.judge"
                " JOIN pool AS p ON p.id = x.pair JOIN documents AS d ON d.id = p.document"
                " WHERE j.name = ? AND x.decision = 'grade' AND x.turn = 0",
                (judge,),
            )
        }


def integrity(path: Path) -> list[str]:
    """What is wrong with the file; empty where nothing is."""
    with closing(sqlite3.connect(path)) as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        found += [f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
    return [one for one in found if one != "ok"]
