"""Whatever is exported is read back as it was, in every form that there is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.formats.check import check_file
from judge_tui.formats.ids import id_in
from judge_tui.formats.whole_files import read_qrels
from judge_tui.formats.writers import COLLECTIONS, JUDGMENT_FORMS, QRELS_FORMS, RUN_FORMS
from tests.as_typed import judge_tui
from tests.campaign.copies import decisions_of
from tests.campaigns import grade_by_file, load_run
from tests.formats.samples import QUEPID_BOOK as BOOK

# Best first: ids that a spreadsheet would run, with white space in them, with quotes.
DOCS = ["=cmd|' /C calc'!A0", 'a, "b"; c', "my file", "-5", "naïve\u00a0"]
IDS = [id_in(one) for one in DOCS]
GRADED = {IDS[0]: 3, IDS[2]: 0, IDS[4]: 2, "not-returned": 1}


@pytest.fixture
def hostile(campaign: Campaign, files: Path, usual: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small campaign with a run of such ids, `gamma`, and the grades of ann."""
    monkeypatch.chdir(files)
    query = {"query_id": "q 3", "text": '=1+1, "x" 100%'}
    Path("more.jsonl").write_text(json.dumps(query) + "\n")
    judge_tui("load", "queries", "more.jsonl")
    # The second and the third have one score.
    scores = zip(IDS, [9, 8, 8, 7, 6], strict=True)
    lines = [f"q%203 Q0 {doc} {at} {score} gamma\n" for at, (doc, score) in enumerate(scores, 1)]
    Path("gamma.run").write_text("".join(lines))
    load_run(campaign, files / "gamma.run")
    grade_by_file(campaign, "ann", "".join(f"q%203 0 {doc} {n}\n" for doc, n in GRADED.items()))
    return files


def export(*words: str, code: int = 0) -> Result:
    return judge_tui("export", *words, "--force", code=code)


@pytest.mark.parametrize("form", QRELS_FORMS)
def test_qrels(hostile, campaign, form):
    words = ("qrels", "-o", "out", "-f", form, "--index", "docs")
    told = export(*words)
    assert told.stdout.startswith("out: 4 pairs, 1 query\n")
    assert json.loads(Path("out.provenance.json").read_text())["format"] == form
    assert check_file("out") == []
    load_judgments(campaign, hostile / "out", judge="again")
    assert grades_by_judge(campaign)["again"] == grades_by_judge(campaign)["ann"]
    before = Path("out").read_bytes()
    export(*words, "--policy", "judge:again")
    assert Path("out").read_bytes() == before


def test_quepids_files_have_its_columns(campaign, hostile):
    export("run", "--tag", "alpha", "-o", "s", "-f", "quepid-snapshot")
    assert Path("s").read_text() == (
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
        "alpha,,,read a CSV file,csv.reader,1\nalpha,,,read a CSV file,csv.writer,2\n"
        "alpha,,,sort lists,list.sort,1\nalpha,,,sort lists,sorted,2\n"
    )
    grade_by_file(campaign, "bo", "q1 0 csv.reader 3\n")
    export("run", "--tag", "alpha", "-o", "d", "-f", "quepid-detailed")
    assert Path("d").read_text() == (
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
        ",small,,read a CSV file,csv.reader,1,csv.reader(file),3\n"
        ",small,,read a CSV file,csv.writer,2,csv.writer(file),\n"
        ",small,,sort lists,list.sort,1,,\n,small,,sort lists,sorted,2,,\n"
    )


@pytest.mark.parametrize("form", [*QRELS_FORMS, *RUN_FORMS, *JUDGMENT_FORMS])
@pytest.mark.usefixtures("hostile")
def test_what_a_form_cannot_hold_is_refused(campaign, form):
    grade_by_file(campaign, "bo", "q1 0 csv.reader 3\n")
    campaign.execute("UPDATE queries SET text = ' same'")
    forms = {"qrels": QRELS_FORMS, "run --tag alpha": RUN_FORMS, "judgments": JUDGMENT_FORMS}
    for what, its in forms.items():
        if form not in its:
            continue
        words = [*what.split(), "-o", "out", "-f", form]
        if its[form].needs_index:
            assert "--index NAME" in export(*words, code=2).stderr
            words += ["--index", "i"]
        if its[form].by_text:
            assert "tells queries by their text" in export(*words, code=2).stderr
            assert not Path("out").exists()


def test_books(campaign, files, usual):
    (files / "book.json").write_text(BOOK.replace("all there", " all\\n  there\\n"))
    judge_tui("load", "qrels", files / "book.json")
    export("judgments", "-o", str(files / "out.json"), "-f", "quepid-book-json")
    with create_campaign(files / "o.db", name="o", scale=campaign.settings.scale) as other:
        judge_tui("load", "queries", files / "queries.jsonl", "--db", other.path)
        judge_tui("load", "qrels", files / "out.json", "--db", other.path)
        assert decisions_of(other) == decisions_of(campaign)
    told = export("judgments", "-o", str(files / "b.csv"), "-f", "quepid-book")
    assert (files / "b.csv").read_text() == (
        "query,docid,ann@x.org\n"
        "read a CSV file,csv.reader,3\nread a CSV file,csv.writer,\nread a CSV file,json.load,\n"
        "sort lists,json.load,\nsort lists,list.sort,\nsort lists,sorted,1\n"
    )
    assert "2  left out: no place for them in quepid-book\n" in told.stdout


@pytest.mark.parametrize("form", COLLECTIONS)
def test_collections(campaign, files, usual, form):
    (files / "more.jsonl").write_text('{"doc_id": "my file", "text": "one\\ttwo\\nthree  four"}\n')
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\nq2 0 my%20file 0\nq2 0 bare 1\n")
    judge_tui("load", "docs", files / "more.jsonl")
    out = files / "out"
    assert export("collection", "-f", form, "-o", str(out)).stdout.startswith(f"{out}: 2 queries, ")
    how = COLLECTIONS[form]
    queries, qrels, corpus = (out / name for name in (how.queries, how.qrels, how.corpus))
    assert Path(f"{qrels}.provenance.json").exists()
    assert read_qrels(qrels) == {
        "q1": {"csv.reader": 3},
        "q2": {"bare": 1, "my%20file": 0},
    }
    with create_campaign(files / "o.db", name="o", scale=campaign.settings.scale) as other:
        judge_tui("load", "queries", queries, "--db", other.path)
        judge_tui("load", "qrels", qrels, "--judge", "ann", "--db", other.path)
        judge_tui("load", "docs", corpus, "--db", other.path)
        assert grades_by_judge(other) == grades_by_judge(campaign)
        text = "one two three  four" if form == "msmarco" else "one\ttwo\nthree  four"
        assert other.rows("SELECT text FROM documents WHERE doc_id = 'my%20file'") == [(text,)]
