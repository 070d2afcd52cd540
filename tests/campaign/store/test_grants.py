"""What a judge's own role on a PostgreSQL server may do: read one desk, and add to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.backend import insertion
from judge_tui.campaign.store.copy import COLUMNS
from judge_tui.campaign.store.desk import UNTOUCHED, Desk, DeskPair
from judge_tui.campaign.store.event import Event, next_event_id
from judge_tui.campaign.store.judges import add_judge, known_judge
from judge_tui.campaign.store.leases import TakenError
from judge_tui.campaign.store.settings import change_setting
from judge_tui.campaign.store.statistics import judge_statistics
from judge_tui.errors import CampaignError
from judge_tui.place import Address
from judge_tui.tui.screens.desk_cursor import DeskCursor
from tests.as_typed import judge_tui
from tests.campaign.copies import events_of
from tests.campaigns import SEEN, record, redo_last, undo_last
from tests.postgres import Server

pytestmark = pytest.mark.about_servers

REFUSED = "your role on the server may not do this"


@contextmanager
def role_of_ann(campaign: Campaign, server: Server) -> Iterator[Address]:
    """The campaign as a role sees it that judges as ann."""
    role = f"ann_{campaign.path.schema}"
    campaign.backend.execute(f"CREATE ROLE {role} LOGIN")
    judge_tui("campaign", "grant", role, "--judge", "ann", "--db", campaign.path)
    yield server.address(campaign.path.schema, role)
    campaign.backend.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


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
    with role_of_ann(campaign, server) as address:
        yield address


@pytest.fixture
def ann(granted: Address) -> Iterator[Campaign]:
    """A connection of that role, for any SQL."""
    with open_campaign(granted) as campaign:
        yield campaign


READ = ("judges", "queries", "events", "judgments", "leases")
"""The tables of which a role reads what is its own, whole."""


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_a_role_reads_no_other_table_whole(ann, table):
    if table in READ:
        found = ann.rows(f"SELECT * FROM {table}")
        assert bool(found) == (table != "leases")
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
        "SELECT meta FROM documents",
        "SELECT baseline FROM campaign",
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


def test_a_role_reads_what_is_shown_of_metadata(campaign, granted):
    [(tag,)] = campaign.rows("SELECT min(tag) FROM runs")
    change_setting(campaign, "baseline", tag)
    change_setting(campaign, "show-fields", "year,place")
    with campaign.writing():
        campaign.execute('UPDATE documents SET meta = \'{"grade": 3, "year": 1e3}\'')
    with open_campaign(granted) as away:
        desk = Desk(away, add_judge(away, "ann"))
        pair = desk.pairs(desk.queries()[0].key)[0]
        assert desk.look(pair).document.meta == {"year": 1e3}
        assert away.settings.baseline == ""
        others = campaign.rows(
            "SELECT id FROM documents WHERE id NOT IN (SELECT p.document FROM pool AS p"
            " JOIN assignments AS a ON a.pair = p.id WHERE a.judge = ?)",
            (desk.judge.key,),
        )
        assert {away.row("SELECT shown_meta(?)", row) for row in others} == {("{}",)}


def insert(campaign: Campaign, table: str, row: dict[str, object]) -> None:
    with campaign.writing():
        campaign.execute(insertion(table, *row), [*row.values()])


@pytest.fixture
def event(campaign: Campaign, granted: Address) -> dict[str, object]:
    """A grade that ann may give."""
    key = known_judge(campaign, "ann").key
    [pair] = campaign.row("SELECT min(pair) FROM assignments WHERE judge = ?", (key,))
    when = "2026-01-05T10:00:00.000+00:00"
    made = Event(next_event_id(None), key, pair, "grade", 2, painted_at=SEEN, written_at=when)
    return made._asdict()


FORGED_EVENTS = [
    {"id": "zzz"},
    {"id": "ffffffff-ffff-7fff-bfff-ffffffffffff"},
    {"id": "6ffccac3-93a0-4a0c-8a5c-a9a2b1c0d9e8"},
    {"grade": 99_999},
    {"looked": -1},
    {"looked": float("nan")},
    {"looked": float("inf")},
    {"written_at": ""},
    {"written_at": "2026-02-30T10:00:00.000+00:00"},
    {"written_at": "2999-01-05T10:00:00.000+00:00"},
    {"written_at": "2026-01-05T10:00:00"},
    {"painted_at": "soon"},
    {"action": "adjudicate"},
    {"turn": 1},
]


@pytest.mark.parametrize("forged", FORGED_EVENTS, ids=str)
def test_a_role_adds_no_event_that_judge_tui_would_not_write(ann, event, forged):
    with pytest.raises(CampaignError, match=f"{REFUSED}|cannot store this"):
        insert(ann, "events", event | forged)
    insert(ann, "events", event)


def test_a_role_adds_no_event_of_others_nor_about_their_pairs(campaign, ann, event):
    bob = known_judge(campaign, "bob").key
    his = "SELECT min(id), min(pair) FROM events WHERE judge = ? AND pair NOT IN"
    [target, pair] = campaign.row(
        f"{his} (SELECT pair FROM assignments WHERE judge = ?)", (bob, event["judge"])
    )
    [own] = campaign.row(
        "SELECT id FROM events WHERE judge = ? AND pair = ?", (event["judge"], event["pair"])
    )
    [elsewhere] = campaign.row(
        "SELECT min(id) FROM events WHERE judge = ? AND pair <> ?", (event["judge"], event["pair"])
    )
    undo = {"action": "undo", "grade": None, "painted_at": None}
    for forged in (
        {"judge": bob},
        {"pair": pair},
        undo | {"target": target},
        undo | {"target": target, "pair": pair},
        undo | {"target": elsewhere},
        undo | {"target": own, "action": "redo"},
    ):
        with pytest.raises(CampaignError, match=REFUSED):
            insert(ann, "events", event | forged)
    insert(ann, "events", event | undo | {"target": own})


FORGED_JUDGMENTS = [
    {"grade": 3},
    {"grade": 99_999, "event": None, "first_grade": None, "first_decision": None},
    {"decision": None, "grade": None},
    {"decision": "skip", "grade": None},
    {"query": 10_000},
    {"flagged": 1},
    {"note": "of nobody"},
    {"seconds": 9.0},
    {"from_file": 1},
    {"first_in_app": 0},
    {"first_seconds": 9.0},
    {"written_at": "soon"},
    {"event": "{another}"},
    {"first_grade": "{another}"},
    {"first_decision": "{another}"},
]


@pytest.mark.parametrize("forged", FORGED_JUDGMENTS, ids=str)
def test_a_role_lets_nothing_hold_that_no_event_says(campaign, ann, forged):
    columns = COLUMNS["judgments"]
    first, second = ann.rows(
        f"SELECT {', '.join(columns)} FROM judgments ORDER BY pair, turn LIMIT 2"
    )
    row = dict(zip(columns, first, strict=True))
    another = dict(zip(columns, second, strict=True))["event"]
    forged = {name: another if its == "{another}" else its for name, its in forged.items()}
    with ann.writing():
        ann.execute("DELETE FROM judgments WHERE pair = ? AND turn = ?", (row["pair"], row["turn"]))
    with pytest.raises(CampaignError, match=REFUSED):
        insert(ann, "judgments", row | forged)
    insert(ann, "judgments", row)


def test_a_role_takes_no_judgment_of_others_away(campaign, ann):
    key = known_judge(campaign, "ann").key
    others = "SELECT judge, pair, turn FROM judgments WHERE judge <> ? ORDER BY 1, 2, 3"
    before = campaign.rows(others, (key,))
    with ann.writing():
        ann.execute("DELETE FROM judgments")
    assert campaign.rows(others, (key,)) == before


@pytest.mark.parametrize("change", ["removed = 1", "role = 'lead'"])
def test_who_is_no_judge_any_more_may_do_nothing(campaign, ann, event, change):
    with campaign.writing():
        campaign.execute("DELETE FROM assignments")
    assert ann.rows("SELECT count(*) FROM pool") == campaign.rows("SELECT count(*) FROM pool")
    with campaign.writing():
        campaign.execute(f"UPDATE judges SET {change} WHERE name = 'ann'")
    for table in ("judges", "pool", "queries", "documents", "events", "judgments"):
        assert ann.rows(f"SELECT count(*) FROM {table}") == [(0,)]
    with pytest.raises(CampaignError, match=REFUSED):
        insert(ann, "events", event)


def test_what_is_assigned_no_more_can_be_taken_back_and_not_judged(campaign, granted):
    key = known_judge(campaign, "ann").key
    last = "SELECT pair FROM events WHERE judge = ? ORDER BY id DESC LIMIT 1"
    with campaign.writing():
        campaign.execute(f"DELETE FROM assignments WHERE judge = ? AND pair = ({last})", (key, key))
    with open_campaign(granted) as away:
        desk = Desk(away, add_judge(away, "ann"))
        undone = undo_last(desk)
        assert undone is not None
        assert undone.pair not in {pair.key for q in desk.queries() for pair in desk.pairs(q.key)}
        assert away.rows("SELECT 1 FROM judgments WHERE event = ?", (undone.id,)) == []
        assert redo_last(desk) == undone
        assert away.rows("SELECT grade FROM judgments WHERE event = ?", (undone.id,)) == [(2,)]
        with pytest.raises(CampaignError, match=REFUSED):
            record(desk, "grade", DeskPair(undone.pair, "", UNTOUCHED), grade=1)


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


@pytest.fixture
def sharing(campaign: Campaign, server: Server) -> Iterator[Campaign]:
    """The campaign as the role of ann sees it, whose pool she shares with bob, who is at q1."""
    change_setting(campaign, "share-pool", "on")
    add_judge(campaign, "ann")
    bob = Desk(campaign, add_judge(campaign, "bob"))
    first, *_ = bob.queries()
    assert bob.claim(first.key)
    record(bob, "grade", bob.pairs(first.key)[0], grade=3)
    with role_of_ann(campaign, server) as address, open_campaign(address) as away:
        yield away


def test_a_role_shares_a_pool_by_the_app_s_own_way(campaign, sharing):
    desk = Desk(sharing, known_judge(sharing, "ann"))
    cursor = DeskCursor(desk)
    cursor.resume()
    assert cursor.visit.query_id == "q2"
    while not cursor.all_judged:
        record(desk, "grade", cursor.pair, grade=1)
        cursor.reread()
        cursor.to_next_undecided()
    assert [(one.query_id, one.decided, one.pairs) for one in desk.queries()] == [("q2", 3, 3)]
    [taken] = campaign.rows("SELECT pair FROM judgments WHERE judge <> ?", (desk.judge.key,))
    with pytest.raises(TakenError):
        record(desk, "grade", DeskPair(*taken, "", UNTOUCHED), grade=1)
    campaign.backend.execute("UPDATE leases SET until = 1")
    assert cursor.to_next_undecided() == ""
    assert cursor.visit.query_id == "q1"
    assert cursor.hold()
    desk.release()
    assert campaign.rows("SELECT judge FROM leases") != [(desk.judge.key,)]


def test_a_role_grades_nothing_by_sql_that_another_has(campaign, sharing):
    ann = known_judge(campaign, "ann").key
    [(taken, query)] = campaign.rows("SELECT pair, query FROM judgments")
    [(free,)] = campaign.rows("SELECT min(id) FROM pool WHERE query <> ?", (query,))
    for action, pair, is_refused in (
        ("grade", taken, True),
        ("cannot", taken, True),
        ("skip", taken, False),
        ("grade", free, False),
    ):
        grade = 2 if action == "grade" else None
        when = "2026-01-05T10:00:00.000+00:00"
        event = Event(
            next_event_id(None), ann, pair, action, grade, painted_at=SEEN, written_at=when
        )
        with pytest.raises(CampaignError, match=REFUSED) if is_refused else nullcontext():
            insert(sharing, "events", event._asdict())


def test_a_role_sees_of_others_what_is_held_and_taken_and_not_by_whom(campaign, sharing):
    bob = known_judge(campaign, "bob").key
    assert sharing.rows("SELECT * FROM held") == campaign.rows("SELECT query FROM leases")
    assert sharing.rows("SELECT * FROM taken") == campaign.rows("SELECT query, pair FROM judgments")
    for table in ("leases", "judgments", "events"):
        assert sharing.rows(f"SELECT * FROM {table} WHERE judge = ?", (bob,)) == []
    for sql in (
        f"INSERT INTO leases VALUES ({bob}, 2, 0) ON CONFLICT (judge) DO UPDATE SET query = 2",
        "INSERT INTO leases SELECT own_judge(), 2, now + 700 FROM clock",
        "CREATE OR REPLACE VIEW taken AS SELECT 1 AS pair",
    ):
        with pytest.raises(CampaignError, match=REFUSED):
            sharing.rows(sql)
    for sql in (
        "DELETE FROM leases RETURNING judge",
        "UPDATE leases SET query = 2 RETURNING judge",
    ):
        assert sharing.rows(sql) == []


@pytest.mark.parametrize(
    ("role", "judge", "what"),
    [
        ("nobody", "ann", 'role "nobody" does not exist'),
        ("postgres", "lea", "'lea' is no judge but a human lead; grant a role to a judge"),
        ("postgres", "Ann", "'Ann' is new, and nearly the name of 'ann'"),
    ],
)
def test_what_is_not_granted(campaign, role, judge, what):
    add_judge(campaign, "ann")
    add_judge(campaign, "lea", role="lead")
    words = ("campaign", "grant", role, "--judge", judge, "--db", campaign.path)
    assert what in judge_tui(*words, code=2).stderr


def test_a_campaign_that_shows_ranks_has_no_roles(campaign):
    add_judge(campaign, "ann")
    change_setting(campaign, "show-ranks", "on")
    words = ("campaign", "grant", "postgres", "--judge", "ann", "--db", campaign.path)
    assert "a judge's role cannot read" in judge_tui(*words, code=2).stderr
