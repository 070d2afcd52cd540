"""`judge-tui load`: what it says of a corpus, of a checkout and of grades."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.as_typed import judge_tui


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with campaign.db, whose run retrieved two pieces of a file, and a checkout."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    (tmp_path / "queries.tsv").write_text("q1\tfind it\n")
    (tmp_path / "code.run").write_text("q1 Q0 a.py:2-3 1 2 code\nq1 Q0 a\x1b.py 2 1 code\n")
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "a.py").write_text("one\ntwo\nthree\nfour\n")
    for command in ("init", "load queries queries.tsv", "load run code.run", "pool"):
        judge_tui(*command.split())
    return tmp_path


def test_a_checkout_and_what_became_of_it(folder: Path) -> None:
    load = ("load", "docs", "--root", "checkout")
    assert judge_tui(*load).output == (
        "checkout: documents: 1 added, 1 not found\n"
        "  a␛.py: 'a␛.py' is not there\n"
        "pooled documents that have no text yet: 1 (load docs brings texts, status names them)\n"
    )
    (folder / "checkout" / "a.py").write_text("one\n2\nthree\n")
    assert judge_tui(*load).output.startswith("checkout: documents: 1 not found")
    assert judge_tui(*load, "--replace").output.startswith("checkout: documents: 1 replaced")
