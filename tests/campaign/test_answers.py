"""Right answers as a first judge's grades: which documents get which, all of them or none."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.judges import add_judge, all_judges
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.pool import extend_pool, pool_size
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.campaign.typed import typed
from judge_tui.cli import cli
from judge_tui.errors import CampaignError, InputError, UsageError
from judge_tui.model import Scale
from judge_tui.tui.app import JudgeTuiApp, judging
from tests.loading_runs import load_run
from tests.tui.judging import here, line, opened, press, shown

RUN = """\
q1 Q0 src/a.py:1-9 1 5 code
q1 Q0 src/a.py:20-30 2 4 code
q1 Q0 my%20file.txt 3 3 code
q1 Q0 other.py 4 2 code
q2 Q0 src/c.py 1 2 code
q2 Q0 src/d.py 2 1 code
"""
ANSWERS = """\
{"query": "read  a CSV file", "expected": ["src/a.py:5-25:3", "src/a.py#L21-L22", "my file.txt"]}
{"query_id": "q2", "pattern": "/c\\\\.py", "grade": 2}
"""

SEEN = "2026-01-01T00:00:00.000+00:00"
"""When a document was painted: what is decided in the app has it."""


@pytest.fixture
def code(files: Path) -> Campaign:
    """The two queries of the small campaign, one run of files and lines, a pool of its first."""
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    campaign = create_campaign(files / "code.db", name="code", scale=scale, guidelines="", seed=1)
    load_queries(campaign, files / "queries.jsonl")
    (files / "code.run").write_text(RUN)
    load_run(campaign, files / "code.run")
    extend_pool(campaign, depth=1)
    return campaign


def load(campaign: Campaign, text: str, judge: str = "answers", **options: object) -> Loaded:
    path = campaign.path.parent / "answers"
    path.write_text(text)
    return load_answers(campaign, path, judge=judge, **options)  # type: ignore[arg-type]


def graded(campaign: Campaign, judge: str = "answers") -> dict[tuple[str, str], int]:
    return grades_by_judge(campaign, include_models=True).get(judge, {})


def refused(campaign: Campaign, text: str, *, skip_unknown: bool = False) -> str:
    """Why it is refused; nothing of it has come into the file."""

    def everything() -> list[object]:
        tables = ("events", "pool", "documents", "queries", "judges", "decisions")
        return [campaign.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables]

    before = everything()
    with pytest.raises(InputError) as raised:
        load(campaign, text, skip_unknown=skip_unknown)
    assert everything() == before
    return str(raised.value).partition("answers:")[2]


def test_each_document_gets_the_best_grade_of_what_it_matches(code: Campaign) -> None:
    assert load(code, ANSWERS) == Loaded(added=4)
    assert graded(code) == {
        ("q1", "src/a.py:1-9"): 3,
        ("q1", "src/a.py:20-30"): 3,
        ("q1", "my file.txt"): 1,
        ("q2", "src/c.py"): 2,
    }
    # Two pairs were in the pool already; what no answer matches waits for people.
    assert pool_size(code).by_stratum == {"depth": 2, "loaded": 2}


def test_the_same_file_twice_changes_nothing(code: Campaign) -> None:
    load(code, ANSWERS)
    assert load(code, ANSWERS) == Loaded(unchanged=4)
    assert len(graded(code)) == 4


def test_paths_that_nobody_retrieved_join_the_pool(code: Campaign) -> None:
    text = '{"query_id": "q1", "expected": ["new.py", "./src/b.py:3-4:2"]}\n'
    assert load(code, text) == Loaded(
        added=2, notes=("paths that no run retrieved, now in the pool: 2",)
    )
    assert graded(code) == {("q1", "new.py"): 1, ("q1", "src/b.py:3-4"): 2}
    assert load(code, text) == Loaded(unchanged=2)


def test_what_joined_is_graded_by_all_answers_at_once(code: Campaign) -> None:
    # new.py is right by its own path, by its lines and by the pattern: one grade, and at the second
    # time the same.
    text = """\
{"query_id": "q1", "expected": ["new.py", "new.py:1-2:3"], "pattern": "nothing"}
{"query_id": "q2", "expected": ["p.py:1-5:2"], "patterns": ["^p"]}
"""
    notes = (
        "paths that no run retrieved, now in the pool: 3",
        "patterns that match no document: 1",
    )
    assert load(code, text) == Loaded(added=3, notes=notes)
    assert graded(code) == {
        ("q1", "new.py"): 3,
        ("q1", "new.py:1-2"): 3,
        ("q2", "p.py:1-5"): 2,
    }
    assert load(code, text) == Loaded(unchanged=3, notes=notes[1:])


def test_an_answer_of_grade_0_is_a_judgment(code: Campaign) -> None:
    load(code, '{"query_id": "q1", "expected": "other.py", "grade": 0}\n')
    assert graded(code) == {("q1", "other.py"): 0}


@pytest.fixture
def new(tmp_path: Path) -> Campaign:
    scale = Scale.parse("0=no,1=yes")
    return create_campaign(tmp_path / "new.db", name="new", scale=scale, guidelines="", seed=1)


def with_run(campaign: Campaign, *rows: str, tag: str = "t") -> None:
    path = campaign.path.parent / f"{tag}.run"
    path.write_text("".join(f"{row} {tag}\n" for row in rows))
    load_run(campaign, path)


def test_queries_and_runs_come_before_what_is_right(new: Campaign) -> None:
    text = (
        'query,result1,result2\n"how, then",a.py,b.py:1-2:1\nhow to sort,c.py,\n"how, then",d.py,\n'
    )
    path = new.path.parent / "answers"
    path.write_text(text)
    before = new.rows("SELECT * FROM events")
    with pytest.raises(UsageError) as raised:
        load_answers(new, path, judge="sheet")
    db = f"--db {new.path}"
    assert str(raised.value) == (
        "the campaign has no runs yet, and answers say which of their results are right; load those"
        f" first: judge-tui load queries {db} {path}, then judge-tui load run {db} FILE..."
    )
    load_queries(new, path)
    (note,) = load_queries(new, path).notes
    assert note.startswith("lines 2 and 4 ask the same, 'how, then', and count as two queries, ")
    with pytest.raises(UsageError, match=r"load those first: judge-tui load run "):
        load_answers(new, path, judge="sheet")
    assert (new.rows("SELECT * FROM events"), all_judges(new)) == (before, [])
    with_run(new, "q001 Q0 a.py 1 1", "q003 Q0 d.py:3-4 1 1")
    loaded = load(new, text)
    assert (loaded.added, loaded.unchanged) == (4, 0)
    assert loaded.notes == (
        "lines 2 and 4 ask the same, 'how, then', and count as two queries, q001 and q003: one row"
        " holds all results of a query",
        "paths that no run retrieved, now in the pool: 2",
    )
    assert [(query.query_id, query.text) for query in all_queries(new)] == [
        ("q001", "how, then"),
        ("q002", "how to sort"),
        ("q003", "how, then"),
    ]
    # Two queries of one text are told apart by their place, as long as that is the same.
    assert set(graded(new)) >= {("q001", "a.py"), ("q003", "d.py:3-4")}
    assert load(new, text) == Loaded(unchanged=4, notes=loaded.notes[:1])
    message = refused(new, "query,result1\nhow to sort,c.py\nhow  to sort,c.py\n")
    assert message.startswith("3: query 'q002' has answers in line 2 already")
    message = refused(new, 'query,result1\nfirst,x\nhow to sort,c.py\n"how, then",c.py\n')
    assert message.startswith("2: query 'first' is not in the campaign")
    message = refused(new, 'query,result1\nfirst,x\n"how, then",c.py\n', skip_unknown=True)
    assert message == (
        "3: 2 queries of the campaign are 'how, then': q001, q003; write which one is meant as"
        " query_id"
    )


def test_classes_subsets_and_ids_of_answers_come_with_their_queries(new: Campaign) -> None:
    path = new.path.parent / "q"
    path.write_text(
        '{"query_id": "my%20q", "query": "x", "class": "lookup", "subset": "hard",'
        ' "expected": "a"}\n'
        '{"query_id": "a%2520b", "query": "y", "pattern": "a"}\n'
    )
    load_queries(new, path)
    first, second = all_queries(new)
    assert (first.query_id, first.text, first.query_class) == ("my%20q", "x", "lookup")
    assert first.meta == {"subset": "hard"}
    assert second.query_id == "a%2520b"


def test_a_path_that_a_later_run_retrieves_under_other_lines_is_told(new: Campaign) -> None:
    text = "query,result1,result2\nhow,a.py:1-9,b.py\n"
    path = new.path.parent / "q"
    path.write_text(text)
    load_queries(new, path)
    with_run(new, "q001 Q0 x.py 1 1")
    load(new, text)
    with_run(new, "q001 Q0 a.py:5-12 1 2", "q001 Q0 b.py 2 1", tag="later")
    # b.py is the document of the pool itself; a.py:1-9 is none that a run has.
    told = (
        "paths in the pool of which a run has retrieved other lines since: 1; each counts as one"
        " more relevant document, as if no run had it: load the answers after all runs",
    )
    assert load(new, text) == Loaded(added=1, unchanged=2, notes=told)
    assert load(new, text) == Loaded(unchanged=3, notes=told)


@pytest.mark.parametrize(
    ("alone", "retrieved"),
    [
        ("cafe\u0301.md", "caf\u00e9.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("a.md#L1-L9", "a.md:1-9"),
    ],
)
def test_a_document_that_a_later_run_writes_otherwise_is_no_second_one(
    code: Campaign, files: Path, alone: str, retrieved: str
) -> None:
    answers = json.dumps({"query_id": "q1", "expected": alone})
    load(code, answers)
    assert graded(code) == {("q1", alone): 1}
    (files / "other.run").write_text(f"q1 Q0 {retrieved} 1 1 other\n")
    load_run(code, files / "other.run")
    (note,) = load(code, answers).notes
    assert f"given by no answer any more: 1 (q1 {alone}: 1)" in note
    assert "taken back" in load(code, answers, replace=True).notes[0]
    assert graded(code) == {("q1", retrieved): 1}
    assert load(code, answers).notes == ()


def test_a_path_that_the_judge_has_found_not_relevant_counts_as_none(new: Campaign) -> None:
    text = "query,result1\nhow,a.py:1-9\n"
    path = new.path.parent / "q"
    path.write_text(text)
    load_queries(new, path)
    with_run(new, "q001 Q0 x.py 1 1")
    load(new, text.replace("1-9", "1-9:0"))
    with_run(new, "q001 Q0 a.py:5-12 1 2", tag="later")
    kept = (
        "grades of an earlier file stay, given otherwise by this one: 1 (q001 a.py:1-9: 0, not 1);"
        " load it with --replace to let it hold instead"
    )
    assert load(new, text).notes == (kept,)
    # To another judge it is one more.
    assert "counts as one more relevant" in load(new, text, judge="second").notes[0]


@pytest.mark.parametrize(
    ("second", "what"),
    [
        (
            '{"query": "unheard of", "expected": "a"}',
            "2: query 'unheard of' is not in the campaign; load its queries first (LOAD), or leave"
            " such answers out with --skip-unknown",
        ),
        (
            '{"query_id": "q9", "expected": "a"}',
            "2: query 'q9' is not in the campaign; load its queries first (LOAD), or leave such"
            " answers out with --skip-unknown",
        ),
        (
            '{"query_id": "q2", "query": "read a CSV file", "expected": "a"}',
            "2: query 'q2' is 'sort lists' in the campaign, and 'read a CSV file' here; mend the id"
            " or the text; an answer with an id needs no text",
        ),
        (
            '{"query": "read a CSV file", "expected": "a"}',
            "2: query 'q1' has answers in line 1 already; put them together",
        ),
        (
            '{"query_id": "q2", "expected": "a", "grade": 4}',
            "2: grade 4 is not on the campaign's scale (0, 1, 2, 3); mend the grade, or start a"
            " campaign with a scale that holds it: init --scale",
        ),
        (
            '{"query_id": "q2", "pattern": "("}',
            "2: pattern '(' is no regular expression: missing ), unterminated subpattern at"
            " position 0; mend it; a path as it stands goes to expected",
        ),
    ],
)
def test_all_or_nothing(code: Campaign, second: str, what: str) -> None:
    first = '{"query_id": "q1", "expected": ["src/a.py", "new.py"]}\n'
    path = code.path.parent / "answers"
    load_command = typed(code.path, "load queries", shlex.quote(str(path)))
    assert refused(code, first + second).replace(load_command, "LOAD") == what
    assert all_judges(code) == []


def test_what_the_judge_has_graded_otherwise_is_not_overwritten(code: Campaign) -> None:
    load(code, '{"query_id": "q2", "expected": "src/c.py", "grade": 3}\n')
    kept = (
        "grades of an earlier file stay, given otherwise by this one: 1 (q2 src/c.py: 3, not 2);"
        " load it with --replace to let it hold instead"
    )
    assert load(code, ANSWERS) == Loaded(added=3, notes=(kept,))
    assert graded(code)["q2", "src/c.py"] == 3
    assert load(code, ANSWERS, judge="second").added == 4


def test_what_is_unknown_is_left_out_where_that_is_asked_for(code: Campaign) -> None:
    text = ANSWERS + '{"query": "unheard of", "expected": ["a", "b"]}\n'
    assert load(code, text, skip_unknown=True) == Loaded(added=4, left_out=2)


def test_answers_may_be_those_of_a_program(code: Campaign) -> None:
    load(code, ANSWERS, judge="mined", kind="model")
    assert [(judge.name, judge.kind) for judge in all_judges(code)] == [("mined", "model")]
    assert grades_by_judge(code) == {}


places = st.sampled_from(["a", "b", "a:1-5", "a:4-9:3", "b:2-2", "c", "c:1-3:2", "./c:3-7:0"])
patterns = st.sampled_from(["^a", "-[59]$", "z"])


@settings(max_examples=25)
@given(
    st.lists(places, min_size=1, max_size=5),
    st.lists(patterns, max_size=2),
    st.sets(st.sampled_from(["a", "b", "a:1-2", "c:2-4", "x"]), min_size=1),
)
def test_any_answers_load_twice_to_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    expected: list[str],
    sought: list[str],
    retrieved: set[str],
) -> None:
    folder = tmp_path_factory.mktemp("twice")
    (folder / "q.tsv").write_text("q0\tabout it\n")
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    with create_campaign(folder / "c.db", name="c", scale=scale, guidelines="", seed=1) as campaign:
        load_queries(campaign, folder / "q.tsv")
        rows = [f"q0 Q0 {doc_id} 1 1 t\n" for doc_id in retrieved]
        (folder / "r").write_text("".join(rows))
        load_run(campaign, folder / "r")
        text = json.dumps([{"query_id": "q0", "expected": expected, "patterns": sought}])
        load(campaign, text)
        before = graded(campaign)
        again = load(campaign, text)
        assert (again.added, again.unchanged) == (0, len(before))
        assert graded(campaign) == before


# What people then do with it.


def test_another_judge_sees_those_pairs_as_any_other(code: Campaign) -> None:
    desk = Desk(code, add_judge(code, "ann"))
    load(code, ANSWERS + '{"query_id": "q9", "expected": "x"}', skip_unknown=True)
    queries = {query.query_id: query for query in desk.queries()}
    assert {name: (query.pairs, query.decided) for name, query in queries.items()} == {
        "q1": (3, 0),
        "q2": (1, 0),
    }
    pairs = list(desk.pairs(queries["q1"].key))
    assert {pair.doc_id for pair in pairs} == {"src/a.py:1-9", "src/a.py:20-30", "my file.txt"}
    assert all(desk.state(pair).grade is None for pair in pairs)
    assert desk.ranks_of(pairs[0]) == []


async def test_people_judge_in_the_app_what_the_answers_say_and_what_they_miss(
    code: Campaign,
) -> None:
    load(code, '{"query_id": "q2", "expected": ["src/c.py", "missed.py:1-2:2"]}\n', judge="sheet")
    extend_pool(code, depth=2)
    app = JudgeTuiApp(code, opening=judging(add_judge(code, "ann")))
    met = []
    async with app.run_test(size=(100, 30)) as pilot:
        for _ in range(5):
            await opened(pilot)
            met.append(here(app))
            words = "\n".join(shown(app)) + line(app, "title") + line(app, "query")
            assert "sheet" not in words
            await press(pilot, "0" if here(app) == "src/c.py" else "2")
    # Retrieved, and not among the answers: judged, not argued about.
    assert sorted(met) == [
        *("missed.py:1-2", "src/a.py:1-9", "src/a.py:20-30", "src/c.py", "src/d.py")
    ]
    by_ann = graded(code, "ann")
    assert (by_ann["q2", "src/c.py"], by_ann["q2", "src/d.py"]) == (0, 2)
    # What the two disagree about is the lead's to settle.
    with pytest.raises(UsageError, match="1 pair"):
        export_qrels(code, code.path.parent / "qrels.txt")


def test_the_first_judge_corrects_what_the_file_said(code: Campaign, tmp_path: Path) -> None:
    load(code, ANSWERS)
    (judge,) = all_judges(code)
    desk = Desk(code, judge)
    query = next(one for one in desk.queries() if one.query_id == "q2")
    (pair,) = desk.pairs(query.key)
    assert desk.state(pair).grade == 2
    desk.record("grade", pair, grade=0, painted_at=SEEN)
    assert graded(code)["q2", "src/c.py"] == 0
    # What a later run brings is graded by the same file; the correction stays.
    with_run(code, "q1 Q0 src/a.py:8-12 1 2", "q1 Q0 src/a.py:22 2 1", tag="later")
    again = load(code, ANSWERS)
    assert (again.added, again.unchanged) == (2, 3)
    assert again.notes == (
        "kept as judged, where the file says otherwise: 1 (q2 src/c.py: 0, not 2)",
    )
    assert graded(code)["q1", "src/a.py:22"] == 3
    assert graded(code)["q2", "src/c.py"] == 0
    out = tmp_path / "qrels.txt"
    export_qrels(code, out)
    assert out.read_text() == (
        "q1 0 my%20file.txt 1\nq1 0 src/a.py:1-9 3\nq1 0 src/a.py:20-30 3\n"
        "q1 0 src/a.py:22 3\nq1 0 src/a.py:8-12 3\nq2 0 src/c.py 0\n"
    )


def test_of_what_the_judge_corrected_three_are_named(code: Campaign) -> None:
    rows = [{"query_id": "q1", "expected": [f"{n}.py" for n in "abcde"]}]
    load(code, json.dumps(rows))
    (judge,) = all_judges(code)
    desk = Desk(code, judge)
    (query,) = (one for one in desk.queries() if one.query_id == "q1")
    for pair in desk.pairs(query.key):
        if pair.doc_id == "a.py":
            desk.record("cannot", pair, painted_at=SEEN)
        elif pair.doc_id in ("b.py", "c.py", "d.py"):
            desk.record("grade", pair, grade=2, painted_at=SEEN)
    again = load(code, json.dumps(rows))
    assert (again.added, again.unchanged) == (0, 1)
    assert again.notes[-1] == (
        "kept as judged, where the file says otherwise: 4 (q1 a.py: cannot be judged, not 1; q1"
        " b.py: 2, not 1; q1 c.py: 2, not 1; and 1 more)"
    )
    assert ("q1", "a.py") not in graded(code)


MENDED = """\
{"query": "read  a CSV file", "expected": ["src/a.py:5-12:2", "new.py"]}
{"query_id": "q2", "pattern": "/c\\\\.py", "grade": 1}
"""


def test_queries_that_a_file_does_not_have_keep_their_grades(code: Campaign) -> None:
    load(code, '{"query_id": "q2", "expected": "src/d.py"}\n')
    told = load(code, '{"query_id": "q1", "expected": "other.py"}\n')
    assert (told.added, told.notes) == (1, ())
    told = load(code, '{"query_id": "q1", "expected": "other.py", "grade": 2}\n', replace=True)
    assert (told.replaced, told.notes) == (
        1,
        ("grades of an earlier file stay for queries that this one does not have: 1",),
    )
    assert graded(code) == {("q2", "src/d.py"): 1, ("q1", "other.py"): 2}


def test_what_was_taken_back_shares_no_lines_with_a_later_run(code: Campaign, files: Path) -> None:
    load(code, '{"query_id": "q1", "expected": "new.py:1-9"}\n')
    (late := files / "late.run").write_text("q1 Q0 new.py:3 1 5 late\n")
    assert "as new.py:3 does with new.py:1-9" in load_run(code, late)[1].notes[0]
    load(code, '{"query_id": "q1", "expected": "other.py"}\n', replace=True)
    (later := files / "later.run").write_text("q1 Q0 new.py:4 1 5 later\n")
    assert load_run(code, later)[1].notes == ()


def test_a_bad_file_takes_nothing_back(code: Campaign) -> None:
    load(code, ANSWERS)
    before = code.rows("SELECT id FROM events ORDER BY id")
    bad = '{"query_id": "q1", "expected": "other.py"}\n{"query_id": "q2", "expected": "a.py:1:9"}\n'
    with pytest.raises(InputError, match="grade 9 is not on the campaign's scale"):
        load(code, bad, replace=True)
    assert code.rows("SELECT id FROM events ORDER BY id") == before


# The command.


def judge_tui(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def test_the_command_says_what_came_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    Path("sheet.csv").write_text("query,result1\nhow to read,a.py\nhow to sort,b.py:1-9:2\n")
    Path("sheet.toml").write_text('[[answers]]\nquery = "how to read"\npattern = "zzz"\n')
    Path("t.run").write_text("q001 Q0 a.py:3-4 1 1 t\n")
    assert judge_tui("init").exit_code == 0
    result = judge_tui("load", "answers", "sheet.csv", "--judge", "sheet")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(
        "load those first: judge-tui load queries sheet.csv, then judge-tui load run FILE...\n"
    )
    result = judge_tui("load", "queries", "sheet.csv")
    assert result.output == "sheet.csv: queries: 2 added\n"
    assert judge_tui("load", "run", "t.run").exit_code == 0
    result = judge_tui("load", "answers", "sheet.csv", "--judge", "sheet")
    assert (result.exit_code, result.stdout) == (0, "sheet.csv: grades of sheet: 2 added\n")
    assert result.stderr == "note: paths that no run retrieved, now in the pool: 1\n"
    result = judge_tui("load", "answers", "sheet.csv", "--judge", "sheet")
    assert result.output == "sheet.csv: grades of sheet: 2 there already\n"
    result = judge_tui("load", "answers", "sheet.toml", "--judge", "sheets")
    assert result.stdout == "sheet.toml: grades of sheets: nothing new\n"
    assert result.stderr == (
        "note: 'sheets' is new, and nearly the name of 'sheet'\n"
        "note: patterns that match no document: 1\n"
        "note: nothing was graded, so 'sheets' does not become a judge\n"
    )
    result = judge_tui("load", "answers", "none.csv", "--judge", "sheet")
    assert result.exit_code == 2
    assert judge_tui("export", "qrels", "-o", "qrels.txt").exit_code == 0
    assert Path("qrels.txt").read_text() == "q001 0 a.py:3-4 1\nq002 0 b.py:1-9 2\n"


def test_what_has_no_grade_in_the_file_gets_the_one_that_is_asked_for(code: Campaign) -> None:
    # Of ANSWERS the path that names its grade keeps it.
    load(code, ANSWERS, grade=2)
    assert graded(code) == {
        ("q1", "src/a.py:1-9"): 3,
        ("q1", "src/a.py:20-30"): 3,
        ("q1", "my file.txt"): 2,
        ("q2", "src/c.py"): 2,
    }


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "toml"])
def test_in_every_form_of_file(code: Campaign, form: str) -> None:
    text = {
        "csv": "query_id,query,result1\nq1,,src/a.py\n",
        "json": '[{"query_id": "q1", "expected": ["src/a.py"]}]',
        "jsonl": '{"query_id": "q1", "pattern": "^src/a"}\n',
        "toml": '[[answers]]\nquery_id = "q1"\npatterns = ["^src/a"]\n',
    }[form]
    load(code, text, grade=3)
    assert set(graded(code).values()) == {3}
    assert ("q1", "src/a.py:1-9") in graded(code)


def test_a_grade_off_the_scale_is_refused(code: Campaign) -> None:
    with pytest.raises(UsageError, match=r"grade 7 is not on the campaign's scale \(0, 1, 2, 3\)"):
        load(code, ANSWERS, grade=7)
    assert graded(code) == {}


def test_a_campaign_that_is_lost_gets_nothing(code: Campaign) -> None:
    code.path.unlink()
    with pytest.raises(CampaignError):
        load(code, ANSWERS)


def test_a_run_that_comes_after_tells_of_results_on_lines_with_a_loaded_grade(
    code: Campaign, files: Path
) -> None:
    load(code, ANSWERS)
    late = files / "late.run"
    # In the middle of src/a.py:20-30, and with a column of it; on no line of it; in another query.
    late.write_text(
        "q1 Q0 src/a.py:22-24 1 5 late\nq1 Q0 src/a.py:25:3 2 4 late\n"
        "q1 Q0 src/a.py:40-50 3 3 late\n"
        "q1 Q0 src/b.py:22 4 2 late\nq1 Q0 src/a.py:20-30 5 1 late\nq2 Q0 src/a.py:22 1 1 late\n"
    )
    _, loaded = load_run(code, late)
    assert loaded.notes == (
        "2 results have no grade, but share lines with one whose grade was loaded, as"
        " src/a.py:22-24 does with src/a.py:20-30 (query q1); if that was of answers, load them"
        " again: they grade each, too, that shares lines with what they name",
    )
    # Which is so, and then there is nothing more to tell.
    assert load(code, ANSWERS).added == 2
    assert load_run(code, late, depth=200)[1] == Loaded(replaced=1)


def test_a_result_on_lines_of_a_graded_one_alone_is_not_promised_a_grade(
    code: Campaign, files: Path
) -> None:
    answers = "query_id,query,result1\nq1,,src/a.py:25-40\n"
    load(code, answers)
    late = files / "late.run"
    # It shares lines with src/a.py:20-30, which the answer graded, and none with the answer.
    late.write_text("q1 Q0 src/a.py:21-23 1 5 late\n")
    _, loaded = load_run(code, late)
    assert loaded.notes == (
        "1 result has no grade, but shares lines with one whose grade was loaded, as"
        " src/a.py:21-23 does with src/a.py:20-30 (query q1); if that was of answers, load them"
        " again: they grade it, too, if it shares lines with what they name",
    )
    assert load(code, answers).added == 0
    assert graded(code) == {("q1", "src/a.py:20-30"): 1}
