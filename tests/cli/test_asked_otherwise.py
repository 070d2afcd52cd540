"""Files of queries are held against what a run was asked by the same ids."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.cli import cli

TEXTS = ("walk a tree", "how to sort", "join paths")
SYSTEM = r"""[systems.b]
kind = "command"
argv = ["sh", "-c", "echo '[\"d1\", \"d2\"]'", "sh", "{query}"]
results = "@"
id = "@"
"""
SCORE = ("score", "--answers", "ans.csv", "out/b.run", "-m", "RR")
ANEW = ": the file is numbered anew; ask anew, or give the file that it was asked\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(SYSTEM + SYSTEM.replace(".b]", ".c]"))
    return tmp_path


def judge_tui(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == code, result.output
    return result


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
        "2 of 3 queries were asked with other texts than ans.csv has now, such as '1': 'walk a"
        " tree', now 'walk the whole tree'; results are of what was asked"
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
    # What is not in the queries is held as well.
    asked(*TEXTS, ids=True)
    write("now.csv", *reversed(TEXTS), ids=True)
    (folder / "q.tsv").write_text("2\thow to sort\n")
    assert "now.csv:2: query '1' is 'join paths' here" in judge_tui(*numbered, code=2).stderr


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
