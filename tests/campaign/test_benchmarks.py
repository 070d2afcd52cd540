"""A graded benchmark in a campaign: all of it or nothing, and out again as qrels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.benchmarks import load_benchmark
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.cli import cli
from judge_tui.errors import InputError
from judge_tui.formats import read_qrels
from judge_tui.formats.benchmark import read_benchmark
from judge_tui.model import Query, Scale

BENCHMARK: list[dict[str, Any]] = [
    {
        "query": "read a csv file",
        "class": "how-to",
        "documents": [
            {"id": "d1", "text": "read a csv file", "score": 3, "kind": "guide"},
            {"id": "my doc", "text": "sort a list", "score": 0},
        ],
    },
    {
        "query": "sort a list",
        "documents": [
            {"id": "my doc", "text": "sort a list", "score": 2},
            {"id": "d3", "text": "delete everything", "score": 0},
        ],
    },
]


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    return create_campaign(tmp_path / "c.db", name="c", scale=scale, guidelines="", seed=1)


def load(
    campaign: Campaign, benchmark: Any = BENCHMARK, judge: str = "bench"
) -> tuple[Loaded, ...]:
    path = campaign.path.parent / "benchmark.json"
    path.write_text(json.dumps(benchmark, indent=1))
    loaded = load_benchmark(campaign, path, read_benchmark(path), judge=judge)
    return loaded.queries, loaded.documents, loaded.grades


def everything(campaign: Campaign) -> list[object]:
    tables = ("events", "pool", "documents", "queries", "judges")
    return [campaign.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables]


def test_queries_documents_and_grades_come_in_and_a_second_time_nothing_does(campaign):
    assert load(campaign) == (Loaded(2), Loaded(3), Loaded(4))
    assert [(q.query_id, q.text, q.query_class) for q in all_queries(campaign)] == [
        ("q001", "read a csv file", "how-to"),
        ("q002", "sort a list", ""),
    ]
    rows = campaign.rows("SELECT doc_id, text, kind FROM documents ORDER BY doc_id")
    assert list(rows) == [
        ("d1", "read a csv file", "guide"),
        ("d3", "delete everything", ""),
        ("my doc", "sort a list", ""),
    ]
    assert set(campaign.rows("SELECT stratum FROM pool")) == {("loaded",)}
    before = everything(campaign)
    assert load(campaign) == (Loaded(unchanged=2), Loaded(unchanged=3), Loaded(unchanged=4))
    assert everything(campaign) == before


def test_what_is_exported_is_what_was_in_the_file(campaign, tmp_path):
    load(campaign)
    export_qrels(campaign, tmp_path / "out.qrels")
    exported = read_qrels(tmp_path / "out.qrels")
    assert exported == {"q001": {"d1": 3, "my%20doc": 0}, "q002": {"my%20doc": 2, "d3": 0}}
    assert exported == read_qrels(tmp_path / "benchmark.json")


def test_queries_without_ids_are_those_of_the_same_text(campaign):
    add_queries(campaign, [Query("sorting", "sort  a list"), Query("q003", "another one")])
    assert load(campaign)[0] == Loaded(1, unchanged=1)
    assert grades_by_judge(campaign)["bench"] == {
        ("q001", "d1"): 3,
        ("q001", "my doc"): 0,
        ("sorting", "my doc"): 2,
        ("sorting", "d3"): 0,
    }


def test_an_entry_that_was_put_in_before_changes_no_id(campaign):
    load(campaign)
    new = {"query": "new", "documents": [{"id": "d9", "text": "x", "score": 1}]}
    queries = load(campaign, [new, *BENCHMARK])[0]
    assert (queries.added, queries.unchanged) == (1, 2)
    assert [(one.query_id, one.text) for one in all_queries(campaign)] == [
        ("q001", "read a csv file"),
        ("q002", "sort a list"),
        ("q004", "new"),
    ]
    assert grades_by_judge(campaign)["bench"][("q004", "d9")] == 1
    (note,) = queries.notes
    assert "('new' is q004, not q001; 'read a csv file' is q001, not q002)" in note


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda c: load(c, _second(text="x")), "'d3' differs from the campaign's in its text"),
        (lambda c: load(c, _second(score=1)), "as 1 already"),
        (
            lambda c: add_queries(c, [Query(name, "sort a list") for name in "ab"]),
            "2 queries of the campaign are 'sort a list': a, b",
        ),
        (lambda c: None, "grade 9 is not on the campaign's scale"),
    ],
)
def test_it_is_loaded_whole_or_not_at_all(campaign, make, what):
    make(campaign)
    before = everything(campaign)
    its = _second(score=9) if "scale" in what else BENCHMARK
    with pytest.raises(InputError) as raised:
        load(campaign, its)
    assert what in str(raised.value)
    assert raised.value.line
    assert everything(campaign) == before


def _second(**changed: Any) -> list[dict[str, Any]]:
    """The benchmark with one document for its second query."""
    document = {"id": "d3", "text": "delete everything", "score": 0, **changed}
    return [BENCHMARK[0], {**BENCHMARK[1], "documents": [document]}]


def test_the_command(tmp_path):
    db, path = str(tmp_path / "c.db"), tmp_path / "b.json"
    documents = [{"id": f"d{n}", "text": "t", "score": n / 2} for n in range(3)]
    path.write_text(json.dumps([{"query": "a", "documents": documents}]))

    def done(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(cli, [*arguments, "--db", db])
        assert result.exit_code == code, result.output
        return result.output.replace(str(path), "FILE")

    done("init", "--name", "c")
    load = ("load", "benchmark", str(path), "--judge", "m", "--kind", "model")
    assert done(*load, "--scores", "0=0,1=3").splitlines() == [
        "FILE: queries: 1 added",
        "FILE: documents: 3 added",
        "FILE: grades of m: 3 added",
        "note: scores became grades, as declared: from 0 is grade 0 (2), from 1 is grade 3 (1)",
    ]
    with open_campaign(tmp_path / "c.db") as campaign:
        given = grades_by_judge(campaign, include_models=True)
    assert given == {"m": {("q001", "d0"): 0, ("q001", "d1"): 0, ("q001", "d2"): 3}}
    assert "--scores is not SCORE=GRADE" in done(*load, "--scores", "1", code=2)
    refused = done(*load, code=2)
    assert (
        "has graded 'd1' for 'q001' as 0 already, not 1; let the file's grades hold with --replace;"
        " grades by another --scores are another judge's"
    ) in refused
    documents[0]["text"] = "another"
    path.write_text(json.dumps([{"query": "a", "documents": documents}]))
    assert "change it with --replace" in done(*load, "--scores", "0=0,1=3", code=2)
    again = done(*load, "--scores", "0=0,1=3", "--replace")
    assert "FILE: documents: 1 changed, 2 there already" in again


def loaded_as_qrels(
    campaign: Campaign, benchmark: Any, **options: Any
) -> dict[tuple[str, str], int]:
    """Whose grades came of a benchmark that `load qrels` reads."""
    path = campaign.path.parent / "benchmark.json"
    path.write_text(json.dumps(benchmark))
    load_qrels(campaign, path, judge="ann", **options)
    return grades_by_judge(campaign).get("ann", {})


def test_as_qrels_its_grades_are_those_of_its_texts_wherever_they_stand(campaign):
    add_queries(campaign, [Query("q001", "walk a tree"), Query("q002", "sort a list")])
    with pytest.raises(InputError, match="query 'read a csv file' is not in the campaign"):
        loaded_as_qrels(campaign, BENCHMARK)
    expected = {("q002", "my doc"): 2, ("q002", "d3"): 0}
    assert loaded_as_qrels(campaign, BENCHMARK, skip_unknown=True) == expected


def test_as_qrels_a_text_that_was_mended_in_its_place_is_known(campaign):
    load(campaign)
    more = [{**BENCHMARK[0], "query": "how to join"}, {**BENCHMARK[0], "query": "how to parse"}]
    load(campaign, [*BENCHMARK, *more], judge="other")
    mended = [{**BENCHMARK[0], "query": "read a csv fiel"}, BENCHMARK[1], *more]
    assert loaded_as_qrels(campaign, mended)["q001", "d1"] == 3


@pytest.mark.parametrize("form", ["benchmark", "rank-eval"])
def test_as_qrels_an_id_of_another_query_is_refused(campaign, form):
    add_queries(campaign, [Query("a", "walk a tree")])
    others: Any = [{**BENCHMARK[0], "query_id": "a"}]
    if form == "rank-eval":
        ratings = [{"_index": "i", "_id": "d1", "rating": 3}]
        request = {"id": "a", "params": {"query": "read a csv file"}, "ratings": ratings}
        others = {"requests": [{**request, "template_id": "t"}], "templates": []}
    with pytest.raises(InputError, match="'a' is 'walk a tree' in the campaign, and 'read a csv"):
        loaded_as_qrels(campaign, others)
    assert loaded_as_qrels(campaign, others, skip_unknown=True) == {}
    with campaign.writing() as connection:
        connection.execute("UPDATE queries SET text = 'Read a CSV file?'")
    assert loaded_as_qrels(campaign, others)["a", "d1"] == 3


def test_grades_that_were_mended_are_those_of_the_texts(tmp_path):
    """Whatever the order of the file is by then."""
    db, path = str(tmp_path / "c.db"), tmp_path / "b.json"
    texts = {"one": 1, "two": 0, "three": 2}

    def written(*names: str) -> None:
        entries = [
            {"query": name, "documents": [{"id": "d", "text": "t", "score": texts[name]}]}
            for name in names
        ]
        path.write_text(json.dumps(entries))

    def done(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(cli, ["load", *words, str(path), "--judge", "b", "--db", db])
        assert result.exit_code == code, result.output
        return result.output.replace(str(path), "FILE")

    def grades() -> list[int]:
        with open_campaign(tmp_path / "c.db") as campaign:
            given = grades_by_judge(campaign)["b"]
        return [given[f"q00{number}", "d"] for number in (1, 2, 3)]

    CliRunner().invoke(cli, ["init", "--name", "c", "--db", db])
    written("one", "two", "three")
    done("benchmark")
    texts["one"] = 3
    written("two", "three", "one")
    refused = "judge 'b' has graded 'd' for 'q001' as 1 already, not 3"
    for command in ("benchmark", "qrels"):
        assert refused in done(command, code=2)
    assert grades() == [1, 0, 2]
    told = done("qrels", "--replace")
    assert "FILE: grades of b: 1 replaced, 2 there already" in told
    assert grades() == [3, 0, 2]
    texts["one"] = 0
    written("one", "three", "two")
    assert "FILE: grades of b: 1 replaced, 2 there already" in done("benchmark", "--replace")
    assert grades() == [0, 0, 2]
    # What the campaign does not have, or has with another text, has no grades in it.
    texts["four"] = 1
    written("four", "one", "two", "three")
    assert "FILE:1: query 'four' is not in the campaign" in done("qrels", code=2)
    assert "1 left out" in done("qrels", "--skip-unknown")
    written("one")
    path.write_text(path.read_text().replace('"query": "one"', '"query_id": "q002", "query": "x"'))
    assert (
        "FILE:1: query 'q002' is 'two' in the campaign, and 'x' here; if its text was mended,"
        " first: judge-tui load queries FILE --replace; another query takes a query_id of its"
    ) in done("benchmark", code=2)
