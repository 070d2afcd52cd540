"""Every command that prints a result, in every form, on a campaign whose names are hostile."""

import json
import unicodedata

import pytest

from judge_tui.report import FORMS
from tests.as_typed import judge_tui

# A title, a cleared screen, C1, a turned-round name, markup of LaTeX and Markdown, a formula.
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b&50%_|*\\"
TAG = f"=tag{HOSTILE}"
JUDGE = f"@ann{HOSTILE}"
QUERIES = [f"q{number}" for number in range(8)]

COMMANDS = ("status", "pool", "agreement", "score", "compare")

KEYS = {
    "score": ["schema_version", "measures", "settings", "runs", "warnings"],
    "compare": ["schema_version", "settings", "comparisons", "warnings"],
    "agreement": [
        "schema_version",
        "judges",
        "pairs_judged",
        "alpha",
        "fleiss",
        "between",
        "warnings",
    ],
}


def run_text(tag, first, second):
    return "".join(
        f"{query} Q0 {first} 1 2 {tag}\n{query} Q0 {second} 2 1 {tag}\n" for query in QUERIES
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A campaign of eight queries, two runs and two judges, made by the commands."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "queries.tsv").write_text("".join(f"{query}\tfind it\n" for query in QUERIES))
    (folder / "plain.run").write_text(run_text("plain", "bad", "good"))
    (folder / "hostile.run").write_text(run_text(TAG, "good", "bad"), encoding="utf-8")
    (folder / "one.qrels").write_text("".join(f"{q} 0 good 2\n{q} 0 bad 0\n" for q in QUERIES))
    (folder / "two.qrels").write_text(
        "".join(f"{q} 0 good {i % 3}\n{q} 0 bad 0\n" for i, q in enumerate(QUERIES))
    )
    db = ("--db", str(folder / "campaign.db"))
    judge_tui("init", *db, "--name", f"=name{HOSTILE}", "--seed", "1")
    judge_tui("load", "queries", str(folder / "queries.tsv"), *db)
    judge_tui("load", "run", str(folder / "plain.run"), str(folder / "hostile.run"), *db)
    judge_tui("pool", *db)
    for judge, name in ((JUDGE, "one.qrels"), ("bob", "two.qrels")):
        judge_tui("load", "qrels", str(folder / name), "--judge", judge, *db)
    return folder


def printed(folder, command, form, target):
    """Standard output with standard error, and the same result as a file."""
    args = [command, "-f", form]
    if command in ("score", "compare"):
        args += [str(folder / name) for name in ("one.qrels", "plain.run", "hostile.run")]
        args += ["-q"] if command == "score" else []
    else:
        args += ["--db", str(folder / "campaign.db")]
    result = judge_tui(*args)
    again = judge_tui(*args, "-o", str(target))
    assert again.stdout == ""
    text = target.read_text(encoding="utf-8")
    assert result.stdout == text
    return result.stdout + result.stderr + again.stderr, text


def obeyed(text):
    """What a terminal would obey or hide: controls, bidi and zero-width characters."""
    unsafe = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return {char for char in text if unicodedata.category(char) in unsafe and char != "\n"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_control_character_comes_out_of_any_form(folder, tmp_path, command, form):
    output, text = printed(folder, command, form, tmp_path / "out")
    assert obeyed(output) == obeyed(text) == set()
    assert "owned" in text  # the hostile name is there, made harmless


@pytest.mark.parametrize("command", KEYS)
def test_json_parses_with_the_keys_that_are_promised(folder, tmp_path, command):
    _, text = printed(folder, command, "json", tmp_path / "out")
    document = json.loads(text)
    assert document["schema_version"] == 1
    assert [key for key in document if key in KEYS[command]] == KEYS[command]


def test_json_of_score_keeps_names_as_they_are(folder, tmp_path):
    document = json.loads(printed(folder, "score", "json", tmp_path / "out")[1])
    plain, hostile = document["runs"]
    assert (plain["tag"], hostile["tag"]) == ("plain", TAG)
    assert list(plain["mean"]) == document["measures"]
    assert list(plain["per_query"]) == QUERIES


def test_json_of_agreement(folder, tmp_path):
    document = json.loads(printed(folder, "agreement", "json", tmp_path / "out")[1])
    assert set(document["judges"]) == {JUDGE, "bob"}
    (two,) = document["between"]
    # The second judge gives 0, 1, 2, 0, 1, 2, 0, 1 where the first gives 2: 2 of 8, and 8 zeros.
    assert (two["pairs"], two["agreement"], len(two["confusion"])) == (16, 10 / 16, 4)
