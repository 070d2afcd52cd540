"""A campaign opened and its judges compared, as the docstring of the package says."""

import json

import pytest
from click.testing import CliRunner

import judge_tui
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.cli import cli
from judge_tui.errors import CampaignError
from tests.grades_by_file import grade_by_file


def test_a_campaign_is_opened_and_its_judges_compared(campaign, files):
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\nq1 0 csv.writer 0\nq2 0 sorted 2\n")
    grade_by_file(campaign, "bob", "q1 0 csv.reader 3\nq1 0 csv.writer 1\n")
    campaign.close()
    with judge_tui.open_campaign(files / "campaign.db") as opened:
        grades = grades_by_judge(opened)
        agreement = judge_tui.agree(grades, opened.settings.scale.grades)
    assert agreement.judges == ("ann", "bob")
    assert (agreement.pairs_judged, agreement.pairs_shared) == (3, 2)
    assert agreement.between[0].estimates["agreement"].value == 0.5


@pytest.mark.parametrize("name", ["campaign.db", "alpha.run"])
def test_what_is_no_campaign_is_refused(files, name):
    with pytest.raises(CampaignError, match=name):
        judge_tui.open_campaign(files / name)


@pytest.fixture
def judged(campaign, files):
    """Two judges who differ about one pair, and two queries of unlike classes."""
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\nq1 0 csv.writer 0\nq2 0 sorted 2\n")
    grade_by_file(campaign, "bob", "q1 0 csv.reader 3\nq1 0 csv.writer 1\n")
    classes = {"q1": "lookup", "q2": "attribute"}
    lines = [{"query_id": q, "text": "t", "class": name} for q, name in classes.items()]
    (files / "classes.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    load_queries(campaign, files / "classes.jsonl", replace=True)
    return campaign


def printed(campaign, *words):
    asked = [*words, "--db", str(campaign.path), "-f", "json"]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("options", [[], ["--by", "class"]])
def test_a_campaign_is_compared_as_by_the_command(judged, options):
    by = {"by": "class"} if options else {}
    result = judge_tui.compare(judged, ["beta", "alpha"], **by).to_dict()
    expected = printed(judged, "compare", "beta", "alpha", *options)
    assert result["comparisons"] == expected["comparisons"]
    assert result["warnings"] == expected["warnings"]


def test_the_greatest_grade_is_that_of_the_scale(campaign):
    grade_by_file(campaign, "ann", "q1 0 csv.reader 2\n")
    scores = judge_tui.score(campaign, "alpha", "ERR@2", bounds=True)
    expected = printed(campaign, "score", "alpha", "-m", "ERR@2", "--bounds")
    assert list(map(str, scores.measures)) == expected["measures"] == ["ERR(max_rel=3)@2"]
    assert scores.to_dict()["runs"][0]["bounds"] == expected["runs"][0]["bounds"]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({"measures": ["P@2", "Judged@2"]}, ["-m", "P@2", "-m", "Judged@2"]),
        ({}, []),
        ({"runs": "beta", "measures": "P@2"}, ["beta", "-m", "P@2"]),
        ({"runs": ["beta", "alpha"]}, ["beta", "alpha"]),
        ({"measures": "P@2", "policy": "max"}, ["-m", "P@2", "--policy", "max"]),
        ({"by": "class", "measures": "P@2"}, ["--by", "class", "-m", "P@2"]),
        ({"measures": "P@2", "bounds": True}, ["-m", "P@2", "--bounds"]),
    ],
)
def test_a_campaign_is_scored_as_by_the_command(judged, given, options):
    scores = judge_tui.score(judged, **given)
    expected = printed(judged, "score", "-q", *options)
    document = scores.to_dict(per_query=True)
    assert document["runs"] == expected["runs"]
    assert document["warnings"] == expected["warnings"]
