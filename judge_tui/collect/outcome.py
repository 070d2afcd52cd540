"""What was collected from one system, and the files that it is handed on in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from judge_tui.collect.journal import REPLIES
from judge_tui.collect.pages import Page, page_of
from judge_tui.collect.reply import Reply
from judge_tui.formats import encode_id, write_run
from judge_tui.formats.asked_beside import LATENCY
from judge_tui.formats.ids import table_field
from judge_tui.formats.latency_csv import AskedQuery, latency_lines
from judge_tui.formats.places import COLLECTED, DOCUMENTS_FILE
from judge_tui.formats.problems import quoted
from judge_tui.formats.row_files import jsonl_lines, write_lines
from judge_tui.latency import Latency, latency_of
from judge_tui.model import Query, Run
from judge_tui.nothing_found import failed_too_often, mostly_in_vain
from judge_tui.scoring.class_terms import class_called

__all__ = [
    "ClassInVain",
    "Collected",
    "files_handed_on",
    "files_written",
    "nulls_told",
    "write_documents",
    "write_outcome",
]


_NULL = re.compile(r"(?<![a-z/._])null(?=$|[:#@-])")
"""Where it is a part of an id, and no part of the name of a file."""


class ClassInVain(NamedTuple):
    """Of so many `queries` of a class, for how many there is no result, and how many of these
    `failed`."""

    queries: int
    in_vain: int
    failed: int


@dataclass(frozen=True, slots=True)
class Collected:
    """The replies of a system to `queries`, in their order. `identity`: what it is found to be,
    where it is asked; `kept`: how many replies were there already, and not asked for again;
    `notes`: what else is to be known of how they were asked for this time; `depth`: how many
    results it was asked for, 0 where it ranks documents that are known here and gives them all."""

    name: str
    queries: tuple[Query, ...]
    replies: tuple[Reply, ...]
    identity: str = ""
    kept: int = 0
    notes: tuple[str, ...] = ()
    depth: int = 0

    @property
    def failed(self) -> tuple[Reply, ...]:
        """Those that failed, which count as nothing found."""
        return tuple(reply for reply in self.replies if reply.failure)

    @property
    def empty(self) -> tuple[Reply, ...]:
        """Those in which nothing was found."""
        return tuple(a for a in self.replies if not a.failure and not a.hits)

    @property
    def in_vain(self) -> int:
        """For how many queries there is no result, failed or not."""
        return len(self.failed) + len(self.empty)

    @property
    def found_nothing(self) -> bool:
        """Whether there is no result for any query, failed or not."""
        return 0 < self.in_vain == len(self.replies)

    @property
    def failed_too_often(self) -> bool:
        """Whether it failed at so many that nothing is decided on it."""
        return failed_too_often(len(self.failed), len(self.replies))

    @property
    def mostly_in_vain(self) -> bool:
        """Whether these are over half."""
        return mostly_in_vain(self.in_vain, len(self.replies))

    @property
    def classes_in_vain(self) -> Mapping[str, ClassInVain]:
        """Of each class of queries, by the name that it is told under, in byte order, for over half
        of which there is no result; none where there are not two classes, or where it is so for all
        queries together."""
        class_of = {query.query_id: class_called(query.query_class) for query in self.queries}
        by_class: dict[str, list[Reply]] = {}
        for reply in self.replies:
            by_class.setdefault(class_of.get(reply.query_id, ""), []).append(reply)
        if len(by_class) < 2 or self.mostly_in_vain:
            return {}
        found = {
            name: ClassInVain(
                len(its),
                sum(not reply.hits for reply in its),
                sum(bool(reply.failure) for reply in its),
            )
            for name, its in sorted(by_class.items())
        }
        return {
            name: one for name, one in found.items() if mostly_in_vain(one.in_vain, one.queries)
        }

    @property
    def page(self) -> Page | None:
        """What looks like the size of its pages, where that is why it gives no more."""
        return page_of(self.replies, self.depth)

    @property
    def seconds(self) -> list[float]:
        """Of the queries that were answered, ascending."""
        return sorted(reply.seconds for reply in self.replies if not reply.failure)

    @property
    def latency(self) -> Latency:
        """Of the queries that were answered."""
        return latency_of(self.seconds)

    @property
    def coded(self) -> tuple[str, str] | None:
        """An id with a code of white space in it, such as %20, and as the run file has it, which
        is not the same; None where all are. See `formats.encode_id`."""
        for reply in self.replies:
            for hit in reply.hits:
                written = encode_id(hit.doc_id)
                if written.count("%25") > hit.doc_id.count("%25"):
                    return hit.doc_id, written
        return None

    def run(self) -> Run:
        """Its run: queries without results are not in it, as a run file cannot hold them.

        The scores are those of the system where they alone order every list as the system did;
        else, in the whole run, one divided by the rank.
        """
        own = all(_own_order(reply) for reply in self.replies)
        return Run(
            self.name,
            {
                reply.query_id: {
                    hit.doc_id: hit.score if own and hit.score is not None else 1 / rank
                    for rank, hit in enumerate(reply.hits, 1)
                }
                for reply in self.replies
                if reply.hits
            },
        )


def files_written(names: Iterable[str]) -> list[str]:
    """What is written into the folder when systems of these names are asked."""
    its = list(names)
    return [*files_handed_on(its), *(f"{name}{REPLIES}" for name in its), COLLECTED]


def files_handed_on(names: Iterable[str]) -> list[str]:
    """Those of them that are written when a system has been asked everything; the others grow with
    the work."""
    return [*(f"{name}{end}" for name in names for end in (".run", LATENCY)), DOCUMENTS_FILE]


def nulls_told(settings: Mapping[str, Any], replies: Iterable[Reply]) -> list[str]:
    """What is to be known of ids that `to_string` made of what a result does not have."""
    if "to_string" not in str(settings.get("id")):
        return []
    ids = [(hit.doc_id, reply.query_id) for reply in replies for hit in reply.hits]
    nulls = [one for one in ids if _NULL.search(one[0])]
    if not nulls:
        return []
    doc_id, query_id = nulls[0]
    return [
        f"{len(nulls):,} of {len(ids):,} results have an id with null in place of what they do not"
        f" have, as {quoted(doc_id)} of query {query_id}; write id as"
        " line && join(':', [path, to_string(line)]) || path"
    ]


def write_outcome(collected: Collected, folder: Path) -> None:
    """Write the run and the latencies, each whole or not at all. Raises `InputError`."""
    write_run(collected.run(), folder / f"{collected.name}.run")
    write_lines(folder / f"{collected.name}{LATENCY}", _latency(collected.replies))


def write_documents(replies: Iterable[Reply], folder: Path) -> None:
    """Write documents.jsonl: every document that any system returned, once, with the longest text
    that one of them gives it, so that a judge cannot tell by it whose result it is; and the first
    title and URL. Documents without any of them have no line. Ids are such that they are read as
    those of the run: see `table_field`. Raises `InputError`."""
    known: dict[str, dict[str, str]] = {}
    for reply in replies:
        for hit in reply.hits:
            document = known.setdefault(hit.doc_id, {"title": "", "text": "", "url": ""})
            document["title"] = document["title"] or hit.title
            document["url"] = document["url"] or hit.url
            document["text"] = max(document["text"], hit.text, key=len)
    write_lines(
        folder / DOCUMENTS_FILE,
        jsonl_lines(
            {
                "doc_id": table_field(doc_id),
                **{name: value for name, value in document.items() if value},
            }
            for doc_id, document in sorted(known.items())
            if any(document.values())
        ),
    )


def _own_order(reply: Reply) -> bool:
    scores = [hit.score for hit in reply.hits]
    known = [score for score in scores if score is not None]
    return len(known) == len(scores) and all(a > b for a, b in pairwise(known))


def _latency(replies: Sequence[Reply]) -> Iterator[str]:
    return latency_lines(
        AskedQuery(a.query_id, a.seconds, a.tries, len(a.hits), a.repeated, a.failure)
        for a in replies
    )
