"""Files with a bad line, and what is not a campaign: one line that names file and line, nothing
half loaded. What else each command refuses stands in the transcripts of `golden/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from tests.as_typed import refused
from tests.cli.test_golden import kept

GOOD = {
    "run": "q1 Q0 sorted 1 1.0 new\n",
    "qrels": "q1 0 sorted 1\n",
    "queries": '{"query_id": "q9", "text": "new"}\n',
    "docs": '{"doc_id": "sorted", "text": "new"}\n',
}
OPTIONS = {"qrels": ["--judge", "ann"], "docs": ["--replace"]}

# kind, what follows the good first line, what the message says after FILE:2. What else may be wrong
# with a file stands in tests/formats/test_faults.py.
BAD_LINES = [
    ("run", b"q1 Q0 sorted\n", "3 fields"),
    ("run", b"q1 Q0 sorted 2 0.5 new\n", "line 1"),
    ("run", b"q77 Q0 other 2 0.5 new\n", "q77"),
    ("qrels", b"q1 0 other good\n", "good"),
    ("qrels", b"q1 0 other 9\n", "not on the campaign's scale"),
    ("qrels", b"q77 0 other 1\n", "q77"),
    ("queries", b"{not json}\n", "JSON"),
    ("queries", b'{"query_id": "q8", "text": "\xff"}\n', "UTF-8"),
    ("docs", b'{"doc_id": "json.load", "text": 3}\n', "text"),
    ("docs", b'{"doc_id": "json.load", "text": "\\udc00"}\n', "surrogate"),
]


@pytest.fixture(autouse=True)
def here(campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with campaign.db."""
    campaign.close()
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)


def refused_without_a_trace(*words: str) -> str:
    before = kept()
    line = refused(*words)
    assert kept() == before
    assert "; " in line, "it should say how to mend it"
    return line


def load(kind: str, content: bytes) -> str:
    Path("bad.txt").write_bytes(content)
    return refused_without_a_trace("load", kind, "bad.txt", *OPTIONS.get(kind, []))


@pytest.mark.parametrize(("kind", "second", "what"), BAD_LINES)
def test_a_bad_second_line_loads_nothing(kind: str, second: bytes, what: str) -> None:
    line = load(kind, GOOD[kind].encode() + second)
    assert line.startswith("bad.txt:2: ")
    assert what in line
