"""A server that answers two of the queries, and an index of a real search engine."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collect.asking import ENGINE
from tests.collect.server import Server, serving

DOCUMENTS = (
    {"doc_id": "docs/csv.md", "title": "Reading CSV", "text": "read a csv file with a reader"},
    {"doc_id": "docs/sort.md", "title": "Sorting", "text": "sort a list in place"},
    {"doc_id": "docs/json file.md", "title": "JSON", "text": "read a json file"},
)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        running.found = {
            "read a csv file": [
                {"id": "docs/csv.md", "score": 2.5, "title": "Reading CSV", "text": "read a csv"},
                {"id": "docs/json file.md", "score": 1.5, "text": "read a json file"},
            ],
            "sort a list": [{"id": "docs/sort.md", "score": 3.5}],
        }
        yield running


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """An index of `DOCUMENTS`, and these as documents.jsonl."""
    lines = "".join(json.dumps(document) + "\n" for document in DOCUMENTS)
    (tmp_path / "documents.jsonl").write_text(lines, encoding="utf-8")
    path = tmp_path / "index.sqlite"
    subprocess.run([*ENGINE, "build", str(path)], input=lines.encode(), check=True)
    return path
