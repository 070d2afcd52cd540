"""Copies on which judges did anything come together in any order, grouped in any way, alike."""

from __future__ import annotations

import itertools
import json
import tempfile
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.bundle import export_bundle
from judge_tui.campaign.events import append_event, redo, undo
from judge_tui.campaign.export import export_qrels
from judge_tui.campaign.grades import grades_by_judge, load_grades
from judge_tui.campaign.judges import Judge, add_judge, all_judges
from judge_tui.campaign.merge import merge
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.cli import cli
from judge_tui.errors import InputError
from judge_tui.formats import JudgmentRow, QrelsRow
from judge_tui.formats.judgments import Decision, Graded
from tests.campaign.copies import copied, events_of

JUDGES = ("zoe", "ann", "bob")
COPIES = 3

DONE = st.tuples(
    st.integers(0, COPIES),  # where: the first stands for all that was done before copying
    st.sampled_from(JUDGES),
    st.sampled_from(
        (
            *("grade", "grade", "grade", "skip", "cannot", "flag", "comment", "adjudicate"),
            *("undo", "undo", "redo", "merge", "load", "load", "replace"),
            *("load skip", "load cannot"),
        )
    ),
    st.integers(1, 6),
    st.integers(0, 3),
    st.sampled_from((0, 0, 0, 1)),
)


def do(campaign: Campaign, judge: str, action: str, pair: int, number: int, turn: int) -> None:
    who = add_judge(campaign, judge)
    if action == "undo":
        undo(campaign, who.key)
    elif action == "redo":
        redo(campaign, who.key)
    elif action in ("load", "replace"):
        query_id, doc_id = next(name for name, key in pair_keys(campaign).items() if key == pair)
        rows = [QrelsRow(1, query_id, doc_id, number)]
        load_grades(campaign, "file", rows, judge=judge, keep=True, replace=action == "replace")
        if action == "replace":
            # Of what is known here it takes the place, whatever came before.
            assert grades_by_judge(campaign)[judge][query_id, doc_id] == number
    elif action in ("load skip", "load cannot"):
        query_id, doc_id = next(name for name, key in pair_keys(campaign).items() if key == pair)
        decision: Decision = "skip" if action == "load skip" else "cannot"
        row = JudgmentRow(1, query_id, doc_id, judge, decision, None)
        # A file with a judgment that differs is refused.
        with suppress(InputError):
            load_several_judges(
                campaign, "file", Graded("judgments", False, False, True, None, [row], ())
            )
    elif action != "merge":
        append_event(
            campaign,
            judge=who.key,
            pair=pair,
            action=action,
            grade=number if action in ("grade", "adjudicate") else None,
            note="n" * number if action == "comment" else "",
            looked=number / 4,
            turn=0 if action == "adjudicate" else turn,
        )


def chosen(campaign: Campaign) -> dict[tuple[int, int], int]:
    """By judge and pair (keys), the grade that holds, one event at a time."""
    events = campaign.rows(
        "SELECT id, judge, pair, action, grade, target, painted_at, over FROM events"
        " WHERE turn = 0 ORDER BY id"
    )
    of_files = {event[0] for event in events if event[6] is None}
    redone = {event[5] for event in events if event[3] == "redo"}
    undone = {event[5] for event in events if event[3] == "undo" and event[0] not in redone}
    by_pair: dict[tuple[int, int], list[tuple]] = {}
    for event in events:
        if event[3] in ("grade", "skip", "cannot") and event[0] not in undone:
            by_pair.setdefault(event[1:3], []).append(event)
    found = {}
    for at, decisions in by_pair.items():
        judged = [one[0] for one in decisions if one[3] != "skip"]
        in_app = [one[0] for one in decisions if one[6] is not None and one[3] != "skip"]
        replacing = [one[0] for one in decisions if one[6] is None and one[7] and one[3] != "skip"]
        for event_id, _, _, said, grade, _, painted_at, over in decisions:
            knew = "" if over in of_files else over
            beaten = painted_at is None and (
                (said == "skip" and any(one < event_id for one in judged))
                or any(knew < one < event_id for one in in_app)
                or (not over and any(one < event_id for one in replacing))
            )
            if not beaten:
                found[at] = said, grade
    return {at: grade for at, (action, grade) in found.items() if action == "grade"}


def outcome(path: Path) -> tuple[object, ...]:
    """Everything of a campaign that must not depend on the order in which it came."""
    with open_campaign(path) as campaign:
        assert campaign.rows("PRAGMA integrity_check") == [("ok",)]
        assert campaign.rows("PRAGMA foreign_key_check") == []
        # The counts that the desk reads are those of the events, however these came in.
        assert campaign.rows(
            "SELECT judge, turn, sum(decided) FROM tallies GROUP BY 1, 2 HAVING sum(decided) > 0"
        ) == campaign.rows(
            "SELECT judge, 0, count(*) FROM decisions GROUP BY 1"
            " UNION ALL SELECT judge, 1, count(*) FROM repeats GROUP BY 1 ORDER BY 1, 2"
        )
        grades = grades_by_judge(campaign)
        names, keys = {one.name: one.key for one in all_judges(campaign)}, pair_keys(campaign)
        assert chosen(campaign) == {
            (names[judge], keys[pair]): grade
            for judge, of_judge in grades.items()
            for pair, grade in of_judge.items()
        }
        judges = sorted(campaign.rows("SELECT name, role, kind FROM judges"))
        written: list[bytes] = []
        if grades or campaign.rows("SELECT 1 FROM adjudications"):
            for policy in ("majority", "max"):
                target = path.with_suffix(f".{policy}")
                export_qrels(campaign, target, policy=policy, unresolved="skip")
                written += [target.read_bytes(), Path(f"{target}.provenance.json").read_bytes()]
        return events_of(campaign), judges, grades, list(grades), written


def done_again(path: Path) -> dict[str, list[str]]:
    """By judge, what redo brings back in a copy of the file, as often as it does. One undo takes
    it away, two of it on two machines are one, and so are two redos."""
    again: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder) / "copy.db"
        copy.write_bytes(path.read_bytes())
        with open_campaign(copy) as opened:
            for judge in all_judges(opened):
                while (event := redo(opened, judge.key)) is not None:
                    again.setdefault(judge.name, []).append(event.id)
                    before = held(opened, judge)
                    assert event.id in before
                    # What a file has replaced since stays, and may be later.
                    assert before[-1] == event.id or loaded(opened)
                    twin = copied(opened, "twin.db")
                    with open_campaign(twin) as elsewhere:
                        assert undo(elsewhere, judge.key) == event
                    assert undo(opened, judge.key) == event
                    assert held(opened, judge) == [one for one in before if one != event.id]
                    merge(opened, [twin])
                    assert redo(opened, judge.key) == event
                    assert held(opened, judge) == before
                    with open_campaign(twin) as elsewhere:
                        assert redo(elsewhere, judge.key) == event
                    merge(opened, [twin])
                    assert held(opened, judge) == before
                    twin.unlink()
        outcome(copy)
    return again


def loaded(campaign: Campaign) -> bool:
    return bool(campaign.rows("SELECT 1 FROM events WHERE over IS NOT NULL LIMIT 1"))


def held(campaign: Campaign, judge: Judge) -> list[str]:
    """The ids of the events that hold of what the judge judged in the app, ascending: settling is
    apart."""
    rows = campaign.rows(
        "SELECT id FROM live_events WHERE judge = ? AND action <> 'adjudicate'"
        " AND painted_at IS NOT NULL ORDER BY id",
        (judge.key,),
    )
    return [event_id for (event_id,) in rows]


@settings(max_examples=16, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(done=st.lists(DONE, min_size=5, max_size=30), seed=st.randoms(use_true_random=False))
def test_any_order_and_grouping_gives_the_same(campaign: Campaign, done, seed) -> None:
    with tempfile.TemporaryDirectory(dir=campaign.path.parent) as folder:
        base = Path(folder) / "base.db"
        copied(campaign, f"{Path(folder).name}/base.db")
        with open_campaign(base) as opened:
            for where, *what in done:
                if where == 0:
                    do(opened, *what)
            away = [copied(opened, f"{place}.db") for place in range(COPIES)]
            for name in ("one", "two", "three"):
                copied(opened, f"{name}.db")
        for place, path in enumerate(away, start=1):
            with open_campaign(path) as opened:
                for where, *what in done:
                    if where == place:
                        if what[1] == "merge":
                            merge(opened, [seed.choice(away)])
                        do(opened, *what)

        # All at once; one by one in another order, some twice; two of them first with each other.
        one, two, three = (Path(folder) / f"{name}.db" for name in ("one", "two", "three"))
        with open_campaign(one) as opened:
            merge(opened, away)
        with open_campaign(two) as opened:
            for path in (*seed.sample(away, COPIES), away[0]):
                merge(opened, [path])
        with open_campaign(away[2]) as opened:
            merge(opened, [away[0]])
        with open_campaign(three) as opened:
            merge(opened, [away[1], away[2]])
        expected = outcome(one)
        assert outcome(two) == expected
        assert outcome(three) == expected

        assert done_again(two) == done_again(three) == done_again(one)
        with open_campaign(one) as opened:
            before = events_of(opened)
            again = merge(opened, [two, three, *away])
            assert [came.events for came in again.files] == [{}] * 5
            assert again.conflicts == ()
            assert events_of(opened) == before


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_reports_are_the_same_in_any_order(campaign: Campaign, files: Path) -> None:
    """Judges, queries and runs that came in another order, and so have other keys."""
    from judge_tui.campaign.pool import extend_pool
    from judge_tui.campaign.queries import load_queries
    from tests.loading_runs import load_run

    copies = {}
    for judge, query in (("bob", "q8"), ("ann", "q7"), ("zoe", "q9")):
        path = copied(campaign, f"{judge}.db")
        (files / "q").write_text(f'{{"query_id": "{query}", "text": "{query}"}}\n')
        (files / "r").write_text(
            f"{query} Q0 sorted 1 2 r-{judge}\n{query} Q0 json.load 2 1 r-{judge}\n"
            f"q1 Q0 json.load 1 2 r-{judge}\n"
        )
        with open_campaign(path) as away:
            load_queries(away, files / "q", format="jsonl")
            load_run(away, files / "r")
            with away.writing() as connection:
                # Loaded a minute apart.
                minute = len(copies)
                connection.execute(
                    "UPDATE runs SET loaded_at = ? WHERE tag = ?",
                    (f"2100-01-01T00:0{minute}:00.000+00:00", f"r-{judge}"),
                )
            extend_pool(away)
            who = add_judge(away, judge)
            for (pair,) in away.rows("SELECT id FROM pool ORDER BY id"):
                append_event(
                    away,
                    judge=who.key,
                    pair=pair,
                    action="grade",
                    grade=(pair * len(judge + query) + ord(judge[0])) % 4,
                )
        copies[judge] = path
    results = []
    for order in itertools.permutations(copies.values()):
        with open_campaign(copied(campaign, "home.db")) as home:
            merge(home, order)
            export_qrels(home, files / "out", policy="max")
        db = ("--db", str(files / "home.db"))
        printed_reports = [
            printed("agreement", *db, "-f", "json"),
            printed("score", *db, "--policy", "max", "-q", "-f", "json"),
            printed("score", *db, "--policy", "max", "--by", "class"),
            printed("compare", *db, "--policy", "max"),
            (files / "out").read_text(),
            (files / "out.provenance.json").read_text(),
        ]
        results.append(printed_reports)
        for name in ("home.db", "out", "out.provenance.json"):
            (files / name).unlink()
    assert json.loads(results[0][0])["judges"] == ["ann", "bob", "zoe"]
    assert [run["tag"] for run in json.loads(results[0][1])["runs"]] == [
        *("alpha", "beta", "r-bob", "r-ann", "r-zoe")
    ]
    assert all(one == results[0] for one in results[1:])


def test_bundles_and_copies_come_home_in_any_order(campaign: Campaign, files: Path) -> None:
    """A bundle hides why pairs are there; where it comes first, the truth replaces that later."""
    bundle = files / "bundle.db"
    with campaign.writing() as connection:
        ann = add_judge(campaign, "ann")
        for place, purpose in enumerate(("normal", "overlap", "gold"), start=1):
            connection.execute(
                "INSERT INTO assignments VALUES (?, ?, 0, ?, ?)",
                (ann.key, place, place // 3, purpose),
            )
    before_pool = "DELETE FROM {}"
    bare = copied(campaign, "bare.db")
    export_bundle(campaign, bundle, judge="ann")
    with open_campaign(bundle) as away:
        do(away, "ann", "grade", 1, 2, 0)
    full = copied(campaign, "full.db")
    from tests.campaign.copies import tampered

    tampered(bare, *(before_pool.format(t) for t in ("assignments", "pool", "pooled", "tallies")))
    states = []
    for order in itertools.permutations((bundle, full)):
        home = files / "home.db"
        home.write_bytes(bare.read_bytes())
        with open_campaign(home) as opened:
            for path in order:
                merge(opened, [path])
            states.append(
                (
                    events_of(opened),
                    sorted(
                        opened.rows(
                            "SELECT q.query_id, d.doc_id, p.priority, p.stratum, a.position,"
                            " a.purpose FROM pool AS p JOIN queries AS q ON q.id = p.query"
                            " JOIN documents AS d ON d.id = p.document"
                            " LEFT JOIN assignments AS a ON a.pair = p.id"
                        ),
                        key=repr,
                    ),
                )
            )
        home.unlink()
    assert states[0] == states[1]
    assert {row[3] for row in states[0][1]} == {"depth"}
    assert {row[5] for row in states[0][1]} == {None, "normal", "overlap", "gold"}
