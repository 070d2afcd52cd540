"""What is told of systems that were asked, and of queries at which they failed."""

from __future__ import annotations

from judge_tui.collect import Collected
from judge_tui.collect.reply import Hit, Reply
from judge_tui.model import Query
from judge_tui.report.collected import collected_report, reason_line
from judge_tui.scoring import parse_measures

PAGE = (
    "HTTP 502 Bad Gateway: <!DOCTYPE html><html><head><style>b {color: red}</style><title>Down"
    "</title></head> <body class='x'><p>try <b>later</b> <a href"
)


def _told(*failures: str) -> str:
    replies = tuple(Reply(f"q{n}", "x", failure=why) for n, why in enumerate(failures, 1))
    (note, *_) = collected_report([Collected("api", (), replies)]).notes
    return note.removeprefix(f"api: {len(failures)} of {len(failures)} queries failed, ")


def test_a_page_that_a_server_sends_is_told_without_its_markup():
    assert reason_line(PAGE) == "HTTP 502 Bad Gateway: Down try later"
    assert reason_line("HTTP 500: <style>b {color: red") == "HTTP 500"
    assert reason_line("too few: 3 < 5 > 2") == "too few: 3 < 5 > 2"
    assert reason_line("a " * 60) == f"{'a ' * 44}a…"


def test_a_reason_is_told_once_and_the_file_that_has_all_of_them():
    assert _told("no answer within 1 s") == (
        "which counts as nothing found: q1: no answer within 1 s"
    )
    assert _told("down", "busy", "down", "down") == (
        "which counts as nothing found: q1 and 2 more: down; q2: busy"
    )
    assert _told(PAGE, PAGE) == (
        "which counts as nothing found: q1 and 1 more: HTTP 502 Bad Gateway: Down try later;"
        " api.latency.csv has the reason of each"
    )
    assert _told("a", "b", "c", "d").endswith(
        "q1: a; q2: b; q3: c; api.latency.csv has the reason of each"
    )


def test_classes_that_nothing_was_found_for_are_named():
    """In whatever spelling; failed queries are among those, and a part of over half is enough."""
    classes = ("lookup", "Canonical Lookup", "lookup", "synonym", "", "", "", "")
    queries = tuple(Query(f"q{n}", "x", query_class=name) for n, name in enumerate(classes, 1))
    hit = (Hit("a"),)
    replies = tuple(
        Reply(query.query_id, "x", hits=() if n in (1, 2, 4) else hit, failure=failure)
        for n, (query, failure) in enumerate(zip(queries, ["", "down", *[""] * 6], strict=True), 1)
    )
    notes = collected_report([Collected("api", queries, replies)]).notes
    assert notes[1:] == [
        "api: found nothing for 2 of 3 queries of class 'lookup' and any query of class 'synonym',"
        " 1 of them failed: look at its set-up first"
    ]
    # Of one class there is no more to say than of all queries.
    assert not collected_report([Collected("api", queries[4:], replies[4:])]).notes
    alike = tuple(Query(query.query_id, "x") for query in queries)
    assert len(collected_report([Collected("api", alike, replies)]).notes) == 1


def test_pages_are_told_where_something_looks_beyond_them():
    replies = tuple(
        Reply(f"q{n}", "x", hits=tuple(Hit(f"{n} {at}") for at in range(10))) for n in range(44)
    )
    asked = [Collected("api", (), replies, depth=50)]
    told = (
        "api: paged: never more than 10 of the 50 results asked for, and just 10 for 44 of 44"
        " queries: if that is the size of its pages, measures that look deeper{} compare it"
        " unfairly; ask for --depth 10 (into another folder, or with --again), or for larger pages"
    )
    assert collected_report(asked).notes == [told.format("")]
    for names, deeper in ((["AP", "RR@10", "R@50"], " (AP, R@50)"), (["nDCG@11"], " (nDCG@11)")):
        notes = collected_report(asked, measures=parse_measures(names)).notes
        assert notes == [told.format(deeper)]
    assert collected_report(asked, measures=parse_measures(["nDCG@10", "P@5"])).notes == []
