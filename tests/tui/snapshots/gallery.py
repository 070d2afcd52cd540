"""A campaign for pictures: documents of every kind, written for it, and a morning's work."""

from __future__ import annotations

import json
from pathlib import Path

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import DEFAULT_SCALE
from tests.in_the_app import SEEN
from tests.loading_runs import load_run

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

HTML = """\
<!doctype html><html><head><title>Words</title><style>p { color: red }</style></head><body>
<h1>Words of a file</h1><p>There is a <b>counter</b> in every editor: look for
<a href="https://example.org/count">word count</a> in the menu.</p>
<ul><li>open the file</li><li>choose <code>Tools</code></li></ul>
<script>alert("never shown")</script></body></html>
"""

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

RUNS = {
    "lexical": {
        "q1": ["lines-only", "essay-on-words", "tools/words.py", "page-17", "docs/counting.md"],
        "q2": ["aeroplane", "harbour"],
        "q3": ["tyre"],
    },
    "dense": {
        "q1": ["tools/words.py", "help/words.html", "docs/counting.md", "essay-on-words"],
        "q2": ["harbour", "page-17"],
        "q3": ["tyre-rtl", "tyre"],
    },
}

WORK: dict[str, dict[str, int]] = {
    "ann": {"lines-only": 1, "harbour": 3, "aeroplane": 0, "tyre": 3},
    "bob": {"lines-only": 1, "harbour": 3, "aeroplane": 1, "tyre": 2, "essay-on-words": 2},
}


def gallery(folder: Path) -> Campaign:
    """Three queries, two runs, documents of every kind; ann and bob have done some of it."""
    _write_lines(folder / "queries.jsonl", [json.dumps(query) for query in QUERIES])
    documents = [json.dumps(document, ensure_ascii=False) for document in DOCUMENTS]
    _write_lines(folder / "documents.jsonl", documents)
    made = create_campaign(
        folder / "campaign.db",
        name="words and harbours",
        scale=DEFAULT_SCALE,
        guidelines=GUIDELINES,
        seed=11,
    )
    load_queries(made, folder / "queries.jsonl")
    for tag, lists in RUNS.items():
        rows = [
            f"{query_id} Q0 {doc_id} {rank} {-rank} {tag}"
            for query_id, doc_ids in lists.items()
            for rank, doc_id in enumerate(doc_ids, 1)
        ]
        _write_lines(folder / f"{tag}.run", rows)
        load_run(made, folder / f"{tag}.run")
    load_document_files(made, [folder / "documents.jsonl"])
    extend_pool(made)
    for name, grades in WORK.items():
        _judge(Desk(made, add_judge(made, name)), grades)
    return made


def _judge(desk: Desk, grades: dict[str, int]) -> None:
    # The first query last, so that this is where the app goes on.
    for query in reversed(desk.queries()):
        for pair in desk.pairs(query.key):
            if pair.doc_id in grades:
                desk.record("grade", pair, grade=grades[pair.doc_id], looked=14.0, painted_at=SEEN)
            elif pair.doc_id == "tyre-rtl":
                desk.record("flag", pair, looked=3.0)
                desk.record("comment", pair, note="who can read this?", looked=3.0)
            elif pair.doc_id == "page-17" and query.query_id == "q2":
                desk.record("skip", pair, looked=5.0, painted_at=SEEN)


def _write_lines(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
