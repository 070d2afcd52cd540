"""Files of queries are held against what a run was asked by the same ids."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.as_typed import judge_tui
from tests.evaluating import SYSTEM

TEXTS = ("walk a tree", "how to sort", "join paths")
SCORE = ("score", "--answers", "ans.csv", "out/b.run", "-m", "RR")
ANEW = ": the file is numbered anew; ask anew, or give the file that it was asked\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(SYSTEM + SYSTEM.replace(".b]", ".c]"))
    return tmp_path


def write(name: str, *rows: str, ids: bool = False) -> None:
    """Answers to the texts of the `rows`, in their order: document d1 each."""
    header = "query_id,query,result1\n" if ids else "query,result1\n"
    numbers = [f"{number}," if ids else "" for number in range(1, len(rows) + 1)]
    lines = [f"{number}{row},d1\n" for number, row in zip(numbers, rows, strict=True)]
    Path(name).write_text(header + "".join(lines))


def asked(*rows: str, ids: bool = False) -> None:
    write("ans.csv", *rows, ids=ids)
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")


def compressed() -> None:
    run = Path("out/b.run")
    Path("out/b.run.gz").write_bytes(gzip.compress(run.read_bytes()))
    run.unlink()


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (("new", *TEXTS), "ans.csv:2: query '1' is 'new' here and 'walk a tree' in"),
        (TEXTS[1:], "ans.csv:2: query '1' is 'how to sort' here and 'walk a tree' in"),
        ((*TEXTS[:1], "new", TEXTS[1]), "ans.csv:3: query '2' is 'new' here and 'how to sort' in"),
    ],
)
def test_ids_that_were_filled_in_anew_are_refused(rows, told):
    asked(*TEXTS, ids=True)
    judge_tui(*SCORE)
    write("ans.csv", *rows, ids=True)
    why = f"error: {told} out/b.answers.jsonl{ANEW}"
    assert judge_tui(*SCORE, code=2).stderr == why
    assert judge_tui("compare", *SCORE[1:], "out/c.run", code=2).stderr == why
    compressed()
    gz = [word.replace(".run", ".run.gz") for word in SCORE]
    assert judge_tui(*gz, code=2).stderr == why


def test_texts_that_were_reworded_under_their_ids_are_told():
    asked(*TEXTS, ids=True)
    write("ans.csv", "walk the whole tree", "order a list", TEXTS[2], ids=True)
    told = (
        "2 of 3 queries were asked with other texts than ans.csv has now (such as '2': 'how to"
        " sort', now 'order a list'; '1': 'walk a tree', now 'walk the whole tree'); results are of"
        " what was asked"
    )
    scored = judge_tui(*SCORE, "-q")
    assert f"warning: b.answers.jsonl: {told}" in scored.stdout
    # One that asks the same as another did, and does no more, is no other query.
    asked(TEXTS[0], TEXTS[0], ids=True)
    write("ans.csv", TEXTS[0], "else", ids=True)
    assert "such as '2': 'walk a tree', now 'else'" in judge_tui(*SCORE).stdout
    write("ans.csv", *TEXTS[:1], ids=True)
    assert "now" not in judge_tui(*SCORE).stdout


def test_queries_that_are_given_are_held_against_it_too(folder):
    asked(*sorted(TEXTS))
    write("now.csv", *TEXTS)
    by_place = ("score", "--answers", "now.csv", "--queries", "now.csv", "out/b.run")
    assert judge_tui(*by_place, code=2).stderr == (
        "error: now.csv:2: query 'q001' is 'walk a tree' here, by its place, and 'how to sort' in"
        " out/b.answers.jsonl; ask anew, or give the file that it was asked\n"
    )
    rows = "".join(f"q00{number}\t{text}\n" for number, text in enumerate(TEXTS, 1))
    (folder / "q.tsv").write_text(rows)
    numbered = ("score", "--answers", "now.csv", "--queries", "q.tsv", "out/b.run")
    assert judge_tui(*numbered, code=2).stderr == (
        "error: q.tsv:1: query 'q001' is 'walk a tree' here and 'how to sort' in"
        f" out/b.answers.jsonl{ANEW}"
    )
    then = judge_tui("score", "--answers", "now.csv", "--queries", "ans.csv", "out/b.run").stdout
    assert "by their places" not in then
    (folder / "out/b.answers.jsonl").unlink()
    assert (
        "now.csv has no query_id, so its queries are q001 to q003, by their places; if the runs"
        " call other queries so, write the ids into it"
    ) in judge_tui(*by_place).stdout


def test_slices_are_of_the_queries_that_were_asked(folder):
    asked(*TEXTS)
    sheet = Path("ans.csv").read_text()
    Path("ans.csv").write_text(sheet.replace("result1", "result1,class").replace("d1\n", "d1,k\n"))
    (folder / "a.qrels").write_text("q001 0 d1 1\n")
    score = ("score", "a.qrels", "out/b.run", "--by", "class", "--queries", "ans.csv")
    assert "by their places" not in judge_tui(*score).stdout
    write("ans.csv", *sorted(TEXTS))
    refused = judge_tui(*score, code=2).stderr
    assert "ans.csv: query 'q001' is 'how to sort' here, by its place, and 'walk a tree'" in refused


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_benchmark_that_was_sorted_is_refused(folder, command):
    entries = [
        {"query": text, "documents": [{"id": "d1", "text": "x", "score": 1}]} for text in TEXTS
    ]
    (folder / "b.json").write_text(json.dumps(entries))
    judge_tui("evaluate", "s.toml", "--benchmark", "b.json", "-o", "out")
    words = (command, "b.json", "out/b.run", "out/c.run")
    assert "by their places" not in judge_tui(*words).stdout
    (folder / "b.json").write_text(json.dumps(entries[1:] + entries[:1]))
    assert judge_tui(*words, code=2).stderr == (
        "error: b.json: query 'q001' is 'how to sort' here, by its place, and 'walk a tree' in"
        " out/b.answers.jsonl; ask anew, or give the file that it was asked\n"
    )
    for name in "bc":
        (folder / f"out/{name}.answers.jsonl").unlink()
    assert "b.json has no query_id, so its queries are q001 to q003" in judge_tui(*words).stdout


# Finds what is called as the query, then d1; the index is exchanged by a query where `next` is.
FINDS = r"""[systems.b]
kind = "command"
argv = ["sh", "-c", "mv next index 2>/dev/null; echo \"[\\\"$1\\\", \\\"d1\\\"]\"", "sh", "{query}"]
results = "@"
id = "@"
[systems.b.identify]
argv = ["cat", "index"]
expect = 'index v\d'
"""
NOT_WRITTEN = (
    "{} out/b.answers.jsonl: the run was not written since that changed; give the collect or"
    " evaluate command again; a run of something else needs another name\n"
)


def test_a_run_that_was_not_written_since_its_answers_changed_is_refused(folder):
    (folder / "s.toml").write_text(FINDS)
    (folder / "index").write_text("index v1")
    asked(*TEXTS)
    (folder / "a.qrels").write_text("q001 0 d1 1\n")
    evaluate = ("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    write("ans.csv", *sorted(TEXTS))
    (folder / "next").write_text("index v2")
    assert "was exchanged while it was asked" in judge_tui(*evaluate, code=2).stderr
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    why = NOT_WRITTEN.format("error: out/b.run: query 'q001' has other results in")
    load = ("load", "run", "out/b.run")
    (folder / "c.run").write_text((folder / "out/b.run").read_text())
    for words in (SCORE, ("compare", *SCORE[1:], "c=c.run"), load):
        assert judge_tui(*words, code=2).stderr == why
    # Who does not ask what was asked reads it as it is.
    judge_tui("score", "a.qrels", "out/b.run")
    compressed()
    gz = [word.replace(".run", ".run.gz") for word in SCORE]
    assert judge_tui(*gz, code=2).stderr == why.replace(".run:", ".run.gz:")
    (folder / "out/b.run.gz").unlink()
    judge_tui(*evaluate, "--again")
    # By hand: every query finds d1 second.
    assert "0.5000" in judge_tui(*SCORE).stdout
    judge_tui(*load)


def hits_of(query_id: str, *doc_ids: str) -> None:
    """Let the answer beside the run be another one."""
    path = Path("out/b.answers.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if line.get("query_id") == query_id:
            line["hits"] = [{"doc_id": doc_id} for doc_id in doc_ids]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize(
    ("doc_ids", "rows", "told"),
    [
        (("d2", "d1"), slice(None), "query '1' has other results in"),
        (("d1",), slice(None), "query '1' has other results in"),
        (("d1", "d2", "d3"), slice(None), "query '1' has another number of results in"),
        (("d1", "d2"), slice(None, None, 2), ""),
        (("d1", "d2"), slice(2, None), ""),
    ],
)
def test_a_run_is_held_against_the_answers_as_far_as_it_goes(folder, doc_ids, rows, told):
    asked(*TEXTS, ids=True)
    hits_of("1", *doc_ids)
    run = folder / "out/b.run"
    run.write_text("".join(run.read_text().splitlines(keepends=True)[rows]))
    scored = judge_tui(*SCORE, code=2 if told else 0)
    assert scored.stderr == (NOT_WRITTEN.format(f"error: out/b.run: {told}") if told else "")


def test_a_query_that_came_to_have_results_or_an_answer_is_no_longer_that_of_the_run(folder):
    (folder / "s.toml").write_text(SYSTEM.replace("echo", "test $1 = new || echo"))
    asked("new", "old", ids=True)
    judge_tui(*SCORE)
    hits_of("1", "d1")
    told = "error: out/b.run: query '1' has another number of results in"
    assert judge_tui(*SCORE, code=2).stderr == NOT_WRITTEN.format(told)
    journal = folder / "out/b.answers.jsonl"
    told = "error: out/b.run: query '2' is not in"
    # Interrupted behind the first answer, and before it.
    for kept in (2, 1):
        journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:kept]))
        assert judge_tui(*SCORE, code=2).stderr == NOT_WRITTEN.format(told)


def interrupted(*rows: str, ids: bool) -> None:
    """Ask the `rows`, and leave what there is when that is interrupted behind the last answer."""
    before = {path: path.read_text() for path in map(Path, ("out/b.run", "out/b.latency.csv"))}
    asked(*rows, ids=ids)
    for path, text in before.items():
        path.write_text(text)
    journal = Path("out/b.answers.jsonl")
    lines = journal.read_text().splitlines(keepends=True)
    assert "written" in lines[-1]
    journal.write_text("".join(lines[:-1]))


@pytest.mark.parametrize("ids", [True, False])
def test_what_was_answered_since_the_run_was_written_is_missed_in_it(folder, ids):
    asked(*TEXTS[:2], ids=ids)
    judge_tui("init")
    interrupted(*TEXTS, ids=ids)
    judge_tui("load", "queries", "ans.csv")
    last = "3" if ids else "q003"
    told = f"error: out/b.run: query {last!r} has no results here, and 2 results in"
    for words in (
        (*SCORE, "--complete"),
        ("compare", *SCORE[1:], "out/c.run"),
        ("load", "run", "out/b.run"),
    ):
        assert judge_tui(*words, code=2).stderr == NOT_WRITTEN.format(told)
    # Of a file of fewer queries the run is whole with what these were answered.
    journal = folder / "out/b.answers.jsonl"
    asked(*TEXTS[:2], ids=ids)
    assert journal.read_text().count('"written"') == 2
    judge_tui(*SCORE)
    judge_tui("load", "run", "out/b.run")
    asked(*TEXTS, ids=ids)
    # What stood for places is noted with what was written.
    assert journal.read_text().count('"written"') == (2 if ids else 3)
    judge_tui(*SCORE)
    judge_tui("load", "run", "out/b.run", "--replace")


def test_what_was_answered_with_nothing_since_the_run_was_written_is_in_none(folder):
    (folder / "s.toml").write_text(SYSTEM.replace("echo", "test $1 = new || echo"))
    asked(*TEXTS[:2], ids=True)
    interrupted(*TEXTS[:2], "new", ids=True)
    judge_tui(*SCORE)


def test_results_by_texts_are_not_held_against_answers_by_ids(folder):
    asked(*TEXTS)
    header = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    rows = "".join(f"b,2026-01-01,7,{text},d2,1\n" for text in TEXTS)
    (folder / "out/b.csv").write_text(header + rows)
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    assert "run b: 1 loaded" in judge_tui("load", "run", "out/b.csv").stdout
    (folder / "a.qrels").write_text(
        "".join(f"{text.replace(' ', '%20')} 0 d2 1\n" for text in TEXTS)
    )
    sheet = Path("ans.csv").read_text()
    Path("ans.csv").write_text(sheet.replace("result1", "result1,class").replace("d1\n", "d1,k\n"))
    words = ("score", "a.qrels", "out/b.csv", "--queries", "ans.csv", "--by", "class")
    assert judge_tui(*words).stderr == ""


def test_what_was_asked_before_in_the_same_folder_says_nothing_of_the_run():
    asked("walk a tree", "how to sort", "join paths", "new one")
    asked("how to sort", "join paths")
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "fresh")
    write("ans.csv", "how to sort", "join paths", "of today")
    fresh = [word.replace("out/", "fresh/") for word in SCORE]
    told = judge_tui(*SCORE, "--complete").stdout
    assert told == judge_tui(*fresh, "--complete").stdout
    assert "queries without results in run 'b': 1 of 3, counted as 0: 'q003'" in told
    write("ans.csv", "new one", "join paths")
    assert "is 'new one' here, by its place, and 'how to sort'" in judge_tui(*SCORE, code=2).stderr


def test_an_id_that_was_not_asked_is_no_other_query_than_its_text(folder):
    asked(*TEXTS)
    ids = ("q001", "q002", "q004")
    rows = [f"{one},{text},d1\n" for one, text in zip(ids, TEXTS, strict=True)]
    (folder / "ans.csv").write_text("query_id,query,result1\n" + "".join(rows))
    assert judge_tui(*SCORE, "--complete", code=2).stderr == (
        f"error: ans.csv:4: query 'q004' is 'join paths' here and query 'q003' in"
        f" out/b.answers.jsonl{ANEW}"
    )
    write("asked.csv", *TEXTS)
    assert "0  1.0000" in judge_tui(*SCORE, "--complete", "--queries", "asked.csv").stdout
