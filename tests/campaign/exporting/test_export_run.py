"""A run that is written out again is the same run."""

from __future__ import annotations

import pytest

from judge_tui.campaign import create_campaign
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.errors import InputError, UsageError
from judge_tui.model import DEFAULT_SCALE
from tests.campaign.copies import kept_rankings
from tests.loading_runs import load_run

# Ties, ids that hold codes of white space, scores of all bits, a query of white space.
RUN = """\
q1 Q0 a%20b 1 0.1 my%20run
q1 Q0 a%2520b 2 0.1 my%20run
q1 Q0 z 3 0.30000000000000004 my%20run
q1 Q0 é 4 -5e-324 my%20run
q1 Q0 =1+1 5 1e300 my%20run
q%0A2 Q0 d 1 3 my%20run
"""


@pytest.fixture
def loaded(tmp_path):
    def make(name, *paths, depth=100):
        campaign = create_campaign(tmp_path / name, name="c", scale=DEFAULT_SCALE, seed=1)
        (tmp_path / "q.jsonl").write_text(
            '{"query_id": "q1", "text": "one"}\n{"query_id": "q\\n2", "text": "two"}\n'
        )
        load_queries(campaign, tmp_path / "q.jsonl")
        for path in paths:
            load_run(campaign, path, depth=depth)
        return campaign

    return make


def kept(campaign):
    return campaign.rows(
        "SELECT runs.tag, q.query_id, r.rank, d.doc_id, r.score FROM results AS r"
        " JOIN runs ON runs.id = r.run JOIN queries AS q ON q.id = r.query"
        " JOIN documents AS d ON d.id = r.document ORDER BY 1, 2, 3"
    )


def test_loaded_again_it_is_the_same(loaded, tmp_path):
    (tmp_path / "in.run").write_text(RUN)
    out = tmp_path / "out.run"
    with loaded("one.db", tmp_path / "in.run") as one:
        exported = export_run(one, out, "my%20run")
        assert exported.written == {"queries": 2, "results": 6}
        with loaded("two.db", out) as two:
            assert kept(two) == kept(one)
            assert len(kept(one)) == 6
            export_run(two, tmp_path / "again.run", "my%20run")
    assert (tmp_path / "again.run").read_bytes() == out.read_bytes()


def test_cut_where_there_may_have_been_more(loaded, tmp_path):
    (tmp_path / "in.run").write_text(RUN)
    with loaded("one.db", tmp_path / "in.run", depth=3) as one:
        exported = export_run(one, tmp_path / "out.run", "my%20run")
        assert (exported.written["results"], exported.details["lists cut at 3 results"]) == (4, 1)
        with loaded("two.db", tmp_path / "out.run", depth=3) as two:
            assert kept_rankings(two) == kept_rankings(one)


def test_what_it_was_asked_comes_back(loaded, tmp_path):
    """Of the queries without a result it is known whether they were asked, and what failed."""
    (tmp_path / "in.run").write_text("q1 Q0 a 1 2 live\n")
    header = "query_id,seconds,tries,results,repeated,failure\n"
    beside = f"{header}q1,0.5,1,1,0,\nq%0A2,9.0,1,0,0,HTTP 500\n"
    (tmp_path / "in.latency.csv").write_text(beside)
    with loaded("one.db", tmp_path / "in.run") as one:
        export_run(one, tmp_path / "out.run", "live")
        assert (tmp_path / "out.latency.csv").read_text() == beside
        (tmp_path / "folder.run").mkdir()
        with pytest.raises(InputError, match="is a folder"):
            export_run(one, tmp_path / "folder.run", "live")
        assert not (tmp_path / "folder.latency.csv").exists()
    # What lies there of another run is not taken for this one's.
    (tmp_path / "in.latency.csv").unlink()
    with loaded("two.db", tmp_path / "in.run") as two:
        export_run(two, tmp_path / "out.run", "live")
    assert (tmp_path / "out.latency.csv").read_text() == header


def test_refusals(campaign, tmp_path):
    with pytest.raises(UsageError, match="no run 'alfa'; did you mean 'alpha'"):
        export_run(campaign, tmp_path / "out", "alfa")
    with pytest.raises(InputError, match="SQLite file"):
        export_run(campaign, campaign.path, "alpha")
    campaign.execute("UPDATE runs SET depth = 0 WHERE tag = 'beta'")
    with pytest.raises(UsageError, match="only the ranks of one judge's documents are here"):
        export_run(campaign, tmp_path / "out", "beta")
    assert not (tmp_path / "out").exists()
    empty = create_campaign(tmp_path / "e.db", name="e", scale=DEFAULT_SCALE, seed=1)
    with empty, pytest.raises(UsageError, match="no runs yet"):
        export_run(empty, tmp_path / "out", "alpha")
