"""Texts from a checkout: read with what stands around them, and looked after when it changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.documents import load_document_files, load_documents
from judge_tui.campaign.loaded import Loaded
from judge_tui.errors import InputError
from tests.loading_runs import load_run

FIRST, SECOND = "src/a.py:5-6", "src/a.py#L9"
STAYS = (
    "document 'src/a.py:5-6' has another text in the campaign than here, which stays: judges may"
    " have seen it; --root alone, with --replace, takes the one here"
)


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


def load(campaign: Campaign, root: Path, *, replace: bool = False) -> Loaded:
    (loaded,) = load_document_files(campaign, [], root=root, replace=replace)
    return loaded


def row(campaign: Campaign, doc_id: str) -> tuple[str, str, str, str, dict[str, Any]]:
    ((title, text, url, kind, meta),) = campaign.rows(
        "SELECT title, text, url, kind, meta FROM documents WHERE doc_id = ?", (doc_id,)
    )
    return title, text, url, kind, json.loads(meta)


MISSING = ("csv.reader", "csv.writer", "json.load", "list.sort", "sorted")


def test_the_lines_and_where_they_are_from(campaign: Campaign, root: Path) -> None:
    loaded = load(campaign, root)
    assert (loaded.added, loaded.left_out) == (2, 1)
    assert loaded.notes == ("no: 'no' is not there",)
    title, text, url, kind, meta = row(campaign, FIRST)
    assert (title, text, url, kind) == ("", "line = 5\nline = 6\n", "", "python")
    held = meta["checkout"]
    assert (held["path"], held["start"], held["end"], held["lines"]) == ("src/a.py", 5, 6, 20)
    assert held["before"] == "".join(f"line = {n}\n" for n in range(1, 5))
    assert held["after"] == "".join(f"line = {n}\n" for n in range(7, 17))


def test_the_same_checkout_again_changes_nothing(campaign: Campaign, root: Path) -> None:
    load(campaign, root)
    before = row(campaign, FIRST)
    again = load(campaign, root)
    assert (again.added, again.replaced, again.unchanged) == (0, 0, 2)
    assert again.notes == ("no: 'no' is not there",)
    assert row(campaign, FIRST) == before


def test_a_change_elsewhere_in_the_file_is_said(campaign: Campaign, root: Path) -> None:
    load(campaign, root)
    before = row(campaign, FIRST)[4]["checkout"]
    write(root, *range(1, 7), "seven", *range(8, 21))
    again = load(campaign, root)
    assert (again.added, again.replaced, again.unchanged) == (0, 0, 2)
    assert again.notes[0] == (
        "src/a.py changed since it was loaded; the lines of 2 documents are the same"
    )
    now = row(campaign, FIRST)[4]["checkout"]
    assert now["sha256"] != before["sha256"]
    assert now["after"].startswith("line = seven\n")
    # It is said once: now this is the checkout that was loaded from.
    assert load(campaign, root).notes == ("no: 'no' is not there",)


def test_other_lines_are_refused_and_replaced_on_request(campaign: Campaign, root: Path) -> None:
    load(campaign, root)
    before = row(campaign, FIRST), row(campaign, SECOND)
    write(root, *range(1, 9), "nine", *range(10, 21))
    with pytest.raises(
        InputError,
        match=r"checkout: src/a\.py changed since it was loaded, and with it document 'src/a.py#L9'"
        r"; judges may have seen .*--replace",
    ):
        load(campaign, root)
    assert (row(campaign, FIRST), row(campaign, SECOND)) == before
    replaced = load(campaign, root, replace=True)
    assert (replaced.replaced, replaced.unchanged) == (1, 1)
    assert row(campaign, SECOND)[1] == "line = nine\n"


def test_lines_that_are_gone_leave_the_text(campaign: Campaign, root: Path) -> None:
    load(campaign, root)
    write(root, *range(1, 8))
    again = load(campaign, root)
    assert again.notes == (
        "src/a.py changed since it was loaded; the lines of 1 document are the same",
        "1 document that has a text cannot be read here; the text stays",
        "no: 'no' is not there",
    )
    assert row(campaign, SECOND)[1] == "line = 9\n"


def test_of_lines_behind_the_end_of_their_file_those_are_shown_that_are_there(
    campaign: Campaign, root: Path, files: Path
) -> None:
    long, beyond = "src/a.py:18-40", "src/a.py:21-40"
    (files / "long.run").write_text(f"q1 Q0 {long} 1 2 long\nq1 Q0 {beyond} 2 1 long\n")
    load_run(campaign, files / "long.run")
    told = (
        f"{long}: 'src/a.py' has 20 lines, not 40; its text is what is there",
        f"{beyond}: 'src/a.py' has 20 lines, not 40",
        "no: 'no' is not there",
    )
    loaded = load(campaign, root)
    assert (loaded.added, loaded.left_out) == (3, 2)
    assert sorted(loaded.notes) == sorted(told)
    _, text, _, _, meta = row(campaign, long)
    assert text == "line = 18\nline = 19\nline = 20\n"
    held = meta["checkout"]
    assert (held["start"], held["end"], held["lines"], held["after"]) == (18, 20, 20, "")
    again = load(campaign, root)
    assert (again.added, again.unchanged) == (0, 3)
    # It has more lines now, which nobody saw.
    write(root, *range(1, 31))
    with pytest.raises(InputError, match="changed since it was loaded, and"):
        load(campaign, root)
    load(campaign, root, replace=True)
    assert row(campaign, long)[1].endswith("line = 30\n")
    # And now fewer: what was seen stays.
    write(root, *range(1, 21))
    shorter = load(campaign, root, replace=True)
    assert not [note for note in shorter.notes if "its text is what is there" in note]
    assert row(campaign, long)[1].endswith("line = 30\n")


def test_what_else_is_known_of_a_document_stays(
    campaign: Campaign, root: Path, files: Path
) -> None:
    """With --replace, documents of other sources get the text of the checkout, and no more."""
    given = {"doc_id": FIRST, "title": "T", "url": "u", "text": "other", "branch": "main"}
    (files / "given.jsonl").write_text(json.dumps(given) + "\n")
    load_documents(campaign, files / "given.jsonl")
    loaded = load(campaign, root)
    assert (loaded.added, loaded.replaced, loaded.unchanged) == (1, 0, 0)
    assert loaded.notes == (STAYS, "no: 'no' is not there")
    assert row(campaign, FIRST)[1] == "other"
    replaced = load(campaign, root, replace=True)
    assert (replaced.replaced, replaced.unchanged) == (1, 1)
    title, text, url, kind, meta = row(campaign, FIRST)
    assert (title, text, url, kind) == ("T", "line = 5\nline = 6\n", "u", "python")
    assert meta.keys() == {"branch", "checkout"}


def test_a_key_of_the_same_name_is_left_alone(campaign: Campaign, root: Path, files: Path) -> None:
    given = {"doc_id": FIRST, "text": "other", "checkout": "main"}
    (files / "given.jsonl").write_text(json.dumps(given) + "\n")
    load_documents(campaign, files / "given.jsonl")
    assert load(campaign, root).added == 1
    assert row(campaign, FIRST)[4] == {"checkout": "main"}
    given["text"] = "line = 5\nline = 6\n"
    (files / "given.jsonl").write_text(json.dumps(given) + "\n")
    load_documents(campaign, files / "given.jsonl", replace=True)
    loaded = load(campaign, root)
    assert (loaded.added, loaded.replaced, loaded.unchanged) == (0, 0, 2)
    assert row(campaign, FIRST)[4] == {"checkout": "main"}


def test_of_a_text_that_a_file_has_as_well_is_added_where_it_is(
    campaign: Campaign, root: Path, files: Path
) -> None:
    given = {"doc_id": FIRST, "title": "T", "text": "line = 5\nline = 6\n", "branch": "main"}
    (files / "given.jsonl").write_text(json.dumps(given) + "\n")
    load_documents(campaign, files / "given.jsonl")
    loaded = load(campaign, root)
    assert (loaded.added, loaded.replaced, loaded.unchanged) == (1, 0, 1)
    assert loaded.notes == (
        "1 document had the text of the checkout already; which lines of which file that is was"
        " added",
        "no: 'no' is not there",
    )
    title, text, _, kind, meta = row(campaign, FIRST)
    assert (title, text, kind, meta["branch"]) == ("T", given["text"], "python", "main")
    assert (meta["checkout"]["start"], meta["checkout"]["end"]) == (5, 6)
    assert load(campaign, root).notes == ("no: 'no' is not there",)


def test_several_texts_of_files_stay_and_are_told_as_one_note(
    campaign: Campaign, root: Path, files: Path
) -> None:
    """What is told is no longer than it has to be: a run of snippets has thousands."""
    lines = [{"doc_id": one, "text": "a snippet"} for one in (FIRST, SECOND, "no")]
    (files / "given.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    load_documents(campaign, files / "given.jsonl")
    loaded = load(campaign, root)
    assert loaded == Loaded(
        notes=(
            "2 documents, such as 'src/a.py#L9', have other texts in the campaign than here, which"
            " stay: judges may have seen them; --root alone, with --replace, takes those here",
        )
    )
    assert [row(campaign, one)[1] for one in (FIRST, SECOND, "no")] == ["a snippet"] * 3
    replaced = load(campaign, root, replace=True)
    assert replaced.replaced == 2
    assert row(campaign, SECOND)[1] == "line = 9\n"


def test_a_text_of_a_file_is_no_longer_of_the_checkout(
    campaign: Campaign, root: Path, files: Path
) -> None:
    """Where its lines were is said of the text that they are, and of no other one."""
    load(campaign, root)
    was = row(campaign, FIRST)
    given = files / "given.jsonl"
    given.write_text(json.dumps({"doc_id": FIRST, "text": was[1], "team": "t"}) + "\n")
    load_documents(campaign, given)
    assert row(campaign, FIRST)[4] == {**was[4], "team": "t"}
    given.write_text(json.dumps({"doc_id": FIRST, "text": "other"}) + "\n")
    load_documents(campaign, given, replace=True)
    assert row(campaign, FIRST)[4] == {"team": "t"}
    assert load(campaign, root).notes == (STAYS, "no: 'no' is not there")
    assert row(campaign, FIRST)[1] == "other"


@pytest.mark.parametrize("replace", [False, True])
def test_files_and_a_checkout_in_one_load(
    campaign: Campaign, root: Path, files: Path, *, replace: bool
) -> None:
    """The text of a file that is named stays, and what it has no text of gets that of the checkout:
    as if the one were loaded after the other."""
    lines = [{"doc_id": FIRST, "text": "given"}, {"doc_id": SECOND, "title": "T"}]
    given = files / "given.jsonl"
    given.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    from_file, from_root = load_document_files(campaign, [given], root=root, replace=replace)
    assert (from_file.added, from_root.added, from_root.replaced) == (2, 0, 1)
    assert from_root.notes[-2:] == (STAYS, "no: 'no' is not there")
    assert row(campaign, FIRST)[1] == "given"
    assert row(campaign, SECOND)[:2] == ("T", "line = 9\n")
    given.write_text(json.dumps({"doc_id": SECOND, "url": "u"}) + "\n")
    write(root, *range(8, 21), "end")
    with pytest.raises(InputError, match="changed since it was loaded"):
        load_document_files(campaign, [given], root=root)
    again = load_document_files(campaign, [given], root=root, replace=True)
    assert [one.replaced for one in again] == [1, 2]
    assert row(campaign, SECOND)[:3] == ("T", "line = 16\n", "u")
    assert row(campaign, FIRST)[1] == "line = 12\nline = 13\n"


def test_what_came_without_a_text_gets_that_of_the_checkout(
    campaign: Campaign, root: Path, files: Path
) -> None:
    told = files / "titles.jsonl"
    lines = [{"doc_id": one, "title": "T", "url": "u"} for one in (FIRST, "no")]
    told.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    load_documents(campaign, told)
    loaded = load(campaign, root)
    assert (loaded.added, loaded.replaced, loaded.left_out) == (1, 1, 0)
    assert loaded.notes == ("1 document of which a file had all but a text is not there, either",)
    assert row(campaign, FIRST)[:4] == ("T", "line = 5\nline = 6\n", "u", "python")
    assert row(campaign, "no")[:3] == ("T", "", "u")
    assert load(campaign, root).replaced == 0
