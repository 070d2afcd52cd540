"""A campaign that many judges judged whole: every pair has a grade of each of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from judge_tui.campaign import create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.judgments import load_gold, load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import find_judge
from judge_tui.formats.rows import iter_qrels
from judge_tui.model import DEFAULT_SCALE

SEED = 30
PAIRS_OF_A_QUERY = 20
REPEATS = 10
_CLASSES = ("lookup", "how-to", "concept")


def make_many_judges(path: Path, *, judges: int = 30, pairs: int = 5000, runs: int = 5) -> None:
    """Make the campaign at `path`; what it is loaded from is written beside it.

    `pairs`: in the pool, 20 a query. The judges `j00`, `j01` … grade all of them, each with noise
    and a leaning of their own, ten of them again as hidden repeats, and one in 20 is a gold pair.
    """
    generator = np.random.default_rng(SEED)
    folder = path.parent
    count = pairs // PAIRS_OF_A_QUERY
    ids = [f"q{number:04d}" for number in range(count)]
    worth = generator.normal(size=(count, PAIRS_OF_A_QUERY))
    queries = folder / "queries.jsonl"
    queries.write_text(
        "".join(
            f'{{"query_id": "{query_id}", "text": "find it", "class": "{_CLASSES[at % 3]}"}}\n'
            for at, query_id in enumerate(ids)
        )
    )
    paths = []
    for number in range(runs):
        scores = worth + generator.normal(scale=1 + number / 10, size=worth.shape)
        paths.append(folder / f"system{number}.run")
        _write(paths[-1], ids, np.argsort(-scores, axis=1), f"system{number}")

    with create_campaign(path, name="many judges", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, queries)
        load_runs(campaign, paths)
        extend_pool(campaign, depth=PAIRS_OF_A_QUERY)
        few = slice(None, None, PAIRS_OF_A_QUERY)
        gold = _write_grades(folder / "gold.qrels", ids[few], _grades(worth[few]))
        load_gold(campaign, gold, list(iter_qrels(gold)))
        for number in range(judges):
            seen = worth + generator.normal(scale=0.5, size=worth.shape)
            grades = _grades(seen + generator.normal(scale=0.2))
            name = f"j{number:02d}"
            load_judgments(
                campaign, _write_grades(folder / f"{name}.qrels", ids, grades), judge=name
            )
            judge = find_judge(campaign, name)
            assert judge is not None
            for pair, grade in enumerate(generator.integers(0, 4, REPEATS).tolist(), 1):
                append_event(
                    campaign, judge=judge.key, pair=pair, action="grade", grade=grade, turn=1
                )


def _grades(worth: np.ndarray) -> np.ndarray:
    return np.clip(np.floor(worth + 1), 0, 3).astype(int)


def _write(path: Path, ids: list[str], order: np.ndarray, tag: str) -> None:
    with path.open("w") as file:
        for query_id, documents in zip(ids, order.tolist(), strict=True):
            file.writelines(
                f"{query_id} Q0 d{document} {rank} {100 - rank} {tag}\n"
                for rank, document in enumerate(documents, 1)
            )


def _write_grades(path: Path, ids: list[str], grades: np.ndarray) -> Path:
    with path.open("w") as file:
        for query_id, row in zip(ids, grades.tolist(), strict=True):
            file.writelines(
                f"{query_id} 0 d{document} {grade}\n" for document, grade in enumerate(row)
            )
    return path
