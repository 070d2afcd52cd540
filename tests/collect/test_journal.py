"""The answers as they come, line by line: nothing of them is lost, and nothing mixed."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest

from judge_tui.collect.journal import Journal, Said, replies_in
from judge_tui.collect.reply import Hit, Reply
from judge_tui.errors import InputError

HEAD = {"system": "a", "settings": "123"}
FOUND = Reply("q1", "what", (Hit("d1", 1.5, "T", "x\n\x1b", "u"), Hit("d 2")), 0.25, 2, 1)
FAILED = Reply("q2", "ü", seconds=1.0, tries=3, failure="no answer within 1 s")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "a.answers.jsonl", HEAD) as journal:
        journal.add(FOUND)
        journal.add(FAILED)
    return journal.path


def test_what_was_added_is_there(path):
    assert Journal(path, HEAD).records == {"q1": FOUND, "q2": FAILED}
    assert replies_in(path) == [FOUND, FAILED]


def test_the_last_answer_to_a_query_holds(path):
    again = Reply("q2", "ü", (Hit("d1"),), 0.5)
    with Journal(path, HEAD) as journal:
        journal.add(again)
    assert replies_in(path) == [FOUND, again]
    assert len(path.read_bytes().splitlines()) == 4


def test_wherever_a_crash_cuts_it_what_is_whole_holds_and_more_can_be_added(path):
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        journal = Journal(path, HEAD)
        there = [FOUND, FAILED][: max(whole[:length].count(b"\n") - 1, 0)]
        assert list(journal.records.values()) == there
        with journal:
            journal.add(FAILED)
        assert path.read_bytes() == b"".join([*lines[: max(1, len(there) + 1)], lines[2]])


def test_answers_to_other_settings_are_not_mixed_with_these(path):
    before = path.read_bytes()
    with pytest.raises(
        InputError,
        match=r"jsonl:1: holds answers to other settings, from another address, out of other",
    ):
        Journal(path, {**HEAD, "settings": "124"})
    with Journal(path, {**HEAD, "settings": "124"}, begin_anew=True) as journal:
        assert journal.records == {}
    assert path.read_bytes() != before
    assert len(path.read_bytes().splitlines()) == 1


def of(path: Path, expected: str, identity: str, mark: str = "") -> Journal:
    journal = Journal(path, HEAD)
    journal.be_of(expected, Said(identity, mark))
    return journal


def test_what_it_is_found_to_be_after_the_first_answers_is_held_to_as_well(path):
    with of(path, r"index v\d", "index v1") as journal:
        journal.be_like({"model": "m"}, "")
        journal.add(Reply("q3", "more"))
    assert (Journal(path, HEAD).mark, len(replies_in(path))) == ({}, 3)
    with pytest.raises(InputError, match="said 'index v1', and now it says 'index v2'; use anoth"):
        of(path, r"index v\d", "index v2")
    # Noted once: what is known is not written again.
    before = path.read_bytes()
    with of(path, r"index v\d", "index v1"):
        pass
    assert path.read_bytes() == before
    path.write_bytes(before + b"{}\n")
    with pytest.raises(InputError, match=r"jsonl:6: is no line of collected answers"):
        Journal(path, HEAD)


def test_a_mark_after_the_first_answers_is_kept(path):
    journal = Journal(path, HEAD)
    journal.be_like({"model": "m"}, "")
    with journal:
        pass
    assert Journal(path, HEAD).mark == {"model": "m"}
    journal = Journal(path, HEAD)
    journal.be_like({"model": "m", "more": "of the same"}, "")
    with journal:
        pass
    assert Journal(path, HEAD).mark == {"model": "m"}


def test_by_another_pattern_it_is_to_be_found_the_same(path):
    with of(path, "products-2024", "products-2024"):
        pass
    with of(path, "2024", "2024"):
        pass
    with pytest.raises(InputError) as raised:
        of(path, "products-2025", "products-2025")
    assert str(raised.value) == (
        f"{path}: holds answers of a system that said 'products-2024', and now it says"
        " 'products-2025'; use another folder with -o, or --again to begin anew, or write expect ="
        " 'products-2024' again"
    )
    with pytest.raises(InputError, match=r"of a system that said .*, and now it says '2025'"):
        of(path, "2024", "2025")


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        ("tool 2.1", "tool", True),
        ("v1", "index v1 of books", True),
        ("", "books", True),
        ("index v1", "index v12", False),
        ("2.1", "2.1.3", False),
        ("1.3", "2.1.3", False),
        ("books", "songs", False),
    ],
)
def test_what_another_pattern_finds_is_the_same_in_whole_words(path, before, now, same):
    with of(path, "before", before):
        pass
    if same:
        of(path, "now", now)
    else:
        with pytest.raises(InputError, match="holds answers of a system that said"):
            of(path, "now", now)


def test_what_is_hidden_in_it_counts_by_its_mark(path):
    # A version before kept none.
    for mark in ("", "staging", "staging"):
        with of(path, ".*", "index ${DIR}", mark):
            pass
    told = (
        r"said 'index \$\{DIR\}', and now it says 'index \$\{DIR\}' with another value for what is"
    )
    with pytest.raises(InputError, match=told):
        of(path, ".*", "index ${DIR}", "production")
    # By another name it is the same, and by another pattern nobody can know what it was.
    with of(path, ".*", "index ${FOLDER}", "staging"):
        pass
    with pytest.raises(InputError, match=r"or write expect = '\.\*' again"):
        of(path, "index", "index")
    with of(path, ".*", "index ${FOLDER}", "staging") as journal:
        before = path.read_bytes()
        journal.still_of(Said("index ${FOLDER}", "staging"))
        assert path.read_bytes() == before
        with pytest.raises(
            InputError, match="with another value for what is hidden in it at the end"
        ):
            journal.still_of(Said("index ${FOLDER}", "production"))


def test_what_was_exchanged_while_it_was_asked_is_not_read_again(path):
    with of(path, r"v\d", "v1") as journal:
        journal.still_of(Said("v1"))
        journal.add(Reply("q3", "more"))
        before = path.read_bytes()
        with pytest.raises(InputError) as raised:
            journal.still_of(Said("v2"))
    told = (
        f"{path}: holds answers of a system that was exchanged while it was asked: it said 'v1' at"
        " the start, and 'v2' at the end; use another folder with -o, or --again to begin anew"
    )
    assert str(raised.value) == told
    # Nothing of it is lost, and nothing taken for answers of one of them.
    assert path.read_bytes().startswith(before)
    assert len(replies_in(path)) == 3
    with pytest.raises(InputError) as raised:
        Journal(path, HEAD)
    assert str(raised.value) == told
    assert Journal(path, HEAD, begin_anew=True).records == {}


def test_answers_that_came_while_nobody_asked_what_it_is_are_of_an_unknown_system(path):
    def known(*keys: str) -> tuple[str, str]:
        """What they are known to be of, and which of them are not, as it is told."""
        identity, told = Journal(path, HEAD).identity_of(keys)
        return identity, told[0].partition(" answers came")[0] if told else ""

    def asked(expected: str, identity: str, *keys: str) -> None:
        with of(path, expected, identity) as journal:
            for key in keys:
                journal.add(Reply(key, "more", seconds=len(identity)))

    # Where it never was, there is nothing to be told of it.
    asked("", "", "q3")
    assert known("q1", "q3") == ("", "")
    asked(r"v\d", "v1", "q4")
    assert known("q1", "q2", "q3", "q4") == ("", "3 of 4")
    assert known("q4") == ("v1", "")
    # What is asked again is known from then on.
    asked(r"v\d", "v1", "q3", "q1")
    assert known("q1", "q2", "q3", "q4") == ("", "1 of 4")
    asked("", "", "q5")
    asked("", "", "q1")
    assert known("q3", "q4") == ("v1", "")
    assert known("q3", "q4", "q5", "q1") == ("", "2 of 4")
    asked(r"v\d", "v1", "q6")
    assert known("q3", "q6") == ("v1", "")
    assert known("q5", "q6") == ("", "1 of 2")
    assert Journal(path, HEAD).identity_of(["q5", "q6"])[1] == (
        "1 of 2 answers came while there was no identify, and may be of another index than that of"
        " 'v1'; --again asks anew",
    )
    # It is to be the one that it was, whatever came between.
    with pytest.raises(InputError, match="said 'v1', and now it says 'v2'"):
        of(path, r"v\d", "v2")


def test_to_begin_anew_costs_nothing_before_it_begins(path):
    before = path.read_bytes()
    Journal(path, {**HEAD, "settings": "124"}, begin_anew=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "a diary\n",
        "[]\n",
        "{}\n",
        '{"judge_tui": 2}\n',
        "\x00\n",
        json.dumps({"judge_tui": 1, **HEAD}) + "\n{}\n",
        json.dumps({"judge_tui": 1, **HEAD}) + '\n{"query_id": "q", "query": "x", "new": 1}\n',
        json.dumps({"judge_tui": 1, **HEAD}) + '\n{"query_id": "q", "query": "x", "hits": [1]}\n',
    ],
)
def test_other_files_are_refused_and_stay(path, text):
    path.write_text(text)
    line = text.count("\n")
    with pytest.raises(InputError, match=rf"jsonl:{line}: is no line of collected answers"):
        Journal(path, HEAD)
    assert path.read_text() == text


def test_one_writer_at_a_time(path):
    with Journal(path, HEAD), pytest.raises(InputError, match="another program collects into it"):  # noqa: SIM117
        with Journal(path, HEAD):
            pass


def test_what_another_program_added_meanwhile_is_not_lost(path):
    late = Journal(path, HEAD)
    with Journal(path, HEAD) as journal:
        journal.add(Reply("q3", "more"))
    with pytest.raises(InputError, match="another program has collected into it meanwhile"):
        late.__enter__()
    assert len(replies_in(path)) == 3


def test_what_there_is_no_room_for_is_told_and_what_was_written_holds(path):
    """A limit to the size of files stands for a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(path, HEAD) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, limits[1]))
        try:
            with pytest.raises(InputError) as raised:
                journal.add(Reply("q3", "more"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert str(raised.value) == (
        f"{path}: cannot be written: File too large; check the folder, its permissions and the"
        " space left"
    )
    assert replies_in(path) == [FOUND, FAILED]
    with Journal(path, HEAD) as journal:
        journal.add(Reply("q3", "more"))
    assert len(replies_in(path)) == 3


def test_what_cannot_be_opened_is_told(tmp_path):
    (tmp_path / "a.answers.jsonl").mkdir()
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        Journal(tmp_path / "a.answers.jsonl", HEAD)
    with pytest.raises(InputError, match="cannot be written: No such file"):
        Journal(tmp_path / "nowhere" / "a.answers.jsonl", HEAD).__enter__()
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        Journal(tmp_path / ("x" * 300), HEAD)


def test_no_descriptor_is_left_open(path):
    def held() -> list[str]:
        links = Path("/proc/self/fd").iterdir()
        return [name for link in links if (name := os.path.realpath(link)).endswith("jsonl")]

    with Journal(path, HEAD):
        assert held() == [str(path)]
    with pytest.raises(InputError, match="other"):
        Journal(path, {})
    assert held() == []
