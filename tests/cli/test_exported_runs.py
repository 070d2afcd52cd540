"""Exported runs say what they were asked: what has queries by their ids is held against that."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import judge_tui as library
from judge_tui.formats.run_files import RUN_FORMS
from tests.as_typed import judge_tui

TEXTS = ("walk a tree", "how to sort", "join paths")
IDS = dict(zip(("q001", "q002", "q003"), TEXTS, strict=True))
PROVENANCE = Path("b.run.provenance.json")
SCORE = ("score", "--answers", "s.csv", "b.run", "-m", "RR")


def write(*rows: str, header: str = "query,result1") -> None:
    """A sheet by which each query has its own document right, whatever its place."""
    documents = {text: f"d{number}" for number, text in enumerate(TEXTS, 1)}
    lines = [f"{row},{documents.get(row.rpartition(',')[2], 'd9')}" for row in rows]
    Path("s.csv").write_text("\n".join([header, *lines, ""]))


def exported(*more: str, output: str = "b.run") -> None:
    judge_tui("export", "run", "--tag", "b", "-o", output, *more)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign of queries without ids, and its run, exported, which has all of them right."""
    monkeypatch.chdir(tmp_path)
    write(*TEXTS)
    Path("own.run").write_text("".join(f"q00{n} Q0 d{n} 1 1 b\n" for n in (1, 2, 3)))
    judge_tui("init")
    judge_tui("load", "queries", "s.csv")
    judge_tui("load", "run", "own.run")
    judge_tui("load", "answers", "s.csv", "--judge", "sheet")
    exported()
    return tmp_path


def test_texts_stand_beside_it_where_the_form_has_ids():
    for form in ("trec", *RUN_FORMS):
        exported("-f", form)
        said = json.loads(PROVENANCE.read_text())
        assert (said["tag"], said["format"]) == ("b", form)
        by_text = form != "trec" and RUN_FORMS[form].by_text
        assert said.get("queries") == (None if by_text else IDS)
    before = sorted(Path().iterdir())
    for stream in ("-", "/dev/null"):
        assert "provenance" not in judge_tui("export", "run", "--tag", "b", "-o", stream).output
    assert sorted(Path().iterdir()) == before


def test_a_query_for_which_nothing_was_found_was_asked_too():
    Path("v.json").write_text('{"q001": {"d1": 1.5}, "q003": {}}')
    judge_tui("load", "run", "v.json")
    judge_tui("export", "run", "--tag", "v", "-o", "v.run")
    said = json.loads(Path("v.run.provenance.json").read_text())
    assert said["queries"] == {"q001": "walk a tree", "q003": "join paths"}


def test_a_sheet_that_gives_its_ids_to_others_is_refused_until_it_has_them():
    assert "1.0000" in judge_tui(*SCORE).stdout
    mend = f"; write the ids that {PROVENANCE} has for the texts into it, as query_id\n"
    told = f"'walk a tree' in {PROVENANCE}"
    write("new", *TEXTS)
    by_place = f"error: s.csv:2: query 'q001' is 'new' here, by its place, and {told}{mend}"
    assert judge_tui(*SCORE, code=2).stderr == by_place
    anew = [f"q00{place},{text}" for place, text in enumerate(("new", *TEXTS), 1)]
    write(*anew, header="query_id,query,result1")
    Path("c.run").write_text("q001 Q0 d1 1 1 c\n")
    for command in (SCORE, ("compare", *SCORE[1:4], "c.run", *SCORE[4:])):
        refused = judge_tui(*command, code=2).stderr
        its = f"query 'q001' is 'new' here and {told}: the file is numbered anew{mend}"
        assert refused == f"error: s.csv:2: {its}"
    write(
        "q004,new", *(f"{its},{text}" for its, text in IDS.items()), header="query_id,query,result1"
    )
    assert "1.0000" in judge_tui(*SCORE).stdout


def test_grades_of_another_campaign_are_held_against_it():
    write("new", *TEXTS)
    judge_tui("init", "--db", "c.db")
    judge_tui("load", "queries", "s.csv", "--db", "c.db")
    # It is taken for what it was asked, under the ids that this campaign has.
    judge_tui("load", "run", "b.run", "--db", "c.db")
    judge_tui("load", "answers", "s.csv", "--judge", "x", "--db", "c.db")
    judge_tui("export", "qrels", "-o", "q.txt", "--db", "c.db")
    told = "'new' here and 'walk a tree' in b.run.provenance.json"
    with pytest.raises(library.errors.InputError, match=told):
        library.score("q.txt", "b.run", "RR")
    judge_tui("export", "run", "--tag", "b", "-o", "c.run", "--db", "c.db")
    assert library.score("q.txt", "c.run", "RR").runs[0].values["RR"] == (1.0, 1.0, 1.0)


def test_of_queries_of_one_text_each_campaign_with_these_ids_knows_its_own():
    # In the one q001 was asked in vain, or is not in the run; in the other they stand otherwise.
    Path("s.csv").write_text("query_id,query,class\nq001,sort,x\nq002,open,\nq003,sort,y\n")
    Path("t.csv").write_text("query_id,query,class\nq003,sort,y\nq001,sort,x\nq002,open,\n")
    for lists in ('"q001": {}, "q002": {"d1": 1}, "q003": {"d3": 1}', '"q003": {"d3": 1}'):
        Path("b.json").write_text(f"{{{lists}}}")
        for db, sheet in (("c.db", "s.csv"), ("d.db", "t.csv")):
            Path(db).unlink(missing_ok=True)
            judge_tui("init", "--db", db)
            judge_tui("load", "queries", sheet, "--db", db)
        judge_tui("load", "run", "b.json", "--db", "c.db")
        exported("--db", "c.db")
        for db, more in (("c.db", ("--replace",)), ("d.db", ())):
            judge_tui("load", "run", "b.run", "--db", db, *more)
            exported("--db", db, output="again.run")
            assert Path("again.run").read_text() == Path("b.run").read_text()


def test_the_text_that_was_asked_stands_there_though_it_was_mended_since():
    judge_tui("init", "--db", "c.db")
    write("walk a tree", *TEXTS[1:])
    judge_tui("load", "queries", "s.csv", "--db", "c.db")
    said = json.loads(PROVENANCE.read_text())
    said["queries"]["q001"] = "walk a treee"
    PROVENANCE.write_text(json.dumps(said))
    told = judge_tui("load", "run", "b.run", "--db", "c.db").stderr
    assert "q001 as 'walk a treee', now 'walk a tree'" in told
    exported("--db", "c.db", output="again.run")
    again = json.loads(Path("again.run.provenance.json").read_text())
    assert again["queries"] == said["queries"]


def test_it_says_nothing_of_what_another_program_writes_in_its_place():
    write("new", *TEXTS)
    judge_tui(*SCORE, code=2)
    Path("b.run").write_text("q001 Q0 d9 1 1 b\n")
    assert "queries are q001 to q004, by their places" in judge_tui(*SCORE).stdout
    for text in ("[]", "{", '{"queries": 1}'):
        PROVENANCE.write_text(text)
        judge_tui(*SCORE)


def test_it_is_no_run_where_a_folder_or_a_shell_names_it_with_its_own():
    Path("runs").mkdir()
    exported(output="runs/b.run")
    both = ("runs/b.run", "runs/b.run.provenance.json")
    for words in (("runs",), ("runs/*",), both):
        assert "1.0000" in judge_tui("score", "--answers", "s.csv", *words, "-m", "RR").stdout
    judge_tui("init", "--db", "c.db")
    judge_tui("load", "queries", "s.csv", "--db", "c.db")
    assert "run b: 1 loaded" in judge_tui("load", "run", *both, "--db", "c.db").stdout
    assert (
        "error: runs/b.run.provenance.json:1: " in judge_tui("load", "run", both[1], code=2).stderr
    )


def test_where_the_run_cannot_be_written_all_is_as_it_was():
    before = PROVENANCE.read_bytes()
    Path("there.run.provenance.json").mkdir()
    for output in ("there.run", "no/b.run"):
        judge_tui("export", "run", "--tag", "b", "-o", output, code=2)
        assert not Path(output).exists()
    assert PROVENANCE.read_bytes() == before


@pytest.mark.parametrize(("output", "now"), [("b.run", "b.run.gz"), ("b.run.gz", "b.run")])
def test_a_run_that_was_packed_or_unpacked_is_held_to_it_too(output: str, now: str):
    PROVENANCE.unlink()
    Path("b.run").unlink()
    exported(output=output)
    content = Path(output).read_bytes()
    Path(output).unlink()
    packed = gzip.decompress(content) if output.endswith(".gz") else gzip.compress(content)
    Path(now).write_bytes(packed)
    write("another", *TEXTS)
    words = ("score", "--answers", "s.csv", now, "-m", "RR")
    assert "query 'q001' is 'another' here" in judge_tui(*words, code=2).stderr
    # What is in it is another run by now.
    Path(now).write_text("q001 Q0 d9 1 1 b\n")
    judge_tui(*words)
