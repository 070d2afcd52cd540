"""A campaign on a PostgreSQL server: moved there and back whole, and what lost lines do to it."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from threading import Event, Timer

import pytest
from psycopg.conninfo import conninfo_to_dict

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.store.campaign_file import second_reader
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.campaign.store.events import append_event, undo
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import CampaignError, LostConnectionError, UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.place import Address, parse_place
from tests.as_typed import judge_tui
from tests.campaign.copies import copied, events_of, graded, key_of, whole
from tests.postgres import BreakingLine, Server
from tests.waiting import until

pytestmark = pytest.mark.about_servers


# --- moved there and back


@pytest.fixture
def judged(campaign: Campaign, files: Path) -> Campaign:
    """Two judges, pairs assigned and repeated, gold, one grade taken back, a note beyond ASCII."""
    (files / "gold.qrels").write_text("q1 0 json.load 0\n")
    assign(campaign, ["ann", "bob"], overlap=0.5, repeat=0.5, gold=files / "gold.qrels")
    for name, doc_id, grade in (("ann", "csv.reader", 3), ("bob", "sorted", 1)):
        graded(
            campaign, name, doc_id, grade, note=f"{name}: \u2192 \U0001f600\t%s ?\n", looked=1.25
        )
    undo(campaign, graded(campaign, "ann", "list.sort", 0).judge)
    graded(campaign, "ann", "csv.reader", 2)
    return campaign


def exports(campaign: Campaign, folder: Path) -> dict[str, bytes]:
    """The bytes of what is exported for others: qrels, judgments and run files."""
    folder.mkdir()
    export_qrels(campaign, folder / "qrels")
    export_judgments(campaign, folder / "judgments.jsonl")
    for tag in ("alpha", "beta"):
        export_run(campaign, folder / f"{tag}.run", tag)
    return {
        name: (folder / name).read_bytes()
        for name in ("qrels", "judgments.jsonl", "alpha.run", "beta.run")
    }


def test_a_copy_there_and_back_exports_the_same_bytes(judged, server, files):
    first, last = copied(judged, "first.db"), files / "last.db"
    again = server.address(f"{judged.path.schema}_again")
    with open_campaign(first) as campaign:
        expected = exports(campaign, files / "of_file")
        copy_campaign(campaign, again)
    with open_campaign(again) as campaign:
        assert exports(campaign, files / "of_server") == expected
        assert events_of(campaign) == events_of(judged)
        copy_campaign(campaign, last)
    assert all(expected.values())
    assert whole(last) == whole(first)
    assert whole(again) == whole(judged.path)


def test_keys_are_counted_on_behind_those_of_a_copy(judged, server):
    again = server.address(f"{judged.path.schema}_again")
    copy_campaign(judged, again)
    with open_campaign(again) as campaign:
        known = {key for (key,) in judged.rows("SELECT id FROM judges")}
        assert graded(campaign, "cleo", "sorted", 1).judge == max(known) + 1


def test_a_text_that_a_server_cannot_store_is_copied_nowhere(campaign, server):
    """An earlier version loaded texts with NUL."""
    again = server.address(f"{campaign.path.schema}_again")
    with open_campaign(copied(campaign, "old.db")) as old:
        with old.writing():
            old.execute("UPDATE documents SET text = 'a' || char(0) WHERE doc_id = 'sorted'")
        with pytest.raises(CampaignError, match=r"the server cannot store this .*NUL"):
            copy_campaign(old, again)
    with pytest.raises(CampaignError, match="the server has no campaign"):
        open_campaign(again)


def test_a_desk_is_told_of_what_others_do_only_where_it_concerns_it(campaign):
    ann, bob = (add_judge(campaign, name).key for name in ("ann", "bob"))
    with open_campaign(campaign.path) as other:
        versions = {judge: campaign.version(judge) for judge in (ann, bob, None)}
        append_event(other, judge=bob, pair=1, action="skip")
        until(lambda: campaign.version(bob) != versions[bob])
        assert campaign.version() != versions[None]
        assert campaign.version(ann) == versions[ann]
        assign(other, ["ann", "bob"])
        until(lambda: campaign.version(ann) != versions[ann])


def test_what_is_there_stays_and_what_is_not_is_named(campaign, server):
    before = whole(campaign.path)
    with pytest.raises(CampaignError, match="already exists and is left as it is"):
        create_campaign(campaign.path, name="other", scale=DEFAULT_SCALE)
    assert whole(campaign.path) == before
    with pytest.raises(CampaignError, match=r"no campaign 'none'; make one with: judge-tui init"):
        open_campaign(server.address("none"))
    with campaign.writing():
        campaign.execute(f"COMMENT ON SCHEMA {campaign.path.schema} IS 'judge_tui schema 99'")
    with pytest.raises(CampaignError, match=r"its schema is version 99.*judge-tui campaign copy"):
        open_campaign(campaign.path)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:secret@host/team?campaign=docs",
        "postgresql://host/team?password=secret&campaign=docs",
        "postgres://ann:@host/team?campaign=docs",
    ],
)
def test_a_password_in_an_address_is_refused_and_not_repeated(address):
    with pytest.raises(UsageError, match="the address has a password") as caught:
        parse_place(address)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("written", ["%20geqo%3Doff", "+"])
def test_what_an_address_asks_of_the_server_arrives_as_libpq_reads_it(written):
    server = f"postgresql://host/team?options=-c{written}"
    found = parse_place(f"{server}&campaign=docs")
    assert isinstance(found, Address)
    assert conninfo_to_dict(found.server) == conninfo_to_dict(server)


def test_without_psycopg_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "judge_tui.campaign.store.postgres", None)
    told = judge_tui("status", "--db", "postgresql://host/team?campaign=docs", code=2).stderr
    assert "need psycopg; install it: pip install 'judge_tui[postgres]'" in told


def test_who_gets_in_nowhere_hears_what_to_do(campaign, server):
    schema = campaign.path.schema
    with campaign.writing():
        campaign.execute("CREATE ROLE eve LOGIN")
    for address, word in (
        (server.address(schema, "nobody"), "createuser"),
        (server.address(schema, "eve"), "judge-tui campaign grant"),
        (
            Address(server.address(schema).server.replace("/postgres?", "/none?"), schema),
            "createdb",
        ),
    ):
        with pytest.raises(CampaignError, match=word):
            open_campaign(address)


# --- the line breaks


def address_over(line: BreakingLine, server: Server, campaign: Campaign) -> Address:
    return server.address(campaign.path.schema, port=line.port)


def graded_there(campaign: Campaign) -> list[tuple[str, int]]:
    """What was graded, in the order of the events."""
    return campaign.rows(
        "SELECT d.doc_id, e.grade FROM events AS e JOIN pool AS p ON p.id = e.pair"
        " JOIN documents AS d ON d.id = p.document ORDER BY e.id"
    )


def test_a_server_that_crashes_between_two_keys_is_not_noticed(campaign, server):
    graded(campaign, "ann", "csv.reader", 3)
    server.stop("immediate")
    server.start()
    graded(campaign, "ann", "sorted", 1)
    assert graded_there(campaign) == [("csv.reader", 3), ("sorted", 1)]


def test_a_key_without_a_server_is_not_saved_and_then_it_is(campaign, server):
    graded(campaign, "ann", "csv.reader", 3)
    campaign.wait_at_most(1)
    server.stop("immediate")
    try:
        with pytest.raises(LostConnectionError, match="the server cannot be reached"):
            graded(campaign, "ann", "sorted", 1)
    finally:
        server.start()
    campaign.wait_at_most(10_000)
    graded(campaign, "ann", "sorted", 1)
    assert graded_there(campaign) == [("csv.reader", 3), ("sorted", 1)]


@pytest.mark.parametrize(
    ("word", "behind"), [(b"COMMIT", True), (b"BEGIN", False), (b"BEGIN", True)]
)
def test_a_line_that_breaks_is_made_anew_and_nothing_is_lost_or_doubled(
    campaign: Campaign, server: Server, word: bytes, *, behind: bool
) -> None:
    """Behind COMMIT the server is asked what became of it; before anything was written the same is
    sent again. The judge notices neither."""
    graded(campaign, "ann", "csv.reader", 3)
    line = BreakingLine(server, word, behind=behind)
    with closing(line), open_campaign(address_over(line, server, campaign)) as away:
        event = graded(away, "ann", "sorted", 1)
        assert line.is_broken
        graded(away, "ann", "list.sort", 2)
    assert graded_there(campaign) == [("csv.reader", 3), ("sorted", 1), ("list.sort", 2)]
    assert event.id in {row[0] for row in events_of(campaign)}


@pytest.mark.parametrize("word", [b"INSERT INTO events", b"COMMIT"])
def test_a_line_that_breaks_before_the_commit_leaves_nothing_and_says_so(campaign, server, word):
    graded(campaign, "ann", "csv.reader", 3)
    line = BreakingLine(server, word, behind=False)
    with closing(line), open_campaign(address_over(line, server, campaign)) as away:
        with pytest.raises(LostConnectionError):
            graded(away, "ann", "sorted", 1)
        assert line.is_broken
        assert graded_there(campaign) == [("csv.reader", 3)]
        graded(away, "ann", "sorted", 1)
    assert graded_there(campaign) == [("csv.reader", 3), ("sorted", 1)]


def test_a_crash_amid_a_commit_is_told_from_the_commit_of_another(campaign, server):
    """What the server had not begun to write it gives the number of to the next who writes."""
    graded(campaign, "ann", "csv.reader", 3)

    def crash() -> None:
        server.stop("immediate")
        server.start()
        graded(campaign, "bob", "sorted", 2)

    line = BreakingLine(server, b"COMMIT", behind=False, then=crash)
    with closing(line), open_campaign(address_over(line, server, campaign)) as away:
        with pytest.raises(LostConnectionError):
            graded(away, "ann", "sorted", 1)
        assert graded_there(campaign) == [("csv.reader", 3), ("sorted", 2)]


def test_what_may_be_saved_is_asked_about_before_it_is_done_again(campaign, server):
    graded(campaign, "ann", "csv.reader", 3)
    ann, pair = add_judge(campaign, "ann").key, key_of(campaign, "sorted")
    line = BreakingLine(server, b"COMMIT", behind=True, then=lambda: setattr(line, "refuses", True))
    with closing(line), open_campaign(address_over(line, server, campaign)) as away:
        away.wait_at_most(1)
        for _ in range(2):
            with pytest.raises(LostConnectionError, match="may be saved, or not"):
                append_event(away, judge=ann, pair=pair, action="grade", grade=1)
        line.refuses = False
        with pytest.raises(CampaignError, match="is saved after all"):
            append_event(away, judge=ann, pair=pair, action="grade", grade=1)
        append_event(away, judge=ann, pair=pair, action="flag")
    assert graded_there(campaign) == [("csv.reader", 3), ("sorted", 1), ("sorted", None)]


def test_who_only_looks_hears_of_others_again_after_a_crash(campaign, server):
    before = campaign.version()
    server.stop("immediate")
    server.start()
    until(lambda: campaign.version() != before)
    before = campaign.version()
    with open_campaign(campaign.path) as other:
        graded(other, "ann", "sorted", 1)
    until(lambda: campaign.version() != before)


def test_who_is_alone_at_a_work_stays_so_after_a_crash(campaign, server):
    with campaign.alone("asking") as is_ours, open_campaign(campaign.path) as other:
        assert is_ours
        server.stop("immediate")
        server.start()
        assert campaign.rows("SELECT count(*) FROM pool") == [(6,)]
        with other.alone("asking") as is_theirs:
            assert not is_theirs
    with campaign.alone("asking") as is_ours:
        assert is_ours


def test_who_reads_beside_writes_nothing_and_stops_when_asked(campaign):
    stopped = Event()
    with second_reader(campaign, stopped.is_set) as reader:
        assert reader.rows("SELECT count(*) FROM pool") == [(6,)]
        with pytest.raises(CampaignError, match="open to read alone"), reader.writing():
            reader.execute("UPDATE campaign SET name = 'x'")
        Timer(0.1, stopped.set).start()
        with pytest.raises(CampaignError, match="reading was ended"):
            reader.rows("SELECT pg_sleep(60)")
