"""Every command that prints a result, in every form, on a campaign whose names are hostile: nothing
that a terminal would obey, no CSV that a spreadsheet would run, and JSON with names as they are."""

import csv
import io
import json
import re
import unicodedata

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.model_answers import ModelAnswer, add_model_judge, store_answers
from judge_tui.report import FORMS
from tests.as_typed import judge_tui

# A title, a cleared screen, C1, a turned-round name, markup of LaTeX and Markdown.
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b&50%_|*\\"
FIRST, SECOND = f"=tag{HOSTILE}", f"@tag{HOSTILE}"
ANN, BOB = f"=ann{HOSTILE}", f"-bob{HOSTILE}"
QUERIES = ["=q", *(f"q{number}" for number in range(7))]
DOCUMENTS = [f"=d{HOSTILE}", "-e", "+f"]
MODEL = f"+model{HOSTILE}"
FORMULA = tuple("=+-@\t\r")

# The words in capitals stand for files and for names with blanks in them.
COMMANDS = [
    "score QRELS FIRST SECOND -q",
    "score --db DB",
    "score QRELS FIRST --by class --queries QUERIES",
    "compare QRELS FIRST SECOND",
    "compare --db DB --by class",
    "agreement -d DB",
    "agreement -d DB --by query",
    "model report MODEL -d DB --kin TAG1",
    "pool -d DB",
    "assign -d DB --judges NAMES --overlap 1",
    "outcomes OUTCOMES",
    "status -d DB",
    "judges -d DB",
    "results -d DB --leaderboard --all",
    "results -d DB --delta TAG1 TAG2",
    "results -d DB --query =q TAG1 TAG2",
    "results -d DB --failures TAG2 -k 1",
    "results -d DB --histogram",
    "results -d DB --by class",
    "results -d DB --by document.kind",
    "results -d DB --disagreements",
]
EXPORTS = [
    "judgments",
    "disagreements",
    "answers",
    "judgments -f quepid-book",
    "run --tag TAG1 -f results --policy min",
    "run --tag TAG1 -f quepid-snapshot",
    "run --tag TAG1 -f quepid-detailed --policy min",
]

FILES = ("QUERIES", "DOCUMENTS", "QRELS", "OTHER", "FIRST", "SECOND", "OUTCOMES")

# What is promised of the JSON that is made by hand.
KEYS = {
    "score": ["schema_version", "measures", "settings", "runs", "warnings"],
    "compare": ["schema_version", "settings", "comparisons", "warnings"],
    "agreement": ["schema_version", "judges", "pairs_judged", "alpha", "fleiss", "between"],
}


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """What the words in capitals stand for: a campaign of eight queries, two runs and two judges,
    made by the commands."""
    folder = tmp_path_factory.mktemp("hostile")
    places = {name: str(folder / name) for name in FILES}
    places |= {"DB": str(folder / "c.db"), "TAG1": FIRST, "TAG2": SECOND, "NAMES": f"{ANN},{BOB}"}
    places["MODEL"] = MODEL
    passed = [f'"{task}","{arm}",{int(arm == ANN)}' for task in QUERIES for arm in (BOB, ANN)]
    (folder / "OUTCOMES").write_text("\n".join(["task,arm,passed", *passed]))
    lines = [
        {"query_id": one, "text": f"+{one}{HOSTILE}", "class": f"@{HOSTILE}"} for one in QUERIES
    ]
    (folder / "QUERIES").write_text("".join(json.dumps(line) + "\n" for line in lines))
    documents = [{"doc_id": one, "kind": f"@{HOSTILE}", "text": one} for one in DOCUMENTS]
    (folder / "DOCUMENTS").write_text("".join(json.dumps(line) + "\n" for line in documents))
    for name, tag, found in (
        ("FIRST", FIRST, DOCUMENTS),
        ("SECOND", SECOND, ["@g", *DOCUMENTS[::-1]]),
    ):
        ranked = {one: {doc: 9 - rank for rank, doc in enumerate(found)} for one in QUERIES}
        (folder / name).write_text(
            "".join(
                f"{query} Q0 {doc} 1 {score} {tag}\n"
                for query, its in ranked.items()
                for doc, score in its.items()
            )
        )
    for name, grades in (("QRELS", [2, 0, 0]), ("OTHER", [2, 0, 2])):
        pairs = [(q, *pair) for q in QUERIES for pair in zip(DOCUMENTS, grades, strict=True)]
        (folder / name).write_text("".join(f"{q} 0 {doc} {grade}\n" for q, doc, grade in pairs))
    db = ("--db", places["DB"])
    judge_tui("init", *db, "--name", f"=name{HOSTILE}", "--scale", "0==no,1=+some,2=@yes")
    judge_tui("load", "queries", places["QUERIES"], *db)
    judge_tui("load", "run", places["FIRST"], places["SECOND"], *db)
    judge_tui("load", "docs", places["DOCUMENTS"], *db)
    judge_tui("pool", *db)
    for judge, name in ((ANN, "QRELS"), (BOB, "OTHER")):
        judge_tui("load", "qrels", places[name], "--judge", judge, *db)
    its = ("--judge", MODEL, "--kind", "model")
    judge_tui("load", "qrels", places["OTHER"], *its, *db)
    with open_campaign(places["DB"]) as campaign:
        model = add_model_judge(campaign, f"-asked{HOSTILE}", "1", f"@served{HOSTILE}", "{}")
        none = ModelAnswer(1, f"=said{HOSTILE}", None, f"+reason{HOSTILE}")
        store_answers(campaign, model.key, [none])
    judge_tui("assign", "--judges", places["NAMES"], "--overlap", "1", *db)
    return places


def printed(places, command, *more):
    """Standard output and standard error."""
    result = judge_tui(*(places.get(word, word) for word in command.split()), *more)
    return result.stdout, result.stderr


def obeyed(text):
    """What a terminal would obey or hide: controls, bidi and zero-width characters."""
    unsafe = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return {char for char in text if unicodedata.category(char) in unsafe and char != "\n"}


def formulas(text):
    """The cells of a CSV that a spreadsheet would run; a number is none."""
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert cells
    return [cell for cell in cells if cell.startswith(FORMULA) and not is_number(cell)]


def markdown_tables(text):
    """How many cells each line of each table has."""
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert tables
    return [[len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table] for table in tables]


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_obeyed_or_run_in_any_form(places, tmp_path, command, form):
    output, warnings = printed(places, command, "-f", form)
    assert obeyed(output) == obeyed(warnings) == set()
    # The hostile names are there, made harmless; the CSV of status has numbers alone.
    assert "owned" in output or (form == "csv" and command.startswith("status"))
    if form == "csv":
        assert not formulas(output)
    if form == "md":
        assert all(len(set(widths)) == 1 for widths in markdown_tables(output))
    target = tmp_path / "out"
    assert printed(places, command, "-f", form, "-o", str(target)) == ("", warnings)
    assert target.read_text(encoding="utf-8") == output


@pytest.mark.parametrize("what", EXPORTS)
def test_no_cell_of_an_export_is_a_formula(places, what):
    assert not formulas(printed(places, f"export {what} -d DB")[0])


def test_json_keeps_names_as_they_are(places):
    score = json.loads(printed(places, "score QRELS FIRST SECOND -q", "-f", "json")[0])
    assert [run["tag"] for run in score["runs"]] == [FIRST, SECOND]
    assert list(score["runs"][0]["mean"]) == score["measures"]
    assert list(score["runs"][0]["per_query"]) == sorted(QUERIES)
    agreement = json.loads(printed(places, "agreement -d DB", "-f", "json")[0])
    assert set(agreement["judges"]) == {ANN, BOB}
    (two,) = agreement["between"]
    # The second judge gives 2, 0, 2 where the first gives 2, 0, 0.
    assert (two["pairs"], two["agreement"], len(two["confusion"])) == (24, 2 / 3, 3)


OTHERS = [one for one in COMMANDS if one.split()[0] not in KEYS]


@pytest.mark.parametrize("command", [*OTHERS, "merge DB -d DB", "power --effect .3"])
def test_other_json_is_records_with_the_columns_of_the_csv(places, command):
    document = json.loads(printed(places, command, "-f", "json")[0])
    version, settings, *names, warnings = document
    assert (version, settings, warnings) == ("schema_version", "settings", "warnings")
    rows = list(csv.DictReader(io.StringIO(printed(places, command, "-f", "csv")[0])))
    assert len(document[names[0]]) == len(rows)
    for record, row in zip(document[names[0]], rows, strict=True):
        assert list(record) == list(row)
