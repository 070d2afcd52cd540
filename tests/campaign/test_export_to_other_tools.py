"""What is exported for Quepid, RRE, OpenSearch and Elasticsearch is read back as it was."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.adjudication import settle
from judge_tui.campaign.export_judgments import judgments
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.judges import add_judge, all_judges
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import add_queries, all_queries, load_queries
from judge_tui.campaign.runs import kept_rankings
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.cli import cli
from judge_tui.errors import UsageError
from judge_tui.formats import check_file, encode_id, read_grades
from judge_tui.formats.qrels_files import one_text_each
from judge_tui.model import Scale
from tests.formats.test_other_tools import BOOK
from tests.loading_runs import load_run

FORMATS = ("quepid", "quepid-json", "rre", "opensearch", "rank-eval")
GRADES = {
    ("q1", "csv.reader"): 3,
    ("q1", "=cmd|' /C calc'!A0"): 0,
    ("q1", 'a, "b"; c'): 1,
    ("q3", "-5"): 2,
    ("q3", "naïve\u00a0"): 0,
    ("q3", "my file"): 1,
}


@pytest.fixture
def hostile(campaign: Campaign, files: Path) -> Campaign:
    """The small campaign with a query and documents that a spreadsheet would run."""
    (files / "more.jsonl").write_text('{"query_id": "q3", "text": "=1+1, \\"x\\" 100%20y"}\n')
    load_queries(campaign, files / "more.jsonl")
    rows = [f"{query} 0 {encode_id(doc)} {grade}\n" for (query, doc), grade in GRADES.items()]
    (files / "ann.qrels").write_text("".join(rows))
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    return campaign


def run(campaign: Campaign, *arguments: str) -> Result:
    return CliRunner().invoke(
        cli, [*arguments[:2], "-d", str(campaign.path), *arguments[2:]], catch_exceptions=False
    )


@pytest.mark.parametrize("form", FORMATS)
def test_qrels_come_back_as_they_were(hostile: Campaign, tmp_path: Path, form: str) -> None:
    path = tmp_path / "out"
    done = run(hostile, "export", "qrels", "-o", str(path), "-f", form, "--index", "docs")
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith(f"note: left out by {form}: ")
    assert json.loads(Path(f"{path}.provenance.json").read_text())["format"] == form
    assert check_file(path, format=f"qrels:{form}") == check_file(path) == []
    assert load_qrels(hostile, path, judge="again").added == len(GRADES)
    assert grades_by_judge(hostile)["again"] == GRADES
    before = path.read_bytes()
    assert run(
        hostile, "export", "qrels", "-o", str(path), "-f", form, "--index", "docs",
        "--judge", "again",
    ).exit_code == 0  # fmt: skip
    assert path.read_bytes() == before


def test_no_cell_of_a_csv_is_a_formula(hostile: Campaign, tmp_path: Path) -> None:
    add_judge(hostile, "=HYPERLINK(1)")
    load_qrels(hostile, tmp_path / "ann.qrels", judge="=HYPERLINK(1)")
    for name, what, form in (("q", "qrels", "quepid"), ("b", "judgments", "quepid-book")):
        assert run(hostile, "export", what, "-o", str(tmp_path / name), "-f", form).exit_code == 0
        with (tmp_path / name).open(newline="") as file:
            rows = list(csv.reader(file))
        # A book has the pairs of the pool that nobody has judged as well.
        graded = [row for row in rows[1:] if any(row[2:])]
        assert len(graded) == len(GRADES)
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_ids_that_would_be_read_otherwise_are_told(campaign: Campaign, files: Path) -> None:
    (files / "ann.qrels").write_text("q1 0 my%2520file 1\nq1 0 %20around 1\n")
    load_qrels(campaign, files / "ann.qrels", judge="ann")
    done = run(campaign, "export", "qrels", "-o", str(files / "out"), "-f", "quepid")
    assert done.stderr.endswith(
        "note: ids of documents that begin or end with white space, which this form cannot hold,"
        " written with codes such as %20, and read back so: 1\n"
    )
    assert "\nread a CSV file,%20around,1\n" in (files / "out").read_text()


@pytest.mark.parametrize("form", ["quepid", "quepid-json", "rre", "opensearch"])
def test_queries_that_a_code_tells_apart_go_out_and_come_back(
    hostile: Campaign, tmp_path: Path, form: str
) -> None:
    for query_id, text in (("q1", "a b"), ("q3", "a%20b")):
        hostile.connection.execute(
            "UPDATE queries SET text = ? WHERE query_id = ?", (text, query_id)
        )
    out, back = tmp_path / "out", tmp_path / "back"
    done = run(hostile, "export", "qrels", "-o", str(out), "-f", form, "--index", "i")
    assert done.exit_code == 0, done.stderr
    before = tmp_path / "before"
    run(hostile, "export", "qrels", "-o", str(before))
    load_qrels(hostile, out, judge="again")
    run(hostile, "export", "qrels", "-o", str(back), "--judge", "again")
    assert back.read_text() == before.read_text()


@pytest.mark.parametrize("form", ["quepid", "quepid-json", "rre", "opensearch"])
def test_two_queries_of_one_text_are_refused(hostile: Campaign, tmp_path: Path, form: str) -> None:
    hostile.connection.execute("UPDATE queries SET text = ' same'")
    done = run(hostile, "export", "qrels", "-o", str(tmp_path / "out"), "-f", form, "--index", "i")
    assert done.exit_code == 2
    assert f"queries q1 and q3 are both 'same', and {form} tells queries by their" in done.stderr
    assert not (tmp_path / "out").exists()
    done = run(
        hostile, "export", "qrels", "-o", str(tmp_path / "out"), "-f", "rank-eval", "--index", "i"
    )
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        ({"q1": "a", "q2": "A", "q3": " a"}, "queries q1 and q3 are both 'a', and rre tells"),
        ({"q1": "a", "q2": "a", "q3": "a"}, "queries q1 and q2 are both 'a' (so are q3), and rre"),
        (
            {"q1": "a", "q2": "b b", "q3": "b  b", "q4": "a"},
            "queries q1 and q4 are both 'a'; so it is with 2 texts in all, and rre tells",
        ),
    ],
)
def test_all_queries_of_one_text_are_told_with_a_way_out(texts: dict[str, str], named: str) -> None:
    with pytest.raises(UsageError) as raised:
        one_text_each(texts, "rre", "trec")
    assert raised.value.what.startswith(named)
    assert raised.value.mend == (
        "write trec, which have ids; or, if they are one query, give them one id in what export"
        " judgments and export run write, and load that into a new campaign"
    )


def test_two_queries_are_one_in_a_new_campaign(hostile: Campaign, tmp_path: Path) -> None:
    text = all_queries(hostile)[0].text
    hostile.connection.execute("UPDATE queries SET text = ? WHERE query_id = 'q3'", (text,))
    (tmp_path / "bo.qrels").write_text("q1 0 csv.reader 2\nq3 0 csv.writer 1\n")
    load_qrels(hostile, tmp_path / "bo.qrels", judge="bo")
    (tmp_path / "late.run").write_text("q3 Q0 csv.writer 1 1 late\nq2 Q0 sorted 1 1 late\n")
    load_run(hostile, tmp_path / "late.run")
    for what in ("judgments -f csv", "run --tag late"):
        (out := tmp_path / "out").unlink(missing_ok=True)
        done = run(hostile, "export", *what.split(), "-o", str(out))
        assert done.exit_code == 0, done.stderr
        one = re.sub("^q3(?=[, ])", "q1", out.read_text(), flags=re.MULTILINE)
        (tmp_path / what.split()[0]).write_text(one)
    scale = hostile.settings.scale
    with create_campaign(tmp_path / "new.db", name="n", scale=scale) as new:
        add_queries(new, [query for query in all_queries(hostile) if query.query_id != "q3"])
        load_run(new, tmp_path / "run")
        load_several_judges(new, tmp_path / "judgments", read_grades(tmp_path / "judgments"))
        assert kept_rankings(new)["late"] == {"q1": ["csv.writer"], "q2": ["sorted"]}
        of_one = {
            judge: {("q1" if query == "q3" else query, doc): grade for (query, doc), grade in its}
            for judge, its in ((j, g.items()) for j, g in grades_by_judge(hostile).items())
        }
        assert grades_by_judge(new) == of_one
        export = ("export", "qrels", "-o", str(tmp_path / "q"), "-f", "quepid", "--policy", "max")
        assert run(new, *export).exit_code == 0


@pytest.mark.parametrize(
    ("what", "form", "instead"),
    [
        ("qrels --index i", "rre", "rank-eval, beir, msmarco, ranx or trec"),
        ("run --tag alpha", "quepid-snapshot", "ranx, msmarco, results or trec"),
        ("run --tag alpha", "quepid-detailed", "ranx, msmarco, results or trec"),
        ("judgments", "quepid-book", "csv, jsonl or label-studio"),
        ("judgments", "quepid-book-json", "csv, jsonl or label-studio"),
    ],
)
def test_forms_that_have_ids_are_named_where_texts_do_not_tell_queries_apart(
    hostile: Campaign, tmp_path: Path, what: str, form: str, instead: str
) -> None:
    hostile.connection.execute("UPDATE queries SET text = ' same'")
    export = ("export", *what.split(), "-o", str(tmp_path / "out"), "-f")
    done = run(hostile, *export, form)
    assert (done.exit_code, f"; write {instead}, which have ids" in done.stderr) == (2, True)
    forms = instead.replace("TREC qrels", "trec").replace(" or ", ", ").split(", ")
    for one in forms:
        assert run(hostile, *export, one).exit_code == 0


@pytest.mark.parametrize("form", ["rre", "rank-eval"])
def test_an_index_is_asked_for(hostile: Campaign, tmp_path: Path, form: str) -> None:
    done = run(hostile, "export", "qrels", "-o", str(tmp_path / "out"), "-f", form)
    assert done.exit_code == 2
    assert f"{form} names the index of the documents; give it with --index NAME" in done.stderr


def test_a_book_in_json_comes_back_whole(campaign: Campaign, files: Path) -> None:
    (files / "book.json").write_text(BOOK.replace("all there", " all\\n  there\\n"))
    assert run(campaign, "load", "qrels", str(files / "book.json")).exit_code == 0
    done = run(
        campaign, "export", "judgments", "-o", str(files / "out.json"), "-f", "quepid-book-json"
    )
    assert done.exit_code == 0
    assert "left out by quepid-book-json: ids of queries, times, who is a model" in done.stderr
    book = json.loads((files / "out.json").read_text())
    assert book["scale"] == "0,1,2,3"
    explanations = [
        one["explanation"] for pair in book["query_doc_pairs"] for one in pair["judgements"]
    ]
    assert sorted(filter(None, explanations)) == [" all\n  there\n"]
    other = create_campaign(files / "other.db", name="o", scale=Scale.parse("0=a,1=b,2=c,3=d"))
    with other:
        assert run(other, "load", "queries", str(files / "queries.jsonl")).exit_code == 0
        assert run(other, "load", "qrels", str(files / "out.json")).exit_code == 0
        assert said(other) == said(campaign)


def test_judgments_without_an_address_come_and_go_without(campaign: Campaign, files: Path) -> None:
    def judgement(rating: int, **more: str) -> dict[str, object]:
        return {"rating": float(rating), "unrateable": False, "judge_later": False, **more}

    nameless = [judgement(number % 4) for number in range(11)]
    pairs = {"csv.reader": [*nameless, judgement(3, user_email="ann@x.org")], "d": nameless[2:3]}
    book = {
        "query_doc_pairs": [
            {"query_text": "read a CSV file", "doc_id": doc_id, "judgements": those}
            for doc_id, those in pairs.items()
        ]
    }
    (files / "book.json").write_text(json.dumps(book))
    assert check_file(files / "book.json") == []
    done = run(campaign, "load", "qrels", str(files / "book.json"))
    assert (
        "note: up to 11 judgments of a pair have no address: they are of Anonymous to Anonymous 11,"
        " each of whom may be somebody else in another pair\n"
    ) in done.stderr
    assert [(one.name, one.kind) for one in all_judges(campaign)][:3] == [
        ("Anonymous", "human"), ("Anonymous 10", "human"), ("Anonymous 11", "human")
    ]  # fmt: skip
    out = str(files / "out.json")
    run(campaign, "export", "judgments", "-o", out, "-f", "quepid-book-json")
    written = {
        pair["doc_id"]: [(one.get("user_email"), one["rating"]) for one in pair["judgements"]]
        for pair in json.loads(Path(out).read_text())["query_doc_pairs"]
    }
    assert written["csv.reader"] == [
        ("ann@x.org", 3.0), *((None, float(number % 4)) for number in range(11))
    ]  # fmt: skip
    assert written["d"] == [(None, 2.0)]
    assert "Anonymous" not in Path(out).read_text()


def test_judges_whom_quepid_cannot_know_are_told(campaign: Campaign, files: Path) -> None:
    (files / "book.csv").write_text(
        "query,docid,Jo O'Hara,Bob,ann@x.org,Anonymous\nread a CSV file,csv.reader,3,2,1,0\n"
    )
    load = ("load", "qrels", str(files / "book.csv"))
    export = ("export", "judgments", "-o", str(files / "out.json"), "-f")
    assert run(campaign, *load).exit_code == 0
    assert (
        "note: 2 judges are called by no address, and Quepid refuses a book with judges that it"
        " does not know: the first is 'Bob'; write their addresses into the file, or call them by"
        " these when they are loaded: load qrels --rename Bob=ADDRESS\n"
    ) in run(campaign, *export, "quepid-book-json").stderr
    assert "address" not in run(campaign, *export, "quepid-book").stderr
    renames = ("--rename", "Bob=bob@x.org", "--rename", "Jo O'Hara=jo@x.org")
    other = create_campaign(files / "other.db", name="o", scale=Scale.parse("0=a,1=b,2=c,3=d"))
    with other:
        assert run(other, "load", "queries", str(files / "queries.jsonl")).exit_code == 0
        assert run(other, *load, *renames).exit_code == 0
        assert "no address" not in run(other, *export, "quepid-book-json").stderr
    assert (files / "out.json").read_text().count("@x.org") == 3


def test_a_book_in_csv_tells_what_it_leaves_out(campaign: Campaign, files: Path) -> None:
    (files / "book.json").write_text(BOOK)
    run(campaign, "load", "qrels", str(files / "book.json"))
    settle(
        campaign, add_judge(campaign, "lea", role="lead"), pair_keys(campaign)["q2", "sorted"], 2
    )
    done = run(campaign, "export", "judgments", "-o", str(files / "b.csv"), "-f", "quepid-book")
    assert (files / "b.csv").read_text() == (
        "query,docid,ann@x.org\n"
        "read a CSV file,csv.reader,3\nread a CSV file,csv.writer,\nread a CSV file,json.load,\n"
        "sort lists,json.load,\nsort lists,list.sort,\nsort lists,sorted,1\n"
    )
    assert done.stdout == f"{files / 'b.csv'}: 2 judgments\n"
    assert done.stderr == (
        "note: left out by quepid-book: skipped: 1; cannot be judged: 1; settled by a lead: 1;"
        " notes: 1; ids of queries, times, who is a model or a lead, narratives, descriptions,"
        " labels of the scale\n"
    )


def said(campaign: Campaign) -> list[tuple[object, ...]]:
    with campaign.reading():
        return [
            (one.query_id, one.doc_id, one.judge, one.decision, one.grade, one.note)
            for one in judgments(campaign)
        ]
