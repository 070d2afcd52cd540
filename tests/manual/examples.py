"""The folder that the manual's examples start from: a small campaign, judged in part."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from contextlib import chdir
from pathlib import Path

from judge_tui.campaign import open_campaign
from judge_tui.campaign.overview.disagreements import SWAPS_BY, ordered_cases
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.pool import pair_keys
from tests.as_typed import judge_tui
from tests.sample_runs import SAMPLES

_QUERIES = 20
_RUNS = {"old": "bm25", "new": "dense", "third": "rrf"}
_DEPTH = 20

_SEARCH = """\
import json
import sys

run, text = sys.argv[1:]
ids = dict(reversed(line.rstrip("\\n").split("\\t")) for line in open("queries.tsv"))
rows = [line.split() for line in open(run)]
print(json.dumps([{"id": row[2], "score": float(row[4])} for row in rows if row[0] == ids[text]]))
"""

_SYSTEMS = """\
[systems.old]
kind = "command"
argv = ["python3", "search.py", "old.run", "{query}"]
results = "[*]"
id = "id"
score = "score"

[systems.new]
kind = "command"
argv = ["python3", "search.py", "new.run", "{query}"]
results = "[*]"
id = "id"
score = "score"
"""


def make_folder(folder: Path) -> None:
    """Write the files, and campaign.db by the commands that one types."""
    queries = [json.loads(line) for line in _lines("queries.jsonl")][:_QUERIES]
    chosen = {query["query_id"] for query in queries}
    runs = {tag: list(_run(tag, name, chosen)) for tag, name in _RUNS.items()}
    grades, doubts = _grades("assessor-a", chosen), _grades("assessor-b", chosen)
    known = [pair for pair in grades if grades[pair] == doubts.get(pair)][::24][:12]

    _write(folder / "queries.tsv", [f"{one['query_id']}\t{one['text']}" for one in queries])
    _write(folder / "queries.jsonl", [json.dumps(one) for one in queries])
    _write(folder / "corpus.jsonl", map(json.dumps, _documents(runs)))
    for tag, rows in runs.items():
        _write(folder / f"{tag}.run", [" ".join(row) for row in rows])
    _write(folder / "qrels.txt", _qrels(grades))
    _write(folder / "known.qrels", _qrels({pair: grades[pair] for pair in known}))
    _write(folder / "guidelines.md", _lines("guidelines.md"))
    (folder / "search.py").write_text(_SEARCH)
    (folder / "systems.toml").write_text(_SYSTEMS)
    with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["query", "result1", "result2"])
        for one in queries:
            best = sorted(
                (-grade, doc_id)
                for (query_id, doc_id), grade in grades.items()
                if query_id == one["query_id"] and grade >= 2
            )
            writer.writerow([one["text"], *[doc_id for _, doc_id in [*best, (0, "")]][:2]])
    with chdir(folder):
        judge_tui("init", "--name", "docs search", "--guidelines", "guidelines.md", "--seed", "7")
        judge_tui("load", "queries", "queries.jsonl")
        judge_tui("load", "run", "old.run", "new.run")
        judge_tui("load", "docs", "corpus.jsonl")
        judge_tui("pool", "--depth", "5")
        judge_the_pool()
        settle_all(1)


def judge_the_pool() -> None:
    """What ann and bob do to the campaign.db of this folder: ann judges all of the pool, bob half
    of the queries."""
    with open_campaign("campaign.db") as campaign:
        pool = pair_keys(campaign)
    for name, assessor in (("ann", "assessor-a"), ("bob", "assessor-b")):
        grades = _grades(assessor, {query_id for query_id, _ in pool})
        lines = _qrels({pair: grade for pair, grade in grades.items() if pair in pool})
        judge_tui("load", "qrels", "-", "--judge", name, given="\n".join(lines))


def settle_all(most: int | None = None) -> None:
    """What lea does to it: settles what they disagree about, or `most` of that."""
    with open_campaign("campaign.db") as campaign:
        found = ordered_cases(campaign, SWAPS_BY)
        lea = add_judge(campaign, "lea", role="lead")
        for place in found.places[:most]:
            case = found.cases
            settle(campaign, lea, int(case.pairs[place]), int(case.grades[place].max()))


def _documents(runs: dict[str, list[list[str]]]) -> Iterator[dict[str, str]]:
    for doc_id in sorted({row[2] for rows in runs.values() for row in rows}):
        name = doc_id.rpartition(".")[2]
        yield {"doc_id": doc_id, "title": doc_id, "text": f"The documentation of {name}."}


def _run(tag: str, name: str, chosen: set[str]) -> Iterator[list[str]]:
    for line in _lines(f"runs/{name}.run"):
        *row, _ = line.split()
        if row[0] in chosen and int(row[3]) <= _DEPTH:
            yield [*row, tag]


def _grades(assessor: str, chosen: set[str]) -> dict[tuple[str, str], int]:
    rows = [line.split() for line in _lines(f"grades/{assessor}.qrels")]
    return {(row[0], row[2]): int(row[3]) for row in rows if row[0] in chosen}


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _qrels(grades: dict[tuple[str, str], int]) -> list[str]:
    return [f"{query_id} 0 {doc_id} {grade}" for (query_id, doc_id), grade in grades.items()]


def _lines(name: str) -> list[str]:
    return (SAMPLES / name).read_text(encoding="utf-8").splitlines()
