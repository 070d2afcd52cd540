"""What a judge's own role on a PostgreSQL server may do: read one desk, and add to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.copy import COLUMNS
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge, known_judge
from judge_tui.campaign.store.statistics import judge_statistics
from judge_tui.errors import CampaignError
from judge_tui.place import Address
from tests.as_typed import judge_tui
from tests.campaign.copies import events_of
from tests.campaigns import record, redo_last, undo_last
from tests.postgres import Server

pytestmark = pytest.mark.about_servers

REFUSED = "your role on the server may not do this"


@pytest.fixture
def granted(campaign: Campaign, server: Server) -> Iterator[Address]:
    """The campaign as the role of ann sees it, who shares a pair with bob; both have judged."""
    assign(campaign, ["ann", "bob"], overlap=0)
    with campaign.writing():
        campaign.execute(
            "INSERT INTO assignments SELECT b.id, min(a.pair), 0, 9, 'normal' FROM assignments AS a"
            " JOIN judges AS j ON j.id = a.judge AND j.name = 'ann'"
            " JOIN judges AS b ON b.name = 'bob' GROUP BY b.id"
        )
    for name in ("ann", "bob"):
        desk = Desk(campaign, known_judge(campaign, name))
        for query in desk.queries():
            for pair in desk.pairs(query.key):
                record(desk, "grade", pair, grade=2, note=f"of {name}")
    role = f"ann_{campaign.path.schema}"
    campaign.backend.execute(f"CREATE ROLE {role} LOGIN")
    judge_tui("campaign", "grant", role, "--judge", "ann", "--db", campaign.path)
    yield server.address(campaign.path.schema, role)
    campaign.backend.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


@pytest.fixture
def ann(granted: Address) -> Iterator[Campaign]:
    """A connection of that role, for any SQL."""
    with open_campaign(granted) as campaign:
        yield campaign


READ = ("campaign", "judges", "queries", "documents", "events", "judgments")
"""The tables of which a role reads what is its own, whole."""


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_a_role_reads_no_other_table_whole(ann, table):
    if table in READ:
        assert ann.rows(f"SELECT * FROM {table}")
    else:
        with pytest.raises(CampaignError, match=REFUSED):
            ann.rows(f"SELECT * FROM {table}")


def test_a_role_reads_its_own_rows_alone(campaign, ann):
    key = known_judge(campaign, "ann").key
    for table in ("assignments", "events", "judgments"):
        assert ann.rows(f"SELECT DISTINCT judge FROM {table}") == [(key,)]
        ours = campaign.rows(f"SELECT count(*) FROM {table} WHERE judge = ?", (key,))
        assert ann.rows(f"SELECT count(*) FROM {table}") == ours
    assert ann.rows("SELECT name FROM judges") == [("ann",)]
    assigned = "SELECT pair FROM assignments WHERE judge = ? ORDER BY 1"
    assert ann.rows("SELECT id FROM pool ORDER BY 1") == campaign.rows(assigned, (key,))
    assert ann.rows("SELECT count(*) FROM documents WHERE doc_id = 'never.retrieved'") == [(0,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT stratum FROM pool",
        "SELECT round, probability FROM pool",
        "SELECT purpose FROM assignments",
        "SELECT * FROM roles",
        "UPDATE events SET grade = 3",
        "DELETE FROM events",
        "TRUNCATE events CASCADE",
        "UPDATE judgments SET grade = 3",
        "UPDATE campaign SET show_ranks = 1",
        "INSERT INTO judges (name, role, kind) VALUES ('x', 'lead', 'human')",
        "INSERT INTO assignments VALUES (1, 1, 0, 0, 'normal')",
        "UPDATE roles SET judge = 2",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP POLICY own_events ON events",
        "CREATE TABLE more (a INT)",
        "DROP FUNCTION own_judge() CASCADE",
    ],
)
def test_a_role_may_do_nothing_else(ann, sql):
    with pytest.raises(CampaignError, match=REFUSED):
        ann.rows(sql)


EVENT = (
    "INSERT INTO events (id, judge, pair, action, grade, note, written_at)"
    " VALUES ('{event}', {judge}, {pair}, '{action}', 2, '', '') RETURNING id"
)


def test_a_role_adds_no_event_of_others_nor_about_their_pairs(campaign, ann):
    hers, his = (known_judge(campaign, name).key for name in ("ann", "bob"))
    assigned = "SELECT min(pair) FROM assignments WHERE judge = ?"
    [(own,)] = campaign.rows(assigned, (hers,))
    [(other,)] = campaign.rows(
        f"{assigned} AND pair NOT IN (SELECT pair FROM assignments WHERE judge = ?)", (his, hers)
    )
    for judge, pair, action in (
        (his, own, "grade"),
        (hers, other, "grade"),
        (hers, own, "adjudicate"),
    ):
        with pytest.raises(CampaignError, match=REFUSED):
            ann.rows(EVENT.format(event="x", judge=judge, pair=pair, action=action))
    assert ann.rows(EVENT.format(event="x", judge=hers, pair=own, action="grade")) == [("x",)]
    before = campaign.rows("SELECT count(*) FROM judgments WHERE judge = ?", (his,))
    ann.rows("DELETE FROM judgments RETURNING judge")
    assert campaign.rows("SELECT count(*) FROM judgments WHERE judge = ?", (his,)) == before


def test_a_role_judges_by_the_app_s_own_way(campaign, granted):
    before = events_of(campaign)
    with open_campaign(granted) as away:
        desk = Desk(away, add_judge(away, "ann"))
        for query in desk.queries():
            desk.query(query.key)
            for pair in desk.pairs(*query.visit):
                desk.look(pair)
                record(desk, "grade", pair, grade=1)
                record(desk, "comment", pair, note="seen")
        assert undo_last(desk) == redo_last(desk)
        assert all(query.decided == query.pairs for query in desk.queries())
        judge_statistics(away, desk.judge.key)
        with pytest.raises(CampaignError, match=REFUSED):
            add_judge(away, "cleo")
    added = [row for row in events_of(campaign) if row not in before]
    assert {row[1] for row in added} == {"ann"}
    ours = grades_by_judge(campaign)["ann"]
    assert set(ours.values()) == {1}
    assert len(ours) == sum(1 for row in added if row[5] == "grade")


@pytest.mark.parametrize(
    ("role", "judge", "what"),
    [
        ("nobody", "ann", 'role "nobody" does not exist'),
        ("postgres", "lea", "'lea' is no judge but a human lead; grant a role to a judge"),
        ("postgres", "an", "did you mean 'ann'?"),
    ],
)
def test_what_is_not_granted(campaign, role, judge, what):
    add_judge(campaign, "ann")
    add_judge(campaign, "lea", role="lead")
    words = ("campaign", "grant", role, "--judge", judge, "--db", campaign.path)
    assert what in judge_tui(*words, code=2).stderr
