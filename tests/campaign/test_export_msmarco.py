"""A campaign written as MS MARCO has it is read back, but for what that has no place for."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.export_run import export_run
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.campaign.runs import kept_rankings
from judge_tui.cli import cli
from judge_tui.formats import encode_id, iter_documents, recognise
from judge_tui.formats.ids import table_field
from tests.loading_runs import load_run


def test_it_comes_back_but_for_what_is_told(campaign: Campaign, files: Path) -> None:
    (files / "more.jsonl").write_text('{"doc_id": "my file", "text": "one\\ttwo\\nthree  four"}\n')
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\nq2 0 my%20file 0\nq2 0 bare 1\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    load_documents(campaign, files / "more.jsonl")
    out = files / "out"
    done = CliRunner().invoke(
        cli, ["export", "msmarco", "-d", str(campaign.path), "-o", str(out), "--split", "dev"]
    )
    assert done.exit_code == 0, done.output
    assert done.stdout == (
        f"{out}: 2 queries, 6 documents, 3 grades of 2 queries\n"
        "        5  left out: not judged\n        1  left out: documents without a text\n"
        "        1  texts with tabs or line ends, which are blanks there\n"
        f"{out}/qrels.dev.tsv.provenance.json: where the grades came from\n"
    )
    assert done.stderr.startswith("note: left out by msmarco: titles, addresses, metadata, desc")
    assert (out / "queries.dev.tsv").read_text() == "q1\tread a CSV file\nq2\tsort lists\n"
    assert (out / "qrels.dev.tsv").read_text() == (
        "q1\t0\tcsv.reader\t3\nq2\t0\tbare\t1\nq2\t0\tmy%20file\t0\n"
    )
    texts = {
        one.doc_id: one.text for _, one in iter_documents(out / "collection.tsv", format="tsv")
    }
    assert len(texts) == 6
    # As in the qrels, so that who joins them by id finds it.
    assert texts["my%20file"] == "one two three  four"
    assert recognise(out / "qrels.dev.tsv") == ("qrels", "trec")
    with create_campaign(files / "other.db", name="o", scale=campaign.settings.scale) as other:
        load_queries(other, out / "queries.dev.tsv")
        load_qrels(other, out / "qrels.dev.tsv", judge="ann")
        load_documents(other, out / "collection.tsv", format="tsv")
        assert [query.text for query in all_queries(other)] == ["read a CSV file", "sort lists"]
        assert grades_by_judge(other) == grades_by_judge(campaign)
        assert other.rows("SELECT text FROM documents WHERE doc_id = 'my file'") == [
            ("one two three  four",)
        ]


def test_the_same_folder_is_written_again_and_no_other(campaign: Campaign, files: Path) -> None:
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    arguments = ["-d", str(campaign.path), "-o", str(files / "out")]
    for split in ("dev", "test", "dev"):
        done = CliRunner().invoke(cli, ["export", "msmarco", *arguments, "--split", split])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(cli, ["export", "beir", *arguments])
    assert done.exit_code == 2
    assert "the folder holds something else: 'collection.tsv'; give one that is new" in done.stderr
    # A corpus that is not written again would be read in place of the one that is.
    (files / "beir").mkdir()
    (files / "beir" / "corpus.jsonl.gz").write_text("")
    done = CliRunner().invoke(cli, ["export", "beir", *arguments[:3], str(files / "beir")])
    assert "the folder holds something else: 'corpus.jsonl.gz'; give one that" in done.stderr


def test_ids_are_the_same_in_all_files(campaign: Campaign, files: Path) -> None:
    (files / "odd.jsonl").write_text(
        '{"doc_id": "x\\ty", "text": "one"}\n{"doc_id": "x z", "text": "two"}\n'
    )
    load_documents(campaign, files / "odd.jsonl", keep_all=True)
    (files / "ann.qrels").write_text("q1 0 x%09y 3\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    told = (
        "written with codes such as %20, in all files as in the qrels, and read back as they were"
        " as long as the provenance is beside them: 2\n"
    )
    for form in ("msmarco", "beir"):
        done = CliRunner().invoke(
            cli, ["export", form, "-d", str(campaign.path), "-o", str(files / form)]
        )
        assert done.exit_code == 0, done.output
        assert (told in done.stderr) == (form == "msmarco")
    collection = (files / "msmarco" / "collection.tsv").read_text()
    assert "\nx%09y\tone\nx%20z\ttwo\n" in collection
    assert (files / "msmarco" / "qrels.test.tsv").read_text() == "q1\t0\tx%09y\t3\n"


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("wanted", ["all", "graded"])
def test_ids_come_back_as_they_were_whatever_is_loaded_first(
    campaign: Campaign, files: Path, packed: str, wanted: str
) -> None:
    ids = ["my page", "my%20page", "https://x.org/a%20b"]
    (files / "d.jsonl").write_text("".join(f'{{"doc_id": "{one}", "text": "t"}}\n' for one in ids))
    load_documents(campaign, files / "d.jsonl", keep_all=True)
    asked = [one.strip() for one in AWKWARD]
    more = [{"query_id": one, "text": f"new {number}"} for number, one in enumerate(asked)]
    (files / "more.jsonl").write_text("".join(json.dumps(one) + "\n" for one in more))
    load_queries(campaign, files / "more.jsonl")
    graded = {one: {"my page": number % 4} for number, one in enumerate(asked)}
    grades = {"q1": dict.fromkeys(ids, 1), **graded}
    (files / "g.json").write_text(json.dumps(grades))
    load_qrels(campaign, files / "g.json", judge="ann")
    out = files / "out"
    done = CliRunner().invoke(cli, ["export", "msmarco", "-d", str(campaign.path), "-o", str(out)])
    assert done.exit_code == 0, done.output
    collection, queries = out / f"collection.tsv{packed}", out / f"queries.test.tsv{packed}"
    if packed:
        for one in (collection, queries):
            one.write_bytes(gzip.compress(one.with_suffix("").read_bytes()))
    with create_campaign(files / "o.db", name="o", scale=campaign.settings.scale) as other:
        load_queries(other, queries)
        if wanted == "all":
            load_documents(other, collection, keep_all=True)
        load_qrels(other, files / "g.json", judge="bo")
        load_qrels(other, out / "qrels.test.tsv", judge="ann")
        load_documents(other, collection)
        assert {query.query_id for query in all_queries(other)} == {"q1", "q2", *asked}
        assert grades_by_judge(other)["ann"] == grades_by_judge(campaign)["ann"]
        assert grades_by_judge(other)["bo"] == grades_by_judge(campaign)["ann"]
        texts = other.rows("SELECT doc_id FROM documents WHERE text = 't' ORDER BY doc_id")
        assert [one for (one,) in texts] == sorted(ids)


@pytest.mark.parametrize(
    "beside", [None, "", "[1]", "[" * 100_000, '{"coded_ids": 1}', '{"coded_ids": ["other.tsv"]}']
)
def test_ids_of_other_collections_are_as_they_stand(
    campaign: Campaign, files: Path, beside: str | None
) -> None:
    (files / "collection.tsv").write_text("https://x.org/a%20b\tt\n")
    if beside is not None:
        (files / "qrels.tsv.provenance.json").write_text(beside)
    load_documents(campaign, files / "collection.tsv", keep_all=True)
    assert campaign.rows("SELECT doc_id FROM documents WHERE text = 't'") == [
        ("https://x.org/a%20b",)
    ]


AWKWARD = [
    "x\ty",
    "x z",
    "x%20z",
    "x%2520z",
    " around ",
    "https://x.org/a%20b",
    "e\u0301",
    "'plain",
]


def test_a_run_can_be_joined_with_the_collection_and_comes_back(
    campaign: Campaign, files: Path
) -> None:
    rows = [f"q1 Q0 {encode_id(one)} 1 {-place} odd\n" for place, one in enumerate(AWKWARD)]
    (files / "odd.run").write_text("".join(rows))
    load_run(campaign, files / "odd.run")
    ids = map(table_field, AWKWARD)
    records = (json.dumps({"doc_id": one, "text": "some text"}) + "\n" for one in ids)
    (files / "odd.jsonl").write_text("".join(records))
    load_documents(campaign, files / "odd.jsonl")
    grades = [f"q1 0 {encode_id(one)} {place % 4}\n" for place, one in enumerate(AWKWARD)]
    (files / "ann.qrels").write_text("".join(grades))
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    out, ranking = files / "out", files / "odd.tsv"
    for words in (["msmarco", "-o", str(out)], ["run", "--tag", "odd", "-o", str(ranking)]):
        form = ["-f", "msmarco"] if words[0] == "run" else []
        done = CliRunner().invoke(cli, ["export", *words, *form, "-d", str(campaign.path)])
        assert done.exit_code == 0, done.output
    # As any tool does it that splits lines at their tabs.
    ids = [line.split("\t")[1] for line in ranking.read_text().splitlines()]
    collection = (out / "collection.tsv").read_text().splitlines()
    qrels = (out / "qrels.test.tsv").read_text().splitlines()
    assert set(ids) <= {line.split("\t")[0] for line in collection}
    assert set(ids) == {line.split("\t")[2] for line in qrels}
    with create_campaign(files / "alone.db", name="o", scale=campaign.settings.scale) as other:
        load_queries(other, out / "queries.test.tsv")
        load_run(other, ranking)
        assert kept_rankings(other)["odd"]["q1"] == AWKWARD
        export_run(other, files / "again.tsv", tag="odd", form="msmarco")
    assert (files / "again.tsv").read_bytes() == ranking.read_bytes()
    with create_campaign(files / "whole.db", name="o", scale=campaign.settings.scale) as other:
        load_queries(other, out / "queries.test.tsv")
        load_documents(other, out / "collection.tsv", format="tsv", keep_all=True)
        load_run(other, ranking, format="msmarco")
        text = "SELECT count(text) FROM results AS r JOIN documents AS d ON d.id = r.document"
        assert other.rows(text) == [(len(AWKWARD),)]
    done = CliRunner().invoke(
        cli, ["score", str(out / "qrels.test.tsv"), str(ranking), "-m", "Judged@10", "-f", "json"]
    )
    found = json.loads(done.stdout)
    assert (found["runs"][0]["mean"]["Judged@10"], found["warnings"]) == (1.0, [])
