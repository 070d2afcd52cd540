"""What was collected from one system, and the files that it is handed on in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from judge_tui.collect.answer import Answer
from judge_tui.formats import write_run
from judge_tui.formats.row_files import csv_lines, jsonl_lines, write_lines
from judge_tui.model import Query, Run

__all__ = ["Collected", "write_outcome"]


@dataclass(frozen=True, slots=True)
class Collected:
    """The answers of a system to `queries`, in their order. `identity`: what it says of itself."""

    name: str
    queries: tuple[Query, ...]
    answers: tuple[Answer, ...]
    identity: str = ""

    @property
    def failed(self) -> tuple[Answer, ...]:
        """Those that failed, which count as nothing found."""
        return tuple(answer for answer in self.answers if answer.failure)

    @property
    def empty(self) -> tuple[Answer, ...]:
        """Those in which nothing was found."""
        return tuple(a for a in self.answers if not a.failure and not a.hits)

    @property
    def seconds(self) -> list[float]:
        """Of the queries that were answered, ascending."""
        return sorted(answer.seconds for answer in self.answers if not answer.failure)

    def run(self) -> Run:
        """Its run: queries without results are not in it, as a run file cannot hold them.

        The scores are those of the system where they alone order every list as the system did;
        else, in the whole run, one divided by the rank.
        """
        own = all(_own_order(answer) for answer in self.answers)
        return Run(
            self.name,
            {
                answer.query_id: {
                    hit.doc_id: hit.score if own and hit.score is not None else 1 / rank
                    for rank, hit in enumerate(answer.hits, 1)
                }
                for answer in self.answers
                if answer.hits
            },
        )


def write_outcome(collected: Collected, folder: Path) -> list[Path]:
    """Write the run, the documents where there are texts, and the latencies; returns their paths.

    Each file is written whole or not at all. Raises `InputError` where one cannot be.
    """
    run = folder / f"{collected.name}.run"
    latency = folder / f"{collected.name}.latency.csv"
    documents = folder / f"{collected.name}.docs.jsonl"
    write_run(collected.run(), run)
    write_lines(latency, _latency(collected.answers))
    texts = list(_documents(collected.answers))
    if not texts:
        documents.unlink(missing_ok=True)
        return [run, latency]
    write_lines(documents, jsonl_lines(texts))
    return [run, documents, latency]


def _own_order(answer: Answer) -> bool:
    scores = [hit.score for hit in answer.hits]
    known = [score for score in scores if score is not None]
    return len(known) == len(scores) and all(a > b for a, b in pairwise(known))


def _documents(answers: Sequence[Answer]) -> Iterator[dict[str, str]]:
    """Each document once, as its first answer has it; of several, the one with the longest text."""
    best: dict[str, dict[str, str]] = {}
    for answer in answers:
        for hit in answer.hits:
            texts = {"title": hit.title, "text": hit.text, "url": hit.url}
            before = best.get(hit.doc_id)
            if before is None or len(texts["text"]) > len(before["text"]):
                best[hit.doc_id] = texts
    for doc_id, texts in best.items():
        given = {name: value for name, value in texts.items() if value}
        if given:
            yield {"doc_id": doc_id, **given}


def _latency(answers: Sequence[Answer]) -> Iterator[str]:
    columns = ("query_id", "seconds", "tries", "results", "repeated", "failure")
    return csv_lines(
        columns,
        (
            (a.query_id, round(a.seconds, 6), a.tries, len(a.hits), a.repeated, a.failure)
            for a in answers
        ),
    )
