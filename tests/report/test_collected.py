"""What is said of systems that were asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from judge_tui.collect import CollectedRun, Hit, Reply
from judge_tui.report import render
from judge_tui.report.collected import collected_report, reason_line

PAGE = "HTTP 502 Bad Gateway: <html><style>b { color: red }</style> <b>Down</b> try later"


def run_of(*replies: Reply) -> CollectedRun:
    return CollectedRun("api", replies, Path("out"))


def test_reasons_are_short_and_without_tags():
    assert reason_line(PAGE) == "HTTP 502 Bad Gateway: Down try later"
    assert reason_line("HTTP 500: <style>b {color: red") == "HTTP 500"
    assert reason_line("too few: 3 < 5 > 2") == "too few: 3 < 5 > 2"
    assert reason_line("a " * 60) == f"{'a ' * 44}a…"


def test_many_systems_and_reasons_are_one_line():
    whys = ("a", "b", "a", "c", "d")
    replies = (Reply(f"q{n}", "", failure=why) for n, why in enumerate(whys))
    first = run_of(*replies, Reply("q9", ""))
    others = [replace(run_of(Reply("q0", "", failure="a")), tag=f"s{n}") for n in range(5)]
    (warning,) = collected_report([first, *others]).warnings
    assert warning == (
        "queries that failed count as nothing found:"
        " api 5 of 6 (a: q0, q2; b: q1; c: q3; and 1 more), s0 1 of 1 (a: q0), s1 1 of 1 (a: q0),"
        " and 3 more"
    )


def test_where_nothing_is_found_the_numbers_are_undefined_or_0():
    report = collected_report([run_of(Reply("q1", "", failure="HTTP 500: \x1b[2J"))])
    (row,) = json.loads(render(report, "json", colour=False))["systems"]
    assert (row["median_s"], row["most"], row["results"]) == (None, 0, 0)
    assert "\x1b" not in render(report, "table", colour=False)
    (warning,) = collected_report([run_of(Reply("q1", ""))]).warnings
    assert warning.endswith("check where their results are sought: api")


def test_the_most_of_one_query_counts_repeated_ones():
    hits = (Hit("a"), Hit("b"))
    replies = (Reply("q1", "", hits, repeated=3), Reply("q2", "", hits[:1]))
    (row,) = collected_report([run_of(*replies)]).to_dict()["systems"]
    assert (row["results"], row["most"], row["repeated"]) == (3, 5, 3)
