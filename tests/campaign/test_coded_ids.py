"""Ids with a code such as %20 of their own, as addresses have them, in files of other tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.benchmarks import load_benchmark
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.campaign.runs import kept_rankings
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.cli import cli
from judge_tui.errors import UsageError
from judge_tui.formats import check_file, encode_id, read_grades
from judge_tui.formats.benchmark import read_benchmark
from judge_tui.formats.qrels_files import QRELS_FORMS
from judge_tui.formats.run_files import RUN_FORMS
from tests.loading_runs import load_run

PAGE = "https://x.org/My%20Page"

FILES = {
    "opensearch.json": json.dumps(
        {"judgmentRatings": [{"query": "q1", "ratings": [{"docId": PAGE, "rating": "2"}]}]}
    ),
    "rank-eval.json": json.dumps(
        {"requests": [{"id": "q1", "ratings": [{"_index": "i", "_id": PAGE, "rating": 2}]}]}
    ),
    "quepid.csv": f"query,docid,rating\nq1,{PAGE},2\n",
    "ranx.json": json.dumps({"q1": {PAGE: 2}}),
    "beir.tsv": f"query-id\tcorpus-id\tscore\nq1\t{PAGE}\t2\n",
    "trec.qrels": f"q1 0 {PAGE} 2\n",
    "letor.txt": f"2 qid:q1 #docid = {PAGE}\n",
    # As judge_tui itself writes it.
    "own.qrels": "q1 0 https://x.org/My%2520Page 2\n",
}


def addresses(campaign: Campaign) -> list[tuple[str, str]]:
    return [pair for pair in pair_keys(campaign) if pair[1].startswith("https:")]


@pytest.fixture
def collected(campaign: Campaign, files: Path) -> Campaign:
    """With a run of `collect`, which writes the code of an address as what it is."""
    (files / "api.run").write_text("q1 Q0 https://x.org/My%2520Page 1 1 api\n")
    load_run(campaign, files / "api.run")
    return campaign


@pytest.mark.parametrize("name", FILES)
def test_grades_come_to_the_document_that_is_there(
    collected: Campaign, files: Path, name: str
) -> None:
    (files / name).write_text(FILES[name])
    loaded = load_qrels(collected, files / name, judge="ann")
    assert (loaded.added, loaded.notes) == (1, ())
    assert addresses(collected) == [("q1", PAGE)]


def test_judgments_of_a_labelling_tool_as_well(collected: Campaign, files: Path) -> None:
    path = files / "umbrela.jsonl"
    record = {"model": "m", "qid": "q1", "docid": PAGE, "query": "Read a CSV file", "passage": "p"}
    path.write_text(json.dumps({**record, "judgment": 1}) + "\n")
    load_several_judges(collected, path, read_grades(path))
    assert addresses(collected) == [("q1", PAGE)]


def test_what_has_white_space_keeps_it(collected: Campaign, files: Path) -> None:
    (files / "blank.run").write_text("q1 Q0 https://x.org/My%20Page 1 1 blank\n")
    load_run(collected, files / "blank.run")
    (files / "t.csv").write_text(FILES["quepid.csv"].replace("%20", " "))
    load_qrels(collected, files / "t.csv", judge="ann")
    assert addresses(collected) == [("q1", "https://x.org/My Page")]


def test_what_nobody_knows_is_as_it_stands(campaign: Campaign, files: Path) -> None:
    (files / "t.json").write_text(FILES["ranx.json"])
    loaded = load_qrels(campaign, files / "t.json", judge="ann")
    assert loaded.notes == ()
    assert addresses(campaign) == [("q1", PAGE)]


def test_what_is_known_decoded_alone_is_taken_so_and_told(campaign: Campaign, files: Path) -> None:
    (files / "blank.run").write_text("q1 Q0 https://x.org/My%20Page 1 1 blank\n")
    load_run(campaign, files / "blank.run")
    (files / "t.json").write_text(FILES["ranx.json"])
    loaded = load_qrels(campaign, files / "t.json", judge="ann")
    assert loaded.notes == (
        "1 document id holds a code such as %20, and the campaign knows it decoded alone:"
        " 'https://x.org/My%20Page' is taken for 'https://x.org/My Page'",
    )
    assert addresses(campaign) == [("q1", "https://x.org/My Page")]


def graded(campaign: Campaign) -> list[tuple[str, str]]:
    return list(grades_by_judge(campaign)["sheet"])


def benchmark_of(*doc_ids: str) -> str:
    documents = [{"id": one, "text": one, "score": 2} for one in doc_ids]
    return json.dumps([{"query_id": "q1", "query": "read a CSV file", "documents": documents}])


def test_a_benchmark_comes_to_the_documents_that_are_there(campaign: Campaign, files: Path) -> None:
    (files / "blank.run").write_text("q1 Q0 https://x.org/My%20Page 1 1 blank\n")
    load_run(campaign, files / "blank.run")
    (path := files / "bench.json").write_text(benchmark_of(PAGE, "https://x.org/new%20one"))
    loaded = load_benchmark(campaign, path, read_benchmark(path), judge="ann").grades
    assert loaded.added == 2
    assert [one for one in loaded.notes if "%20" in one] == [
        "1 document id holds a code such as %20, and the campaign knows it decoded alone:"
        " 'https://x.org/My%20Page' is taken for 'https://x.org/My Page'"
    ]
    assert addresses(campaign) == [
        ("q1", "https://x.org/My Page"),
        ("q1", "https://x.org/new%20one"),
    ]
    (text,) = campaign.rows("SELECT text FROM documents WHERE doc_id = 'https://x.org/My Page'")
    assert text == (PAGE,)


def test_a_benchmark_with_both_spellings_has_two_documents(campaign: Campaign, files: Path) -> None:
    (files / "blank.run").write_text("q1 Q0 https://x.org/My%20Page 1 1 blank\n")
    load_run(campaign, files / "blank.run")
    (path := files / "bench.json").write_text(benchmark_of(PAGE, PAGE.replace("%20", " ")))
    load_benchmark(campaign, path, read_benchmark(path), judge="ann")
    assert sorted(addresses(campaign)) == [("q1", "https://x.org/My Page"), ("q1", PAGE)]


SPELLED = {
    # Answers, the id in a run of TREC, and the document that gets the grade.
    "an address": ({"expected": [PAGE]}, PAGE, "https://x.org/My Page"),
    "lines": ({"expected": ["my%20guide.md:3-9"]}, "my%20guide.md:5-20", "my guide.md:5-20"),
    "a line and a column": ({"expected": ["a%20b.py:3-9"]}, "a%20b.py:4:1", "a b.py:4:1"),
    "a whole file": ({"expected": ["my%20guide.md"]}, "./my%20guide.md:2", "./my guide.md:2"),
    "a pattern": ({"pattern": "My%20Page$"}, PAGE, "https://x.org/My Page"),
    "accents": ({"expected": ["\u00dcb.md:3-9"]}, "U\u0308b.md:5", "U\u0308b.md:5"),
    "a blank": ({"expected": ["my guide.md"]}, "my%20guide.md", "my guide.md"),
    "a blank, and its code there": (
        {"expected": ["my guide.md"]},
        "my%2520guide.md",
        "my%20guide.md",
    ),
}


@pytest.mark.parametrize("name", SPELLED)
def test_answers_come_to_results_in_either_spelling(
    campaign: Campaign, files: Path, name: str
) -> None:
    answer, retrieved, there = SPELLED[name]
    (files / "other.run").write_text(f"q1 Q0 {retrieved} 1 1 other\n")
    load_run(campaign, files / "other.run")
    (path := files / "answers.jsonl").write_text(json.dumps({"query_id": "q1", **answer}) + "\n")
    loaded = load_answers(campaign, path, judge="sheet")
    assert (loaded.added, loaded.notes) == (1, ())
    assert graded(campaign) == [("q1", there)]
    again = load_answers(campaign, path, judge="sheet")
    assert (again.unchanged, again.added, again.notes) == (1, 0, ())


def test_of_two_documents_that_a_code_tells_apart_an_answer_means_its_own(
    campaign: Campaign, files: Path
) -> None:
    (files / "both.run").write_text("q1 Q0 a%20b.md 1 2 both\nq1 Q0 a%2520b.md 2 1 both\n")
    load_run(campaign, files / "both.run")
    (path := files / "answers.csv").write_text("query_id,result1\nq1,a%20b.md\n")
    load_answers(campaign, path, judge="sheet")
    assert graded(campaign) == [("q1", "a%20b.md")]


def test_an_answer_that_nobody_retrieved_is_the_document_that_the_campaign_has(
    campaign: Campaign, files: Path
) -> None:
    (files / "blank.run").write_text("q1 Q0 https://x.org/My%20Page 1 1 blank\n")
    load_run(campaign, files / "blank.run")
    (path := files / "answers.csv").write_text(f"query_id,result1\nq2,{PAGE}\n")
    load_answers(campaign, path, judge="sheet")
    assert graded(campaign) == [("q2", "https://x.org/My Page")]


def test_lines_that_come_later_in_the_other_spelling_are_told_and_graded(
    campaign: Campaign, files: Path
) -> None:
    (path := files / "answers.csv").write_text("query_id,result1\nq1,my%20guide.md:3-9\n")
    (files / "first.run").write_text("q1 Q0 d1 1 1 first\n")
    load_run(campaign, files / "first.run")
    load_answers(campaign, path, judge="sheet")
    (files / "late.run").write_text("q1 Q0 my%20guide.md:5-20 1 1 late\n")
    (note,) = load_run(campaign, files / "late.run")[1].notes
    assert "my guide.md:5-20 does with my%20guide.md:3-9" in note
    again = load_answers(campaign, path, judge="sheet")
    assert (again.added, again.unchanged) == (1, 1)
    assert "paths in the pool of which a run has retrieved other lines since: 1" in again.notes[0]


EDGED = "https://x.org/a%20"


@pytest.mark.parametrize("form", [form for form in QRELS_FORMS if form != "msmarco"])
def test_an_id_that_ends_with_a_code_is_exported_as_it_came(
    campaign: Campaign, files: Path, form: str
) -> None:
    (files / "t.csv").write_text(f"query,docid,rating\nq1,{EDGED},2\n")
    load_qrels(campaign, files / "t.csv", judge="ann")
    assert addresses(campaign) == [("q1", EDGED)]
    index = "i" if form in ("rre", "rank-eval") else None
    exported = export_qrels(campaign, files / "out", format=form, index=index)
    assert (exported.read_back_otherwise, f"{EDGED}%" in (files / "out").read_text()) == (0, False)
    again = load_qrels(campaign, files / "out", judge="bo")
    assert (again.added, addresses(campaign)) == (1, [("q1", EDGED)])


@pytest.mark.parametrize("collected", [True, False])
def test_such_an_id_is_that_of_a_run_of_trec_from_either_tool(
    campaign: Campaign, files: Path, collected: bool
) -> None:
    written = encode_id(EDGED) if collected else EDGED
    (files / "r.run").write_text(f"q1 Q0 {written} 1 1 r\n")
    load_run(campaign, files / "r.run")
    (files / "t.csv").write_text(f"query,docid,rating\nq1,{EDGED},2\n")
    load_qrels(campaign, files / "t.csv", judge="ann")
    native = EDGED if collected else "https://x.org/a "
    assert addresses(campaign) == [("q1", native)]
    exported = export_qrels(campaign, files / "out", format="quepid")
    # Quepid would cut the white space off, and it would be another document.
    assert (files / "out").read_text().splitlines()[1] == f"read a CSV file,{EDGED},2"
    assert exported.read_back_otherwise == (not collected)


@pytest.mark.parametrize("form", ["ranx", "quepid", "results", "quepid-detailed"])
def test_two_documents_that_would_be_one_in_a_table_are_refused(
    campaign: Campaign, files: Path, form: str
) -> None:
    (files / "r.run").write_text("q1 Q0 a%20 1 2 r\nq1 Q0 a%2520 2 1 r\n")
    load_run(campaign, files / "r.run")
    (files / "a.qrels").write_text("q1 0 a%20 2\nq1 0 a%2520 1\n")
    load_qrels(campaign, files / "a.qrels", judge="ann")

    def export() -> None:
        if form in RUN_FORMS:
            export_run(campaign, files / "out", tag="r", form=form)
        else:
            export_qrels(campaign, files / "out", format=form)

    with pytest.raises(UsageError, match="documents of query q1: 'a ' and 'a%20' would both be"):
        export()
    assert not (files / "out").exists()


IDS = ["my file", "my%20file", "my%2520file", "https://x.org/My%20Page?q=a%20b"]


@pytest.mark.parametrize("form", ["trec", *QRELS_FORMS])
def test_qrels_keep_every_id(campaign: Campaign, tmp_path: Path, form: str) -> None:
    rows = "".join(f"q1 0 {encode_id(one)} 1\n" for one in IDS)
    (tmp_path / "first").write_text(rows)
    load_qrels(campaign, tmp_path / "first", judge="ann")
    out, again = tmp_path / "out", tmp_path / "again"
    index = "i" if form in ("rre", "rank-eval") else None
    export_qrels(campaign, out, format=form, index=index)
    with create_campaign(tmp_path / "other.db", name="o", scale=campaign.settings.scale) as other:
        add_queries(other, all_queries(campaign))
        load_qrels(other, out, judge="ann")
        assert pair_keys(other).keys() == {("q1", one) for one in IDS}
        export_qrels(other, again, format=form, index=index)
    assert again.read_bytes() == out.read_bytes()
    if form not in ("trec", "msmarco"):
        assert all(one in out.read_text() for one in IDS)
        assert "my%252520file" not in out.read_text()


@pytest.mark.parametrize(
    "form", ["trec", *(form for form, its in RUN_FORMS.items() if not its.has_grades)]
)
def test_runs_keep_every_id(campaign: Campaign, tmp_path: Path, form: str) -> None:
    lines = [f"q1 Q0 {encode_id(one)} 1 {-place} t\n" for place, one in enumerate(IDS)]
    (tmp_path / "first").write_text("".join(lines))
    load_run(campaign, tmp_path / "first")
    out = tmp_path / "out"
    export_run(campaign, out, tag="t", form=form)
    with create_campaign(tmp_path / "other.db", name="o", scale=campaign.settings.scale) as other:
        add_queries(other, all_queries(campaign))
        load_run(other, out, tag="t")
        assert kept_rankings(other)["t"] == {"q1": IDS}
    if form not in ("trec", "msmarco"):
        assert all(one in out.read_text() for one in IDS)


@pytest.mark.parametrize("qrels", ["trec", "ranx", "beir"])
@pytest.mark.parametrize("run", ["trec", "ranx", "msmarco", "results"])
def test_two_files_of_one_sort_score_as_the_campaign_does(
    campaign: Campaign, tmp_path: Path, qrels: str, run: str
) -> None:
    if (qrels == "trec") != (run in ("trec", "msmarco")):
        return
    ids = [IDS[0], IDS[-1], " around", "around ", "around%2520", "%20other"]
    lines = [f"q1 Q0 {encode_id(one)} 1 {-place} t\n" for place, one in enumerate(ids)]
    (tmp_path / "first.run").write_text("".join(lines))
    load_run(campaign, tmp_path / "first.run")
    rows = [f"q1 0 {encode_id(one)} {place % 3}\n" for place, one in enumerate(ids)]
    (tmp_path / "first.qrels").write_text("".join(rows))
    load_qrels(campaign, tmp_path / "first.qrels", judge="ann")
    judged, returned = str(tmp_path / "judged"), str(tmp_path / "returned")
    export_qrels(campaign, judged, format=qrels)
    export_run(campaign, returned, tag="t", form=run)
    means = []
    for given in ([judged, returned], ["--db", str(campaign.path), "t"]):
        done = CliRunner().invoke(cli, ["score", *given, "-m", "nDCG@10", "-f", "json"])
        assert done.exit_code == 0, done.output
        (one,) = json.loads(done.stdout)["runs"]
        means.append((one["queries"], one["mean"]["nDCG@10"]))
    assert means[0] == means[1]


JUDGED = {
    "trec": "q1 0 %s 1\n",
    "csv": "query_id,doc_id,relevance\nq1,%s,1\n",
    "rank-eval": '{"requests": [{"id": "q1", "ratings": [{"_id": "%s", "rating": 1}]}]}',
    "quepid": "query,docid,rating\nq1,%s,1\n",
}
RETURNED = {
    "trec": "q1 Q0 %s 1 1 t\nq1 Q0 other 2 0 t\n",
    "csv": "query_id,doc_id,score\nq1,%s,1\nq1,other,0\n",
    "json": '{"q1": {"%s": 1.5, "other": 0.5}}',
}


@pytest.mark.parametrize(
    ("qrels", "judged", "run", "returned", "told"),
    [
        ("trec", "a%2520b", "csv", "a%20b", True),
        ("trec", "a%2520b", "json", "a%20b", True),
        ("trec", "a%2520b", "trec", "a%20b", True),
        ("csv", "a%20b", "trec", "a%2520b", True),
        ("csv", "%20a", "trec", "%2520a", True),
        ("quepid", "a%20", "trec", "a%2520", True),
        # As other tools have an address, and as a blank is written.
        ("trec", "a%20b", "csv", "a%20b", False),
        ("csv", "a b", "trec", "a%20b", False),
        ("quepid", "a%20", "trec", "a%20", False),
        ("trec", "%20a", "json", "%20a", False),
        ("trec", "a%2520b", "trec", "a%2520b", False),
        ("csv", "a%20b", "json", "b", False),
        # Both are there: two documents.
        ("csv", "a%20b", "trec", "a%20b 1 3 t\nq1 Q0 a%2520b", False),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_judged_documents_that_a_run_spells_otherwise_are_told(
    tmp_path: Path, command: str, qrels: str, judged: str, run: str, returned: str, told: bool
) -> None:
    (tmp_path / "q").write_text(JUDGED[qrels] % judged)
    (tmp_path / "r").write_text(RETURNED[run] % returned)
    (tmp_path / "s").write_text(RETURNED[run] % "other/one")
    files = [str(tmp_path / "q"), str(tmp_path / "r"), f"s={tmp_path / 's'}"]
    done = CliRunner().invoke(cli, [command, *files, "-f", "json"])
    assert done.exit_code == 0, done.output
    warnings = [one for one in json.loads(done.stdout)["warnings"] if "another spelling" in one]
    assert len(warnings) == told, warnings
    if told:
        tag = "t" if run == "trec" else "r"
        assert f"judged documents that run '{tag}' has under another spelling" in warnings[0]
        assert "codes such as %20: 1, such as" in warnings[0]
        assert "they count as not retrieved: export both as TREC has them" in warnings[0]


BOTH = {
    "g.json": '{"a b": {"1": 2}, "a%20b": {"2": 2, "3": 0}}',
    "g.csv": "query_id,doc_id,relevance\na b,1,2\na%20b,2,2\na%20b,3,0\n",
    "quepid.csv": "query,docid,rating\na b,1,2\na%20b,2,2\na%20b,3,0\n",
    "os.json": '{"judgmentRatings": [{"query": "a b", "ratings": [{"docId": "1", "rating": 2}]},'
    ' {"query": "a%20b", "ratings": [{"docId": "2", "rating": 2}, {"docId": "3", "rating": 0}]}]}',
    "r.json": '{"a b": {"1": 2.5}, "a%20b": {"3": 2.5, "2": 1}}',
    "r.csv": "query_id,doc_id,score\na b,1,2\na%20b,3,2\na%20b,2,1\n",
    "s.csv": "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    "S,,,a b,1,1\nS,,,a%20b,3,1\nS,,,a%20b,2,2\n",
    "lone.csv": "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    "S,,,a b,1,1\nS,,,a%20b,,\n",
    "results.csv": "query_id,doc_id,rank,relevant\na b,1,1,2\na%20b,3,1,0\na%20b,2,2,2\n",
}


@pytest.mark.parametrize("name", BOTH)
def test_queries_that_a_code_tells_apart_are_not_mixed(tmp_path: Path, name: str) -> None:
    (path := tmp_path / name).write_text(BOTH[name])
    (tmp_path / "r").write_text("q Q0 d 1 1 t\n")
    (tmp_path / "q").write_text("q 0 d 1\n")
    if name == "results.csv":
        at = [path]
    else:
        at = ["q", path] if name in ("r.json", "r.csv", "s.csv", "lone.csv") else [path, "r"]
    done = CliRunner().invoke(cli, ["score", *(str(tmp_path / one) for one in at)])
    assert done.exit_code == 2
    assert "query 'a%20b' is the same here as 'a b', line " in done.stderr
    assert "write one of the two otherwise, or, where they are two ids, load" in done.stderr
    noted: list[str] = []
    assert check_file(path, noted=noted.append) == []
    assert (
        "ids that differ in nothing but a blank and its code, %20: 1, such as 'a b' and 'a%20b'; a"
        " campaign tells them apart, score refuses the file"
    ) in noted


@pytest.mark.parametrize("name", ["quepid.csv", "os.json", "g.csv"])
def test_a_campaign_tells_such_queries_apart(tmp_path: Path, name: str) -> None:
    for file, written in BOTH.items():
        (tmp_path / file).write_text(written)
    (tmp_path / "q.jsonl").write_text(
        '{"query_id": "a b", "text": "a b"}\n{"query_id": "a%20b", "text": "a%20b"}\n'
    )
    db = ["-d", str(tmp_path / "c.db")]

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(cli, list(arguments), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    run("init", *db, "--scale", "0=no,1=some,2=good")
    if name == "g.csv":
        run("load", "queries", *db, str(tmp_path / "q.jsonl"))
    run("load", "qrels", *db, str(tmp_path / name), "--judge", "Ann")
    run("load", "run", *db, str(tmp_path / "s.csv"))
    assert "0.7500" in run("score", *db, "-m", "RR")
