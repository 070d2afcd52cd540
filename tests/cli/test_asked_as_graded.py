"""Exported qrels say which queries they grade: runs and files of queries are held against that."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

import judge_tui as library
from tests.as_typed import judge_tui
from tests.evaluating import SYSTEM

TEXTS = ("walk a tree", "how to sort", "join paths")
SCORE = ("score", "qrels.txt", "out/b.run", "-m", "RR")
PROVENANCE = Path("qrels.txt.provenance.json")
OTHER = "query 'q001' is 'walk a tree' here and 'new' in out/b.answers.jsonl"


def write(*texts: str, header: str = "query,result1") -> None:
    Path("ans.csv").write_text("\n".join([header, *(f"{text},d1" for text in texts), ""]))


def asked(*texts: str, header: str = "query,result1") -> None:
    write(*texts, header=header)
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")


def exported(form: str = "trec", output: str = "qrels.txt") -> None:
    judge_tui("export", "qrels", "-o", output, "-f", form)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign of queries without ids, its qrels, and a run that was asked with them."""
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SYSTEM)
    asked(*TEXTS)
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    judge_tui("load", "run", "out/b.run")
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    exported()
    return tmp_path


def test_exported_qrels_have_the_texts_of_their_queries_where_they_have_ids():
    texts = dict(zip(("q001", "q002", "q003"), TEXTS, strict=True))
    for form in ("trec", "msmarco", "ranx"):
        exported(form)
        assert json.loads(PROVENANCE.read_text())["queries"] == texts
    exported("quepid")
    assert "queries" not in json.loads(PROVENANCE.read_text())


def test_a_run_that_was_asked_others_is_refused():
    assert "1.0000" in judge_tui(*SCORE).stdout
    asked("new", *TEXTS)
    Path("c.run").write_text("q001 Q0 d1 1 1 c\n")
    for command in (SCORE, ("compare", *SCORE[1:], "c.run")):
        refused = judge_tui(*command, code=2).stderr
        assert refused.startswith(f"error: {PROVENANCE}: {OTHER}; write the ids that it has")
    with pytest.raises(library.errors.InputError, match="'walk a tree' here and 'new' in"):
        library.score("qrels.txt", "out/b.run", "RR")
    judge_tui("export", "beir", "-o", "beir")
    refused = judge_tui("score", "beir", *SCORE[2:], code=2).stderr
    assert f"beir/qrels/test.tsv.provenance.json: {OTHER}" in refused


@pytest.mark.parametrize("packed", ["qrels.txt.gz", "qrels.txt.zip"])
def test_qrels_that_were_packed_or_unpacked_are_held_to_it_too(packed: str):
    content = Path("qrels.txt").read_bytes()
    with zipfile.ZipFile("qrels.txt.zip", "w") as archive:
        archive.writestr("qrels.txt", content)
    Path("qrels.txt.gz").write_bytes(gzip.compress(content))
    Path("qrels.txt").unlink()
    asked("new", *TEXTS)
    words = ("score", packed, "out/b.run", "-m", "RR")
    assert OTHER in judge_tui(*words, code=2).stderr
    # And the other way round.
    PROVENANCE.replace(f"{packed}.provenance.json")
    Path("qrels.txt").write_bytes(content)
    assert OTHER in judge_tui(*SCORE, code=2).stderr
    with zipfile.ZipFile("out/b.run.zip", "w") as archive:
        archive.write("out/b.run")
    assert OTHER in judge_tui("score", "qrels.txt", "out/b.run.zip", code=2).stderr


def test_the_ways_out_lead_out():
    asked("new", *TEXTS)
    judge_tui("load", "queries", "ans.csv")
    judge_tui("load", "run", "out/b.run", "--replace")
    judge_tui("export", "run", "--tag", "b", "-o", "b.run")
    for words in (("score", "--db", "campaign.db"), ("score", "qrels.txt", "b.run")):
        assert "1.0000" in judge_tui(*words, "-m", "RR").stdout
    rows = [f"q{number:03},{text}" for number, text in enumerate(TEXTS, 1)]
    asked("q004,new", *rows, header="query_id,query,result1")
    assert "1.0000" in judge_tui(*SCORE).stdout
    evaluate = ("evaluate", "s.toml", "--qrels", "qrels.txt", "--queries", "ans.csv", "-o", "q")
    assert "1.0000" in judge_tui(*evaluate).stdout


def test_where_nothing_says_what_was_graded_or_asked_all_is_as_it_was():
    asked("new", *TEXTS)
    Path("b.run").write_text(Path("out/b.run").read_text())
    judge_tui("score", "qrels.txt", "b.run")
    known = json.loads(PROVENANCE.read_text())
    for text in (json.dumps({key: known[key] for key in known if key != "queries"}), "[]", "{"):
        PROVENANCE.write_text(text)
        judge_tui(*SCORE)
    PROVENANCE.unlink()
    judge_tui(*SCORE)


def test_a_text_that_was_mended_is_told():
    asked("walk a treee", *TEXTS[1:])
    scored = judge_tui(*SCORE).stdout
    assert (
        "warning: b.answers.jsonl: 1 of 3 queries were asked with other texts than"
        f" {PROVENANCE} has now (such as 'q001': 'walk a treee', now 'walk a tree')"
    ) in scored
    # Another text is another query, though none has moved.
    asked("new", *TEXTS[1:])
    assert OTHER in judge_tui(*SCORE, code=2).stderr


def test_queries_that_are_given_with_the_qrels_are_held_against_them():
    evaluate = ("evaluate", "s.toml", "--qrels", "qrels.txt", "--queries", "ans.csv", "-o", "q")
    by_class = ("score", "qrels.txt", "b.run", "--queries", "ans.csv", "--by", "class")
    Path("b.run").write_text(Path("out/b.run").read_text())
    header = "query,result1,class"
    write(*TEXTS, header=header.replace(",class", ""))
    assert "by their places" not in judge_tui(*evaluate).output
    Path("ans.csv").write_text(f"{header}\n" + "".join(f"{one},d1,k\n" for one in TEXTS))
    assert "by their places" not in judge_tui(*by_class).output
    Path("ans.csv").write_text(f"{header}\nnew,d1,k\n" + "".join(f"{t},d1,k\n" for t in TEXTS))
    why = (
        f"query 'q001' is 'new' here, by its place, and 'walk a tree' in {PROVENANCE}; write the"
        f" ids that {PROVENANCE} has for the texts into it, as query_id\n"
    )
    assert judge_tui(*by_class, code=2).stderr == f"error: ans.csv: {why}"
    assert judge_tui(*evaluate, code=2).stderr.endswith(f"error: ans.csv:2: {why}")
    Path("ans.csv").write_text("query_id,query,result1\nq001,walk the whole tree,d1\n")
    assert "such as 'q001': 'walk a tree', now 'walk the whole tree'" in judge_tui(*evaluate).output


def test_grades_are_loaded_for_the_queries_that_were_judged(folder):
    load = ("load", "qrels", "--db", "b.db", "--judge", "ann", "qrels.txt")
    exported("opensearch", "by-text.json")
    write("new", *TEXTS[1:])
    judge_tui("init", "--db", "b.db")
    judge_tui("load", "queries", "--db", "b.db", "ans.csv")
    assert judge_tui(*load, code=2).stderr == (
        "error: qrels.txt:1: query 'q001' is 'new' in the campaign, and 'walk a tree' in"
        f" {PROVENANCE}; what was judged is another query: leave such rows out with --skip-unknown,"
        " or export the grades anew with -f opensearch, which goes by texts\n"
    )
    assert "2 added" in judge_tui(*load, "--skip-unknown").stdout
    write("new", *TEXTS)
    judge_tui("init", "--db", "c.db")
    judge_tui("load", "queries", "--db", "c.db", "ans.csv")
    to_c = ("load", "qrels", "--db", "c.db", "--judge", "ann")
    assert "3 added" in judge_tui(*to_c, "by-text.json").stdout
    judge_tui("export", "qrels", "--db", "c.db", "-o", "c.qrels")
    assert [line[:4] for line in Path("c.qrels").read_text().splitlines()] == [
        "q002",
        "q003",
        "q004",
    ]
    # Those that stand under the same ids, mended or not, are loaded as they were.
    PROVENANCE.write_text(PROVENANCE.read_text().replace("walk a tree", "walk a treee"))
    assert "3 there already" in judge_tui("load", "qrels", "--judge", "sheet", "qrels.txt").stdout


def test_an_earlier_result_of_exported_qrels_is_of_what_they_grade(folder):
    """A campaign that was made anew has other ids for the same queries."""
    judge_tui(*SCORE, "--save", "base.json")
    assert json.loads((folder / "base.json").read_text())["texts_by_id"]["q001"] == TEXTS[0]
    judge_tui("init", "--db", "new.db")
    asked(*reversed(TEXTS))
    judge_tui("load", "queries", "ans.csv", "--db", "new.db")
    judge_tui("load", "run", "out/b.run", "--db", "new.db")
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet", "--db", "new.db")
    judge_tui("export", "qrels", "-o", "qrels.txt", "-f", "trec", "--db", "new.db")
    told = "2 of 3 queries had other ids in the earlier result, such as 'q003', 'walk a tree'"
    assert told in judge_tui(*SCORE, "--against", "base.json").stdout
