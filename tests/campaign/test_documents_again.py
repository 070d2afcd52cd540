"""A document that is there and comes again: what a file does not say of it stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.loaded import Loaded
from judge_tui.errors import InputError

FULL = {"title": "T", "text": "body", "url": "http://x", "kind": "guide", "team": "t1", "year": 5}


def write(campaign: Campaign, *documents: dict[str, Any]) -> Path:
    path = campaign.path.with_name("again.jsonl")
    path.write_text("".join(json.dumps({"doc_id": "a", **one}) + "\n" for one in documents))
    return path


def load(campaign: Campaign, *documents: dict[str, Any], replace: bool = False) -> Loaded:
    return load_documents(campaign, write(campaign, *documents), keep_all=True, replace=replace)


def known(campaign: Campaign, doc_id: str = "a") -> dict[str, Any]:
    """What the campaign says of it; what it does not say is not there."""
    ((*fields, meta),) = campaign.rows(
        "SELECT title, text, url, kind, meta FROM documents WHERE doc_id = ?", (doc_id,)
    )
    values = dict(zip(("title", "text", "url", "kind"), fields, strict=True)) | json.loads(meta)
    return {name: value for name, value in values.items() if value not in ("", None)}


@pytest.mark.parametrize("replace", [False, True])
def test_what_a_file_does_not_say_stays(campaign: Campaign, *, replace: bool) -> None:
    assert load(campaign, FULL).added == 1
    again = load(campaign, {"title": "T", "text": "body"}, replace=replace)
    assert (again.added, again.replaced, again.unchanged) == (0, 0, 1)
    stays = (
        "stays, as the file does not say it: kind of 1 document, metadata 'team' of 1 document,"
        " metadata 'year' of 1 document, url of 1 document"
    )
    assert again.notes == ((stays,) if replace else ())
    assert known(campaign) == FULL


def test_what_a_file_adds_is_added(campaign: Campaign) -> None:
    load(campaign, {"title": "T", "text": "body", "team": "t1"})
    added = load(campaign, {"text": "body", "url": "http://x", "kind": "guide", "year": 5})
    assert (added.added, added.replaced, added.unchanged) == (0, 1, 0)
    assert added.notes == (
        "added, as the campaign did not say it: kind of 1 document, metadata 'year' of 1 document,"
        " url of 1 document",
    )
    assert known(campaign) == FULL
    assert load(campaign, FULL).unchanged == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *((name, name) for name in ("title", "text", "url", "kind")),
        ("team", "metadata 'team'"),
        ("year", "metadata 'year'"),
    ],
)
def test_what_differs_is_named_and_holds_on_request(
    campaign: Campaign, name: str, told: str
) -> None:
    load(campaign, FULL)
    coming = {"doc_id": "a", name: "other"}
    with pytest.raises(InputError) as raised:
        load(campaign, {"doc_id": "b", "text": "new"}, coming)
    assert str(raised.value).endswith(
        f"again.jsonl:2: document 'a' differs from the campaign's in its {told};"
        " judges may have seen that one; change it with --replace"
    )
    assert known(campaign) == FULL
    assert campaign.rows("SELECT count(*) FROM documents WHERE doc_id = 'b'") == [(0,)]
    assert load(campaign, coming, replace=True).replaced == 1
    assert known(campaign) == FULL | {name: "other"}


def test_all_that_differs_is_counted(campaign: Campaign) -> None:
    load(campaign, FULL, FULL | {"doc_id": "b"})
    with pytest.raises(InputError, match=r"in its url; in all: title of 1 document, url of 2"):
        load(campaign, {"url": "u"}, {"doc_id": "b", "title": "x", "url": "u"})


def test_keys_in_another_order_say_nothing_else(campaign: Campaign) -> None:
    load(campaign, {"text": "x", "one": 1, "two": {"a": 1, "b": 2}})
    assert load(campaign, {"text": "x", "two": {"b": 2, "a": 1}, "one": 1}).unchanged == 1


VALUES = st.sampled_from(["", "x", "y"])
DOCUMENTS = st.fixed_dictionaries({}, optional=dict.fromkeys(FULL, VALUES))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(first=DOCUMENTS, second=DOCUMENTS, replace=st.booleans())
def test_what_is_said_of_a_document_is_what_both_files_say(
    campaign: Campaign, first: dict[str, str], second: dict[str, str], *, replace: bool
) -> None:
    name = f"document {campaign.rows('SELECT count(*) FROM documents')[0][0]}"
    one, two = ({name: value for name, value in its.items() if value} for its in (first, second))
    load(campaign, {"doc_id": name, **first})
    assert known(campaign, name) == one
    if not replace and any(one.get(key, value) != value for key, value in two.items()):
        with pytest.raises(InputError, match="--replace"):
            load(campaign, {"doc_id": name, **second})
        assert known(campaign, name) == one
        return
    loaded = load(campaign, {"doc_id": name, **second}, replace=replace)
    assert known(campaign, name) == one | two
    assert (loaded.replaced, loaded.unchanged) == ((1, 0) if one | two != one else (0, 1))
    assert load(campaign, {"doc_id": name, **second}, replace=replace).unchanged == 1
