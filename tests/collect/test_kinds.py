"""A new kind says itself what its answers depend on: nothing else has to know it."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.collect import collect, read_systems
from judge_tui.collect.kinds import KINDS, Searcher
from judge_tui.collect.reply import Hit
from judge_tui.errors import InputError
from tests.collect.asking import OUT, QUERIES, systems_file


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
            open=opened, files=(listed,), beside=frozenset({"aloud"}), gives_texts=False
        )

    monkeypatch.setitem(KINDS, "listing", read)

    def found(**settings):
        table = {"kind": "listing", "list": "ids.txt", **settings}
        systems = read_systems(systems_file(tmp_path, {"it": table}), environment={})
        (one,) = collect(systems, QUERIES, tmp_path / OUT)
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
