"""Texts of documents: from a corpus of which runs need little, from a checkout that changes."""

from __future__ import annotations

import json
import os
import resource
import threading
from pathlib import Path
from typing import Any

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.errors import InputError, UsageError
from tests.campaign.copies import graded, whole
from tests.campaigns import load_run


def texts(campaign: Campaign) -> dict[str, str]:
    return dict(campaign.rows("SELECT doc_id, text FROM documents WHERE text IS NOT NULL"))


def test_only_what_the_runs_need_is_kept(campaign, files):
    with (files / "corpus.jsonl").open("w") as corpus, (files / "wide.run").open("w") as run:
        for at in range(2000):
            corpus.write(json.dumps({"_id": f"d{at}", "text": f"text {at}"}) + "\n")
            if at % 100 == 0:
                run.write(f"q1 Q0 d{at} 1 {-at} wide\n")
    load_run(campaign, files / "wide.run")
    before = texts(campaign)
    (loaded,) = load_document_files(campaign, [files / "corpus.jsonl"])
    assert loaded == LoadCounts(added=20, left_out=1980)
    assert texts(campaign) == before | {f"d{at}": f"text {at}" for at in range(0, 2000, 100)}


def test_text_is_stored_as_it_came(campaign, files):
    hostile = "\x1b]0;title\x07 \u202e [/] é\r\n\ttab"
    (files / "hostile.jsonl").write_text(json.dumps({"doc_id": "sorted", "text": hostile}))
    load_document_files(campaign, [files / "hostile.jsonl"], replace=True)
    assert texts(campaign)["sorted"] == hostile


def test_a_full_temporary_folder_is_said_in_words(campaign, files):
    file = files / "big.jsonl"
    lines = (json.dumps({"doc_id": f"d{place}", "text": "x" * 10_000}) for place in range(200))
    file.write_text("\n".join(lines))
    before = whole(campaign.path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, limits[1]))
    try:
        with pytest.raises(UsageError, match="cannot be kept in the temporary folder"):
            load_document_files(campaign, [file], keep_all=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert whole(campaign.path) == before


def test_judges_go_on_while_documents_are_read(campaign, files):
    """The file is held for the moment of taking over, not while a slow source is read."""
    os.mkfifo(files / "slow")
    written: list[str] = []

    def judge() -> None:
        with (files / "slow").open("w") as pipe, open_campaign(campaign.path) as other:
            other.wait_at_most(50)
            pipe.write('{"doc_id": "sorted", "text": "Returns a sorted list."}\n')
            pipe.flush()
            written.append(graded(other, "eve", "sorted", 1).action)

    thread = threading.Thread(target=judge)
    thread.start()
    load_document_files(campaign, [files / "slow"])
    thread.join()
    assert written == ["grade"]


FIRST, SECOND = "src/a.py:5-6", "src/a.py#L9"


@pytest.fixture
def root(campaign: Campaign, files: Path) -> Path:
    """A checkout whose file a run retrieved two pieces of, and one of a file that it lacks."""
    root = files / "checkout"
    (root / "src").mkdir(parents=True)
    write(root, *range(1, 21))
    (files / "code.run").write_text(
        "".join(f"q1 Q0 {doc_id} 1 {-at} code\n" for at, doc_id in enumerate((FIRST, SECOND, "no")))
    )
    load_run(campaign, files / "code.run")
    return root


def write(root: Path, *lines: object) -> None:
    (root / "src" / "a.py").write_text("".join(f"line = {line}\n" for line in lines))


def load(campaign: Campaign, root: Path, *, replace: bool = False) -> LoadCounts:
    (loaded,) = load_document_files(campaign, [], root=root, replace=replace)
    return loaded


def row(campaign: Campaign, doc_id: str) -> tuple[str, str, str, str, dict[str, Any]]:
    ((title, text, url, kind, meta),) = campaign.rows(
        "SELECT title, text, url, kind, meta FROM documents WHERE doc_id = ?", (doc_id,)
    )
    return title, text, url, kind, json.loads(meta)


def test_the_lines_and_where_they_are_from(campaign, root):
    loaded = load(campaign, root)
    assert (loaded.added, loaded.left_out) == (2, 1)
    assert loaded.lacking == ("no: 'no' is not there",)
    title, text, url, kind, meta = row(campaign, FIRST)
    assert (title, text, url, kind) == ("", "line = 5\nline = 6\n", "", "python")
    held = meta["checkout"]
    assert (held["path"], held["start"], held["end"], held["lines"]) == ("src/a.py", 5, 6, 20)
    assert held["after"].startswith("line = 7\n")
    assert row(campaign, SECOND)[1] == "line = 9\n"
    # Again: what has a text is not looked for.
    assert load(campaign, root) == LoadCounts(left_out=1, lacking=loaded.lacking)


def test_of_lines_behind_the_end_of_their_file_those_are_shown_that_are_there(
    campaign, root, files
):
    long = "src/a.py:18-40"
    (files / "long.run").write_text(f"q1 Q0 {long} 1 2 long\n")
    load_run(campaign, files / "long.run")
    loaded = load(campaign, root)
    assert (loaded.added, loaded.left_out) == (3, 1)
    assert f"{long}: 'src/a.py' has 20 lines, not 40; its text is what is there" in loaded.lacking
    assert row(campaign, long)[1] == "line = 18\nline = 19\nline = 20\n"


def test_a_text_of_a_file_is_no_longer_of_the_checkout(campaign, root, files):
    """Where its lines were is said of the text that they are, and of no other one."""
    load(campaign, root)
    was = row(campaign, FIRST)
    given = files / "given.jsonl"
    given.write_text(json.dumps({"doc_id": FIRST, "text": was[1], "team": "t"}) + "\n")
    load_document_files(campaign, [given])
    assert row(campaign, FIRST)[4] == {**was[4], "team": "t"}
    given.write_text(json.dumps({"doc_id": FIRST, "text": "other"}) + "\n")
    with pytest.raises(InputError, match=r"given\.jsonl:1: document .* has another text in"):
        load_document_files(campaign, [given])
    load_document_files(campaign, [given], replace=True)
    assert row(campaign, FIRST)[4] == {"team": "t"}
