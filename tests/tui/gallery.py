"""A campaign for pictures: documents of every kind, written for it, three systems, and the work of
three judges and a model."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import DEFAULT_SCALE
from tests.campaigns import SEEN, grade_by_file, load_run, record

GUIDELINES = """\
# How to judge

Read the need first, then the document, then press one key.

- **3** answers it at once
- **2** answers it with some work
- **1** is about it, and answers nothing
- **0** is about something else

What you cannot judge, press `x`.
"""

QUERIES = [
    {
        "query_id": "q1",
        "text": "how do I count the words of a file",
        "class": "how-to",
        "narrative": "Wants a program or a call that counts words. Lines or bytes alone are 1.",
    },
    {"query_id": "q2", "text": "what is a harbour pilot", "class": "what-is"},
    {"query_id": "q3", "text": "repair a bicycle tyre", "class": "how-to"},
    {"query_id": "q4", "text": "pilots of ships and of aeroplanes, and what they are paid for"},
    {"query_id": "q5", "text": "計算單詞", "class": "how-to"},
    {"query_id": "q6", "text": "who wrote the lines", "class": "what-is"},
]

PROSE = """\
Counting words sounds simple, and is, until somebody asks what a word is.

A file of plain prose is cut at white space, and the pieces are counted. That is what most programs
do, and for prose in English the figure is good enough. Where words are joined by hyphens or dashes,
one may want them apart: the count grows by a few in a hundred.

For files in Chinese or Japanese there is no white space to cut at. 計算單詞之前，先要分詞。 A
dictionary has to find the words first, and two dictionaries rarely agree.
"""

MARKDOWN = """\
# Counting

Use the **shortest** thing that works. For *one* file:

    count words notes.txt

1. Open the file.
2. Cut it at white space.
3. Count the pieces, as [told elsewhere](https://example.org/words).

> A word is what the reader takes for one.

| file | words |
|------|-------|
| a    | 12    |
| b    | 3400  |

```python
print(len(open("notes.txt").read().split()))
```
"""

HTML = "<!doctype html><h1>Words of a file</h1><p>There is a <b>counter</b> in every editor."

CODE = '''\
"""Count the words of files."""

import sys
from collections.abc import Iterable


def words(lines: Iterable[str]) -> int:
    """The number of words, cut at white space."""
    total = 0
    for line in lines:
        total += len(line.split())  # an empty line has none
    return total


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with open(name) as file:
            print(f"{words(file):>8} {name}")
'''

DOCUMENTS: list[dict[str, object]] = [
    {"doc_id": "essay-on-words", "title": "What is a word?", "text": PROSE, "kind": "text"},
    {"doc_id": "docs/counting.md", "text": MARKDOWN},
    {"doc_id": "help/words.html", "title": "Words", "text": HTML},
    {"doc_id": "tools/words.py", "text": CODE},
    {"doc_id": "lines-only", "text": "Counts the lines of a file, and nothing else.\n"},
    {
        "doc_id": "page-17",
        "title": "A page that was not kept",
        "url": "https://example.org/pages/17",
        "author": "a library",
        "year": 1998,
    },
    {"doc_id": "harbour", "title": "Harbour pilots", "text": "A pilot brings ships into port.\n"},
    {"doc_id": "aeroplane", "text": "A pilot flies it. ✈️ 飛行機\n"},
    {"doc_id": "tyre", "text": "Take the wheel off; find the hole; glue a patch on it.\n"},
    {
        "doc_id": "tyre-rtl",
        "text": "قم بفك العجلة ثم ابحث عن الثقب. \u202etxet neddih\u202c end.\n",
    },
]

LISTS = {
    "lexical": {
        "q1": ["lines-only", "essay-on-words", "tools/words.py", "page-17", "docs/counting.md"],
        "q2": ["aeroplane", "harbour"],
        "q3": ["tyre"],
        "q4": ["aeroplane", "harbour", "tyre", "lines-only"],
        "q5": ["essay-on-words", "aeroplane"],
        "q6": ["lines-only", "page-17"],
    },
    "lexical-with-synonyms-and-phrases-2": {
        "q1": ["essay-on-words", "lines-only", "tools/words.py", "docs/counting.md"],
        "q2": ["harbour", "aeroplane"],
        "q3": ["tyre", "tools/words.py"],
        "q4": ["harbour", "aeroplane", "tyre"],
        "q5": ["essay-on-words", "docs/counting.md"],
        "q6": ["lines-only", "page-17"],
    },
    "dense": {
        "q1": ["tools/words.py", "help/words.html", "docs/counting.md", "essay-on-words"],
        "q2": ["harbour", "page-17"],
        "q3": ["tyre-rtl", "tyre"],
        "q4": ["page-17", "harbour", "aeroplane"],
        "q5": ["tyre-rtl", "essay-on-words"],
        "q6": ["page-17"],
    },
}

GRADES = {
    "q1": {"tools/words.py": 3, "docs/counting.md": 2, "essay-on-words": 1, "lines-only": 1},
    "q2": {"harbour": 3},
    "q3": {"tyre": 3, "tyre-rtl": 2},
    "q4": {"harbour": 3, "aeroplane": 2},
    "q5": {"essay-on-words": 2},
}
"""What bob gives, 0 to all else."""

OPINIONS = {("q1", "lines-only"): 0, ("q3", "tyre-rtl"): 0, ("q4", "aeroplane"): 0}
"""Where ann differs from him."""

LEFT = {"ann": ("q1",), "bob": (), "cleo": ("q1", "q4", "q5", "q6")}
"""The queries that they have not come to; ann has begun with the lines."""


def gallery(folder: Path) -> Campaign:
    """Six queries, three runs, documents of every kind; ann has one query left, cleo most."""
    made = create_campaign(
        folder / "campaign.db",
        name="words and harbours",
        scale=DEFAULT_SCALE,
        guidelines=GUIDELINES,
        seed=11,
    )
    load_queries(made, _written(folder / "queries.jsonl", map(json.dumps, QUERIES)))
    for tag, lists in LISTS.items():
        rows = [
            f"{query_id} Q0 {doc_id} {rank} {-rank} {tag}"
            for query_id, doc_ids in lists.items()
            for rank, doc_id in enumerate(doc_ids, 1)
        ]
        load_run(made, _written(folder / f"{tag}.run", rows))
    load_document_files(made, [_written(folder / "documents.jsonl", map(json.dumps, DOCUMENTS))])
    extend_pool(made)
    for name, left in LEFT.items():
        _judge(Desk(made, add_judge(made, name)), left)
    grade_by_file(made, "gpt", "q1 0 lines-only 2\nq2 0 harbour 3\n", kind="model")
    return made


def _judge(desk: Desk, left: tuple[str, ...]) -> None:
    # The first query last, so that this is where the app goes on.
    for query in reversed(desk.queries()):
        for pair in desk.pairs(query.key):
            grade = GRADES.get(query.query_id, {}).get(pair.doc_id, 0)
            if desk.judge.name == "ann":
                grade = OPINIONS.get((query.query_id, pair.doc_id), grade)
            if pair.doc_id == "tyre-rtl" and query.query_id == "q3":
                record(desk, "flag", pair, looked=3.0)
                record(desk, "comment", pair, note="who can read this?", looked=3.0)
            if query.query_id not in left or pair.doc_id == "lines-only":
                seconds = 8.0 + len(pair.doc_id)
                record(desk, "grade", pair, grade=grade, looked=seconds, painted_at=SEEN)


def _written(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
