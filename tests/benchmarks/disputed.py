"""A campaign for a lead: many runs, all of their pool judged twice, and so many disagreements."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from judge_tui.campaign import create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.model import DEFAULT_SCALE

SEED = 20
JUDGES = ("first", "second")
_GREATEST = max(DEFAULT_SCALE.grades)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Disputed:
    """`runs` with `retrieved` documents for each query, out of `candidates` that a query has; the
    pool is their top ten, and the two judges differ on `disagreements` of its pairs."""

    runs: int
    queries: int
    retrieved: int
    disagreements: int
    candidates: int = 400
    documents: int = 2_000
    text: int = 2_000


DISPUTED = Disputed(runs=50, queries=250, retrieved=100, disagreements=10_000)


def build_disputed(path: Path, size: Disputed) -> None:
    """Make the campaign `path`, and the files it is loaded from beside it: the same each time.

    Runs are `SYS00`, `SYS01`, …, each a little noisier than the one before, and the first line of
    document n has `TOK` and n in six digits.
    """
    draw = np.random.default_rng(SEED)
    folder = path.parent
    queries = [f"q{number:04d}" for number in range(size.queries)]
    lines = (f"{query}\ttext of the query {query}\n" for query in queries)
    (folder / "queries.tsv").write_text("".join(lines))
    candidates = np.stack([draw.permutation(size.documents)[: size.candidates] for _ in queries])
    quality = draw.normal(0, 1, (size.queries, size.candidates))
    runs = [
        _write_run(folder, number, size, candidates, quality, draw) for number in range(size.runs)
    ]
    _write_documents(folder / "documents.jsonl", size, draw)
    with create_campaign(path, name="disputed", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, folder / "queries.tsv")
        load_runs(campaign, runs)
        load_document_files(campaign, [folder / "documents.jsonl"])
        extend_pool(campaign, depth=10)
        pool = campaign.rows(
            "SELECT query_id, doc_id FROM pool JOIN queries ON queries.id = pool.query"
            " JOIN documents ON documents.id = pool.document ORDER BY pool.id"
        )
        if size.disagreements > len(pool):
            raise ValueError(f"{size.disagreements} disagreements on {len(pool)} pairs")
        first = _grades(pool, candidates, quality)
        second = first.copy()
        differs = np.linspace(0, len(pool) - 1, size.disagreements).astype(int)
        second[differs] += np.where(first[differs] < _GREATEST, 1, -1)
        for judge, grades in zip(JUDGES, (first, second), strict=True):
            qrels = folder / f"{judge}.qrels"
            qrels.write_text(
                "".join(
                    f"{query_id} 0 {doc_id} {grade}\n"
                    for (query_id, doc_id), grade in zip(pool, grades.tolist(), strict=True)
                )
            )
            load_judgments(campaign, qrels, judge=judge)


def _write_run(
    folder: Path,
    number: int,
    size: Disputed,
    candidates: np.ndarray,
    quality: np.ndarray,
    draw: np.random.Generator,
) -> Path:
    tag = f"SYS{number:02d}"
    path = folder / f"{tag}.run"
    scores = quality + draw.normal(0, 1 + number / size.runs, quality.shape)
    order = np.argsort(-scores, axis=1)[:, : size.retrieved]
    with path.open("w") as file:
        for query, retrieved in enumerate(np.take_along_axis(candidates, order, axis=1).tolist()):
            file.writelines(
                f"q{query:04d} Q0 d{document:06d} {rank} {size.retrieved - rank} {tag}\n"
                for rank, document in enumerate(retrieved)
            )
    return path


def _grades(pool: list[tuple[str, str]], candidates: np.ndarray, quality: np.ndarray) -> np.ndarray:
    """int[pairs]: the better a document is for the query, the higher."""
    worth = {
        (query, document): value
        for query, (documents, values) in enumerate(
            zip(candidates.tolist(), quality.tolist(), strict=True)
        )
        for document, value in zip(documents, values, strict=True)
    }
    values = [worth[int(query_id[1:]), int(doc_id[1:])] for query_id, doc_id in pool]
    return np.clip(np.floor(np.array(values) + 1), 0, _GREATEST).astype(int)


def _write_documents(path: Path, size: Disputed, draw: np.random.Generator) -> None:
    words = [
        "".join(draw.choice(list(_LETTERS), length))
        for length in draw.integers(2, 11, 500).tolist()
    ]
    with path.open("w") as file:
        for number in range(size.documents):
            text = f"TOK{number:06d} {' '.join(draw.choice(words, size.text // 7))}"
            file.write(json.dumps({"doc_id": f"d{number:06d}", "text": text}) + "\n")
