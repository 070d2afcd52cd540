"""What was collected from one system, and the files of the folder that others read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from judge_tui.collect.journal import REPLIES, read_replies
from judge_tui.collect.search_system import Hit, Reply
from judge_tui.collect.systems_file import Systems
from judge_tui.errors import InputError
from judge_tui.formats.collected import DOCUMENTS, LATENCY, QUERIES, SETTINGS
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.latency_csv import AskedQuery, Latency, latency_lines, latency_of
from judge_tui.formats.outcomes_csv import ATTEMPTS, OUTCOMES
from judge_tui.formats.problems import quoted
from judge_tui.formats.whole_files import read_queries
from judge_tui.formats.writing import write_lines, write_run, write_text
from judge_tui.model import Query, Run

_LOCK = ".collect.lock"


@dataclass(frozen=True, slots=True)
class CollectedRun:
    """One system's replies, in the order of the queries, and the files that they are in.
    `identity`: what it said that it is, where it was asked; `earlier`: the replies that were there
    already."""

    tag: str
    replies: tuple[Reply, ...]
    folder: Path
    identity: str = ""
    earlier: tuple[Reply, ...] = ()

    @property
    def run_path(self) -> Path:
        """The TREC run."""
        return self.folder / f"{self.tag}.run"

    @property
    def latency_path(self) -> Path:
        """Seconds and failures of each query."""
        return self.folder / f"{self.tag}{LATENCY}"

    @property
    def failed(self) -> tuple[Reply, ...]:
        """Those that failed, which count as nothing found."""
        return tuple(reply for reply in self.replies if reply.failure)

    @property
    def empty(self) -> tuple[Reply, ...]:
        """Those in which nothing was found."""
        return tuple(one for one in self.replies if not one.failure and not one.hits)

    @property
    def latency(self) -> Latency:
        """Of the queries that were answered."""
        return latency_of(sorted(one.seconds for one in self.replies if not one.failure))

    def run(self) -> Run:
        """Its run. Queries without results are not in its lists, as a run file cannot hold them.

        The scores are the system's own where these fall strictly in every list, since whoever
        scores sorts by them; else, in the whole run, one divided by the rank.
        """
        own = all(_falls(reply.hits) for reply in self.replies)
        return Run(
            self.tag,
            {
                reply.query_id: {
                    hit.doc_id: hit.score if own and hit.score is not None else 1 / rank
                    for rank, hit in enumerate(reply.hits, 1)
                }
                for reply in self.replies
                if reply.hits
            },
            frozenset(reply.query_id for reply in self.replies),
        )


def files_written(systems: Systems) -> list[str]:
    """The names of what is written into the folder when these systems are asked."""
    endings = {False: (".run", LATENCY, REPLIES), True: (ATTEMPTS, OUTCOMES)}
    names = [f"{name}{end}" for name in systems.systems for end in endings[name in systems.tasks]]
    return [*names, DOCUMENTS, QUERIES, SETTINGS]


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """One collector a folder: make it if need be, and hold it; what stays empty goes again. Raises
    `InputError`."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / _LOCK, timeout=0):
            try:
                yield
            finally:
                (folder / _LOCK).unlink(missing_ok=True)
                with suppress(OSError):  # something was written into it
                    for one in new:
                        one.rmdir()
    except Timeout as error:
        what, mend = "another program collects into it", "wait for its end, or give another -o"
        raise InputError(folder, None, what, mend) from error
    except OSError as error:
        what = f"cannot be written to: {error.strerror or error}"
        raise InputError(folder, None, what, "give another folder with -o") from error


def write_collected_run(collected: CollectedRun) -> None:
    """Write the run and the latencies, each whole or not at all. Raises `InputError`."""
    asked = (
        AskedQuery(
            one.query_id,
            one.seconds,
            one.tries,
            len(one.hits),
            one.repeated,
            one.failure,
        )
        for one in collected.replies
    )
    write_run(collected.run(), collected.run_path)
    write_lines(collected.latency_path, latency_lines(asked))


def write_documents(folder: Path) -> None:
    """Write documents.jsonl: every document that any system ever returned into this folder, once,
    with the longest text that one of them gives it, so that a judge cannot tell whose result it is;
    and the first title and URL. Documents without any of them have no line. Raises `InputError`."""
    documents: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob(f"*{REPLIES}")):
        for reply in read_replies(path):
            for hit in reply.hits:
                about = documents.setdefault(hit.doc_id, {"title": "", "text": "", "url": ""})
                about["title"] = about["title"] or hit.title
                about["text"] = max(about["text"], hit.text, key=len)
                about["url"] = about["url"] or hit.url
    lines = (
        {"doc_id": doc_id, **{name: value for name, value in about.items() if value}}
        for doc_id, about in sorted(documents.items())
        if any(about.values())
    )
    write_lines(folder / DOCUMENTS, jsonl_lines(lines))


def write_queries(folder: Path, queries: Sequence[Query], tags: Collection[str]) -> None:
    """Write queries.jsonl: what the runs of this folder were asked, earlier queries among them.
    `tags`: the systems that are asked now.

    Raises `InputError` where other systems were asked a query with another text."""
    path = folder / QUERIES
    others = sorted(read_descriptions(folder).keys() - tags)
    texts = {one.query_id: one.text for one in read_queries(path)} if others else {}
    for one in queries:
        if texts.setdefault(one.query_id, one.text) != one.text:
            before, now = quoted(texts[one.query_id]), quoted(one.text)
            raise InputError(
                path,
                None,
                f"{others[0]} was asked query {one.query_id} as {before}, and it is {now} now",
                "collect all systems of the folder together, or give another folder with -o",
            )
    write_lines(path, jsonl_lines({"query_id": q, "text": text} for q, text in texts.items()))


def read_descriptions(folder: Path) -> dict[str, Any]:
    """What collect.json says of each system. Raises `InputError` where that cannot be read: to
    write it anew would forget what it says of others."""
    path = folder / SETTINGS
    try:
        return dict(json.loads(path.read_bytes())) if path.exists() else {}
    except (OSError, ValueError, TypeError, RecursionError) as error:
        what = "is not what collect wrote there"
        raise InputError(path, None, what, "move it away") from error


def describe(folder: Path, tag: str, **about: Any) -> None:
    """Describe a system in collect.json, beside the others. Raises `InputError`."""
    text = json.dumps({**read_descriptions(folder), tag: about}, indent=1, sort_keys=True)
    write_text(f"{text}\n", folder / SETTINGS)


def _falls(hits: Sequence[Hit]) -> bool:
    scores = [hit.score for hit in hits if hit.score is not None]
    return len(scores) == len(hits) and all(a > b for a, b in pairwise(scores))
