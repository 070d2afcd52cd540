"""What `judge-tui evaluate` says of results that nobody graded, where grades say what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluating import SYSTEM, evaluate, results, right_answers

OTHER = SYSTEM.replace("systems.b", "systems.c").replace("d2", "d3")
QUERIES = [f"q{number}" for number in range(10)]
WARNED = (
    "of the first 10 results of b {} have a grade, of c {}: what nobody graded counts as not right,"
    " and may be why a system looks worse; judge it (load the runs into a campaign), or compare"
    " what is judged (score --judged-only)"
)


def asked(folder: Path, *, b: int, c: int) -> tuple[Path, ...]:
    """Systems b and c, which both find d1, that has a grade, and then d2 and d3, that have one for
    so many of the ten queries; for the others theirs is negative, which is none."""
    (folder / "s.toml").write_text(SYSTEM + OTHER)
    (folder / "q.tsv").write_text("".join(f"{query}\tfind {query}\n" for query in QUERIES))
    grades = [
        f"{query} 0 d1 1\n{query} 0 d2 {0 if n < b else -1}\n{query} 0 d3 {0 if n < c else -1}\n"
        for n, query in enumerate(QUERIES)
    ]
    (folder / "g.qrels").write_text("".join(grades))
    return folder / "s.toml", folder / "q.tsv", folder / "g.qrels"


def evaluated(folder: Path, *options: str, b: int, c: int) -> str:
    """What is printed."""
    systems, queries, qrels = asked(folder, b=b, c=c)
    files = ("--queries", queries, "--qrels", qrels, "-o", folder / "out")
    return evaluate(systems, *files, *options).stdout


def means(text: str) -> dict[str, tuple[str, str]]:
    """System -> what the last column of the systems is, and what it holds."""
    header, *rows = text.rpartition("The systems\n")[2].partition("\n\n")[0].splitlines()
    return {row.split()[0]: (header.split()[-1], row.split()[-1]) for row in rows}


def test_the_share_that_is_judged_stands_beside_the_means(tmp_path):
    printed = evaluated(tmp_path, b=10, c=4)
    assert means(printed) == {"b": ("Judged@10", "1.0000"), "c": ("Judged@10", "0.7000")}
    found = results(tmp_path / "out")
    shares = {one["tag"]: one["mean"]["Judged@10"] for one in found["systems"]}
    assert shares == pytest.approx({"b": 1.0, "c": 0.7})
    assert {one["measure"] for one in found["comparisons"]} == {"nDCG@10"}
    assert "| AP | Judged@10 |" in (tmp_path / "out" / "audit.md").read_text()


def test_beside_measures_that_were_asked_for_it_stands_for_readers_alone(tmp_path):
    """As `score` has it."""
    assert means(evaluated(tmp_path, "-m", "P@1", b=10, c=4))["c"] == ("Judged@1", "1.0000")
    assert results(tmp_path / "out")["settings"]["measures"] == ["P@1", "RR@10"]
    assert "Judged@1" in (tmp_path / "out" / "audit.md").read_text().partition("How the numbers")[2]
    assert means(evaluated(tmp_path, "-m", "Judged@2", "-m", "AP", b=10, c=4))["c"][0] == "RR@10"


def test_answers_do_not_say_what_is_judged(tmp_path):
    systems = asked(tmp_path, b=0, c=0)[0]
    answers = right_answers(tmp_path, {"one": ["d1"]})
    printed = evaluate(systems, "--answers", answers, "-o", tmp_path / "out").stdout
    assert "Judged" not in printed
    assert "have a grade" not in printed
