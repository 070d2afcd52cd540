"""A new kind says itself what its answers depend on: nothing else has to know it."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.collect import read_systems
from judge_tui.collect.kinds import KINDS, Searcher
from judge_tui.collect.reply import Hit
from judge_tui.errors import InputError
from tests.collect.asking import OUT, QUERIES, collect, systems_file


class _Listed:
    def __init__(self, ids):
        self._ids = ids

    async def ask(self, _query, k):
        return [Hit(one) for one in self._ids[:k]]


@pytest.fixture
def listing(monkeypatch, tmp_path):
    """The kind `listing`: the ids of a file of its own, whatever the query is. Called with further
    settings of a system, it asks that."""

    def read(section):
        listed = section.plain("list", required=True)
        section.flag("aloud")

        @asynccontextmanager
        async def opened(around):
            yield _Listed((around.folder / listed).read_text().split())

        return Searcher(
            open=opened, documents=listed, beside=frozenset({"aloud"}), gives_texts=False
        )

    monkeypatch.setitem(KINDS, "listing", read)

    def found(**settings):
        table = {"kind": "listing", "list": "ids.txt", **settings}
        systems = read_systems(systems_file(tmp_path, {"it": table}), environment={})
        (one,) = collect(systems, QUERIES, tmp_path / OUT).systems
        return one.kept, [hit.doc_id for hit in one.replies[0].hits]

    return found


def test_answers_out_of_a_file_that_has_changed_are_not_used_again(listing, tmp_path):
    (tmp_path / "ids.txt").write_text("a b")
    assert listing() == (0, ["a", "b"])
    # What the kind says changes no answer, and what changes none of any kind.
    assert listing(aloud=True, retries=7) == (len(QUERIES), ["a", "b"])
    (tmp_path / "ids.txt").write_text("b a")
    with pytest.raises(InputError, match="other settings"):
        listing()


def test_a_file_that_a_system_reads_is_not_written_over(listing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queries.tsv").write_text("q1\ta\n")
    read = tmp_path / OUT / "it.run"
    read.parent.mkdir()
    read.write_text("a b")
    systems_file(tmp_path, {"it": {"kind": "listing", "list": f"{OUT}/it.run"}})
    asked = ["collect", "systems.toml", "--queries", "queries.tsv", "-o", OUT]
    result = CliRunner().invoke(cli, asked)
    assert (result.exit_code, read.read_text()) == (2, "a b")
    assert "is a file that is read here" in result.stderr


KEY = "sk-0123456789abcdef"
PUBLIC = "api_key=chosen_by_Nobody_2024"


@pytest.fixture
def keyed(monkeypatch, tmp_path):
    """The kind `keyed`, which says nothing of its keys, and whose results give them back. Called
    with settings of a system, it asks that."""

    def read(section):
        names = ("apikey", "admin_key", "connection", "key", "title_key")
        values = [section.plain(name) for name in names] + [section.plain("note", public=True)]
        if (inner := section.inner("login")) is not None:
            values.append(inner.plain("api_key"))
        said = " ".join(values)

        @asynccontextmanager
        async def opened(_around):
            yield _Said(said)

        return Searcher(open=opened, beside=frozenset(), gives_texts=True)

    monkeypatch.setitem(KINDS, "keyed", read)

    def found(**settings):
        table = {"kind": "keyed", **settings}
        systems = read_systems(systems_file(tmp_path, {"it": table}), environment={})
        (one,) = collect(systems, QUERIES, tmp_path / OUT).systems
        return one, systems

    return found


class _Said:
    def __init__(self, text):
        self._text = text

    async def ask(self, _query, _k):
        return [Hit("d", text=self._text)]


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({"apikey": KEY}, "apikey"),
        ({"admin_key": KEY}, "admin_key"),
        ({"connection": f"host=h&password={KEY}"}, "password"),
        ({"connection": f'{{"token": "{KEY}"}}'}, "token"),
        ({"login": {"api_key": KEY}}, "api_key"),
    ],
)
def test_a_key_in_a_setting_that_a_kind_says_nothing_of_is_in_no_file(
    keyed, tmp_path, settings, where
):
    one, systems = keyed(**settings)
    written = [path.read_text() for path in (tmp_path / OUT).iterdir()]
    assert written
    assert [text for text in written if KEY in text] == []
    told = "it.login" if "login" in settings else "it"
    assert systems.secrets.written_out == [f"{where} of {told}"]
    assert f"({where} of {told})" in one.replies[0].hits[0].text


def test_what_a_kind_says_is_public_and_what_is_no_key_is_shown(keyed, tmp_path):
    settings = {"note": PUBLIC, "key": "title", "admin_key": "{query}", "connection": "host=h"}
    one, systems = keyed(**settings)
    kept = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]["settings"]
    assert kept == {"kind": "keyed", **settings}
    assert systems.secrets.written_out == []
    assert PUBLIC in one.replies[0].hits[0].text


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ({"title_key": "title"}, {"title_key": "name"}),
        ({"login": {"api_key": "films"}}, {"login": {"api_key": "books"}}),
    ],
)
def test_another_short_value_that_is_hidden_is_another_system(keyed, first, other):
    keyed(**first)
    assert keyed(**first)[0].kept == len(QUERIES)
    with pytest.raises(InputError, match="other settings"):
        keyed(**other)


def test_what_of_todays_kinds_is_shown_stays_as_it_is(tmp_path):
    looks = f"api_key={KEY}"
    embedding = {
        "kind": "embedding",
        "url": "http://h/",
        "model": looks,
        "query_prefix": looks,
        "document_prefix": looks,
        "documents": looks,
        "cache": looks,
        "currency": "password=abc",
        "price": 1,
    }
    command = {
        "kind": "command",
        "argv": ["p", "{query}"],
        "cwd": looks,
        "pattern": looks,
        "identify": {"argv": ["p"], "cwd": looks, "expect": looks},
    }
    task = {
        "kind": "task",
        "url": "http://h/",
        "model": looks,
        "system": looks,
        "prompt": f"{{query}} {{context}} {looks}",
        "language": looks,
        "arms": {"plain": {}, "docs": {"context": "embedding", "documents": looks}},
        "checks": {"runs": ["true"]},
        "check_env": {"MODE": looks},
    }
    tables = {"embedding": embedding, "command": command, "task": task}
    read = read_systems(systems_file(tmp_path, tables), environment={})
    shown = {one.name: one.settings for one in (*read.systems, *read.tasks)}
    assert shown == tables
    assert read.secrets.written_out == []
