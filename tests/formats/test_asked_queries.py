"""The one check across files: runs and the queries that `collect` wrote beside them."""

from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.asked_queries import refuse_other_texts, texts_asked
from judge_tui.formats.ids import id_in
from judge_tui.formats.query_names import QueryNames


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
    assert texts_asked(run) == {"q1": "red  cars", "q%202": "cats"}
    refuse_other_texts(run, {"q1": "red cars ", "q9": "dogs"})
    with pytest.raises(InputError) as caught:
        refuse_other_texts(run, {"q1": "red cars", "q%202": "dogs"})
    assert caught.value.path == str(run)
    assert "'cats'" in caught.value.what
    assert "'dogs'" in caught.value.what


@pytest.mark.parametrize("missing", ["queries.jsonl", "collect.json"])
def test_a_folder_that_collect_did_not_write_says_nothing(run: Path, missing: str) -> None:
    (run.parent / missing).unlink()
    assert texts_asked(run) == {}
    assert texts_asked("-") == {}


def test_queries_by_exact_text() -> None:
    names = QueryNames({"q1": "cats", "q2": "dogs", "q7": " cats\n", "q8": "Dogs"})
    assert names.of_text("dogs ") == "q2"
    assert names.of_text("birds") is None
    with pytest.raises(UsageError, match="belongs to q1 and q7"):
        names.of_text("cats")
