"""A real search engine behind a small command: SQLite's FTS5 over a few documents, ranked by BM25.

python engine.py build INDEX < DOCUMENTS.jsonl
python engine.py search INDEX QUERY K [--ids]
python engine.py version
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys

VERSION = "fts5 engine 3.1"


def build(index: str) -> None:
    with sqlite3.connect(index) as database:
        database.execute("CREATE VIRTUAL TABLE docs USING fts5(path UNINDEXED, title, body)")
        rows = (json.loads(line) for line in sys.stdin if line.strip())
        database.executemany(
            "INSERT INTO docs VALUES (?, ?, ?)",
            ((row["doc_id"], row.get("title", ""), row["text"]) for row in rows),
        )


def search(index: str, query: str, k: int) -> list[dict[str, object]]:
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    if not words:
        return []
    with sqlite3.connect(f"file:{index}?mode=ro", uri=True) as database:
        found = database.execute(
            "SELECT path, title, body, -bm25(docs) FROM docs WHERE docs MATCH ? ORDER BY 4 DESC"
            " LIMIT ?",
            (words, k),
        ).fetchall()
    names = ("path", "title", "body", "score")
    return [dict(zip(names, row, strict=True)) for row in found]


def main(argv: list[str]) -> int:
    if argv[0] == "version":
        print(VERSION)
    elif argv[0] == "build":
        build(argv[1])
    else:
        found = search(argv[1], argv[2], int(argv[3]))
        if "--ids" in argv:
            for one in found:
                print(f"see docs://{one['path']} ({one['score']:.2f})")
        else:
            print(json.dumps({"hits": found}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main([argument for argument in sys.argv[1:] if argument != "--"]))
