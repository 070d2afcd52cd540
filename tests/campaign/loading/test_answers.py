"""Right answers as a first judge's grades: which documents get which, all of them or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.answers import load_answers
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.judges import all_judges
from judge_tui.campaign.store.pool import pool_size
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Scale
from tests.campaign.copies import whole
from tests.campaigns import grade_in_the_app, load_run

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


def load(campaign: Campaign, text: str, judge: str = "answers", **options: object) -> LoadCounts:
    path = campaign.path.parent / "answers"
    path.write_text(text)
    return load_answers(campaign, path, judge=judge, **options)  # type: ignore[arg-type]


def graded(campaign: Campaign, judge: str = "answers") -> dict[tuple[str, str], int]:
    return grades_by_judge(campaign, include_models=True).get(judge, {})


def refused(campaign: Campaign, text: str) -> str:
    """Why it is refused; nothing of it has come into the file."""

    before = whole(campaign.path)
    with pytest.raises(InputError) as raised:
        load(campaign, text)
    assert whole(campaign.path) == before
    return str(raised.value).partition("answers:")[2]


def test_each_document_gets_the_best_grade_of_what_it_matches(code):
    assert load(code, ANSWERS) == LoadCounts(added=4)
    assert graded(code) == {
        ("q1", "src/a.py:1-9"): 3,
        ("q1", "src/a.py:20-30"): 3,
        ("q1", "my%20file.txt"): 1,
        ("q2", "src/c.py"): 2,
    }
    # Two pairs were in the pool already; what no answer matches waits for people.
    assert pool_size(code).by_stratum == {"depth": 2, "loaded": 2}
    assert load(code, ANSWERS) == LoadCounts(unchanged=4)
    assert len(graded(code)) == 4


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ('{"query_id": "q9", "expected": "a"}', "query 'q9' is not in the campaign"),
        ('{"query": "read a CSV file", "expected": "a"}',
         "query 'q1' has answers in line 1 already; put them together"),
        ('{"query_id": "q2", "expected": "a", "grade": 4}',
         "grade 4 is not on the campaign's scale (0, 1, 2, 3)"),
    ],
)  # fmt: skip
def test_all_or_nothing(code, second, what):
    first = '{"query_id": "q1", "expected": ["src/a.py", "new.py"]}\n'
    assert refused(code, first + second).startswith(f"2: {what}")
    assert all_judges(code) == []


MENDED = """\
{"query": "read  a CSV file", "expected": ["src/a.py:5-12:2", "new.py"]}
{"query_id": "q2", "pattern": "/c\\\\.py", "grade": 1}
"""


def test_a_mended_file_replaces_what_nobody_has_graded_since(code):
    load(code, ANSWERS)
    before = graded(code)
    grade_in_the_app(code, "answers", "q2 0 src/c.py 3\n")
    events = code.rows("SELECT count(*) FROM events")[0][0]
    what = "1: judge 'answers' judged 'src/a.py:1-9' for 'q1' before: 3 then, 2 here; mend"
    assert refused(code, MENDED).startswith(what)
    again = load(code, MENDED, replace=True)
    mended = {("q1", "src/a.py:1-9"): 2, ("q2", "src/c.py"): 3, ("q1", "new.py"): 1}
    assert graded(code) == mended
    assert again == LoadCounts(added=1, replaced=1, stay=1)
    # Events, and nothing but: one path that is new, one grade more, two taken back.
    assert code.rows("SELECT count(*) FROM events")[0][0] == events + 4
    assert load(code, MENDED, replace=True) == LoadCounts(unchanged=2, stay=1)
    assert load(code, ANSWERS, replace=True) == LoadCounts(added=2, replaced=1, stay=1)
    assert graded(code) == before | {("q2", "src/c.py"): 3}
    # What nobody graded is taken back, and not what was.
    load(code, '{"query_id": "q2", "expected": "src/d.py"}\n', replace=True)
    assert graded(code)["q2", "src/c.py"] == 3


def test_what_has_no_grade_in_the_file_gets_the_one_that_is_asked_for(code):
    # Of ANSWERS the path that names its grade keeps it.
    load(code, ANSWERS, grade=2)
    assert sorted(graded(code).values()) == [2, 2, 3, 3]
    with pytest.raises(UsageError, match=r"grade 7 is not on the campaign's scale \(0, 1, 2, 3\)"):
        load(code, ANSWERS, grade=7)


def test_without_runs_no_path_is_taken_for_a_document(tmp_path):
    with (
        create_campaign(tmp_path / "c.db", name="c", scale=Scale.parse("0=no,1=yes")) as empty,
        pytest.raises(UsageError, match=r"no runs yet; first: judge-tui .*load run"),
    ):
        load(empty, ANSWERS)
