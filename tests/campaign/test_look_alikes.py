"""Documents whose ids differ in how they are spelt alone are two, and the campaign says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.benchmarks import load_benchmark
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.look_alikes import judged_otherwise
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.cli import cli
from judge_tui.formats import read_grades
from judge_tui.formats.benchmark import read_benchmark
from tests.loading_runs import load_run, load_runs

COMPOSED, APART = "caf\u00e9.md", "cafe\u0301.md"
TOLD = (
    "new documents that the campaign has under ids spelt otherwise, too: {}, such as {} there; it"
    " takes them for two, and a grade of one says nothing of the other: write the ids of both in"
    " one way, and load again, a run with --replace, grades into a new campaign"
)
IN_NFC = f"'{APART}', which is in NFC (letter and accent in one)"
IN_NFD = f"'{COMPOSED}', which is in NFD (letter and accent apart)"


def run_of(files: Path, *doc_ids: str, tag: str = "r") -> Path:
    path = files / f"{tag}.json"
    path.write_text(json.dumps({"q1": {one: -place for place, one in enumerate(doc_ids)}}))
    return path


def read(files: Path, text: str) -> Path:
    (path := files / "other").write_text(text)
    return path


def several(campaign: Campaign, path: Path) -> Loaded:
    outcomes = load_several_judges(campaign, path, read_grades(path))
    return Loaded(notes=tuple(note for one in outcomes.values() for note in one.notes))


_CANDIDATE = {"id": APART, "text": "t", "score": 1}
LOADS: dict[str, tuple[str, Callable[[Campaign, Path], Loaded]]] = {
    "run": (f"q1 Q0 {APART} 1 1 other\n", lambda c, path: load_run(c, path)[1]),
    "qrels": (f"q1 0 {APART} 2\n", lambda c, path: load_qrels(c, path, judge="ann")),
    "answers": (
        # Of another query than the run has it for.
        f"query_id,result1\nq2,{APART}\n",
        lambda c, path: load_answers(c, path, judge="ann"),
    ),
    "all documents": (
        json.dumps({"doc_id": APART, "text": "t"}) + "\n",
        lambda c, path: load_documents(c, path, keep_all=True),
    ),
    "benchmark": (
        json.dumps([{"query": "read a CSV file", "documents": [_CANDIDATE]}]),
        lambda c, path: load_benchmark(c, path, read_benchmark(path), judge="ann").grades,
    ),
    "judgments": (
        json.dumps(
            {"model": "m", "qid": "q1", "docid": APART, "query": "read a CSV file"}
            | {"passage": "p", "judgment": 1}
        )
        + "\n",
        several,
    ),
}


@pytest.mark.parametrize("name", LOADS)
def test_another_form_of_unicode_is_told_by_the_load_that_brings_it(
    campaign: Campaign, files: Path, name: str
) -> None:
    text, load = LOADS[name]
    load_run(campaign, run_of(files, COMPOSED, "plain.md"))
    loaded = load(campaign, read(files, text))
    assert loaded.notes.count(TOLD.format(1, IN_NFC)) == 1
    assert TOLD.format(1, IN_NFC) not in load(campaign, read(files, text)).notes
    both = campaign.rows("SELECT doc_id FROM documents WHERE doc_id LIKE 'caf%' ORDER BY id")
    assert both == [(COMPOSED,), (APART,)]


def test_runs_loaded_together_and_both_forms_in_one_file(campaign: Campaign, files: Path) -> None:
    runs = [run_of(files, COMPOSED, tag="a"), run_of(files, APART, "x", tag="b")]
    outcomes = load_runs(campaign, runs)
    assert [len(loaded.notes) for _, loaded in outcomes] == [0, 1]
    assert load_run(campaign, run_of(files, "\u00e9", "e\u0301", tag="c"))[1].notes


@pytest.mark.parametrize(
    ("known", "comes", "told"),
    [
        ("my%20page", "my page", "'my page', which is 'my%20page'"),
        ("my%20caf\u00e9", "my cafe\u0301", "'my cafe\u0301', which is 'my%20caf\u00e9'"),
        ("caf\u00e9", "cafe\u0300", None),
        ("my_page", "my page", None),
        ("stra\u00dfe", "strasse", None),
    ],
)
def test_blanks_and_codes_are_told_as_well_and_others_are_not(
    campaign: Campaign, files: Path, known: str, comes: str, told: str | None
) -> None:
    load_run(campaign, run_of(files, known, tag="a"))
    notes = load_run(campaign, run_of(files, comes, tag="b"))[1].notes
    assert notes == ((TOLD.format(1, told),) if told else ())


def test_what_one_file_has_in_both_spellings_of_a_blank_is_two(
    campaign: Campaign, files: Path
) -> None:
    assert load_run(campaign, run_of(files, "my page", "my%20page"))[1].notes == ()


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
def test_documents_that_are_left_out_for_their_spelling_are_told(
    campaign: Campaign, files: Path, form: str
) -> None:
    load_run(campaign, run_of(files, COMPOSED, "my%20page"))
    ids = ["first", APART, "my page", "other"]
    line = "{}\tt\n" if form == "tsv" else '{{"doc_id": "{}", "text": "t"}}\n'
    path = read(files, "".join(line.format(one) for one in ids))
    loaded = load_documents(campaign, path)
    assert (loaded.added, loaded.left_out) == (0, 4)
    assert loaded.notes == (
        "documents left out that the campaign has under ids spelt otherwise: 2, such as"
        f" {IN_NFC} there; write the ids in one way, and load again",
    )


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_score_of_the_campaign_warns_until_the_way_out_is_taken(
    campaign: Campaign, files: Path, command: str
) -> None:
    load_run(campaign, run_of(files, APART, "x.md"))
    load_run(campaign, run_of(files, "plain.md", tag="s"))
    load_qrels(campaign, read(files, f"q1 0 {COMPOSED} 2\nq1 0 plain.md 1\n"), judge="ann")

    def warnings() -> list[str]:
        words = [command, "--db", str(campaign.path), "-m", "nDCG@10", "-f", "json"]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
        said = json.loads(done.stdout)["warnings"]
        return [one for one in said if one.startswith("judged documents that run")]

    assert warnings() == [
        f"judged documents that run 'r' has in another form of Unicode: 1, such as {IN_NFD} there;"
        " they look the same and count as not retrieved: write the ids of both in one form, NFC or"
        " NFD, and load again, a run with --replace, grades into a new campaign"
    ]
    assert load_run(campaign, run_of(files, COMPOSED, "x.md"), replace=True)[1].notes == ()
    assert warnings() == []
    load_run(campaign, run_of(files, COMPOSED, "my%20page", tag="t"))
    load_qrels(campaign, read(files, "query_id,doc_id,relevance\nq1,my page,1\n"), judge="ann")
    assert warnings() == [
        "judged documents that run 't' has under another spelling of blanks and codes such as %20:"
        " 1, such as 'my page', which is 'my%20page' there; they count as not retrieved: write the"
        " ids of both in one way, and load again, a run with --replace, grades into a new campaign"
    ]


def test_the_page_tells_results_that_are_judged_under_another_spelling(
    campaign: Campaign, files: Path
) -> None:
    load_run(campaign, run_of(files, APART, "my page", "both\u00e9", "bothe\u0301"))
    load_run(campaign, run_of(files, APART, tag="s"))
    rows = [f"q1 0 {one} 1\n" for one in (COMPOSED, "both\u00e9", "plain")]
    load_qrels(campaign, read(files, "".join([*rows, f"q2 0 {APART} 1\n"])), judge="ann")
    assert judged_otherwise(campaign) == [(APART, COMPOSED)]
    page = files / "page.md"
    done = CliRunner().invoke(cli, ["report", "--db", str(campaign.path), "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert (
        "- 1 pair of query and document is unjudged under the id that a system gave, and judged"
        f" under another spelling of it, such as {IN_NFC} there: what was judged counts as not"
        " found.\n"
    ) in page.read_text()
    load_qrels(campaign, read(files, f"q1 0 {APART} 1\n"), judge="ann")
    assert judged_otherwise(campaign) == []
