"""A graded benchmark in the place of qrels: it has the queries and their classes, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli


def done(*arguments: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(cli, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two queries: `old` has the better one first for neither, `new` for both."""
    entries = [
        {
            "query": f"find {name}",
            "query_id": f"my {name}",
            "class": name,
            "documents": [
                {"id": "good", "text": "good", "score": 2},
                {"id": "poor", "text": "poor", "score": 1},
            ],
        }
        for name in ("guides", "pages")
    ]
    (tmp_path / "b.json").write_text(json.dumps(entries))
    for tag, ids in (("old", ("poor", "good")), ("new", ("good", "poor"))):
        lines = [
            f"my%20{name} Q0 {doc_id} {rank} {1 / rank} {tag}\n"
            for name in ("guides", "pages")
            for rank, doc_id in enumerate(ids, 1)
        ]
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    return tmp_path / "b.json", tmp_path / "old.run", tmp_path / "new.run"
