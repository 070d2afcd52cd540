"""A campaign that is judged, for pictures of its results: three runs, of which one is much like
another and one finds other documents."""

from __future__ import annotations

import json
from pathlib import Path

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.model import DEFAULT_SCALE
from tests.loading_runs import load_run

# What is asked, its class, and the relevant document with its grade: q07 has none.
QUERIES = {
    "q01": ("how do I count the words of a file", "how-to", ("tools/words.py", 3)),
    "q02": ("what is a harbour pilot", "what-is", ("harbour", 3)),
    "q03": ("repair a bicycle tyre", "how-to", ("tyre", 2)),
    "q04": ("tide tables of the harbour, for the year, with the sunrise", "", ("tides", 3)),
    "q05": ("計算單詞", "how-to", ("chinese-words", 2)),
    "q06": ("length of a nautical mile", "what-is", ("mile", 3)),
    "q07": ("who wrote the lines", "what-is", None),
    "q08": ("buy a pump", "", ("pump", 1)),
}

TITLES = {
    "tools/words.py": "Count the words of files",
    "harbour": "Harbour pilots",
    "tyre": "Mending a tyre",
    "tides": "High and low water, day by day, as foretold for the harbour and for the open sea",
    "chinese-words": "分詞",
    "mile": "Miles",
    "pump": "Pumps",
    "aeroplane": "Pilots of aeroplanes",
    "essay": "What is a word?",
    "ferry": "The ferry",
}

# At which rank the relevant document comes; None: not at all.
RANKS: dict[str, tuple[int | None, ...]] = {
    "lexical": (2, 1, 1, 4, None, 3, None, 1),
    "lexical-with-synonyms-and-phrases-2": (1, 1, 2, 2, None, 3, None, 1),
    "dense": (1, 2, 3, 1, 1, None, None, None),
}
_LENGTH = 5


def evaluated(folder: Path) -> Campaign:
    """Eight queries, judged by ann but for one document; bob has another opinion of one."""
    made = create_campaign(
        folder / "evaluated.db", name="words and harbours", scale=DEFAULT_SCALE, seed=11
    )
    queries = [
        {"query_id": query_id, "text": text, **({"class": kind} if kind else {})}
        for query_id, (text, kind, _) in QUERIES.items()
    ]
    documents = [
        {"doc_id": doc_id, "title": title, "text": f"{title}. " * (3 + 9 * place)}
        for place, (doc_id, title) in enumerate(TITLES.items())
    ]
    load_queries(made, _written(folder / "queries.jsonl", [json.dumps(one) for one in queries]))
    for tag, ranks in RANKS.items():
        rows = [
            f"{query_id} Q0 {doc_id} {rank} {-rank} {tag}"
            for query_id, relevant_at in zip(QUERIES, ranks, strict=True)
            for rank, doc_id in enumerate(_list_of(tag, query_id, relevant_at), 1)
        ]
        load_run(made, _written(folder / f"{tag}.run", rows))
    lines = [json.dumps(one, ensure_ascii=False) for one in documents]
    load_document_files(made, [_written(folder / "documents.jsonl", lines)])
    extend_pool(made)
    grades = [
        f"{query_id} 0 {doc_id} {_grade(query_id, doc_id)}"
        for query_id in QUERIES
        for doc_id in TITLES
        if (query_id, doc_id) != ("q04", "ferry")
    ]
    load_judgments(made, _written(folder / "ann.qrels", grades), judge="ann")
    load_judgments(made, _written(folder / "bob.qrels", ["q03 0 pump 2"]), judge="bob")
    return made


def _list_of(tag: str, query_id: str, relevant_at: int | None) -> list[str]:
    """Documents in the order of their titles, or of dense from the end; the relevant one at its
    rank."""
    _, _, relevant = QUERIES[query_id]
    others = [doc_id for doc_id in TITLES if relevant is None or doc_id != relevant[0]]
    if tag == "dense":
        others.reverse()
    if relevant is not None and relevant_at is not None:
        others.insert(relevant_at - 1, relevant[0])
    return others[:_LENGTH]


def _grade(query_id: str, doc_id: str) -> int:
    _, _, relevant = QUERIES[query_id]
    return relevant[1] if relevant is not None and relevant[0] == doc_id else 0


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
