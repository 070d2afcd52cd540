"""What an id is, which query is meant, and the one check across files: runs and the queries that
`collect` wrote beside them."""

from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.collected import refuse_other_texts
from judge_tui.formats.ids import id_in
from judge_tui.formats.query_names import KnownQueries, QueryText
from judge_tui.model import Query


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("d1", "d1"),
        (" d1\t", "d1"),
        ("my file", "my%20file"),
        ("my%20file", "my%20file"),
        ("my%2520file", "my%2520file"),
        ("a\tb\nc", "a%09b%0Ac"),
        ("a\x1cb", "a%1Cb"),
        ("a\u00a0b\u3000", "a%C2%A0b%E3%80%80"),
        ("cafe\u0301", "cafe\u0301"),
        ("caf\u00e9", "caf\u00e9"),
    ],
)
def test_an_id_is_one_token(text: str, wanted: str) -> None:
    assert id_in(text) == wanted
    assert id_in(wanted) == wanted


@pytest.mark.parametrize("text", ["", " \t", "a\0b", "a\ud800"])
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(UsageError):
        id_in(text)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "queries.jsonl").write_text(
        '{"query_id": "q1", "text": "red  cars"}\n{"query_id": "q 2", "text": "cats"}\n'
    )
    (tmp_path / "collect.json").write_text("{}")
    return tmp_path / "new.run"


def test_texts_that_were_asked(run: Path) -> None:
    known = {"q1": "red cars ", "q9": "dogs"}
    refuse_other_texts(run, KnownQueries([Query(*one) for one in known.items()], run))
    others = KnownQueries([Query("q1", "red cars"), Query("q%202", "dogs")], run)
    with pytest.raises(InputError, match="'q%202' is 'dogs' in the queries, and 'cats' here") as no:
        refuse_other_texts(run, others)
    assert (no.value.path, no.value.line) == (str(run.parent / "queries.jsonl"), 2)
    refuse_other_texts("-", others)
    (run.parent / "collect.json").unlink()
    refuse_other_texts(run, others)


KNOWN = [
    Query("q001", "read a file"),
    Query("7", "sort lists"),
    Query("8", "sort  lists\n"),
    Query("my%20query", "café"),
    Query("9", "my%20file"),
]


@pytest.mark.parametrize(
    ("name", "query_id"),
    [
        ("7", "7"),
        ("read a file", None),
        (QueryText("read  a\tfile"), "q001"),
        # nothing is coded, and nothing decoded
        (QueryText("read%20a%20file"), None),
        (QueryText("my%20file"), "9"),
        (QueryText("my file"), None),
        (QueryText("café"), None),
        (QueryText("Read a file"), None),
        (QueryText("q001"), None),
        ("my query", None),
        ("my%20query", "my%20query"),
    ],
)
def test_a_query_is_found_by_its_id_else_by_exactly_its_text(
    name: str, query_id: str | None
) -> None:
    known = KnownQueries(KNOWN, "file", whose="the campaign")
    found = known.find(3, name)
    assert (found.query_id if found else None) == query_id
    if found is None:
        with pytest.raises(InputError, match=r"^file:3: query '.*' is not in the campaign; add it"):
            known.get(3, name)


def test_a_text_that_is_another_or_of_two_is_refused() -> None:
    known = KnownQueries(KNOWN, "file")
    assert known.find(1, "7", "sort\n lists") == KNOWN[1]
    with pytest.raises(InputError, match=r"file:1: query '7' is 'sort lists' .* and 'sort' here"):
        known.find(1, "7", "sort")
    with pytest.raises(InputError, match="the text 'sort lists' belongs to 7 and 8"):
        known.find(1, QueryText("sort lists"))
