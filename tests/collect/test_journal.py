"""The answers as they come, line by line: nothing of them is lost, and nothing mixed."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from judge_tui.collect import Hit, Reply
from judge_tui.collect.journal import Journal, read_replies
from judge_tui.errors import InputError

FOUND = Reply("q1", "what", (Hit("d1", 1.5, "T", "x\n\x1b", "u"), Hit("d2")), 0.25, 2, 1)
FAILED = Reply("q2", "ü", seconds=1.0, tries=3, failure="no answer within 1 s")


def journal_of(path: Path, fingerprint: str = "123", identity: str = "", **options) -> Journal:
    journal = Journal(path, Reply, lambda one: one.query_id, **options)
    journal.refuse_others(fingerprint, identity)
    return journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with journal_of(tmp_path / "a.answers.jsonl") as journal:
        journal.add(FOUND)
        journal.add(FAILED)
    return journal.path


def test_what_was_added_is_there_and_the_last_of_a_query_holds(path):
    assert journal_of(path).records == {"q1": FOUND, "q2": FAILED}
    again = Reply("q2", "ü", (Hit("d1", text="half a \ud800 pair"),), 0.5)
    with journal_of(path) as journal:
        journal.add(again)
    assert list(journal_of(path).records) == ["q1", "q2"]
    *before, last = read_replies(path)
    assert before == [FOUND, FAILED]
    assert last.hits == (Hit("d1", text="half a ? pair"),)


def test_wherever_a_crash_cuts_it_what_is_whole_holds_and_more_can_be_added(path):
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        journal = journal_of(path)
        there = [FOUND, FAILED][: max(whole[:length].count(b"\n") - 1, 0)]
        assert list(journal.records.values()) == there
        with journal:
            journal.add(FAILED)
        assert path.read_bytes() == b"".join([*lines[: max(1, len(there) + 1)], lines[2]])


@pytest.mark.parametrize(
    ("fingerprint", "identity", "told"),
    [
        ("124", "", "jsonl:1: holds answers to other settings, another depth or other documents"),
        ("123", "v2", "jsonl:1: holds answers of a system that said '', and now it says 'v2'"),
    ],
)
def test_other_answers_are_not_mixed_with_these(path, fingerprint, identity, told):
    before = path.read_bytes()
    with pytest.raises(InputError) as raised:
        journal_of(path, fingerprint, identity)
    assert told in str(raised.value)
    assert str(raised.value).endswith("; give another folder with -o, or --fresh to begin anew")
    # Nothing is forgotten before it is opened.
    anew = journal_of(path, fingerprint, identity, fresh=True)
    assert (anew.records, path.read_bytes()) == ({}, before)
    with anew:
        pass
    assert len(path.read_bytes().splitlines()) == 1
    assert journal_of(path, fingerprint, identity).records == {}


@pytest.mark.parametrize("line", [b"{}\n", b"[1]\n", b"x\n", b'{"query_id": 1}\n'])
def test_lines_that_are_none_are_refused(path, line):
    before = path.read_bytes()
    for number, data in ((4, before + line), (1, line + before)):
        path.write_bytes(data)
        told = f"jsonl:{number}: this line is not one that .*; move the file away"
        with pytest.raises(InputError, match=told):
            journal_of(path)


def test_a_disk_that_is_full_is_told_and_what_was_written_holds(tmp_path):
    journal = journal_of(tmp_path / "a.answers.jsonl")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with journal:
        journal.add(FOUND)
        resource.setrlimit(resource.RLIMIT_FSIZE, (journal.path.stat().st_size + 10, hard))
        try:
            with pytest.raises(InputError, match="cannot be written: File too large; check the fo"):
                journal.add(FAILED)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert journal_of(journal.path).records == {"q1": FOUND}
