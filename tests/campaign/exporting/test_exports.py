"""What is exported, and where it came from; whatever is exported is read back as it was."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import Result

from judge_tui.analysis.warnings import warn_of_models
from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import decide_grades, grades_by_judge
from judge_tui.campaign.store.adjudication import settle, undo_adjudication
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.check import check_file
from judge_tui.formats.ids import id_in
from judge_tui.formats.whole_files import read_qrels
from judge_tui.formats.writers import COLLECTIONS, JUDGMENT_FORMS, QRELS_FORMS, RUN_FORMS
from tests.as_typed import judge_tui
from tests.campaign.copies import copied, decisions_of, key_of
from tests.campaigns import grade_by_file, load_run
from tests.formats.samples import QUEPID_BOOK as BOOK

# Best first: ids that a spreadsheet would run, with white space in them, with quotes.
DOCS = ["=cmd|' /C calc'!A0", 'a, "b"; c', "my file", "-5", "naïve\u00a0"]
IDS = [id_in(one) for one in DOCS]
GRADED = {IDS[0]: 3, IDS[2]: 0, IDS[4]: 2, "not-returned": 1}


@pytest.fixture
def usual(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands use the campaign by themselves, so that none names it."""
    monkeypatch.setenv("JUDGE_TUI_DB", str(campaign.path))


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


ANN = "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\n"
BOB = "q1 0 csv.reader 3\nq1 0 csv.writer 2\n"
BOT = "q1 0 csv.writer 2\nq2 0 list.sort 0\n"


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    for name, text, kind in (("ann", ANN, "human"), ("bob", BOB, "human"), ("bot", BOT, "model")):
        grade_by_file(campaign, name, text, kind=kind)
    return campaign


@pytest.mark.parametrize(
    ("options", "qrels", "rules"),
    [
        (
            {"policy": "max"},
            "q1 0 csv.reader 3\nq1 0 csv.writer 2\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 1, "max": 1},
        ),
        (
            {"policy": "median", "unresolved": "lead", "include_models": True},
            "q1 0 csv.reader 3\nq2 0 list.sort 0\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 2},
        ),
        (
            {"policy": "majority", "unresolved": "skip"},
            "q1 0 csv.reader 3\nq2 0 sorted 3\n",
            {"unanimous": 1, "single judge": 1},
        ),
        ({"policy": "judge:bob"}, "q1 0 csv.reader 3\nq1 0 csv.writer 2\n", {"judge": 2}),
    ],
)
def test_policies_by_hand(judged, files, options, qrels, rules):
    out = files / "out.qrels"
    assert export_qrels(judged, out, **options).details == rules
    assert out.read_text() == qrels
    provenance = json.loads((files / "out.qrels.provenance.json").read_text())
    assert provenance["counts"]["rules"] == rules
    assert provenance["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()


@pytest.mark.parametrize("counted", [True, False])
def test_grades_that_rest_on_models_are_told(judged, files, counted):
    how = {"policy": "max", "include_models": counted}
    exported = export_qrels(judged, files / "out.qrels", **how)
    used = decide_grades(judged, **how).used
    assert exported.warnings == warn_of_models(used)
    assert (used.models_alone > 0) is bool(exported.warnings) is counted
    provenance = json.loads((files / "out.qrels.provenance.json").read_text())
    assert provenance["counts"]["models_alone"] == used.models_alone


def test_a_tie_is_refused_until_a_lead_settles_it(judged, files):
    with pytest.raises(UsageError, match=r"1 pair is unresolved.*q1 csv\.writer"):
        export_qrels(judged, files / "out")
    assert not (files / "out").exists()
    lead = add_judge(judged, "lead", role="lead")
    settle(judged, lead, key_of(judged, "csv.writer"), 0)
    assert export_qrels(judged, files / "out").details["adjudicated"] == 1
    assert "q1 0 csv.writer 0\n" in (files / "out").read_text()
    provenance = json.loads((files / "out.provenance.json").read_text())
    assert provenance["settled_by"] == [{"name": "lead", "pairs": 1}]
    # A judge's grades as they stand are not touched by what the lead settled.
    export_qrels(judged, files / "bob", policy="judge:bob")
    assert "q1 0 csv.writer 2\n" in (files / "bob").read_text()
    assert json.loads((files / "bob.provenance.json").read_text())["settled_by"] == []
    undo_adjudication(judged, lead)
    with pytest.raises(UsageError, match="not decided"):
        export_qrels(judged, files / "out")


@pytest.mark.parametrize("target", ["other.db", "folder", "link", "-", "/dev/null"])
def test_without_a_file_there_is_no_provenance_beside_it(judged, files, target, monkeypatch):
    monkeypatch.chdir(files)
    Path("folder").mkdir()
    Path("link").symlink_to("nowhere/at-all")
    copied(judged, "other.db")
    if target in ("-", "/dev/null"):
        export_qrels(judged, target, policy="max")
    else:
        with pytest.raises(InputError):
            export_qrels(judged, target, policy="max")
    assert not Path(f"{target}.provenance.json").exists()


# Ties, ids that hold codes of white space, scores of all bits, a query of white space.
RUN = """\
q1 Q0 a%20b 1 0.1 my%20run
q1 Q0 a%2520b 2 0.1 my%20run
q1 Q0 z 3 0.30000000000000004 my%20run
q1 Q0 é 4 -5e-324 my%20run
q1 Q0 =1+1 5 1e300 my%20run
q%0A2 Q0 d 1 3 my%20run
"""


@pytest.mark.parametrize(("depth", "results", "cut"), [(100, 6, 0), (3, 4, 1)])
def test_a_run_loaded_again_is_the_same(campaign, files, depth, results, cut):
    (files / "q.jsonl").write_text('{"query_id": "q\\n2", "text": "two"}\n')
    load_queries(campaign, files / "q.jsonl")
    (files / "in.run").write_text(RUN)
    load_run(campaign, files / "in.run", depth=depth)
    exported = export_run(campaign, files / "out.run", "my%20run")
    assert exported.written == {"queries": 2, "results": results}
    assert exported.details[f"lists cut at {depth} results"] == cut
    load_run(campaign, files / "out.run", tag="again", depth=depth)
    first, again = (
        campaign.rows(
            "SELECT query, rank, document, score FROM results JOIN runs ON runs.id = run"
            " WHERE tag = ? ORDER BY 1, 2",
            (tag,),
        )
        for tag in ("my%20run", "again")
    )
    assert len(first) == results
    assert again == first
